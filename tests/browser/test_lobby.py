"""The lobby in a browser: a table is opened as one chooses, somebody sits down from the list, and a running game is not closed at once."""

from __future__ import annotations

from tests.helpers.browsing import PATIENCE, until


def test_a_table_is_opened_sat_down_at_and_closed_only_when_one_is_sure(browser, serve):
    server = serve("connect_four", "--seed", "1")
    context = browser.new_context(viewport={"width": 390, "height": 800})
    page = context.new_page()
    page.set_default_timeout(PATIENCE * 1000)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(server.links["the lobby"])
    page.wait_for_selector("ul[aria-label=Games] li")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.select_option("select[name=variant]", "pop_out")
    page.select_option("select[name=bot]", "random")
    page.click("ul[aria-label=Games] button[type=submit]")
    page.wait_for_selector("#opened")
    row = "ul[aria-label=Tables] > li:nth-child(2)"
    page.wait_for_selector(row)
    assert "pop_out" in page.inner_text(row) and page.inner_text(row).count("free") == 2
    seat = context.new_page()
    seat.goto(page.get_attribute(f"{row} .sitting li:first-child a", "href"))
    seat.click("text=Begin the game")
    until(
        lambda: "is here" in page.inner_text(row) and "being played" in page.inner_text(row),
        lambda: page.inner_text(row),
    )
    assert "a bot" in page.inner_text(row)  # nobody has come to the other seat
    page.click(f'{row} >> button:text-is("Close")')
    page.click(f'{row} >> button:text-is("Keep it")')
    assert "being played" in page.inner_text(row)
    page.click(f'{row} >> button:text-is("Close")')
    page.click(f'{row} >> button:text-is("Close it")')
    until(lambda: page.locator("ul[aria-label=Tables] > li").count() == 1)
    assert complaints == []
    context.close()

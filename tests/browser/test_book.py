"""The rulebook in a browser: *Rules* opens it, chapters are chosen, and links lead to headings."""

from __future__ import annotations


def test_the_rules_of_a_game_are_a_book(browser, serve):
    server = serve("leduc_poker")
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.goto(server.seats[0])
    page.get_by_role("button", name="Rules").click()
    chapters = page.get_by_role("navigation", name="Chapters")
    chapters.get_by_role("button", name="How it is played").click(timeout=60_000)
    book = page.locator(".book")
    book.get_by_text("Deal 1 from the deck to each player").wait_for()
    assert chapters.get_by_role("button", name="How it is played").get_attribute("aria-pressed") == "true"
    book.get_by_role("button", name="staked").first.click()
    book.get_by_role("heading", name="What is kept").wait_for()
    assert page.locator("#book-kept-staked").count() == 1
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Rules").click()
    book.get_by_role("heading", name="What is kept").wait_for()  # where it was left
    assert faults == []
    page.close()

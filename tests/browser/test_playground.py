"""The playground in a real browser, from a static folder: a game is written from nothing, played, tested and given away."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.helpers.places import ROOT
from tests.helpers.writing import GAME, Author
from tools.dev.playground.times import hosted

FOLDER = Path(os.environ.get("RULESPEC_PLAYGROUND") or ROOT / "dist/playground")
SLOWEST = 180_000  # milliseconds until Python has come, on a machine that does other things as well

pytestmark = pytest.mark.skipif(
    not (FOLDER / "index.html").is_file(),
    reason="takes minutes: `make playground` makes it, then `make browser-test` runs this",
)


@pytest.fixture(scope="module")
def host():
    with hosted(FOLDER) as address:
        yield address


def begun(browser, link: str) -> Author:
    """Somebody who has come to the playground, once Python is there."""
    author = Author(browser, link)
    author.page.set_default_timeout(SLOWEST)
    author.page.locator("#bar button").first.wait_for()
    return author


def test_a_game_is_written_from_nothing_played_and_tested(browser, host):
    author = begun(browser, host)
    page, table = author.page, author.table
    author.press("Begin a game")
    author.make("template", "wells", title="Wells")
    table.locator("#prompt").wait_for()
    author.write(GAME.replace("is: 0..9", "is: 0..x"))
    assert "Line 8" in author.standing(good=False)
    page.wait_for_selector(".row.error")
    author.write(GAME)
    table.get_by_text("Wells").first.wait_for()
    page.keyboard.press("Control+s")
    table.get_by_role("button", name="deep").click()
    table.locator(".question:not(.wait) #prompt").wait_for()
    author.press("Make a case")
    page.locator("dialog [name=name]").fill("a_deep_well")
    page.locator("dialog").get_by_role("button", name="Write it").click()
    author.panel("Cases")
    page.wait_for_selector(".cases .green >> text=a_deep_well")
    author.replace("then: {lose: 1", "1, from: lamps}", "3, from: lamps}")
    page.wait_for_selector(".cases .red >> text=a_deep_well")
    author.press("Link to this game")
    page.locator("#link").wait_for()
    link = page.locator("#link").input_value()
    author.close()
    other = begun(browser, link)
    other.table.get_by_text("Wells").first.wait_for()
    assert "lose: 3" in other.page.inner_text(".cm-content")
    other.close()


def test_what_is_typed_outlives_a_reload_a_second_tab_says_that_it_keeps_nothing_and_a_hostile_link_brings_nothing(
    browser, host
):
    author = begun(browser, host)
    page = author.page
    author.press("Begin a game")
    author.make("template", "wells", title="Wells")
    author.table.locator("#prompt").wait_for()
    other = author.context.new_page()
    other.set_default_timeout(SLOWEST)
    other.goto(host)
    other.locator("#carried", has_text="open in another tab").wait_for()
    other.close()
    author.replace("title: Wells", "Wells", "Deep wells")
    author.table.get_by_text("Deep wells").first.wait_for()
    page.wait_for_timeout(1500)  # until the browser has kept it
    page.goto("about:blank")
    page.goto(f"{host}#game=AAAA")
    page.locator("#carried", has_text="The link is damaged").wait_for()
    page.get_by_text("typed and not saved before").wait_for()
    page.locator(".cm-line", has_text="title: Deep wells").wait_for()
    assert page.locator("#bar select").first.locator("option").all_inner_texts() == ["Wells"]
    author.close()

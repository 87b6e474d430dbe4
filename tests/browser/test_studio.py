"""The studio in a real browser: a game is written from nothing, played, tested and varied, without a command line."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.test_access import AXE, faults
from tests.browser.test_pictures import kept, letters
from tests.helpers.browsing import PATIENCE, until
from tests.helpers.studying import Process
from tools.studio.studio import HIDDEN

__all__ = ["letters"]  # a fixture
SIZES = ((1400, 900), (1000, 700), (390, 844))
GAME = """\
rulespec: 1
id: wells
title: Wells
players: 2
types:
  Well: [deep, dry]
state:
  lamps: {is: 0..9, starts: 9}
phases:
  game:
    do:
      - while: lamps > 1
        do:
          - for: p in players
            do:
              - turn: p
procedures:
  turn:
    takes: {p: Player}
    do:
      - choose: well
        by: p
        from: Well
      - if: well == deep
        then: {lose: 1, from: lamps}
        else: {lose: 2, from: lamps}
end of game:
  winners: all
"""


@pytest.fixture
def start(tmp_path: Path) -> Iterator[type[Process]]:
    """Starts studios of a folder, which end with the test."""
    started: list[Process] = []

    def begin(folder: Path = tmp_path, port: int = 0) -> Process:
        started.append(Process(folder, port))
        return started[-1]

    yield begin
    for one in started:
        if one.process.poll() is None:
            one.kill()


# As somebody pastes: what a driver inserts by itself goes past the editor, and the browser styles it in line.
PASTE = """(text) => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  const paste = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
  document.querySelector(".cm-content").dispatchEvent(paste);
}"""


class Author:
    """Somebody who writes in the studio: `complaints` is what the browser's console says."""

    def __init__(self, browser, link: str, size=SIZES[0], theme: str = "light", open_policy: bool = False) -> None:
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=theme,
            reduced_motion="reduce",
            bypass_csp=open_policy,
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE * 1000)
        self.complaints: list[str] = []
        self.page.on(
            "console", lambda said: self.complaints.append(said.text) if said.type in ("error", "warning") else None
        )
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(link)
        self.table = self.page.frame_locator("#table")

    def press(self, name: str) -> None:
        """Press a button of the page."""
        self.page.get_by_role("button", name=name, exact=True).click()

    def make(self, what: str, name: str, **fields: str) -> None:
        """Fill in what is asked for something new."""
        box = self.page.locator("dialog")
        box.locator("[name=what]").select_option(what)
        for label, value in fields.items():
            box.locator(f"[name={label}]").fill(value)
        box.locator("[name=name]").fill(name)
        box.get_by_role("button", name="Make it").click()
        box.wait_for(state="hidden")

    def write(self, text: str) -> None:
        """Put a text in place of the one that is shown."""
        self.page.locator(".cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.evaluate(PASTE, text)

    def replace(self, line: str, old: str, text: str) -> None:
        """Type something in place of the end of the line that has a text."""
        self.page.locator(".cm-line", has_text=line).first.click()
        self.page.keyboard.press("End")
        for _ in old:
            self.page.keyboard.press("Backspace")
        self.page.keyboard.type(text)

    def standing(self, good: bool = True) -> str:
        """What is said of the table, once it follows the text or does not."""
        self.page.wait_for_selector(f"#playing{'' if good else '.stale'} .standing{':not(.bad)' if good else '.bad'}")
        return self.page.inner_text("#standing")

    def panel(self, name: str) -> str:
        """What a panel below the text shows."""
        self.page.get_by_role("tab", name=re.compile(f"^{name}")).click()
        return self.page.inner_text("#panel")

    def close(self) -> None:
        assert [one for one in self.complaints if "ERR_CONNECTION_REFUSED" not in one and "WebSocket" not in one] == []
        self.context.close()


def test_a_game_is_written_from_nothing_played_tested_and_varied(browser, start, tmp_path):
    author = Author(browser, start().link)
    page, table = author.page, author.table
    author.press("Begin a game")
    author.make("template", "wells", title="Wells")
    table.locator("#prompt").wait_for()
    author.write(GAME.replace("is: 0..9", "is: 0..x"))
    assert "Line 8" in author.standing(good=False)
    page.wait_for_selector(".row.error")
    assert "`x`" in author.panel("Findings")
    author.write(GAME)
    table.get_by_text("Wells").first.wait_for()
    assert "as the text stands" in author.standing()
    page.keyboard.press("Control+s")
    until(lambda: (tmp_path / "wells/game.yaml").read_text(encoding="utf-8") == GAME)
    table.get_by_role("button", name="deep").click()
    table.locator(".question:not(.wait) #prompt").wait_for()
    author.press("Make a case")
    page.locator("dialog [name=name]").fill("a_deep_well")
    page.locator("dialog").get_by_role("button", name="Write it").click()
    page.wait_for_selector(".cases .green >> text=a_deep_well")
    author.replace("then: {lose: 1", "1, from: lamps}", "3, from: lamps}")
    page.wait_for_selector(".cases .red >> text=a_deep_well")
    page.locator(".cases .red").first.click()
    assert "lose: 3" in page.wait_for_selector(".trace").inner_text()
    author.replace("then: {lose: 3", "3, from: lamps}", "1, from: lamps}")
    page.keyboard.press("Control+s")
    author.panel("Cases")
    page.wait_for_selector(".cases .green >> text=a_deep_well")
    author.press("New …")
    author.make("variant", "dark", title="Dark wells")
    author.write("extends: ..\nid: dark\ntitle: Dark wells\n\nchanges:\n  - set: state.lamps.starts\n    to: 4\n")
    table.get_by_text("Dark wells").first.wait_for()
    page.keyboard.press("Control+s")
    until(lambda: "starts" in (tmp_path / "wells/variants/dark.yaml").read_text(encoding="utf-8"))
    assert {path.name for path in tmp_path.iterdir()} == {"wells", HIDDEN}
    author.close()


def test_what_is_typed_outlives_the_page_and_the_server(browser, start, tmp_path):
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    server = start()
    author = Author(browser, server.link)
    author.table.locator("#prompt").wait_for()
    author.replace("title: Wells", "Wells", "Deep wells")
    author.table.get_by_text("Deep wells").first.wait_for()
    server.kill()
    author.replace("players: 2", "2", "2..3")
    again = start(port=server.port)
    author.page.get_by_label("How many play").wait_for()
    author.context.close()
    again.kill()
    other = Author(browser, start().link)
    other.page.get_by_text("typed and not saved before").wait_for()
    assert "Deep wells" in other.page.inner_text(".cm-content") and "2..3" in other.page.inner_text(".cm-content")
    assert (tmp_path / "game.yaml").read_text(encoding="utf-8") == GAME
    other.press("Throw it away")
    until(lambda: "Deep wells" not in other.page.inner_text(".cm-content"))
    other.close()


def test_two_pages_never_overwrite_each_other(browser, start, tmp_path):
    file = tmp_path / "game.yaml"
    file.write_text(GAME, encoding="utf-8")
    server = start()
    one, two = (Author(browser, server.link) for _ in range(2))
    for author in (one, two):
        author.table.locator("#prompt").wait_for()
    two.replace("title: Wells", "Wells", "Two wells")
    one.replace("title: Wells", "Wells", "One well")
    one.page.keyboard.press("Control+s")
    two.page.get_by_text("nothing is overwritten").wait_for()
    assert "One well" in file.read_text(encoding="utf-8") and "Two wells" in two.page.inner_text(".cm-content")
    two.press("Keep mine, and save it")
    until(lambda: "Two wells" in file.read_text(encoding="utf-8"))
    until(lambda: "Two wells" in one.page.inner_text(".cm-content"))
    one.close()
    two.close()


def test_the_table_leads_to_its_lines(browser, start, tmp_path):
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    author = Author(browser, start().link)
    author.table.locator("#prompt").click(modifiers=["Alt"])
    until(lambda: "- choose: well" in author.page.inner_text(".cm-activeLine"))
    until(lambda: "dashed" in (author.table.locator("#prompt").get_attribute("style") or ""))
    author.press("Where from?")
    author.table.get_by_role("button", name="deep").click()
    author.close()


@pytest.mark.skipif(not AXE, reason="needs axe-core: `make browser-test` installs it")
@pytest.mark.parametrize(("theme", "size"), [("light", SIZES[0]), ("dark", SIZES[2])])
def test_axe(theme, size, browser, start, tmp_path):
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    author = Author(browser, start().link, size, theme, open_policy=True)
    author.page.wait_for_selector(".cm-line")
    author.page.add_script_tag(path=Path(__file__).parent / "eyes.js")
    assert faults(author.page) == []
    author.page.get_by_role("button", name="New …").click()
    assert faults(author.page) == []
    author.context.close()


def test_the_picture_of_the_handbook(browser, start, letters, tmp_path):
    assert os.environ.get("RULESPEC_BROWSER")
    author = Author(browser, start(tmp_path).link, (1400, 860))
    author.press("Begin a game")
    author.make("template", "stones", title="Stones")
    author.page.locator("dialog").wait_for(state="hidden")
    author.page.wait_for_selector("#playing .standing:not(.bad)")
    kept(author.page, "studio", letters)
    author.close()

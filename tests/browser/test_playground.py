"""The playground in a real browser, from a static folder: a game is written from nothing, played, tested and given away."""

from __future__ import annotations

import os
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.helpers.places import ROOT
from tests.helpers.writing import GAME, Author

FOLDER = Path(os.environ.get("RULESPEC_PLAYGROUND") or ROOT / "dist/playground")
SLOWEST = 180_000  # milliseconds until Python has come, on a machine that does other things as well

pytestmark = pytest.mark.skipif(
    not (FOLDER / "index.html").is_file(),
    reason="takes minutes: `make playground` makes it, then `make browser-test` runs this",
)


class Quiet(SimpleHTTPRequestHandler):
    """A web host that serves files, and nothing else."""

    extensions_map = {  # noqa: RUF012  (that of the base class)
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".js": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def host():
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(FOLDER)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


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

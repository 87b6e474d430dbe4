"""How long the playground takes: `python -m tools.dev.playground.times GAME [--folder FOLDER] [--visits N]`.

A game comes with a link; the page is opened again and again with what the browser keeps of the first visit.  The least of all visits
counts, since machines do other things as well; beside it stands how long Python alone takes in the same browser, without anything of ours.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulespec.system.resources import games_dir

from . import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

PATIENCE = 300_000  # milliseconds
BARE = "bare.html"
PAGE = """<!doctype html><script type="module">
import { loadPyodide } from "./pyodide/pyodide.mjs";
const python = await loadPyodide({ indexURL: new URL("pyodide/", location).href });
python.runPython("1 + 1");
document.title = "there";
</script>"""
TYPES = {
    **SimpleHTTPRequestHandler.extensions_map,
    ".mjs": "text/javascript",
    ".js": "text/javascript",
    ".wasm": "application/wasm",
}
PLAYABLE = """() => {
  const table = document.querySelector("#table")?.contentDocument;
  return Boolean(table?.querySelector(".question:not(.wait) #prompt"));
}"""
# Milliseconds from a key in the text until a finding is shown, or no finding any more.
KEY = """async (wrong) => {
  const line = [...document.querySelectorAll(".cm-line")].find((one) => one.textContent.startsWith("players:"));
  const shown = () => Boolean(document.querySelector(".row.error")) === wrong;
  const range = document.createRange();
  range.selectNodeContents(line);
  range.collapse(false);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
  const begun = performance.now();
  document.execCommand(wrong ? "insertText" : "delete", false, wrong ? "x" : "");
  while (!shown()) await new Promise((done) => setTimeout(done, 5));
  return performance.now() - begun;
}"""


class Quiet(SimpleHTTPRequestHandler):
    """A web host that serves files, and nothing else."""

    extensions_map = TYPES

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """The address of a host of a folder, while it is there."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def visited(page: Page, address: str) -> dict[str, float]:
    """Milliseconds until Python is there and until the table can be played on, of one visit."""
    page.goto("about:blank")
    page.goto(address, wait_until="commit")
    page.wait_for_function("() => document.documentElement.dataset.started", timeout=PATIENCE)
    python = page.evaluate("() => performance.now()")
    page.wait_for_function(PLAYABLE, timeout=PATIENCE)
    return {"python": python, "table": page.evaluate("() => performance.now()")}


def bare(page: Page, host: str) -> float:
    """Milliseconds until Python alone is there."""

    def given(route: Route) -> None:
        route.fulfill(body=PAGE, content_type="text/html")

    page.route(f"**/{BARE}", given)
    page.goto(host + BARE, wait_until="commit")
    page.wait_for_function("() => document.title === 'there'", timeout=PATIENCE)
    return float(page.evaluate("() => performance.now()"))


def keyed(page: Page, times: int) -> float:
    """The least milliseconds from a key to what is found of it."""
    page.locator(".cm-content").click()
    took = []
    for _ in range(times):
        took += [page.evaluate(KEY, True), page.evaluate(KEY, False)]
        page.wait_for_timeout(1500)
    return float(min(took))


def measured(host: str, browser: str, game: str, visits: int) -> dict[str, Any]:
    """All that is measured."""
    from playwright.sync_api import sync_playwright

    folder = games_dir() / game
    texts = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.yaml")}
    with tempfile.TemporaryDirectory() as kept, sync_playwright() as driver:
        context = driver.chromium.launch_persistent_context(
            kept, executable_path=browser, args=["--no-sandbox", "--disable-gpu"]
        )
        page = context.new_page()
        page.goto(host)
        page.wait_for_function("() => document.documentElement.dataset.started", timeout=PATIENCE)
        page.evaluate(
            "async (game) => { const { ask } = await import('./page/socket.js'); await ask({ take: game }); }",
            {"name": game, "files": texts},
        )
        page.wait_for_timeout(2000)
        first, alone = [visited(page, host) for _ in range(visits)], [bare(page, host) for _ in range(visits)]
        visited(page, host)
        page.wait_for_timeout(5000)
        found = keyed(page, visits)
        context.close()
    least = {name: min(one[name] for one in first) for name in ("python", "table")}
    return {**least, "bare": min(alone), "key": found, "visits": first}


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tools.dev.playground.times", description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "dist/playground", help="the playground")
    parser.add_argument("--visits", type=int, default=3, help="how often it is opened")
    parser.add_argument("game", help="the id of the game that is opened")
    args = parser.parse_args()
    browser = os.environ.get("RULESPEC_BROWSER") or shutil.which("chromium")
    if browser is None:
        print("error: there is no chromium", file=sys.stderr)
        return 2
    with hosted(args.folder) as host:
        found = measured(host, browser, args.game, args.visits)
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())

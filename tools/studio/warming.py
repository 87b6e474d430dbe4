"""What each page of a playground does first, done when it is made, so that the memory that a page begins with holds what that needs."""

from __future__ import annotations

import asyncio
import gc
import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .alone import TOKEN, Alone, asked
from .elsewhere import looked

PLACE = Path("/warm")
CAPABILITIES = {"textDocument": {"publishDiagnostics": {}}, "general": {"positionEncodings": ["utf-16"]}}
Message = dict[str, Any]


class Page:
    """A page of the studio, or a table within it, which hears all that it is told."""

    def __init__(self, studio: Alone, path: str, **hello: Any) -> None:
        self.studio, self.told = studio, list[Message]()
        self.number = studio.connect(path, lambda text: self.told.append(json.loads(text)), lambda _code: None)
        self.say(type="hello", protocol=1, **hello)

    def say(self, **message: Any) -> None:
        """Say something."""
        self.studio.hear(self.number, json.dumps(message))

    def write(self, method: str, params: Message, **more: Any) -> None:
        """Say something to the language server."""
        self.say(type="lsp", text=json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}))

    async def until(self, holds: Callable[[Message], Any]) -> Message:
        """The first message of which something holds."""
        while True:
            found = next((one for one in self.told if holds(one)), None)
            if found is not None:
                return found
            await asyncio.sleep(0.01)


async def warmed() -> None:
    """Make a game, read it, play it and run its cases, as somebody does who writes."""
    PLACE.mkdir()
    asks: list[str] = []
    studio = Alone(PLACE, asks.append)
    page = Page(studio, "/studio", token=TOKEN, page="warm")
    await page.until(lambda one: one["type"] == "welcome")
    page.write("initialize", {"processId": None, "rootUri": None, "capabilities": CAPABILITIES}, id=1)
    await page.until(lambda one: one["type"] == "lsp")
    page.write("initialized", {})
    page.say(type="make", id="1", what="template", name="warm", title="Warm", of="card")
    await page.until(lambda one: one["type"] == "made")
    page.say(type="open", id="2", game="warm")
    file = (await page.until(lambda one: one["type"] == "game"))["files"][0]
    text = (PLACE / "warm" / file["file"]).read_text(encoding="utf-8")
    document = {"uri": file["uri"], "languageId": "yaml", "version": 0, "text": text}
    page.write("textDocument/didOpen", {"textDocument": document})
    link = (await page.until(lambda one: one["type"] == "table" and one["good"]))["link"]
    name, _, token = link.removeprefix("/t/").partition("#")
    table = Page(studio, "/ws", table=name, token=token)
    await table.until(lambda one: one["type"] == "view")
    await page.until(lambda one: one["type"] == "ran" and one.get("done"))
    table.say(type="book", id="5", chapter=0)
    await table.until(lambda one: one.get("id") == "5")
    while not asks:
        await asyncio.sleep(0.01)
    studio.elsewhere.hear(looked(asks[0]))
    page.say(type="lit", id="3", file=file["file"], line=3)
    await page.until(lambda one: one.get("id") == "3")
    assert "files" in json.loads(asked(studio, '{"give": true}'))
    for one in list(studio.wires):
        studio.disconnect(one)
    await studio.close()
    await studio.house.close()
    shutil.rmtree(PLACE)
    gc.collect()


def begun(root: str, give: Callable[[str], None]) -> Alone:
    """The studio of a page; what chance there is, is another one in each."""
    random.seed()
    return Alone(Path(root), give)

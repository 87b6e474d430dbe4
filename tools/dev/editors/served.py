"""How long an editor waits for a server: `python -m tools.dev.editors.pace GAME --served`.

The edits of `pace`, sent to a server in a process of its own.  After some of them the author rests, so that the server looks for all that
lint finds when the next letter comes.  Measured is what a clock shows from the edit until names and types are known of the text with it.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient

RESTS_AFTER, REST = 5, 0.8  # so many edits, and seconds: the server begins its thorough look before they are over
PATIENCE = 120.0  # seconds


class Waits:
    """An editor that waits for each answer."""

    def __init__(self, main: Path) -> None:
        self.main, self.text, self.version = main, main.read_text(encoding="utf-8"), 1
        self.client = LanguageClient("pace", "1")
        self.known = asyncio.Condition()
        self.latest = 0  # the version that was spoken of last

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        async def published(params: types.PublishDiagnosticsParams) -> None:
            async with self.known:
                self.latest = max(self.latest, params.version or 0)
                self.known.notify_all()

    async def answered(self) -> None:
        """Wait until something is said of the text as it is."""
        async with self.known:
            await asyncio.wait_for(self.known.wait_for(lambda: self.latest >= self.version), PATIENCE)

    async def opened(self) -> None:
        """Start a server, and open the game."""
        await self.client.start_io(sys.executable, "-m", "rulespec", "lsp")
        await self.client.initialize_async(
            types.InitializeParams(capabilities=types.ClientCapabilities(), process_id=None, root_uri=None)
        )
        self.client.initialized(types.InitializedParams())
        document = types.TextDocumentItem(self.main.as_uri(), types.LanguageKind.Yaml, self.version, self.text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(document))
        await self.answered()

    async def made(self, text: str) -> float:
        """Make the text another one: seconds until it is answered."""
        self.text, self.version = text, self.version + 1
        version = types.VersionedTextDocumentIdentifier(version=self.version, uri=self.main.as_uri())
        whole = types.TextDocumentContentChangeWholeDocument(text=self.text)
        begun = time.perf_counter()
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(version, [whole]))
        await self.answered()
        return time.perf_counter() - begun

    async def closed(self) -> None:
        """End the server."""
        await asyncio.wait_for(self.client.shutdown_async(None), PATIENCE)
        self.client.exit(None)
        await asyncio.wait_for(self.client.stop(), PATIENCE)  # type: ignore[no-untyped-call]


async def waits(main: Path, texts: Iterable[str]) -> list[float]:
    """Seconds until each of some texts of a game's main file, one after another, was answered by a server."""
    editor, found = Waits(main), []
    await editor.opened()
    try:
        for number, text in enumerate(texts, 1):
            found.append(await editor.made(text))
            if number % RESTS_AFTER == 0:
                await asyncio.sleep(REST)
    finally:
        await editor.closed()
    return found

"""An editor for tests: a client that starts `rulespec lsp`, types into files, and hears what is found."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import BaseLanguageClient

from tests.helpers.places import ROOT

GAME = """\
rulespec: 1
id: higher
title: The higher card
players: 2..4
types:
  Suit: [red, blue]
pieces:
  Card:
    fields: {value: 1..6, suit: Suit}
    rows: each(value in 1..6, suit in Suit)
zones:
  deck: {of: Card, order: shuffled, seen by: none, starts with: all}
  hand: {of: Card, per: Player, seen by: owner}
state:
  rounds: 0..9
  per Player:
    coins: 0..20
functions:
  best: {takes: {p: Player}, is: "highest(c.value for c in p.hand)"}
phases:
  game:
    do:
      - {deal: 3, from: deck, to: hand}
      - together: p in players
        do:
          - {choose: card, by: p, from: p.hand, say: Play a card}
      - for: p in players
        do:
          - {reveal: p.card, log: "{p} shows {p.card}"}
      - count_up: 1
      - win: first(most(p in players by p.card.value))
procedures:
  count_up:
    takes: {much: 0..3}
    do:
      - {add: much, to: rounds}
cases:
  each player has three cards:
    expect: [rounds == 0, "size(deck) == 6"]
"""
PATIENCE = 60  # seconds: far more than any answer takes
WATCHES = types.ClientCapabilities(
    workspace=types.WorkspaceClientCapabilities(
        did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
    )
)


class Editor:
    """A client of one server; positions are asked for by a text with `|` where the cursor is."""

    def __init__(self) -> None:
        self.client = BaseLanguageClient("editor", "1")
        self.found: dict[str, list[types.Diagnostic]] = {}
        self.heard = asyncio.Condition()
        self.watched: list[str] = []  # what the server has asked to hear of
        self.told: list[str] = []  # messages
        self.shown: list[str] = []  # files that were opened for the author
        self.texts: dict[Path, str] = {}
        self.versions: dict[Path, int] = {}

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        async def published(params: types.PublishDiagnosticsParams) -> None:
            self.found[params.uri] = list(params.diagnostics)
            async with self.heard:
                self.heard.notify_all()

        @self.client.feature(types.CLIENT_REGISTER_CAPABILITY)
        def registered(params: types.RegistrationParams) -> None:
            self.watched += [one.method for one in params.registrations]

        @self.client.feature(types.WINDOW_SHOW_MESSAGE)
        def shown(params: types.ShowMessageParams) -> None:
            self.told.append(params.message)

        @self.client.feature(types.WINDOW_SHOW_DOCUMENT)
        def opened(params: types.ShowDocumentParams) -> types.ShowDocumentResult:
            self.shown.append(params.uri)
            return types.ShowDocumentResult(success=True)

        @self.client.feature(types.WORKSPACE_APPLY_EDIT)
        def changed(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
            self.apply(params.edit)
            return types.ApplyWorkspaceEditResult(applied=True)

    async def __aenter__(self) -> Editor:
        await self.client.start_io(sys.executable, "-m", "rulespec", "lsp", cwd=str(ROOT))
        await self.client.initialize_async(types.InitializeParams(capabilities=WATCHES, process_id=None, root_uri=None))
        self.client.initialized(types.InitializedParams())
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.wait_for(self.client.shutdown_async(None), PATIENCE)
        self.client.exit(None)
        await asyncio.wait_for(self.client.stop(), PATIENCE)

    # --- texts --------------------------------------------------------------------------------------------------------
    def open(self, file: Path, text: str | None = None) -> None:
        """Open a file, with a text that need not be saved."""
        self.texts[file] = file.read_text(encoding="utf-8") if text is None else text
        self.versions[file] = 1
        document = types.TextDocumentItem(file.as_uri(), types.LanguageKind.Yaml, 1, self.texts[file])
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(document))

    def type(self, file: Path, old: str, new: str) -> None:
        """Replace a text that is there once by another, as an editor does it: only the change is sent."""
        text = self.texts[file]
        assert text.count(old) == 1, (old, text.count(old))
        start = text.index(old)
        self.change(file, start, start + len(old), new)

    def change(self, file: Path, start: int, end: int, new: str) -> None:
        """Write something in place of what stands from one character to another."""
        change = types.TextDocumentContentChangePartial(
            range=types.Range(self.position(file, start), self.position(file, end)), text=new
        )
        self.texts[file] = self.texts[file][:start] + new + self.texts[file][end:]
        self.versions[file] += 1
        version = types.VersionedTextDocumentIdentifier(version=self.versions[file], uri=file.as_uri())
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(version, [change]))

    def changed_on_disk(self, file: Path) -> None:
        """Say that another program has written a file."""
        assert self.watched == [types.WORKSPACE_DID_CHANGE_WATCHED_FILES]
        event = types.FileEvent(file.as_uri(), types.FileChangeType.Changed)
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))

    def close(self, file: Path) -> None:
        """Close a file."""
        del self.texts[file]
        self.client.text_document_did_close(
            types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(file.as_uri()))
        )

    def position(self, file: Path, offset: int) -> types.Position:
        """The position of a character, in UTF-16 code units."""
        before = self.texts[file][:offset]
        line = before.rpartition("\n")[2]
        return types.Position(before.count("\n"), len(line.encode("utf-16-le")) // 2)

    def at(self, file: Path, place: str) -> dict[str, Any]:
        """The arguments of a question about a place: a text of the file that is there once, with `|` for the cursor."""
        text = place.replace("|", "")
        assert self.texts[file].count(text) == 1, (text, self.texts[file].count(text))
        offset = self.texts[file].index(text) + place.index("|")
        return {
            "text_document": types.TextDocumentIdentifier(file.as_uri()),
            "position": self.position(file, offset),
        }

    # --- answers ------------------------------------------------------------------------------------------------------
    async def finds(self, file: Path, wanted: Callable[[list[types.Diagnostic]], bool]) -> list[types.Diagnostic]:
        """Wait until what is found in a file is as wanted."""
        uri = file.as_uri()

        async def waiting() -> list[types.Diagnostic]:
            async with self.heard:
                await self.heard.wait_for(lambda: uri in self.found and wanted(self.found[uri]))
            return self.found[uri]

        try:
            return await asyncio.wait_for(waiting(), PATIENCE)
        except TimeoutError:
            raise AssertionError(f"found in {file.name}: {[one.message for one in self.found.get(uri, ())]}") from None

    async def finds_codes(self, file: Path, *codes: str) -> list[types.Diagnostic]:
        """Wait until just these codes are found in a file."""
        return await self.finds(file, lambda found: sorted(str(one.code) for one in found) == sorted(codes))

    async def run(self, file: Path, title: str, name: str) -> Any:
        """What the line above a name with this title does."""
        document = types.TextDocumentIdentifier(file.as_uri())
        lenses = await self.client.text_document_code_lens_async(types.CodeLensParams(document))
        commands = [lens.command for lens in lenses or () if lens.command is not None]
        command = next(
            one for one in commands if one.title == title and [*(one.arguments or ())] == [file.as_uri(), name]
        )
        return await self.client.workspace_execute_command_async(
            types.ExecuteCommandParams(command.command, command.arguments)
        )

    async def explained(self, file: Path, place: str) -> str:
        """What is said of a place."""
        said = await self.client.text_document_hover_async(types.HoverParams(**self.at(file, place)))
        return "" if said is None else str(getattr(said.contents, "value", said.contents))

    async def completions(self, file: Path, place: str) -> list[str]:
        """What is offered at a place, the nearest first."""
        items = await self.client.text_document_completion_async(types.CompletionParams(**self.at(file, place)))
        assert isinstance(items, list)
        return [item.label for item in sorted(items, key=lambda item: item.sort_text or item.label)]

    def apply(self, edit: types.WorkspaceEdit) -> None:
        """Make the changes that the server proposes in the files that are open; new files are opened."""
        changes = {uri: list(edits) for uri, edits in (edit.changes or {}).items()}
        for change in edit.document_changes or ():
            if isinstance(change, types.CreateFile):
                made = Path(change.uri.removeprefix("file://"))
                made.touch()
                self.open(made)
            elif isinstance(change, types.TextDocumentEdit):
                changes[change.text_document.uri] = [one for one in change.edits if isinstance(one, types.TextEdit)]
        for uri, edits in changes.items():
            file = next(path for path in self.texts if path.as_uri() == uri)
            for one in sorted(edits, key=lambda e: (-e.range.start.line, -e.range.start.character)):
                lines = self.texts[file].split("\n")
                start = offset_in(lines, one.range.start)
                end = offset_in(lines, one.range.end)
                text = self.texts[file]
                self.texts[file] = text[:start] + one.new_text + text[end:]
            self.versions[file] += 1
            version = types.VersionedTextDocumentIdentifier(version=self.versions[file], uri=uri)
            change = types.TextDocumentContentChangeWholeDocument(text=self.texts[file])
            self.client.text_document_did_change(types.DidChangeTextDocumentParams(version, [change]))


def offset_in(lines: list[str], at: types.Position) -> int:
    """The character at a position."""
    before = sum(len(line) + 1 for line in lines[: at.line])
    return before + len(lines[at.line].encode("utf-16-le")[: 2 * at.character].decode("utf-16-le"))

"""The server: what an editor asks, answered from the texts that it has open.

What takes time is done by a thread, in the order in which it is asked for.  Findings come in two steps: those of names and types at
once, all that `rulespec lint` says when the author rests, from another process (`thorough.py`), so that nobody waits for it; what belongs
to an older text is never shown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from rulespec.checker.mentions import Mention
from rulespec.system.version import __version__
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.formatter import formatted
from rulespec.text.quoting import ticked
from rulespec.text.source import Source, Span

from . import complete, findings, hover, names, playing
from .cycles import Cycles
from .places import offset, path_of, position, range_of, uri_of
from .reading import Desk
from .thorough import Looker

if TYPE_CHECKING:
    from ..linting import Found
    from .playing import Ran

SOON, RESTING = 0.05, 0.4  # seconds without a change before names and types are checked, and all the rest
FILES = "**/*.{yaml,yml,csv}"  # of which a game may be made
P = ParamSpec("P")
R = TypeVar("R")


class Server(LanguageServer):
    """A language server for games; one for each editor."""

    def __init__(self, looker: Looker) -> None:
        super().__init__("rulespec", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Incremental)
        self.worker, self.waiting = ThreadPoolExecutor(1), ThreadPoolExecutor(1)
        self.looker, self.cycles = looker, Cycles()
        self.looking: asyncio.Task[None] | None = None
        self.reports: dict[Path, dict[Path, list[types.Diagnostic]]] = {}  # by game and file
        self.thorough: dict[Path, tuple[Desk, asyncio.Future[Found | None]]] = {}  # what lint says of a game, and when
        self.ran: dict[Path, Ran] = {}  # the case of each game that was run last
        self._desk: Desk | None = None

    @property
    def desk(self) -> Desk:
        """What the editor has open now."""
        if self._desk is None:
            opened = ((path_of(uri), document.source) for uri, document in self.workspace.text_documents.items())
            self._desk = Desk({path: text for path, text in opened if path is not None})
        return self._desk

    async def work(self, job: Callable[P, R], *args: P.args, **_: P.kwargs) -> R:
        """The result of a job that takes time."""
        return await asyncio.get_running_loop().run_in_executor(self.worker, job, *args)

    async def lint(self, game: Path, desk: Desk) -> Found | None:
        """All that lint finds in a game; None if the texts change meanwhile.  It is looked for once, whoever asks."""
        if desk is not self._desk:
            return None
        then, found = self.thorough.get(game, (None, None))
        if found is None or then is not desk or (found.done() and (found.exception() or found.result() is None)):
            found = self.looker.coming(self.waiting, game, desk.texts, self.looker.age)
            self.thorough[game] = desk, found
        return await asyncio.shield(found)

    def shutdown(self) -> None:
        """End, and the process that looks."""
        self.looker.close()
        self.cycles.over()
        super().shutdown()  # type: ignore[no-untyped-call]

    def open_text(self, uri: str) -> tuple[Path, Desk, Source]:
        """A file that is open, with all that is.  Raises JsonRpcInvalidParams for any other."""
        file, desk = path_of(uri), self.desk
        if file is None or file not in desk.texts:
            raise JsonRpcInvalidParams(f"{ticked(uri)} is not open")
        return file, desk, Source(str(file), desk.texts[file])

    # --- findings -----------------------------------------------------------------------------------------------------
    def changed(self) -> None:
        """Some text is another one: look at all games that are open, soon."""
        self._desk = None
        self.looker.changed()
        if self.looking is not None:
            self.looking.cancel()
        self.looking = asyncio.get_running_loop().create_task(self.look())

    async def look(self) -> None:
        """Look at all games that are open, first quickly, then thoroughly; end where a text changes meanwhile."""
        await asyncio.sleep(SOON)
        desk = self.desk
        games = await self.work(desk.games)
        for left in self.reports.keys() - set(games):
            self.report(left, {})
        try:
            for game in games:
                reading = await self.work(desk.plain, game)
                self.report(game, findings.by_file(reading.findings, game), desk.opened(game))
        finally:  # where a text changes meanwhile, the reading that is under way goes on to its end
            asyncio.get_running_loop().run_in_executor(self.worker, self.cycles.answered, len(games))
        await asyncio.sleep(RESTING)
        await self.work(self.cycles.rested)
        for game in games:
            found = await self.lint(game, desk)
            if found is not None:
                self.report(game, findings.by_file(found.all(), game), desk.opened(game))

    def report(self, game: Path, found: dict[Path, list[types.Diagnostic]], opened: Iterable[Path] = ()) -> None:
        """Show what is found in the files of a game now; in a file of several games, what is found in any.

        Of files that are `opened` an editor hears in any case: that nothing is wrong in this version.
        """
        before = self.reports.get(game, {})
        self.reports[game] = found
        for file in dict.fromkeys((*before, *found, *opened)):
            together: list[types.Diagnostic] = []
            for report in self.reports.values():
                together += [one for one in report.get(file, ()) if one not in together]
            uri = uri_of(file)
            document = self.workspace.text_documents.get(uri)
            version = None if document is None else document.version
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, together, version))
        if not found:
            del self.reports[game]


# --- texts ------------------------------------------------------------------------------------------------------------
def follow_texts(server: Server) -> None:
    """Texts are opened, changed, saved and closed."""
    for method in (
        types.TEXT_DOCUMENT_DID_OPEN,
        types.TEXT_DOCUMENT_DID_CHANGE,
        types.TEXT_DOCUMENT_DID_SAVE,
        types.TEXT_DOCUMENT_DID_CLOSE,
        types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
    ):

        @server.feature(method)
        async def changed(ls: Server, _params: Any) -> None:
            ls.changed()

    @server.feature(types.INITIALIZED)
    async def watch(ls: Server, _params: types.InitializedParams) -> None:
        """Have a process ready that looks, and ask to be told of files that others change on disk, where the editor can tell."""
        ls.looker.begin()
        workspace = ls.client_capabilities.workspace
        watching = None if workspace is None else workspace.did_change_watched_files
        if watching is not None and watching.dynamic_registration:
            wanted = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(FILES)])
            method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
            await ls.client_register_capability_async(
                types.RegistrationParams([types.Registration("files", method, wanted)])
            )


# --- questions --------------------------------------------------------------------------------------------------------
def tell_names(server: Server) -> None:
    """What names are, where they come from, and which may be written."""

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[".", " ", "(", "{", "-"])
    )
    async def completion(ls: Server, params: types.CompletionParams) -> list[types.CompletionItem]:
        file, desk, source = ls.open_text(params.text_document.uri)
        offers = await ls.work(complete.complete, desk, file, offset(source, params.position))
        # The text with what may be written was read as a game of its own.
        asyncio.get_running_loop().run_in_executor(ls.worker, ls.cycles.answered, 1)
        return [offer.item(params.position) for offer in offers]

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hovered(ls: Server, params: types.HoverParams) -> types.Hover | None:
        file, desk, source = ls.open_text(params.text_document.uri)
        reading = await ls.work(desk.of, file)
        at = offset(source, params.position)
        said = hover.described(reading, file, source, at)
        fact = await ls.work(playing.told_of_fact, desk, file, source, at)
        name = None if reading is None else reading.at(file, at)
        ran = None if reading is None or name is None else ls.ran.get(reading.file)
        more = hover.of_fact(fact[0]) if fact is not None else hover.of_ran(ran, name) if ran and name else ""
        text = "\n\n".join(part for part in (said[0] if said else "", more) if part)
        span = said[1] if said else fact[1] if fact else None
        if not text or span is None:
            return None
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), range_of(span))

    @server.feature(types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpOptions(trigger_characters=["(", ","]))
    async def signature(ls: Server, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        file, desk, source = ls.open_text(params.text_document.uri)
        call = hover.call_at(source.text, offset(source, params.position))
        if call is None:
            return None
        forms = hover.signatures(await ls.work(desk.of, file), call[0])
        shown = [
            types.SignatureInformation(
                form,
                types.MarkupContent(types.MarkupKind.Markdown, doc),
                [types.ParameterInformation(p) for p in takes],
            )
            for form, takes, doc in forms
        ]
        return types.SignatureHelp(shown, active_parameter=call[1]) if shown else None

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def definition(ls: Server, params: types.DefinitionParams) -> types.Location | None:
        file, desk, source = ls.open_text(params.text_document.uri)
        mention = await ls.work(mention_at, desk, file, offset(source, params.position))
        where = None if mention is None else names.declaration(mention, source)
        return None if where is None else findings.location(where)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def references(ls: Server, params: types.ReferenceParams) -> list[types.Location]:
        file, desk, source = ls.open_text(params.text_document.uri)
        mention = await ls.work(mention_at, desk, file, offset(source, params.position))
        if mention is None:
            return []
        found: list[types.Location] = []
        for place in await ls.work(names.uses, desk, mention, file, source):
            there = desk.source(place.file)
            if there is not None:
                found.append(findings.location(Span(there, place.start, place.end)))
        return found

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folds(ls: Server, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        _, _, source = ls.open_text(params.text_document.uri)
        return [types.FoldingRange(first, last) for first, last in await ls.work(names.folds, source)]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def outline(ls: Server, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        _, _, source = ls.open_text(params.text_document.uri)
        return await ls.work(names.outline, source)

    @server.feature(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        types.SemanticTokensLegend(token_types=list(names.TOKENS), token_modifiers=[]),
    )
    async def tokens(ls: Server, params: types.SemanticTokensParams) -> types.SemanticTokens:
        file, desk, _ = ls.open_text(params.text_document.uri)
        reading = await ls.work(desk.of, file)
        return types.SemanticTokens(data=[] if reading is None else names.tokens(reading, file))


def mention_at(desk: Desk, file: Path, at: int) -> Mention | None:
    """The name at a character of a file."""
    reading = desk.of(file)
    return None if reading is None else reading.at(file, at)


# --- changes ----------------------------------------------------------------------------------------------------------
def change_texts(server: Server) -> None:
    """What mends a finding, another name, another layout."""

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
    )
    async def actions(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
        file, desk, _ = ls.open_text(params.text_document.uri)
        game = await ls.work(desk.game_of, file)
        if game is None:
            return []
        found = await ls.lint(game, desk)
        return [] if found is None else list(findings.offered(found, file, params.range))

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare(ls: Server, params: types.PrepareRenameParams) -> types.Range | None:
        file, desk, source = ls.open_text(params.text_document.uri)
        mention = await ls.work(mention_at, desk, file, offset(source, params.position))
        return None if mention is None else range_of(mention.span)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def rename(ls: Server, params: types.RenameParams) -> types.WorkspaceEdit:
        file, desk, source = ls.open_text(params.text_document.uri)
        mention = await ls.work(mention_at, desk, file, offset(source, params.position))
        if mention is None:
            raise JsonRpcInvalidParams("there is no name here that a game declares")
        try:
            edits = await ls.work(names.renamed, desk, mention, params.new_name, file, source)
        except names.Refused as problem:
            raise JsonRpcInvalidParams(str(problem)) from None
        return findings.change(edit for some in edits.values() for edit in some)

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    async def layout(ls: Server, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        _, _, source = ls.open_text(params.text_document.uri)
        text = await ls.work(formatted, source, Diagnostics())
        if text is None or text == source.text:
            return []
        return [types.TextEdit(types.Range(types.Position(0, 0), position(source, len(source.text))), text)]

"""What stands above cases and rules: run this case, show its trace, play from there; which cases cover this, write one for it."""

from __future__ import annotations

import shlex
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from rulespec.text.diagnostics import RulespecError
from rulespec.text.locate import VARIANTS
from rulespec.text.quoting import ticked
from rulespec.text.source import Source

from . import names, playing
from .places import position, range_of, uri_of
from .server import Server

if TYPE_CHECKING:
    from rulespec.text.yaml_tree import ScalarNode

RUN, TRACE, PLAY = "rulespec.runCase", "rulespec.traceCase", "rulespec.playFromCase"
COVER, WRITE = "rulespec.casesThatCover", "rulespec.writeCase"
ABOVE_CASES = (("run", RUN), ("show its trace", TRACE), ("play from its end", PLAY))
ABOVE_RULES = (("cases that cover this", COVER), ("write a case", WRITE))


def play_cases(server: Server) -> None:
    """Cases can be run, looked at and written from where rules and cases stand."""

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def lenses(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
        uri = params.text_document.uri
        _, _, source = ls.open_text(uri)
        found = [lens(uri, key, *own) for key in await ls.work(names.cases_in, source) for own in ABOVE_CASES]
        entries = await ls.work(playing.entries_run, source)
        return [*found, *(lens(uri, key, *own) for key, _ in entries for own in ABOVE_RULES)]

    @server.command(RUN)
    async def run(ls: Server, uri: str, name: str) -> dict[str, Any]:
        return await run_one(ls, uri, name, trace=False)

    @server.command(TRACE)
    async def trace(ls: Server, uri: str, name: str) -> dict[str, Any]:
        said = await run_one(ls, uri, name, trace=True)
        file = Path(tempfile.mkdtemp(prefix="rulespec-")) / f"{name}.trace"
        file.write_text("\n".join(said["trace"]) + "\n", encoding="utf-8")
        ls.window_show_document(types.ShowDocumentParams(uri=uri_of(file), take_focus=False))
        return said

    @server.command(PLAY)
    async def play(ls: Server, uri: str, name: str) -> dict[str, Any]:
        """The command that goes on from the end of a case as it is saved: an editor with a terminal runs it there."""
        file, desk, _ = ls.open_text(uri)
        game = await ls.work(desk.game_of, file)
        words = [] if game is None else ["rulespec", "play", str(desk.base_of(file)), "--case", name]
        if game is not None and game.parent.name == VARIANTS:
            words += ["--variant", str(game)]
        command = shlex.join(words)
        tell(ls, bool(words), command or "no game has this file")
        return {"command": command}

    @server.command(COVER)
    async def cover(ls: Server, uri: str, name: str) -> dict[str, Any]:
        file, desk, source = ls.open_text(uri)
        game, place = await ls.work(desk.game_of, file), await ls.work(playing.place_of, source, name)
        found = [] if game is None or place is None else await ls.work(playing.covering, game, place, desk.texts)
        shown = ", ".join(case.name for case in found)
        tell(ls, bool(found), f"{name}: {shown}" if found else f"no case covers {ticked(name)}")
        return {"cases": [{"name": case.name, "file": case.file, "line": case.line} for case in found]}

    @server.command(WRITE)
    async def write(ls: Server, uri: str, name: str) -> dict[str, Any]:
        from ..casebook.writer import NoCase

        file, desk, source = ls.open_text(uri)
        game, place = await ls.work(desk.game_of, file), await ls.work(playing.place_of, source, name)
        if game is None or place is None:
            tell(ls, False, f"there is no rule {ticked(name)} here")
            return {"written": False}
        try:
            book, text = await ls.work(playing.case_for, game, place, name, desk.texts)
        except (NoCase, RulespecError) as problem:
            tell(ls, False, str(problem))
            return {"written": False}
        before = desk.source(book)
        done = await ls.workspace_apply_edit_async(
            types.ApplyWorkspaceEditParams(edit=whole_text(book, before, text), label=f"A case for {name}")
        )
        return {"written": done.applied, "file": str(book)}


def lens(uri: str, key: ScalarNode, title: str, command: str) -> types.CodeLens:
    """One of the lines above a name."""
    return types.CodeLens(range_of(key.span), types.Command(title, command, arguments=[uri, key.value]))


def tell(ls: Server, good: bool, message: str) -> None:
    """Show a message."""
    kind = types.MessageType.Info if good else types.MessageType.Warning
    ls.window_show_message(types.ShowMessageParams(kind, message))


def whole_text(file: Path, before: Source | None, text: str) -> types.WorkspaceEdit:
    """The change that gives a file another text, and makes the file where there is none."""
    end = types.Position(0, 0) if before is None else position(before, len(before.text))
    edit = types.TextEdit(types.Range(types.Position(0, 0), end), text)
    if before is not None:
        return types.WorkspaceEdit(changes={uri_of(file): [edit]})
    document = types.OptionalVersionedTextDocumentIdentifier(uri=uri_of(file), version=None)
    made = types.CreateFile(uri=uri_of(file), options=types.CreateFileOptions(ignore_if_exists=True))
    return types.WorkspaceEdit(document_changes=[made, types.TextDocumentEdit(document, [edit])])


async def run_one(ls: Server, uri: str, name: str, trace: bool) -> dict[str, Any]:
    """Run a case, show how it went, and keep what everything was then."""
    file, desk, _ = ls.open_text(uri)
    game = await ls.work(desk.game_of, file)
    passed, message = False, "no game has this file"
    lines: list[str] = []
    if game is not None:
        passed, message, lines = await ls.work(playing.run_case, game, name, desk.texts, trace)
        ran = await ls.work(playing.values_after, game, name, desk.texts)
        if ran is not None:
            ls.ran[game] = ran
    tell(ls, passed, f"{name}: {message}")
    return {"passed": passed, "message": message, "trace": lines}

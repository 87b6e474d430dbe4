"""The language server as an editor meets it: a process that is talked to over standard input and output."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the language server is an extra")

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.helpers.editing import GAME, Editor
from tools.dev.editors import pace

# Ten names misspelt: each is cured by what the server offers, and by nothing else.
SLIPS = [
    ("from: deck, to: hand}", "from: dekc, to: hand}"),
    ("of: Card, per: Player", "of: Crad, per: Player"),
    ("reveal: p.card,", "reveal: p.crad,"),
    ("- count_up: 1", "- cuont_up: 1"),
    ("by p.card.value", "by p.card.vlaue"),
    ("to: rounds}", "to: ruonds}"),
    ("for c in p.hand", "for c in p.hnad"),
    ("suit: Suit}", "suit: Siut}"),
    ("order: shuffled", "order: shufled"),
    ("size(deck) == 6", "siez(deck) == 6"),
]


async def repair(folder: Path) -> tuple[int, int, str]:
    """Spoil a game and take every change that is offered until nothing is found: how many slips, how many changes, the text then."""
    file = folder.resolve() / "game.yaml"
    file.write_text(GAME, encoding="utf-8")
    async with Editor() as editor:
        editor.open(file)
        before = [
            one.code
            for one in await editor.finds(file, lambda found: bool(found) and all(one.severity != 1 for one in found))
        ]
        for right, wrong in SLIPS:
            editor.type(file, right, wrong)
        changes = 0
        for _ in range(len(SLIPS)):
            found = await editor.finds(file, bool)
            offered = await editor.client.text_document_code_action_async(
                types.CodeActionParams(
                    types.TextDocumentIdentifier(file.as_uri()),
                    types.Range(types.Position(0, 0), types.Position(999, 0)),
                    types.CodeActionContext(found),
                )
            )
            meant = [one for one in offered or () if isinstance(one, types.CodeAction) and one.is_preferred]
            if not meant:
                break
            edits = [edit for one in meant if one.edit for some in (one.edit.changes or {}).values() for edit in some]
            editor.found.clear()
            editor.apply(types.WorkspaceEdit({file.as_uri(): edits}))
            changes += len(edits)
        await editor.finds_codes(file, *map(str, before))
        assert (await editor.completions(file, "by p.card.|value"))[0] in ("suit", "value")
        return len(SLIPS), changes, editor.texts[file]


def test_a_spoiled_game_is_mended_by_what_the_server_offers(tmp_path: Path) -> None:
    slips, changes, text = asyncio.run(repair(tmp_path))
    assert changes == slips
    assert text == GAME


async def mischief(folder: Path) -> None:
    """Messages that no editor sends."""
    file, stranger = folder.resolve() / "game.yaml", folder.resolve() / "other.txt"
    async with Editor() as editor:
        nowhere = types.TextDocumentIdentifier(file.as_uri())
        for uri in (file.as_uri(), "untitled:1", "file:///%00", "http://x/y", ""):
            with pytest.raises(JsonRpcException):
                await editor.client.text_document_hover_async(
                    types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(0, 0))
                )
        editor.client.text_document_did_close(types.DidCloseTextDocumentParams(nowhere))
        editor.open(stranger, "not: [a game")
        editor.open(file, "rulespec: 1\nid: x\nplayers: [")
        await editor.finds(file, bool)
        far = types.Position(10**6, 10**6)
        for uri in (file.as_uri(), stranger.as_uri()):
            document = types.TextDocumentIdentifier(uri)
            assert await editor.client.text_document_definition_async(types.DefinitionParams(document, far)) is None
            await editor.client.text_document_completion_async(types.CompletionParams(document, far))
        with pytest.raises(JsonRpcException, match="no name here"):
            await editor.client.text_document_rename_async(types.RenameParams(nowhere, types.Position(0, 0), "y"))
        editor.close(file)
        await editor.finds_codes(file)


def test_no_message_stops_the_server(tmp_path: Path) -> None:
    asyncio.run(mischief(tmp_path))


async def running(folder: Path) -> list[Any]:
    """Run a case from its lens, before and after the rules are changed."""
    file = folder.resolve() / "game.yaml"
    results = []
    async with Editor() as editor:
        editor.open(file, GAME)
        file.write_text("", encoding="utf-8")
        for number in ("0", "1"):
            editor.type(file, "[rounds == 0", f"[rounds == {number}")
            results.append(await editor.run(file, "run", "each player has three cards"))
    return results


def test_a_case_is_run_on_what_is_written(tmp_path: Path) -> None:
    first, second = asyncio.run(running(tmp_path))
    assert first["passed"] is True
    assert second["passed"] is False
    assert "rounds" in str(second["message"])


async def elsewhere(folder: Path) -> None:
    """A part of a game that is not open is written by another program."""
    file, part = folder.resolve() / "game.yaml", folder.resolve() / "more.yaml"
    state, rest = GAME[GAME.index("state:") : GAME.index("functions:")], "parts: [more.yaml]\nfunctions:"
    file.write_text(GAME.replace(state, "").replace("functions:", rest), encoding="utf-8")
    part.write_text("part of: higher\n" + state, encoding="utf-8")
    async with Editor() as editor:
        editor.open(file)
        await editor.finds(file, lambda found: bool(found) and all(one.severity != 1 for one in found))
        part.write_text("part of: higher\n" + state.replace("rounds", "turns"), encoding="utf-8")
        editor.found.clear()
        editor.changed_on_disk(part)
        found = await editor.finds(file, bool)
        assert any("`rounds`" in one.message for one in found)


def test_a_file_that_others_write_is_read_again(tmp_path: Path) -> None:
    asyncio.run(elsewhere(tmp_path))


async def typed(folder: Path) -> tuple[int, list[str], list[str]]:
    """Type words anew, letter by letter, and ask things meanwhile: how many edits, what was found before, and after."""
    file = folder.resolve() / "game.yaml"
    done = 0
    async with Editor() as editor:
        editor.open(file, GAME)
        file.write_text("", encoding="utf-8")
        before = [
            str(one.code)
            for one in await editor.finds(file, lambda found: bool(found) and all(one.severity != 1 for one in found))
        ]
        for done, edit in enumerate(pace.edits(GAME), 1):
            editor.change(file, edit.start, edit.end, edit.text)
            if done % 15 == 0:
                document = types.TextDocumentIdentifier(file.as_uri())
                at = editor.position(file, edit.start)
                await editor.client.text_document_hover_async(types.HoverParams(document, at))
                await editor.client.text_document_completion_async(types.CompletionParams(document, at))
                await editor.client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
                await editor.client.text_document_folding_range_async(types.FoldingRangeParams(document))
        assert editor.texts[file] == GAME
        editor.found.clear()
        return done, before, [str(one.code) for one in await editor.finds_codes(file, *before)]


def test_three_hundred_edits_are_followed(tmp_path: Path) -> None:
    done, before, after = asyncio.run(typed(tmp_path))
    assert done >= 300
    assert sorted(after) == sorted(before)


def test_the_pace_is_measured_on_edits_that_undo_themselves(capsys: pytest.CaptureFixture[str]) -> None:
    text = GAME
    for edit in pace.edits(GAME, 50):
        text = edit.of(text)
    assert text == GAME
    assert pace.main(["tic_tac_toe", "--edits", "6"]) == 0
    assert "95 of 100 within" in capsys.readouterr().out
    assert pace.main(["no_such_game"]) == 2

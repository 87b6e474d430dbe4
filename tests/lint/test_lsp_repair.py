"""A spoiled game with parts, a table, a variant and cases is brought back to green by messages of the protocol alone."""

from __future__ import annotations

import asyncio
import re
import shutil
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the language server is an extra")

from lsprotocol import types

from tests.helpers.editing import Editor
from tests.helpers.places import ROOT

GAME = ROOT / "games" / "hobbit_card_game"
MAIN, PART, TABLE = "game.yaml", "assigning.yaml", "cards.csv"
VARIANT, CASES = "variants/open_hands.yaml", "cases/tricks.yaml"
CASE = "the_example_of_winning_a_trick"
ALL = types.Range(types.Position(0, 0), types.Position(9999, 0))
# What a code action mends: a section, a member, a word, quotes around a list, a call of a programming language, a verb, a header and a
# cell of a table, a path of a variant, a key of a case.
SLIPS = [
    (MAIN, "tables:\n", "tabels:\n"),
    (MAIN, "where c.colour == purple)", "where c.colour == purpel)"),
    (MAIN, "of: Card, order: shuffled, seen by: none", "of: Card, order: shufled, seen by: none"),
    (MAIN, "Symbol: [star, helmet, pipe, blank]", 'Symbol: "[star, helmet, pipe, blank]"'),
    (PART, "- assign_to_himself: bilbo", "- assign_to_himself(bilbo)"),
    (PART, "- assign_at_random: clockwise_from", "- asign_at_random: clockwise_from"),
    (TABLE, "id,name,colour,value,", "id,name,colur,value,"),
    (TABLE, "5 (helmet),yellow,5,helmet,found", "5 (helmet),yelow,5,helmet,found"),
    (VARIANT, "zones.hand.seen by", "zones.hnad.seen by"),
    (CASES, "      - refuse: {p2: blue_1}", "      - refsue: {p2: blue_1}"),
]
# What is no finding: an answer that was not offered, which completion knows, and a value that it has not, which the pointer shows.
ANSWER = (
    "      - p1: yellow_6\n      - expect: [led == yellow]",
    "      - p1: yellow_7\n      - expect: [led == yellow]",
)
FACT = (
    "          - leader == p4\n          - winning_side == good",
    "          - leader == p2\n          - winning_side == good",
)


async def preferred(editor: Editor, file: Path) -> list[types.TextEdit]:
    """What the server would change in a file."""
    document = types.TextDocumentIdentifier(file.as_uri())
    offered = await editor.client.text_document_code_action_async(
        types.CodeActionParams(document, ALL, types.CodeActionContext([]))
    )
    actions = [one for one in offered or () if isinstance(one, types.CodeAction) and one.is_preferred and one.edit]
    return [edit for one in actions if one.edit for edit in (one.edit.changes or {}).get(file.as_uri(), ())]


async def mended(editor: Editor, files: list[Path]) -> int:
    """Take every change that is offered, until none is left; how many there were."""
    taken = 0
    for _ in range(2 * len(SLIPS)):
        edits = {file.as_uri(): found for file in files if (found := await preferred(editor, file))}
        if not edits:
            break
        editor.apply(types.WorkspaceEdit(edits))
        taken += sum(map(len, edits.values()))
    return taken


async def repaired(folder: Path) -> tuple[int, list[str], dict[str, str]]:
    """Spoil the game, and bring it back: how many changes were taken, what running the case said, the texts then."""
    shutil.copytree(GAME, folder, ignore=shutil.ignore_patterns("*.svg", "*.json", "studies"))
    files = {name: (folder / name).resolve() for name in (MAIN, PART, TABLE, VARIANT, CASES)}
    said: list[str] = []
    async with Editor() as editor:
        for file in files.values():
            editor.open(file)
        for name, right, wrong in [*SLIPS, (CASES, *ANSWER), (CASES, *FACT)]:
            editor.type(files[name], right, wrong)
        assert await editor.finds(files[MAIN], bool)
        taken = await mended(editor, list(files.values()))
        for file in files.values():
            if file.as_uri() in editor.found:
                await editor.finds(file, lambda found: all(one.severity != 1 for one in found))
        cases = files[CASES]
        said.append((await editor.run(cases, "run", CASE))["message"])
        head, now, rest = "      - p1: ", "yellow_7", "\n      - expect: [led"
        for offer in (await editor.completions(cases, f"{head}|{now}{rest}"))[:9]:
            editor.type(cases, f"{head}{now}{rest}", f"{head}{offer}{rest}")
            now = offer
            said.append((await editor.run(cases, "run", CASE))["message"])
            if "leader" in said[-1]:
                break
        shown = await editor.explained(cases, "          - lea|der == p2\n          - winning_side")
        found = re.search(r"`leader` is `(\w+)`", shown)
        assert found is not None, shown
        editor.type(cases, FACT[1], FACT[1].replace("p2", found[1]))
        said.append((await editor.run(cases, "run", CASE))["message"])
        return taken, said, {name: editor.texts[file] for name, file in files.items()}


def test_a_spoiled_game_is_brought_back_by_messages_alone(tmp_path: Path) -> None:
    taken, said, texts = asyncio.run(repaired(tmp_path / "game"))
    assert taken == len(SLIPS)
    assert "cannot answer `yellow_7`" in said[0]
    assert "leader is p4" in said[-2]
    assert said[-1] == "passed"
    assert texts == {name: (GAME / name).read_text(encoding="utf-8") for name in texts}

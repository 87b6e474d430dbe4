"""`rulespec ir` and `rulespec python`: a program and its generated code, with the lines of the rules beside them.

What they print of a small game is kept in tests/golden; RULESPEC_GOLDEN=write writes it anew.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from interpreter import Game
from interpreter.python.library import Library
from interpreter.python.listing import listing
from rulespec import ir
from tests.helpers.commands import run
from tests.helpers.games import loaded
from tests.helpers.goldens import golden
from tests.helpers.places import GAMES, ROOT

GOLDEN = ROOT / "tests/golden"
SMALL = [folder for folder in GAMES if len(list(folder.glob("*.yaml"))) == 1]


def unnumbered(definition: ast.FunctionDef) -> str:
    """A function's text without the numbers of its temporary names and helpers, which count all that was written before."""
    return re.sub(r"\b(t|k|w|h|x|kept)\d+\b", r"\1", ast.unparse(definition))


def comments(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.lstrip().startswith("#")]


def test_the_program_of_a_small_game(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "ir", "tic_tac_toe")
    assert (code, err) == (0, "")
    assert out == golden(GOLDEN / "ir.txt", out)


def test_the_python_of_a_small_game(capsys: pytest.CaptureFixture[str]) -> None:
    """Its meaning and its comments; each version of Python sets brackets in its own way."""
    code, out, err = run(capsys, "python", "tic_tac_toe")
    assert (code, err) == (0, "")
    before = golden(GOLDEN / "python.txt", out)
    assert ast.dump(ast.parse(out)) == ast.dump(ast.parse(before))
    assert comments(out) == comments(before)


@pytest.mark.parametrize("folder", SMALL, ids=[folder.name for folder in SMALL])
def test_every_instruction_stands_below_its_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = Game(loaded(folder))
    _, out, _ = run(capsys, "ir", folder.name)
    below: list[tuple[int, int]] = []
    line = 0
    for text in out.split("\n"):
        if match := re.match(r"      # game\.yaml:(\d+)  ", text):
            line = int(match[1])
        elif match := re.match(r" +(\d+)  ", text):
            below.append((int(match[1]), line))
    instructions = [
        (position, i.where) for procedure in game.program.procedures for position, i in enumerate(procedure.code)
    ]
    assert len(below) == len(instructions)
    for (position, where), printed in zip(instructions, below, strict=True):
        assert printed == (position, printed[1] if where is None else where.line)


@pytest.mark.parametrize("folder", SMALL, ids=[folder.name for folder in SMALL])
def test_the_python_is_what_runs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Functions are the same trees that are compiled for play, and nothing that they call is left out."""
    game = Game(loaded(folder))
    program = game.program
    library = Library(
        program, game.bodies
    )  # of its own: what others have had written before gives helpers other numbers
    _, out, _ = run(capsys, "python", folder.name)
    printed = {node.name: node for node in ast.parse(out).body if isinstance(node, ast.FunctionDef)}
    code = list(listing(library, range(len(program.procedures)), range(len(program.functions))))
    assert [listed.title for listed in code] == list(printed)
    for title, definition in printed.items():
        if title[0] not in "kwh":  # helpers get other numbers whenever they are written
            assert unnumbered(definition) == unnumbered(library.write(title)), title
    called = {n.id for node in printed.values() for n in ast.walk(node) if isinstance(n, ast.Name)}
    assert {name for name in called if re.fullmatch(r"[pfwok]\d+", name)} <= printed.keys()


def test_parts(capsys: pytest.CaptureFixture[str]) -> None:
    everything = run(capsys, "ir", "hobbit_card_game")[1]
    names = re.findall(r'(?m)^procedure \d+ "([^"]+)"', everything)
    _, out, _ = run(capsys, "ir", "hobbit_card_game", "--procedure", names[0], "--procedure", names[1])
    assert re.findall(r'(?m)^procedure \d+ "([^"]+)"', out) == names[:2] and "\nfunction " not in out
    assert set(out.split("\n")) <= set(everything.split("\n"))
    function = re.findall(r'(?m)^function (\d+) "([^"]+)"', everything)[3]
    _, out, _ = run(capsys, "python", "hobbit_card_game", "--function", function[1])
    assert f"\n# function {function[0]} `{function[1]}`\ndef f{function[0]}(S" in out and "\ndef p" not in out


def test_misspelt_parts(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("ir", "python"):
        code, out, err = run(capsys, command, "tic_tac_toe", "--procedure", "gam")
        assert (code, out) == (2, "") and "no procedure is called `gam`" in err and "did you mean `game`?" in err
        code, _, err = run(capsys, command, "tic_tac_toe", "--function", "zzzzzz")
        assert code == 2 and "there are `has_line`" in err


def test_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(run(capsys, "ir", "kuhn_poker", "--players", "3", "--json")[1])
    program = Game(loaded("kuhn_poker"), players=3).program
    assert (data["game"], data["players"]) == (program.id, 3)
    assert [part["name"] for part in data["procedures"]] == [procedure.name for procedure in program.procedures]
    for part, procedure in zip(data["procedures"], program.procedures, strict=True):
        assert [i["op"] for i in part["code"]] == [type(i).__name__ for i in procedure.code]
        assert [i["line"] for i in part["code"]] == [None if i.where is None else i.where.line for i in procedure.code]
        for i, entry in zip(procedure.code, part["code"], strict=True):
            assert (entry["keeps"] is not None) == isinstance(
                i, ir.Ask | ir.Draw | ir.Call | ir.CallRule | ir.NextRule | ir.Fork
            )


def test_variants_become_other_programs(capsys: pytest.CaptureFixture[str]) -> None:
    plain, other = run(capsys, "ir", "tic_tac_toe")[1], run(capsys, "ir", "tic_tac_toe", "--variant", "misere")[1]
    assert other != plain and "procedure 0" in other

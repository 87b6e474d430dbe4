"""What instructions do by the roles of their fields, and by what is written here by hand."""

from __future__ import annotations

from dataclasses import fields
from typing import get_args

import pytest

from rulespec import ir
from rulespec.api import load
from rulespec.ir.flow import edges
from rulespec.ir.reads import numbers, read_by, read_while_waiting, reads
from rulespec.ir.roles import ROLES, SCOPES, binds, goal_of, run_by, set_by, site_of, target_of, zones_of
from rulespec.lint.procedure_summaries import Summaries
from tests.helpers.places import ROOT


def local(k: int) -> ir.Local:
    return ir.Local(k)


TEXT = ir.Text(("a ", (local(9), ir.types.INT)))
# An instruction, the locals that it writes, those that it reads, those that it reads while it waits, and where control may go from 5.
CASES = [
    (ir.Let(3, local(4)), [3], [4], [], [6]),
    (ir.Store(10, local(1), 5, local(2), None, None, False, "x"), [], [1, 2], [], [6]),
    (ir.Jump(9), [], [], [], [9]),
    (ir.Unless(local(1), 9), [], [1], [], [6, 9]),
    (ir.Next(2, 9), [3, 4], [2, 3], [], [6, 9]),
    (ir.Call(0, (local(1), local(2)), 3), [3], [1, 2], [], [6]),
    (ir.Return(local(1)), [], [1], [], []),
    (ir.Draw(local(1), local(2), 3, ir.types.INT, "die"), [3], [1, 2], [1, 2], [6]),
    (ir.Move(local(1), 0, local(2)), [], [1, 2], [], [6]),
    (ir.MoveCounts(local(1), 0, local(2), 1, local(3)), [], [1, 2, 3], [], [6]),
    (ir.Learn(local(1), 0, local(2)), [], [1, 2], [], [6]),
    (ir.Say(TEXT, local(1)), [], [1, 9], [], [6]),
    (ir.Claim(local(1), TEXT), [], [1, 9], [], [6]),
    (ir.Fork(local(1), 0, (local(2),), 3), [3], [1, 2], [], [6]),
    (ir.Collect((), (local(1),), local(2), 3), [3], [1, 2], [], [6]),
    (ir.NextRule(3, (local(1),), 9, None), [3, 4], [1, 3], [1, 3], [6, 9]),
    (ir.CallRule((local(1),), 4), [4], [1, 3], [3], [6]),
    (ir.Enter(10, 12, (0, 0), 3), [3], [], [], [6]),
    (ir.Leave(10, 3), [], [3], [], [6]),
    (ir.Unwind(7), [], [], [], []),
    (ir.Resume(3), [], [3], [], [6]),
    (ir.Begin(0, (local(1),), None), [], [1], [], [6]),
    (ir.Cease(0, None, (local(1),), 3), [3], [1], [], [6]),
    (ir.Reset(10, 12), [], [], [], [6]),
    (ir.Finish(local(1)), [], [1], [], []),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: type(case[0]).__name__)
def test_locals_and_ways(case) -> None:
    i, written, read, waiting, ways = case
    procedure = ir.Procedure("p", 0, (), (i,) * 10)
    assert numbers(set_by(i)) == written
    assert numbers(read_by(i, ())) == read
    assert numbers(read_while_waiting(i, ())) == waiting
    assert [target for target, _ in edges(procedure, 5)] == ways


def test_each_instruction_says_what_its_fields_are() -> None:
    """With names of its own fields; `Ask` is left to the games, which have sites."""
    assert set(get_args(ir.Instruction)) == set(ROLES) == {type(case[0]) for case in CASES} | {ir.Ask}
    for cls, roles in ROLES.items():
        names = {field.name for field in fields(cls)}
        said = {name for name, _ in (*roles.gives, *roles.takes)} | set(roles.waiting)
        said |= {roles.site, roles.target, roles.runs, roles.source, roles.goal, roles.depth} - {None}
        assert said <= names


def test_zones_questions_and_procedures() -> None:
    moved = ir.MoveCounts(local(1), 4, None, 6, None)
    assert (zones_of(moved), goal_of(moved)) == ([4, 6], 6)
    gone = ir.MoveCounts(local(1), 4, None, None, None)
    assert (zones_of(gone), goal_of(gone)) == ([4], None)
    assert (site_of(ir.Ask(2, 0)), site_of(ir.NextRule(0, (), 1, 3)), site_of(ir.Jump(1))) == (2, 3, None)
    assert (run_by(ir.Call(5, (), 0)), run_by(ir.Fork(local(0), 6, (), 0)), run_by(ir.Jump(1))) == (5, 6, None)
    assert (target_of(ir.Next(0, 8)), target_of(ir.Unwind(3))) == (8, None)


def test_a_move_changes_what_is_known_and_a_reset_all_its_counters() -> None:
    program = load("hobbit_card_game").program()
    ways = Summaries(program)
    moves = [i for p in program.procedures for i in p.code if isinstance(i, ir.Move)]
    assert moves and all(ir.KNOWN in ways.written(i) for i in moves)
    assert set(ways.written(ir.Reset(20, 23))) == {20, 21, 22}


def test_few_files_know_every_instruction() -> None:
    """Those that must do something with a new one; whoever asks the same of all of them reads roles."""
    files = [path for folder in ("rulespec", "interpreter") for path in (ROOT / folder).rglob("*.py")]
    knowing = {path.relative_to(ROOT).as_posix() for path in files if "assert_never(i)" in path.read_text("utf-8")}
    assert len(knowing) <= 7, knowing


L = [ir.Local(n) for n in range(9)]
SCOPED = [  # an expression, the locals that it binds, and those that it reads and does not bind
    (ir.Bind(0, L[0], L[0]), {0}, {0}),
    (ir.Bind(0, L[1], ir.Op("add", (L[0], L[2]))), {0}, {1, 2}),
    (ir.Comp(0, L[0], L[0], L[1], L[2]), {0}, {0, 1, 2}),
    (ir.Fold(0, L[0], 1, L[1], ir.Op("add", (L[0], L[1]))), {0, 1}, {0, 1}),
    (ir.Fold(0, L[2], 1, L[3], ir.Op("add", (L[0], L[1]))), {0, 1}, {2, 3}),
    (ir.Completable(L[1], L[2], L[3], L[4], 0, L[0]), {0}, {1, 2, 3, 4}),
    (ir.Completable(L[0], L[2], L[3], L[4], 0, None), {0}, {0, 2, 3, 4}),
    (ir.Once(0, L[0]), {0}, {0}),
    (ir.After(0, (L[1], L[2]), L[3]), set(), {1, 2, 3}),
    (ir.Cond(L[1], L[2], ir.Load(0, L[3])), set(), {1, 2, 3}),
]


@pytest.mark.parametrize(("e", "bound", "read"), SCOPED, ids=[type(case[0]).__name__ for case in SCOPED])
def test_scopes(e: ir.Expr, bound: set[int], read: set[int]) -> None:
    assert set(numbers(binds(e))) == bound and set(numbers(reads(e))) == read


def test_each_expression_that_binds_is_tested() -> None:
    assert set(SCOPES) == {type(e) for e, bound, _ in SCOPED if bound}

"""The types of a program: whatever is put into a local, slot, parameter or result in play is of the type of that place."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from interpreter.runtime.faults import Fault
from rulespec import ir
from rulespec.ir import types
from rulespec.ir.flow import edges, leaving_procedures
from rulespec.ir.inhabits import Values
from tests.helpers.games import ALL, Dice, fewest_and_most, loaded, random_step
from tests.helpers.places import GAMES, PLAY
from tests.helpers.programs import Build
from tests.helpers.typed import Mistyped, typed_game

# Of a game that is tried; of those in which each takes long fewer, and all by `make equality`.
DECISIONS = 120
FEW = {} if ALL else {"chess": 40}


def untyped(t: ir.Type) -> bool:
    """Whether a part of a type is not known."""
    return t.what == "any" or any(map(untyped, t.parts))


def play(program: ir.Program, seed: int) -> None:
    """A random game, at least its beginning, where everything is checked; raises Mistyped."""
    game = typed_game(program)
    dice = Dice(seed)
    try:
        state = game.new_state(seed=seed)
        for _ in range(FEW.get(program.id, DECISIONS)):
            if state.is_terminal():
                break
            state.apply_action(*random_step(state, dice))
    except Fault:
        pass  # of a game that is made to have some


@pytest.mark.parametrize(("name", "players"), fewest_and_most())
def test_values_are_of_their_types(name: str, players: int) -> None:
    for seed, optimise in ((1, True), (2, False)):
        play(loaded(name).program(players=players, optimise=optimise), seed)


@pytest.mark.parametrize("path", PLAY, ids=lambda path: path.stem)
def test_values_are_of_their_types_in_games_of_every_construct(path: Path) -> None:
    for seed, optimise in ((1, True), (2, True), (3, False)):
        play(loaded(path).program(optimise=optimise), seed)


@pytest.mark.parametrize("path", [*GAMES, *PLAY], ids=str)
def test_what_frames_keep_has_a_type(path: Path) -> None:
    checked = loaded(path)
    for players in checked.players:
        program = checked.program(players=players)
        kept = [(point.procedure, k) for point in program.points for k in point.kept]
        assert [place for place in kept if untyped(program.procedures[place[0]].locals[place[1]])] == []
        results = [code.name for code in (*program.procedures, *program.functions) if untyped(code.result)]
        assert results == []


def test_a_value_of_another_type_is_noticed() -> None:
    program = loaded("connect_four").program()
    procedures = tuple(
        replace(procedure, locals=tuple(types.BOOL for _ in procedure.locals)) for procedure in program.procedures
    )
    with pytest.raises(Mistyped, match="is no bool"):
        play(replace(program, procedures=procedures), 1)


def small() -> ir.Program:
    """A program with players, three cards, a rule that lasts, one that cards carry, and one of nobody."""
    build = Build(players=2)
    build.pieces("Card", ("red", "green", "blue"))
    build.variable("score", 0)
    rule = ir.Rule(0, "curse", "lasting", (), 0, None, None, None, 0, 0, arguments=(types.entity(0), types.INT))
    build.rules = [
        rule,
        replace(rule, index=1, source="pieces", pieces=(0, 2), lasting=None, kind=1, arguments=()),
        replace(rule, index=2, source="plain", lasting=None, arguments=()),
    ]
    build.procedure("main", 0, ir.Return())
    return replace(build.program(), printers=(types.entity(0),))


PLAYER, CARD = types.entity(0), types.entity(1)
VALUES: list[tuple[ir.Type, list[Any], list[Any]]] = [  # a type, values that it has, values that it has not
    (types.BOOL, [True, False], [0, 1, None]),
    (types.INT, [0, -5, 2**62], [True, None, 2**63, -(2**63), "1", (1,)]),
    (types.number(1, 6), [1, 6], [0, 7]),
    (CARD, [0, 2], [3, -1, True, None]),
    (types.set_of(CARD, 3), [(), (0, 2)], [(2, 0), (1, 1), (3,), [0], None]),
    (types.list_of(CARD), [(), (2, 0, 2)], [(3,), 1]),
    (types.list_of(types.INT, 2), [(1, 1)], [(1, 1, 1)]),
    (types.bag(1), [(0, 4, 0)], [(0, 4), (0, -1, 0), ()]),
    (types.option(CARD), [None, 1], [3]),
    (ir.Type("record", parts=(PLAYER, CARD), names=("who", "what")), [(1, 2)], [(2, 1), (1,), (1, 2, 0)]),
    (types.pack(types.BOOL), [(True,)], [True, (1,)]),
    (types.TEXT, ["ab", ("to rob ", (0, 1))], [None, (), ((0, 9),), ((1, 0),), (3,)]),
    (types.NONE, [None], [0, ()]),
    (types.TARGET, [None, 1], [2, -1]),
    (types.entry((0, 1, 2)), [(0, (1, 7)), (1, (2,)), (2, ())], [(0, (1,)), (1, (3,)), (2, (0,)), (0, None), 0]),
    (types.entry((1,)), [(1, (0,))], [(2, ()), (True, (0,)), (-1, ())]),
    (types.choice(2, (0, 1, 2)), [0, 1, (0, (1, 7)), (1, 2), (2, None)], [2, (1, (2,)), (2, 0), (3, None), None]),
]


@pytest.mark.parametrize(
    ("t", "values", "others"), VALUES, ids=lambda part: part.what if isinstance(part, ir.Type) else ""
)
def test_which_values_a_type_has(t: ir.Type, values: list[Any], others: list[Any]) -> None:
    types_of = Values(small())
    assert [value for value in values if not types_of.has(t, value)] == []
    assert [value for value in others if types_of.has(t, value)] == []


def test_slots_put_aside_are_of_their_types() -> None:
    program = small()
    values = Values(program)
    low = ir.SYSTEM_SLOTS
    assert values.slots[low:] == (*[types.number(-1, len(program.initial) - 1)] * 3, types.INT)
    assert values.has(types.aside(low, low + 4), (-1, -1, 0, 9))
    assert not values.has(types.aside(low, low + 4), (-1, -2, 0, 9))


def test_a_piece_may_carry_a_rule_only_if_it_is_one_that_does() -> None:
    assert not Values(small()).has(types.entry((1,)), (1, (1,)))


def set_before(procedure: ir.Procedure, leaving: frozenset[int]) -> dict[int, int]:
    """The locals (bits) that are set on every way to each position that control may come to."""
    before = {0: (1 << procedure.parameters) - 1}
    todo = [0]
    while todo:
        at = todo.pop()
        for target, written in edges(procedure, at, leaving) if at < len(procedure.code) else ():
            known = (before[at] | written) & before.get(target, -1)
            if before.get(target) != known:
                before[target] = known
                todo.append(target)
    return before


@pytest.mark.parametrize("path", [*GAMES, *PLAY], ids=str)
def test_what_frames_keep_has_been_set(path: Path) -> None:
    """A frame holds no value that is not of its local's type, such as None for one that was never set."""
    for optimise in (True, False):
        program = loaded(path).program(optimise=optimise)
        leaving = leaving_procedures(program)
        for point in program.points:
            known = set_before(program.procedures[point.procedure], leaving).get(point.position, -1)
            assert [k for k in point.kept if not known >> k & 1] == [], (point.procedure, point.position)

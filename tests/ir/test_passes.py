"""Passes: each by examples of programs before and after, and all together by what games do with and without them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter.testing.cases import run_cases
from rulespec import ir
from rulespec.cases.compiler import load_cases
from rulespec.checker import assemble as making
from rulespec.ir.flow import live_before
from rulespec.ir.show import show
from rulespec.ir.walk import within
from rulespec.passes.calls import empty_calls
from rulespec.passes.checks import checks
from rulespec.passes.constants import constants
from rulespec.passes.fold import fold
from rulespec.passes.invariants import invariants
from rulespec.passes.jumps import jumps
from rulespec.passes.liveness import alive_across, liveness, waits
from rulespec.passes.members import members
from rulespec.passes.pipeline import optimise
from rulespec.passes.ranges import ranges
from rulespec.passes.regions import regions
from rulespec.passes.rewrite import rewrite
from rulespec.passes.silent import silent_windows
from rulespec.passes.special import special
from rulespec.passes.tables import tables
from rulespec.passes.unread import unread
from tests.helpers.assembler import assemble
from tests.helpers.games import ALL, Dice, loaded, random_step
from tests.helpers.places import GAMES, PLAY, ROOT
from tests.helpers.programs import Build, c, finish, op, x

# Decisions of a game of which each takes a program without passes long; of the others, and in `make equality`, all.
FEW = {"chess": 12} if ALL else {"chess": 8, "draughts": 25, "five_armies": 40, "flying_kings": 12, "othello": 30}
SMALLER = {
    "game_of_go": {"size": 5}
}  # of a larger board a question takes more steps of work without passes than a decision may
LARGE = 10_000  # expressions of a program of which each is long to make
EXAMPLES = ROOT / "tests" / "passes"
PASSES: dict[str, Callable[[ir.Program], ir.Program]] = {
    "calls": empty_calls, "checks": checks, "constants": constants, "fold": fold, "inline": fold, "invariants": invariants, "jumps": jumps,
    "liveness": liveness, "members": members,
    "pipeline": optimise, "ranges": ranges, "regions": regions, "silent": silent_windows, "special": special, "tables": tables,
    "unread": unread,
}  # fmt: skip


def examples() -> list[Any]:
    """(pass, before, after) of every example: a title, the program before, `becomes`, the program after."""
    found = []
    for file in sorted(EXAMPLES.glob("*.txt")):
        for title, text in re.findall(r"(?m)^# (.*)\n((?:(?!# ).*\n?)*)", file.read_text(encoding="utf-8")):
            before, _, after = text.partition("becomes\n")
            found.append(pytest.param(file.stem, before, after.strip(), id=f"{file.stem}: {title}"))
    return found


def shown(program: ir.Program) -> str:
    """A program as text; behind each instruction the position at which it stood before."""
    return re.sub(r"@(\d+)", lambda place: f"@{int(place[1]) - 1}", show(program, places=True)).strip()


def test_every_pass_has_examples() -> None:
    assert {file.stem for file in EXAMPLES.glob("*.txt")} == PASSES.keys()


@pytest.mark.parametrize(("name", "before", "after"), examples())
def test_examples(name: str, before: str, after: str) -> None:
    program = assemble(before)
    assert show(program) == before.strip() + "\n"
    assert shown(PASSES[name](program)) == after


@pytest.mark.parametrize(
    ("name", "before"), [pytest.param(*example.values[:2], id=example.id) for example in examples()]
)
def test_a_pass_has_nothing_to_do_on_what_it_made(name: str, before: str) -> None:
    made = PASSES[name](assemble(before))
    assert show(PASSES[name](made)) == show(made)


# --- whole games ------------------------------------------------------------------------------------------------------
@contextmanager
def only(pipeline: Callable[[ir.Program], ir.Program]) -> Iterator[None]:
    """Games that are loaded meanwhile are made with other passes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(making, "optimise", pipeline)
        yield


@cache
def pair(source: Path, players: int) -> tuple[ir.Program, ir.Program]:
    """The program of a game without passes and with them; without, frames still have to keep something."""
    game, options = loaded(source), SMALLER.get(source.stem)
    plain = game.program(players=players, options=options, optimise=False)
    return plain, game.program(players=players, options=options)


SOURCES = [*GAMES, *PLAY]


@pytest.mark.parametrize("source", PLAY, ids=lambda f: f.stem)
def test_cases_pass_without_passes(source: Path) -> None:
    """The cases of constructs; those of the shipped games are played without passes where coverage is measured."""
    with only(liveness):
        suite, diagnostics = load_cases(source)
        assert suite is not None, "\n".join(map(str, diagnostics))
        assert suite.cases
        assert [
            f"{case.name}: {case.message}" for case in run_cases(suite, backend="reference") if not case.passed
        ] == []


def advance(state: interpreter.State, action: int, seat: int | None) -> Any:
    """Answer; what the fault says if there is one."""
    try:
        state.apply_action(action, seat)
    except interpreter.Fault as fault:
        stack = [(caller.what, caller.name, caller.span and caller.span.label()) for caller in fault.stack]
        return str(fault.diagnostic), str(fault), stack
    return None


def shown_by(state: interpreter.State) -> Any:
    """All that a position shows, apart from its frames."""
    return (
        state.slots[1:],
        state.pending_players(),
        state.chance_outcomes(),
        state.returns(),
        [state.decision(seat) for seat in state.pending_players()],
    )


def most_decisions(state: interpreter.State) -> int:
    """How far a game is compared: to its end, but for those that play slowly without passes."""
    return FEW.get(state.game.id, 100_000)


def told_by(state: interpreter.State) -> Any:
    """All that a position tells of how it came about."""
    return list(state.answers()), [state.log_lines(seat) for seat in (None, *range(state.game.num_players))]


def numbers(source: Path, chance: str) -> Iterable[int]:
    """With how many players a game is compared: of a shipped game with the fewest where chance is played, with the most otherwise."""
    every = loaded(source).players
    return every if ALL or source in PLAY else [every[0] if chance == "explicit" else every[-1]]


@pytest.mark.parametrize("chance", ["explicit", "seeded"])
@pytest.mark.parametrize("source", SOURCES, ids=lambda f: f.stem)
def test_games_go_the_same_way_with_passes_and_without(source: Path, chance: str) -> None:
    for players in numbers(source, chance):
        plain, made = (interpreter.Game.from_program(p, backend="reference") for p in pair(source, players))
        for seed in range(2 if source in PLAY else 1):
            own: dict[str, Any] = {"chance": "explicit"} if chance == "explicit" else {"seed": seed}
            one, other, dice, faults = plain.new_state(**own), made.new_state(**own), Dice(seed), (None, None)
            for _ in range(most_decisions(one)):
                if faults != (None, None) or one.is_terminal():
                    break
                assert shown_by(one) == shown_by(other)
                step = random_step(one, dice)
                faults = advance(one, *step), advance(other, *step)
            assert faults[0] == faults[1]
            assert shown_by(one) == shown_by(other) and told_by(one) == told_by(other)


# --- properties of programs ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("source", SOURCES, ids=lambda f: f.stem)
def test_a_frame_keeps_all_that_is_read(source: Path) -> None:
    """Nothing is read that a frame could not keep, and nothing before it is written."""
    for players in loaded(source).players:
        for program in pair(source, players):
            for number, procedure in enumerate(program.procedures):
                before = live_before(procedure, program.sites)
                assert before[0] < 1 << procedure.parameters, procedure.name
                for position, i in enumerate(procedure.code):
                    if waits(i):
                        point = program.points[program.point_of[number, position]]
                        assert alive_across(procedure, position, before, program.sites) < 1 << point.live


@pytest.mark.parametrize("source", SOURCES, ids=lambda f: f.stem)
def test_what_is_shown_of_a_program_is_all_of_it(source: Path) -> None:
    for program in pair(source, loaded(source).players[-1]):
        again = assemble(show(program))
        assert again.functions == program.functions and again.procedures == program.procedures
        assert again.sites == program.sites and again.rules == program.rules
        assert show(liveness(again)) == show(liveness(program))


@pytest.mark.parametrize("source", SOURCES, ids=lambda f: f.stem)
def test_passes_leave_nothing_to_do(source: Path) -> None:
    plain, made = pair(source, loaded(source).players[-1])
    assert show(optimise(made)) == show(made)
    assert len(show(made).splitlines()) <= len(show(plain).splitlines())
    kept = [len(p.kept) for p in made.points]
    assert sum(kept) <= sum(len(p.kept) for p in plain.points)


def test_positions_that_differ_in_nothing_that_matters_are_equal() -> None:
    """Cards drawn in either order make the same hand, while more are drawn and afterwards."""
    program = optimise(replace(drawing(), points=()))
    game = interpreter.Game.from_program(program, backend="reference")
    states = []
    for order in ((0, 0, 0), (1, 0, 0), (2, 1, 0)):
        state = game.new_state(chance="explicit")
        for action in order[:2]:
            state.apply_action(action)
        states.append(state)
    one, other, third = states
    assert one.key() == other.key() and one == other
    assert third.key() != one.key()


def drawing() -> ir.Program:
    """A program that draws three of four cards, one after another, into a hand, and gathers them in a list for nobody."""
    b = Build()
    card = b.pieces("Card", ("a", "b", "c", "d"))
    deck, hand = b.zone("deck", card), b.zone("hand", card)
    b.put(card, deck)
    b.procedure(
        "main",
        0,
        ir.Let(0, c(())),
        "draw",
        ir.Unless(op("lt", op("size", ir.Load(b.zones[hand].base)), c(3)), "end"),
        ir.Draw(ir.Load(b.zones[deck].base), None, 1, ir.types.entity(card), "deck"),
        ir.Move(op("pack", x(1)), hand, None),
        ir.Let(0, op("concat", x(0), op("pack", x(1)))),
        ir.Jump("draw"),
        "end",
        finish(0, 0),
    )
    return b.program()


# --- faults -------------------------------------------------------------------------------------------------------------
def broken(program: ir.Program, number: int) -> ir.Program:
    """The program with one of its expressions, the number of which is given, turned into one that is always a fault."""
    count = 0

    def change(e: ir.Expr) -> ir.Expr:
        nonlocal count
        count += 1
        return ir.Op("divide", (e, ir.Const(0))) if count == number else e

    parts = {name: rewrite(getattr(program, name), change) for name in ("procedures", "functions", "sites", "rules")}
    return replace(program, **parts)


def course(program: ir.Program, seed: int) -> list[Any]:
    """All that is shown and told in a random game, up to its end or a fault."""
    seen: list[Any] = []
    try:
        state, dice = (
            interpreter.Game.from_program(program, backend="reference").new_state(chance="explicit"),
            Dice(seed),
        )
        for _ in range(most_decisions(state)):
            if state.is_terminal():
                break
            seen.append(shown_by(state))
            fault = advance(state, *random_step(state, dice))
            seen.append(fault)
            if fault is not None:
                return seen
        seen.append(told_by(state))
    except Exception as error:
        seen.append(str(error))
    return seen


@pytest.mark.parametrize("source", SOURCES, ids=lambda f: f.stem)
def test_a_fault_is_the_same_fault_at_the_same_place(source: Path) -> None:
    """Whatever is broken, play goes the same way up to the same fault, or never comes to it."""
    plain = pair(source, loaded(source).players[-1])[0]
    total = sum(1 for name in ("procedures", "functions", "sites", "rules") for _ in within(getattr(plain, name)))
    dice = Dice(total)
    for _ in range(1 if total > LARGE and not ALL else 4):
        program = broken(plain, 1 + dice.below(total))
        assert course(liveness(program), 1) == course(optimise(program), 1)

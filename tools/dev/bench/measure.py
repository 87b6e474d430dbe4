"""Rows of games: every contender in a process of its own, one slice after the other, round by round."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack

from rulespec.system.records import dataclass

from .crew import NotMeasured, Process
from .plan import ONCE, Plan
from .results import Row, Sample, Series


@dataclass(frozen=True, slots=True)
class Pace:
    """How long everything is measured: rounds, seconds of a slice, games of a sample, rounds of new processes."""

    rounds: int = 5
    slice: float = 0.25
    games: int = 4000
    fresh: int = 3


QUICK = Pace(rounds=2, slice=0.01, games=60, fresh=1)

Tell = Callable[[], None]  # called before each part of the work


def parts(plan: Plan, pace: Pace) -> int:
    """How often `measure` tells what it does."""
    return len(plan.entries) + pace.rounds


def measure(plan: Plan, pace: Pace, missing: Mapping[str, str], tell: Tell) -> Row:
    """Measure a row; `missing` says of each peer that is not here why.  What fails is told in its series."""
    series: list[Series] = []
    samples: list[Sample] = []
    with ExitStack() as stack:
        running: list[tuple[Process, str]] = []
        for entry in plan.entries:
            tell()
            contender = entry.contender
            problem = missing.get(entry.peer) if entry.peer else None
            try:
                if problem is not None:
                    raise NotMeasured(f"not installed: {problem}")
                process = stack.enter_context(Process(entry))
                quantities = process.ask(do="start", driver=entry.driver, settings=entry.settings)["quantities"]
            except NotMeasured as error:
                series.append(Series(contender, "steps", error=str(error)))
                continue
            for quantity in quantities:
                try:
                    samples += prepared(process, quantity, pace, plan.compared)
                    running.append((process, quantity))
                except NotMeasured as error:
                    series.append(Series(contender, quantity, error=str(error)))
        series += rounds(running, pace, tell)
    order = [entry.contender for entry in plan.entries]
    series.sort(key=lambda rates: order.index(rates.contender))
    return Row(plan.game, plan.title, plan.players, plan.kind, plan.note, tuple(series), tuple(samples), plan.alike)


def prepared(process: Process, quantity: str, pace: Pace, compared: bool) -> list[Sample]:
    """Make a quantity ready and warm it up; a sample of the games, where games are played.  Raises NotMeasured.

    The samples of those who are compared are larger: they show whether all play the same game.
    """
    seconds = pace.slice * (4 if compared else 1)
    told = process.ask(do="prepare", what=quantity, games=pace.games, sample_seconds=seconds, seconds=pace.slice / 2)
    return [Sample(process.entry.contender, quantity, told["games"], told["features"])] if told else []


def rounds(running: list[tuple[Process, str]], pace: Pace, tell: Tell) -> list[Series]:
    """One slice of each after the other, so many times, of some only in the first; units a second."""
    rates: dict[tuple[str, str], list[float]] = {(p.entry.contender, quantity): [] for p, quantity in running}
    failed: dict[tuple[str, str], str] = {}
    for number in range(pace.rounds):
        tell()
        for process, quantity in running:
            key = (process.entry.contender, quantity)
            if key in failed or (number and key[0] in ONCE):
                continue
            try:
                told = process.ask(do="run", what=quantity, seconds=pace.slice)
                rates[key].append(told["units"] / told["seconds"])
            except NotMeasured as error:
                failed[key] = str(error)
    return [
        Series(*key, error=failed[key]) if key in failed else Series(*key, rates=tuple(values))
        for key, values in rates.items()
    ]

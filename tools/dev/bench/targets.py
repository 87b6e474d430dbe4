"""What we aim at, read from data/targets.yaml, and how far a run is from it."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from typing import Any

import yaml

from rulespec.system.records import dataclass

from .plan import DATA, TITLES, title_of
from .results import Results, Row
from .units import exact, number

PYTHON, NATIVE = "generated", "native"  # what new processes are measured with
WORDS = {
    "decisions": "decisions a second in random games",
    "child": "a copy with an action applied",
    "build": "compiling its C, processor time",
    "load": "reading, checking and compiling, cold",
    "cached": "the same from the cache",
    "lint": "`rulespec lint`, the whole process",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """A target, what was measured (None: nothing was), and whether that is enough.

    Games can be played in one call or step by step: `one_call` has the former, where there is a difference.
    """

    what: str
    aim: str
    measured: float | None
    one_call: float | None
    reached: bool
    reached_in_one_call: bool
    unit: str
    where: str  # the game and number of players that decided

    @property
    def word(self) -> str:
        """The verdict for people."""
        if self.measured is None:
            return "not measured"
        if self.reached:
            return "yes"
        return "in one call only" if self.reached_in_one_call else "no"


def targets() -> list[dict[str, Any]]:
    """The targets as they are written in data/targets.yaml."""
    listed: list[dict[str, Any]] = yaml.safe_load((DATA / "targets.yaml").read_text(encoding="utf-8"))["targets"]
    return listed


def verdicts(results: Results) -> list[Verdict]:
    """Each target with its verdict."""
    return [judged(target, results) for target in targets()]


def judged(target: dict[str, Any], results: Results) -> Verdict:
    """One target."""
    game = target.get("game")
    title = next((row.title for row in results.rows if row.game == game), game or "every shipped game")
    if "stage" in target:
        return most(target, f"{title}: on two threads beside one", "×", threads(results, game))
    if "in one call" in target:
        other = target["faster than"]
        measured = ((where, calls, None) for where, _, calls in ratios(results, game, other, way="playouts"))
        return most(target, f"{title}: as fast as {title_of(other)}, in one call", "×", measured)
    if "faster than" in target:
        other = target["faster than"]
        return most(
            target, f"{title}: as fast as {title_of(other)}", "×", ratios(results, game, other, target.get("by"))
        )
    if "speed" in target:
        return most(target, f"{title}: {WORDS[target['speed']]}", "/s", speeds(results, game))
    quantity = target["time"]
    return least(target, f"{title}: {WORDS[quantity]}", times(results, game, quantity))


# (where, step by step, in one call)
Found = Iterator[tuple[str, float | None, float | None]]


def rows_of(results: Results, game: str | None) -> list[Row]:
    return [row for row in results.rows if row.game == game or (game is None and row.kind == "shipped")]


def ratios(results: Results, game: str | None, other: str, by: str | None = None, way: str = "steps") -> Found:
    """Ours (`by`, or the fastest) to another's, which is played step by step or as `way` says; against one of ours each way to its own."""
    for row in rows_of(results, game):
        if all(series.contender != other for series in row.series):
            continue
        against = "playouts" if other in TITLES else way
        steps = row.ratio((by or row.ours, "steps"), (other, "steps"))
        calls = row.ratio((by or row.ours, "playouts"), (other, against))
        yield place(row), steps.median if steps else None, calls.median if calls else None


def speeds(results: Results, game: str | None) -> Found:
    """Decisions a second."""
    for row in rows_of(results, game):
        rates = [row.rates(row.ours, way) for way in ("steps", "playouts")]
        steps, calls = (median(values) * row.length if values and row.length else None for values in rates)
        yield place(row), steps, calls


def times(results: Results, game: str | None, quantity: str) -> Found:
    """Seconds: of what is done to positions, or of new processes."""
    if quantity == "child":
        for row in rows_of(results, game):
            rates = row.rates(row.ours, "children")
            yield place(row), 1 / median(rates) if rates else None, None
    stage = "compiled" if quantity == "build" else "total"
    for sample in results.fresh:
        if sample.what == quantity and game in (None, sample.game) and sample.backend in ("", PYTHON, NATIVE):
            yield sample.game, median(sample.stages[stage]) if stage in sample.stages else None, None


def threads(results: Results, game: str | None) -> Found:
    """Random games a second on two threads, to those on one."""
    for sample in results.fresh:
        if sample.what == "threads" and sample.game == game:
            there = "one" in sample.stages
            yield sample.game, sample.stages["two"][0] / sample.stages["one"][0] if there else None, None


def place(row: Row) -> str:
    return f"{row.game}, {row.players} players"


def most(target: dict[str, Any], quantity: str, unit: str, measured: Found) -> Verdict:
    """A target that is a least number: the worst of what was found decides, and what is missing does too."""
    aim: float = target["at least"]
    entries = list(measured)
    where, steps = worst([(where, steps) for where, steps, _ in entries], min)
    _, calls = worst([(where, calls) for where, _, calls in entries], min)
    reached = steps is not None and steps >= aim
    return Verdict(
        quantity,
        f"≥ {number(aim, unit, exact)}",
        steps,
        calls,
        reached,
        calls is not None and calls >= aim,
        unit,
        where,
    )


def least(target: dict[str, Any], quantity: str, measured: Found) -> Verdict:
    """A target that is a longest time."""
    aim: float = target["at most"]
    where, seconds = worst([(where, seconds) for where, seconds, _ in measured], max)
    return Verdict(
        quantity,
        f"≤ {number(aim, 's', exact)}",
        seconds,
        None,
        seconds is not None and seconds <= aim,
        False,
        "s",
        where,
    )


def worst(measured: list[tuple[str, float | None]], choose: Any) -> tuple[str, float | None]:
    """The entry that decides; where one is missing, nothing was measured."""
    if not measured or any(value is None for _, value in measured):
        return next((where for where, value in measured if value is None), ""), None
    decided: tuple[str, float] = choose(measured, key=lambda entry: entry[1])
    return decided

"""`rulespec test --mutants`: the games one after the other, and the exit code."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulespec.system.records import dataclass
from rulespec.text.quoting import ticked

from .. import console, report
from ..framework import FINDINGS, MISUSE, did_you_mean, nearest

if TYPE_CHECKING:
    from rulespec.cases.data import Suite

SAMPLE, BUDGET = 200, 600.0


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line says."""

    only: str | None
    name: str | None
    sample: int | None
    seed: int
    budget: float | None
    processes: int | None
    notes: bool
    as_json: bool


def try_mutants(games: tuple[str, ...], wanted: Wanted) -> int:
    """Change each game, and tell what its cases do not notice: 1 if there is anything, 2 where there is nothing to try."""
    from rulespec.cases.compiler import load_cases
    from rulespec.text.diagnostics import Diagnostics
    from rulespec.text.locate import find, game_of

    codes = [0]
    told: list[dict[str, Any]] = []
    for game in dict.fromkeys(games):
        suite, findings = load_cases(game)
        bad = [one for one in findings if one.severity == "error"]
        report.to_stderr(bad)
        file = game_of(Path(game)) or find(game, Diagnostics())
        if suite is None or file is None or bad:
            codes.append(MISUSE if suite is None else FINDINGS)
            continue
        codes.append(of_game(game, suite, file, wanted, told))
    if wanted.as_json:
        console.data_json({"games": told})
    return max(codes)


def of_game(game: str, suite: Suite, file: Path, wanted: Wanted, told: list[dict[str, Any]]) -> int:
    """Change one game."""
    from .report import MOST_NAMED, data, lines
    from .run import run

    names = frozenset(
        case.name
        for case in suite.cases
        if (wanted.only is None or wanted.only in case.name) and (wanted.name is None or wanted.name == case.name)
    )
    if not names:
        close = None if wanted.name is None else did_you_mean(nearest(wanted.name, [case.name for case in suite.cases]))
        console.error("K009", f"there are no such cases in {ticked(game)}", close or "write some under `cases:`")
        return MISUSE
    shown: dict[str, console.Progress] = {}

    def progress(what: str, done: int, of: int) -> None:
        if what not in shown:
            for line in shown.values():
                line.done()
            shown[what] = console.Progress(what, of)
        shown[what](done)

    processes = wanted.processes or min(os.cpu_count() or 1, 64)
    try:
        sample, budget = wanted.sample or SAMPLE, BUDGET if wanted.budget is None else wanted.budget
        result = run(suite, file, names, sample, wanted.seed, processes, budget, progress)
    finally:
        for line in shown.values():
            line.done()
    told.append(data(result, suite.game.id))
    if result.failing:
        named = ", ".join(result.failing[:MOST_NAMED])
        console.message(f"{len(result.failing)} cases fail without any change; mend them first: {named}")
        return FINDINGS
    if not wanted.as_json:
        for text in lines(result, suite.game.title, wanted.notes):
            console.data(text)
    console.message(f"{len(result.verdicts) - result.late} changes tried in {result.seconds:.0f} s; seed {result.seed}")
    return FINDINGS if result.told("survived") else 0

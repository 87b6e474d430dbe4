"""A run from the beginning to the end: the peers, the rows of games, the new processes."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from ... import console
from ...framework import Misuse, did_you_mean, nearest
from . import cold, install, machine, measure
from .measure import Pace
from .plan import ONCE, Plan, peers, rows
from .results import Results


def run(pace: Pace, only: Sequence[str] = (), installing: bool = False) -> Results:
    """A whole run, or that of some games; raises Misuse for a game that is not there, and RulespecError."""
    described = machine.describe()
    with tempfile.TemporaryDirectory(prefix="rulespec-bench-") as scratch:
        hands, cache = Path(scratch) / "hands", Path(scratch) / "cache"
        hands.mkdir()
        plans = chosen(rows(hands), only)
        told = at_hand({entry.peer for plan in plans for entry in plan.entries if entry.peer}, installing)
        missing = {id: peer["problem"] for id, peer in told.items() if peer["problem"] is not None}
        tasks = cold.tasks(smallest(plans))
        bar = Bar(sum(measure.parts(plan, pace) for plan in plans) + cold.processes(tasks, pace.fresh))
        try:
            measured = tuple(measure.measure(plan, pace, missing, bar.step) for plan in plans)
            fresh = tuple(cold.measure(tasks, pace, cache, bar.step))
        finally:
            bar.done()
    settings = {"rounds": pace.rounds, "slice": pace.slice, "fresh": pace.fresh, "once": list(ONCE)}
    return Results(date.today().isoformat(), described, settings, told, measured, fresh)


def at_hand(used: set[str], installing: bool) -> dict[str, dict[str, str | None]]:
    """Title, version and problem of each peer that is used, which is installed first where that is asked for."""
    told = {}
    for peer in peers().values():
        if peer.id not in used:
            continue
        problem: str | None = "`make bench` installs it"
        if installing:
            console.message(f"installing {peer.title} ...")
            problem = install.install(peer)
        version = install.version(peer)
        told[peer.id] = {"title": peer.title, "version": version, "problem": None if version else problem}
    return told


def smallest(plans: Sequence[Plan]) -> list[tuple[str, int]]:
    """The shipped games, each at the fewest players that are measured."""
    players: dict[str, int] = {}
    for plan in plans:
        if plan.kind == "shipped":
            players[plan.game] = min(plan.players, players.get(plan.game, plan.players))
    return sorted(players.items())


def chosen(plans: list[Plan], only: Sequence[str]) -> list[Plan]:
    """The rows of some games, or all; raises Misuse."""
    known = {plan.game for plan in plans}
    for name in only:
        if name not in known:
            raise Misuse(f"there is nothing to measure for `{name}`", did_you_mean(nearest(name, known)))
    return [plan for plan in plans if not only or plan.game in only]


class Bar:
    """Counts on the terminal what is done."""

    def __init__(self, total: int) -> None:
        self.progress = console.Progress("parts measured", total)
        self.count = 0

    def step(self) -> None:
        """Another part begins."""
        self.progress(self.count)
        self.count += 1

    def done(self) -> None:
        """Take the line away."""
        self.progress.done()

"""A review: games are played and measured, and what is odd in them becomes questions."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from rulespec.cases.coverage import sources
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostics, RulespecError
from rulespec.text.locate import MAIN, bots_of, find

from . import baseline as baselines
from .asking import questions
from .baseline import Baseline
from .causes import told_together
from .figures import Sample
from .finding import Finding
from .series import Clock, Processes, Series, Table, begin, play_series
from .setups import RANDOM, Setup, setups
from .watched import Watched, watch

if TYPE_CHECKING:
    from rulespec.checker.program import CheckedGame

GAMES = 100
FEW = 5  # of so many games, one is played with a bot or with another option
SECONDS = 60.0
ENOUGH = 10  # watched games, for what none of them reached to be asked
SHARES = {"plain": 0.5, "watched": 0.3, "others": 0.2}  # of the time


@dataclass(slots=True)
class Review:
    """What a review has seen and asks."""

    checked: CheckedGame
    path: Path  # where its baseline is kept
    seed: int
    setups: dict[str, Setup] = field(default_factory=dict)
    series: list[Series] = field(default_factory=list)
    watched: Watched | None = None
    before: Baseline | None = None
    compared: Path | None = None  # the file of that baseline; of a variant without one of its own, that of the game
    questions: list[Finding] = field(default_factory=list)
    answered: list[Finding] = field(default_factory=list)  # questions that the baseline has answered
    nearly: list[Finding] = field(default_factory=list)  # what is not odd enough to be asked
    differences: list[Finding] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)  # what could not be looked at, and why
    seconds: float = 0.0

    @property
    def findings(self) -> list[Finding]:
        """Differences from the baseline, then the questions that are open."""
        return [*self.differences, *self.questions]

    def samples(self) -> dict[str, Sample]:
        """What was measured, by setup."""
        samples = {one.setup.name: one.sample for one in self.series}
        return samples if self.watched is None else samples | {self.watched.name: self.watched.sample}

    def baseline(self) -> Baseline:
        """What is kept of this review: its figures, and all its questions as answered; faults are never."""
        told = (one for one in (*self.questions, *self.answered, *self.nearly) if one.kind != "fault")
        asked = [name for one in told for name in (one.id, *one.members)]
        counts = list(self.checked.players)
        between = {Setup(players) for players in counts} - {Setup(players) for players in (counts[0], counts[-1])}
        brief = frozenset(
            name for name, setup in self.setups.items() if setup.options or setup.bot != RANDOM or setup in between
        )
        return baselines.make(self.checked.id, self.samples(), brief, tuple(asked))


def review(
    game: str,
    *,
    variants: tuple[str, ...] = (),
    games: int = GAMES,
    seed: int = 1,
    budget: float = SECONDS,
    jobs: int = 1,
    before: Baseline | str | None = "beside",
    progress: Callable[[], None] = lambda: None,
    clock: Clock = time.monotonic,
) -> Review:
    """Review a game, given by its id, folder or file.  Raises RulespecError where it cannot be read.

    `games` are played at random with each number of players, if there is time; `budget` are seconds, of which the game's reading
    is no part, by a `clock`, which with several `jobs` is that of the machine.  `before` is what it is compared with: "beside" the
    file beside the game, if there is one; for a variant that has none, that of the game itself.
    """
    import rulespec

    checked = rulespec.load(game, variant=list(variants) or None)
    file = find(game, Diagnostics())
    assert file is not None
    start = clock()
    path = baseline_path(file, variants)
    one = Review(checked, path, seed)  # type: ignore[arg-type]
    one.before = before if isinstance(before, Baseline) else None
    if before == "beside":
        one.before, one.compared = beside(path, file, variants)
    bots = tuple(bot.stem for bot in bots_of(file))
    if not bots:
        one.skipped.append("the game has no bots, so that all play is at random")
    pool = (
        Processes(ProcessPoolExecutor(jobs, initializer=begin, initargs=(game, variants)), jobs) if jobs > 1 else None
    )
    try:
        play_all(one, Table(game, one.checked), bots, games, start, budget, pool, progress, clock)
    finally:
        if pool is not None:
            pool.executor.shutdown(cancel_futures=True)
    conclude(one)
    one.seconds = clock() - start
    return one


def beside(path: Path, file: Path, variants: tuple[str, ...]) -> tuple[Baseline | None, Path]:
    """The baseline of a game with variants and its file, with what was answered for the game itself; that of the game if it has none.

    Raises RulespecError T001 for a file that is no baseline.
    """
    from rulespec.variants.stack import read_stack

    own = baselines.read(path)
    stack = read_stack(file, variants, Diagnostics(), [])
    plain = path if stack is None else baseline_path(stack.base)
    inherited = None if plain == path else baselines.read(plain)
    if own is None:
        return inherited, plain
    if inherited is not None:
        own.answered = tuple(sorted({*own.answered, *inherited.answered}))
    return own, path


def baseline_path(file: Path, variants: tuple[str, ...] = ()) -> Path:
    """Where the baseline of a game is: `review.json` beside its `game.yaml`, under other names for other files and variants."""
    words = [] if file.name == MAIN else [file.stem]
    return file.parent / ".".join([*words, "review", *(Path(name).stem for name in variants), "json"])


def play_all(
    one: Review,
    table: Table,
    bots: tuple[str, ...],
    games: int,
    start: float,
    budget: float,
    pool: Processes | None,
    progress: Callable[[], None],
    clock: Clock,
) -> None:
    """Play all setups: first each number of players, then watched, then with bots and other options; each has its share of time."""
    wanted = setups(one.checked, bots)
    one.setups = {setup.name: setup for setup in wanted}
    plain = [setup for setup in wanted if setup.bot == RANDOM and not setup.options]
    others = [setup for setup in wanted if setup not in plain]
    for part, end in ((plain, SHARES["plain"]), (others, 1.0)):
        if part is others:
            share = (SHARES["plain"] + SHARES["watched"]) * budget
            one.watched = watch(one.checked, wanted, one.seed, games, start + share, progress, clock)
        for number, setup in enumerate(part):
            now = clock()
            left = start + end * budget - now
            if left <= 0 and part is others:
                one.skipped.append(f"no time was left for {len(part) - number} other setups, the first: {setup.name}")
                break
            series = Series(setup, games if part is plain else max(1, games // FEW))
            one.series.append(series)
            try:
                play_series(table, series, one.seed, now + left / (len(part) - number), pool, progress, clock)
            except RulespecError as error:
                series.problem = error.diagnostics[0].message
            if series.problem:
                one.skipped.append(f"{setup.name}: {series.problem}")
            elif not series.complete:
                one.skipped.append(f"{setup.name}: {len(series.games)} of {series.wanted} games, then time was up")


def conclude(one: Review) -> None:
    """Work out what is asked and what differs."""
    before = one.before
    answered = frozenset(() if before is None else before.answered)
    figures = {key for measured in ([] if before is None else before.setups.values()) for key in measured.figures}
    watched = one.watched
    if before is not None and watched is not None and watched.every > 1:
        # What some decisions reached, others may not.
        one.skipped.append(f"only one of {watched.every} decisions was watched: what is never reached is not compared")
        watched = None
    if watched is not None and watched.games < ENOUGH * watched.every:
        one.skipped.append(
            f"{watched.games} games were watched, and of them one of {watched.every} decisions: too few to ask what is never reached; "
            "more time (--budget) watches more"
        )
        watched = None
    for asked in questions(one.checked, one.series, watched):
        known = asked.id in answered or asked.figure in figures
        (one.nearly if not asked.weight else one.answered if known else one.questions).append(asked)
    one.questions = told_together(one.questions, sources(one.checked))
    if before is not None:
        one.differences = baselines.as_findings(baselines.differences(before, one.samples()))

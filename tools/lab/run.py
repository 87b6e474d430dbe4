"""Runs a study: gives out what is missing, keeps what comes back, and stops when there is enough."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import field

from rulespec.studies.data import Study
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostic, RulespecError

from ..report import counted
from .crews import Crew, Order
from .opening import Place
from .playing import FOLLOWED, PLAIN, WATCHED, Batch
from .store import Store

SECONDS = 1.0  # that a batch is to take
MOST = 20_000  # games of a batch
AHEAD = 2  # batches for each worker that are given out
FIRST_LOOK = 100  # games of an arm before an interval is looked at
SPARE = 1.05  # so many times what seems to be needed for an interval
Told = Callable[[int, int, float], None]  # games played, of how many, seconds that are left


@dataclass
class Ranges:
    """What an arm has yet to play of a tier, and how long a game takes."""

    gaps: list[range]
    seconds: float = 0.0  # for a game; 0: not known yet

    def left(self) -> int:
        return sum(map(len, self.gaps))

    def take(self, most: int) -> range:
        """The next batch, of at most so many games."""
        size = 1 if not self.seconds else int(max(1, min(MOST, most, SECONDS / self.seconds)))
        gap = self.gaps[0]
        batch, rest = gap[:size], gap[size:]
        self.gaps[:1] = [rest] if rest else []
        return batch


@dataclass
class Run:
    """A study that is played."""

    study: Study
    places: list[Place]
    store: Store
    told: Told = lambda _done, _of, _left: None
    arms: list[int] = field(default_factory=list)
    ranges: dict[tuple[int, str], Ranges] = field(default_factory=dict)
    targets: list[int] = field(default_factory=list)
    done: int = 0
    given: int = 0  # games that somebody plays now
    began: float = 0.0

    def enter(self, anew: bool) -> None:
        """Enter the arms.  Raises RulespecError X005 where there are games of an arm that was another game, unless `anew`, and
        where games are gone that were noted as played."""
        changed = []
        for place in self.places:
            key, digest = place.table.key, place.digest
            games = self.store.others(key, digest)
            if games and not anew and not self.store.known(key, digest):
                message = f"the game, a bot or an expression of `{place.arm.name}` has changed since {counted(games, 'game')} of it"
                help = "`--anew` begins its figures anew and keeps the old games apart; `--results FILE` begins another file"
                changed.append(
                    Diagnostic(
                        "X005", f"{message} {'was' if games == 1 else 'were'} played", place.arm.span, help=(help,)
                    )
                )
        if changed:
            raise RulespecError(changed)
        self.arms = [self.store.arm(p.table.key, p.digest, p.arm.name, p.about) for p in self.places]
        self.store.check(self.arms)

    def plan(self) -> None:
        """See what is missing."""
        measures = self.study.measures
        self.targets = [
            min(self.study.games, self.study.most_games) if self.study.interval else self.study.games
        ] * len(self.arms)
        for n, arm in enumerate(self.arms):
            target = self.targets[n]
            self.want(n, FOLLOWED, self.store.missing(arm, FOLLOWED, min(measures.followed, target)))
            skipped = self.ranges[n, FOLLOWED].gaps
            self.want(
                n, PLAIN, [part for gap in self.store.missing(arm, PLAIN, target) for part in without(gap, skipped)]
            )
            self.want(n, WATCHED, self.store.missing(arm, WATCHED, min(measures.watched, target)))
            self.widen(n)

    def missing(self, n: int) -> int:
        """How many games of an arm are still to be played, as far as those that are there tell."""
        return sum(map(len, self.store.missing(self.arms[n], PLAIN, self.targets[n])))

    def play(self, crew: Crew) -> int:
        """Play what is missing; how many games were played.  Raises RulespecError; what has come back is kept."""
        self.began = time.monotonic()
        self.plan()
        while True:
            self.fill(crew)
            if not crew.busy():
                return self.done
            for order, batch in crew.results():
                self.keep(order, batch)

    def want(self, n: int, tier: str, gaps: list[range]) -> None:
        before = self.ranges.get((n, tier))
        self.ranges[n, tier] = Ranges(gaps, 0.0 if before is None else before.seconds)

    def fill(self, crew: Crew) -> None:
        """Give out batches, to have so many on the way."""
        while crew.busy() < AHEAD * crew.size:
            key = next((key for key, ranges in self.ranges.items() if ranges.gaps), None)
            if key is None:
                return
            left = sum(ranges.left() for ranges in self.ranges.values())
            batch = self.ranges[key].take(left // (AHEAD * crew.size))  # so that all end at about the same time
            crew.give(Order(key[0], key[1], batch.start, len(batch)))
            self.given += len(batch)

    def keep(self, order: Order, batch: Batch) -> None:
        """Keep what has come back, and see whether its arm needs more."""
        if batch.problems:
            raise RulespecError(batch.problems)
        self.store.add(self.arms[order.place], batch)
        ranges = self.ranges[order.place, order.tier]
        each = batch.seconds / batch.count
        ranges.seconds = each if not ranges.seconds else 0.7 * ranges.seconds + 0.3 * each
        self.done += batch.count
        self.given -= batch.count
        if order.tier != WATCHED and not self.ranges[order.place, PLAIN].gaps:
            self.widen(order.place)
        left = self.given + sum(ranges.left() for ranges in self.ranges.values())
        elapsed = time.monotonic() - self.began
        self.told(self.done, self.done + left, left * elapsed / self.done)

    def widen(self, n: int) -> None:
        """More games of an arm while an interval is too wide, by what the games below its target say, in whatever order they came."""
        study, arm = self.study, self.arms[n]
        if study.interval is None:
            return
        while self.targets[n] < study.most_games and not self.store.missing(arm, PLAIN, self.targets[n]):
            from .figures import widest_interval

            target = self.targets[n]
            seats = self.places[n].table.game.num_players
            width = widest_interval(self.store.winners(arm, target), seats, study.confidence)
            if width <= study.interval and target >= FIRST_LOOK:
                return
            needed = int(target * (width / study.interval) ** 2 * SPARE)
            self.targets[n] = min(
                study.most_games, max(needed, 2 * target if target < FIRST_LOOK else target + target // 10 + 1)
            )
            self.want(n, PLAIN, self.store.missing(arm, PLAIN, self.targets[n]))


def without(gap: range, others: list[range]) -> Iterator[range]:
    """What of a range is in none of the others, which are in order."""
    at = gap.start
    for other in others:
        if other.start > at and at < gap.stop:
            yield range(at, min(other.start, gap.stop))
        at = max(at, min(other.stop, gap.stop))
    if at < gap.stop:
        yield range(at, gap.stop)

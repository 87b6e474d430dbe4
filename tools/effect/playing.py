"""Plays a game and a variant of it in pairs, at some levels of skill, within a time.

How many pairs a level has is settled after its first ones, by the time that they took and before anything is compared: what a
comparison says holds only if the number of games was not chosen by what they came to.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import field
from typing import Any

from interpreter import Fault, Game, State
from interpreter.questions import Question
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostic

from ..bots import RANDOM, Seating
from ..playouts import ends_by_rank, game_seed, random_crew, winners_of

PILOTS = (4, 40)  # pairs, after which it is planned how many there are; the first is not timed, which makes all ready
MOST = 1_000  # pairs of a level
SHARE = 0.85  # of the time that is left which is planned for: some games are longer
Clock = Callable[[], float]  # in seconds
Option = tuple[str, str]  # a question, and what may be chosen there


@dataclass(frozen=True, slots=True)
class Record:
    """A game that is over: decisions, turns (decisions of one seat in a row), options that were open, and the seats that won."""

    decisions: int
    turns: int
    options: int
    winners: tuple[int, ...]
    decided: bool  # whether some won and others did not


@dataclass(slots=True)
class Side:
    """The games of one of the two at one level."""

    games: list[Record] = field(default_factory=list)
    offered: Counter[Option] = field(default_factory=Counter)
    taken: Counter[Option] = field(default_factory=Counter)
    faults: list[tuple[int, Diagnostic]] = field(default_factory=list)  # seed, what happened


@dataclass(slots=True)
class Level:
    """The pairs of games of one level of skill."""

    bot: str
    base: Side = field(default_factory=Side)
    other: Side = field(default_factory=Side)
    planned: int = 0  # pairs
    played: int = 0
    problem: str = ""  # why nothing was played, or not all


class OutOfTime(Exception):
    """Raised in a game that would take longer than there is time."""


class Seat:
    """One of the two games with the bots of a level."""

    def __init__(self, game: Game, seating: Seating | None) -> None:
        self.game = game
        self.seating = seating
        self.ranked = ends_by_rank(game.program)
        self.names: dict[tuple[int, Any], str] = {}

    def play(self, seed: int, side: Side, until: float, clock: Clock) -> None:
        """One game; what it came to is added to a side.  Raises OutOfTime."""
        game = self.game
        crew = random_crew(game, seed) if self.seating is None else self.seating.crew(seed)
        state = game.new_state(seed, undo=False, record=False)
        turns = options = 0
        last = -1
        offered: Counter[Option] = Counter()
        taken: Counter[Option] = Counter()
        try:
            while not state.is_terminal():
                crew.watch(state)
                seat = state.current_player()
                question = state.asked(seat)
                action = crew.choose(state, seat)
                options += len(question.legal)
                turns += seat != last
                last = seat
                site = question.site
                if len(question.legal) > 1 and (site.branches or site.none is not None or question.queue is not None):
                    chosen = question.legal[action]
                    for name in dict.fromkeys(self.named(question, value) for value in question.legal.values()):
                        offered[name] += name[1] != ""
                    taken[self.named(question, chosen)] += 1
                state.apply_action(action, seat)
                if clock() >= until:
                    raise OutOfTime
        except Fault as fault:
            side.faults.append((seed, fault.diagnostic))
            return
        side.games.append(self.record(state, turns, options))
        side.offered.update(offered)
        side.taken.update(taken)

    def record(self, state: State, turns: int, options: int) -> Record:
        """A game that is over."""
        kind, winners = winners_of(state, self.ranked)
        some = kind not in ("all", "lost", "draw") and len(winners) < state.setup.num_players
        return Record(state.decisions, max(turns, 1), options, winners, some and bool(winners))

    def named(self, question: Question, value: Any) -> Option:
        """What is chosen: an option with a name of its own, or none of what is there; "" for a card, a cell or a number."""
        site = question.site
        if value is None and site.none is not None:
            return site.name, site.none.name
        if site.branches and isinstance(value, int):
            return site.name, site.branches[value].name
        if isinstance(value, tuple) and (site.branches or question.queue is not None) and value:
            key = (site.index, value[0])
            if key not in self.names:
                self.names[key] = self.rule_of(question, value)
            return site.name, self.names[key]
        return site.name, ""

    def rule_of(self, question: Question, value: tuple[Any, ...]) -> str:
        """The name of the rule that an option is of, as it is for all that its arguments may be."""
        if question.code.is_rule(value):
            rule = self.game.program.rules[value[0]]
            name: str = rule.name if rule.option is None else rule.option.name
            return name
        return ""


def play_level(
    level: Level,
    seats: tuple[Seat, Seat],
    seed: int,
    pairs: int | None,
    seconds: float,
    progress: Callable[[int], None] = lambda _: None,
    clock: Clock = time.monotonic,
) -> None:
    """Play the pairs of a level: so many, or as many as fit into some seconds; a pair that is not over in time is left out."""
    start = clock()
    level.planned = PILOTS[0] if pairs is None else pairs
    ready = start
    number = 0
    while number < level.planned:
        until = start + seconds
        before = len(level.base.games), len(level.base.faults)
        try:
            for seat, side in zip(seats, (level.base, level.other), strict=True):
                seat.play(game_seed(seed, number), side, until, clock)
        except OutOfTime:
            games, faults = before
            del level.base.games[games:], level.base.faults[faults:]
            level.problem = f"time was up after {number} of {level.planned} pairs"
            break
        number += 1
        level.played = number
        progress(number)
        ready = clock() if number == 1 else ready
        if pairs is None and number in PILOTS:
            spent = max(clock() - ready, 1e-6) / (number - 1)
            left = seconds - (clock() - start)
            level.planned = max(number, min(MOST, number + int(SHARE * left / spent)))


def crewed(game: Game, seating: Seating) -> Seat:
    """A game with bots."""
    return Seat(game, None if set(seating.names) == {RANDOM} else seating)

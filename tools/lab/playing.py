"""Plays the games of an arm: what a process of a pool or of a cluster does, from plain data to plain data.

A game is known by its number: its seed follows from the study's, the arm and the number, so that it is the same game wherever and
whenever it is played.  The three tiers play the same games and look closer each time: `plain` at their ends, `followed` at each
decision, `watched` at the rules that run.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from itertools import pairwise
from typing import Any

from interpreter import Fault, Game, State
from interpreter.bots import Judge
from interpreter.runtime.values import exact
from interpreter.testing.coverage import Recorder, WatchedGame
from rulespec import ir
from rulespec.bots.data import Policy
from rulespec.language.types import IntType, Type
from rulespec.system.records import dataclass
from rulespec.system.version import __version__
from rulespec.text.diagnostics import Diagnostic, RulespecError
from rulespec.text.source import Span

from ..bots import RANDOM, Seating
from ..playouts import ends_by_rank, random_crew, winners_of

PLAIN, FOLLOWED, WATCHED = "plain", "followed", "watched"
OPTION, PIECE, RULE, OPEN = "option", "piece", "rule", "open"  # what is counted in a followed or watched game
NOBODY = -1  # the seat of what belongs to none

Key = tuple[str, str, str, int]  # what, its group, its name, the seat


@dataclass(frozen=True)
class Measured:
    """An expression of the study: a function of the program, without parameters or with the seat."""

    name: str
    function: int
    span: Span
    type: Type


@dataclass(frozen=True)
class Table:
    """An arm as every process gets it: the game, who plays, and what is worked out.  `unfolded`: the game to be watched."""

    key: str
    seed: int
    version: str
    game: Game
    unfolded: Game
    names: tuple[str, ...]
    policies: Mapping[str, Policy]
    functions: tuple[ir.Function, ...]
    types: tuple[ir.Type, ...]  # of the tallies, as the program has them
    tallies: tuple[Measured, ...] = ()
    causes: tuple[Measured, ...] = ()
    lead: Measured | None = None
    most_decisions: int | None = None

    def seed_of(self, number: int) -> int:
        """The seed of a game: 48 bits, which every program that reads JSON can hold."""
        return seed_of(self.seed, self.key, number)


def seed_of(seed: int, key: str, number: int) -> int:
    """The seed of a game of an arm."""
    return int.from_bytes(hashlib.sha256(f"{seed}\n{key}\n{number}".encode()).digest()[:6])


@dataclass(slots=True)
class Use:
    """How something was used: games it came up in, times offered, times taken, games it was taken in, and those that the taker won."""

    games: int = 0
    times: int = 0
    taken: int = 0
    users: int = 0
    won: int = 0


# A game: number, how it ended, the winners, decisions, returns, cause, tallies, fault.
Row = tuple[int, str, str | None, int | None, str | None, str | None, str | None, str | None]


@dataclass
class Batch:
    """What a batch of games came to.  `problems`: why it could not be played; nothing else is there then."""

    tier: str
    first: int
    count: int
    seconds: float = 0.0
    games: list[Row] = field(default_factory=list)
    followed: list[tuple[int, int, int | None]] = field(default_factory=list)  # number, lead changes, decided after
    uses: dict[Key, Use] = field(default_factory=dict)
    problems: tuple[Diagnostic, ...] = ()


class Opened:
    """A table in the process that plays at it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.game = table.game
        self.most = table.most_decisions or self.game.program.most_decisions
        self.judge = Judge(self.game, table.functions)
        self.seating = Seating(self.game, table.names, table.policies, self.judge)
        self.plain = set(table.names) == {RANDOM}
        self.ranked = ends_by_rank(self.game.program)
        self.names: dict[tuple[int, Any], tuple[str, str, str]] = {}
        self.recorder: Recorder | None = None
        self.watched: Game | None = None

    def crew(self, seed: int) -> Any:
        return random_crew(self.game, seed) if self.plain else self.seating.crew(seed)

    # --- one game -------------------------------------------------------------------------------------------------------
    def plain_game(self, number: int, batch: Batch) -> None:
        """A game of which only the end is looked at."""
        seed = self.table.seed_of(number)
        try:
            state = self.game.playout(seed) if self.plain else self.walked(seed, lambda *_: None)
        except Fault as fault:
            batch.games.append(faulty(number, fault))
        else:
            batch.games.append(self.row(number, state))

    def walked(self, seed: int, look: Callable[[State, int, int], None]) -> State:
        """A game step by step; `look` is shown each position with the seat that answers, and its answer, before it is given."""
        state, crew = self.game.new_state(seed, undo=False, record=False), self.crew(seed)
        while not state.is_terminal():
            crew.watch(state)
            seat = state.current_player()
            action = crew.choose(state, seat)
            look(state, seat, action)
            state.apply_action(action, seat)
        return state

    def row(self, number: int, state: State) -> Row:
        """A game that is over, as it is kept."""
        kind, first = winners_of(state, self.ranked)
        cause, values = None, None
        if self.table.tallies or self.table.causes:
            slots = list(state.slots)
            slots[ir.WINNERS] = first
            cause = next((c.name for c in self.table.causes if self.judge.value(c.function, c.span, slots)), None)
            values = {
                tally.name: self.shown(tally, printer, self.judge.value(tally.function, tally.span, slots))
                for tally, printer in zip(self.table.tallies, self.table.types, strict=True)
            }
        return (
            number,
            kind,
            " ".join(map(str, first)),
            state.decisions,
            json.dumps(exact(state.returns())),
            cause,
            None if values is None else json.dumps(values, ensure_ascii=False),
            None,
        )

    def shown(self, tally: Measured, printer: ir.Type, value: Any) -> Any:
        """A value as it is kept: a number, or its name."""
        number = isinstance(tally.type, IntType) and value is not None
        return value if number else self.game.machine.printing.name(printer, value)

    # --- decision by decision -------------------------------------------------------------------------------------------
    def followed_game(self, number: int, batch: Batch) -> None:
        """A game of which each decision is looked at."""
        uses: dict[Key, Use] = {}
        leaders: list[int] = []

        def look(state: State, seat: int, action: int) -> None:
            question = state.asked(seat)
            legal = question.legal
            site = question.site
            uses.setdefault((OPEN, site.name, str(len(legal)), NOBODY), Use()).times += 1
            offered = set()
            for candidate, value in legal.items():
                for what in self.called(question, value):
                    key = (*what, seat)
                    use = uses.setdefault(key, Use())
                    if key not in offered:  # one of several copies
                        offered.add(key)
                        use.times += 1
                    use.taken += candidate == action
            if self.table.lead is not None:
                leaders.append(self.leader(state))

        try:
            state = self.walked(self.table.seed_of(number), look)
        except Fault as fault:
            batch.games.append(faulty(number, fault))
            return
        row = self.row(number, state)
        batch.games.append(row)
        winners = {int(seat) for seat in (row[2] or "").split()}
        if self.table.lead is not None:
            leaders.append(self.leader(state))
            batch.followed.append((number, *course(leaders, winners)))
        for key, use in uses.items():
            add(batch.uses, key, use, bool(use.taken), use.taken > 0 and key[3] in winners)

    def leader(self, state: State) -> int:
        """The seat that leads; NOBODY where several do."""
        lead = self.table.lead
        assert lead is not None
        standing = [
            self.judge.value(lead.function, lead.span, state.slots, seat) for seat in range(len(self.table.names))
        ]
        best = max(standing)
        return standing.index(best) if standing.count(best) == 1 else NOBODY

    def called(self, question: Any, value: Any) -> Iterator[tuple[str, str, str]]:
        """What is chosen with a value: the option of the question, and the thing that it names."""
        site = question.site
        if question.queue is not None:
            yield OPTION, site.name, question.name(value)
            return
        if (site.index, value) not in self.names:
            name = question.name(value)
            kind = self.kind_of(site.type, name.rpartition(".")[2])
            self.names[site.index, value] = (site.name, name, kind)
        group, name, kind = self.names[site.index, value]
        yield OPTION, group, name
        if kind:
            yield PIECE, kind, name.rpartition(".")[2]

    def kind_of(self, printer: ir.Type, name: str) -> str:
        """The type that a chosen thing is a member of, by the type of the question or, of a card's own option, by its name."""
        kinds = self.game.program.kinds
        if printer.what == "option":
            printer = printer.parts[0]
        if printer.what == "entity" and printer.kind is not None:
            kind = kinds[printer.kind]  # that of a menu has no name of its own
            return kind.name if name in kind.members and kind.name.isidentifier() else ""
        if printer.what == "choice":
            return next((kind.name for kind in kinds if kind.what == "piece" and name in kind.members), "")
        return ""

    # --- rule by rule ---------------------------------------------------------------------------------------------------
    def watched_game(self, number: int, batch: Batch) -> None:
        """A game whose rules are watched as they run: played twice in step, by those who play and by the machine that counts."""
        if self.recorder is None or self.watched is None:
            self.recorder = Recorder()
            self.watched = WatchedGame.watched(self.table.unfolded.program, self.recorder)
            self.watched.most_decisions = self.most
        seed = self.table.seed_of(number)
        with self.recorder.during() as hits:
            try:
                twin = self.watched.new_state(seed, undo=False, record=False)
                self.walked(seed, lambda _, seat, action: twin.apply_action(action, seat))
            except Fault:
                pass  # it is told by the tier that keeps the game
        for (what, where, _, outcome), times in hits.items():
            if what == RULE and outcome == "runs":
                add(batch.uses, (RULE, "", where.label(), NOBODY), Use(times=times, taken=times), True, False)


def faulty(number: int, fault: Fault) -> Row:
    """A game that met a fault of its rules."""
    return number, "fault", None, None, None, None, None, str(fault)


def course(leaders: list[int], winners: set[int]) -> tuple[int, int | None]:
    """How often the lead went to another, and after how many decisions the winner led for good; None where he does not at the end."""
    led = [seat for seat in leaders if seat != NOBODY]
    changes = sum(a != b for a, b in pairwise(led))
    if len(winners) != 1 or not leaders or leaders[-1] not in winners:
        return changes, None
    after = len(leaders)
    while after and leaders[after - 1] in winners:
        after -= 1
    return changes, after


def add(uses: dict[Key, Use], key: Key, use: Use, taken: bool, won: bool) -> None:
    """Add what was used in one game."""
    total = uses.setdefault(key, Use())
    total.games += 1
    total.times += use.times
    total.taken += use.taken
    total.users += taken
    total.won += won


MOST_OPEN = 64  # tables that a process keeps open: a worker of a cluster may see many studies
OPENED: dict[
    int, Opened
] = {}  # the tables of this process, by where they lie; each holds its own, so no other comes to lie there
TABLES: list[Table] = []  # those that a process of a pool was started with
ONE = threading.Lock()  # a worker of a cluster may have several threads


def begin(tables: list[Table]) -> None:
    """Make a process of a pool ready."""
    TABLES[:] = tables


def held(table: Table) -> Table:
    """What a worker of a cluster keeps."""
    return table


def play_here(place: int, tier: str, first: int, count: int) -> Batch:
    """A batch in a process of a pool."""
    return play(TABLES[place], tier, first, count)


def opened_at(table: Table) -> Opened:
    """A table, opened once: another of the same arm may have another seed, or other measures."""
    opened = OPENED.get(id(table))
    if opened is None:
        while len(OPENED) >= MOST_OPEN:
            del OPENED[next(iter(OPENED))]
        opened = OPENED[id(table)] = Opened(table)
    return opened


def play(table: Table, tier: str, first: int, count: int) -> Batch:
    """The games of an arm with the numbers `first` to `first + count - 1`, looked at as the tier says."""
    with ONE:
        start, batch = time.perf_counter(), Batch(tier, first, count)
        if table.version != __version__:
            message = f"a worker has Rulespec {__version__}, and {table.version} is wanted"
            return Batch(tier, first, count, problems=(Diagnostic("X006", message),))
        opened = opened_at(table)
        opened.game.most_decisions = opened.most  # tables of one game may share it
        one = {PLAIN: opened.plain_game, FOLLOWED: opened.followed_game, WATCHED: opened.watched_game}[tier]
        try:
            for number in range(first, first + count):
                one(number, batch)
        except RulespecError as error:
            return Batch(tier, first, count, problems=tuple(error.diagnostics))
        batch.seconds = time.perf_counter() - start
        return batch

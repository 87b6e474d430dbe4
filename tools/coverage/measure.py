"""Plays cases and random games on machines that count outcomes, and stores what each of them reached."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any

from interpreter import Fault, Game, State
from interpreter.runtime import rng
from interpreter.testing.always import Always
from interpreter.testing.cases import CaseResult, run_case
from interpreter.testing.coverage import Key, Recorder, WatchedGame
from rulespec.cases.coverage import Item, Mark, items, marks, rows, sources
from rulespec.cases.data import Case, Suite, roots_of
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostic, Diagnostics
from rulespec.text.quoting import ticked
from rulespec.text.source import Source

from ..playouts import FaultyGame, game_seed


@dataclass(frozen=True, slots=True)
class Played:
    """A case, or a series of random games, with its counts."""

    name: str
    place: str  # file:line of a case, "" of games
    hits: dict[Key, int]


@dataclass(slots=True)
class Coverage:
    """The items of a game and the counts of their outcomes."""

    id: str
    title: str
    sources: tuple[Source, ...]
    items: tuple[Item, ...]
    marks: tuple[Mark, ...]
    seed: int
    random: int  # games for each setup
    runs: list[Played] = field(default_factory=list)
    counts: dict[Key, int] = field(default_factory=dict)
    findings: tuple[Diagnostic, ...] = ()
    excused: dict[Key, Mark] = field(default_factory=dict)

    def hit(self, key: Key) -> int:
        """How often an outcome was seen."""
        return self.counts.get(key, 0)

    def open(self, item: Item) -> tuple[str, ...]:
        """The outcomes of an item that are neither seen nor excused."""
        return tuple(key[3] for key in item.counted() if not self.hit(key) and key not in self.excused)

    def tally(self, chosen: Sequence[Item] | None = None) -> tuple[int, int]:
        """How many outcomes of some items were seen, and of how many; those excused do not count."""
        keys = [key for item in (self.items if chosen is None else chosen) for key in item.counted()]
        wanted = [key for key in keys if key not in self.excused]
        return sum(1 for key in wanted if self.hit(key)), len(wanted)


def percent(share: tuple[int, int]) -> float:
    """Of 100; one place behind the point, rounded down so that 100 means all."""
    seen, wanted = share
    return 100.0 if seen == wanted else int(1000 * seen / wanted) / 10


class Measure:
    """Measures one game."""

    def __init__(self, suite: Suite, seed: int = 1, random: int = 0, most: int | None = None) -> None:
        self.suite = suite
        self.most = most
        self.game = suite.game
        self.recorder = Recorder(rows(self.game))
        self.games: dict[tuple[Any, ...], tuple[Game, Game]] = {}
        self.faults: list[tuple[Game, FaultyGame]] = []
        diagnostics = Diagnostics()
        files = sources(self.game)
        self.coverage = Coverage(
            self.game.id, self.game.title, files, items(self.game), marks(files, diagnostics), seed, random
        )
        self.diagnostics = diagnostics

    def case(self, case: Case) -> CaseResult:
        """Run a case."""
        with self.recorder.during() as hits:
            result = run_case(self.suite, case, games=self.games, recorder=self.recorder)
        self.coverage.runs.append(Played(case.name, f"{result.file}:{result.line}", hits))
        return result

    def setups(self, options: bool) -> list[tuple[int, dict[str, str]]]:
        """Every number of players; with `options`, also each value of each option that is not its default, one at a time."""
        setups: list[tuple[int, dict[str, str]]] = [(count, {}) for count in self.game.players]
        if options:
            for option in self.game.options:
                others = [value for value in option.values if value != option.default]
                setups += [(count, {option.name: value}) for value in others for count in option.players]
        return setups

    def random_games(self, players: int, options: dict[str, str], progress: Callable[[], None] = lambda: None) -> None:
        """Play games at random, the same as `rulespec simulate` plays; the first is also looked at by everybody."""
        program = self.game.program(players=players, options=options, optimise=False)
        game = WatchedGame.watched(program, self.recorder)
        game.most_decisions = self.most or game.most_decisions
        always = None
        invariants = self.suite.always(options)
        if invariants:
            quick = self.game.program(players=players, options=options, cases=roots_of(invariants))
            always = Always(Game.from_program(quick, backend="reference"), invariants)
        settings = "".join(f", {name}={value}" for name, value in options.items())
        with self.recorder.during() as hits:
            for number in range(self.coverage.random):
                seed = game_seed(self.coverage.seed, number)
                try:
                    playout(game, seed, number == 0, always)
                except Fault as fault:
                    self.faults.append((game, FaultyGame(number, seed, fault)))
                progress()
        name = f"{self.coverage.random} random games, {players} players{settings}"
        self.coverage.runs.append(Played(name, "", hits))

    def finish(self) -> Coverage:
        """The coverage so far, with the items that marks excuse."""
        coverage, findings = self.coverage, Diagnostics()
        findings.take(self.diagnostics)
        coverage.counts, coverage.excused = self.recorder.total(), {}
        excuse(coverage, findings)
        coverage.findings = findings.sorted()
        return coverage


def playout(game: Game, seed: int, look: bool, always: Always | None = None) -> State:
    """A random game to its end; with `look`, everybody looks at everything on the way.  Raises Fault."""
    state = game.new_state(seed, undo=False)
    key, counter = rng.mix(seed ^ rng.GAMMA), 0
    while True:
        if always is not None:
            check(state, always)
        if look:
            for seat in range(game.num_players):
                state.observation(seat)
            for seat in state.pending_players():
                state.decision(seat)
        if state.is_terminal():
            break
        legal = state.legal_actions()
        number = 0
        if len(legal) > 1:
            number, counter = rng.below(key, counter, len(legal))
        state.apply_action(legal[number])
    for _, function in game.program.score:
        for seat in range(game.num_players):
            game.machine.compiler.function(function)(state.slots, seat)
    return state


def check(state: State, always: Always) -> None:
    """Raises Fault R011 where what must always hold does not."""
    compiler = always.setup.machine.compiler
    for fact in always.doubtful(state.slots):
        compiler.refuel()
        if not compiler.function(fact.function)(state.slots):
            broken = Fault(Diagnostic("R011", f"the invariant {ticked(fact.text)} does not hold", fact.span))
            raise state.explained(broken)


def excuse(coverage: Coverage, diagnostics: Diagnostics) -> None:
    """The items that marks excuse from the count.  Reports K006 for a mark of something that was reached, or of nothing.

    A mark is about what begins on its line and was never seen and, where a step there was never run, about all within it.
    """
    for mark in coverage.marks:
        source = mark.where.source
        here = [item for item in coverage.items if item.where.source is source and item.where.line == mark.line]
        unexcused = [item.where for item in here if not any(map(coverage.hit, item.counted()))]
        inside = [
            item
            for item in coverage.items
            if item.where.source is source
            and any(w.start <= item.where.start and item.where.end <= w.end for w in unexcused)
        ]
        never = [key for item in dict.fromkeys((*here, *inside)) for key in item.counted() if not coverage.hit(key)]
        for key in never:
            coverage.excused.setdefault(key, mark)
        if not never:
            said = "nothing that could run stands here" if not here else "everything here was reached"
            diagnostics.add("K006", f"this mark is not needed: {said}", mark.where, help=("take it out",))

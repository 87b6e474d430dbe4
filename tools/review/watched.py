"""Random games on a watched machine: which rules, branches and rows play reaches, and which effects change nothing.

The watched machine is slow.  Where there is no time to watch whole games, only some of their decisions are watched: the games go on
in generated Python, and each watched answer is given once more on the watched machine.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import field
from functools import cached_property

from interpreter import Fault, Game, State
from interpreter.reference.machine import Code, Machine
from interpreter.runtime.values import Locals, Slots
from interpreter.testing.coverage import Key as CountKey
from interpreter.testing.coverage import Recorder, WatchedGame, WatchedMachine
from rulespec import ir
from rulespec.cases.coverage import Item, items, marks, rows, sources
from rulespec.checker.program import CheckedGame
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Span

from ..coverage.measure import Coverage, excuse
from ..playouts import game_seed, random_crew
from .baseline import WATCHED
from .figures import GAME, Key, Sample
from .places import labels
from .series import Clock
from .setups import RANDOM, Setup

GAMES = 40
DECISIONS = 12_000
VARIED = 3  # games with each other option
LOOKS = 8  # at every so many decisions of the first game, everybody looks at the table
STEPS = (ir.Store, ir.Move, ir.MoveCounts, ir.Learn)


@dataclass(slots=True)
class Watched:
    """What watched games reached."""

    coverage: Coverage
    labels: dict[Item, str]
    name: str = WATCHED
    sample: Sample = field(default_factory=Sample)  # of games that were watched whole
    games: int = 0
    decisions: int = 0  # that were watched
    every: int = 1  # one of so many decisions was watched
    hit_in: Counter[CountKey] = field(default_factory=Counter)  # how many games showed it
    seeds: dict[CountKey, tuple[str, int]] = field(default_factory=dict)  # setup and seed of the first game


class EffectMachine(WatchedMachine):
    """A watched machine that also counts whether an effect changes anything."""

    @cached_property
    def declared(self) -> frozenset[int]:
        """The first slots of the variables."""
        return frozenset(variable.base for variable in self.program.variables)

    def compile(self, code: Code) -> None:
        super().compile(code)
        for pc, instruction in enumerate(code.instructions):
            where = instruction.where
            if where is not None and isinstance(instruction, STEPS) and not self.helper(instruction):
                step = list.__getitem__(code.steps, pc)  # to look is not to run
                assert step is not None
                code.steps[pc] = self.effect(instruction, step, where)

    def effect(
        self, i: ir.Instruction, step: Callable[[Slots, Locals], int], where: Span
    ) -> Callable[[Slots, Locals], int]:
        """An effect that counts whether it changed something."""
        yes, no = (self.recorder.cell("effect", where, way) for way in ("changes", "nothing"))
        parts = [slice(low, high) for low, high in self.touched(i)]

        def run(S: Slots, L: Locals) -> int:
            before = [S[part] for part in parts]
            target = step(S, L)
            (yes if any(S[part] != old for part, old in zip(parts, before, strict=True)) else no)[0] += 1
            return target

        return run

    def helper(self, i: ir.Instruction) -> bool:
        """Whether an effect is the checker's own: on a slot that is no variable of the rules."""
        return isinstance(i, ir.Store) and i.base not in self.declared

    def touched(self, i: ir.Instruction) -> list[tuple[int, int]]:
        """The slots that an effect may change."""
        zones, kinds = self.program.zones, self.program.kinds
        if isinstance(i, ir.Store):
            return [(i.base, i.base + i.size)]
        if isinstance(i, ir.Move):
            kind = kinds[zones[i.zone].kind]
            assert kind.location is not None
            return [(kind.location, kind.location + len(kind.members))]
        if isinstance(i, ir.MoveCounts):
            both = [zones[number] for number in (i.source, i.zone) if number is not None]
            return [(zone.base, zone.base + zone.size) for zone in both]
        return [(ir.KNOWN, ir.KNOWN + 1)]


class EffectGame(WatchedGame):
    """A game on such a machine."""

    def make_machine(self) -> Machine:
        return EffectMachine(self.program, self.bodies, self.recorder)


@dataclass(slots=True)
class Bench:
    """A setup made ready: the game that goes on, and the one that is watched."""

    quick: Game
    slow: WatchedGame


def watch(
    checked: CheckedGame,
    setups: list[Setup],
    seed: int,
    games: int,
    until: float,
    progress: Callable[[], None] = lambda: None,
    clock: Clock = time.monotonic,
) -> Watched:
    """Watch random games, until there are enough or it is late: each number of players in turn, then each other option once."""
    recorder = Recorder(rows(checked))
    files, every_item = sources(checked), items(checked)
    coverage = Coverage(checked.id, checked.title, files, every_item, marks(files, Diagnostics()), seed, 0)
    watched = Watched(coverage, labels(every_item))
    plain = [setup for setup in setups if not setup.options and setup.bot == RANDOM]
    varied = [setup for setup in setups if setup.options]
    wanted = [plain[number % len(plain)] for number in range(max(1, min(games, GAMES)))]
    wanted[len(plain) : len(plain)] = varied * VARIED  # early: what no game has looked at is asked about
    start = clock()
    benches: dict[Setup, Bench] = {}
    times: Counter[Setup] = Counter()
    faulty: set[Setup] = set()  # by whose first game
    for number, setup in enumerate(wanted):
        if setup in faulty:
            continue
        if setup not in benches:
            program = checked.program(players=setup.players, options=dict(setup.options), optimise=False)
            benches[setup] = Bench(Game.from_program(program, backend="python"), EffectGame.watched(program, recorder))
        own_seed = game_seed(seed, number)  # another in each setup: games with the same dice are not independent
        before = watched.decisions
        with recorder.during() as hits:
            whole = one_game(benches[setup], own_seed, watched, until, clock, look=not times[setup])
        if not whole and not times[setup] and watched.decisions == before:
            faulty.add(setup)
        times[setup] += 1
        watched.hit_in.update(dict.fromkeys(hits, 1))
        for key in hits:
            watched.seeds.setdefault(key, (setup.name, own_seed))
        watched.games += 1
        if whole and setup in plain:
            watched.sample.add(*figures(watched, hits))
        progress()
        now = clock()
        if now >= until or watched.decisions >= DECISIONS:
            break
        spent, left = (now - start) / watched.games, until - now
        others = len(wanted) - number - 1
        if watched.games <= 2 and spent * others > 4 * left:
            watched.every = max(1, int(spent * others / left))
    coverage.counts = recorder.total()
    excuse(coverage, Diagnostics())
    return watched


def one_game(bench: Bench, seed: int, watched: Watched, until: float, clock: Clock, look: bool) -> bool:
    """Play a game, and watch it; whether it was watched whole.  One that faults is told of by those that are not watched.

    With `look`, everybody looks at the table now and then, for what only pictures and texts ask.
    """
    crew = random_crew(bench.quick, seed)
    whole = watched.every == 1
    try:
        shadow = bench.slow.new_state(seed, undo=False, record=False)
        state = bench.quick.new_state(seed, undo=False, record=False)
        while not state.is_terminal():
            crew.watch(state)
            late = clock() >= until
            whole = whole and not late
            seat = state.current_player()
            action = crew.choose(state, seat)
            if late and state.decisions > 50:
                return False
            if not late and (state.decisions + watched.games) % watched.every == 0:
                shadow = bench.slow.position(list(state.slots), state.main, undo=False, record=False)
                shadow.legal_actions(seat)
                if look and not state.decisions % LOOKS:
                    looks(shadow)
                shadow.apply_action(action, seat)
                watched.decisions += 1
            state.apply_action(action, seat)
        looks(shadow)
    except Fault:
        return False
    return whole


def looks(state: State) -> None:
    """Everybody looks at the table, and at what is asked; and the scores are read."""
    for seat in range(state.setup.num_players):
        state.observation(seat)
        for _, function in state.setup.program.score:
            state.setup.machine.compiler.function(function)(state.slots, seat)
    for seat in state.pending_players():
        state.decision(seat)


def figures(watched: Watched, hits: dict[CountKey, int]) -> tuple[list[str], dict[Key, float]]:
    """The populations and the figures of a game: how often each thing ran, and in which share of times each test held."""
    populations: list[str] = []
    values: dict[Key, float] = {}
    for item, label in watched.labels.items():
        counted = [hits.get(key, 0) for key in item.counted()]
        total = sum(counted)
        if not total:
            continue
        if item.what in ("branch", "condition") and len(item.outcomes) > 1:
            populations.append(label)
            values[label, item.outcomes[0]] = counted[0] / total
        values[GAME, label] = counted[-1] if item.what == "rule" else total
    return populations, values

"""What several tests need: the shipped games loaded, and random games with every operation tried at each decision."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import interpreter
import rulespec
from interpreter.reference.machine import Machine
from interpreter.runtime import rng
from interpreter.testing.cases import Games, Mode, run_case
from interpreter.testing.properties.trial import Bench, Budget, Failure, Trial
from rulespec.cases.compiler import load_cases
from rulespec.cases.data import Suite
from rulespec.ir.gamedef import GameDef
from tests.helpers.places import ALL, GAMES, ROOT

CHANCE = -1
GAMES_PLAYED = int(os.environ.get("EQUALITY_GAMES", "16"))
FEW = Budget(checked=40, twins=2, life=20, longest=20_000)  # what a test looks at in a game
BACKENDS = (
    "generated",
    "reference",
)  # that play positions kept as slots; the tests of native play have their own files
# How cases are run, and on which back end.  "reload" answers each decision on both: a save of one is read by the other.
WAYS = [
    ("straight", "generated"),
    ("straight", "reference"),
    ("reload", "generated"),
    ("undo", "generated"),
    ("undo", "reference"),
]
# Shipped games: taking back on the reference machine too is left to the constructs, which are all that it can meet there.
WAYS_OF_GAMES = WAYS[:-1]


@cache
def shipped() -> tuple[rulespec.GameInfo, ...]:
    """The shipped games, listed once for all tests."""
    return tuple(rulespec.list_games())


def large(folder: Path) -> bool:
    """Whether a shipped game is so large that what is done to all of it takes seconds."""
    return sum(file.stat().st_size for file in folder.glob("*.*")) > 200_000


def setups() -> Iterator[tuple[str, int]]:
    """Every shipped game that is tried with every number of players."""
    tried = {folder.name for folder in GAMES}
    for info in shipped():
        if info.id in tried:
            yield from ((info.id, players) for players in info.players)


def fewest_and_most() -> list[tuple[str, int]]:
    """Every shipped game with its smallest and its largest number of players; with every number where all is tried."""
    every = list(setups())
    least, most = dict(reversed(every)), dict(every)
    return [(name, players) for name, players in every if ALL or players in (least[name], most[name])]


def fewest() -> list[tuple[str, int]]:
    """Every shipped game with its smallest number of players; with every number where all is tried."""
    every = list(setups())
    return every if ALL else [*dict(reversed(every)).items()][::-1]


def loaded(source: Path | str) -> GameDef:
    """A game, by its name or file, loaded once for all tests that leave it as it is."""
    return loaded_from(source if isinstance(source, Path) else ROOT / "games" / source)


@cache
def loaded_from(path: Path) -> GameDef:
    return rulespec.load(path)


@cache
def suite_of(source: Path, variant: str | None = None) -> Suite:
    """A game or a variant of it with its cases, loaded once for all tests that leave it as it is."""
    suite, diagnostics = load_cases(source, variant=variant)
    assert suite is not None, "\n".join(map(rulespec.render, diagnostics))
    return suite


_GAMES: dict[tuple[Path, str | None, str], Games] = {}


def games_of(source: Path, variant: str | None, backend: str) -> Games:
    """What the cases of a suite are played with on a back end."""
    return _GAMES.setdefault((source, variant, backend), {})


def failures(source: Path, mode: Mode, backend: str, variant: str | None = None, most: int | None = None) -> list[str]:
    """The cases that fail in a way of running them; of more than `most` some, evenly."""
    suite, games = suite_of(source, variant), games_of(source, variant, backend)
    step = 1 if most is None else len(suite.cases) // (most + 1) + 1
    results = [run_case(suite, case, mode, backend, games) for case in suite.cases[::step]]
    return [f"{case.file}:{case.line} {case.name}: {case.message}" for case in results if not case.passed]


class Dice:
    """A stream of numbers from a seed."""

    def __init__(self, seed: int) -> None:
        self.key, self.counter = rng.mix(seed + rng.GAMMA), 0

    def below(self, limit: int) -> int:
        number, self.counter = rng.below(self.key, self.counter, limit)
        return number


def random_step(state: interpreter.State, dice: Dice) -> tuple[int, int | None]:
    """A random legal answer: of chance, or of a seat that is asked."""
    if state.current_player() == CHANCE:
        return dice.below(len(state.chance_outcomes())), None
    seats = state.pending_players()
    seat = seats[dice.below(len(seats))]
    legal = state.legal_actions(seat)
    return legal[dice.below(len(legal))], seat


def bench_of(game: interpreter.Game) -> Bench:
    """A game ready to be tried: with the same on the other back end."""
    other = "generated" if isinstance(game.backend, Machine) else "reference"
    return Bench.of(game, interpreter.Game.from_program(game.program, backend=other))


def trial_of(game: interpreter.Game, seed: int, budget: Budget = FEW) -> tuple[Trial, Failure | None]:
    """A random game in which every property is looked at, and the first that fails."""
    trial = Trial(bench_of(game), seed, budget)
    return trial, trial.at_random()


def walk(game: interpreter.Game, seed: int, budget: Budget = FEW) -> interpreter.State:
    """The end of a random game in which every property holds."""
    trial, failure = trial_of(game, seed, budget)
    assert failure is None, f"{failure.property}, seed {failure.seed}: {failure.message}"
    return trial.state

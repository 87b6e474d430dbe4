"""Tries one change of the rules in a copy of the game: does a case that comes to it notice?"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal

from interpreter import Fault, Game
from interpreter.runtime import rng
from interpreter.testing.cases import Games, run_case
from interpreter.testing.coverage import Recorder, WatchedGame
from rulespec import ir
from rulespec.cases.compiler import compile_cases, roots
from rulespec.cases.coverage import rows
from rulespec.cases.data import Case, Suite
from rulespec.checker.program import CheckedGame
from rulespec.loading.reading import Named, read
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostics, RulespecError
from rulespec.text.locate import CASES, files_of
from rulespec.text.yaml_tree import MapNode

from .changes import Change
from .limits import TooLong, time_limit
from .reach import CaseReach, where

SECONDS = 60  # of processor time for a change
GAMES = 20  # at random for each setup, where no case notices
SETUPS = 4  # in which they are played, at most
DECISIONS = 20_000  # of such a game
ENOUGH = 5_000  # decisions of all these games together, after which none begins

How = Literal["refused", "same", "noticed", "endless", "survived", "equal", "late"]
Setting = tuple[int, tuple[tuple[str, str], ...]]  # players, options
Trace = tuple[Any, ...]  # how a random game went


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a change.

    `refused` by the checker; `same` program; `noticed` by the case `by`; `endless`, which is noticed as well; `survived`, with a game at
    random that goes another way; `equal` in all of them; `late`: the time was up before it was tried.
    """

    change: Change
    how: How
    by: str = ""
    seed: int | None = None


class Workbench:
    """A copy of a game in a folder, in which changes are tried one after the other."""

    def __init__(self, folder: Path, file: Path) -> None:
        self.file = folder / file.name
        self.paths: dict[str, Path] = {}  # of the copies, by the name of each file in the original
        for name, source in copied(folder, file):
            self.paths[source] = folder / name
        self.game = self.read()
        self.trees = roots(self.game, self.file, Diagnostics())[1:]
        self.suite = compile_cases(self.game, [self.game.context.root, *self.trees], Diagnostics())
        self.names = {str(copy): original for original, copy in self.paths.items()}
        self.recorder = Recorder(rows(self.game))
        self.watched: Games = {}  # the game as it is, which counts what it comes to
        self.games: dict[Setting, Game | str] = {}  # the game as it is, to be played at random
        self.played: dict[tuple[Setting, int], Trace] = {}

    def read(self) -> CheckedGame:
        """The game as its copy is now; raises RulespecError."""
        diagnostics = Diagnostics()
        game = read(self.file, diagnostics)
        if game is None:
            raise RulespecError(diagnostics.errors)
        return game

    # --- what cases come to -------------------------------------------------------------------------------------------
    def reached(self, names: frozenset[str]) -> list[CaseReach]:
        """What some cases come to in the game as it is."""
        reached = []
        for case in self.suite.cases:
            if case.name in names:
                key = (case.players, case.options)
                if key not in self.watched:
                    program = self.suite.program(case, optimise=False)
                    watched = WatchedGame.watched(program, self.recorder)
                    self.watched[key] = (watched, WatchedGame.watched(program, Recorder()))
                with self.recorder.during() as hits:
                    result = run_case(self.suite, case, games=self.watched)
                places = frozenset(self.original(where(key[1])) for key in hits)
                reached.append(CaseReach(case.name, result.passed, sum(hits.values()), places))
        return reached

    def original(self, place: tuple[str, int, int]) -> tuple[str, int, int]:
        """A place in the copy as one of the original."""
        named = self.names.get(str(Path(place[0]).absolute()), place[0])
        return named, place[1], place[2]

    # --- one change ---------------------------------------------------------------------------------------------------
    def judge(self, change: Change, names: tuple[str, ...]) -> Verdict:
        """Try a change with the cases that come to it."""
        path = self.paths[change.file]
        original = path.read_bytes()
        path.write_bytes(change.applied(original.decode("utf-8")).encode())
        try:
            with time_limit(SECONDS):
                tried = self.by_cases(change, names)
        except TooLong:
            return Verdict(change, "endless")
        finally:
            path.write_bytes(original)
        if isinstance(tried, Verdict):
            return tried
        try:
            with time_limit(SECONDS):
                return self.in_play(change, *tried)
        except TooLong:  # no case was so long, and no game without the change
            return Verdict(change, "survived")

    def by_cases(self, change: Change, names: tuple[str, ...]) -> Verdict | tuple[CheckedGame, list[Case]]:
        """What becomes of the change that stands in the copy; where no case notices, the changed game and its cases."""
        try:
            game = self.read()
        except RulespecError:
            return Verdict(change, "refused")
        if meaning(game) == meaning(self.game):
            return Verdict(change, "same")
        chosen = frozenset(names)
        trees = [only(tree, chosen) for tree in (game.context.root, *self.trees)]
        suite = compile_cases(game, trees, Diagnostics())
        if suite.faulty:
            return Verdict(change, "noticed", suite.faulty[0][0])
        cases = {case.name: case for case in suite.cases}
        games: Games = {}
        for name in names:
            if not passes(suite, cases[name], games):
                return Verdict(change, "noticed", name)
        return game, [cases[name] for name in names]

    def in_play(self, change: Change, game: CheckedGame, cases: list[Case]) -> Verdict:
        """Whether random games in the setups of some cases go as they do without the change: of each setup one, then another one."""
        keys = list(dict.fromkeys((case.players or game.players[0], case.options) for case in cases))
        keys = keys[:SETUPS] or [(count, ()) for count in dict.fromkeys((game.players[0], game.players[-1]))]
        changed: dict[Setting, Game | str] = {}
        decisions = 0
        for seed in range(GAMES):
            for key in keys:
                if key not in changed:
                    changed[key] = made(game, key)
                for mine, usual in zip_longest(trace(changed[key], seed), self.usual(key, seed)):
                    if mine != usual:
                        return Verdict(change, "survived", seed=seed)
                    decisions += 1
                if decisions >= ENOUGH:
                    return Verdict(change, "equal")
        return Verdict(change, "equal")

    def usual(self, key: Setting, seed: int) -> Trace:
        """How a random game goes without a change."""
        if key not in self.games:
            self.games[key] = made(self.game, key)
        if (key, seed) not in self.played:
            self.played[key, seed] = tuple(trace(self.games[key], seed))
        return self.played[key, seed]


def copied(folder: Path, file: Path) -> list[tuple[str, str]]:
    """Copy what a game is made of, its cases too; of each file of the rules the name in the game's folder and in messages."""
    sources: Named = []
    if read(file, Diagnostics(), sources) is None:
        raise ValueError(f"{file} is no game")
    (folder / CASES).mkdir(parents=True, exist_ok=True)
    for path in files_of(file.parent / CASES):
        shutil.copy(path, folder / CASES / path.name)
    for name, _ in sources:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file.parent / name, folder / name)
    return [(name, source.name) for name, source in sources]


def only(tree: MapNode, names: frozenset[str]) -> MapNode:
    """A tree with some of its cases alone."""
    section = tree.get("cases")
    if not isinstance(section, MapNode):
        return tree
    kept = MapNode(tuple(entry for entry in section.entries if entry[0].value in names), section.span)
    entries = tuple((key, kept if key.value == "cases" else value) for key, value in tree.entries)
    return MapNode(entries, tree.span)


def meaning(game: CheckedGame) -> list[ir.Program]:
    """What play knows of a game, for each size of its boards; what only draws it is left out."""
    programs = []
    for one in (game, *game.sizes.values()):
        program = one.template
        drawn = set(program.drawn())
        needed = tuple(function for number, function in enumerate(program.functions) if number not in drawn)
        programs.append(replace(program, digest="", picture=None, table=ir.Table(), functions=needed))
    return programs


def passes(suite: Suite, case: Case, games: Games) -> bool:
    """Whether a case passes on the reference machine; nothing is folded first, which takes longer than most cases."""
    key = (case.players, case.options)
    if key not in games:
        try:
            game = WatchedGame.watched(suite.program(case, optimise=False), Recorder())
        except RulespecError:
            return False
        games[key] = (game, game)
    return run_case(suite, case, games=games).passed


def made(checked: CheckedGame, key: Setting) -> Game | str:
    """A game in a setting, or why it cannot be played so."""
    players, options = key
    try:
        return Game(checked, players=players, options=dict(options), backend="python")
    except RulespecError as error:
        return str(error)


def trace(game: Game | str, seed: int) -> Iterator[Any]:
    """How a random game goes: a digest of who might do what, at each decision, then all that lies on the table; a fault by its code."""
    if isinstance(game, str):
        yield game
        return
    try:
        state = game.new_state(seed, undo=False, record=False)
        key, counter, offered = rng.mix(seed ^ rng.GAMMA), 0, 0
        while state.decisions < DECISIONS and not state.is_terminal():
            legal = state.legal_actions()
            offered = hash((offered, state.current_player(), *legal))
            yield offered
            number, counter = rng.below(key, counter, len(legal))
            state.apply_action(legal[number])
        yield tuple(state.slots[ir.RANDOM + 1 :])
    except Fault as fault:
        yield fault.diagnostic.code


def late(deadline: float | None) -> bool:
    """Whether the time to begin another change is up."""
    return deadline is not None and time.time() >= deadline

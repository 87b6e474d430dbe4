"""Tries one mutant: does `rulespec lint` find it, or a case of the game, or random play?"""

from __future__ import annotations

import contextlib
import io
import json
import shutil
from collections import Counter
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

from interpreter import CHANCE, Fault, Game
from interpreter.runtime import rng
from interpreter.testing.cases import run_cases
from rulespec.cases.compiler import load_cases
from rulespec.cases.data import Case, Suite
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import RulespecError
from rulespec.text.source import shown_path

from ...commands import lint
from ...mutants.limits import TooLong, time_limit
from .families import Mutant
from .leading import leads

GAMES = 20  # at random, over the fewest and the most players
DECISIONS = 20_000  # of a random game; the longest of the shipped games has a few hundred
BESIDE = ("cases", "variants")  # folders of a game that lint reads too
RETRIES = 1  # another seed for cases that play to the end and state what holds at every decision
SECONDS = 60  # of processor time for a mutant, so that a busy machine changes nothing; who needs longer is not caught

Finding = tuple[str, str, str]  # code, message, file


@dataclass(frozen=True, slots=True)
class MutantVerdict:
    """What became of a mutant: `how` is static, by_cases, by_play, survived, timed_out or crashed."""

    mutant: Mutant
    how: str
    code: str = ""
    said: str = ""
    cases_only: bool = False  # static, by findings in the files of cases and variants alone
    leads: str = ""  # static: how what is said first leads to the mistake


def static(game: Path) -> list[Finding]:
    """The findings of lint in a game."""
    return [finding(entry) for entry in entries(game)]


def entries(game: Path) -> list[dict[str, Any]]:
    """What `rulespec lint` says of a game: the command itself is asked, so that nothing is measured that no author gets."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        lint.command.main([str(game), "--format", "json"], standalone_mode=False)
    diagnostics: list[dict[str, Any]] = json.loads(out.getvalue())["diagnostics"]
    return diagnostics


def finding(entry: dict[str, Any]) -> Finding:
    """What a finding is known by, wherever the game lies."""
    return entry["code"], entry["message"], place(str(entry["file"]))


def place(file: str) -> str:
    """A file's name from the game's folder."""
    path = Path(file)
    return f"{path.parent.name}/{path.name}" if path.parent.name in BESIDE else path.name


def by_cases(suite: Suite) -> str:
    """The first case that fails, and why; empty if all pass. Those of one setup share their program."""

    def setup(case: Case) -> tuple[int, str]:
        return case.players or 0, repr(case.options)

    for _, cases in groupby(sorted(suite.cases, key=setup), setup):
        for result in run_cases(Suite(suite.game, tuple(cases))):
            if not result.passed:
                return f"{result.name}: {result.message}"
    return ""


def by_play(suite: Suite) -> str:
    """What goes wrong in random games: a fault, no end, or an invariant of a case that does not hold; empty if nothing does."""
    players: tuple[int, ...] = suite.game.players
    try:
        for count in sorted({players[0], players[-1]}):
            game = Game(suite.game, players=count, backend="python")
            for seed in range(GAMES if len(players) == 1 else GAMES // 2):
                if not ends(game, seed):
                    return f"a game of {count} with seed {seed} does not end within {DECISIONS:,} decisions"
    except Fault as fault:
        return f"{fault.diagnostic.code}: {fault.diagnostic.message}"
    except RulespecError as error:
        return str(error)
    for case in suite.cases:
        if case.finish and case.invariants and not case.fault:
            others = [with_seed(case, seed) for seed in range(1, RETRIES + 1)]
            for result in run_cases(Suite(suite.game, tuple(others))):
                if not result.passed:
                    return f"{result.name}, another seed: {result.message}"
    return ""


def with_seed(case: Case, seed: int) -> Case:
    """A case that plays on from another seed and asks only for its invariants."""
    return replace(case, seed=case.seed + seed, facts=(), returns=None)


def ends(game: Game, seed: int) -> bool:
    """Whether a random game comes to its end; raises Fault."""
    state = game.new_state(seed, undo=False, record=False)
    key, counter = rng.mix(seed ^ rng.GAMMA), 0
    for _ in range(DECISIONS):
        if state.is_terminal():
            return True
        assert state.current_player() != CHANCE  # it has a seed
        legal = state.legal_actions()
        number, counter = rng.below(key, counter, len(legal))
        state.apply_action(legal[number])
    return state.is_terminal()


class Workbench:
    """Copies of the games in a folder of one worker, in which mutants are tried one after the other."""

    def __init__(self, folder: Path, originals: dict[str, Path], known: dict[str, list[Finding]]) -> None:
        self.folder = folder
        self.originals = originals
        self.known = known  # what lint says of the unbroken games

    def copy(self, game: str) -> Path:
        """A game's copy."""
        path, original = self.folder / game, self.originals[game]
        if original.is_file():  # a game of one file
            path.mkdir(exist_ok=True)
            if not (path / "game.yaml").exists():
                shutil.copy(original, path / "game.yaml")
        elif not path.is_dir():
            shutil.copytree(original, path)
        return path

    def judge(self, mutant: Mutant) -> MutantVerdict:
        """Try a mutant."""
        folder = self.copy(mutant.game)
        file = folder / mutant.file
        original = file.read_bytes()
        file.write_bytes(mutant.text(original.decode("utf-8-sig")).encode())
        try:
            with time_limit(SECONDS):
                return self.verdict(mutant, folder)
        except TooLong:
            return MutantVerdict(mutant, "timed_out", said=f"no verdict within {SECONDS} s of processor time")
        except Exception as error:  # a fault of ours, which is listed and not counted as caught
            return MutantVerdict(mutant, "crashed", said=f"{type(error).__name__}: {error}")
        finally:
            file.write_bytes(original)

    def verdict(self, mutant: Mutant, folder: Path) -> MutantVerdict:
        told = entries(folder)
        new = list((Counter(map(finding, told)) - Counter(self.known[mutant.game])).elements())
        if new:
            code, message, _ = new[0]
            only = all(Path(file).parent.name in BESIDE for _, _, file in new)
            first = next(entry for entry in told if finding(entry) == new[0])
            return MutantVerdict(mutant, "static", code, message, only, leads(first, mutant))
        suite, _ = load_cases(folder)
        assert suite is not None  # lint found nothing
        if said := by_cases(suite):
            return MutantVerdict(mutant, "by_cases", said=plain(said, folder))
        if said := by_play(suite):
            return MutantVerdict(mutant, "by_play", said=plain(said, folder))
        return MutantVerdict(mutant, "survived")


def plain(text: str, folder: Path) -> str:
    """The first line of a message, with files named from the game's folder."""
    return text.splitlines()[0].replace(f"{shown_path(folder)}/", "").replace(f"{folder}/", "")


def unbroken(folder: Path) -> tuple[list[Finding], str]:
    """What is said of a game as it is: the findings of lint, and what cases or random play say if it is not empty."""
    findings = static(folder)
    suite, _ = load_cases(folder)
    return findings, "does not load" if suite is None else by_cases(suite) or by_play(suite)


def worker(arguments: tuple[Any, ...]) -> None:
    """Make a process ready."""
    global BENCH
    BENCH = Workbench(*arguments)


BENCH: Workbench


def try_mutant(mutant: Mutant) -> MutantVerdict:
    """Try a mutant in a process that is ready."""
    return BENCH.judge(mutant)

"""Planted leaks: games in which one thing tells a player what he may not know (`tests/leaks`).

`python -m tests.helpers.leaks` looks for each of them, by lint and, where that finds nothing, in play.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from unittest.mock import patch

import yaml

import interpreter
import rulespec
from interpreter.testing.properties.shrink import shrunk
from interpreter.testing.properties.trial import FAULTS, LEAKS, UNDO, Budget, Failure, Trial
from rulespec.checker.program import CheckedGame
from rulespec.lint.flow import leaks
from tests.helpers.flow import completed
from tests.helpers.games import bench_of
from tests.helpers.places import ROOT

FOLDER = ROOT / "tests/leaks"
GAMES = 12  # that are played for one leak
SHOWN = {LEAKS, FAULTS}  # a fault that ends a game is told, with the number that led to it
LEAST = 118  # there are, of which static analysis finds 116 at least
BY_LINT = 116


class Planted(NamedTuple):
    """One planted leak: an entry of a file, as its README says."""

    name: str
    entry: dict[str, object]

    @property
    def found_by_lint(self) -> bool:
        """Whether static analysis finds it."""
        return self.entry["found by"] == "lint"

    @property
    def codes(self) -> set[str]:
        """The codes of lint, one of which it gives at least."""
        codes = self.entry.get("codes", [])
        assert isinstance(codes, list)
        return set(codes)

    def written_to(self, target: Path) -> Path:
        """The game with the leak, in a folder: the path of its folder or file."""
        if "legitimate" in self.entry:
            name, old, new = (str(self.entry[key]) for key in ("legitimate", "old", "new"))
            text, path = (ROOT / "tests/legitimate" / f"{name}.yaml").read_text(encoding="utf-8"), target / "game.yaml"
            assert old in text, f"{self.name}: {name} has not this text"
            path.write_text(text.replace(old, new, 1), encoding="utf-8")
            return path
        if "overlay" in self.entry:
            return self.variant_in(target)
        if "game" not in self.entry:
            path = target / "game.yaml"
            own = self.entry
            path.write_text(str(own["whole"]) if "whole" in own else completed(str(own["steps"])), encoding="utf-8")
            return path
        game, file, old, new = (str(self.entry[key]) for key in ("game", "file", "old", "new"))
        folder = target / game
        shutil.copytree(ROOT / "games" / game, folder, ignore=shutil.ignore_patterns("cases", "bots"))
        text = (folder / file).read_text(encoding="utf-8")
        assert old in text, f"{self.name}: {file} has not this text"
        (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
        return folder

    def variant_in(self, target: Path) -> Path:
        """A variant of a game, or of one of its variants, that lies next to them."""
        base = str(self.entry["overlay"])
        shutil.copytree(overlaid(base), target / "variants")
        head = {"extends": base, "id": self.name, "changes": self.entry["changes"]}
        path = target / "variants" / f"{self.name}.yaml"
        path.write_text(yaml.safe_dump(head, sort_keys=False), encoding="utf-8")
        return path


def overlaid(base: str) -> Path:
    """The folder of variants in which a variant lies, or that of a game."""
    here = next((ROOT / "games").glob(f"*/variants/{base}.yaml"), None)
    return here.parent if here else ROOT / "games" / base / "variants"


def planted() -> list[Planted]:
    """Every planted leak."""
    return [
        Planted(name, entry)
        for path in sorted(FOLDER.glob("*.yaml"))
        for name, entry in yaml.safe_load(path.read_text(encoding="utf-8")).items()
    ]


def codes_in(path: Path) -> set[str]:
    """The codes of what leaks in a game, as lint sees it."""
    game, findings = rulespec.check(path)
    assert isinstance(game, CheckedGame), "\n".join(map(rulespec.render, findings))
    return {d.code for d in leaks(game)}


def seen_in_play(leak: Planted, folder: Path, wanted: set[str], short: bool = False) -> Failure | None:
    """How a leak shows in a few random games, with a script made short if that is wanted."""
    found = rulespec.load(leak.written_to(folder))
    only = LEAKS if wanted == SHOWN else None  # faults are told whatever is looked at
    for players in sorted({found.players[0], found.players[-1]}):
        bench = bench_of(interpreter.Game(found, players=players))
        for seed in range(GAMES):
            failure = Trial(bench, seed, Budget(checked=100, longest=2000), only).at_random()
            if failure is not None and failure.property in wanted:
                return shrunk(bench, failure) if short else failure
    return None


def seen_without_lint(leak: Planted, folder: Path) -> Failure | None:
    """How a leak shows in play that lint cannot see: what an answer tells that is taken back, where nothing stands against that."""
    if leak.entry["kind"] != "undo":
        return seen_in_play(leak, folder, {UNDO, *SHOWN}, short=True)
    (folder / "barred").mkdir()
    assert seen_in_play(leak, folder / "barred", {UNDO}) is None
    with patch.object(interpreter.State, "can_take_back", last_answer_was_his):
        return seen_in_play(leak, folder, {UNDO, *SHOWN}, short=True)


def last_answer_was_his(state: interpreter.State, seat: int) -> bool:
    """Whether an answer could be taken back if nothing that it tells stood against it."""
    return state.past is not None and state.history[0][0] == seat and state.history[1] is state.past[0][2]


def main() -> int:
    """Look for every planted leak; 1 if one is not found, or too few are by lint."""
    by_lint, in_play, missed = 0, 0, []
    for leak in planted():
        with TemporaryDirectory() as folder:
            if codes_in(leak.written_to(Path(folder))) & leak.codes:
                by_lint += 1
                continue
        with TemporaryDirectory() as folder:
            if seen_without_lint(leak, Path(folder)) is not None:
                in_play += 1
            else:
                missed.append(leak.name)
    every = by_lint + in_play + len(missed)
    print(f"{by_lint + in_play} of {every} planted leaks: {by_lint} by lint, {in_play} others in play")
    for name in missed:
        print(f"not found: {name}")
    return int(bool(missed) or every < LEAST or by_lint < BY_LINT)


if __name__ == "__main__":
    sys.exit(main())

"""Planted leaks: games in which one thing tells a player what he may not know (`tests/leaks`)."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import yaml

from tests.helpers.flow import completed
from tests.helpers.places import ROOT

FOLDER = ROOT / "tests/leaks"


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


def planted() -> list[Planted]:
    """Every planted leak."""
    return [
        Planted(name, entry)
        for path in sorted(FOLDER.glob("*.yaml"))
        for name, entry in yaml.safe_load(path.read_text(encoding="utf-8")).items()
    ]

"""The games of the family: its variants, and what the other library calls them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

import rulespec
from interpreter import Game

ROOT = Path(__file__).resolve().parents[3]
NAMES: dict[str, str | bool] = yaml.safe_load((Path(__file__).parent / "names.yaml").read_text(encoding="utf-8"))
FOLDER = ROOT / "games" / str(NAMES["base"])
RECORDED = ROOT / "tests" / "games" / "family.yaml"


@dataclass(frozen=True, slots=True)
class Member:
    """A game of the family: a variant of its base, or the base itself."""

    file: Path
    title: str
    extends: str
    about: str
    there: str | None  # its name in the other library, if that has it

    @property
    def id(self) -> str:
        """Its name here."""
        return self.file.stem if self.file.parent != FOLDER else FOLDER.name

    @property
    def lines(self) -> int:
        """How long its rules are: without comments, lines of nothing, and cases."""
        rules, _, _ = self.file.read_text(encoding="utf-8").partition("\ncases:\n")
        return sum(bool(line.strip()) and not line.startswith("#") for line in rules.splitlines())

    def game(self, backend: str) -> Game:
        """The game, to be played.  Raises RulespecError."""
        variant = None if self.file.parent == FOLDER else self.id
        return Game(rulespec.load(FOLDER, variant=variant), backend=backend)


def members() -> Iterator[Member]:
    """The base, then its variants by name."""
    for file in (FOLDER / "game.yaml", *sorted(FOLDER.glob("variants/*.yaml"))):
        head = yaml.safe_load(file.read_text(encoding="utf-8"))
        name = NAMES.get(head["id"], head["id"])
        extends = head.get("extends", "")
        below = extends if isinstance(extends, str) else " ".join(extends)
        yield Member(file, head["title"], below, head["about"], str(name) if name else None)

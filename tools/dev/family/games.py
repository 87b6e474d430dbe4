"""The games of the families: their variants, and what another library calls them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import yaml

import rulespec
from interpreter import Game

from .judges import Judge, judge

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True, slots=True)
class Family:
    """Games with one base."""

    base: str
    judged_by: str
    plies: int  # of a game that is recorded
    names: dict[str, str | bool] = field(compare=False)

    @property
    def folder(self) -> Path:
        """Where its base is."""
        return ROOT / "games" / self.base

    @property
    def recorded(self) -> Path:
        """Games of the other library, which are kept for the tests."""
        return ROOT / "tests" / "games" / f"{self.base}.yaml"

    @property
    def judge(self) -> Judge:
        """What judges its games."""
        return judge(self.judged_by)

    def members(self) -> Iterator[Member]:
        """The base, then its variants by name."""
        for file in (self.folder / "game.yaml", *sorted(self.folder.glob("variants/*.yaml"))):
            head = yaml.safe_load(file.read_text(encoding="utf-8"))
            name = self.names.get(head["id"], head["id"])
            extends = head.get("extends", "")
            below = extends if isinstance(extends, str) else " ".join(extends)
            yield Member(self, file, head["title"], below, head["about"], str(name) if name else None)


@dataclass(frozen=True, slots=True)
class Member:
    """A game of a family: a variant of its base, or the base itself."""

    family: Family
    file: Path
    title: str
    extends: str
    about: str
    there: str | None  # its name in the other library, if that has it

    @property
    def id(self) -> str:
        """Its name here."""
        return self.file.stem if self.file.parent != self.family.folder else self.family.base

    @property
    def lines(self) -> int:
        """How long its rules are: without comments, lines of nothing, and cases."""
        rules, _, _ = self.file.read_text(encoding="utf-8").partition("\ncases:\n")
        return sum(bool(line.strip()) and not line.startswith("#") for line in rules.splitlines())

    def game(self, backend: str) -> Game:
        """The game, to be played.  Raises RulespecError."""
        variant = None if self.id == self.family.base else self.id
        return Game(rulespec.load(self.family.folder, variant=variant), backend=backend)


FAMILIES = tuple(
    Family(base, said["judge"], said["recorded"], said["names"])
    for base, said in yaml.safe_load((Path(__file__).parent / "names.yaml").read_text(encoding="utf-8")).items()
)


def members() -> Iterator[Member]:
    """The games of all families."""
    for family in FAMILIES:
        yield from family.members()

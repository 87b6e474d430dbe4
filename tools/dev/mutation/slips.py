"""The second set of mutants: mistakes of meaning that people make, written by hand as data in tests/slips.

game: games/noughts
mistakes:
  - {class: wrong name, was: "win: active", now: "win: rival(active)", why: The one who did not complete the row wins}

`in` names the file, where it is not the game's own. What `was` says stands in it once.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from rulespec.system.records import dataclass

from .families import Mutant

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "tests" / "slips"
CLASSES = {
    "wrong name": "another variable, zone, player or member of the right type",
    "forgotten step": "a step, or what undoes it later, is not there",
    "weak check": "a condition lets through what it should stop, or stops what it should let through",
    "wrong way": "the other direction, the other branch, most for least, the wrong side",
    "wrong number": "a number that is not that of the texts or of the rules",
    "copy": "lines that were copied, with one name left as it was",
    "cost": "what is to be paid is not taken, or not asked for",
}


class BadSlip(ValueError):
    """A file of mistakes that does not fit its game: says which, and why."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A mistake: the mutant (its family is the class), and why it is one."""

    mutant: Mutant
    why: str


def read(folder: Path = FOLDER) -> tuple[list[Path], list[Slip]]:
    """The games (folders, or the files of games of one file), and all mistakes by game; raises BadSlip."""
    games, slips = [], []
    for path in sorted(folder.glob("*.yaml")):
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        game = ROOT / data["game"]
        games.append(game)
        slips += [slip(game, number, row, path.name) for number, row in enumerate(data["mistakes"], 1)]
    return games, slips


def slip(game: Path, number: int, row: dict[str, Any], name: str) -> Slip:
    """One mistake of a game; raises BadSlip if its class is unknown or `was` does not stand in the file exactly once."""
    file = game if game.is_file() else game / row.get("in", "game.yaml")
    text, was, now = file.read_text(encoding="utf-8"), row["was"], row["now"]
    times = text.count(was)
    if times != 1 or was == now or row["class"] not in CLASSES or not row["why"]:
        raise BadSlip(f"{name}, mistake {number}: stands {times} times: {was!r}")
    start = text.index(was)
    line = text.count("\n", 0, start) + 1
    mutant = Mutant(
        title(game), row["class"], "game.yaml" if game.is_file() else file.name, line, start, start + len(was), was, now
    )
    return Slip(mutant, row["why"])


def title(game: Path) -> str:
    """What a game is called here."""
    return game.stem


def has_cases(game: Path) -> bool:
    """Whether a game has cases of its own."""
    return (game / "cases").is_dir()

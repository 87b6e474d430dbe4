"""The digests that every machine must come to."""

from __future__ import annotations

import json
from pathlib import Path

import rulespec

from .digests import Digests, of_game

FILE = Path(__file__).resolve().parents[3] / "tests" / "golden" / "digests.json"
GAMES = 2  # of each number of players


def digests(name: str, backend: str = "generated") -> Digests:
    """Of a few games of a shipped game."""
    return of_game(name, GAMES * len(rulespec.load(name).players), backend)


def read() -> Digests:
    """Those that are kept."""
    digests: Digests = json.loads(FILE.read_text(encoding="utf-8"))
    return digests


def text(names: tuple[str, ...]) -> str:
    """The file as it has to be."""
    wanted: Digests = {}
    for name in names:
        wanted |= digests(name)
    return json.dumps(dict(sorted(wanted.items())), indent=2) + "\n"

"""Which games are tried in the interfaces of other libraries.

A few; those that `ENVS_GAMES` names, as `.ci/run` does; or all where `ENVS_ALL` is set (`make envs-test`).
"""

from __future__ import annotations

import os
from pathlib import Path

import rulespec
from tests.helpers.games import loaded, shipped
from tests.helpers.places import ROOT

ALL = bool(os.environ.get("ENVS_ALL"))
SEALED = str(ROOT / "tests/legitimate/sealed_auction.yaml")
NAMED = os.environ.get("ENVS_GAMES", "").split()
FEW = ("kuhn_poker", "tic_tac_toe", SEALED)
GAMES = (*(info.id for info in shipped()), SEALED) if ALL else NAMED or FEW


def game_of(name: str) -> rulespec.Game:
    """A game by its name or path, played in Python."""
    return rulespec.Game(loaded(Path(name) if "/" in name else name), backend="python")

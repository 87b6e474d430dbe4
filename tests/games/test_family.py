"""The family of chess: games of Fairy-Stockfish, which were recorded, as its variants play them."""

from __future__ import annotations

import os

import pytest
import yaml

from tools.dev.family.games import RECORDED, members
from tools.dev.family.recorded import GAMES, replayed

KEPT: dict[str, list[str]] = yaml.safe_load(RECORDED.read_text(encoding="utf-8"))
ALL = {member.id: member for member in members()}
EVERY = 1 if "EQUALITY_GAMES" in os.environ else 7  # a sample: each seventh
SAMPLE = sorted(KEPT)[::EVERY]
SHORT = GAMES if "EQUALITY_GAMES" in os.environ else 4


def test_each_game_that_the_other_library_has_is_recorded() -> None:
    assert KEPT.keys() == {name for name, member in ALL.items() if member.there}
    assert {len(games) for games in KEPT.values()} == {GAMES}


@pytest.mark.parametrize("name", SAMPLE)
def test_recorded_games(name: str) -> None:
    """The same numbers of legal moves all the way."""
    game = ALL[name].game("python")
    for text in KEPT[name][:SHORT]:
        assert replayed(game, text) == text


def test_variants_are_short() -> None:
    """Half of them have at most ten lines after the heading, none over forty; the base has at most 350 and names none."""
    base = ALL["chess_family"].file.read_text(encoding="utf-8")
    lines = sorted(member.lines for member in ALL.values() if member.extends)
    assert lines[-1] <= 40 and lines[len(lines) // 2] <= 15
    assert len(base.splitlines()) <= 350
    assert not [name for name in ALL if name in base and name not in ("chess_family", "chancellor")]

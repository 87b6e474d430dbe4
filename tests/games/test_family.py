"""The family of chess: games of Fairy-Stockfish, which were recorded, as its variants play them."""

from __future__ import annotations

import pytest
import yaml

from tests.helpers.places import ALL, ROOT
from tools.dev.family.games import RECORDED, members
from tools.dev.family.pairs import drawn, tried
from tools.dev.family.recorded import GAMES, replayed

KEPT: dict[str, list[str]] = yaml.safe_load(RECORDED.read_text(encoding="utf-8"))
FAMILY = {member.id: member for member in members()}
EVERY = 1 if ALL else 13  # a sample: each thirteenth
SAMPLE = sorted(KEPT)[::EVERY]
SHORT = GAMES if ALL else 4


def test_each_game_that_the_other_library_has_is_recorded() -> None:
    assert KEPT.keys() == {name for name, member in FAMILY.items() if member.there}
    assert {len(games) for games in KEPT.values()} == {GAMES}


@pytest.mark.parametrize("name", SAMPLE)
def test_recorded_games(name: str) -> None:
    """The same numbers of legal moves all the way."""
    game = FAMILY[name].game("python")
    for text in KEPT[name][:SHORT]:
        assert replayed(game, text) == text


def test_variants_are_short() -> None:
    """Half of them have at most ten lines after the heading, none over forty; the base has at most 350 and names none."""
    base = FAMILY["chess_family"].file.read_text(encoding="utf-8")
    lines = sorted(member.lines for member in FAMILY.values() if member.extends)
    assert lines[-1] <= 40 and lines[len(lines) // 2] <= 10
    assert len(base.splitlines()) <= 350
    assert not [name for name in FAMILY if name in base and name not in ("chess_family", "chancellor")]


def test_the_page_says_what_each_game_is_and_how_long() -> None:
    page = (ROOT / "docs/family.md").read_text(encoding="utf-8")
    assert not [one.id for one in FAMILY.values() if f"| `{one.id}` | {one.about} | {one.lines} |" not in page]


@pytest.mark.parametrize(("one", "two"), drawn(200 if ALL else 10, seed=0))
def test_two_at_once_play_or_say_why_not(one: str, two: str) -> None:
    """Either some decisions of a random game, or one message: two that set one thing, or one that names what the other took away."""
    pair = tried(one, two, decisions=12)
    assert (pair.decisions > 0) == (pair.outcome == "plays")
    assert pair.outcome != "not clear", pair.message

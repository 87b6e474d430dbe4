"""The families: games of other libraries, which were recorded, as variants of one base play them."""

from __future__ import annotations

from statistics import median

import pytest
import yaml

from tests.helpers.places import ALL, ROOT
from tools.dev.family import games
from tools.dev.family.games import Member, members
from tools.dev.family.pairs import drawn, tried
from tools.dev.family.recorded import GAMES

FAMILIES = tuple(one for one in games.FAMILIES if one.base != "whist_family")  # which is in `test_whist_family.py`
KEPT: dict[str, dict[str, list[str]]] = {
    family.base: yaml.safe_load(family.recorded.read_text(encoding="utf-8")) for family in FAMILIES
}
LONGEST = {"chess_family": (350, 40), "draughts_family": (250, 20)}  # lines of the base, and of a variant
EVERY = {"chess_family": 13, "draughts_family": 5}  # a sample: each thirteenth, each fifth
PAIRS = {"chess_family": 10, "draughts_family": 4}
SHORT = {"chess_family": 4, "draughts_family": 1}


def sample() -> list[Member]:
    """The games whose recorded ones are played again."""
    found = []
    for family in FAMILIES:
        judged = [one for one in family.members() if one.there]
        found += judged if ALL else judged[:: EVERY[family.base]]
    return found


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.base)
def test_each_game_that_the_other_library_has_is_recorded(family) -> None:
    assert KEPT[family.base].keys() == {one.id for one in family.members() if one.there}
    assert {len(kept) for kept in KEPT[family.base].values()} == {GAMES}


@pytest.mark.parametrize("member", sample(), ids=lambda member: member.id)
def test_recorded_games(member: Member) -> None:
    """The same numbers of legal moves all the way."""
    game, base = member.game("python"), member.family.base
    for text in KEPT[base][member.id][: GAMES if ALL else SHORT[base]]:
        assert member.family.judge.replayed(game, text) == text


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.base)
def test_variants_are_short(family) -> None:
    """Half of them have at most ten lines after the heading; the base names none."""
    base, variants = "", []
    for one in family.members():
        if one.extends:
            variants.append(one)
        else:
            base = one.file.read_text(encoding="utf-8")
    most_of_base, most = LONGEST[family.base]
    lines = [one.lines for one in variants]
    assert max(lines) <= most and median(lines) <= 10
    assert len(base.splitlines()) <= most_of_base
    assert not [one.id for one in variants if one.id in base and one.id != "chancellor"]


def test_the_page_says_what_each_game_is_and_how_long() -> None:
    page = (ROOT / "docs/family.md").read_text(encoding="utf-8")
    assert not [one.id for one in members() if f"| `{one.id}` | {one.about} | {one.lines} |" not in page]


@pytest.mark.parametrize(
    ("family", "one", "two"),
    [(family, *pair) for family in FAMILIES for pair in drawn(family, 200 if ALL else PAIRS[family.base], seed=0)],
    ids=lambda part: getattr(part, "base", part),
)
def test_two_at_once_play_or_say_why_not(family, one: str, two: str) -> None:
    """Either some decisions of a random game, or one message: two that set one thing, or one that names what the other took away."""
    pair = tried(family, one, two, decisions=12)
    assert (pair.decisions > 0) == (pair.outcome == "plays")
    assert (pair.message == "") == (pair.outcome in ("plays", "over at once"))
    assert pair.outcome != "not clear", pair.message

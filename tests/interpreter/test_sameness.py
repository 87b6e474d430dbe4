"""The same spec and seed give the same game: on every machine, Python, hash seed and back end, in one process and in many."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.helpers.games import loaded
from tests.helpers.places import GAMES
from tools.dev.sameness import compare, golden
from tools.dev.sameness.digests import of_game
from tools.dev.sameness.pythons import InstalledPython, installed, plays

NAMES = [folder.name for folder in GAMES]
SMALL = ("kuhn_poker", "tic_tac_toe")
HERE = InstalledPython(".".join(map(str, sys.version_info[:3])), Path(sys.executable))


@pytest.mark.parametrize("name", NAMES)
def test_games_are_those_that_are_kept(name: str) -> None:
    """Where rules or the order of draws have changed, `python -m tools.dev.sameness --write` writes them again."""
    kept = {key: digest for key, digest in golden.read().items() if key.partition("/")[0] == name}
    assert kept.keys() == {f"{name}/{players}" for players in loaded(name).players}
    assert golden.digests(name) == kept


def test_what_is_kept_is_of_games_that_are_there() -> None:
    assert {key.partition("/")[0] for key in golden.read()} == set(NAMES)


def test_other_hash_seeds_back_ends_and_processes_give_the_same() -> None:
    ways = list(compare.ways([HERE], SMALL, 6, 4))
    assert {way.backend for way in ways} == {"python", "reference"}
    assert {len(way.names) for way in ways} == {1, 2}
    comparison = compare.run(ways, 2)
    assert comparison.differences == [] and comparison.ways == 6
    assert comparison.digests[True].keys() == {"kuhn_poker/2", "kuhn_poker/3", "tic_tac_toe/2"}


def test_ways_go_through_c_where_a_game_can_be_compiled() -> None:
    """C's own values are looked at in ways that keep no answers, on each Python; a game that has no C is played otherwise."""
    ways = list(compare.ways([HERE, HERE], SMALL, 6, 9, natively=("kuhn_poker",)))
    assert {way.names for way in ways if way.backend == compare.NATIVE} == {("kuhn_poker",)}
    assert {way.record for way in ways if way.backend == compare.NATIVE} == {True, False}
    assert {way.hash_seed for way in ways if way.backend == compare.NATIVE and not way.record} == {8, 103}
    assert [way.backend for way in ways if way.names == ("tic_tac_toe",)] == ["reference"]
    assert "is off" in str(compare.not_native("tic_tac_toe"))


def test_a_difference_is_told() -> None:
    comparison = compare.Agreement()
    one, two = (compare.Way(HERE, seed, "generated", 1, ("a", "b")) for seed in (1, 2))
    comparison.add(one, {"a": "1", "b": "2"})
    comparison.add(two, {"a": "1", "b": "3"})
    comparison.add(two, "it ended in an error")
    assert [line.partition(" ")[0] for line in comparison.differences] == ["b", "Python"]


def test_digests_tell_games_apart() -> None:
    assert of_game("kuhn_poker", 4, "generated", seed=1) != of_game("kuhn_poker", 4, "generated", seed=2)
    assert of_game("kuhn_poker", 4, "generated") == of_game("kuhn_poker", 4, "reference")


def test_this_python_is_found_first() -> None:
    found = installed()[0]
    assert plays(found.program) and found.version == HERE.version

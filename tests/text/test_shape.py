"""Faults of shape: each is found once, with its code, at the key or value that is meant."""

from __future__ import annotations

import socket
import time

import pytest

from rulespec.checker.context import listed
from rulespec.loading.examples import check_snippet
from rulespec.schema import validate
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Source
from rulespec.text.yaml_tree import MapNode, parse
from tests.helpers.places import GAMES

BLOW_UP = 10  # seconds of work that only an answer without bounds takes; speed is for benchmarks
FAULTS = [
    ("zons: {}", "S002", "zons", "`zones` is there already: write it there, or leave it out"),
    ("pools: [Column]", "S001", "[Column]", None),
    ("zones: {market: Card}", "S001", "Card", None),
    ("zones:\n  market:", "S001", "market", None),
    ("zones: {market: {per: Player}}", "S003", "market", None),
    ("zones: {market: {of: Card, order: shufled}}", "S004", "shufled", "did you mean `shuffled`?"),
    ("zones: {market: {of: Card, order: true}}", "S004", "true", None),
    ("zones: {market: {of: Card, ordr: shuffled}}", "S002", "ordr", "did you mean `order`?"),
    ("state: {luck: {is: 0..9, stops: true}}", "S004", "true", None),
    ("state: {luck: [1]}", "S001", "[1]", None),
    ("state: {luck: {starts: 1}}", "S003", "luck", None),
    ("pools: {Column: {size: many}}", "S001", "many", None),
    ("pools: {Column: {size: 1001}}", "S005", "1001", None),
    ("players: [a, b]", "S010", "[a, b]", None),
    ("options: {rain: {values: {a: b}}}", "S011", "{a: b}", None),
    ("options: {side: {values: [6, 8.5]}}", "E106", "8.5", None),
    ("types: {Mood: [5]}", "E106", "5", None),
    ("functions: {luck: [1]}", "S001", "[1]", None),
    ("functions: {luck: {layers: [{clamp: 0..1}]}}", "S003", "layers", None),
    ("rules: {r: {after: damage_done}}", "S003", "after", None),
    ("rules: {r: {modify: strength}}", "S003", "r", None),
    ("rules: {r: {modify: strength, by: {ad: 1}}}", "S002", "ad", "did you mean `add`?"),
    ("events: {moved: {take: {p: Player}}}", "S002", "take", "did you mean `takes`?"),
    ("- draw: 1\n  from: deck", "S003", "draw", None),
    ("- draw: 1", "S003", "draw", None),
    ("- draw: [1]\n  from: deck\n  to: p.hand", "S001", "[1]", None),
    (
        "- draw: 1\n  form: deck\n  from: deck\n  to: p.hand",
        "S002",
        "form",
        "`from` is there already: write it there, or leave it out",
    ),
    ("- move: top(discard)\n  to: p.hand\n  at: side", "S004", "side", None),
    ("- if: p.coins > 1\n  then: 5", "E500", "5", None),
    ("- if: p.coins > 1\n  then:", "S001", "then", None),
    ("- if: p.coins > 1\n  then: [[skip]]", "S001", "[skip]", None),
    ("- {}", "S001", "{}", None),
    ("- return: 3", "S001", "3", None),
    ("- let: a b\n  be: 3", "E106", "a b", None),
    ("- let:\n  be: 3", "E106", "let", None),
    ("- let: n\n  be:", "E001", "", None),
    ("cases: {c: {plays: []}}", "S002", "plays", "did you mean `play`?"),
    ("cases: {c: {finish: soon}}", "S004", "soon", None),
    ("cases: {c: {given: [{draw: 1, from: deck}]}}", "S003", "draw", None),
]


@pytest.mark.parametrize(("text", "code", "at", "help"), FAULTS, ids=[f"{f[1]} {f[0][:30]}" for f in FAULTS])
def test_faults(text, code, at, help):
    found = check_snippet(text)
    assert [d.code for d in found] == [code], "\n".join(f"{d.code} {d.message}" for d in found)
    span = found[0].span
    assert span is not None and span.text == at
    assert help is None or found[0].help == (help,)


@pytest.mark.parametrize("key", ["types:", "zones:\n  market:", "- if: p.coins > 1\n  then:", "- let: n\n  be:"])
def test_nothing_may_be_written_as_null(key):
    """`key: null` is the fault that `key:` is."""
    left_out, *written = ([(d.code, d.message) for d in check_snippet(key + word)] for word in ("", " null", " ~"))
    assert left_out and written == [left_out, left_out]


def test_all_faults_of_a_step_in_one_report():
    (found,) = check_snippet("- draw: 1")
    assert found.message == "`draw` needs `from` and `to`"


def test_the_network_is_never_asked(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "socket", refuse)
    assert [d.code for d in check_snippet("zons: {}")] == ["S002"]


@pytest.mark.parametrize("folder", GAMES, ids=lambda f: f.name)
def test_shipped_games_are_read_fast(folder):
    root = parse(Source("game", (folder / "game.yaml").read_text()), Diagnostics())
    assert isinstance(root, MapNode)
    found = Diagnostics()
    validate(root, found)
    start = time.process_time()
    validate(root, found)
    assert time.process_time() - start < BLOW_UP
    assert not [d for d in found if d.code != "S003"]


def test_a_hostile_file_is_answered_soon():
    steps = "      - drow: 1\n        form: deck\n" * 15_000
    root = parse(Source("game", f"rulespec: 1\nid: x\nplayers: 2\nphases:\n  game:\n    do:\n{steps}"), Diagnostics())
    assert isinstance(root, MapNode)
    start = time.process_time()
    validate(root, Diagnostics())
    assert time.process_time() - start < BLOW_UP


def test_citations_of_steps_are_checked():
    assert [d.code for d in check_snippet("- log: A line\n  cites: [L99]")] == ["E112"]


def test_names_in_a_sentence() -> None:
    """Three dots stand only where some are left out, and none is named twice."""
    assert listed("abcdefgh") == "a, b, c, d, e, f, g, h"
    assert listed("abcdefghi") == "a, b, c, d, e, f, g, h ..."
    assert listed("aabb", most=2) == "a, b" and listed([]) == ""

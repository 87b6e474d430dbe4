"""The validator that only tells whether data fit a schema says the same as the one that tells what does not fit."""

from __future__ import annotations

import random
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from rulespec.schema.validate import fits, validator
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Source
from rulespec.text.yaml_tree import MapNode, ScalarNode, as_data, parse
from tests.helpers.places import PLAY, ROOT

GAME = "rulespec: 1\nid: g\ntitle: G\nplayers: 2\nphases: {game: {do: [skip]}}\n"
ODD: tuple[Any, ...] = (
    None, True, 0, 1, 1.0, -1, 2_000_000, "", "x", "two words", "R011", [], ["a"], {}, {"a": 1}, {"set": "x"}, {"draw": {}},
)  # fmt: skip
FILES = [
    *[("game", file) for file in PLAY[::4]],
    *[("game", ROOT / "games" / name / "game.yaml") for name in ("hex", "leduc_poker", "tic_tac_toe")],
    *[("cases", file) for file in sorted(ROOT.glob("games/*/cases/*.yaml"))[::24]],
    *[("variant", file) for file in sorted(ROOT.glob("games/*/variants/*.yaml"))[::3]],
    *[("bot", file) for file in sorted(ROOT.glob("games/*/bots/*.yaml"))[::3]],
    *[("study", file) for file in sorted(ROOT.glob("games/*/studies/*.yaml"))[::6]],
]


def data_of(file: Path) -> Any:
    root = parse(Source(str(file), file.read_text(encoding="utf-8")), Diagnostics())
    assert isinstance(root, MapNode)
    return as_data(root, ScalarNode.resolve)


def changed(data: Any, dice: random.Random, odd: Any) -> Any:
    """The data with something odd in place of a part of it, or under a name that nobody knows."""
    data = node = deepcopy(data)
    while True:
        key = dice.choice(list(node)) if isinstance(node, dict) else dice.randrange(len(node))
        inner = node[key]
        if isinstance(inner, dict | list) and inner and dice.random() < 0.8:
            node = inner
            continue
        if isinstance(node, dict) and dice.random() < 0.2:
            del node[key]
            key = "unheard_of"
        node[key] = deepcopy(odd)
        return data


@pytest.mark.parametrize(("name", "file"), FILES, ids=lambda part: part.stem if isinstance(part, Path) else part)
def test_data_fit_where_the_library_finds_no_error(name: str, file: Path) -> None:
    data, dice, refused = data_of(file), random.Random(file.stem), 0
    assert fits(name, data)
    for odd in ODD:
        other = changed(data, dice, odd)
        error = next(validator(name).iter_errors(other), None)
        assert fits(name, other) == (error is None), (odd, error)
        refused += error is not None
    assert refused


@pytest.mark.parametrize(
    ("step", "sound"),
    [
        ({"if": "yes", "then": ["skip"], "log": "x"}, True),
        ({"log": "x", "if": "yes"}, True),
        ({"set": "a", "to": 1, "log": "x", "if": "yes"}, True),
        ({"until": "p1", "do": ["skip"]}, True),
        ({"if": "yes", "log": "x"}, False),
        ({"if": "yes"}, False),
        ({"if": "yes", "then": ["skip"], "elif": "yes"}, False),
        ({"if": "yes", "set": "a", "to": 1}, False),
        ({"log": "x", "set": "a", "to": 1}, False),
        ({"log": "x", "if": "yes", "then": ["skip"]}, False),
    ],
)
def test_the_first_key_of_a_step_is_its_verb(step: dict[str, Any], sound: bool) -> None:
    """Some verbs are keys of others too; a schema alone could not tell which is meant."""
    data = {"rulespec": 1, "id": "g", "title": "G", "players": 2, "phases": {"game": {"do": [step]}}}
    assert fits("game", data) == (next(validator("game").iter_errors(data), None) is None) == sound


@pytest.mark.parametrize("text", ["\ud800", "a\n"])
def test_what_the_quick_validator_reads_otherwise_is_left_to_the_library(text: str) -> None:
    """No false alarm: a game that it refuses is faulty only where the library finds a fault."""
    root = parse(Source("game", GAME), Diagnostics())
    assert isinstance(root, MapNode)
    data = as_data(root, ScalarNode.resolve)
    data["about"] = text
    assert fits("game", data) or next(validator("game").iter_errors(data), None) is None

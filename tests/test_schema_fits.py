"""The quick answer whether a file has its shape is that of the validator, whatever is written there."""

from __future__ import annotations

import copy
import random

import pytest
from support import PLAY, ROOT

from rulespec.diagnostics import Diagnostics
from rulespec.schema.fits import NOTES, TESTS, Fits
from rulespec.schema.validate import plain, quick, schema_of, validator
from rulespec.source import Source
from rulespec.yamltree import parse

KINDS = ("game", "cases", "variant", "bot")
INSIDE = {"properties": True, "patternProperties": True, "definitions": True}  # names that stand for shapes
VALUES = (None, True, 0, 1, -1, 1.0, 2.5, 10**9, "", "no", "a b", "R001", [], ["a"], [[]], {}, {"do": []}, {"a": 1}, {"log": "x"})
FILES = [("game", path) for path in (*PLAY[::3], *sorted((ROOT / "games/five_armies").glob("*.yaml"))[::4])]
FILES += [("cases", path) for path in sorted((ROOT / "games").glob("*/cases/*.yaml"))[::9]]
FILES += [("variant", path) for path in sorted((ROOT / "games").glob("*/variants/*.yaml"))]
FILES += [("bot", path) for path in sorted((ROOT / "games").glob("*/bots/*.yaml"))]


def agree(kind: str, data: object) -> bool:
    """The answer, which must be that of the validator."""
    found = quick(kind)(data)
    assert found == (next(validator(kind).iter_errors(data), None) is None)
    return found


def places(data: object) -> list[tuple[object, object]]:
    """Every collection in it with each of its keys."""
    found = []
    todo = [data]
    while todo:
        one = todo.pop()
        keys = list(one) if isinstance(one, dict) else range(len(one)) if isinstance(one, list) else ()
        for key in keys:
            found.append((one, key))
            todo.append(one[key])
    return found


def changed(data: object, dice: random.Random) -> object:
    """The same with one thing in it gone, another, or under another name."""
    made = copy.deepcopy(data)
    one, key = dice.choice(places(made))
    match dice.randrange(4):
        case 0:
            del one[key]
        case 1 if isinstance(one, dict):
            one[dice.choice(["do", "log", "then", "per x", "odd"])] = one.pop(key)
        case 2 if isinstance(one, dict):
            one[dice.choice(["do", "log", "else", "of", "odd"])] = dice.choice(VALUES)
        case _:
            one[key] = dice.choice(VALUES)
    return made


@pytest.mark.parametrize(("kind", "path"), FILES, ids=lambda part: getattr(part, "stem", part))
def test_both_say_the_same(kind, path):
    data = plain(parse(Source(path.name, path.read_text()), Diagnostics()))
    dice = random.Random(path.name)
    agree(kind, data)
    answers = {agree(kind, changed(data, dice)) for _ in range(20)}
    assert False in answers


@pytest.mark.parametrize("kind", KINDS)
def test_of_what_is_no_mapping(kind):
    for value in VALUES:
        agree(kind, value)


@pytest.mark.parametrize("kind", KINDS)
def test_every_keyword_of_our_schemas_is_known(kind):
    todo: list[tuple[object, bool]] = [(schema_of(kind), False)]
    while todo:
        own, named = todo.pop()
        if isinstance(own, list):
            todo += [(one, False) for one in own]
        elif isinstance(own, dict):
            assert named or set(own) <= {"$ref", *NOTES, *TESTS}, set(own) - NOTES - set(TESTS)
            todo += [(one, not named and word in INSIDE) for word, one in own.items() if named or word not in ("dependencies", "enum")]


def test_what_is_not_known_does_not_fit():
    assert not Fits({"contains": {"type": "string"}}, {}, "")(["a"])
    assert Fits({"$ref": "#/definitions/a", "type": "string", "definitions": {"a": {"type": "integer"}}}, {}, "")(1)

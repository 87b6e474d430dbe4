"""Games made to be slow or huge are answered in bounded time with findings, never with a traceback."""

from __future__ import annotations

import random
import time

import pytest

import rulespec
from rulespec.cases.compiler import load_cases
from tests.helpers.places import GAMES, PLAY

HEAD = "rulespec: 1\nid: x\nplayers: 2\n"
GAME = "phases:\n  game:\n    do: []\n"
BLOW_UP = 20  # seconds of work that only an answer without bounds takes; speed is for benchmarks


def lines(text: str, count: int) -> str:
    return "".join(text.replace("#", str(i)) for i in range(count))


def garbage() -> str:
    draw = random.Random(1)
    return "".join(chr(draw.randrange(32, 126)) for _ in range(100_000))


HOSTILE = {
    "members": HEAD + "types:\n  A: [" + lines("m#,", 180_000) + "z]\n" + GAME,
    "types": HEAD + "types:\n" + lines("  T#: [a#]\n", 40_000),
    "variables": HEAD + "state:\n" + lines("  v#: 0..9\n", 45_000),
    "steps": HEAD + "state:\n  v: 0..9\nphases:\n  game:\n    do:\n" + lines("      - add: 1\n        to: v\n", 15_000),
    "unknown verbs": HEAD + "phases:\n  game:\n    do:\n" + lines("      - adx: zz#\n", 20_000),
    "expressions": HEAD + "functions:\n" + lines("  f#: # + 1 * (2 - #)\n", 40_000),
    "unknown names": HEAD + "functions:\n" + lines("  f#: # + qq#\n", 40_000),
    "a chain of functions": HEAD + "functions:\n" + "".join(f"  f{i}: f{i + 1}\n" for i in range(30_000)) + "  f30000: 1\n",
    "copies": HEAD + "pieces:\n  Card:\n    rows:\n" + lines("      c#: {copies: 1000}\n", 20_000),
    "ranges": HEAD + "pieces:\n" + lines("  C#: {rows: 1..100000000}\n", 15_000),
    "pools": HEAD + "pools:\n" + lines("  C#: {size: 100000000}\n", 15_000),
    "a table by three": HEAD + "types:\n  A: [" + lines("m#,", 1500) + "z]\ntables:\n  t: {by: [A, A, A], rows: {}}\n",
    "one long text": HEAD + "about: " + "x" * 1_900_000,
    "a long sum": HEAD + "functions:\n  f: " + " + ".join("1" for _ in range(900)) + "\n",
    "options": HEAD + "phases:\n  game:\n    do:\n      - offer: a\n        by: p1\n        options:\n"
    + lines("          o#: {say: a}\n", 20_000),
    "looking ahead": HEAD + "phases:\n  game:\n    do:\n      - a0\nprocedures:\n"
    + "".join(f"  a{i}:\n    do:\n      - if: 1 == 1\n        then: [a{i + 1}]\n        else: [a{i + 1}]\n" for i in range(20))
    + "  a20:\n    do: []\n  z:\n    do:\n      - may: x\n        by: p1\n        do: [a0]\n",
    "rules": HEAD + "events:\n  e: {}\nrules:\n" + lines("  r#:\n    after: e\n    do: []\n", 8000),
    "cells": HEAD + "types:\n  A: [" + lines("m#,", 60) + "z]\nstate:\n"
    + lines("  v#: {is: 0..9, by: [A, A], starts: 3}\n", 1000),
    "garbage": garbage(),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_an_answer_in_bounded_time(name, tmp_path):
    file = tmp_path / "game.yaml"
    file.write_text(HOSTILE[name], encoding="utf-8")
    began = time.process_time()
    found, diagnostics = rulespec.check(file)
    for diagnostic in diagnostics:
        rulespec.render(diagnostic)
    assert time.process_time() - began < BLOW_UP
    assert (found is None) == (name != "looking ahead")


@pytest.mark.parametrize("seed", range(60))
def test_games_with_random_damage(seed, tmp_path, games):
    """Lines of real games deleted, doubled, moved, shifted: findings or a game, never an exception."""
    draw = random.Random(seed)
    text = draw.choice(games).read_text(encoding="utf-8").splitlines()
    for _ in range(draw.randint(1, 3)):
        at, other = draw.randrange(len(text)), draw.randrange(len(text))
        match draw.randrange(6):
            case 0:
                del text[at]
            case 1:
                text.insert(at, text[other])
            case 2:
                text[at], text[other] = text[other], text[at]
            case 3:
                text[at] = "  " + text[at]
            case 4:
                cut = draw.randrange(len(text[at]) + 1)
                text[at] = text[at][:cut] + draw.choice("()[]{}:,.'\"#-+*0 9xé") + text[at][cut:]
            case _:
                text[at] = text[at].partition(":")[0] + ":"
    file = tmp_path / "game.yaml"
    file.write_text("\n".join(text) + "\n", encoding="utf-8")
    _, diagnostics = load_cases(file)
    for diagnostic in diagnostics:
        rulespec.render(diagnostic)


@pytest.fixture(scope="module")
def games():
    return [*(folder / "game.yaml" for folder in GAMES), *PLAY]

"""Cells that hang together, as C: sets that spread by shifts, groups that are looked at no further than asked, candidates foreseen.

Each game is one of placing stones whose rules differ in what a candidate is looked ahead at for; all must end as they do in Python.
"""

from __future__ import annotations

import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from interpreter import Fault
from interpreter.native.compiler import find_compiler
from interpreter.native.emitter import spreading
from interpreter.native.emitter.program import source
from interpreter.native.emitter.sets import constant, letter, words_of
from tests.helpers.native import NEEDS_C, native_on, pair  # noqa: F401
from tests.helpers.places import ROOT

pytestmark = NEEDS_C

STONES = """\
rulespec: 1
id: {id}
title: Stones that need a free point
players: 1
boards: {{Point: {{{board}}}}}
types: {{Colour: [black, white]}}
state:
  colour: Colour
  turns: 0..90
  taken: {taken}
  barred: Point or none
  stone: {{is: Colour or none, by: Point}}
functions:
  around: {{takes: {{p: Point}}, is: "neighbours(p{ways})"}}
  other: {{takes: {{c: Colour}}, is: if c == black then white else black}}
  chain: {{takes: {{p: Point}}, is: "group(p, (q in Point where q.stone == p.stone){ways})"}}
  free: {{takes: {{p: Point}}, is: "{free}"}}
procedures:
  play:
    takes: {{p: Point, c: Colour}}
    do:
      - {{set: p.stone, to: c}}
      - {{set: taken, to: 0}}
      - {{set: barred, to: none}}
{more}
      - for: q in around(p)
        do:
          - if: {test}
            then:
              - for: r in chain(q)
                do:
                  - {{set: r.stone, to: none}}
                  - {{add: 1, to: taken}}
      - if: taken == 1 and size(chain(p)) == 1
        then: [{{set: barred, to: {barred}}}]
phases:
  game:
    do:
      - while: turns < 90
        do:
          - choose: point
            by: p1
            from: Point
            only:
              - {{if: point.stone is none, why: taken}}
              - {{if: point != barred, why: barred}}
              - {{if: "after(play(point, colour), {asked})", why: no free point}}
            or none: Pass
          - {{add: 1, to: turns}}
          - if: point is known
            then: [{{play: point, c: colour}}]
            else: [{{set: barred, to: none}}]
          - {{set: colour, to: other(colour)}}
"""
RULES = {
    "id": "",
    "board": "square: 5 x 5",
    "ways": ", orthogonal",
    "taken": "0..81",
    "free": "those(q in Point where q.stone is none and any(r in around(q) where r in chain(p)))",
    "test": "q.stone == other(c) and free(q) is empty",
    "asked": "free(point) is not empty",
    "barred": "none",
    "more": "",
}
GAMES: dict[str, tuple[dict[str, str], bool]] = {  # and whether candidates are foreseen
    "plain": ({"board": "square: 9 x 9"}, True),
    "six_sides": ({"board": "hex: 6 x 5", "ways": ""}, True),
    "round_world": ({"board": "square: 6 x 5, wraps: both"}, True),
    "by_number": ({"asked": "size(free(point)) > 0", "test": "size(free(q)) == 0 and q.stone == other(c)"}, True),
    "its_own_too": ({"test": "q.stone is known and free(q) is empty"}, True),
    "none_may_be_taken": ({"asked": "taken == 0 and free(point) is not empty"}, False),
    "too_many": ({"taken": "0..2"}, True),
    "elsewhere": ({"more": "      - {set: first(around(p)).stone, to: none}"}, False),
    "of_the_other": ({"asked": "any(q in around(point) where q.stone == other(colour))"}, True),
    "two_away": ({"free": RULES["free"].replace("around(q)", "neighbours(q)")}, True),
    "in_it": ({"free": "those(q in chain(p) where any(r in neighbours(q) where r.stone is none))"}, False),
}


@pytest.mark.parametrize("name", GAMES)
def test_stones_are_played_alike(name: str, tmp_path: Path) -> None:
    """Whole games end alike, fault for fault; whether candidates are foreseen is as it is thought to be."""
    rules, foreseen = GAMES[name]
    path = tmp_path / f"{name}.yaml"
    path.write_text(STONES.format(**{**RULES, **rules, "id": name}))
    native, python = pair(path, 1)
    ends = set()
    for seed in range(6):
        one, two = ended(native, seed), ended(python, seed)
        assert one == two, seed
        ends.add(one[0])
    assert ("fault" in ends) == (name == "too_many")
    text = source(native.program).text
    assert "spread" in text
    legal = text.split("int legal0(RsState*S")[-1].split("\n")[0]
    assert ("STEP(S,pop" in legal) == foreseen


def ended(game: Any, seed: int) -> tuple[str, Any]:
    """How a game ends."""
    try:
        state = game.playout(seed)
    except Fault as fault:
        return "fault", str(fault)
    return "over", (state.slots, state.decisions)


@pytest.mark.parametrize("name", ["go", "havannah", "lines_of_action", "y"])
def test_natural_games_are_played_alike(name: str) -> None:
    """Some games of those that are measured."""
    native, python = pair(ROOT / "tools/dev/bench/data" / f"{name}.yaml", 2)
    for seed in range(2):
        assert ended(native, seed) == ended(python, seed)
    assert native.handed_over == 0
    assert ("spread" in source(native.program).text) == (name != "y")  # only what is reached is looked at there


def test_a_set_spreads_to_what_is_in_the_rows_of_its_members(tmp_path: Path) -> None:
    """Tables of all sizes, of boards and of numbers at random, in C and by hand."""
    dice = random.Random(5)
    tests, functions = [], []
    for size in (9, 25, 50, 64, 81, 127, 128, 130, 200, 361, 512):
        for k in range(2):
            wide = dice.choice([5, 8, 9, 13, 19])
            ways = [1, -1, wide, -wide, wide + 1] if k else dice.sample(range(1 - size, size), 5)
            rows = tuple(
                sum(1 << x + d for d in ways if 0 <= x + d < size and dice.random() < 0.8) for x in range(size - 3 * k)
            )
            name = f"spread{len(functions)}"
            functions.append(spreading.spread(name, rows))
            words = words_of(max(len(rows), max(row.bit_length() for row in rows)) - 1)
            for _ in range(8):
                some = sum(1 << x for x in range(len(rows)) if dice.random() < dice.choice([0.05, 0.5, 0.95]))
                found = 0
                for x, row in enumerate(rows):
                    found |= row if some >> x & 1 else 0
                tests.append(
                    f"{{{letter(words)} a={name}({constant(some, words)}),b={constant(found, words)}; bad+=!!memcmp(&a,&b,sizeof a);}}"
                )
    assert None not in functions
    types = "".join(f"typedef uint64_t X{n} __attribute__((vector_size(8*{n}),aligned(8)));" for n in (4, 8))
    head = f"#include <stdint.h>\n#include <string.h>\ntypedef uint64_t M; typedef unsigned __int128 W; {types}\n"
    text = "\n".join([head, *map(str, functions), f"int main(void){{int bad=0; {''.join(tests)} return bad;}}"])
    (tmp_path / "spread.c").write_text(text)
    compiler = find_compiler()
    assert compiler is not None
    subprocess.run([*compiler.command, "-w", "-o", "spread", "spread.c"], cwd=tmp_path, check=True)
    assert subprocess.run([tmp_path / "spread"], check=False).returncode == 0


def test_what_many_ways_lead_from_does_not_spread_by_shifts() -> None:
    dice = random.Random(1)
    for size in (100, 300):
        assert spreading.spread("s", tuple(dice.getrandbits(size) for _ in range(size))) is None

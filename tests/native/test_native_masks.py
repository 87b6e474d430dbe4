"""What is worked out for all items at once, as C: sets as masks, rows of boards as shifts, and boards too large for either."""

from __future__ import annotations

import re
from itertools import count, pairwise
from typing import Any

import pytest

import interpreter
from interpreter import Fault
from interpreter.native.emitter.program import source
from interpreter.native.emitter.rays import RayWriter
from tests.helpers.games import loaded
from tests.helpers.native import NEEDS_C, native_on, pair, same_games  # noqa: F401
from tests.helpers.places import ROOT

pytestmark = NEEDS_C

MASKED = """\
rulespec: 1
id: masked
title: Tests worked out for all items at once
players: 1
boards: {Square: {square: 4 x 4}}
types: {Colour: [white, black]}
state:
  turn: {is: 0..40, starts: 0}
  per Square: {stone: {is: Colour or none, starts: none}, marked: {is: Yes or no, starts: "no"}}
functions:
  free: {takes: {s: Square}, is: "s.stone is none and not s.marked"}
  near: {takes: {s: Square, c: Colour}, is: "any(t in neighbours(s, orthogonal) where t.stone == c)"}
  turns: {is: "if mod(turn, 2) == 0 then white else black"}
  legal: {takes: {s: Square}, is: "free(s) and (turn < 8 or near(s, turns) or s.row != 2)"}
phases:
  game:
    do:
      - while: turn < 40 and any(s in Square where legal(s))
        do:
          - choose: s
            by: p1
            from: Square
            only: [{if: free(s), why: taken}, {if: legal(s), why: alone}]
          - add: 1
            to: turn
          - set: s.stone
            to: turns
          - if: count(t in Square where t.stone == white) > count(t in Square where t.stone == black and t.column < 3)
            then:
              - set: s.marked
                to: yes
"""


def test_masks(tmp_path: Any) -> None:
    """Filters of sets: bit boards of arrays that change, tables of what is fixed, tests that are left to each item."""
    path = tmp_path / "masked.yaml"
    path.write_text(MASKED)
    text = same_games(path, 40)
    assert "paidM(S," in text and re.search(r"M b\d+\[", text), "nothing is worked out for all items at once"


HEADS = """\
rulespec: 1
id: heads
title: How far a row goes on
players: 1
boards: {Square: {square: 6 x 5}}
types: {Colour: [white, black]}
state:
  turn: {is: 0..26, starts: 0}
  per Square: {stone: {is: Colour or none, starts: none}}
functions:
  colour: {is: "if mod(turn, 2) == 0 then white else black"}
  other: {takes: {c: Colour}, is: "if c == white then black else white"}
  run:
    takes: {s: Square, d: Direction, c: Colour}
    is: count(k in 1..size(ray(s, d)) where all(j in 1..k have stone(item(ray(s, d), j)) == c))
  bare:
    takes: {s: Square, d: Direction}
    is: count(k in 1..size(ray(s, d)) where all(j in 1..k have stone(item(ray(s, d), j)) is none))
  held:
    takes: {s: Square, d: Direction, c: Colour}
    is: if run(s, d, c) < size(ray(s, d)) and stone(item(ray(s, d), run(s, d, c) + 1)) == other(c) then run(s, d, c) else 0
  legal:
    takes: {s: Square}
    is: >-
      s.stone is none and (turn < 6 or any(d in Direction where held(s, d, colour) > 0)
      or any(d in orthogonal where bare(s, d) == size(ray(s, d)) and bare(s, d) > 2)
      or any(d in diagonal where run(s, d, other(colour)) >= 2)
      or all(d in orthogonal have bare(s, d) + 1 <= size(ray(s, d)) and bare(s, d) != 1))
phases:
  game:
    do:
      - while: turn < 26 and any(s in Square where legal(s))
        do:
          - choose: s
            by: p1
            from: Square
            only: [{if: legal(s), why: no}]
          - add: 1
            to: turn
          - for: d in Direction
            do:
              - for: t in first(ray(s, d), held(s, d, other(colour)))
                do: [{set: t.stone, to: none}]
          - set: s.stone
            to: colour
"""


def test_heads_of_rows(tmp_path: Any) -> None:
    """How many cells at the head of a row pass a test, for all items at once and for one."""
    path = tmp_path / "heads.yaml"
    path.write_text(HEADS)
    text = same_games(path, 60)
    assert text.count("&=~a;") >= 4, "the heads are counted item by item"


WIDE = """\
rulespec: 1
id: wide
title: Chains on a board of more cells than a set of bits has
players: 1
boards: {Square: {square: 12 x 12, wraps: columns}}
types: {Colour: [white, black]}
state:
  turn: {is: 0..25, starts: 0}
  seen: {is: "0..999", starts: 0}
  per Square: {stone: {is: Colour or none, starts: none}}
phases:
  game:
    do:
      - while: turn < 25
        do:
          - choose: s
            by: p1
            from: Square
            only: [{if: s.stone is none and s.row < 6 and s.column > 6, why: taken}]
          - add: 1
            to: turn
          - set: s.stone
            to: if mod(turn, 3) == 0 then white else black
          - set: seen
            to: >-
              size(group(s, t in Square where t.stone == black))
              + 7 * size(group(s, t in Square where t.stone == black, orthogonal))
              + count(t in neighbours(s, if mod(turn, 2) == 0 then orthogonal else diagonal) where t.stone is none)
"""


def test_boards_of_more_cells_than_a_set_of_bits(tmp_path: Any) -> None:
    """What hangs together, and what lies beside a cell, are lists there."""
    path = tmp_path / "wide.yaml"
    path.write_text(WIDE)
    same_games(path, 20)


RAYS = """\
rulespec: 1
id: rays
title: Tests that follow rays
players: 1
boards: {Square: {square: 5 x 6}}
types: {Colour: [white, black]}
state:
  turn: {is: 0..24, starts: 0}
  per Square: {stone: {is: Colour or none, starts: none}}
functions:
  colour: {is: "if mod(turn, 2) == 0 then white else black"}
  seen:
    takes: {s: Square, d: Direction}
    gives: Square or none
    is: "nearest(those(t in ray(s, d) where t.stone is known))"
  nearest:
    takes: {squares: list of Square}
    gives: Square or none
    is: if squares is not empty then first(squares) else none
  farthest:
    takes: {squares: list of Square, c: Colour}
    gives: Square or none
    is: if size(squares) == 0 then none else if stone(last(squares)) == c then last(squares) else none
  flanks: {takes: {s: Square, d: Direction, c: Colour}, is: "far(s, farthest(those(t in ray(s, d) where t.stone != rival_of(c)), c))"}
  rival_of: {takes: {c: Colour}, is: "if c == white then black else white"}
  far: {takes: {s: Square, t: Square or none}, is: "t is known and between(s, t) is not empty"}
  shown: {takes: {s: Square, c: Colour}, is: "any(d in Direction where seen(s, d) is known and stone(seen(s, d)) == c)"}
  open: {takes: {s: Square}, is: "all(d in orthogonal have all(t in ray(s, d) have t.stone is none or t.row < 5))"}
  legal:
    takes: {s: Square}
    is: s.stone is none and (turn < 5 or shown(s, colour) or open(s) or any(d in diagonal where flanks(s, d, colour)))
phases:
  game:
    do:
      - while: turn < 24 and any(s in Square where legal(s))
        do:
          - choose: s
            by: p1
            from: Square
            only: [{if: legal(s), why: not seen}]
          - add: 1
            to: turn
          - for: d in Direction
            do:
              - let: t
                be: nearest(those(u in ray(s, d) where u.stone == rival_of(colour)))
              - if: t is known and far(s, t)
                then: [{set: t.stone, to: none}]
          - set: s.stone
            to: colour
"""


def test_rays(tmp_path: Any) -> None:
    """The first and the last cell of a row that pass a test, and any and all of them, for all items at once and for one."""
    path = tmp_path / "rays.yaml"
    path.write_text(RAYS)
    text = same_games(path, 60)
    assert "=v&shiftM(" in text, "rays are followed item by item"
    assert re.search(r"topM\(x_\d+\):lowM\(x_\d+\)", text), "the first cell of a row is looked for one by one"


ENDLESS = """\
rulespec: 1
id: endless
title: A question that nobody can wait for
players: 1
boards: {Square: {square: 5 x 6}}
state: {per Square: {stone: {is: 1..2 or none, starts: none}}}
functions:
  seen:
    takes: {s: Square, a: Square, b: Square, c: Square}
    is: "any(d in Direction where any(t in ray(s, d) where t.stone == 1 and a != b and b != c and a.row + b.row != c.row))"
  some: {takes: {s: Square}, is: "any(a in Square where any(b in Square where any(c in Square where seen(s, a, b, c))))"}
phases:
  game:
    do:
      - choose: s
        by: p1
        from: Square
        only: [{if: not some(s), why: seen}]
"""


def test_endless_questions(tmp_path: Any) -> None:
    """What is worked out for all items at once is bounded too: C stops soon, and the fault is the one that Python tells."""
    path = tmp_path / "endless.yaml"
    path.write_text(ENDLESS)
    native, python = pair(path, 1)
    assert "(shiftM(S->b" in source(native.program).text, "rays are followed item by item"
    told = []
    for game in (native, python):
        state = game.new_state(1, undo=False, record=False)
        with pytest.raises(Fault) as caught:
            state.legal_actions()
        told.append(str(caught.value))
    assert told[0] == told[1] and told[0].startswith("R014")


def test_loops_within_loops_are_written_in_bounded_time(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """How often tests are tried does not double with each loop around them."""
    names = [f"v{k}" for k in range(12)]
    apart = " and ".join(f"{a}.row != {b}.row" for a, b in pairwise(names))
    test = f"any(d in Direction where any(t in ray(s, d) where t.stone == 1 and {apart}))"
    for name in names:
        test = f"any({name} in Square where {test})"
    path = tmp_path / "loops.yaml"
    path.write_text(
        re.sub(r'some: \{takes: \{s: Square\}, is: ".*"\}', f'some: {{takes: {{s: Square}}, is: "{test}"}}', ENDLESS)
    )
    followed, times = RayWriter.followed, count()

    def counted(*args: Any) -> str:
        assert next(times) < 2000
        return followed(*args)

    monkeypatch.setattr(RayWriter, "followed", counted)
    assert source(interpreter.Game(loaded(path), players=1, backend="python").program).handed_over == ()
    assert next(times) > len(names), "the loops are not followed"


BEYOND = """\
rulespec: 1
id: beyond
title: More items than an array has places
players: 1
state: {turn: {is: 0..9, starts: 0}, found: {is: 0..20, starts: 0}, level: {is: 0..3, by: 0..19, starts: 1}}
phases:
  game:
    do:
      - repeat: 6
        do:
          - {choose: n, by: p1, from: 0..19}
          - {set: level(n), to: 2}
          - {add: 1, to: turn}
          - {set: found, to: "count(k in 0..20 where (k < 20 or turn == 6) and level(k) == 2)"}
end of game: {returns: found}
"""


def test_bit_boards_of_an_array_are_not_asked_for_items_that_have_no_place_there(tmp_path: Any) -> None:
    """Its last item is a fault as C too, and is not left out with all that the boards do not have."""
    path = tmp_path / "beyond.yaml"
    path.write_text(BEYOND)
    for game in pair(path, 1):
        assert re.search(r"M b\d+\[", source(game.program).text)
        with pytest.raises(Fault, match="no place 20 among 20"):
            game.playout(1)


@pytest.mark.parametrize(("size", "kind"), [(5, "M"), (9, "W")])
def test_rows_of_fixed_data(size: int, kind: str) -> None:
    """What stands between a square and each other, or in what fixed data make of an item, is found for all of them by what stands there."""
    game = interpreter.Game(
        loaded(ROOT / "tests/native/crossed.yaml"), players=2, options={"size": size}, backend="python"
    )
    assert re.search(rf"\|=t\[low{kind}\(m_\d+\)\]", source(game.program).text)


def test_what_is_forgotten_has_no_answer_in_any_table() -> None:
    """Tables of what lies in rows, of sets and of bits have none for a value that is none, where the rules need it."""
    path = ROOT / "tests/native/stale.yaml"
    games = (*pair(path, 1), interpreter.Game(loaded(path), players=1, backend="reference"))
    text = source(games[0].program).text
    assert len(re.findall(r"\|=t\[lowM\(m_\d+\)\]", text)) == 2 and re.search(r">>\(\w+&63\)&1", text)
    for asked, found in enumerate((4, 21, 9, 2)):
        for game in games:
            state = game.new_state(1, undo=False, record=False)
            state.apply_action(asked)
            assert state.returns() == [found]
            forgotten = game.new_state(1, undo=False, record=False)
            with pytest.raises(Fault, match="R010"):
                forgotten.apply_action(asked + 4)
    assert games[0].handed_over == 4

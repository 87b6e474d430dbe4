"""Ranges of variables as C: a number that is one outside is a fault, or is held at the end where the rules say that it stops."""

from __future__ import annotations

from typing import Any

from interpreter import Fault, Game
from tests.helpers.native import NEEDS_C, native_on, pair  # noqa: F401

pytestmark = NEEDS_C

GAME = """\
rulespec: 1
id: ends
title: Numbers at the ends of ranges
players: 1
state:
  hard: {is: 0..3, starts: 0}
  soft: {is: 0..3, stops: yes, starts: 0}
phases:
  game:
    do:
      - {choose: way, by: p1, from: 1..4}
      - {choose: n, by: p1, from: 0..4}
      - if: way == 1
        then: [{set: hard, to: n}]
      - if: way == 2
        then: [{set: hard, to: n - 1}]
      - if: way == 3
        then: [{set: soft, to: n}]
      - if: way == 4
        then: [{set: soft, to: n - 1}]
end of game: {returns: hard + soft}
"""


def ended(game: Game, *answers: int) -> Any:
    """What the game returns, None where it is a fault."""
    state = game.new_state(1, undo=False, record=False)
    try:
        for answer in answers:
            state.apply_action(answer)
    except Fault as fault:
        assert fault.diagnostic.code == "R004"
        return None
    return state.returns()[0]


def test_a_number_that_is_one_too_large_or_too_small_is_no_number_of_the_range(tmp_path: Any) -> None:
    path = tmp_path / "ends.yaml"
    path.write_text(GAME)
    games = pair(path, 1)
    for way in range(4):
        for n in range(5):
            number = n - way % 2
            held = max(0, min(3, number))
            wanted = None if way < 2 and held != number else held
            assert [ended(game, way, n) for game in games] == [wanted, wanted], (way, number)
    assert games[0].handed_over == 2, "Python tells the two faults"

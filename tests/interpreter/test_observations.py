"""What an observation lists of zones that a viewer knows in part, and what an information state is made of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rulespec
from interpreter import EVERYTHING, State
from interpreter.runtime.hidden import Hidden
from interpreter.views.glimpse import glimpse
from rulespec import ir

GAME = """\
rulespec: 1
id: partly
title: Partly
players: 3
pieces:
  Card:
    noun: card
    rows: {ace: {}, king: {}, queen: {}, jack: {}}
zones:
  deck: {of: Card, seen by: none, starts with: all}
  hand: {of: Card, per: Player, seen by: owner}
  pile: {of: Card, order: as laid, seen by: none}
phases:
  game:
    do:
      - move: "list(ace, king, queen)"
        to: p1.hand
      - look: king
        by: p2
      - pause
      - reveal: queen
      - pause
      - move: "list(queen, ace, jack)"
        to: pile
      - reveal: ace
      - pause
procedures:
  pause:
    do:
      - choose: go
        by: p1
        from: 1..2
end of game:
  winners: set(p2)
"""


@pytest.fixture
def state(tmp_path: Path) -> State:
    path = tmp_path / "game.yaml"
    path.write_text(GAME, encoding="utf-8")
    return rulespec.Game(rulespec.load(path)).new_state(1)


def steps(state: State) -> list[tuple[dict[int | None, dict[str, Any]], dict[int | None, str]]]:
    """Observations and information states of both players and of a spectator, at each pause and at the end."""
    viewers = (0, 1, None)
    made = []
    while True:
        made.append(({v: state.observation(v) for v in viewers}, {v: state.information_state(v) for v in viewers}))
        if state.is_terminal():
            return made
        state.apply_action(state.legal_actions()[0])


def test_what_is_not_seen_stands_behind_what_is_so_that_its_place_tells_nothing(state: State) -> None:
    (first, _), (second, _), (third, _), _ = steps(state)
    assert first[1]["zones"]["hand.p1"] == ["king", "?", "?"]  # the king lies between the others
    assert first[None]["zones"]["hand.p1"] == ["?", "?", "?"]
    assert second[1]["zones"]["hand.p1"] == ["king", "queen", "?"]
    assert second[None]["zones"]["hand.p1"] == ["queen", "?", "?"]
    assert third[None]["zones"]["pile"] == ["?", "ace", "?"]  # in a pile all see where a card lies


def test_who_knows_a_card_by_a_look(state: State) -> None:
    (first, _), (second, _), (third, _), _ = steps(state)
    assert first[1]["known"] == {"king": "hand.p1"}
    assert (
        "known" not in first[None] and "known" not in first[0]
    )  # a spectator knows what all know, and p1 sees his own
    assert second[None]["known"] == {"queen": "hand.p1"}
    assert second[1]["known"] == {"king": "hand.p1", "queen": "hand.p1"}
    assert third[None]["known"] == {"ace": "pile"}
    assert "known" not in state.observation(EVERYTHING)


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_an_information_state_holds_all_that_was_seen_and_grows(state: State, viewer: int | None) -> None:
    made = steps(state)
    before: list[Any] = []
    for observations, states in made:
        entries = json.loads(states[viewer])
        assert entries[: len(before)] == before and len(entries) > len(before)
        text = json.dumps(entries)
        for name, place in observations[viewer].get("known", {}).items():
            assert name in text and place in text
        before = entries


CURSED = """\
rulespec: 1
id: cursed
title: Cursed
players: 2
pieces:
  Card: {noun: card, rows: {ace: {}, king: {}, queen: {}}}
zones:
  hand: {of: Card, per: Player, seen by: owner}
  table: {of: Card}
  deck: {of: Card, seen by: none, starts with: all}
state:
  n: 0..9
lasting:
  curse:
    takes: {card: Card, much: 1..3}
    always: n > much
    do:
      - set: n
        to: much
phases:
  game:
    do:
      - move: "list(ace, king)"
        to: p1.hand
      - move: queen
        to: table
      - begin: curse
        with: {card: king, much: 2}
      - begin: curse
        with: {card: queen, much: 3}
      - choose: go
        by: p1
        from: 1..2
end of game:
  winners: players
"""


def test_a_lasting_effect_is_seen_without_the_hidden_piece_that_it_is_about(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(CURSED, encoding="utf-8")
    state = rulespec.Game(rulespec.load(path)).new_state(1)

    def seen(viewer: int | None) -> list[tuple[Any, ...]]:
        effects = glimpse(state, viewer)[ir.LASTING]
        return [tuple("hidden" if isinstance(arg, Hidden) else arg for arg in args) for _, args, _ in effects]

    assert seen(0) == seen(EVERYTHING) == [(1, 2), (2, 3)]
    assert seen(1) == seen(None) == [("hidden", 2), (2, 3)]

"""Copies that nobody can tell apart: once one lies out of sight again, nothing that a player is shown says which it was."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

import rulespec
from interpreter import EVERYTHING, Game, State
from interpreter.runtime.renaming import renamed
from interpreter.views.alike import alike
from rulespec import ir

GAME = """\
rulespec: 1
id: gems
title: Gems
players: 2
pieces:
  Gem:
    noun: gem
    rows: {ruby: {copies: 4}, glass: {copies: 3}, star: {}}
zones:
  bag: {of: Gem, order: shuffled, seen by: none, starts with: all}
  hand: {of: Gem, per: Player, seen by: owner}
  row: {of: Gem, order: as laid}
  heap: {of: Gem}
state:
  last: {is: Gem or none, starts: none}
  secret: {is: set of Gem, starts: empty, seen by: set(p1)}
phases:
  game:
    do:
      - for: p in players
        do:
          - {draw: 2, from: bag, to: p.hand}
      - repeat: 2
        do:
          - {for: p in players, do: [{turn: p}]}
procedures:
  turn:
    takes: {p: Player}
    do:
      - choose: gem
        by: p
        from: p.hand
      - {set: last, to: gem}
      - if: p == p1
        then:
          - {set: secret, to: set(gem)}
      - offer: where
        by: p
        options:
          row:
            do: [{move: gem, to: row, log: "{p} lays {gem}"}]
          heap:
            do: [{move: gem, to: heap}]
          bag:
            do:
              - {move: gem, to: bag}
              - {shuffle: bag}
      - {set: last, to: none}
      - {draw: 1, from: bag, to: p.hand}
      - if: size(bag) > 0
        then:
          - {look: top(bag), by: p}
end of game:
  winners: players
"""


@pytest.fixture
def game(tmp_path: Path) -> Game:
    path = tmp_path / "gems.yaml"
    path.write_text(GAME, encoding="utf-8")
    return rulespec.Game(rulespec.load(path))


def told(state: State, viewer: int | None) -> str:
    """All that a viewer is shown, but the numbers of actions: they are handles."""
    table = copy.deepcopy(state.table(viewer))
    del table["at"]
    for option in (table.get("decision") or {}).get("options", ()):
        del option["action"]
    if table.get("decision"):
        table["decision"]["options"].sort(key=lambda option: json.dumps(option, sort_keys=True))
    return json.dumps([state.observation(viewer), table], sort_keys=True)


def exchanged(state: State, rng: random.Random) -> State:
    """The position with copies exchanged, each with everything that is kept of it."""
    game = state.game
    program, S = game.program, list(state.slots)
    moved: dict[int, dict[int, int]] = {}
    for kind, groups in alike(game).groups.items():
        moved[kind] = {}
        for group in groups:
            moved[kind].update(zip(group, rng.sample(group, len(group)), strict=True))
    for zone in program.zones:
        for slot in range(zone.base, zone.base + zone.size):
            content = [moved.get(zone.kind, {}).get(piece, piece) for piece in S[slot]]
            S[slot] = tuple(content if zone.order == "pile" else sorted(content))
    for variable in program.variables:
        for slot in range(variable.base, variable.base + variable.size):
            S[slot] = renamed(program, variable.type, S[slot], moved)
    known = []
    for kind in program.kinds:
        if kind.location is not None:
            known += [
                (kind.location + moved[kind.index].get(slot - kind.location, slot - kind.location), seat)
                for slot, seat in S[ir.KNOWN]
                if 0 <= slot - kind.location < len(kind.members)
            ]
            for piece, stands in moved[kind.index].items():
                S[kind.location + stands] = state.slots[kind.location + piece]
    S[ir.KNOWN] = tuple(sorted(known))
    S[ir.CONTROL] = with_copies(program, S[ir.CONTROL], moved)
    return game.position(S, state.main, undo=False, record=False)


def with_copies(program: ir.Program, frame: Any, moved: dict[int, dict[int, int]]) -> Any:
    if frame is None:
        return None
    point = program.points[frame[0]]
    types = program.procedures[point.procedure].locals
    kept = [renamed(program, types[k], value, moved) for k, value in zip(point.kept, frame[2:], strict=True)]
    return (frame[0], with_copies(program, frame[1], moved), *kept)


def test_exchanged_copies_show_in_nothing_that_anybody_is_shown(game: Game) -> None:
    rng, differed = random.Random(1), 0
    for seed in range(12):
        state = game.new_state(seed)
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            one, two = game.position(list(state.slots), state.main, undo=False, record=False), exchanged(state, rng)
            differed += one.observation(EVERYTHING) != two.observation(EVERYTHING)
            for viewer in (0, 1, None):
                assert told(one, viewer) == told(two, viewer)
            if not state.is_terminal():
                assert one.numbered().legal_actions() == two.numbered().legal_actions()
    assert differed > 40


def test_a_copy_that_was_shuffled_back_is_not_known_again(tmp_path: Path) -> None:
    """p1 lays a ruby back and draws one: whether it is the same shows in no observation and no information state."""
    path = tmp_path / "gems.yaml"
    path.write_text(GAME.replace("{set: secret, to: set(gem)}", "{set: secret, to: empty}"), encoding="utf-8")
    game = rulespec.Game(rulespec.load(path))

    def played(drawn: str) -> State:
        state = game.new_state(chance="explicit")
        for word in ("ruby_1", "glass_1", "ruby_2", "star"):
            state.apply_action(state.string_to_action(word))
        state.apply_action(state.string_to_action("ruby_1"))
        state.apply_action(state.string_to_action("bag"))
        while state.is_chance_node():
            names = {state.action_to_string(action): action for action in state.legal_actions()}
            state.apply_action(names.get(drawn, state.legal_actions()[0]))
        return state

    one, two = played("ruby_1"), played("ruby_3")
    assert one.observation(EVERYTHING) != two.observation(EVERYTHING)
    for seat in (0, 1):
        assert one.observation(seat) == two.observation(seat)
        assert one.information_state(seat) == two.information_state(seat)
        assert one.log_lines(seat) == two.log_lines(seat)


def test_copies_have_names_of_their_own_where_all_can_follow_them(tmp_path: Path) -> None:
    path = tmp_path / "gems.yaml"
    path.write_text(GAME.replace(", seen by: none", "").replace(", seen by: owner", ""), encoding="utf-8")
    state = rulespec.Game(rulespec.load(path)).new_state(3)
    assert state.observation(1)["zones"] == state.observation(EVERYTHING)["zones"]


def test_what_has_come_is_told_by_how_many_copies_there_are_more(game: Game) -> None:
    state = game.new_state(2)
    rng = random.Random(2)
    while not state.is_terminal():
        seat = state.current_player()
        for entry, came in (state.table(seat).get("changes") or {}).get("came", {}).items():
            zone = state.observation(seat)["zones"][entry]
            assert {f"Gem/{member}" for member in zone} >= set(came)
        state.apply_action(rng.choice(state.legal_actions()))

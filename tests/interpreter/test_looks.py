"""What is kept of what a viewer sees is what is worked out anew, where a look changes what is seen while nothing moves."""

from __future__ import annotations

import json
from pathlib import Path

import rulespec
from interpreter import EVERYTHING
from interpreter.spaces.tensors import Layout
from interpreter.views.looks import Follows, Look
from interpreter.views.observation import observe
from interpreter.views.seen import seen

GAME = """\
rulespec: 1
id: kept
players: 3
pieces:
  Card:
    rows: {ace: {}, king: {}, queen: {}, jack: {}, ten: {}, nine: {}}
state:
  watcher: {is: set of Player, seen by: all}
zones:
  deck: {of: Card, order: shuffled, seen by: none, starts with: all}
  hand: {of: Card, per: Player, order: shuffled, seen by: owner}
  pile: {of: Card, order: as laid, seen by: none, top seen by: all}
  chest: {of: Card, seen by: watcher}
phases:
  game:
    do:
      - pause
      - {move: "list(ace, king, queen)", to: p1.hand}
      - {move: ten, to: chest}
      - {move: nine, to: pile}
      - pause
      - {look: king, by: p2}
      - pause
      - {look: jack, by: p3}
      - {set: watcher, to: set(p1)}
      - pause
      - reveal: queen
      - {set: watcher, to: set(p2)}
      - pause
      - {move: "list(queen, ace, jack)", to: pile}
      - pause
      - {move: jack, to: deck}
      - shuffle: deck
      - pause
      - {shuffle: p1.hand}
      - pause
procedures:
  pause:
    do:
      - {choose: go, by: p1, from: 1..2}
end of game:
  winners: set(p2)
"""


def test_a_look_changes_what_is_seen_where_nothing_moves(tmp_path: Path) -> None:
    """Two games of one set-up, of which the second finds what the first has left."""
    path = tmp_path / "kept.yaml"
    path.write_text(GAME, encoding="utf-8")
    game, known, tops = rulespec.Game(rulespec.load(path), backend="python"), set(), set()
    for seed in (1, 2):
        state = game.new_state(seed, undo=False)
        while not state.is_terminal():
            for viewer in (0, 1, 2, None, EVERYTHING):
                data = observe(state, viewer)
                assert json.loads(seen(state, viewer)[0]) == data
                known.add(repr(data.get("known")))
                tops.update(data["zones"]["pile"][-1:])
            for seat in range(3):
                assert state.numbered().observation_tensor(seat) == Layout(state.setup).observation(state, seat)
            state.apply_action(1)
    assert len(known) > 3
    assert tops == {"nine", "jack", "ace"}
    zones = {zone.name: zone for zone in game.program.zones}
    entries = {name: game.machine.sight.entries(zone)[0] for name, zone in zones.items()}

    def by(name: str, viewer: int) -> Follows:
        return Look(game, zones[name], entries[name], viewer, str, "").follows

    assert {name: by(name, 1) for name in zones} == {
        "deck": Follows.NUMBER, "hand": Follows.NUMBER, "pile": Follows.KNOWLEDGE, "chest": Follows.MORE,
    }  # fmt: skip
    assert by("hand", 0) is Follows.VALUE

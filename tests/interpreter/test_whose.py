"""A value outside its range: the message says of what and of whom, the value, and the end that it would leave."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
import rulespec
from interpreter.runtime.faults import Fault

SPEC = """\
rulespec: 1
id: whose
players: 2
types: {{Colour: [red, blue, green]}}
pieces: {{Card: {{rows: {{ace: {{}}, king: {{}}}}}}}}
zones: {{deck: {{of: Card, starts with: all}}}}
state:
  round: 0..2
  per Player:
    coins: {{is: 0..5, starts: 4}}
  per Card:
    worn: 0..3
  stock: {{by: [Player, Colour], is: 0..3}}
  row: {{by: [4..6, Colour], is: 0..1}}
phases:
  game:
    do:
      - turn: p2
procedures:
  turn:
    takes: {{p: Player}}
    do:
      - choose: n
        by: p
        from: 6..7
      - {step}
      - win: p
"""


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("{lose: 1, from: round}", "`round` would become -1; it may be at least 0"),
        ("{add: 4, to: p.coins}", "`p2.coins` would become 8; it may be at most 5"),
        ("{add: n, to: king.worn}", "`king.worn` would become 6; it may be at most 3"),
        ('{add: n, to: "stock(p, blue)"}', "`stock(p2, blue)` would become 6; it may be at most 3"),
        ('{set: "row(5, green)", to: 8 - n}', "`row(5, green)` would become 2; it may be at most 1"),
    ],
)
@pytest.mark.parametrize("backend", ["reference", "python"])
def test_it_says_whose(step: str, said: str, backend: str, tmp_path: Path) -> None:
    file = tmp_path / "whose.yaml"
    file.write_text(SPEC.format(step=step), "utf-8")
    state = interpreter.Game(rulespec.load(file), backend=backend).new_state(seed=1)
    with pytest.raises(Fault) as caught:
        state.apply_action(state.legal_actions()[0])
    diagnostic = caught.value.diagnostic
    assert (diagnostic.code, diagnostic.message) == ("R004", said)
    assert [text for _, text in diagnostic.related] == ["in procedure `game`", "in the game"]

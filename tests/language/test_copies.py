"""Which copies of a card are one option for people: those that nothing in the game tells apart."""

from __future__ import annotations

import pytest

import rulespec
from interpreter.copies import shown_once
from interpreter.game import State

GAME = """\
rulespec: 1
id: alike
players: 2
pieces:
  Card: {fields: {value: 1..9}, rows: {thief: {value: 1, copies: 3}, king: [5]}}
zones:
  hand: {of: Card, per: Player, seen by: owner}
  other: {of: Card, seen by: none, starts with: all}
  pile: {of: Card, order: as laid}
state:
  marked: {is: Card or none}
  several: set of Card
  row: list of Card
  per Card:
    damage: 0..9
phases:
  game:
    do:
      - {move: "those(c in Card)", to: p1.hand}
"""
ASKED = "      - choose: card\n        by: p1\n        from: "
HAND = f"{ASKED}p1.hand\n"
APART = {  # steps before the question, where the cards are chosen from, and how many options are shown
    "nothing": ("", HAND, 2),
    "a variable": ("      - {set: marked, to: first(p1.hand)}\n", HAND, 3),
    "one of a set": ("      - {set: several, to: set(first(p1.hand))}\n", HAND, 3),
    "all in a set": ('      - {set: several, to: "those(c in p1.hand where c.value == 1)"}\n', HAND, 2),
    "places in a list": ('      - {set: row, to: "each(c for c in p1.hand)"}\n', HAND, 4),
    "a variable of its own": ("      - {set: first(p1.hand).damage, to: 2}\n", HAND, 3),
    "what another knows": ("      - {reveal: first(p1.hand), to: set(p2)}\n", HAND, 3),
    "where it lies": (
        "      - {move: first(p1.hand), to: p2.hand}\n      - reveal: p2.hand\n",
        f"{ASKED}p1.hand + p2.hand\n",
        3,
    ),
    "its place in a pile": (
        '      - {move: "first(each(c for c in p1.hand), 2)", to: pile}\n',
        f"{ASKED}those(c in pile)\n",
        2,
    ),
    "a step that waits": (
        "      - let: kept\n        be: first(p1.hand)\n",
        f"{HAND}      - {{move: kept, to: pile}}\n",
        3,
    ),
    "a name in the rules": ("      - if: thief_2 in p1.hand\n        then: [skip]\n", HAND, 3),
    "a loop that goes through them": (
        "      - for: c in those(c in p1.hand)\n        do:\n          - skip\n",
        HAND,
        2,
    ),
}


@pytest.mark.parametrize("what", APART)
def test_copies_that_nothing_tells_apart_are_one_option(what: str, tmp_path) -> None:
    before, asked, shown = APART[what]
    file = tmp_path / "game.yaml"
    file.write_text(GAME + before + asked, encoding="utf-8")
    state: State = rulespec.Game(rulespec.load(file)).new_state(1)
    decision, question = state.decision(), state.question()
    assert question is not None
    assert len(decision.options) == len(state.legal_actions()) > 1  # as actions they are as many as there are
    options = shown_once(question, decision.options)
    assert len(options) == shown, [option.name for option in options]
    if shown == 2 and "pile" not in what:
        assert state.action_to_string(state.string_to_action("thief")) == "thief_1"


@pytest.mark.parametrize(
    ("count", "shown"),
    [("2", ["thief_1", "king", "done"]), ("4", ["thief_1", "king", "done"]), ("1..3", ["thief_1", "king", "done"])],
)
def test_copies_are_one_option_where_several_are_chosen(count: str, shown: list[str], tmp_path) -> None:
    """The order in which they are asked for makes some copies impossible, which are no options of their own."""
    file = tmp_path / "game.yaml"
    file.write_text(GAME + HAND + f"        count: {count}\n", encoding="utf-8")
    state: State = rulespec.Game(rulespec.load(file)).new_state(1)
    question = state.question()
    assert question is not None
    assert [option.name for option in shown_once(question, state.decision().options)] == shown
    state.apply_action(0)
    question = state.question()
    assert question is not None
    assert [option.name for option in shown_once(question, state.decision().options)] == ["thief_2", *shown[1:]]

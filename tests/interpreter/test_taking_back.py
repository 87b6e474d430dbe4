"""Which answers of random games can be taken back: a line for each player, + or - for each answer, as kept in the tree.

A change here is a change of what players may do: look at why, then write it anew with RULESPEC_GOLDEN=write.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.bots.basics import Chance
from tests.helpers.games import loaded
from tests.helpers.goldens import golden
from tests.helpers.places import ROOT

PLAY = ROOT / "tests/conformance/play"
GAMES: dict[str, tuple[str | Path, int, int]] = {  # a game, how many players, and how many answers
    "smaugs_treasure": ("smaugs_treasure", 2, 90),
    "hobbit_card_game": ("hobbit_card_game", 3, 60),
    "hobbit_board_game": ("hobbit_board_game", 2, 60),
    "five_armies": ("five_armies", 2, 60),
    "leduc_poker": ("leduc_poker", 2, 12),
    "together": (PLAY / "together.yaml", 3, 40),
    "together_nested": (PLAY / "together_nested.yaml", 2, 60),
    "lasting": (PLAY / "lasting.yaml", 2, 30),
    "looking_ahead": (PLAY / "looking_ahead.yaml", 2, 30),
    "take_back_known": (PLAY / "take_back_known.yaml", 2, 8),
    "arrange": (PLAY / "arrange.yaml", 2, 40),
    "windows": (PLAY / "windows.yaml", 2, 40),
}
GOLDEN = ROOT / "tests/golden/taking_back"


def marks(game: interpreter.Game, answers: int) -> str:
    """Whether each answer of a random game can be taken back by who gave it; nobody else may, but of what he sealed himself."""
    state, chance, lines = game.new_state(3), Chance(5), [""] * game.num_players
    for _ in range(answers):
        if state.is_terminal():
            break
        seat = chance.one_of(state.pending_players())
        state.apply_action(chance.one_of(state.legal_actions(seat)), seat)
        others = () if state.is_simultaneous() else (other for other in range(game.num_players) if other != seat)
        assert not any(state.can_take_back(other) for other in others)
        lines[seat] += "+" if state.can_take_back(seat) else "-"
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("name", GAMES)
def test_the_same_answers_can_be_taken_back(name: str) -> None:
    source, players, answers = GAMES[name]
    found = loaded(source)
    game = interpreter.Game(found, players=players if players in found.players else max(found.players))
    shown = marks(game, answers)
    assert shown == golden(GOLDEN / f"{name}.txt", shown)


@pytest.mark.parametrize("name", ["together", "together_nested", "hobbit_board_game"])
def test_what_others_seal_shows_neither_in_a_table_nor_in_what_can_be_taken_back(name: str) -> None:
    """Two seats that have sealed an answer one after the other: the first sees what it saw, and takes its own back beside the other's."""
    source, _, answers = GAMES[name]
    game, tried = interpreter.Game(loaded(source), players=3), 0
    for seed in range(4):
        state, chance = game.new_state(seed), Chance(seed)
        for _ in range(answers):
            if state.is_terminal():
                break
            first = chance.one_of(state.pending_players())
            after = state.child(chance.one_of(state.legal_actions(first)), first)
            for other in after.pending_players() if state.is_simultaneous() and after.is_simultaneous() else ():
                if other == first or state.question(other) is None or after.slots[1:] != state.slots[1:]:
                    continue
                action = chance.one_of(after.legal_actions(other))
                both = after.child(action, other)
                if not both.is_simultaneous() or both.slots[1:] != after.slots[1:]:
                    continue
                tried += 1
                assert both.table(first) == after.table(first) and both.table(None) == state.table(None)
                assert both.can_take_back(first) == after.can_take_back(first)
                if both.can_take_back(first):
                    back = both.before_last(first)
                    assert back == state.child(action, other) and back.table(first) == state.table(first)
            state = after
    assert tried

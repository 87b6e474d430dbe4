"""OpenSpiel's card games of tricks as judges: who is asked, what is legal, what each has scored.

Its scores are those of hand-books where they are not what is returned for a learner: of hearts it returns 26 less the points.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from .cards import NONE, RANKS, Asked, Cards, Table, Whole
from .deals import Judge

LETTERS = dict(zip("CDHS", ("clubs", "diamonds", "hearts", "spades"), strict=True))
SIGNS = dict(zip("23456789TJQKA", RANKS, strict=True))
WORDS = {"Pass": NONE, "Alone": "yes", "Partner": "no", "Nil": "0"} | {name.title(): name for name in LETTERS.values()}


@dataclass(frozen=True)
class There:
    """What a game is called there, and what differs of how it is told."""

    game: str
    first: tuple[int, ...] = ()  # what chance decides before the deal
    less: int = 0  # of what it returns
    passes: bool = False  # whether cards are passed


HEARTS = "hearts(pass_cards={},jd_bonus={})"
THERE = {
    "hearts": There(HEARTS.format("true", "false"), (1,), 26, passes=True),
    "omnibus_hearts": There(HEARTS.format("true", "true"), (1,), 26, passes=True),
    "hearts_without_passing": There(HEARTS.format("false", "false"), (0,), 26),
    "spades_held_back": There("spades"),
    "oh_hell": There("oh_hell(players=3,num_tricks_fixed=5)", (5, 2)),
    "oh_hell_with_penalties": There("oh_hell(players=3,num_tricks_fixed=5,off_bid_penalty=true)", (5, 2)),
    "euchre": There("euchre", (3,)),
}


def ours(written: str) -> str:
    """An action as it is called here: `CQ` and `QC` are the queen of clubs."""
    a, b = sorted(written, key=SIGNS.__contains__) if len(written) == 2 else ("", "")
    return f"{LETTERS[a]}_{SIGNS[b]}" if a in LETTERS and b in SIGNS else WORDS.get(written, written)


def actions(state: Any, player: int) -> dict[str, int]:
    """What is legal, by its name here."""
    return {ours(state.action_to_string(player, one)): one for one in state.legal_actions()}


def dealt(state: Any, there: There, table: Table, players: int) -> None:
    """Chance does there what it has done here."""
    library = import_module("pyspiel")
    for action in there.first:
        state.apply_action(action)
    zones = table()
    hands = [list(zones[f"hand.p{player + 1}"]) for player in range(players)]
    if there.game == "euchre":
        hands = [hands[-1], *hands[:-1]]  # the dealer is the first to get a card
    cards = [card for round_ in zip(*hands, strict=True) for card in round_]
    for card in [*cards, *zones["turned"]]:
        state.apply_action(actions(state, library.PlayerId.CHANCE)[card])


def judged(name: str) -> Judge:
    """A judge of a game, made of OpenSpiel's."""
    there = THERE[name]

    def play(table: Table, players: int) -> Whole:
        state = import_module("pyspiel").load_game(there.game).new_initial_state()
        dealt(state, there, table, players)
        if there.passes:
            yield from passed(state, table, players)
        while not state.is_terminal():
            player = state.current_player()
            legal = actions(state, player)
            state.apply_action(legal[(yield Asked(player, frozenset(legal)))])
        return [int(one) - there.less for one in state.returns()]

    return play


def passed(state: Any, table: Table, players: int) -> Iterable[Any]:
    """Three cards of each: there in any order, here one after another in that of the deck."""
    for player in range(players):
        assert player == state.current_player()
        for card in (yield from Cards(table, players).picked(player, [*actions(state, player)], 3)):
            state.apply_action(actions(state, player)[card])

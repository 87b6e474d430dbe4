"""How much an information state costs beside an observation, of the same seat in the same position, as text and as vector.

    python -m tools.bench.information GAME GAME --games 100

plays random games and asks for both, in turn the one and the other first: once after each answer for one seat, and once only whoever is to
move, who has then seen several positions since it was asked last.  It prints medians over games, of processor time.  Each row is a new
set-up, which has nothing kept.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from statistics import median, quantiles
from typing import Any

import rulespec

LONGEST = 300  # answers of a game that are looked at


def one_game(game: rulespec.Game, explicit: bool, moving: bool, vectors: bool, seed: int) -> tuple[int, int]:
    """Nanoseconds of all observations of a random game, and of the information states beside them.  Raises Fault."""
    choose = random.Random(seed)
    state = game.new_state(chance="explicit", undo=False) if explicit else game.new_state(seed, undo=False)
    play, spent = state.numbered(), [0, 0]
    asked: tuple[Callable[[Any], Any], ...] = (play.told, play.information_state)
    if vectors:
        asked = (play.observation_tensor, play.information_state_tensor)
    for number in range(LONGEST):
        if state.is_terminal():
            break
        drawn = state.is_chance_node()
        if drawn:
            outcomes = state.chance_outcomes()
            action = choose.choices([a for a, _ in outcomes], [float(share) for _, share in outcomes])[0]
        else:
            action = choose.choice(play.legal_actions())
        if not (drawn and moving):
            for kind in ((0, 1), (1, 0))[(number + seed) % 2]:
                begun = time.thread_time_ns()
                asked[kind](state.current_player() if moving else 0)
                spent[kind] += time.thread_time_ns() - begun
        play.apply_action(action)
    return spent[0], spent[1]


def main() -> None:
    """Measure the games that are named."""
    parser = argparse.ArgumentParser(description="What an information state costs beside an observation.")
    parser.add_argument("names", nargs="+", metavar="GAME")
    parser.add_argument("--games", type=int, default=100)
    given = parser.parse_args()
    print(
        "game, who is asked, chance, kind: how many observations an information state costs, and of nine games in ten at most"
    )
    for name in given.names:
        for moving in (False, True):
            for explicit in (False, True):
                for vectors in (False, True):
                    game = rulespec.Game(rulespec.load(name), backend="python")
                    _ = game.observation_layout, game.information_layout  # made once a game
                    times = [one_game(game, explicit, moving, vectors, seed) for seed in range(given.games)]
                    ratios = [told / seen for seen, told in times if seen]
                    who = "the seat to move" if moving else "one seat, each answer"
                    what = f"{name}, {who}, {'explicit' if explicit else 'seeded'}, {'vector' if vectors else 'text'}"
                    print(f"{what}: {median(ratios):.2f}, {quantiles(ratios, n=10)[-1]:.2f}", flush=True)


if __name__ == "__main__":
    main()

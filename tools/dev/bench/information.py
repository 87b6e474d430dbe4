"""How much an information state costs beside an observation, of the same seat in the same position, as text and as vector.

    python -m tools.dev.bench.information GAME GAME --games 100

plays each random game twice, and asks for the one and then for the other: once after each answer for one seat, and once only whoever is to
move.  It prints medians over games, of processor time: how many observations a call costs, and the same for each position to which the seat
has come since it was asked last, all of which it has seen.  Each row is a new set-up, which has nothing kept but what its first games left.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from statistics import median, quantiles
from typing import Any

import rulespec
from interpreter import State

LONGEST = 300  # answers of a game that are looked at
FIRST = 3  # games that only let functions be made which are made where they are first called


def one_game(game: rulespec.Game, explicit: bool, moving: bool, ask: str, seed: int) -> tuple[int, int, int]:
    """Of a random game: nanoseconds of all calls, how many they were, to how many positions the seats had come since.  Raises Fault."""
    choose = random.Random(seed)
    state = game.new_state(chance="explicit", undo=False) if explicit else game.new_state(seed, undo=False)
    play = state.numbered()
    asked: Callable[[Any], Any] = getattr(play, ask)
    spent = calls = positions = 0
    came = [0] * game.num_players
    for _ in range(LONGEST):
        if state.is_terminal():
            break
        drawn = state.is_chance_node()
        if drawn:
            outcomes = state.chance_outcomes()
            action = choose.choices([a for a, _ in outcomes], [float(share) for _, share in outcomes])[0]
        else:
            action = choose.choice(play.legal_actions())
        if not (drawn and moving):
            seat = state.current_player() if moving else 0
            now = passed(state)
            positions += now - came[seat]
            came[seat] = now
            calls += 1
            begun = time.thread_time_ns()
            asked(seat)
            spent += time.thread_time_ns() - begun
        play.apply_action(action)
    return spent, calls, positions


def passed(state: State) -> int:
    """How many positions the game has come to: where it began, and one for each answer of a player or of chance."""
    return 1 + sum(1 for _ in state.answers())


def ratios(name: str, explicit: bool, moving: bool, asks: tuple[str, str], games: int) -> list[tuple[float, float]]:
    """For each game how many observations an information state costs, and for each position.  Raises Fault."""
    spent = []
    for ask in asks:
        game = rulespec.Game(rulespec.load(name), backend="python")
        _ = game.observation_layout, game.information_layout  # made once a game
        for seed in range(FIRST):
            one_game(game, explicit, moving, ask, games + seed)
        spent.append([one_game(game, explicit, moving, ask, seed) for seed in range(games)])
    return [
        (told / seen, told / seen * calls / positions)
        for (seen, calls, positions), (told, _, _) in zip(*spent, strict=True)
        if seen
    ]


def main() -> None:
    """Measure the games that are named."""
    parser = argparse.ArgumentParser(description="What an information state costs beside an observation.")
    parser.add_argument("names", nargs="+", metavar="GAME")
    parser.add_argument("--games", type=int, default=100)
    given = parser.parse_args()
    print("how many observations an information state costs (and of nine games in ten at most), and for each position")
    for name in given.names:
        for moving in (False, True):
            for explicit in (False, True):
                for asks in (("told", "information_state"), ("observation_tensor", "information_state_tensor")):
                    found = ratios(name, explicit, moving, asks, given.games)
                    call, each = [one for one, _ in found], [one for _, one in found]
                    who = "the seat to move" if moving else "one seat, each answer"
                    what = f"{name}, {who}, {'explicit' if explicit else 'seeded'}, {'vector' if 'tensor' in asks[1] else 'text'}"
                    print(
                        f"{what}: {median(call):.2f} ({quantiles(call, n=10)[-1]:.2f}), {median(each):.2f}", flush=True
                    )


if __name__ == "__main__":
    main()

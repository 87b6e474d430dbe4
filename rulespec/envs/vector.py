"""Many games of one setup that are stepped at once, into arrays of numpy.  Needs numpy (extras `openspiel`, `envs`).

`rulespec.Batch` steps games in C and numbers the answers of each question apart; here actions have the fixed numbers of `Game.actions`, and
what the asked seat sees is a vector.  Both are made in Python, one game after the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import rulespec
from rulespec.envs.games import Games


class Vector:
    """`games` games, each stepped by `step`, which takes one number for each; one that has ended begins again at once.

    Arrays, which `step` and `reset` write to in place:

    - `players` int32 (games): the seat that answers next;
    - `observations` float32 (games, entries): what that seat sees, by `Game.observation_layout`;
    - `masks` int8 (games, numbers): 1 for each number that it may give;
    - `done` bool (games): whether the last step ended a game; all else is then of the new one, except
    - `rewards` float64 (games, seats): what each seat got in a game that the last step ended, else zeros.

    The same seed and the same numbers give the same games.  Raises Fault.
    """

    def __init__(self, game: rulespec.Game, games: int, seed: int = 0) -> None:
        self.game, self.games, self.seed = game, games, seed
        self.players: Any = np.zeros(games, np.int32)
        self.observations: Any = np.zeros((games, len(game.observation_layout)), np.float32)
        self.masks: Any = np.zeros((games, game.num_distinct_actions), np.int8)
        self.done: Any = np.zeros(games, np.bool_)
        self.rewards: Any = np.zeros((games, game.num_players))
        self.rows = [Games(game) for _ in range(games)]
        self.plays: list[rulespec.Numbered] = []
        self.reset()

    def reset(self) -> None:
        """Begin again with the first game of each place."""
        seeds = np.random.SeedSequence(self.seed).generate_state(self.games)
        self.plays = [row.begin(int(seed)) for row, seed in zip(self.rows, seeds, strict=True)]
        self.done[:] = False
        self.rewards[:] = 0
        for place in range(self.games):
            self.look(place)

    def step(self, numbers: Any) -> None:
        """Give one number to each game.  Raises IllegalAction for the first that is not legal: those before it have been stepped."""
        self.done[:] = False
        self.rewards[:] = 0
        for place, number in enumerate(numbers):
            play = self.plays[place]
            play.apply_action(int(number))
            if play.state.is_terminal():
                self.done[place] = True
                self.rewards[place] = [float(part) for part in play.state.returns()]
                self.plays[place] = self.rows[place].begin(None)
            self.look(place)

    def look(self, place: int) -> None:
        """Fill the arrays with what is asked in a game."""
        play = self.plays[place]
        seat = play.state.current_player()
        self.players[place] = seat
        self.observations[place] = np.frombuffer(play.observation_tensor(seat), np.float32)
        self.masks[place] = 0
        self.masks[place, play.legal_actions(seat)] = 1

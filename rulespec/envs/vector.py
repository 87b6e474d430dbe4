"""Many games of one setup that are stepped at once, into arrays of numpy.  Needs numpy (extras `openspiel`, `envs`).

Actions have the fixed numbers of `Game.actions`, and what the asked seat sees is a vector.  Where every answer has one number that
follows from the action, a `rulespec.Batch` plays the games, in C and on threads where it can; elsewhere each is played in Python.
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

    The same seed and the same numbers give the same games, on all back ends and any number of threads.  Raises Fault.
    """

    def __init__(self, game: rulespec.Game, games: int, seed: int = 0, threads: int | None = None) -> None:
        self.game, self.games = game, games
        self.masks: Any = np.zeros((games, game.num_distinct_actions), np.int8)
        self.places = np.arange(games)
        direct = all(site.base is not None for site in game.actions.sites)
        self.rows: Together | Apart = Together(game, games, seed, threads) if direct else Apart(game, games, seed)
        self.players, self.observations = self.rows.players, self.rows.observations
        self.done, self.rewards = self.rows.done, self.rows.rewards
        self.rows.show(self.masks)

    def reset(self) -> None:
        """Begin again with the first game of each place."""
        self.rows.reset()
        self.rows.show(self.masks)

    def step(self, numbers: Any) -> None:
        """Give one number to each game.  Raises IllegalAction for the first that is not legal: nothing has changed then."""
        given = np.asarray(numbers, np.int64)
        there = (given >= 0) & (given < self.masks.shape[1])
        wrong = np.flatnonzero(~there | (self.masks[self.places, np.where(there, given, 0)] == 0))
        if wrong.size:
            self.play(int(wrong[0])).apply_action(int(given[wrong[0]]))
        try:
            self.rows.step(given)
        finally:  # after a fault in one game the others have been stepped
            self.rows.show(self.masks)

    def play(self, place: int) -> rulespec.Numbered:
        """A copy of the game in a place."""
        return self.rows.play(place)


class Together:
    """Games that a batch plays: an action is its number less the first of the question."""

    def __init__(self, game: rulespec.Game, games: int, seed: int, threads: int | None) -> None:
        self.batch = rulespec.Batch(game, games, seed, "mask", threads, observations=True)
        space = game.actions
        self.first: Any = np.zeros(len(space.blocks), np.int64)  # of each block of questions
        for site, block in zip(space.sites, space.block_of, strict=True):
            self.first[block] = site.base
        entry = game.observation_layout.asked
        self.asked = slice(entry, entry + len(space.blocks))
        self.players: Any = np.asarray(self.batch.players)
        self.observations: Any = np.asarray(self.batch.observations)
        self.done: Any = np.asarray(self.batch.done).view(np.bool_)
        self.rewards: Any = np.asarray(self.batch.rewards)

    def reset(self) -> None:
        """Begin again."""
        self.batch.reset()

    def show(self, masks: Any) -> None:
        """Fill the masks."""
        self.firsts = self.first[self.observations[:, self.asked].argmax(axis=1)]
        places, actions = np.nonzero(np.asarray(self.batch.legal))
        masks[:] = 0
        masks[places, self.firsts[places] + actions] = 1

    def step(self, numbers: Any) -> None:
        """Give one legal number to each game."""
        self.batch.step((numbers - self.firsts).astype(np.int32))

    def play(self, place: int) -> rulespec.Numbered:
        """A copy of the game in a place."""
        return self.batch.state(place).numbered()


class Apart:
    """Games that are played one by one: their answers may have several numbers, given one after the other."""

    def __init__(self, game: rulespec.Game, games: int, seed: int) -> None:
        self.seed = seed
        self.players: Any = np.zeros(games, np.int32)
        self.observations: Any = np.zeros((games, len(game.observation_layout)), np.float32)
        self.done: Any = np.zeros(games, np.bool_)
        self.rewards: Any = np.zeros((games, game.num_players))
        self.rows = [Games(game) for _ in range(games)]
        self.plays: list[rulespec.Numbered] = []
        self.reset()

    def reset(self) -> None:
        """Begin again."""
        seeds = np.random.SeedSequence(self.seed).generate_state(len(self.rows))
        self.plays = [row.begin(int(seed)) for row, seed in zip(self.rows, seeds, strict=True)]
        self.done[:] = False
        self.rewards[:] = 0

    def show(self, masks: Any) -> None:
        """Fill the masks, and what is seen."""
        masks[:] = 0
        for place, play in enumerate(self.plays):
            if play.state.is_terminal():  # the next game could not begin
                continue
            seat = play.state.current_player()
            self.players[place] = seat
            self.observations[place] = np.frombuffer(play.observation_tensor(seat), np.float32)
            masks[place, play.legal_actions(seat)] = 1

    def step(self, numbers: Any) -> None:
        """Give one legal number to each game."""
        self.done[:] = False
        self.rewards[:] = 0
        for place, number in enumerate(numbers):
            play = self.plays[place]
            play.apply_action(int(number))
            if play.state.is_terminal():
                self.done[place] = True
                self.rewards[place] = [float(part) for part in play.state.returns()]
                self.plays[place] = self.rows[place].begin(None)

    def play(self, place: int) -> rulespec.Numbered:
        """A copy of the game in a place."""
        return self.plays[place].clone()

"""Our games as environments of Gymnasium: one seat is the agent's, bots play the others.  Needs the extra `envs`.

An observation is a dictionary of `observation`, the vector of `Game.observation_layout`, and `action_mask`, as `info` does; actions are
the numbers of `Game.actions`.  The reward is what the seat gets at the end, before that 0.  An action that is not legal ends the game with
the least that a seat can get, and `info["illegal"]`; with `illegal="raise"` it raises IllegalAction.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import gymnasium

import rulespec
from rulespec.envs.games import Games, nodes
from rulespec.envs.spaces import action_space, observation, observation_space


class Bot(Protocol):
    """Answers for a seat, as those of `rulespec.interpreter.bots`."""

    def choose(self, state: Any, player: int | None = None) -> int:
        """A legal action of the state."""
        ...


class Seat(gymnasium.Env[Any, Any]):
    """A game as the agent in one seat plays it.

    `bots` makes of a seed and a seat who plays there; without it the others play uniformly random numbers.  A game in which the agent is
    never asked is begun again.  One of more than `max_steps` of its answers is truncated.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(
        self,
        game: rulespec.Game,
        seat: int = 0,
        bots: Callable[[int, int], Bot] | None = None,
        illegal: str = "lose",
        max_steps: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if not 0 <= seat < game.num_players or illegal not in ("lose", "raise"):
            raise ValueError(f"the seats are 0 to {game.num_players - 1}; `illegal` is `lose` or `raise`")
        self.game, self.seat, self.bots, self.illegal = game, seat, bots, illegal
        self.max_steps = nodes(game) if max_steps is None else max_steps
        self.render_mode = render_mode
        self.games = Games(game)
        self.observation_space = observation_space(game)
        self.action_space = action_space(game)
        self.play: rulespec.Numbered
        self.crew: rulespec.Crew | None = None
        self.steps = 0

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin the next game: what the agent sees when it is first asked, and an info.  Raises Fault."""
        super().reset(seed=seed, options=options)
        self.steps = 0
        while True:
            self.play = self.games.begin(seed)
            seed = None
            if self.bots is not None:
                number = int(self.games.random.integers(2**63))
                self.crew = rulespec.Crew(
                    {seat: self.bots(number, seat) for seat in range(self.game.num_players) if seat != self.seat}
                )
            self.others_play()
            if not self.play.state.is_terminal():
                return self.seen()

    def others_play(self) -> None:
        """Let the others answer until the agent is asked or the game is over; bots do not see what it has sealed.  Raises Fault."""
        state: Any = self.play.state
        while not state.is_terminal():
            if self.crew is not None:
                self.crew.watch(state)
            asked = state.pending_players()
            if self.seat in asked:
                return
            other = asked[0]
            if self.crew is None:
                legal = self.play.legal_actions(other)
                self.play.apply_action(legal[self.games.random.integers(len(legal))], other)
            else:
                state.apply_action(self.crew.choose(state, other), other)
                self.play = state.numbered()

    def seen(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What the agent sees, and an info."""
        told = observation(self.play, self.seat)
        return told, {"action_mask": told["action_mask"]}

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Answer: observation, reward, terminated, truncated, info.  Raises Fault, and IllegalAction where that is wanted."""
        number = int(action)
        if self.illegal == "lose" and number not in self.play.legal_actions(self.seat):
            told, info = self.seen()
            return told, float(self.game.min_utility), True, False, {**info, "illegal": True}
        self.play.apply_action(number, self.seat)
        self.steps += 1
        self.others_play()
        over = self.play.state.is_terminal()
        told, info = self.seen()
        reward = float(self.play.state.returns()[self.seat])
        return told, reward, over, not over and self.steps >= self.max_steps, info

    def render(self) -> Any:
        """What all see, as JSON, where `render_mode` is `ansi`."""
        return self.play.told(None) if self.render_mode == "ansi" else None

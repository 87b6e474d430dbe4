"""Our games as environments of PettingZoo: `AEC`, one seat after another, and `Parallel`, in which all that are asked answer at once.

Agents are the ids of the seats.  An observation is a dictionary of `observation`, the vector of `Game.observation_layout`, and
`action_mask`; actions are the numbers of `Game.actions`.  All get their returns at the end, before that 0.  A game of more than `max_steps`
answers is truncated.  An action that is not legal raises IllegalAction and changes nothing.

In `Parallel` those that are not asked have a mask without a 1, and their actions are not looked at.  Needs the extra `envs`.
"""

from __future__ import annotations

from typing import Any

import pettingzoo

import rulespec
from rulespec.envs.games import Games, nodes
from rulespec.envs.spaces import action_space, observation, observation_space

MODES = ["ansi"]


class Table:
    """What both kinds share: a game that is played again and again."""

    metadata: dict[str, Any] = {"name": "rulespec_v0", "render_modes": MODES, "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, game: rulespec.Game, max_steps: int | None = None, render_mode: str | None = None) -> None:
        self.game, self.games = game, Games(game)
        self.max_steps = nodes(game) if max_steps is None else max_steps
        self.render_mode = render_mode
        self.metadata = {**Table.metadata, "name": f"{game.id}_v0"}
        self.possible_agents = list(game.seats)
        self.agents: list[str] = []
        self.seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: observation_space(game) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(game) for agent in self.possible_agents}
        self.play: rulespec.Numbered
        self.steps = 0

    def observation_space(self, agent: str) -> Any:
        """What an agent sees is in this space."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """What an agent does is in this space."""
        return self.action_spaces[agent]

    def begin(self, seed: int | None) -> None:
        """The next game."""
        self.play = self.games.begin(seed)
        self.agents = self.possible_agents[:]
        self.steps = 0

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees now."""
        return observation(self.play, self.seats[agent])

    def answer(self, agent: str, action: Any) -> None:
        """Give an action of an agent.  Raises IllegalAction, and Fault."""
        self.play.apply_action(int(action), self.seats[agent])
        self.steps += 1

    @property
    def over(self) -> bool:
        """Whether the game has ended by its rules."""
        return self.play.state.is_terminal()

    @property
    def cut(self) -> bool:
        """Whether it has taken too long."""
        return not self.over and self.steps >= self.max_steps

    def returns(self) -> dict[str, float]:
        """What each agent gets now."""
        numbers = self.play.state.returns()
        return {agent: float(numbers[self.seats[agent]]) for agent in self.possible_agents}

    def render(self) -> str | None:
        """What all see, as JSON, where `render_mode` is `ansi`."""
        return self.play.told(None) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""


class AEC(Table, pettingzoo.AECEnv):
    """A game in which one agent answers after another; sealed choices too, of which no other agent sees anything."""

    def reset(self, seed: int | None = None, options: Any = None) -> None:  # noqa: ARG002
        """Begin the next game.  Raises Fault."""
        self.begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.asked()

    def asked(self) -> str:
        """The agent that answers next; when the game is over, the first."""
        return self.possible_agents[max(0, self.play.state.current_player())]

    def step(self, action: Any) -> None:
        """Answer for the agent that is asked.  Raises IllegalAction, and Fault."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.answer(agent, action)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = self.returns()
        self.terminations = dict.fromkeys(self.agents, self.over)
        self.truncations = dict.fromkeys(self.agents, self.cut)
        self.agent_selection = self.asked()
        self._accumulate_rewards()


class Parallel(Table, pettingzoo.ParallelEnv):
    """A game in which all agents that are asked answer at once."""

    def reset(self, seed: int | None = None, options: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:  # noqa: ARG002
        """Begin the next game: observations and infos by agent.  Raises Fault."""
        self.begin(seed)
        return {agent: self.observe(agent) for agent in self.agents}, {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        """Answer for all that are asked: observations, rewards, terminations, truncations and infos.  Raises IllegalAction, and Fault."""
        for seat in self.play.state.pending_players():
            agent = self.possible_agents[seat]
            self.answer(agent, actions[agent])
        over, cut, agents = self.over, self.cut, self.agents
        if over or cut:
            self.agents = []
        seen = {agent: self.observe(agent) for agent in agents}
        ended = dict.fromkeys(agents, over), dict.fromkeys(agents, cut)
        return seen, self.returns(), *ended, {agent: {} for agent in agents}

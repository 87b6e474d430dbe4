"""Spaces of Gymnasium for a game, and what fills them.  Needs the extra `envs`."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

import rulespec


def action_space(game: rulespec.Game) -> Any:
    """The numbers of `Game.actions`."""
    return spaces.Discrete(game.num_distinct_actions)


def observation_space(game: rulespec.Game) -> Any:
    """`observation`: float32, an entry for each of `Game.observation_layout`, within its bounds; `action_mask`: int8, 1 where legal."""
    layout = game.observation_layout
    low, high = np.array(layout.low, np.float32), np.array(layout.high, np.float32)
    mask = spaces.Box(0, 1, (game.num_distinct_actions,), np.int8)
    return spaces.Dict({"observation": spaces.Box(low, high, dtype=np.float32), "action_mask": mask})


def mask(play: rulespec.Numbered, seat: int) -> Any:
    """1 for each number that a seat may give now: int8."""
    legal: Any = np.zeros(len(play.space), np.int8)
    if seat in play.state.pending_players():
        legal[play.legal_actions(seat)] = 1
    return legal


def observation(play: rulespec.Numbered, seat: int) -> dict[str, Any]:
    """What a seat sees, and what it may do."""
    vector = np.frombuffer(play.observation_tensor(seat), np.float32)
    return {"observation": vector, "action_mask": mask(play, seat)}

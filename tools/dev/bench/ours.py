"""What our own games are measured by, in a worker's process."""

from __future__ import annotations

import random
from itertools import count
from pathlib import Path
from typing import Any

from .plan import ONCE
from .positions import children, clones, collect
from .slices import Played, Work, Works

SEED = 20_000  # where the seeds of whole games begin
SAVED = 40  # positions, at most, that are saved and loaded in a row: each takes milliseconds


def works(settings: dict[str, Any]) -> Works:
    """Each quantity and the work for it.  Raises RulespecError, Fault."""
    import interpreter
    import rulespec

    name = settings["load"]
    gamedef = rulespec.load(Path(name) if name.endswith(".yaml") else name, cache=True)  # each process has the same one
    game = interpreter.Game(gamedef, players=settings["players"], backend=settings["backend"])

    def bare(seed: int) -> Any:
        return game.new_state(seed, undo=False, record=False)

    if settings["backend"] in ONCE:  # nobody waits for it
        return {"playouts": lambda: playouts(game), "steps": lambda: steps(game)}
    found = {
        "playouts": lambda: playouts(game),
        "steps": lambda: steps(game),
        "clones": lambda: clones(collect(bare)),
        "children": lambda: children(collect(bare)),
        "saves": lambda: saves(
            game, [state for state, _ in collect(lambda seed: game.new_state(seed, undo=False), SAVED)]
        ),
    }
    if not settings.get(
        "saves", True
    ):  # each asks its question in Python, which of games in natural style takes seconds
        del found["saves"]
    return found


def playouts(game: Any) -> Work:
    """Whole games in one call."""
    seeds, playout = count(SEED), game.playout

    def call() -> tuple[Any, list[int]]:
        state = playout(next(seeds))
        return state, state.returns()

    def read(result: tuple[Any, list[int]]) -> Played:
        state, returns = result
        # A playout need not keep its history.
        length = sum(actor >= 0 for actor, *_ in state.answers()) if state.history is not None else None
        return length, returns

    return Work(call, read=read)


def steps(game: Any) -> Work:
    """Whole games by the public calls, as the peers are driven; nothing that is not needed is kept."""
    seeds, new_state, bits = count(SEED), game.new_state, random.getrandbits

    def call() -> Played:
        state = new_state(next(seeds), undo=False, record=False)
        while legal := state.legal_actions():  # there are none at the end
            state.apply_action(legal[bits(30) % len(legal)])
        return state.decisions, state.returns()

    return Work(call, read=lambda result: result)


def saves(game: Any, states: list[Any]) -> Work:
    """Positions written as text, with their log and history, and read again."""
    read = game.state_from_json

    def call() -> None:
        for state in states:
            read(state.to_json())

    return Work(call, len(states))

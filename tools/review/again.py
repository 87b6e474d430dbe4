"""Plays a game of a review again, with all its answers kept."""

from __future__ import annotations

from interpreter import Fault, Game, State
from rulespec.checker.program import CheckedGame

from ..bots import seating
from ..playouts import random_crew
from .series import LONGEST
from .setups import RANDOM, Setup


def played_again(checked: CheckedGame, path: str, setup: Setup, seed: int) -> State:
    """The game of a setup and seed at its end, or where it stopped with a fault."""
    game = Game.from_program(checked.program(players=setup.players, options=dict(setup.options)), backend="python")
    if setup.bot == RANDOM:
        crew = random_crew(game, seed)
    else:
        crew = seating(game, checked, path, (setup.bot,) * setup.players).crew(seed)
    state = game.new_state(seed, undo=False)
    try:
        while not state.is_terminal() and state.decisions < LONGEST:
            crew.watch(state)
            seat = state.current_player()
            state.apply_action(crew.choose(state, seat), seat)
    except Fault:
        pass
    return state

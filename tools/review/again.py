"""Plays a game of a review again, with all its answers kept."""

from __future__ import annotations

from interpreter import Fault, Game, State
from rulespec.checker.program import CheckedGame

from ..bots import seating
from ..playouts import random_crew
from .finding import Finding
from .observe import question_names
from .series import LONGEST
from .setups import RANDOM, Setup

OF_QUESTIONS = frozenset({"one answer", "no difference", "same result", "never offered"})


def question_of(finding: Finding) -> str:
    """The question that a finding is about, "" where it is about none."""
    return finding.subject.partition(": ")[0] if finding.kind in OF_QUESTIONS else ""


def played_again(
    checked: CheckedGame, path: str, setup: Setup, seed: int, question: str = ""
) -> tuple[State, int | None]:
    """The game of a setup and seed at its end, or where it stopped with a fault; and how many answers there are before a question
    is put in it that has more than one answer, or any if none has.
    """
    game = Game.from_program(checked.program(players=setup.players, options=dict(setup.options)), backend="python")
    if setup.bot == RANDOM:
        crew = random_crew(game, seed)
    else:
        crew = seating(game, checked, path, (setup.bot,) * setup.players).crew(seed)
    names = question_names(game.program)
    state = game.new_state(seed, undo=False)
    before: int | None = None
    chosen = False  # whether there was a choice at that place
    try:
        while not state.is_terminal() and state.decisions < LONGEST:
            crew.watch(state)
            asked = state.pending().questions[0]
            if not chosen and names[asked.site.index] == question and (before is None or len(asked.legal) > 1):
                before, chosen = sum(1 for _ in state.answers()), len(asked.legal) > 1
            state.apply_action(crew.choose(state, asked.seat), asked.seat)
    except Fault:
        pass
    return state, before

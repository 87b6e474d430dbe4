"""Plays invented games on all back ends at once, answer for answer."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import rulespec
from interpreter import Fault, Game, State
from rulespec.ir.gamedef import GameDef
from tests.helpers.invented.steps import Invention

BACKENDS = ("native", "python", "reference")
TRIES = 3  # answers for each of a game


@dataclass
class Told:
    """What came of some games: how many answers each back end gave (`C`: without handing over), and where they differ."""

    counts: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)


def checked(game: Invention, file: Path) -> tuple[Invention, GameDef]:
    """What of an invented game checks, and that as a game, which is written to a file."""
    while True:
        file.write_text(game.text, encoding="utf-8")
        _, findings = rulespec.check(file)
        wrong = {f.span.line for f in findings if f.severity == "error" and f.span is not None}
        if not wrong:
            return game, rulespec.load(file)
        less = game.without(wrong)
        assert less != game, "\n".join(map(rulespec.render, findings))  # what all invented games have in common checks
        game = less


def outcome(state: State, action: int) -> tuple[Any, ...]:
    """What an answer makes of a position: its slots and the next question, or the fault."""
    try:
        state.apply_action(action)
        legal = tuple(state.legal_actions())  # C looks for options only when it is asked
        return repr(state.slots), legal, tuple(state.returns()) if state.is_terminal() else None, state.decisions
    except Fault as fault:
        return ("fault", str(fault))


def play(game: Invention, found: GameDef, seed: int, told: Told) -> None:
    """Plays a game once; an answer that is a fault is not given, and another is tried."""
    games = [Game(found, players=2, backend=backend) for backend in BACKENDS]
    states = [one.new_state(seed, record=False, undo=False) for one in games]
    dice, last = random.Random(seed), ""
    for _ in range(TRIES * len(game.answers) + 10):
        if states[0].is_terminal():
            return
        legal = states[-1].legal_actions()
        action = dice.choice(legal)
        if len(legal) == len(game.answers) + 1:
            last = game.answers[action - 1] if action else "nothing"
        after = [state.clone() for state in states]
        before = games[0].handed_over
        outcomes = [outcome(state, action) for state in after]
        told.counts[
            "fault" if outcomes[-1][0] == "fault" else "C" if games[0].handed_over == before else "handed over"
        ] += 1
        if outcomes.count(outcomes[0]) < len(outcomes):
            told.differences.append(
                f"seed {seed}, answer {action} to {last}\n"
                + "\n".join(f"  {b}: {str(o)[:2000]}" for b, o in zip(BACKENDS, outcomes, strict=True))
            )
            return
        if outcomes[0][0] != "fault":
            states = after

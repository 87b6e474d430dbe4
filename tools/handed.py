"""What of a game that is played natively Python does, in words: where the rules have no C, and answers that C left to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import console, report

if TYPE_CHECKING:
    from interpreter import Game

FEW, SEVERAL = 20, 2000  # answers left to Python, and answers in all, after which no more are tried


def left_to_python(game: Game) -> list[str]:
    """What Python did in this process, a line each: how often, and why."""
    loaded = None if game.switch is None else game.switch.loaded
    if loaded is None:
        return []
    lines = [f"left to Python: {where}: {why}" for where, why in loaded.built.left]
    lines += map(line_of, in_play(game))
    if whole := game.handed_over - game.handed_for.total():
        lines.append(f"left to Python: {report.counted(whole, 'answer')} in games of which it comes again and again")
    return [console.printable(line) for line in lines]


def in_play(game: Game) -> list[dict[str, Any]]:
    """The answers that C has left to Python in this process: how often, to the question of which line, and why."""
    return [
        {"where": None if where is None else where.label(), "why": why, "answers": times}
        for (where, why), times in game.handed_for.most_common()
    ]


def line_of(left: dict[str, Any]) -> str:
    """The same of one question for people."""
    asked = "" if left["where"] is None else f" to what is asked at {left['where']}"
    return f"left to Python: {report.counted(left['answers'], 'answer')}{asked}: {left['why']}"


def tried(game: Game) -> int:
    """Play random games for a while, so that `in_play` knows what C leaves to Python; how many answers were given.

    Faults of the rules are no matter here.
    """
    from interpreter import Fault
    from interpreter.game import Choices

    given = 0
    for seed in range(FEW):
        state, choices = game.new_state(seed, undo=False, record=False), Choices(seed)
        while not state.is_terminal():
            if given >= SEVERAL or game.handed_over >= FEW:
                return given
            try:
                choices.answer(state)
            except Fault:
                break
            given += 1
    return given

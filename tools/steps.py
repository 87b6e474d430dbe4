"""The steps of a game that was played."""

from __future__ import annotations

from interpreter import State
from interpreter.files import transcript


def positions(end: State) -> list[State]:
    """All positions of a game up to this one, the first one first; a state that has forgotten how it came is played again."""
    if end.past is None and end.decisions:
        end = end.game.replay(transcript.write(end))
    states = [end]
    while states[-1].past is not None:
        before = states[-1].clone()
        before.undo()
        states.append(before)
    return states[::-1]

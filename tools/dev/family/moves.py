"""A position of ours with whole moves, written as the other library writes them: `e2e4`, `e7e8q`, `N@f3`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter import Game


class Board:
    """What a game's answers are called in the notation of moves."""

    def __init__(self, game: Game) -> None:
        members = {kind.name: kind for kind in game.program.kinds}
        self.squares = frozenset(members["Square"].members)
        kinds = members["Kind"]
        letters = next(field.values for field in kinds.fields if field.name == "letter")
        self.letters = dict(zip(kinds.members, letters, strict=True))

    def written(self, answers: tuple[str, ...]) -> str:
        """A move by its answers; the words that only choose between moving and dropping are left out."""
        told = [one for one in answers if one in self.squares or one in self.letters]
        if told[0] in self.letters:
            return f"{self.letters[told[0]].upper()}@{told[1]}"
        squares = [one for one in told if one in self.squares]
        rest = ["+" if self.letters[one].startswith("+") else self.letters[one] for one in told if one in self.letters]
        return "".join([*squares, *rest])

    def moves(self, state: Any) -> Iterator[tuple[str, Any]]:
        """Each move of who is asked, with what follows."""
        if not state.is_terminal():
            for answers, after in self._answers(state, state.current_player(), ()):
                yield self.written(answers), after

    def _answers(self, state: Any, mover: int, before: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
        for action in state.legal_actions():
            after, answers = state.child(action), (*before, state.action_to_string(action))
            if after.is_terminal() or after.current_player() != mover:
                yield answers, after
            else:
                yield from self._answers(after, mover, answers)

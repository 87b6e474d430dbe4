"""Our positions with whole moves: all that a player answers in a row is one, written as another library writes it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from typing import Any


class Board(ABC):
    """What a game's answers are called in the notation of moves."""

    @abstractmethod
    def written(self, answers: tuple[str, ...]) -> str:
        """A move by its answers."""

    def shortened(self, moves: Collection[str]) -> Mapping[str, str]:
        """All moves of a position by what they are compared by; in full, if nothing else is said."""
        return {move: move for move in moves}

    def moves(self, state: Any) -> Iterator[tuple[str, Any]]:
        """Each move of who is asked, with what follows."""
        if not state.is_terminal():
            found = [
                (self.written(answers), after) for answers, after in self._answers(state, state.current_player(), ())
            ]
            short = {whole: one for one, whole in self.shortened({whole for whole, _ in found}).items()}
            yield from ((short[whole], after) for whole, after in found)

    def _answers(self, state: Any, mover: int, before: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
        for action in state.legal_actions():
            after, answers = state.child(action), (*before, state.action_to_string(action))
            if after.is_terminal() or after.current_player() != mover:
                yield answers, after
            else:
                yield from self._answers(after, mover, answers)

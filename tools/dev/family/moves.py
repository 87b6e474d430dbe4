"""A position of ours with whole moves, written as the other library writes them: `e2e4`, `e7e8q`, `N@f3`, `e2e4,e4d5`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from interpreter import Game

FROM_TO = re.compile(r"([a-l]\d+){2}")


def shortened(moves: Iterable[str]) -> dict[str, str]:
    """Moves by what is asked of a player: from where to where, if nothing else is open then."""
    whole = [*moves]
    stems = {move: found[0] if (found := FROM_TO.match(move)) else move for move in whole}
    many = Counter(stems.values())
    return {stem if many[stem] == 1 else move: move for move, stem in stems.items()}


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
        match [one for one in answers if one in self.squares or one in self.letters]:
            case [kind, square] if kind in self.letters:
                return f"{self.letters[kind].upper()}@{square}"
            case [a, b, *rest] if (
                len(rest) == 2 and rest[0] in self.squares
            ):  # one more man enters, on one of two squares
                return f"{a}{b}{self.letters[rest[1]]}" if rest[0] == a else f"{rest[0]}{a}{self.letters[rest[1]]}"
            case [a, b, *rest]:
                signs = [self.letters[one] for one in rest if one in self.letters]
                walls = [f",{b}{one}" for one in rest if one in self.squares]
                return "".join([a, b, *("+" if sign.startswith("+") else sign for sign in signs), *walls])
            case said:
                raise ValueError(f"no move is written by {said}")

    def moves(self, state: Any) -> Iterator[tuple[str, Any]]:
        """Each move of who is asked, with what follows."""
        if not state.is_terminal():
            found = [
                (self.written(answers), after) for answers, after in self._answers(state, state.current_player(), ())
            ]
            short = {whole: one for one, whole in shortened({whole for whole, _ in found}).items()}
            yield from ((short[whole], after) for whole, after in found)

    def _answers(self, state: Any, mover: int, before: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
        for action in state.legal_actions():
            after, answers = state.child(action), (*before, state.action_to_string(action))
            if after.is_terminal() or after.current_player() != mover:
                yield answers, after
            else:
                yield from self._answers(after, mover, answers)

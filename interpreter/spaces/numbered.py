"""A state that is played by the fixed numbers of its game's actions, and seen as vectors and texts."""

from __future__ import annotations

from array import array
from typing import Any

from interpreter.position import Position
from interpreter.runtime.faults import IllegalAction
from interpreter.runtime.values import CHANCE
from interpreter.runtime.visibility import Viewer
from interpreter.spaces.actions import action_space
from interpreter.spaces.tensors import information_layout, layout
from interpreter.spaces.words import Word
from interpreter.views.information import information_state
from interpreter.views.seen import canonical, seen
from rulespec.text.quoting import ticked


class Numbered:
    """A state that is played by the numbers of its game's `ActionSpace`, answers of several symbols stage by stage.

    The state is the one that it is given, and goes on with it; `given` says for each seat the symbols of an answer that is not whole yet.
    Names are OpenSpiel's, as for `State`.
    """

    __slots__ = ("_menus", "given", "space", "state")

    def __init__(self, state: Position) -> None:
        self.state = state
        self.space = action_space(state.setup)
        self.given: dict[int, Word] = {}
        self._menus: dict[int, dict[Word, int]] = {}

    def menu(self, player: int | None) -> tuple[int, dict[Word, int], Word]:
        """The seat that is asked, the words that it may still complete, and how far they are given."""
        question = self.state.question(player)
        if question is None:
            return CHANCE, {}, ()
        seat = question.seat
        given = self.given.get(seat, ())
        words = self._menus.get(seat)
        if words is None:
            words = self.space.words(self.state, question)
            if given:
                words = {word: action for word, action in words.items() if word[: len(given)] == given}
            self._menus[seat] = words
        return seat, words, (*given, *shared(words, len(given)))

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The numbers that a player (by default the current one) may give now, ascending; for chance its outcomes.  Raises Fault."""
        if player in (None, CHANCE) and self.state.is_chance_node():
            return self.state.legal_actions()
        _, words, given = self.menu(player)
        at = len(given)
        return sorted({word[at] for word in words})

    def apply_action(self, number: int, player: int | None = None) -> None:
        """Give a number; the state is answered when its word is whole.

        Raises IllegalAction P002, P003 or P004, UnknownAction P001, or Fault; nothing has changed then.
        """
        if player in (None, CHANCE) and self.state.is_chance_node():
            self.state.apply_action(number)
            self._menus, self.given = {}, {}
            return
        seat, words, given = self.menu(player)
        if not words:
            self.state.asked(player)
        at = len(given)
        left = {word: action for word, action in words.items() if word[at] == number}
        if not left:
            name = self.space.to_string(number)
            raise IllegalAction("P002", f"{ticked(name)} is not an action of {self.state.seat_name(seat)} now")
        if len(left) > 1:
            self.given = {**self.given, seat: (*given, number)}
            self._menus = {**self._menus, seat: left}
            return
        self.state.apply_action(next(iter(left.values())), seat)
        self.given = {other: word for other, word in self.given.items() if other != seat}
        self._menus = {}

    def action_to_string(self, number: int, player: int | None = None) -> str:
        """What a number means; raises UnknownAction P001."""
        if player in (None, CHANCE) and self.state.is_chance_node():
            return self.state.action_to_string(number)
        return self.space.to_string(number)

    def clone(self) -> Numbered:
        """An independent copy."""
        new = Numbered.__new__(Numbered)
        new.state, new.space, new.given, new._menus = self.state.clone(), self.space, self.given, self._menus
        return new

    def __copy__(self) -> Numbered:
        """The same as `clone`."""
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Numbered:
        """The same as `clone`: no value of a position changes."""
        return self.clone()

    # --- what a seat sees --------------------------------------------------------------------------------
    def observation_tensor(self, seat: int) -> array[float]:
        """What a seat sees now: a float of 32 bits for each entry of `Game.observation_layout`.  Raises Fault."""
        return layout(self.state.setup).observation(self.state, seat, self.given.get(seat, ()))

    def information_state_tensor(self, seat: int) -> array[float]:
        """All that a seat has seen and done: a float of 32 bits for each entry of `Game.information_layout`.

        Raises IllegalAction P009 where no history is kept, and Fault.
        """
        return information_layout(self.state.setup).information_state(self.state, seat, self.given.get(seat, ()))

    def told(self, seat: Viewer) -> str:
        """What a seat (None: a spectator) sees now, as canonical JSON, with the parts of an answer that it has given.  Raises Fault."""
        return seen(self.state, seat)[0] + self.parts(seat)

    def information_state(self, seat: Viewer) -> str:
        """All that a seat has seen and done, as canonical JSON, with the parts of an answer that it has given.

        Raises IllegalAction P009 where no history is kept, and Fault.
        """
        return information_state(self.state, seat) + self.parts(seat)

    def parts(self, seat: Viewer) -> str:
        """The names of what a seat has given of an answer that is not whole."""
        given = () if seat is None else self.given.get(seat, ())
        return canonical([self.space.names[number] for number in given]) if given else ""


def shared(words: dict[Word, int], at: int) -> Word:
    """The symbols from a place on that all of several words have in common: no choice, so that they are passed over."""
    if len(words) < 2:
        return ()
    first, last = min(words), max(words)
    end = at
    while first[end] == last[end]:
        end += 1
    return first[at:end]

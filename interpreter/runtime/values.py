"""What a position is made of, in the words that every back end shares."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, Protocol

from rulespec.system.records import dataclass

CHANCE = -1  # who answers where chance is asked
TERMINAL = -4  # who is asked when the game is over

Number = int | Fraction  # what a player gets: whole, but where the rules divide it
Slots = list[Any]  # a position: immutable values
Locals = list[Any]  # of the procedure or function that runs
Frame = tuple[Any, ...]  # what waits: (point, parent, *the locals that the point keeps)
Bodies = Callable[[str], Callable[..., Any]]  # finds the Python body of a function of the registry


def exact(numbers: Iterable[Number]) -> list[int | str]:
    """Numbers as JSON data: whole ones as they are, fractions as texts, `1/3`."""
    return [int(number) if number.denominator == 1 else str(number) for number in numbers]


def depth(frame: Frame | None) -> int:
    """How many wait: a frame, its callers, theirs."""
    number = 0
    while frame is not None:
        number += 1
        frame = frame[1]
    return number


@dataclass(slots=True)
class Journal:
    """What a run adds to: the log and the history, as linked entries with the newest first.

    `turn` is what a line of the log keeps of when it was written: how many decisions players had answered by then, and who
    answered the last of them; CHANCE before the first, and where several answered in secret, who must not be told apart.
    """

    log: Any
    history: Any
    result: Any = None
    turn: tuple[int, int] = (0, CHANCE)


class Functions(Protocol):
    """Who has the functions of a program: any back end."""

    def function(self, index: int) -> Callable[..., Any]:
        """A function as `f(slots, *arguments)`."""
        ...

"""The score sheet of a game that is over: the rules show it to all, whatever it is counted of."""

from __future__ import annotations

from interpreter.position import Position
from interpreter.runtime.faults import FAILED
from interpreter.runtime.texts import HIDDEN

Sheet = tuple[
    tuple[str, tuple[str | None, ...]], ...
]  # labels, and what each seat has there: None where it is not for that seat


def sheet(position: Position) -> Sheet:
    """What each seat has, line by line; raises NotSeen where the slots of the position are what somebody sees of it."""
    machine = position.setup.machine
    machine.compiler.refuel()

    def cell(function: int, seat: int) -> str | None:
        try:
            value = machine.compiler.function(function)(position.slots, seat)
        except FAILED:
            return HIDDEN
        return None if value is None else str(value)

    seats = range(position.setup.num_players)
    score = position.setup.program.score
    return tuple((label, tuple(cell(function, seat) for seat in seats)) for label, function in score)

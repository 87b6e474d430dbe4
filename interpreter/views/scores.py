"""The score sheet: while the game goes on as far as it follows from what a viewer sees, and all of it when the game is over."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.position import Position
from interpreter.runtime.faults import FAILED, Fault
from interpreter.runtime.hidden import NotSeen
from interpreter.runtime.texts import HIDDEN
from interpreter.runtime.visibility import Viewer
from interpreter.setup import Setup
from interpreter.views.pictures import Onlooker

# Labels, and what each seat has there: None where it is not for that seat.
Sheet = tuple[tuple[str, tuple[str | None, ...]], ...]
FEW_SCORES = 3  # columns of a score sheet that stand at the seats


def sheet(position: Position) -> Sheet:
    """What each seat has, line by line, whatever it is counted of; raises NotSeen where the slots are what somebody sees of a position."""
    machine = position.setup.machine
    machine.compiler.refuel()
    return filled(
        position.setup, lambda function, seat: machine.compiler.function(function)(position.slots, seat), FAILED
    )


def columns(onlooker: Onlooker) -> Sheet:
    """The same as a viewer can tell; `?` stands for what is not seen."""
    return filled(onlooker.setup, onlooker.value, (NotSeen, Fault))


def filled(setup: Setup, value: Callable[[int, int], object], unknown: tuple[type[Exception], ...]) -> Sheet:
    """The sheet of what each seat has in each column; `?` where that raises one of some exceptions."""

    def cell(function: int, seat: int) -> str | None:
        try:
            found = value(function, seat)
        except unknown:
            return HIDDEN
        return None if found is None else str(found)

    seats = range(setup.num_players)
    return tuple((label, tuple(cell(function, seat) for seat in seats)) for label, function in setup.program.score)


def of_seat(columns: Sheet, seat: int) -> list[tuple[str, str]]:
    """What stands at a seat while the game goes on: (name, text); nothing where the columns are many."""
    if len(columns) > FEW_SCORES:
        return []
    return [(label, text) for label, cells in columns if (text := cells[seat]) is not None]


def at_seats(position: Position, viewer: Viewer) -> list[list[tuple[str, str]]]:
    """What stands at each seat, as a viewer sees it."""
    found = columns(Onlooker(position, viewer)) if position.setup.program.score else ()
    return [of_seat(found, seat) for seat in range(position.setup.num_players)]

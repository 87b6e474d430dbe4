"""The score sheet of a game that may go on, as far as it follows from what a viewer sees."""

from __future__ import annotations

from interpreter.position import Position
from interpreter.runtime.faults import Fault
from interpreter.runtime.hidden import NotSeen
from interpreter.runtime.texts import HIDDEN
from interpreter.runtime.visibility import Viewer
from interpreter.views.pictures import Onlooker
from interpreter.views.scores import Sheet

FEW_SCORES = 3  # columns of a score sheet that stand at the seats


def columns(onlooker: Onlooker) -> Sheet:
    """All columns; `?` stands for what is not seen."""
    seats = range(onlooker.setup.num_players)
    return tuple(
        (label, tuple(cell(onlooker, function, seat) for seat in seats)) for label, function in onlooker.program.score
    )


def cell(onlooker: Onlooker, function: int, seat: int) -> str | None:
    """What one seat has in a column."""
    try:
        value = onlooker.value(function, seat)
    except (NotSeen, Fault):
        return HIDDEN
    return None if value is None else str(value)


def of_seat(sheet: Sheet, seat: int) -> list[tuple[str, str]]:
    """What stands at a seat while the game goes on: (name, text); nothing where the columns are many."""
    if len(sheet) > FEW_SCORES:
        return []
    return [(label, text) for label, cells in sheet if (text := cells[seat]) is not None]


def at_seats(position: Position, viewer: Viewer) -> list[list[tuple[str, str]]]:
    """What stands at each seat, as a viewer sees it."""
    sheet = columns(Onlooker(position, viewer)) if position.setup.program.score else ()
    return [of_seat(sheet, seat) for seat in range(position.setup.num_players)]

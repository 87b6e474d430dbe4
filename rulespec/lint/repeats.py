"""Steps that come again: those in loops by a condition or a number, and all that is run from there.

repeat: 3                              # a round, three times: what it reads is read again
  do:
    - for: p in seats_from(dealer)     # each seat once: a loop over things does not make its steps come again
      do: [...]
"""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.language import operators
from rulespec.lint.game import LintGame
from rulespec.lint.reach import Reachable


def read_again(game: LintGame) -> set[int]:
    """The slots of variables and zones, by their base, that are read where steps come again."""
    again = Reachable(known=game.known)
    roots: list[int] = []
    for procedure, _ in game.steps():
        for position in repeated(procedure):
            roots.extend(again.instruction(game.context, procedure.code[position]))
    again.follow(game.context, roots, [])
    return again.reads


def repeated(procedure: ir.Procedure) -> Iterator[int]:
    """The positions of a procedure that are in a loop by a condition or a number."""
    positions: set[int] = set()
    for end, i in enumerate(procedure.code):
        if isinstance(i, ir.Jump) and i.target <= end and not over_things(procedure, i.target):
            positions.update(range(i.target, end + 1))
    yield from sorted(positions)


def over_things(procedure: ir.Procedure, head: int) -> bool:
    """Whether a loop goes through things, and not through numbers."""
    i = procedure.code[head]
    if not isinstance(i, ir.Next):
        return False
    items = next(
        (j.value for j in reversed(procedure.code[:head]) if isinstance(j, ir.Let) and j.index == i.index), None
    )
    return not (isinstance(items, ir.Op) and items.name == operators.INTERVAL)

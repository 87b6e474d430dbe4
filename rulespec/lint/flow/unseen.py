"""What is shown and follows from what nobody sees: no seat may know it, in no setup."""

from __future__ import annotations

from rulespec import ir
from rulespec.checker.program import CheckedGame
from rulespec.lint.flow.labels import Val
from rulespec.lint.flow.secrecy import Secrecy
from rulespec.lint.flow.setups import single
from rulespec.lint.flow.terms import Constant
from rulespec.lint.flow.values import Values


def unseen(game: CheckedGame) -> set[int]:
    """The functions of shown values that no seat may know by the declared visibility, in no setup that is tried."""
    hidden = {one.function for one in game.template.shown}
    for program, counts in single(game):
        secrecy = Secrecy(program, counts)
        values = Values(secrecy)
        for one in program.shown:
            if one.function in hidden and any(
                seen(program, secrecy, values, one, members) for members in told(program, one)
            ):
                hidden.remove(one.function)
        if not hidden:
            break
    return hidden


def told(program: ir.Program, one: ir.ShownValue) -> list[tuple[Val, ...]]:
    """What it is shown of: nothing else, or each member of a type."""
    if not one.told.per:
        return [()]
    kind = one.told.per[0]
    size = program.players if kind == program.player_kind else one.told.size
    return [(Val(Constant(member)),) for member in range(size)]


def seen(program: ir.Program, secrecy: Secrecy, values: Values, one: ir.ShownValue, members: tuple[Val, ...]) -> bool:
    """Whether a seat may know all that it follows from."""
    label = values.of(program.functions[one.function].body, dict(enumerate(members))).label
    return any(not secrecy.hidden(label, Constant(seat), frozenset()) for seat in range(program.players))

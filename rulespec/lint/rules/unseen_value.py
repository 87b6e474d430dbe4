"""Something that is shown and follows from what nobody sees."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.flow.labels import Val
from rulespec.lint.flow.secrecy import Secrecy
from rulespec.lint.flow.setups import single
from rulespec.lint.flow.terms import Constant
from rulespec.lint.flow.values import Values
from rulespec.lint.game import LintGame

RULE = LintRule("L082", "note")


def check(game: LintGame) -> Iterator[Finding]:
    """Shown values that no seat may know by the declared visibility, of no player or other member, in no setup that is tried."""
    hidden = {one.function: one.told.name for one in game.program.shown}
    for program, counts in single(game.checked) if hidden else ():
        secrecy = Secrecy(program, counts)
        values = Values(secrecy)
        for one in program.shown:
            if one.function in hidden and any(
                seen(program, secrecy, values, one, members) for members in told(program, one)
            ):
                del hidden[one.function]
        if not hidden:
            return
    for function in game.context.shown:
        if function.index in hidden:
            message = f"`{function.name}` is shown, and nobody sees all that it follows from"
            yield Finding(
                RULE,
                message,
                function.span,
                ("show what follows from things that players see, or let them see these: `seen by:`",),
            )


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

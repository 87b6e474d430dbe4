"""How a game begins: pieces in the zones that they start in, variables with what they start as."""

from __future__ import annotations

from typing import Any

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.body import Body
from rulespec.checker.context import CheckContext
from rulespec.checker.declare.state import start_function
from rulespec.checker.env import call_frame
from rulespec.checker.expressions import Expressions
from rulespec.checker.scoping import BEGINNING, record
from rulespec.passes.fold import folded
from rulespec.text.yaml_tree import ScalarNode


def starts(context: CheckContext, expressions: Expressions, body: Body) -> None:
    """Pieces into the zones they start in, and variables to what they start as."""
    for zone in context.zones:
        if zone.start is not None:
            fill(context, expressions, body, zone, zone.start)
    started = {zone.kind.name for zone in context.zones if zone.start is not None}
    zoned = {zone.kind.name for zone in context.zones}
    for kind in context.kinds.values():
        if (
            kind.what == "piece"
            and kind.members
            and kind.name in zoned - started
            and not (context.lost or misspelt(context))
        ):
            context.error(
                "E411",
                f"no zone says that {kind.name} pieces start there",
                kind.span,
                expected="starts with: all, in a zone",
                related=[(zone.span, "such as this one") for zone in context.zones if zone.kind is kind and zone.span][
                    :1
                ],
            )
    for variable in context.variables:
        if variable.initial is not None and variable.scope is None:
            initialise(context, expressions, body, variable, variable.initial)


def misspelt(context: CheckContext) -> bool:
    """Whether some zone has a key that there is not, which may be meant to say what starts there."""
    zones = context.root.get("zones")
    unknown = [one.span for one in context.diagnostics if one.code == "S002" and one.span is not None]
    return zones is not None and any(zones.span.holds(span) for span in unknown)


def fill(context: CheckContext, expressions: Expressions, body: Body, zone: symbols.Zone, start: ScalarNode) -> None:
    """Pieces into the zones of one name: all of their kind, or what an expression about the zone's indices says."""
    everything = start.value == "all"
    function = start_function(zone)
    if function is not None:
        expressions.compile_function(function)
        record(context, f"{BEGINNING}{function.name}", start.span, function.scopes, function.ahead)
    for index, offset in cells(zone.per) if not context.diagnostics.has_errors else ():
        pieces = context.members_of(zone.kind) if function is None else at_index(function, index)
        place = ir.Const(offset) if zone.per else None
        skip = absent(context, body, zone.per, index, start.span)
        if zone.counts:
            body.emit(ir.MoveCounts(pieces, None, None, zone.index, place, start.span))
        else:
            body.emit(ir.Move(pieces, zone.index, place, False, start.span))
        if skip is not None:
            body.aim(skip)
    if everything and (zone.counts or zone.per):
        context.error(
            "E410",
            "`starts with: all` is for one zone of pieces, not for one zone of each player or of counted things",
            start.span,
            help=["give a bag or a set, which may speak of `this`"],
        )


def initialise(
    context: CheckContext, expressions: Expressions, body: Body, variable: symbols.Variable, initial: ScalarNode
) -> None:
    """The variables of one name to what an expression about their indices says."""
    parameters = [
        symbols.Parameter(name, symbols.index_type(index), variable.span)
        for name, index in zip(("this", "that"), variable.per, strict=False)
    ]
    name = f"start of {variable.name}"
    function = symbols.Function(name, "hidden", parameters, initial, initial.span, variable.type)
    expressions.compile_function(function)
    record(context, f"{BEGINNING}{name}", initial.span, function.scopes, function.ahead)
    for index, offset in cells(variable.per) if not context.diagnostics.has_errors else ():
        skip = absent(context, body, variable.per, index, initial.span)
        place = ir.Const(offset) if variable.per else None
        body.store((variable, place), at_index(function, index), initial.span)
        if skip is not None:
            body.aim(skip)


def at_index(function: symbols.Function, index: tuple[int, ...]) -> ir.Expr:
    """A function of the first indices, called with constants."""
    return ir.Invoke(function.index or 0, tuple(ir.Const(i) for i in index[: len(function.parameters)]))


def scoped(context: CheckContext, expressions: Expressions) -> None:
    """What variables of scopes start as must be plain values, which the scope is entered with."""
    for variable in context.variables:
        if variable.initial is None or variable.scope is None:
            continue
        expr, _ = expressions.of(variable.initial, call_frame([]), variable.type)
        value = folded(expr)
        if not isinstance(value, ir.Const):
            context.error(
                "E412",
                "a variable of a scope starts with a plain value",
                variable.initial.span,
                help=["give the scope its start by `with:`"],
            )
            continue
        for offset in range(variable.size):
            context.initial[variable.base + offset] = value.value


def absent(
    context: CheckContext, body: Body, per: tuple[symbols.Index, ...], index: tuple[int, ...], span: Any
) -> int | None:
    """A jump past what belongs to a player who is not in the game."""
    for kind, value in zip(per, index, strict=True):
        if isinstance(kind, symbols.Kind) and kind.what == "player" and value >= context.counts[0]:
            return body.unless(ir.Op("lt", (ir.Const(value), ir.Setting("players"))), span)
    return None


def cells(per: tuple[symbols.Index, ...]) -> list[tuple[tuple[int, ...], int]]:
    """Every combination of indices, with its offset."""
    combinations: list[tuple[int, ...]] = [()]
    for index in per:
        values = range(len(index.members)) if isinstance(index, symbols.Kind) else range(index.low, index.high + 1)
        combinations = [(*m, v) for m in combinations for v in values]
    return [(m, offset) for offset, m in enumerate(combinations)]

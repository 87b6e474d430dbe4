"""The memory of positions: what makes a position, when those before are forgotten, and how often this one has been before."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.declare.base import Declarer
from rulespec.checker.env import Env
from rulespec.checker.kinds import declare_name
from rulespec.ir import types
from rulespec.language.types import BOOL, UNKNOWN, EmptyType, IntType, ListType, NoneType, RecordType, Type
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

NAME = "repetition"
Part = tuple[
    ir.Expr, Type, ir.Type
]  # what is remembered of a position, and its type for the checker and in the program


class RepetitionSection(Declarer):
    """Declares `repetition`."""

    def repetition(self) -> None:
        """A list of records that nobody names, and `times_before`: how often the record of now is among them."""
        node, key = self.context.root.get(NAME), self.context.root.key(NAME)
        if not isinstance(node, MapNode) or key is None:
            return
        if (first := self.context.names.get(NAME)) is not None:
            message = f"there are two things named {ticked(NAME)}"
            self.context.error("E108", message, key.span, related=[(first.span, "the first")])
            return
        self.cites(node)
        variable = symbols.Variable(
            NAME, UNKNOWN, (), self.context.allot(NAME, 1, ()), 1, False, key.span, initial=None, shown=False
        )
        self.context.variables.append(variable)
        position = symbols.Function("position", "hidden", [], node.get("position"), key.span)
        position.made = lambda env: self.position(variable, node.get("position"), env)
        when = node.get("forgets")
        forgets = None
        if when is not None:
            forgets = symbols.Function("forgets", "hidden", [], when, when.span, BOOL)
        times = symbols.Function(symbols.TIMES, "function", [], None, key.span, IntType(0, None))
        times.made = lambda env: self.times(variable, position, env)
        declare_name(self.context, ScalarNode(symbols.TIMES, "plain", key.span), times)
        self.context.repetition = symbols.Repetition(variable, position, forgets)

    def position(self, variable: symbols.Variable, node: Node | None, env: Env) -> tuple[ir.Expr, Type]:
        """The record of what makes a position; all may know what is remembered if they see all of that."""
        items = node.items if isinstance(node, ListNode) else () if node is None else (node,)
        parts: dict[str, Part] = {}
        for item in items:
            if not isinstance(item, ScalarNode):
                continue
            if item.value in parts:
                self.context.error("E118", f"{ticked(item.value)} is named twice", item.span)
            elif (part := self.part(item, env)) is not None:
                parts[item.value] = part
        record = RecordType("position", tuple((name, t) for name, (_, t, _) in parts.items()))
        kept = ir.Type("record", parts=tuple(t for *_, t in parts.values()), names=tuple(parts))
        variable.type, variable.kept = ListType(record), types.list_of(kept)
        if not self.open(env.frame.reads):
            variable.seen = symbols.NOBODY
        return ir.Op("pack", tuple(value for value, *_ in parts.values())), record

    def part(self, item: ScalarNode, env: Env) -> Part | None:
        """What is remembered of a variable or zone that is named, all of it, or of an expression; None where that is reported."""
        symbol = self.context.names.get(item.value)
        if isinstance(symbol, symbols.Variable | symbols.Zone):
            self.context.refer(
                "variable" if isinstance(symbol, symbols.Variable) else "zone", symbol.name, item.span, symbol.span
            )
            env.frame.reads.add(symbol.base)
            if symbol.scope is not None:
                env.frame.scopes.add(symbol.scope.name)
            if isinstance(symbol, symbols.Variable):
                one, kept = symbol.type, self.context.kept_as(symbol.type)
            else:
                one = symbol.type if symbol.counts else ListType(symbol.kind.type)
                kept = self.lying(symbol)
            values = tuple(self.slots(symbol, env))
            if len(values) == 1:
                return values[0], one, kept
            return ir.Op("pack", values), ListType(one), together(symbol, kept)
        value, t = self.expressions.of(item, env)
        if isinstance(t, NoneType | EmptyType):
            self.context.error("E118", f"{ticked(item.value)} is always {t}", item.span)
            return None
        return value, t, self.context.kept_as(t)

    def lying(self, zone: symbols.Zone) -> ir.Type:
        """The type of what lies in a zone, as it is remembered."""
        return (
            types.bag(zone.kind.index)
            if zone.counts
            else types.list_of(types.entity(zone.kind.index), len(zone.kind.members))
        )

    def slots(self, symbol: symbols.Variable | symbols.Zone, env: Env) -> Iterator[ir.Expr]:
        """The values of all slots of a variable or zone; copies of a piece are the same there."""
        copies = isinstance(symbol, symbols.Zone) and not symbol.counts and bool(symbol.kind.copies)
        for k in range(symbol.size):
            value: ir.Expr = ir.Load(symbol.base, ir.Const(k) if symbol.per else None, symbol.size)
            if copies and isinstance(symbol, symbols.Zone):
                members = symbol.kind.members
                first = {name: members.index(row[0]) for row in symbol.kind.copies.values() for name in row}
                _, index = env.hold(symbol.kind.type)
                same = tuple(first.get(name, n) for n, name in enumerate(members))
                value = ir.Comp(index, value, None, ir.Column(same, ir.Local(index)))
                value = value if symbol.order == "pile" else ir.Op("sort_items", (value,))
            yield value

    def open(self, bases: set[int]) -> bool:
        """Whether all see all of some variables and zones."""
        declared: list[symbols.Variable | symbols.Zone] = [*self.context.variables, *self.context.zones]
        return all(one.seen.who == "all" for one in declared if one.base in bases)

    def times(self, variable: symbols.Variable, position: symbols.Function, env: Env) -> tuple[ir.Expr, Type]:
        """How often the position, as it is now, has been remembered."""
        memory = self.context.repetition
        if memory is not None and memory.forgets is not None:
            self.expressions.compile_function(memory.forgets)  # it is checked even where no step remembers
        self.expressions.compile_function(position)
        env.using(position)
        env.frame.reads.add(variable.base)
        now = ir.Invoke(position.index or 0, ())
        return ir.Op("times_among", (ir.Load(variable.base), now)), IntType(0, None)


def together(symbol: symbols.Variable | symbols.Zone, kept: ir.Type) -> ir.Type:
    """The type of all values of a variable or zone: a list of single ones, or a record by whose they are."""
    if (kept.parts[0] if kept.what == "option" else kept).what in ("int", "bool", "entity"):
        return types.list_of(kept, symbol.size)
    names = product(*(members(index) for index in symbol.per))
    return ir.Type("record", parts=(kept,) * symbol.size, names=tuple(".".join(name) for name in names))


def members(index: symbols.Index) -> list[str]:
    """The names of what something is counted by."""
    if isinstance(index, symbols.Kind):
        return index.members
    return [str(number) for number in range(index.low, index.high + 1)]

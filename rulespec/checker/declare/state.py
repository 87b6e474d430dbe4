"""Variables, zones, and scopes with their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import prod
from typing import Literal

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.context import flag
from rulespec.checker.declare.base import Declarer
from rulespec.checker.expressions import Expressions
from rulespec.checker.kinds import check_name, typed_default
from rulespec.language.types import (
    UNKNOWN,
    BagType,
    ListType,
    SetType,
    Type,
)  # fmt: skip
from rulespec.passes.rewrite import rewrite
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode

MOST_PARTS = 4096  # of a variable
ZoneOrder = Literal["set", "shuffled", "pile"]
ZONE_ORDERS: Mapping[str, ZoneOrder] = {
    "shuffled": "shuffled",
    "as laid": "pile",
    "free": "set",
}


class StateSections(Declarer):
    """Declares `state`, `zones` and `scopes`."""

    def state(self, entries: tuple[tuple[ScalarNode, Node], ...], scope: symbols.Scope | None) -> None:
        """Variables: `name: type`, or a mapping with `is`, `stops`, `starts`, `seen by`, `shown`; `per Kind:` gathers indexed ones."""
        for key, node in entries:
            if key.value.startswith("per "):
                offset = key.value.index(" ") + 1
                word = ScalarNode(key.value[offset:].strip(), "plain", key.at(offset, len(key.value)))
                per = self.index(word)
                for name, body in node.entries if isinstance(node, MapNode) else ():
                    if self.indexed(name, word, per):
                        self.variable(name, body, per, scope)
            else:
                self.variable(key, node, (), scope)

    def variable(
        self, key: ScalarNode, node: Node, per: tuple[symbols.Index, ...], scope: symbols.Scope | None
    ) -> None:
        if not check_name(self.context, key, "a variable"):
            return
        stops, initial, seen, shown, public = False, None, ir.Viewers("all"), True, False
        written: Node | None = node
        if isinstance(node, MapNode):
            written = node.get("is")
            own = self.index(node.get("by"))
            if not self.indexed(key, node.get("by"), own):
                return
            per = per + own
            stops = flag(node, "stops", False)
            shown = flag(node, "shown", True)
            initial = self.context.scalar(node.get("starts"))
            seen = self.viewers(node.get("seen by"), per, seen)
            public = seen.who == "all" and "seen by" in node
        if isinstance(written, ScalarNode):
            t, default = typed_default(self.expressions, written)
            initial = initial or default
        else:
            t = UNKNOWN
        size = prod(symbols.index_size(index) for index in per)
        if size > MOST_PARTS:
            self.context.error("E214", f"{ticked(key.value)} has {size} parts, more than {MOST_PARTS}", key.span)
            size = 1
        base = self.context.allot(key.value, size, self.context.default_of(t))
        variable = symbols.Variable(
            name=key.value,
            type=t,
            per=per,
            base=base,
            size=size,
            stops=stops,
            span=key.span,
            scope=scope,
            initial=initial,
            seen=seen,
            shown=shown,
            public=public,
        )
        self.context.variables.append(variable)
        self.place(variable, key)
        if scope is not None:
            scope.names[key.value] = variable

    def zones(self, entries: tuple[tuple[ScalarNode, Node], ...], scope: symbols.Scope | None) -> None:
        for key, node in entries:
            if isinstance(node, MapNode) and check_name(self.context, key, "a zone"):
                self.zone(key, node, scope)

    def zone(self, key: ScalarNode, node: MapNode, scope: symbols.Scope | None) -> None:
        """A zone: what lies in it, whose it is, its order, who sees it; where pieces come from and go to."""
        context = self.context
        of = node.get("of")
        kind = context.kinds.get(of.value) if isinstance(of, ScalarNode) else None
        if kind is None:
            if isinstance(of, ScalarNode):
                context.unknown("E101", "kind of piece", of.value, of.span, context.kinds)
            context.lost.add(key.value)
            return
        context.used.add(kind.name)
        per = self.index(node.get("per"))
        if not self.indexed(key, node.get("per"), per):
            return
        counts = self.kept_as_counts(key, node, kind)
        order = self.order(node)
        size = prod(symbols.index_size(index) for index in per)
        seen = self.viewers(node.get("seen by"), per, ir.Viewers("all"))
        counted = self.viewers(node.get("count seen by"), per, ir.Viewers("all"))
        top = self.viewers(node.get("top seen by"), per, ir.Viewers("none"))
        t = BagType(kind.name) if counts else ListType(kind.type) if order == "pile" else SetType(kind.type)
        zone = symbols.Zone(
            name=key.value,
            index=len(context.zones),
            kind=kind,
            per=per,
            base=context.allot(key.value, size, (0,) * len(kind.members) if counts else ()),
            size=size,
            order=order,
            counts=counts,
            span=key.span,
            type=t,
            scope=scope,
            refill=context.scalar(node.get("refill from")),
            start=context.scalar(node.get("starts with")),
            seen=seen,
            counted=counted,
            top=top,
            back=context.scalar(node.get("returns to")),
        )
        if zone.back is not None and scope is None:
            context.error(
                "E417",
                "only a zone of a scope ends, and has pieces to give back",
                zone.back.span,
                help=["leave `returns to` out, or declare the zone in the scope"],
            )
        if zone.start is not None and scope is not None:
            context.error(
                "E417",
                "a zone of a scope is empty when it begins",
                zone.start.span,
                help=[
                    "leave `starts with` out; the first steps of the scope put pieces into it, by `move:` or `deal:`"
                ],
            )
        context.zones.append(zone)
        self.place(zone, key)
        if scope is not None:
            scope.names[key.value] = zone

    def kept_as_counts(self, key: ScalarNode, node: MapNode, kind: symbols.Kind) -> bool:
        """Whether a zone holds numbers of pieces that are alike; reported where its kind has others."""
        kept = node.get("kept as")
        counts = isinstance(kept, ScalarNode) and kept.value == "counts"
        if counts and kind.what == "piece":
            self.context.error(
                "E402",
                f"{kind.name} pieces are single things, each with a name, so they cannot be kept as counts",
                kept.span if kept else None,
                help=["leave `kept as` out; or, if its copies are alike, declare it under `types`, with rows"],
            )
        if not counts and kind.what != "piece":
            message = f"members of {kind.name} are alike: a zone of them is `kept as: counts`"
            cure = f"write {ticked(f'{key.value}: {{of: {kind.name}, kept as: counts}}')}"
            cures = [
                cure if len(node) == 1 else "write `kept as: counts`",
                "or declare the kind under `pieces`, if each is a thing of its own",
            ]
            self.context.error("E403", message, key.span, help=cures)
        return kind.what != "piece"

    def order(self, node: MapNode) -> ZoneOrder:
        """How the pieces of a zone lie."""
        word = node.get("order")
        if not isinstance(word, ScalarNode):
            return "set"
        if word.value not in ZONE_ORDERS:
            self.context.unknown("S004", "order", word.value, word.span, ZONE_ORDERS)
        return ZONE_ORDERS.get(word.value, "shuffled")  # of those, most may be done with its pieces

    def scopes(self) -> None:
        context = self.context
        for key, node in context.section("scopes"):
            if not check_name(context, key, "a scope") or not isinstance(node, MapNode):
                continue
            within = node.get("within")
            scope = symbols.Scope(key.value, len(context.scopes), key.span)
            scope.within = within.value if isinstance(within, ScalarNode) else None
            scope.alive = scope.low = context.allot(f"{key.value} alive", 1, 0)
            state, zones = node.get("state"), node.get("zones")
            self.state(state.entries if isinstance(state, MapNode) else (), scope)
            self.zones(zones.entries if isinstance(zones, MapNode) else (), scope)
            scope.high = len(context.initial)
            scope.target = context.target(key.value)
            context.scopes[key.value] = scope
        for scope in context.scopes.values():
            if scope.within is not None and scope.within not in context.scopes:
                context.unknown("E109", "scope", scope.within, scope.span, context.scopes)


def start_function(zone: symbols.Zone) -> symbols.Function | None:
    """What a zone starts with, as a function of its indices."""
    if zone.start is None or zone.start.value == "all":
        return None
    names = ["this", "that"]
    parameters = [symbols.Parameter(names[i], symbols.index_type(x), zone.span) for i, x in enumerate(zone.per[:2])]
    want: Type = BagType(zone.kind.name) if zone.counts else ListType(zone.kind.type)
    return symbols.Function(f"start of {zone.name}", "hidden", parameters, zone.start, zone.start.span, want)


def viewers_function(
    later: list[symbols.Function], viewers: ir.Viewers, per: tuple[symbols.Index, ...], expressions: Expressions
) -> ir.Viewers:
    """Viewers with the number of their function in the program, of places counted from 0."""
    if viewers.who != "function":
        return viewers
    function = later[viewers.function or 0]
    expressions.compile_function(function)
    compiled = expressions.context.out_functions[function.index or 0]
    first = {i: index for i, index in enumerate(per[:2]) if isinstance(index, symbols.Numbers)}
    if compiled is not None and first:

        def number(e: ir.Expr) -> ir.Expr:
            index = first.get(e.index) if isinstance(e, ir.Local) else None
            return e if index is None else ir.Op("add", (e, ir.Const(index.low)))

        places = {i: ir.types.number(0, index.high - index.low) for i, index in first.items()}
        locals_ = tuple(places.get(i, t) for i, t in enumerate(compiled.locals))
        body = rewrite(compiled.body, number)
        expressions.context.out_functions[function.index or 0] = replace(compiled, body=body, locals=locals_)
    return ir.Viewers("function", function.index)

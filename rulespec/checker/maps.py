"""Calls that speak of a map or of payments: their hidden arguments come from the game's tables."""

from __future__ import annotations

from collections.abc import Callable

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.env import Env, Typed
from rulespec.checker.inference import article, with_names
from rulespec.checker.parts import part_call
from rulespec.checker.reader import BAD, Reader
from rulespec.expr import syntax
from rulespec.language.registry import FunctionDef
from rulespec.language.types import (
    INT,
    NATURAL,
    BagType,
    EntityType,
    IntType,
    ListType,
    RecordType,
    SetType,
    Type,
    UnknownType,
    is_many,
    item_of,
)  # fmt: skip
from rulespec.text.quoting import ticked


def ends_of(kind: symbols.Kind) -> tuple[tuple[int, int, bool], ...]:
    """Of each link: from, to, whether it leads one way only."""
    a, b, one_way = kind.fields.get("a"), kind.fields.get("b"), kind.fields.get("one_way")
    if a is None or b is None:
        return ()
    ways = one_way.values if one_way is not None else [False] * len(kind.members)
    return tuple(zip(a.values, b.values, ways, strict=False))


def links_of(x: Reader, places: symbols.Kind, name: str | None, env: Env) -> ir.Expr:
    """The links of a named graph, or all."""
    assert places.links is not None
    x.context.used.add(places.links.name)
    if name is None:
        return ir.Const(tuple(range(len(places.links.members))))
    x.context.refs.add(("graph", name))
    function = places.graphs[name]
    outer = x.scalar
    x.compile_function(function)
    x.scalar = outer
    env.using(function)
    return ir.Invoke(function.index or 0, ())


def map_call(x: Reader, function: FunctionDef, node: syntax.Call, env: Env) -> Typed:
    """`neighbours(place, graph)` and its kin; the graph may be left out."""
    name = function.name
    signature = next(s for s in function.signatures if set(s.hidden) & {"graph", "links"})
    places = next((k for k in x.context.kinds.values() if k.what == "node"), None)
    if x.context.parts and node.args:
        first = x.expr(node.args[0], env, None if places is None else places.type)
        if isinstance(first[1], UnknownType):
            return BAD
        if isinstance(first[1], EntityType) and (part := x.context.parts.get(first[1].kind)) is not None:
            return part_call(x, function, node, env, first, part)
    if places is None and "map" in x.context.root:
        return BAD  # what is wrong with the map is reported
    nodes = [kind.name for kind in x.context.kinds.values() if kind.what == "node"]
    if len(nodes) > 1:
        return x.bad(
            "E601",
            f"{ticked(name)} needs a map of one kind of nodes, and this one has {' and '.join(nodes)}",
            node,
            help=["let them be one kind, with a field that tells them apart"],
        )
    if places is None or places.links is None:
        return x.bad(
            "E601",
            f"{ticked(name)} needs a map, and this game has none",
            node,
            help=["declare `map:` with nodes and links"],
        )
    names: dict[str, Type] = {"Place": places.type, "Link": places.links.type}
    parameters = [with_names(p.type, names) for p in signature.parameters[:-1]]
    wanted = len(parameters)
    args = list(node.args)
    graph: str | None = None
    if len(args) == wanted + 1:
        last = args.pop()
        if isinstance(last, syntax.Name) and last.id in places.graphs:
            graph = last.id
        else:
            graphs = list(places.graphs)
            return x.bad(
                "E602",
                "this is no graph of the map",
                last,
                expected=" or ".join(graphs) or "no graph is declared",
            )
    if len(args) != wanted:
        return x.bad(
            "E301",
            f"{ticked(name)} needs {wanted} arguments and may have a graph",
            node,
            expected=signature.text,
        )
    values: list[ir.Expr] = []
    for arg, parameter in zip(args, parameters, strict=True):
        want = INT if isinstance(parameter, IntType) else parameter
        values.append(x.convert(x.expr(arg, env, want), want, arg))
    links, ends = links_of(x, places, graph, env), ir.Const(ends_of(places.links))
    if "links" in signature.hidden:
        values += [links, ends]
    else:
        values.append(ir.Op("adjacency", (links, ends, ir.Const(len(places.members)))))
    return ir.Op(signature.body, tuple(values)), with_names(signature.result, names)


def payment_call(x: Reader, function: FunctionDef, node: syntax.Call, env: Env) -> Typed:
    """`payments(prices, stock, cards, rate, lot)`: the cards' `bonus` column is added, as a list of sets for each."""
    name, signature = function.name, function.signatures[0]
    if not 2 <= len(node.args) <= len(signature.parameters):
        return x.bad(
            "E301",
            f"{ticked(name)} needs prices and a stock, and may have cards, a rate and a lot",
            node,
            expected=signature.text,
        )
    prices, t = x.expr(node.args[0], env)
    if isinstance(t, BagType):
        prices, t = ir.Op("pack", (prices,)), ListType(t)
    bag = item_of(t)
    if not is_many(t) or not isinstance(bag, BagType):
        if isinstance(t, UnknownType):
            return BAD
        return x.bad(
            "E202", f"this is {article(t)}, and prices are bags", node.args[0], expected="a list of bags", found=str(t)
        )
    stock = x.convert(x.expr(node.args[1], env, bag), bag, node.args[1])
    cards: ir.Expr = ir.Const(())
    bonus: tuple[ir.Value, ...] = ()
    cards_type: Type = SetType(IntType())
    if len(node.args) > 2:
        cards, cards_type = x.expr(node.args[2], env)
        inner = item_of(cards_type)
        if is_many(cards_type) and isinstance(inner, EntityType):
            field = x.context.kinds[inner.kind].fields.get("bonus")
            x.context.reads_field(inner.kind, "bonus")
            one = SetType(EntityType(bag.kind))
            if field is None or field.type not in (one, ListType(one)):
                return x.bad(
                    "E603", f"the cards of {ticked(name)} have a field `bonus: {one}` or `list of {one}`", node.args[2]
                )
            bonus = tuple((kinds,) for kinds in field.values) if field.type == one else tuple(field.values)
    rate, lot = (
        x.convert(x.expr(node.args[at], env, INT), INT, node.args[at]) if at < len(node.args) else ir.Const(default)
        for at, default in ((3, 0), (4, 1))
    )
    way = RecordType("Payment", (("gems", bag), ("cards", cards_type), ("swapped", NATURAL)))
    value = ir.Op(signature.body, (prices, stock, cards, rate, lot, ir.Const(bonus)))
    return value, with_names(signature.result, {"Payment": way})


# Calls with arguments that the checker makes of the game's tables, by what a signature calls these arguments.
CALLS_WITH_TABLES: dict[str, Callable[[Reader, FunctionDef, syntax.Call, Env], Typed]] = {
    "graph": map_call,
    "links": map_call,
    "bonus of C": payment_call,
}

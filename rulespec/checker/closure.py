"""Closures: all that can be come to by a step that is taken again and again.

    closure(those(q in neighbours(p) where q.dry) for p in set(here))

It holds what it begins with, each member once, so that it ends after as many rounds as its type has members.  What is no member, such
as a path that grows by a cell with each step, has no such bound: there a chain of more than `ROUNDS` steps is a fault.

    closure(each(path + list(c) for c in neighbours(last(path)) where c not in path) for path in list(list(a1)))
"""

from __future__ import annotations

from rulespec import ir
from rulespec.checker.env import Env, Typed, stored_type
from rulespec.checker.inference import article
from rulespec.checker.reader import BAD, Reader
from rulespec.expr import syntax
from rulespec.language.operators import NO_ITEM
from rulespec.language.types import (
    INT,
    EntityType,
    OptionType,
    RecordType,
    SetType,
    Type,
    UnknownType,
    is_many,
    item_of,
)

CLOSURE = "closure"
ROUNDS = 100  # of a closure of what is no member of a type
FORM = f"{CLOSURE}(NEXT for x in START), where NEXT is what one step leads to"


def closure(x: Reader, node: syntax.Call, env: Env) -> Typed:
    """`closure(NEXT for x in START)`: a set."""
    match node.args:
        case (syntax.Comp(syntax.Node() as step, name, coll, None, None),):
            pass
        case _:
            return x.bad("E305", f"`{CLOSURE}` does not say where a step leads", node, expected=FORM)
    begin, t = x.collection(coll, env)
    item = item_of(t)
    if isinstance(t, UnknownType) or isinstance(item, UnknownType):
        return BAD
    kind = EntityType(item.kind) if isinstance(item, EntityType) else stored_type(item)
    many: Type = SetType(kind)
    inner, at = env.bind(name, kind)
    after, reached = x.expr(step, inner, many)
    if isinstance(reached, UnknownType):
        return BAD
    if isinstance(reached, OptionType) and same(reached.item, kind):
        found: ir.Expr = ir.Cond(ir.Op("is_none", (after,)), ir.Const(()), ir.Op("pack", (ir.Known(after, name),)))
    elif same(reached, kind):
        found = ir.Op("pack", (after,))
    elif is_many(reached) and (same(of := item_of(reached), kind) or isinstance(of, UnknownType)):
        found = after if isinstance(reached, SetType) else ir.Op("to_set", (after,))
    else:
        what = f"members of {kind}" if isinstance(kind, EntityType) else f"what it begins with, {article(kind)}"
        return x.bad("E202", f"a step leads to {what}, and this is {article(reached)}", step, expected=FORM)
    both = RecordType(f"({many}, {many})", (("1", many), ("2", many)))
    _, state = env.fresh(both, many, many, kind if isinstance(kind, EntityType) else INT)
    union, new, turn = state + 1, state + 2, state + 3
    known, edge = (ir.Op("get", (ir.Local(state), ir.Const(part))) for part in (0, 1))
    beyond = ir.Fold(union, ir.Const(()), at, edge, ir.Op("union", (ir.Local(union), found)))
    further = ir.Bind(
        new,
        ir.Op("minus", (beyond, known)),
        ir.Op("pack", (ir.Op("union", (known, ir.Local(new))), ir.Local(new))),
    )
    body = ir.Cond(ir.Op(NO_ITEM, (edge,)), ir.Local(state), further)
    start = begin if isinstance(t, SetType) else ir.Op("to_set", (begin,))
    pair = ir.Bind(new, start, ir.Op("pack", (ir.Local(new), ir.Local(new))))
    if isinstance(kind, EntityType):
        members = x.context.members_of(x.context.kinds[kind.kind])
        return ir.Op("get", (ir.Fold(state, pair, turn, members, body), ir.Const(0))), many
    rounds = ir.Fold(state, pair, turn, ir.Const(tuple(range(ROUNDS + 1))), body)
    return ir.Bind(state, rounds, ir.Op("settled", (known, edge))), many


def same(t: Type, kind: Type) -> bool:
    """Whether a step leads to what it began with."""
    if isinstance(t, EntityType) and isinstance(kind, EntityType):
        return t.kind == kind.kind
    return stored_type(t) == kind

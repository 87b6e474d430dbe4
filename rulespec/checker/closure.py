"""Closures: all that can be come to by a step that is taken again and again.

    closure(those(q in neighbours(p) where q.dry) for p in set(here))

It holds what it begins with, each member once, so that it ends after as many rounds as its type has members.
"""

from __future__ import annotations

from rulespec import ir
from rulespec.checker.env import Env, Typed
from rulespec.checker.inference import article
from rulespec.checker.reader import BAD, Reader
from rulespec.expr import syntax
from rulespec.language.types import EntityType, OptionType, RecordType, SetType, Type, UnknownType, is_many, item_of

CLOSURE = "closure"
FORM = f"{CLOSURE}(NEXT for x in START), where NEXT are the members that one step leads to"


def closure(x: Reader, node: syntax.Call, env: Env) -> Typed:
    """`closure(NEXT for x in START)`: a set."""
    match node.args:
        case (syntax.Comp(syntax.Node() as step, name, coll, None, None),):
            pass
        case _:
            return x.bad("E305", f"`{CLOSURE}` wants to know where a step leads", node, expected=FORM)
    begin, t = x.collection(coll, env)
    item = item_of(t)
    if isinstance(t, UnknownType) or isinstance(item, UnknownType):
        return BAD
    if not isinstance(item, EntityType):
        return x.bad("E202", f"`{CLOSURE}` goes through members of a type, and not through {item}", coll, found=str(t))
    kind = EntityType(item.kind)
    many: Type = SetType(kind)
    inner, at = env.bind(name, kind)
    after, reached = x.expr(step, inner, many)
    if isinstance(reached, UnknownType):
        return BAD
    if isinstance(reached, OptionType) and reached.item == kind:
        found: ir.Expr = ir.Cond(ir.Op("is_none", (after,)), ir.Const(()), ir.Op("pack", (ir.Known(after, name),)))
    elif isinstance(reached, EntityType) and reached.kind == kind.kind:
        found = ir.Op("pack", (after,))
    elif is_many(reached) and isinstance(of := item_of(reached), EntityType) and of.kind == kind.kind:
        found = after if isinstance(reached, SetType) else ir.Op("to_set", (after,))
    else:
        return x.bad("E202", f"a step leads to members of {kind}, and this is {article(reached)}", step, expected=FORM)
    both = RecordType(f"({many}, {many})", (("1", many), ("2", many)))
    _, state = env.fresh(both, many, many, kind)
    union, new, turn = state + 1, state + 2, state + 3
    known, edge = (ir.Op("get", (ir.Local(state), ir.Const(part))) for part in (0, 1))
    beyond = ir.Fold(union, ir.Const(()), at, edge, ir.Op("union", (ir.Local(union), found)))
    further = ir.Bind(
        new,
        ir.Op("minus", (beyond, known)),
        ir.Op("pack", (ir.Op("union", (known, ir.Local(new))), ir.Local(new))),
    )
    body = ir.Cond(ir.Op("no_item", (edge,)), ir.Local(state), further)
    start = begin if isinstance(t, SetType) else ir.Op("to_set", (begin,))
    pair = ir.Bind(new, start, ir.Op("pack", (ir.Local(new), ir.Local(new))))
    members = x.context.members_of(x.context.kinds[item.kind])
    rounds = ir.Fold(state, pair, turn, members, body)
    return ir.Op("get", (rounds, ir.Const(0))), many

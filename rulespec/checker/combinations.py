"""Comprehensions over several collections: `count(a in X, b in Y where ...)`, `each(a.v + b.v for a in X, b in Y)`.

What stands later goes round faster and may speak of what stands before.  What follows the last collection is about all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rulespec import ir
from rulespec.checker.env import Env, Typed
from rulespec.checker.reader import Reader
from rulespec.expr import syntax
from rulespec.language.registry import FunctionDef, functions
from rulespec.language.types import BoolType, ListType, Type, UnknownType, item_of
from rulespec.text.quoting import ticked

Binder = tuple[str, syntax.Expr, syntax.Node]  # a name, what it goes through, and where that stands


def combined(
    node: syntax.Call, is_new: Callable[[syntax.Name], bool]
) -> tuple[syntax.Expr | None, list[Binder], syntax.Comp] | None:
    """What is made of each combination, the names but the last, and the comprehension of the last; None for any other call."""
    if len(node.args) < 2:
        return None
    *others, last = node.args
    binders: list[Binder] = []
    value: syntax.Expr | None = None
    for place, arg in enumerate(others):
        match arg:
            case syntax.In(syntax.Name(id) as name, coll, False) if is_new(name):
                binders.append((id, coll, arg))
            case syntax.Comp(made, id, coll, None, None) if place == 0 and made is not None:
                value = made
                binders.append((id, coll, arg))
            case _:
                return None
    match last:
        case syntax.In(syntax.Name(id) as name, coll, False) if is_new(name):
            return value, binders, syntax.Comp(None, id, coll, start=last.start, end=last.end)
        case syntax.Comp(None):
            return value, binders, last
    return None


def combinations(
    x: Reader, function: FunctionDef, node: syntax.Call, env: Env, is_new: Callable[[syntax.Name], bool]
) -> Typed | syntax.Call | None:
    """The list of what is made of each combination, or a call that says the same; None where there are not several collections."""
    parts = combined(node, is_new) if function.binds else None
    if parts is None:
        return taken(x, node, is_new) if function.binds else None
    value, binders, last = parts
    at = {"start": node.start, "end": node.end}
    if function.nests:  # one within another stops as early
        call: syntax.Call = syntax.Call(node.func, (replace(last, value=value),), **at)
        outer = syntax.Name(function.nests, start=node.func.start, end=node.func.end)
        asks = isinstance(functions()[function.nests].signatures[0].result, BoolType)
        for id, coll, arg in reversed(binders):
            start, end = arg.start, node.args[-1].end
            if function.binds == "have":
                comp = syntax.Comp(None, id, coll, None, call, "have", start=start, end=end)
            elif asks:
                comp = syntax.Comp(None, id, coll, call, start=start, end=end)
            else:
                comp = syntax.Comp(call, id, coll, start=start, end=end)
            call = syntax.Call(outer, (comp,), **at)
        return call
    if function.binds == "by":
        form = f"{function.name}(x in each(VALUE for a in X, b in Y) by NUMBER)"
        return x.bad("E305", f"`{function.name}` goes through one collection", node, expected=form)
    if value is None or last.key is not None:
        return x.bad(
            "E305",
            f"`{function.name}` needs what is made of each combination",
            node,
            expected=f"{function.name}(VALUE for a in X, b in Y where CONDITION)",
        )
    return joined(x, binders, replace(last, value=value), env)


def taken(x: Reader, node: syntax.Call, is_new: Callable[[syntax.Name], bool]) -> Typed | None:
    """Report a name of something that is to go through one of several collections; None for any other call."""
    if combined(node, lambda _: True) is None:
        return None
    names = [arg.item for arg in node.args if isinstance(arg, syntax.In) and isinstance(arg.item, syntax.Name)]
    used = next((name for name in names if not is_new(name)), None)
    if used is None:
        return None
    says = f"{ticked(used.id)} is a name already"
    return x.bad("E113", says, used, help=["what goes through a collection needs a name of its own"])


def joined(x: Reader, binders: list[Binder], last: syntax.Comp, env: Env) -> Typed:
    """The list of what is made of each combination, in their order."""
    if not binders:
        return x.comprehension(last, env, None)
    (id, coll, _), *rest = binders
    items, t = x.collection(coll, env)
    inside, index = env.bind(id, item_of(t))
    made, listed = joined(x, rest, last, inside)
    if isinstance(listed, UnknownType):
        return made, listed
    result: Type = ListType(item_of(listed))
    _, acc = env.fresh(result)
    return ir.Fold(acc, ir.Const(()), index, items, ir.Op("concat", (ir.Local(acc), made))), result

"""Comprehensions over several collections: `count(a in X, b in Y where ...)`, `each(a.v + b.v for a in X where ..., b in Y)`.

What stands later goes round faster and may speak of what stands before; a `where` is about what stands before it.
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


def combined(
    node: syntax.Call, is_new: Callable[[syntax.Name], bool]
) -> tuple[syntax.Expr | None, list[syntax.Comp], syntax.Comp] | None:
    """What is made of each combination, the headers but the last, and the comprehension of the last; None for any other call."""
    if len(node.args) < 2:
        return None
    *others, last = node.args
    headers: list[syntax.Comp] = []
    value: syntax.Expr | None = None
    for place, arg in enumerate(others):
        match arg:
            case syntax.In(syntax.Name(id) as name, coll, False) if is_new(name):
                headers.append(syntax.Comp(None, id, coll, var_start=arg.start, start=arg.start, end=arg.end))
            case syntax.Comp(made, key=None) if made is None or place == 0:
                value = value or made
                headers.append(replace(arg, value=None))
            case _:
                return None
    match last:
        case syntax.In(syntax.Name(id) as name, coll, False) if is_new(name):
            return value, headers, syntax.Comp(None, id, coll, var_start=last.start, start=last.start, end=last.end)
        case syntax.Comp(None):
            return value, headers, last
    return None


def combinations(
    x: Reader, function: FunctionDef, node: syntax.Call, env: Env, is_new: Callable[[syntax.Name], bool]
) -> Typed | syntax.Call | None:
    """The list of what is made of each combination, or a call that says the same; None where there are not several collections."""
    parts = combined(node, is_new) if function.binds else None
    if parts is None:
        return taken(x, node, is_new) if function.binds else None
    value, headers, last = parts
    at = {"start": node.start, "end": node.end}
    if function.nests:  # one within another stops as early
        call: syntax.Call = syntax.Call(node.func, (replace(last, value=value),), **at)
        outer = syntax.Name(function.nests, start=node.func.start, end=node.func.end)
        asks = isinstance(functions()[function.nests].signatures[0].result, BoolType)
        for header in reversed(headers):
            inner, end = call, node.args[-1].end
            if function.binds == "have":
                comp = replace(header, key=inner, word="have", end=end)
            elif asks:
                both = (
                    inner
                    if header.where is None
                    else syntax.Binary("and", header.where, inner, start=header.where.start, end=end)
                )
                comp = replace(header, where=both, end=end)
            else:
                comp = replace(header, value=inner, end=end)
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
    return joined(x, headers, replace(last, value=value), env)


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


def joined(x: Reader, headers: list[syntax.Comp], last: syntax.Comp, env: Env) -> Typed:
    """The list of what is made of each combination, in their order."""
    if not headers:
        return x.comprehension(last, env, None)
    header, *rest = headers
    items, t = x.collection(header.coll, env) if header.where is None else x.comprehension(header, env, None)
    inside, index = env.bind(header.var, item_of(t))
    made, listed = joined(x, rest, last, inside.knowing(x.header(header)))
    if isinstance(listed, UnknownType):
        return made, listed
    result: Type = ListType(item_of(listed))
    _, acc = env.fresh(result)
    return ir.Fold(acc, ir.Const(()), index, items, ir.Op("concat", (ir.Local(acc), made))), result

"""One way to walk everything a program consists of: expressions are rewritten from the leaves up, wherever they stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, TypeVar, get_args

from rulespec import ir

T = TypeVar("T")
Change = Callable[[ir.Expr], ir.Expr]
EXPRESSIONS: frozenset[type] = frozenset(get_args(ir.Expr))
# What the types of fields are called that hold expressions, or something that holds them.
HOLDERS = re.compile(
    r"\b(Expr|Text|Reason|NoneOption|Branch|Site|Instruction|Function|Procedure|Rule|Picture|Remark)\b"
)


@cache
def parts(cls: type) -> tuple[str, ...]:
    """The fields of a part of a program in which expressions may stand; none for what is no such part."""
    if not is_dataclass(cls):
        return ()
    return tuple(own.name for own in fields(cls) if HOLDERS.search(str(own.type)))


def rewrite(node: T, change: Change) -> T:
    """The node with every expression in it changed, the innermost first.  What does not change is shared."""
    return _walk(node, change, {})  # type: ignore[no-any-return]


def _walk(node: Any, change: Change, known: dict[int, Any]) -> Any:
    cls = node.__class__
    if cls is tuple:
        items = [_walk(item, change, known) for item in node]
        return tuple(items) if any(a is not b for a, b in zip(items, node, strict=True)) else node
    if id(node) in known:  # the checker puts one tree in several places
        return known[id(node)]
    changed = {}
    for name in parts(cls):
        value = getattr(node, name)
        if value is not None:
            new = _walk(value, change, known)
            if new is not value:
                changed[name] = new
    made = replace(node, **changed) if changed else node
    if cls in EXPRESSIONS:
        made = known[id(node)] = change(made)
    return made


def within(node: Any) -> Iterator[ir.Expr]:
    """Every expression in a part of a program, the outer before the inner."""
    todo = [node]
    while todo:
        node = todo.pop()
        cls = node.__class__
        if cls is tuple:
            todo += node[::-1]
            continue
        if cls in EXPRESSIONS:
            yield node
        for name in parts(cls):
            value = getattr(node, name)
            if value is not None:
                todo.append(value)

"""Expressions of a program are rewritten from the leaves up, wherever they stand.

rewrite(add(mul(2, 3), L0), simplify)     # first mul(2, 3) becomes 6, then add(6, L0) is looked at
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from operator import is_
from typing import Any, TypeVar

from rulespec import ir
from rulespec.ir.walk import EXPRESSIONS, parts

T = TypeVar("T")
Change = Callable[[ir.Expr], ir.Expr]


def rewrite(node: T, change: Change) -> T:
    """The node with every expression in it changed, the innermost first.  What does not change is shared."""
    return _walk(node, change, {})  # type: ignore[no-any-return]


@cache
def names(cls: type) -> tuple[str, ...]:
    """The fields of a part of a program, in the order of its arguments."""
    return tuple(field.name for field in fields(cls))


def _walk(node: Any, change: Change, known: dict[int, Any]) -> Any:
    cls = node.__class__
    if cls is tuple:
        items = [_walk(item, change, known) for item in node]
        return node if all(map(is_, items, node)) else tuple(items)
    found = known.get(id(node))  # the checker puts one tree in several places
    if found is not None:
        return found
    changed: dict[str, Any] | None = None
    for name in parts(cls):
        value = getattr(node, name)
        if value is not None:
            new = _walk(value, change, known)
            if new is not value:
                if changed is None:
                    changed = {}
                changed[name] = new
    rebuilt = node
    if changed is not None:
        rebuilt = cls(*[changed[name] if name in changed else getattr(node, name) for name in names(cls)])
    if cls in EXPRESSIONS:
        rebuilt = known[id(node)] = change(rebuilt)
    return rebuilt

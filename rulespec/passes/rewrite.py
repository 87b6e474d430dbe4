"""Expressions of a program are rewritten from the leaves up, wherever they stand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from rulespec import ir
from rulespec.ir.walk import EXPRESSIONS, parts

T = TypeVar("T")
Change = Callable[[ir.Expr], ir.Expr]


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


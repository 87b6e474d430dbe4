"""One way to walk everything a program consists of: expressions are rewritten from the leaves up, wherever they stand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from rulespec import ir

T = TypeVar("T")
EXPRESSIONS = (
    ir.Const, ir.Local, ir.Load, ir.Column, ir.Op, ir.Cond, ir.Bind, ir.Comp, ir.Fold, ir.Invoke, ir.Setting, ir.Known,
    ir.Completable,
)  # fmt: skip


def rewrite(node: T, change: Callable[[ir.Expr], ir.Expr]) -> T:
    """The node with every expression in it changed, the innermost first."""
    return _walk(node, change)  # type: ignore[no-any-return]


def _walk(node: Any, change: Callable[[ir.Expr], ir.Expr]) -> Any:
    if isinstance(node, tuple):
        made = tuple(_walk(item, change) for item in node)
        return made if any(a is not b for a, b in zip(made, node, strict=True)) else node
    if not is_dataclass(node) or isinstance(node, type):
        return node
    if isinstance(node, ir.Const | ir.Local | ir.Setting):
        return change(node)
    changed: dict[str, Any] = {}
    for own in fields(node):
        value = getattr(node, own.name)
        if own.name == "where" and not isinstance(value, EXPRESSIONS):
            continue  # a place in the file
        if isinstance(node, ir.Column | ir.Enter) and own.name == "values":
            continue
        if isinstance(value, tuple) or (is_dataclass(value) and not isinstance(value, type)):
            new = _walk(value, change)
            if new is not value:
                changed[own.name] = new
    made = replace(node, **changed) if changed else node
    return change(made) if isinstance(made, EXPRESSIONS) else made

"""Constant folding: what the settings decide is decided once, before play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from rulespec import ir
from rulespec.library.errors import DomainError
from rulespec.passes.rewrite import rewrite
from rulespec.registry import body

T = TypeVar("T")


def fold(node: T, settings: Mapping[str, ir.Value]) -> T:
    """The node with its settings replaced and every constant expression worked out; what would be a fault is left alone."""

    def change(expr: ir.Expr) -> ir.Expr:
        match expr:
            case ir.Setting(name=name) if name in settings:
                return ir.Const(settings[name])
            case ir.Op(name=name, args=args) if all(isinstance(a, ir.Const) for a in args):
                try:
                    return ir.Const(body(name)(*(a.value for a in args if isinstance(a, ir.Const))))
                except (DomainError, ArithmeticError, LookupError, ValueError, TypeError):
                    return expr
            case ir.Cond(test=ir.Const(value=test), then=then, other=other):
                return then if test else other
            case ir.Cond(test=test, then=ir.Const(value=True), other=ir.Const(value=False)):
                return test
            case ir.Column(values=values, index=ir.Const(value=index)) if isinstance(index, int) and 0 <= index < len(
                values
            ):
                return ir.Const(values[index])
            case ir.Known(value=ir.Const(value=value)) if value is not None:
                return ir.Const(value)
            case ir.Bind(body=ir.Const() as constant):
                return constant
        return expr

    return rewrite(node, change)


def inline_constants(functions: tuple[ir.Function, ...], node: T) -> T:
    """Calls of functions that are constants become those constants."""

    def change(expr: ir.Expr) -> ir.Expr:
        if isinstance(expr, ir.Invoke) and isinstance(functions[expr.function].body, ir.Const):
            return functions[expr.function].body
        return expr

    return rewrite(node, change)

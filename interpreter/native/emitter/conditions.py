"""Tests as they are made of others, and what they say."""

from __future__ import annotations

from rulespec import ir
from rulespec.ir.reads import reads
from rulespec.language import operators


def free_of(e: ir.Expr, its: frozenset[int]) -> bool:
    """Whether an expression does not read the item."""
    mask = reads(e)
    return not any(mask >> k & 1 for k in its)


def shown_there(test: ir.Expr, holds: bool) -> frozenset[ir.Expr]:
    """What is not None where a test holds, or where it does not."""
    match test:
        case ir.Op(operators.IS_NONE, (e,)) if not holds:
            return frozenset([e])
        case ir.Op(operators.NOT, (inner,)):
            return shown_there(inner, not holds)
        case ir.Cond(a, b, ir.Const(False)) if holds:
            return shown_there(a, True) | shown_there(b, True)
        case ir.Cond(a, ir.Const(True), b) if not holds:
            return shown_there(a, False) | shown_there(b, False)
    return frozenset()

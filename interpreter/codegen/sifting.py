"""Items of a loop that never pass, by what is fixed of them: they are left out before play."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, Any

from interpreter.codegen.facts import of_value
from rulespec import ir
from rulespec.ir.reads import reads
from rulespec.ir.walk import within

if TYPE_CHECKING:
    from interpreter.codegen.expressions import Writer

FIXED = (ir.Const, ir.Local, ir.Column, ir.Op, ir.Cond)  # what an expression of an item alone consists of


def sifted(w: Writer, comp: ir.Comp) -> tuple[ir.Comp, int]:
    """The loop without the items that fail a test of themselves alone that comes first, and how many these are."""
    if comp.where is None or not isinstance(comp.source, ir.Const):
        return comp, 0
    tests = list(conjuncts(comp.where))
    rest: tuple[Any, ...] = comp.source.value
    while tests and reads(tests[0]) == 1 << comp.index and all(isinstance(own, FIXED) for own in within(tests[0])):
        answers = [fixed(w, comp.index, item, tests[0]) for item in rest]
        if None in answers:
            break
        rest = tuple(item for item, answer in zip(rest, answers, strict=True) if answer)
        del tests[0]
    passed = len(comp.source.value) - len(rest)
    if not passed:
        return comp, 0
    where = reduce(lambda after, test: ir.Cond(test, after, ir.Const(False)), reversed(tests)) if tests else None
    return replace(comp, source=ir.Const(rest), where=where), passed


def conjuncts(e: ir.Expr) -> Iterator[ir.Expr]:
    """The tests of which all must hold, in their order."""
    if isinstance(e, ir.Cond) and isinstance(e.other, ir.Const) and e.other.value is False:
        yield from conjuncts(e.test)
        yield from conjuncts(e.then)
    else:
        yield e


def fixed(w: Writer, index: int, item: Any, test: ir.Expr) -> bool | None:
    """Whether an item passes a test; None where that is not known before play."""
    with w.aside() as steps, w.bound(index, w.const(item), of_value(item)):
        found = w.expr_anew(test)
    return bool(found.value) if isinstance(found, ast.Constant) and not steps else None

"""Patterns of expressions for which better code is generated, and helpers for Python's syntax trees."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Any

from interpreter.python.templates import constant, expression
from rulespec import ir
from rulespec.ir.walk import within
from rulespec.language import operators
from rulespec.language.facts import CForm, Reduction
from rulespec.language.registry import facts


def settles(e: ir.Fold) -> bool:
    """Whether only an item that is equal to the accumulator changes it: of ascending items, none does once one is above it."""
    match e.body:
        case ir.Cond(ir.Op(operators.EQUAL, (ir.Local(item), ir.Local(acc))), _, ir.Local(kept)):
            return item == e.index and acc == kept == e.acc
    return False


def counts_items(e: ir.Expr) -> bool:
    """Whether an expression is the size of a collection."""
    return isinstance(e, ir.Op) and facts(e.name).reduces is Reduction.COUNT


def in_a_row(e: ir.Expr) -> Iterator[ir.Expr]:
    """The collections of a concatenation."""
    if isinstance(e, ir.Op) and e.name == operators.CONCAT:
        for part in e.args:
            yield from in_a_row(part)
    else:
        yield e


def something(op: str, args: tuple[ir.Expr, ...]) -> tuple[ir.Expr, bool] | None:
    """For a comparison of a bag's size that asks only whether it is empty: the bag, and whether it asks for something in it."""
    match op, args:
        case operators.EQUAL | operators.DIFFERENT, (ir.Op(name, (bag,)), ir.Const(value=0)) if counts_bag(name):
            return bag, op == operators.DIFFERENT
        case operators.LESS, (ir.Const(value=0), ir.Op(name, (bag,))) if counts_bag(name):
            return bag, True
    return None


def counts_bag(name: str) -> bool:
    """Whether a function tells how many pieces a bag holds."""
    return facts(name).c.form is CForm.BAG_SIZE


def loaded_again(parts: tuple[ir.Expr | None, ...]) -> frozenset[ir.Expr]:
    """The slots, each by an index, that stand in expressions more than once."""
    loads = Counter(
        node
        for part in parts
        if part is not None
        for node in within(part)
        if isinstance(node, ir.Load) and isinstance(node.index, ir.Local)
    )
    return frozenset(load for load, count in loads.items() if count > 1)


def statement(value: ast.expr) -> ast.Expr:
    """An expression statement: evaluated for what it may raise."""
    at = {"lineno": value.lineno, "col_offset": 0, "end_lineno": value.lineno, "end_col_offset": 0}
    return ast.Expr(value, **at)


def negation(test: ast.expr, line: int) -> ast.expr:
    """The negation of a test, as a bool."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.operand, ast.Compare) and isinstance(test.op, ast.Not):
        return test.operand
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Is | ast.IsNot):
        test.ops[0] = ast.IsNot() if isinstance(test.ops[0], ast.Is) else ast.Is()
        return test
    return expression("not $t", line, t=test)


def kept_once(e: ir.Expr) -> list[int]:
    """The locals of the `Once` in an expression, ascending."""
    return sorted({node.index for node in within(e) if isinstance(node, ir.Once)})


def name_of(value: ast.expr) -> Any:
    """The name, or the constant as text, of a trivial expression; any other expression itself."""
    return value.id if isinstance(value, ast.Name) else repr(value.value) if isinstance(value, ast.Constant) else value


def either(tests: list[ast.expr], wanted: bool, line: int) -> ast.expr:
    """`or` of several tests, or its negation."""
    tests = [test for test in tests if not (isinstance(test, ast.Constant) and not test.value)]
    sure = next((n for n, test in enumerate(tests) if isinstance(test, ast.Constant)), None)
    if sure == 0:
        return constant(wanted, line)
    if not tests:
        return constant(not wanted, line)
    at = {"lineno": line, "col_offset": 0, "end_lineno": line, "end_col_offset": 0}
    tests = tests if sure is None else tests[: sure + 1]
    if wanted:
        return tests[0] if len(tests) == 1 else ast.BoolOp(ast.Or(), tests, **at)
    negated = [negation(test, line) for test in tests]
    return negated[0] if len(negated) == 1 else ast.BoolOp(ast.And(), negated, **at)

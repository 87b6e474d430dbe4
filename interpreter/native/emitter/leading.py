"""How many cells at the head of a row pass a test, as a fold over the numbers of its places: what `rulespec.passes.narrowing` makes of

    count(k in 1..size(row) where all(j in 1..k have test(item(row, j))))

    fold(L3 := 1, L4 in 1..size(row): (if eq(L4, L3) then (if test(item_at(row, L4)) then add(L4, 1) else L3) else L3))

Its value is the place of the first cell that does not pass, or one more than there are.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from rulespec import ir
from rulespec.ir.reads import reads
from rulespec.ir.walk import within
from rulespec.language import bounds, operators
from rulespec.language.facts import CForm, Reduction
from rulespec.language.registry import facts
from rulespec.passes.rewrite import rewrite
from rulespec.system.records import dataclass

ONE = ir.Const(1)


@dataclass(frozen=True, slots=True)
class Leading:
    """A fold that tells where the head of a row ends: at the first cell (local `cell`) that passes `ends`."""

    fold: ir.Fold
    row: ir.Expr
    cell: int
    ends: ir.Expr


def leading(e: ir.Expr, cell: int) -> Leading | None:
    """What a fold tells, with a local that is free for the cell; None where it is another one."""
    match e:
        case ir.Fold(
            place,
            ir.Const(1),
            j,
            source,
            ir.Cond(ir.Op(operators.EQUAL, (ir.Local(a), ir.Local(b))), further, ir.Local(c)),
        ):
            if {a, b} != {j, place} or c != place:
                return None
        case _:
            return None
    match further:
        case ir.Cond(test, ir.Op(operators.ADD, (ir.Local(a), ir.Const(1))), ir.Local(b)) if (a, b) == (j, place):
            test = ir.Op(operators.NOT, (test,))
        case ir.Cond(test, ir.Local(b), ir.Op(operators.ADD, (ir.Local(a), ir.Const(1)))) if (a, b) == (j, place):
            pass
        case _:
            return None
    rows = {
        x.args[0]
        for x in within(test)
        if isinstance(x, ir.Op) and facts(x.name).c.form is CForm.ITEM_AT and x.args[1] == ir.Local(j)
    }
    if len(rows) != 1:
        return None
    row = rows.pop()
    here = ir.Op("item_at", (row, ir.Local(j)))
    ends = rewrite(test, lambda part: ir.Local(cell) if part == here else part)
    if (reads(ends) | reads(row)) & (1 << j | 1 << place) or not numbers_places(source, row):
        return None
    return Leading(e, row, cell, ends)


def numbers_places(source: ir.Expr, row: ir.Expr) -> bool:
    """Whether a loop goes through the numbers of the places of a row: 1..size(row), or a table of that."""
    match source, row:
        case ir.Op(operators.INTERVAL, (ir.Const(1), ir.Op(size, (inner,)))), _:
            return facts(size).reduces is Reduction.COUNT and inner == row
        case ir.Column(numbers, i), ir.Column(cells, j) if i == j:
            return rows_count(numbers, cells)
        case ir.Op(operators.PART, (ir.Column(numbers, i), key)), ir.Op(
            operators.PART, (ir.Column(cells, j), other)
        ) if i == j and key == other:
            return len(numbers) == len(cells) and all(map(rows_count, numbers, cells))
    return False


def rows_count(numbers: tuple[tuple[int, ...], ...], cells: tuple[tuple[int, ...], ...]) -> bool:
    """Whether rows of numbers are those of the places of rows of cells."""
    return len(numbers) == len(cells) and all(
        n == tuple(range(1, len(c) + 1)) for n, c in zip(numbers, cells, strict=True)
    )


def ended(
    e: ir.Expr, head: Leading, at: tuple[ir.Local, ir.Local] | None, simple: Callable[[ir.Expr], ir.Expr]
) -> ir.Expr:
    """An expression where it is known at which place the head of a row ends, counted from 0, and which cell lies there; None: at none."""
    size = ir.Op("size", (head.row,))
    base: ir.Expr = size if at is None else at[0]

    def change(part: ir.Expr) -> ir.Expr:
        if part == head.fold:
            return ir.Op(operators.ADD, (base, ONE))
        match part:
            case ir.Op(name, (row, number)) if (
                at is not None and facts(name).c.form is CForm.ITEM_AT and row == head.row and sum_of(number, base) == 1
            ):
                return at[1]
            case ir.Op(
                operators.LESS | operators.AT_MOST | operators.EQUAL | operators.DIFFERENT as name, (left, right)
            ):
                known = compared(name, left, right, base, size if at is not None else None)
                if known is not None:
                    return ir.Const(known)
            case ir.Op() if part != base and (more := sum_of(part, base)) is not None:
                if more >= 0:
                    return base if not more else ir.Op(operators.ADD, (base, ir.Const(more)))
        return simple(part)

    return rewrite(e, change)


def sum_of(e: ir.Expr, base: ir.Expr) -> int | None:
    """What an expression is more than a number that is not negative; None where that is not known."""
    if e == base:
        return 0
    match e:
        case ir.Op(operators.ADD, (left, ir.Const(int() as more))) | ir.Op(
            operators.ADD, (ir.Const(int() as more), left)
        ):
            under = sum_of(left, base)
            return None if under is None else under + more
        case ir.Op(operators.SUBTRACT, (left, ir.Const(int() as less))):
            under = sum_of(left, base)
            return None if under is None else under - less
        case ir.Op(name, (left, ir.Const(int() as least))) if facts(name).result is bounds.greatest:
            under = sum_of(left, base)
            return under if under is not None and under >= least else None
    return None


def compared(name: str, left: ir.Expr, right: ir.Expr, base: ir.Expr, more: ir.Expr | None) -> bool | None:
    """What a comparison says of two sums, or of one and a size (`more`) that is at least one more than the base; None if nothing."""
    a, b = sum_of(left, base), sum_of(right, base)
    if a is not None and b is not None:
        return bool(getattr(operator, name)(a, b))
    if a is not None and more is not None and right == more and a < 1 + (name == operators.AT_MOST):
        return name != operators.EQUAL
    return None

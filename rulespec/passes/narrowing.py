"""Narrower loops: tests of fixed data choose the items of a loop before play, so that it goes through those that may pass.

    [L1 in (0, 1, 2, 3) if (if eq(S8[L1 of 4], S7) then eq({1, 1, 2, 2}[L1], add({1, 1, 2, 2}[L0], 1)) else no)]
    [L1 in {(2, 3), (2, 3), (), ()}[L0] if eq(S8[L1 of 4], S7)]

A test that stands behind others is looked at before them only where they cannot fault.  Functions that are nothing but tests of
what they are given are looked through.  A loop over 1..n whose first test is whether all of 1..k have something goes as far as
they have it:

    [L1 in interval(1, 9) if no_item([L2 in interval(1, L1) if not_(p(L2))])]
    [L1 in interval(1, sub(fold(L1 := 1, L2 in interval(1, 9): (if eq(L2, L1) and p(L2) then add(L2, 1) else L1)), 1))]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice

from rulespec import ir
from rulespec.analysis.evaluate import Facts
from rulespec.ir.reads import reads
from rulespec.ir.walk import conjuncts, within
from rulespec.language import operators
from rulespec.language.facts import Reduction
from rulespec.language.registry import facts
from rulespec.passes.closed import all_of
from rulespec.passes.inline import substitute
from rulespec.passes.locals import bound_in
from rulespec.passes.total import total

LARGEST = 80  # nodes of a function that is looked through
DEEPEST = 4  # calls that are looked through

Test = Callable[[ir.Expr], bool]


def narrowed(
    loop: ir.Comp,
    functions: Sequence[ir.Function],
    fixed: Test,
    known: Facts,
    look_up: Callable[[ir.Comp], ir.Expr | None],
) -> ir.Comp:
    """A loop that goes through no items of which fixed data tell that they do not pass; itself where there are none.

    `fixed` says whether a test depends on fixed data alone, `known` is what locals may be in the loop, `look_up` makes a table of a loop.
    """
    if loop.where is None:
        return loop
    tests = opened(loop.where, functions, fixed, DEEPEST)
    first: list[ir.Expr] = []
    rest: list[ir.Expr] = []
    safe = True  # whether all tests that were not taken so far surely have a value
    for test in tests:
        if safe and fixed(test):
            first.append(test)
        else:
            rest.append(test)
            safe = safe and total(test, known)
    if not first:
        return loop
    source = look_up(ir.Comp(loop.index, loop.source, all_of(first)))
    return loop if source is None else replace(loop, source=source, where=all_of(rest))


def opened(e: ir.Expr, functions: Sequence[ir.Function], fixed: Test, depth: int) -> list[ir.Expr]:
    """The tests of which all must hold, those of functions that are nothing but tests included, where one of them is fixed."""
    tests: list[ir.Expr] = []
    for test in conjuncts(e):
        inside = body_of(test, functions) if depth else None
        deeper = [] if inside is None else opened(inside, functions, fixed, depth - 1)
        tests += deeper if any(map(fixed, deeper)) else [test]
    return tests


def body_of(call: ir.Expr, functions: Sequence[ir.Function]) -> ir.Expr | None:
    """The body of a function that binds nothing, with the arguments of a call, if these are as quick as parameters."""
    if not isinstance(call, ir.Invoke) or not all(map(quick, call.args)):
        return None
    function = functions[call.function]
    if function.parameters != len(call.args) or bound_in(function.body):
        return None
    if len(list(islice(within(function.body), LARGEST + 1))) > LARGEST:
        return None
    return substitute(function.body, dict(enumerate(call.args)))


def quick(e: ir.Expr) -> bool:
    """Whether an expression may be worked out as often as it is read."""
    return isinstance(e, ir.Const | ir.Local) or (isinstance(e, ir.Load) and e.index is None)


def denied(test: ir.Expr) -> ir.Expr | None:
    """The collection of which a test says that it has no item; None where it says something else."""
    match test:
        case ir.Op(operators.NOT, (ir.Op(name, (items,)),)) if facts(name).reduces is Reduction.SOME:
            return items
        case ir.Op(name, (items,)) if facts(name).reduces is Reduction.NO_ITEM:
            return items
    return None


def prefix(loop: ir.Comp, stops: bool) -> ir.Comp:
    """A loop over low..high that asks first whether all of low..k have something: one that ends where they have it no more.

    Where the loop may end before its last item (`stops`), only if asking for those behind it cannot be a fault.
    """
    match loop:
        case ir.Comp(k, ir.Op(operators.INTERVAL, (low, high)), where, _, None) if where is not None:
            first, *rest = conjuncts(where)
        case _:
            return loop
    match denied(first):
        case ir.Comp(j, ir.Op(operators.INTERVAL, (start, ir.Local(last))), lacks, None, None) if (
            lacks is not None and last == k and start == low and j != k and quick(low)
        ):
            pass
        case _:
            return loop
    if (reads(lacks) | bound_in(lacks)) >> k & 1 or bound_in(lacks) >> j & 1 or (reads(low) | reads(high)) >> j & 1:
        return loop
    if stops and not total(lacks):
        return loop
    # Local k is, before it is the item of the loop, the first number that is not known to have it.
    further = ir.Cond(lacks, ir.Local(k), ir.Op(operators.ADD, (ir.Local(j), ir.Const(1))))
    step = ir.Cond(ir.Op(operators.EQUAL, (ir.Local(j), ir.Local(k))), further, ir.Local(k))
    end = ir.Op(operators.SUBTRACT, (ir.Fold(k, low, j, loop.source, step), ir.Const(1)))
    return replace(loop, source=ir.Op(operators.INTERVAL, (low, end)), where=all_of(rest))

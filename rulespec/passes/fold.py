"""Constant folding: expressions whose operands are constants or settings are evaluated once, before play.

An expression is replaced only by one with the same value or the same fault.  One that would surely fault is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar, assert_never

from rulespec import ir
from rulespec.ir.reads import reads
from rulespec.ir.show import expression
from rulespec.ir.walk import within
from rulespec.language import bounds, operators
from rulespec.language.facts import CForm, Reduction
from rulespec.language.registry import facts
from rulespec.passes import closed
from rulespec.passes.evaluation import NO_VALUE, Evaluation
from rulespec.passes.inline import Inliner, substitute
from rulespec.passes.locals import bound_in
from rulespec.passes.rewrite import rewrite
from rulespec.passes.total import of_items, total

T = TypeVar("T")
TRUE, FALSE, NOTHING = ir.Const(True), ir.Const(False), ir.Const(())


def fold(program: ir.Program) -> ir.Program:
    """The program with every constant expression worked out, and small functions in place of their calls."""
    inliner = Inliner(program.functions, simplify)
    functions = tuple(inliner.function(i) for i in range(len(program.functions)))
    sites = list(program.sites)
    procedures = []
    for procedure in program.procedures:
        inlined, asked = inliner.procedure(procedure, sites)
        procedures.append(replace(inlined, code=tuple(map(decided, inlined.code, range(1, len(inlined.code) + 1)))))
        for index in asked:
            sites[index] = asked[index]
    rules = tuple(inliner.rule(rule) for rule in program.rules)
    return replace(program, functions=functions, procedures=tuple(procedures), sites=tuple(sites), rules=rules)


def settled(node: T, settings: Mapping[str, ir.Value]) -> T:
    """The node with its settings replaced by their values."""

    def change(expr: ir.Expr) -> ir.Expr:
        return ir.Const(settings[expr.name]) if isinstance(expr, ir.Setting) and expr.name in settings else expr

    return rewrite(node, change)


def folded(node: T) -> T:
    """An expression by itself, or a node, with its constant parts worked out."""
    return rewrite(node, simplify)


def decided(i: ir.Instruction, after: int) -> ir.Instruction:
    """The instruction, or a jump where it is known which way a test goes."""
    if isinstance(i, ir.Unless) and isinstance(i.test, ir.Const):
        return ir.Jump(after if i.test.value else i.target, i.where)
    return i


def simplify(expr: ir.Expr) -> ir.Expr:
    """An expression whose parts have been simplified, in its simplest form."""
    match expr:
        case ir.Op():
            return operation(expr)
        case ir.Cond():
            return condition(expr)
        case ir.Bind():
            return binding(expr)
        case ir.Comp():
            return comprehension(expr)
        case ir.Column(values=values, index=ir.Const(value=int() as index)) if 0 <= index < len(values):
            return ir.Const(values[index])
        case ir.Load(base=base, index=ir.Const(value=int() as index), size=size) if 0 <= index < size:
            return ir.Load(base + index)
        case ir.Known(value=ir.Const(value=value)) if value is not None:
            return ir.Const(value)
        case ir.Fold(start=start, source=ir.Const(value=())):
            return start
        case ir.Fold():
            return closed.worked_out(expr)
        case ir.Const() | ir.Local() | ir.Load() | ir.Column() | ir.Invoke() | ir.Setting() | ir.Known():
            return expr
        case ir.Completable() | ir.Once() | ir.After():
            return expr
        case _:
            assert_never(expr)


def operation(expr: ir.Op) -> ir.Expr:
    """A function of the registry: worked out, or left out where it changes nothing."""
    if all(isinstance(a, ir.Const) for a in expr.args):
        return worked_out(expr)
    known = facts(expr.name)
    match expr.name, expr.args:
        case operators.NOT, (ir.Op(name=operators.NOT, args=(inner,)),):
            return inner
        case _, (only,) if known.identity:
            return only
        case _, (left, ir.Const(value=value)) if known.neutral is not None and identical(value, known.neutral.value):
            return left
        case _, (ir.Const(value=value), right) if (
            known.neutral is not None and known.neutral.both and identical(value, known.neutral.value)
        ):
            return right
        case operators.EQUAL | operators.DIFFERENT | operators.LESS | operators.AT_MOST, _ if (
            asked := emptiness(expr)
        ) is not None:
            return asked
        case _, (ir.Op(operators.INTERVAL, (ir.Const(value=int() as low), high)),) if known.reduces is Reduction.COUNT:
            return ir.Op("greatest_number", (ir.Op(operators.SUBTRACT, (high, ir.Const(low - 1))), ir.Const(0)))
        case _, (number, ir.Const(value=holds)) if known.result is bounds.if_so and total(number):
            return number if holds else ir.Const(0)
        case operators.CONTAINS, (ir.Const(value=()), item) if total(item):
            return FALSE
        case operators.PART, (ir.Op(name=operators.PACK, args=items), ir.Const(value=int() as index)) if (
            0 <= index < len(items)
        ):
            if all(total(item) for item in items):
                return items[index]
        case _, (ir.Const(value=rows), ir.Op(name=operators.PACK, args=parts)) if known.c.form is CForm.ROW:
            return narrowed(expr, rows, parts)
    return closed.of_map(expr)


# Comparisons of how many items there are (None) with a number that ask whether there are any.
EMPTINESS: Mapping[tuple[str, int | None, int | None], bool] = {
    (operators.EQUAL, None, 0): False,
    (operators.EQUAL, 0, None): False,
    (operators.DIFFERENT, None, 0): True,
    (operators.DIFFERENT, 0, None): True,
    (operators.LESS, None, 1): False,
    (operators.AT_MOST, None, 0): False,
    (operators.LESS, 0, None): True,
    (operators.AT_MOST, 1, None): True,
}


def asked_items(e: ir.Op) -> tuple[ir.Expr, bool] | None:
    """The collection of which something asks whether it has items, and whether that is what it asks, and not if there are none."""
    match e:
        case ir.Op(name, (of,)) if facts(name).reduces in (Reduction.SOME, Reduction.NO_ITEM):
            return of, facts(name).reduces is Reduction.SOME
        case ir.Op(name, (ir.Op(size, (of,)), ir.Const(int() as number))) if facts(size).reduces is Reduction.COUNT:
            some = EMPTINESS.get((name, None, number))
        case ir.Op(name, (ir.Const(int() as number), ir.Op(size, (of,)))) if facts(size).reduces is Reduction.COUNT:
            some = EMPTINESS.get((name, number, None))
        case _:
            return None
    return None if some is None else (of, some)


def emptiness(compared: ir.Op) -> ir.Expr | None:
    """A count of what passes a test, compared with 0: whether anything does, which need not look at all."""
    match asked_items(compared):
        case (ir.Comp() as loop, some) if total(loop):
            return simplify(ir.Op("any_item" if some else "no_item", (loop,)))
    return None


def worked_out(expr: ir.Op) -> ir.Expr:
    """An operation on constants: its value, unless it has none or one that is too large."""
    try:
        return ir.Const(Evaluation().value(expr))
    except NO_VALUE:
        return expr


def worked_out_for(
    expr: ir.Expr, local: int, values: Iterable[ir.Value], functions: Sequence[ir.Function]
) -> list[ir.Value] | None:
    """What an expression of one local is for each of some values of it; None where it has no value, or reads anything else."""
    try:
        value = Evaluation(functions=functions).of_many(expr)
        return [value({local: one}) for one in values]
    except NO_VALUE:
        return None


def narrowed(expr: ir.Op, rows: Any, parts: tuple[ir.Expr, ...]) -> ir.Expr:
    """A look-up by several keys, of which some are constants: a look-up by the others in the rows that fit."""
    fixed = {n: part.value for n, part in enumerate(parts) if isinstance(part, ir.Const)}
    left = [n for n in range(len(parts)) if n not in fixed]
    if not fixed or not left or any(not isinstance(key, tuple) or len(key) != len(parts) for key, _ in rows):
        return expr
    kept = [(key, value) for key, value in rows if all(key[n] == constant for n, constant in fixed.items())]
    if len(left) == 1:
        return ir.Op(expr.name, (ir.Const(tuple((key[left[0]], value) for key, value in kept)), parts[left[0]]))
    keys = ir.Op(operators.PACK, tuple(parts[n] for n in left))
    return ir.Op(expr.name, (ir.Const(tuple((tuple(key[n] for n in left), value) for key, value in kept)), keys))


def condition(expr: ir.Cond) -> ir.Expr:
    """A conditional: one branch, where the test is constant or both branches are equal."""
    match expr:
        case ir.Cond(test=ir.Const(value=test), then=then, other=other):
            return then if test else other
        case ir.Cond(test=test, then=ir.Const(value=True), other=ir.Const(value=False)):
            return test
        case ir.Cond(test=ir.Op(name=operators.NOT, args=(test,)), then=then, other=other):
            return condition(ir.Cond(test, other, then))
        case ir.Cond(test=test, then=ir.Const(value=False), other=ir.Const(value=True)):
            return simplify(ir.Op(operators.NOT, (test,)))
        case ir.Cond(test=test, then=then, other=other) if alike(then, other) and total(test):
            return then
        case ir.Cond(test=test, then=then, other=other):
            known, denied = answered(then, test, True), answered(other, test, False)
            if known is not None or denied is not None:
                return condition(ir.Cond(test, then if known is None else known, other if denied is None else denied))
    return expr


def answered(asked: ir.Expr, test: ir.Expr, holds: bool) -> ir.Expr | None:
    """What a question comes to where a test is known to hold, or not to hold; None where the test does not say it."""
    if isinstance(asked, ir.Const):
        return None
    if alike(asked, test):
        return TRUE if holds else FALSE
    if isinstance(asked, ir.Op) and isinstance(test, ir.Op):
        one, two = asked_items(asked), asked_items(test)
        if one is not None and two is not None and alike(one[0], two[0]):
            if isinstance(one[0], ir.Comp) and not total(one[0]):
                return None  # `any` need not look at all items: another may be a fault
            return TRUE if (one[1] == two[1]) == holds else FALSE
    return None


def binding(expr: ir.Bind) -> ir.Expr:
    """A binding whose local is not needed: the value takes its place."""
    index, value, inner = expr.index, expr.value, expr.body
    if inner == ir.Local(index):
        return value
    if value == ir.Const(None) and any(isinstance(e, ir.Once) and e.index == index for e in within(inner)):
        return expr
    if not reads(inner) >> index & 1:
        return inner if total(value) else expr
    if isinstance(value, ir.Const | ir.Local):
        bound = bound_in(inner)
        if not bound >> index & 1 and not (isinstance(value, ir.Local) and bound >> value.index & 1):
            return rewrite(substitute(inner, {index: value}), simplify)
    return expr


def comprehension(expr: ir.Comp) -> ir.Expr:
    """A comprehension over nothing, over one item, of nothing, of all, or of what is known beforehand."""
    where = None if same_value(expr.where, True) else expr.where
    value = None if expr.value == ir.Local(expr.index) else expr.value
    if same_value(where, False) and total(expr.source):
        return NOTHING
    simplified = expr if where is expr.where and value is expr.value else replace(expr, where=where, value=value)
    simplified = joined(closed.chosen(simplified))
    if simplified.source == NOTHING:
        return NOTHING
    if simplified.key is None:
        if simplified.where is None and simplified.value is None:
            return simplified.source
        match simplified.source:
            case ir.Const(value=(only,)):
                return of_one(simplified, only)
            case ir.Cond(test=test, then=ir.Const(value=(only,)), other=other) if other == NOTHING:
                return condition(ir.Cond(test, of_one(simplified, only), NOTHING))
    return closed.worked_out(simplified)


def of_one(expr: ir.Comp, item: ir.Value) -> ir.Expr:
    """A comprehension over one constant item: nothing, or what it gives of the item."""
    put = {expr.index: ir.Const(item)}
    parts = [ir.Local(expr.index) if expr.value is None else expr.value, expr.where]
    value, where = (None if part is None else rewrite(substitute(part, put), simplify) for part in parts)
    assert value is not None
    packed = simplify(ir.Op(operators.PACK, (value,)))
    return packed if where is None else condition(ir.Cond(where, packed, NOTHING))


def joined(expr: ir.Comp) -> ir.Comp:
    """Loop fusion: a loop over the result of a filter becomes one loop with both tests, if the filter's test cannot fault."""
    inner = expr.source
    if not isinstance(inner, ir.Comp) or inner.where is None or inner.value is not None or inner.key is not None:
        return expr
    if bound_in(inner.where) >> expr.index & 1 or not total(inner.where, of_items({}, inner.index, inner.source)):
        return expr
    first = substitute(inner.where, {inner.index: ir.Local(expr.index)})
    where = first if expr.where is None else simplify(ir.Cond(first, expr.where, FALSE))
    return replace(expr, source=inner.source, where=where)


def identical(a: ir.Value, b: ir.Value) -> bool:
    """Whether two values are the same one: True is not 1."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(identical, a, b))
    return a.__class__ is b.__class__ and bool(a == b)


def same_value(e: ir.Expr | None, value: ir.Value) -> bool:
    """Whether an expression is this value."""
    return isinstance(e, ir.Const) and identical(e.value, value)


def alike(a: ir.Expr, b: ir.Expr) -> bool:
    """Whether two expressions are the same: True is not 1, deep within them either."""
    return a == b and expression(a) == expression(b)

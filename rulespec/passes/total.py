"""Which expressions cannot fault, so that working them out less often, or not at all, changes nothing.

    add(L0, 1)     # total
    first(S4)      # not: S4 may be empty
    S4[L0 of 3]    # total where L0 is known to be 0..2

Valid for programs that the checker made: values have the types that it gave them.  The bounds of a run (steps, items looked
at, sizes of collections) are not considered: doing less never reaches a bound sooner.
"""

from __future__ import annotations

from typing import assert_never

from rulespec import ir
from rulespec.analysis.domain import ANY, of_value
from rulespec.analysis.evaluate import Facts
from rulespec.language.registry import facts


def total(e: ir.Expr | None, given: Facts | None = None) -> bool:
    """Whether working out an expression surely gives a value; `given` is what is known of locals."""
    known = given or {}
    match e:
        case None | ir.Const() | ir.Local() | ir.Setting():
            return True
        case ir.Load(_, index, size):
            return index is None or inside(index, size, known)
        case ir.Column(values, index):
            return inside(index, len(values), known)
        case ir.Op(name, args):
            return surely(name, args) and all(total(a, known) for a in args)
        case ir.Cond(test, then, other):
            return total(test, known) and total(then, known) and total(other, known)
        case ir.Bind(index, value, body):
            return total(value, known) and total(body, without(known, index))
        case ir.Once(_, value):
            return total(value, known)
        case ir.Comp(index, source, where, value, key):
            inner = of_items(known, index, source)
            return total(source, known) and all(total(part, inner) for part in (where, value, key))
        case ir.Fold() | ir.Invoke() | ir.Known() | ir.Completable() | ir.After():
            return False
        case _:
            assert_never(e)


def surely(name: str, args: tuple[ir.Expr, ...]) -> bool:
    """Whether a function of the registry has a result of all that these arguments may be."""
    known = facts(name)
    return known.total or (known.total_for is not None and args[-1:] == (ir.Const(known.total_for),))


def inside(index: ir.Expr, size: int, known: Facts) -> bool:
    """Whether an index is surely one of `size` places."""
    match index:
        case ir.Const(value):
            return of_value(value).within(0, size - 1)
        case ir.Local(local):
            return known.get(local, ANY).within(0, size - 1)
    return False


def of_items(known: Facts, index: int, source: ir.Expr) -> Facts:
    """What is known in the body of a comprehension, whose local `index` is each item of `source` in turn."""
    match source:
        case ir.Const(value=tuple() as items):
            return {**known, index: of_value(items).item or ANY}
        case ir.Comp(_, inner, _, None, None):
            return of_items(known, index, inner)
    return without(known, index)


def without(known: Facts, index: int) -> Facts:
    """The same with nothing known of a local."""
    return {local: fact for local, fact in known.items() if local != index}

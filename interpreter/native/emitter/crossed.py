"""Tests of what lies in rows of fixed data, for all items at once.

    any(c in between(a, b) where c.man is known)      # for all b, where a is known

Which cells lie in the row of an item depends on the item and on values of small ranges.  For each combination of these a table
tells of each cell the items in whose rows it lies.  So the cells that pass are found first, and the items are the union of what the table
has for these.  Whether what fixed data make of an item is in a set is the same with rows of one cell.  Rows that lead as far away from
all items are left to shifts, which are quicker.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

from interpreter.native.emitter.conditions import free_of
from interpreter.native.emitter.forms import NUMBER, SET, WIDE_SET, Val, word_of
from interpreter.native.emitter.masks import ITEM, KEY, NoMask, Stripper
from interpreter.native.emitter.rays import RayWriter
from interpreter.native.emitter.sets import constant, words_of
from interpreter.native.emitter.texts import Variable
from interpreter.native.emitter.writer import Env
from interpreter.reference.expressions import Compiler
from rulespec import ir
from rulespec.analysis.domain import below
from rulespec.language import operators
from rulespec.language.facts import Reduction
from rulespec.language.registry import facts as facts_of
from rulespec.passes.inline import substitute

MOST_ENTRIES = 1 << 14  # sets in a table
MOST_CELLS = 128  # of a board
MOST_BITS = 64  # of a set of one word
MOST_LOOKS = 1 << 20  # rows that are worked out for one
# The rows of items by keys, and for which keys some are a fault.
Crossed = tuple[list[list[tuple[int, ...]]], tuple[int, ...]]


class CrossedWriter(RayWriter):
    """Writes tests of what lies in rows."""

    @cached_property
    def crossed(self) -> dict[tuple[str, str, int], Crossed | None]:
        """The rows of items, or None where they have none that a table holds."""
        return {}

    def mask(self, e: ir.Expr, its: frozenset[int], env: Env, size: int) -> str:
        """C of the set of all items below `size` that pass a test; raises NoMask."""
        if self.probing:
            return super().mask(e, its, env, size)
        match e:
            case ir.Op(name, (ir.Comp(index, source, where, None, None),)) if (
                facts_of(name).reduces in (Reduction.SOME, Reduction.NO_ITEM)
                and where is not None
                and not free_of(source, its)
                and free_of(where, its)
                and not self.shifts(source, its, size)
            ):

                def passing(members: int) -> str:
                    inner = {**env, index: Val(Variable("x"), NUMBER, below(members))}
                    return self.mask(where, frozenset([index]), inner, members)

                found = self.crossing(source, passing, self.weights.item(where), its, env, size)
                return found if facts_of(name).reduces is Reduction.SOME else f"(~({word_of(size)})({found}))"
            case ir.Op(operators.CONTAINS, (inner, cell)) if free_of(inner, its) and not isinstance(cell, ir.Local):
                v = self.expr(inner, env)
                if not v.known and v.form in (SET, WIDE_SET):

                    def inside(members: int) -> str:
                        return f"(W){v.code}" if v.form == SET and members > MOST_BITS else v.code

                    return self.crossing(ir.Op(operators.PACK, (cell,)), inside, 1, its, env, size)
            case ir.Bind(index, value, body) if not free_of(value, its) and value != ir.Const(None):
                if Stripper(self, env).of_data(value, its):
                    return self.mask(substitute(body, {index: value}), its, env, size)
        return super().mask(e, its, env, size)

    def shifts(self, source: ir.Expr, its: frozenset[int], size: int) -> bool:
        """Whether rows are found for all items by shifts."""
        if isinstance(source, ir.Column):
            return True
        with suppress(NoMask):
            self.rows_of(source, its, size)
            return True
        return False

    def crossing(
        self, source: ir.Expr, passing: Callable[[int], str], each: int, its: frozenset[int], env: Env, size: int
    ) -> str:
        """C of the set of the items in whose rows a cell passes; raises NoMask.

        `passing` gives C of the cells below a number that pass, `each` is what a look at one counts.
        """
        strip = Stripper(self, env, MOST_CELLS)
        bare = strip.bare(source, its, {})
        if strip.array is not None:
            raise NoMask
        at, domains = self.combined(strip)
        rows, unanswered = self.rows_by_keys(bare, domains, size)
        members = max((x + 1 for some in rows for row in some for x in row), default=1)
        where = tuple(sum(1 << k for k, row in enumerate(some) if x in row) for some in rows for x in range(members))
        used = tuple(sum(1 << x for x in {x for row in some for x in row}) for some in rows)
        kind, out, m, o, k = word_of(members), word_of(size), self.name("m"), self.name("o"), self.name("k")
        asked = self.masks(used) + f"[{k}]" if len(used) > 1 else constant(used[0], words_of(members - 1))
        table = f"const __typeof__({self.masks(where)}[0])*t=&{self.masks(where)}[{k}*{members}];"
        paid = size * (max(len(row) for some in rows for row in some) * each + 1)  # as if all were looked at
        loop = f"for(;{m};{m}&={m}-1){o}|=t[low{kind}({m})];"
        head = f"FUEL(S,{paid}); V {k}={self.with_answers(at, unanswered)};"
        return f"({{{head} {kind} {m}={asked}&{passing(members)}; {table} {out} {o}=0; {loop} {o};}})"

    def rows_by_keys(self, bare: ir.Expr, domains: list[list[Any]], size: int) -> Crossed:
        """See `rows_of`; each is worked out once, and what has no rows is refused once."""
        key = (repr(bare), repr(domains), size)
        if key not in self.crossed:
            self.crossed[key] = None
            with suppress(NoMask):
                self.crossed[key] = rows_of(bare, domains, size)
        found = self.crossed[key]
        if found is None:
            raise NoMask
        return found


def rows_of(bare: ir.Expr, domains: list[list[Any]], size: int) -> Crossed:
    """The row of each item for each combination of keys; raises NoMask where it is none of numbers of cells, or they are too many.

    Second, for each combination, is 1 where a key is none and the row of an item a fault."""
    combinations = prod(map(len, domains))
    if combinations > MOST_ENTRIES or combinations * size > MOST_LOOKS:
        raise NoMask
    most = min(MOST_CELLS, MOST_ENTRIES // max(combinations, 1))  # cells that there is room for
    run = Compiler(()).expr(bare)
    locals_: list[Any] = [None] * (KEY + len(domains) + 1)
    found: list[list[tuple[int, ...]]] = []
    unanswered = [0] * combinations
    for values in product(*domains):
        locals_[KEY : KEY + len(values)] = values
        some: list[tuple[int, ...]] = []
        for item in range(size):
            locals_[ITEM] = item
            try:
                row = tuple(run([], locals_))
            except Exception:  # whatever it raises for values that the rules never come to
                if None not in values:
                    raise NoMask from None
                row, unanswered[len(found)] = (), 1
            if not all(type(x) is int and 0 <= x < most for x in row):
                raise NoMask
            some.append(row)
        found.append(some)
    return found, tuple(unanswered)

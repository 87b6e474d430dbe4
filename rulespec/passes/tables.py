"""Tables: what is worked out from members of types and fixed data alone is worked out once, before play.

    f0(L0) = [L1 in (0, 1, 2, 3) if eq({1, 1, 2, 2}[L1], add({1, 1, 2, 2}[L0], 1))]     # L0 is one of four cells
    f0(L0) = {(2, 3), (2, 3), (), ()}[L0]

So `those(s in Cell where s.row == c.row + 1)` costs no more than a field.  It is done for loops and for functions that go through
what they are given, where they read nothing but locals and variables of the state that are members of types, such as whose turn it
is, and have a value for each of these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any, TypeGuard, TypeVar

from rulespec import ir
from rulespec.analysis.domain import below
from rulespec.ir.reads import numbers, reads
from rulespec.ir.walk import within
from rulespec.language import operators
from rulespec.language.facts import Reduction
from rulespec.language.registry import facts
from rulespec.passes.evaluation import NO_VALUE, Evaluation, Unknown, limited
from rulespec.passes.fold import fold, folded
from rulespec.passes.invariants import changed
from rulespec.passes.locals import used_in
from rulespec.passes.narrowing import narrowed, prefix
from rulespec.passes.rewrite import rewrite

T = TypeVar("T")
MOST_ROWS = 5_000  # of a table
MOST_LOOKS = 200_000  # items that are looked at for one table
MOST_OF_ALL = 400_000  # the same for all tables of a program
MOST_HELD = 200_000  # items in the rows of a table
DYNAMIC = (ir.Load, ir.Setting, ir.Completable, ir.Once, ir.After)
Domains = Mapping[int, int]  # of locals that are members of a type: how many members it has


def tables(program: ir.Program) -> ir.Program:
    """The program with look-ups in place of what depends on fixed data and members of types alone."""
    tabulation = Tabulation(program)
    functions = tabulation.functions
    for number, function in enumerate(program.functions):
        body = tabulation.part(function.body, function.locals)
        if body is not function.body:
            functions[number] = replace(function, body=body)
    procedures, sites = [], list(program.sites)
    for procedure in program.procedures:
        procedures.append(replace(procedure, code=tabulation.part(procedure.code, procedure.locals)))
        for i in procedure.code:
            if isinstance(i, ir.Ask):
                sites[i.site] = tabulation.site(sites[i.site], procedure.locals)
    if not tabulation.count:
        return program
    return fold(replace(program, functions=tuple(functions), procedures=tuple(procedures), sites=tuple(sites)))


class Tabulation:
    """Makes tables of parts of a program; `made` says how many there are."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.functions = list(program.functions)  # each with its tables, as soon as they are made
        self.left = MOST_OF_ALL
        self.count = 0
        self.fixed: dict[int, bool] = {}
        self.looping: dict[int, bool] = {}
        self.typed: Domains = {}
        self.entities = {
            variable.base: program.size(variable.type.kind)
            for variable in program.variables
            if variable.size == 1 and variable.type.what == "entity" and variable.type.kind is not None
        }

    # --- what locals are ----------------------------------------------------------------------------------------------
    def members(self, types: tuple[ir.Type, ...]) -> dict[int, int]:
        """The domains of locals of these types."""
        return {k: self.program.size(t.kind) for k, t in enumerate(types) if t.what == "entity" and t.kind is not None}

    def items(self, source: ir.Expr) -> int | None:
        """More than the highest number among the items of a collection, if they are numbers from 0 on; None if that is not known."""
        match source:
            case ir.Const(value=tuple() as items):
                return highest(items)
            case ir.Column(values, _) if all(isinstance(row, tuple) for row in values):
                return highest([item for row in values for item in row])
            case ir.Comp(_, inner, _, None, None):
                return self.items(inner)
        return None

    def rebound(self, domains: Domains, index: int | None) -> dict[int, int]:
        """The domains where a local is another value of its type."""
        inner = {k: size for k, size in domains.items() if k != index}
        if index is not None and index in self.typed:
            inner[index] = self.typed[index]
        return inner

    # --- rewriting ----------------------------------------------------------------------------------------------------
    def part(self, node: T, types: tuple[ir.Type, ...]) -> T:
        """A part of a program, whose locals are of these types, with tables in it."""
        self.typed = self.members(types)
        return self.rewritten(node, self.typed)

    def site(self, site: ir.Site, types: tuple[ir.Type, ...]) -> ir.Site:
        """A site with tables in it, and without reasons that fixed data show to hold for all candidates."""
        site = self.part(site, types)
        domains = {k: size for k, size in self.typed.items() if k != site.item}
        reasons = tuple(
            replace(reason, test=ir.Const(True)) if self.always(reason.test, site, domains) else reason
            for reason in site.reasons
        )
        return replace(site, reasons=reasons)

    def always(self, test: ir.Expr, site: ir.Site, domains: Domains) -> bool:
        """Whether a test of fixed data holds for all candidates of a site."""
        if isinstance(test, ir.Const) or not isinstance(site.items, ir.Column | ir.Op) or not self.reads_nothing(test):
            return False
        lacking = folded(ir.Op("any_item", (ir.Comp(site.item, site.items, ir.Op(operators.NOT, (test,))),)))
        if isinstance(lacking, ir.Const):
            return lacking.value is False
        table = self.table(lacking, domains)
        while isinstance(table, ir.Op):
            table = table.args[0]
        return isinstance(table, ir.Column) and not any(map(any_true, table.values))

    def rewritten(self, node: T, domains: Domains, stops: bool = False) -> T:
        """A part of a program with tables in it; `stops`: it is a loop that may end before its last item."""
        if isinstance(node, ir.Comp):
            shorter = prefix(node, stops)
            self.count += shorter is not node
            node = shorter  # type: ignore[assignment]
        if isinstance(node, ir.Op | ir.Comp | ir.Fold | ir.Cond | ir.Bind | ir.Invoke):
            table = self.table(node, domains)
            if table is not None:
                return table  # type: ignore[return-value]
        if isinstance(node, ir.Comp):
            node = self.narrowed(node, domains)  # type: ignore[assignment]
        match node:
            case ir.Comp(index, source) | ir.Fold(index=index, source=source):
                size = self.items(source)
                inner = self.rebound(domains, index if size is None else None)
                if isinstance(node, ir.Fold):
                    inner = self.rebound(inner, node.acc)
                if size is not None:
                    inner[index] = size
                before = self.rewritten(source, domains)
                rebuilt: Any = node if before is source else replace(node, source=before)
                kept = rebuilt.source
                return changed(rebuilt, lambda part: part if part is kept else self.rewritten(part, inner))  # type: ignore[no-any-return]
            case ir.Op(name) if facts(name).reduces in (Reduction.SOME, Reduction.NO_ITEM):
                return changed(node, lambda part: self.rewritten(part, domains, True))
            case ir.Bind(index):
                inside = self.rebound(domains, index)
                return changed(node, lambda part: self.rewritten(part, inside))
            case ir.Completable() | ir.Once() | str() | ir.Type():
                return node
        return changed(node, lambda part: self.rewritten(part, domains))

    def narrowed(self, loop: ir.Comp, domains: Domains) -> ir.Comp:
        """A loop through those of its items that pass what fixed data tell of them."""
        size = self.items(loop.source)
        if size is None:
            return loop
        inner = {**domains, loop.index: size}
        known = {k: below(many) for k, many in inner.items()}

        def fixed(test: ir.Expr) -> bool:
            return not any(k not in inner for k in numbers(reads(test))) and self.reads_nothing(test)

        def look_up(comp: ir.Comp) -> ir.Expr | None:
            simple = folded(comp)
            return simple if isinstance(simple, ir.Const) else self.table(comp, domains)

        return narrowed(loop, self.functions, fixed, known, look_up)

    def table(self, e: ir.Expr, domains: Domains) -> ir.Expr | None:
        """A look-up that stands for an expression; None where there is none, or where it is not worth one."""
        free = numbers(reads(e))
        if any(k not in domains for k in free) or not self.worth(e):
            return None
        state = sorted({node for node in within(e) if self.one_of(node)}, key=lambda load: load.base)
        sizes = [*(self.entities[load.base] for load in state), *(domains[k] for k in free)]
        if not 1 <= len(sizes) <= 3 or not 0 < prod(sizes) <= MOST_ROWS or not self.reads_nothing(e):
            return None
        first = max(free, default=-1) + 1 + used_in(e).bit_length()
        places: dict[ir.Expr, ir.Local] = {load: ir.Local(first + n) for n, load in enumerate(state)}
        indexed = rewrite(e, lambda node: places.get(node, node)) if state else e
        axes = [*(place.index for place in places.values()), *free]
        evaluation = Evaluation(min(MOST_LOOKS, self.left), self.functions)
        try:
            run = evaluation.compiled(indexed)
            rows: list[Any] = []
            held = 0
            for values in product(*map(range, sizes)):
                rows.append(limited(run(evaluation.frame(dict(zip(axes, values, strict=True))))))
                held += len(rows[-1]) if isinstance(rows[-1], tuple) else 1
                if held > MOST_HELD:
                    raise Unknown
        except NO_VALUE:
            self.left = min(self.left, self.left - MOST_LOOKS + evaluation.left)
            return None
        self.left -= MOST_LOOKS - evaluation.left
        self.count += 1
        for size in reversed(sizes[1:]):
            rows = [tuple(rows[at : at + size]) for at in range(0, len(rows), size)]
        indices: list[ir.Expr] = [*state, *(ir.Local(k) for k in free)]
        start, *others = indices
        look_up: ir.Expr = ir.Column(tuple(rows), start)
        for index in others:
            look_up = ir.Op(operators.PART, (look_up, index))
        return look_up

    def one_of(self, node: ir.Expr) -> TypeGuard[ir.Load]:
        """Whether this is a variable of the state that is a member of a type."""
        return isinstance(node, ir.Load) and node.index is None and node.base in self.entities

    def worth(self, e: ir.Expr) -> bool:
        """Whether working it out takes a loop."""
        return any(
            isinstance(node, ir.Comp | ir.Fold)
            or (isinstance(node, ir.Op) and (facts(node.name).heavy or facts(node.name).memo))
            or (isinstance(node, ir.Invoke) and self.loops(node.function))
            for node in within(e)
        )

    def loops(self, function: int) -> bool:
        """Whether working out a function takes a loop."""
        if function not in self.looping:
            self.looping[function] = False  # one that calls itself
            self.looping[function] = self.worth(self.functions[function].body)
        return self.looping[function]

    def reads_nothing(self, e: ir.Expr) -> bool:
        """Whether an expression, with the functions that it calls, reads nothing but locals."""
        return not any(
            (isinstance(node, DYNAMIC) and not self.one_of(node))
            or (isinstance(node, ir.Invoke) and not self.is_fixed(node.function))
            for node in within(e)
        )

    def is_fixed(self, function: int) -> bool:
        """Whether a function reads nothing but its arguments."""
        if function not in self.fixed:
            self.fixed[function] = False  # one that calls itself
            self.fixed[function] = self.reads_nothing(self.functions[function].body)
        return self.fixed[function]


def any_true(rows: Any) -> bool:
    """Whether one of some truths, in rows within rows, holds."""
    return any(map(any_true, rows)) if isinstance(rows, tuple) else bool(rows)


def highest(items: Any) -> int | None:
    """One more than the highest of some numbers from 0 on; None where they are something else."""
    if not items or any(type(item) is not int or item < 0 for item in items):
        return None
    return int(max(items)) + 1

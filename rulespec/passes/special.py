"""Functions of fixed data: a function that goes through what a constant argument names has a copy for each such constant.

    f1(L0, L1) = [L2 in lines(L0, board) if no_item([L3 in L2 if not_(contains(L1, L3))])]     # called as f1(5, S3), f1(3, S3)
    f2(L0, L1) = [L2 in ((0, 1, 2, 3, 4), ...) if ...]                                         # of f1(5, ...)

So the lines of five cells are made once and not at each call, and what tests them by fixed data alone can go into them (`tables`).
Copies stand behind all other functions, whose numbers stay; they take the same arguments.

A copy is written out where it is asked only whether it gives anything, or anything that passes a test:

    any_item([L1 in f2(5, S3) if lt(first(L1), 9)])
    any_item([L1 in ((0, 1, 2, 3, 4), ...) if (if no_item([L3 in L1 if not_(contains(S3, L3))]) then lt(first(L1), 9) else no)])

which ends at the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from rulespec import ir
from rulespec.ir.reads import numbers, reads
from rulespec.ir.walk import within
from rulespec.passes.fold import asked_items, folded, simplify
from rulespec.passes.inline import Inliner, substitute
from rulespec.passes.locals import Locals, bound_in
from rulespec.passes.rewrite import rewrite

T = TypeVar("T")
MOST_COPIES = 12  # of one function
MOST_OF_ALL = 60  # in a program
Constants = tuple[tuple[int, ir.Value], ...]  # parameters and what they are
OPEN = (ir.Load, ir.Setting, ir.Invoke, ir.After, ir.Completable)


def special(program: ir.Program) -> ir.Program:
    """The program with copies of functions for constant arguments by which a collection of fixed data is made."""
    copies = Copies(program.functions)
    if not any(copies.names):
        return program
    functions = [replace(f, body=copies.calls(f.body)) for f in program.functions]
    procedures = tuple(replace(p, code=copies.calls(p.code)) for p in program.procedures)
    sites = tuple(map(copies.calls, program.sites))
    rules = tuple(replace(rule, option=copies.calls(rule.option)) for rule in program.rules)
    if not copies.made:
        return program
    functions += copies.made
    writer = Asking(tuple(functions), len(program.functions))
    sites_now = list(sites)
    written = []
    for procedure in procedures:
        changed, asked = writer.procedure(procedure, sites_now)
        written.append(changed)
        for index, site in asked.items():
            sites_now[index] = site
    return replace(
        program,
        functions=tuple(map(writer.function, range(len(functions)))),
        procedures=tuple(written),
        sites=tuple(sites_now),
        rules=tuple(map(writer.rule, rules)),
    )


class Copies:
    """The copies of functions, each made once."""

    def __init__(self, functions: tuple[ir.Function, ...]) -> None:
        self.functions = functions
        self.made: list[ir.Function] = []
        self.numbers: dict[tuple[int, Constants], int] = {}
        self.count: Counter[int] = Counter()
        self.names = [naming(f) for f in functions]

    def calls(self, node: T) -> T:
        """A part of a program that calls copies."""

        def change(e: ir.Expr) -> ir.Expr:
            return replace(e, function=self.copy(e)) if isinstance(e, ir.Invoke) else e

        return rewrite(node, change)

    def copy(self, call: ir.Invoke) -> int:
        """The function that a call calls: a copy, where that is worth it."""
        if call.function >= len(self.functions) or not self.names[call.function]:
            return call.function
        known = {n: arg.value for n, arg in enumerate(call.args) if isinstance(arg, ir.Const)}
        constants = tuple((n, known[n]) for n in sorted(set().union(*self.names[call.function])) if n in known)
        if not any(names <= {n for n, _ in constants} for names in self.names[call.function]):
            return call.function
        key = call.function, constants
        if key not in self.numbers:
            if self.count[call.function] >= MOST_COPIES or len(self.made) >= MOST_OF_ALL:
                return call.function
            self.count[call.function] += 1
            self.numbers[key] = len(self.functions) + len(self.made)
            source = self.functions[call.function]
            self.made.append(source)
            body = folded(substitute(source.body, {n: ir.Const(value) for n, value in constants}))
            self.made[self.numbers[key] - len(self.functions)] = replace(source, body=self.calls(body))
        return self.numbers[key]


class Asking(Inliner):
    """Writes copies out where it is asked whether they give anything; the first copy has the number `first`."""

    def __init__(self, functions: tuple[ir.Function, ...], first: int) -> None:
        super().__init__(functions, simplify)
        self.first = first

    def expand(self, node: T, room: Callable[[], Locals]) -> tuple[T, tuple[ir.Type, ...]]:
        """The node rewritten, and the types of all locals if it took some of `room()`, otherwise none."""
        taken = False

        def change(e: ir.Expr) -> ir.Expr:
            nonlocal taken
            call = asked_of(e)
            if call is None or not self.filters(call):
                return self.simplify(e)
            taken = True
            return self.written(e, call, room)

        return rewrite(node, change), tuple(room().types) if taken else ()

    def filters(self, call: ir.Invoke) -> bool:
        """Whether a call is that of a copy which gives some items of a collection."""
        function = self.sources[call.function]
        body = function.body
        known = call.function >= self.first and len(call.args) == function.parameters
        return known and isinstance(body, ir.Comp) and body.value is None and body.key is None

    def written(self, e: ir.Expr, call: ir.Invoke, room: Callable[[], Locals]) -> ir.Expr:
        """An expression with what a call stands for in its place; arguments are worked out once, before it."""
        function = self.sources[call.function]
        base = room().take(function.locals, bound_in(call.args).bit_length())
        fixed = {n: arg for n, arg in enumerate(call.args) if isinstance(arg, ir.Const)}
        body = substitute(function.body, fixed, base)
        found = rewrite(rewrite(e, lambda part: body if part is call else part), self.simplify)
        for n in reversed(range(len(call.args))):
            if n not in fixed:
                found = self.simplify(ir.Bind(base + n, call.args[n], found))
        return found


def asked_of(e: ir.Expr) -> ir.Invoke | None:
    """The call of which an expression asks no more than whether it gives anything, or anything that passes a test."""
    match asked_items(e) if isinstance(e, ir.Op) else None:
        case (ir.Invoke() as call, _):
            return call
        case (ir.Comp(source=ir.Invoke() as call), _) if isinstance(e, ir.Op) and len(e.args) == 1:
            return call
    return None


def naming(function: ir.Function) -> tuple[frozenset[int], ...]:
    """By which parameters alone a function makes collections that it goes through."""
    found = {
        frozenset(numbers(reads(e.source)))
        for e in within(function.body)
        if isinstance(e, ir.Comp | ir.Fold)
        and isinstance(e.source, ir.Op)
        and not any(isinstance(part, OPEN) for part in within(e.source))
    }
    return tuple(sorted((names for names in found if names and max(names) < function.parameters), key=sorted))

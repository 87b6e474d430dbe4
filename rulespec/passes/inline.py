"""Inlining: small functions in place of their calls.

    f2(size(S7))          # with f2 = add(L0, 1): add(size(S7), 1)
    f3(size(S7))          # with f3 = mul(L0, L0): (L4 := size(S7): mul(L4, L4))

Arguments are worked out in their order, each once, before the function's expression, as in a call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any, TypeVar

from rulespec import ir
from rulespec.ir.reads import LONG, goes_through, reads
from rulespec.ir.roles import SCOPES, site_of
from rulespec.ir.walk import within
from rulespec.passes.locals import Locals, bound_in, used_by, used_in
from rulespec.passes.rewrite import Change, rewrite
from rulespec.passes.total import total

T = TypeVar("T")
SMALL = 12  # expressions that a function consists of, at most


class Inliner:
    """Rewrites the parts of a program; `simplify` is applied to every expression, the innermost first."""

    def __init__(self, functions: tuple[ir.Function, ...], simplify: Change) -> None:
        self.sources = functions
        self.simplify = simplify
        self.ready: dict[int, ir.Function | None] = {}

    def function(self, index: int) -> ir.Function:
        """A function with its expression rewritten."""
        ready = self.ready.get(index)
        if ready is None:
            self.ready[index] = None  # a function that calls itself stays as it is
            source = self.sources[index]
            body, types = self.expand(source.body, cache(lambda: Locals(source.locals, used_in(source.body))))
            ready = self.ready[index] = replace(source, body=body, locals=types or source.locals)
        return ready

    def procedure(self, procedure: ir.Procedure, sites: Sequence[ir.Site]) -> tuple[ir.Procedure, dict[int, ir.Site]]:
        """A procedure and the sites where it asks, rewritten."""
        room = cache(lambda: Locals(procedure.locals, used_by(procedure, tuple(sites))))
        code, types = self.expand(procedure.code, room)
        asked: dict[int, ir.Site] = {}
        for i in procedure.code:
            index = site_of(i)
            if index is not None:
                asked[index], more = self.expand(sites[index], room)
                types = more or types
        return replace(procedure, code=code, locals=types or procedure.locals), asked

    def rule(self, rule: ir.Rule) -> ir.Rule:
        """A rule with its option rewritten."""
        if rule.option is None:
            return rule
        option, types = self.expand(rule.option, cache(lambda: Locals(rule.locals, used_in(rule.option))))
        return replace(rule, option=option, locals=types or rule.locals)

    def expand(self, node: T, room: Callable[[], Locals]) -> tuple[T, tuple[ir.Type, ...]]:
        """The node rewritten, and the types of all locals if it took some of `room()`, otherwise none."""
        taken = False

        def change(expr: ir.Expr) -> ir.Expr:
            nonlocal taken
            if isinstance(expr, ir.Invoke):
                inlined, more = self.call(expr, room)
                taken |= more
                return inlined
            return self.simplify(expr)

        return rewrite(node, change), tuple(room().types) if taken else ()

    def call(self, call: ir.Invoke, room: Callable[[], Locals]) -> tuple[ir.Expr, bool]:
        """What stands for a call, and whether it took locals."""
        if call.function in self.ready and self.ready[call.function] is None:
            return call, False
        function = self.function(call.function)
        if isinstance(function.body, ir.Const) and all(map(total, call.args)):
            return function.body, False
        if len(call.args) != function.parameters or len(list(islice(within(function.body), SMALL + 1))) > SMALL:
            return call, False
        if goes_through(function.body) >= LONG:
            return call, False
        read = reads(function.body)
        scratch = bound_in(call.args)
        # what is worked out for one argument overwrites no other
        base = room().take(function.locals, scratch.bit_length())
        values: dict[int, ir.Expr] = {}
        bound: list[tuple[int, ir.Expr]] = []
        for n, arg in enumerate(call.args):
            if isinstance(arg, ir.Const) or (isinstance(arg, ir.Local) and not scratch >> arg.index & 1):
                values[n] = arg
            elif read >> n & 1 or not total(arg):
                bound.append((base + n, arg))
        inlined = rewrite(substitute(function.body, values, base), self.simplify)
        for index, arg in reversed(bound):
            inlined = self.simplify(ir.Bind(index, arg, inlined))
        return inlined, True


def substitute(node: T, values: Mapping[int, ir.Expr], shift: int = 0) -> T:
    """A part of a program with values in place of some locals; all others have numbers that are higher by `shift`."""

    def change(e: ir.Expr) -> ir.Expr:
        if isinstance(e, ir.Local):
            return values[e.index] if e.index in values else ir.Local(e.index + shift) if shift else e
        if shift and e.__class__ in SCOPES:
            moved: Any = {name: getattr(e, name) + shift for name in SCOPES[e.__class__].binds}
            return replace(e, **moved)
        return e

    return rewrite(node, change)

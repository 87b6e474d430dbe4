"""Loop invariants: what a loop would work out again for each item, though it is the same for all, is worked out once.

    [L1 in S5 if contains(f4(), L1)]     # (L2 := none: [L1 in S5 if contains(once(L2: f4()), L1)])

It is worked out when it is first wanted, so that a loop without items asks for nothing and meets no fault.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Any, TypeVar, cast

from rulespec import ir
from rulespec.ir.reads import binds, reads
from rulespec.ir.walk import parts, within
from rulespec.language.registry import facts
from rulespec.passes.fold import alike
from rulespec.passes.locals import used_by, used_in

T = TypeVar("T")
LOOPS = (ir.Comp, ir.Fold, ir.Completable, ir.Invoke, ir.After)
NOT_YET = ir.Const(None)


def invariants(program: ir.Program) -> ir.Program:
    """The program in which loops, and the reasons of sites, keep what does not depend on their item.

    If no item needs it, it is not computed; if it faults, it does so at its first use, as before.
    """
    functions = tuple(in_function(f) for f in program.functions)
    free: dict[int, int] = defaultdict(int)  # of each site: the first local that nobody uses where it is asked
    procedures = []
    for procedure in program.procedures:
        asked = [i.site for i in procedure.code if isinstance(i, ir.Ask) and may_share(program.sites[i.site])]
        if not asked and not may_share(procedure.code):
            procedures.append(procedure)
            continue
        size = max(procedure.locals, used_by(procedure, program.sites).bit_length())
        sharings = [Sharing(size) for _ in procedure.code]
        code = tuple(sharing.share(i) for sharing, i in zip(sharings, procedure.code, strict=True))
        top = max(sharing.free for sharing in sharings)
        procedures.append(replace(procedure, code=code, locals=top) if top > size else procedure)
        for index in asked:
            free[index] = max(free[index], size)
    sites = tuple(in_site(site, free[site.index]) if site.index in free else site for site in program.sites)
    return replace(program, functions=functions, procedures=tuple(procedures), sites=sites)


def may_share(node: object) -> bool:
    """Whether there are loops in a part of a program, or reasons that are looked at for each candidate."""
    return (isinstance(node, ir.Site) and bool(node.reasons)) or any(isinstance(e, ir.Comp) for e in within(node))


def in_function(function: ir.Function) -> ir.Function:
    """A function with its loops."""
    if not may_share(function):
        return function
    sharing = Sharing(max(function.locals, used_in(function.body).bit_length()))
    body = sharing.share(function.body)
    return function if body is function.body else replace(function, body=body, locals=sharing.free)


def in_site(site: ir.Site, free: int) -> ir.Site:
    """A site with its loops, and what its reasons have in common for all candidates; `free` locals on are nobody's."""
    sharing = Sharing(free)
    site = sharing.share(site)
    tests, bindings = sharing.lifted(tuple(reason.test for reason in site.reasons), 1 << site.item)
    if not bindings:
        return site
    reasons = tuple(replace(reason, test=test) for reason, test in zip(site.reasons, tests, strict=True))
    return replace(site, reasons=reasons)


class Sharing:
    """Rewrites expressions; locals from `free` on are unused."""

    def __init__(self, free: int) -> None:
        self.free = free

    def share(self, node: T) -> T:
        """A part of a program with what its loops have in common for all items; outer loops come first."""
        if isinstance(node, ir.Comp) and not (isinstance(node.source, ir.Const) and len(node.source.value) < 2):
            bodies, bindings = self.lifted((node.where, node.value, node.key), 1 << node.index)
            if bindings:
                inner: ir.Expr = self.inside(replace(node, where=bodies[0], value=bodies[1], key=bodies[2]))
                for index in bindings:
                    inner = ir.Bind(index, NOT_YET, inner)
                return inner  # type: ignore[return-value]
        return self.inside(node)

    def inside(self, node: T) -> T:
        """A part of a program with the parts of it rewritten."""
        return changed(node, self.share)

    def lifted(self, bodies: tuple[Any, ...], bound: int) -> tuple[tuple[Any, ...], list[int]]:
        """Expressions that are evaluated for each item, with their invariant parts in locals, and the bindings of those locals.

        `bound` are the locals (bits) that differ from item to item.
        """
        bindings: list[tuple[int, ir.Expr]] = []

        def walk(e: Any, bound: int) -> Any:
            if e is None or isinstance(e, ir.Const | ir.Local | ir.Once | str | ir.Printer):
                return e
            if not reads(e) & bound and costs(e):
                for index, old in bindings:
                    if alike(old, e):
                        return ir.Once(index, old)
                bindings.append((self.free, e))
                self.free += 1
                return ir.Once(self.free - 1, e)
            if isinstance(e, ir.After):  # its value is that of another position, which differs from item to item
                args = changed(e.args, lambda part: walk(part, bound))
                return e if args is e.args else replace(e, args=args)
            inner = bound | binds(e)
            return changed(e, lambda part: walk(part, inner))

        return tuple(walk(body, bound) for body in bodies), [index for index, _ in bindings]


def costs(e: ir.Expr) -> bool:
    """Whether an expression costs more to evaluate than to look up a kept result."""
    if isinstance(e, ir.Bind) and e.value == NOT_YET:
        return True
    return any(isinstance(part, LOOPS) or (isinstance(part, ir.Op) and facts(part.name).heavy) for part in within(e))


def changed(node: T, change: Any) -> T:
    """A part of a program with its expressions, and parts that hold some, changed."""
    if isinstance(node, tuple):
        items = tuple(change(item) for item in node)
        return items if any(a is not b for a, b in zip(items, node, strict=True)) else node  # type: ignore[return-value]
    changes = {}
    for name in parts(cast(type, node.__class__)):
        value = getattr(node, name)
        if value is not None:
            new = changed(value, change) if isinstance(value, tuple) else change(value)
            if new is not value:
                changes[name] = new
    return replace(node, **changes) if changes else node  # type: ignore[type-var]

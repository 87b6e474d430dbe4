"""Loop invariants: what a loop would work out again for each item, though it is the same for all, is worked out once.

    [L1 in S5 if contains(f4(), L1)]     # (L2 := none: [L1 in S5 if contains(once(L2: f4()), L1)])
    some([L1 in S5 if eq(f4(), L1)])     # (L2 := none: some([L1 in S5 if eq(once(L2: f4()), L1)])), which ends at the first
    add(f4(L0), mul(f4(L0), L0))         # in a function: (L2 := none: add(once(L2: f4(L0)), mul(once(L2: f4(L0)), L0)))

It is worked out when it is first wanted, so that a loop without items asks for nothing and meets no fault.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar, cast

from rulespec import ir
from rulespec.ir.reads import reads
from rulespec.ir.roles import binds
from rulespec.ir.types import ANY
from rulespec.ir.walk import parts, within
from rulespec.language.registry import facts
from rulespec.passes.fold import alike
from rulespec.passes.locals import Locals, bound_in, used_by, used_in

T = TypeVar("T")
LOOPS = (ir.Comp, ir.Fold, ir.Completable, ir.Invoke, ir.After)
NOT_YET = ir.Const(None)


def invariants(program: ir.Program) -> ir.Program:
    """The program in which loops, and the reasons of sites, keep what does not depend on their item.

    If no item needs it, it is not computed; if it faults, it does so at its first use, as before.
    """
    functions = tuple(in_function(f) for f in program.functions)
    rooms: dict[int, Locals] = {}  # of each site: the locals where it is asked
    enlarged: dict[int, Locals] = {}  # of each procedure
    procedures = []
    for number, procedure in enumerate(program.procedures):
        asked = [i.site for i in procedure.code if isinstance(i, ir.Ask) and may_share(program.sites[i.site])]
        if not asked and not may_share(procedure.code):
            procedures.append(procedure)
            continue
        room = enlarged[number] = Locals(procedure.locals, used_by(procedure, program.sites))
        code = tuple(Sharing(room).share(i) for i in procedure.code)
        procedures.append(replace(procedure, code=code))
        rooms.update(dict.fromkeys(asked, room))
    sites = tuple(in_site(site, rooms[site.index]) if site.index in rooms else site for site in program.sites)
    for number, room in enlarged.items():
        procedures[number] = replace(procedures[number], locals=tuple(room.types))
    return replace(program, functions=functions, procedures=tuple(procedures), sites=sites)


def may_share(node: object) -> bool:
    """Whether there are loops in a part of a program, or reasons that are looked at for each candidate."""
    return (isinstance(node, ir.Site) and bool(node.reasons)) or any(isinstance(e, ir.Comp) for e in within(node))


def in_function(function: ir.Function) -> ir.Function:
    """A function with its loops, and with what it would work out more than once."""
    again = repeated(function.body)
    if not again and not may_share(function):
        return function
    room = Locals(function.locals, used_in(function.body))
    sharing = Sharing(room)
    body = sharing.share(sharing.kept(function.body, again) if again else function.body)
    return function if body is function.body else replace(function, body=body, locals=tuple(room.types))


def in_site(site: ir.Site, room: Locals) -> ir.Site:
    """A site with its loops, and what its reasons have in common for all candidates; `room` is where it is asked."""
    sharing = Sharing(room)
    site = sharing.share(site)
    tests, bindings = sharing.lifted(tuple(reason.test for reason in site.reasons), 1 << site.item)
    if not bindings:
        return site
    reasons = tuple(replace(reason, test=test) for reason, test in zip(site.reasons, tests, strict=True))
    return replace(site, reasons=reasons)


class Sharing:
    """Rewrites the expressions of one instruction, site or function, with locals from `room` that no other of them shares."""

    def __init__(self, room: Locals) -> None:
        self.room = room
        self.taken = 0  # the first local behind those taken here

    def share(self, node: T) -> T:
        """A part of a program with what its loops have in common for all items; outer loops come first."""
        if isinstance(node, ir.Comp) and not (isinstance(node.source, ir.Const) and len(node.source.value) < 2):
            bodies, bindings = self.lifted((node.where, node.value, node.key), 1 << node.index)
            if bindings:
                inner: ir.Expr = self.inside(replace(node, where=bodies[0], value=bodies[1], key=bodies[2]))
                for index in bindings:
                    inner = ir.Bind(index, NOT_YET, inner)
                return inner  # type: ignore[return-value]
        shared = self.inside(node)
        return outside(shared) if isinstance(shared, ir.Op) else shared  # type: ignore[return-value]

    def kept(self, body: ir.Expr, again: list[ir.Expr]) -> ir.Expr:
        """An expression that works each of these out once, when it is first wanted."""
        places: list[tuple[ir.Expr, ir.Once]] = []
        for e in again:
            index = self.room.take((ANY,), self.taken)
            self.taken = index + 1
            places.append((e, ir.Once(index, e)))

        def walk(e: Any) -> Any:
            if isinstance(e, ir.Invoke | ir.Op | ir.Fold):
                for old, once in places:
                    if alike(old, e):
                        return once
            return e if isinstance(e, ir.After | str | ir.Type) else changed(e, walk)

        body = walk(body)
        for _, once in places:
            body = ir.Bind(once.index, NOT_YET, body)
        return body

    def inside(self, node: T) -> T:
        """A part of a program with the parts of it rewritten."""
        return changed(node, self.share)

    def lifted(self, bodies: tuple[Any, ...], bound: int) -> tuple[tuple[Any, ...], list[int]]:
        """Expressions that are evaluated for each item, with their invariant parts in locals, and the bindings of those locals.

        `bound` are the locals (bits) that differ from item to item.
        """
        bindings: list[tuple[int, ir.Expr]] = []

        def walk(e: Any, bound: int) -> Any:
            if e is None or isinstance(e, ir.Const | ir.Local | ir.Once | str | ir.Type):
                return e
            if not reads(e) & bound and costs(e):
                for index, old in bindings:
                    if alike(old, e):
                        return ir.Once(index, old)
                index = self.room.take((ANY,), self.taken)
                self.taken = index + 1
                bindings.append((index, e))
                return ir.Once(index, e)
            if isinstance(e, ir.After):  # its value is that of another position, which differs from item to item
                args = changed(e.args, lambda part: walk(part, bound))
                return e if args is e.args else replace(e, args=args)
            inner = bound | binds(e)
            return changed(e, lambda part: walk(part, inner))

        return tuple(walk(body, bound) for body in bodies), [index for index, _ in bindings]


def outside(e: ir.Op) -> ir.Op | ir.Bind:
    """A function of a loop with what the loop keeps bound around both: a function that knows the loop may end it early."""
    first, *rest = e.args
    kept = []
    while isinstance(first, ir.Bind) and first.value == NOT_YET:
        kept.append(first.index)
        first = first.body
    if not kept or not isinstance(first, ir.Comp):
        return e
    whole: ir.Op | ir.Bind = replace(e, args=(first, *rest))
    for index in reversed(kept):
        whole = ir.Bind(index, NOT_YET, whole)
    return whole


def repeated(body: ir.Expr) -> list[ir.Expr]:
    """What takes calls or loops and stands more than once in an expression, of nothing that it binds; none within another."""
    bound = bound_in(body)
    seen: list[ir.Expr] = []
    again: list[ir.Expr] = []

    def walk(e: Any) -> Any:
        if isinstance(e, ir.Invoke | ir.Op | ir.Fold) and not reads(e) & bound and costs(e):
            if any(alike(e, old) for old in seen):
                if not any(alike(e, old) for old in again):
                    again.append(e)
                return e
            seen.append(e)
        return e if isinstance(e, ir.After | ir.Const | ir.Local | ir.Once | str | ir.Type) else changed(e, walk)

    walk(body)
    return again


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

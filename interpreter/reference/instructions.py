"""Instructions that never wait, as Python closures `f(slots, locals) -> position of the next one`.

Those that wait, call or leave are the machine's own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from interpreter.reference.expressions import Compiler, Fn
from interpreter.reference.templates import Template
from interpreter.runtime import effects
from interpreter.runtime.faults import Problem
from interpreter.runtime.texts import Printing
from interpreter.runtime.values import Locals, Slots
from interpreter.runtime.windows import Windows
from rulespec import ir
from rulespec.ir.program import indices_of
from rulespec.text.quoting import ticked

Step = Callable[[Slots, Locals], int]
# The instructions that always have a step; the others wait, call, leave or write the log, and are the machine's own.
Steps = (
    ir.Let | ir.Store | ir.Jump | ir.Unless | ir.Next | ir.Move | ir.MoveCounts | ir.Learn | ir.Claim | ir.Collect | ir.Enter
    | ir.Leave | ir.Begin | ir.Cease | ir.Reset
)  # fmt: skip


def make_step(i: ir.Instruction, pc: int, compiler: Compiler, printing: Printing, windows: Windows) -> Step | None:
    """The closure of the instruction at position `pc`; None if it is the machine's own."""
    after = pc + 1
    program = printing.program
    match i:
        case ir.Let(index, value):
            return let(compiler.local(index), compiler.expr(value), after)
        case ir.Store():
            return store(i, compiler.optional(i.index), compiler.expr(i.value), program, after)
        case ir.Jump(target):
            return lambda _S, _L: target
        case ir.Unless(test, target):
            return unless(compiler.expr(test), after, target)
        case ir.Next(index, target):
            compiler.local(index + 2)
            return loop(index, after, target)
        case ir.Move():
            zone = program.zones[i.zone]
            at = compiler.optional(i.index)
            return move(compiler.expr(i.pieces), program.kinds[zone.kind], zone, at, i.bottom, after)
        case ir.MoveCounts():
            source = None if i.source is None else program.zones[i.source]
            target_zone = None if i.zone is None else program.zones[i.zone]
            return move_counts(
                compiler.expr(i.bag),
                source,
                compiler.optional(i.source_index),
                target_zone,
                compiler.optional(i.index),
                after,
            )
        case ir.Learn(pieces, kind, seats, forget):
            location = program.kinds[kind].location
            if location is None:
                raise ValueError(f"{program.kinds[kind].name} lies nowhere")
            who = ir.Const(effects.everybody(program)) if seats is None else seats
            return learn(compiler.expr(pieces), location, compiler.expr(who), forget, after)
        case ir.Claim(test, why):
            return claim(compiler.expr(test), i.code, Template(why, compiler, printing), after)
        case ir.Collect(rules, args, order, live):
            return collect(windows, rules, compiler.exprs(args), compiler.optional(order), compiler.local(live), after)
        case ir.NextRule(live, _, target, None):
            compiler.local(live + 1)
            return next_rule(live, after, target)
        case ir.Enter(low, high, values, live):
            return enter(low, high, values, compiler.local(live), effects.places_within(program, low, high), after)
        case ir.Leave(low, live):
            return leave(low, compiler.local(live), effects.places_within(program, low, None), after)
        case ir.Begin(lasting, args, end, _, depth):
            return begin(lasting, compiler.exprs(args), end, depth, after)
        case ir.Cease():
            fns = None if i.args is None else compiler.exprs(i.args)
            return cease(i.lasting, i.end, i.depth, fns, compiler.local(i.live), after)
        case ir.Reset(low, high):
            return reset(low, high, after)
        case ir.Call() | ir.CallRule() | ir.NextRule() | ir.Return() | ir.Ask() | ir.Draw() | ir.Fork():
            return None
        case ir.Say() | ir.Unwind() | ir.Resume() | ir.Finish():
            return None
        case _:
            assert_never(i)


def let(index: int, value: Fn, after: int) -> Step:
    """`Let`."""

    def run(S: Slots, L: Locals) -> int:
        L[index] = value(S, L)
        return after

    return run


def store(i: ir.Store, index: Fn | None, value: Fn, program: ir.Program, after: int) -> Step:
    """`Store`, with its bounds."""
    base, size, low, high, stops, name = i.base, i.size, i.low, i.high, i.stops, i.name

    def run(S: Slots, L: Locals) -> int:
        v = value(S, L)
        at = base
        if index is not None:
            k = index(S, L)
            if not 0 <= k < size:
                raise Problem("R003", f"{name} has no place {k} among {size}")
            at += k
        if low is not None and v is not None and v < low:
            if not stops:
                raise Problem("R004", f"{whose(i, at, program)} would become {v}; it may be at least {low}")
            v = low
        if high is not None and v is not None and v > high:
            if not stops:
                raise Problem("R004", f"{whose(i, at, program)} would become {v}; it may be at most {high}")
            v = high
        S[at] = v
        return after

    def plain(S: Slots, L: Locals) -> int:
        S[base] = value(S, L)
        return after

    return plain if index is None and low is None and high is None else run


def whose(i: ir.Store, at: int, program: ir.Program) -> str:
    """A slot as an author writes it: `round`, `p2.coins`, `stock(p1, red)`."""
    kinds = next((v.per for v in program.variables if v.base == i.base and v.size == i.size), ())
    names = [program.kinds[kind].members for kind in kinds]
    members = [some[n] for some, n in zip(names, indices_of([len(some) for some in names], at - i.base), strict=True)]
    if len(members) == 1:
        return ticked(f"{members[0]}.{i.name}")
    return ticked(f"{i.name}({', '.join(members)})" if members else i.name)


def unless(test: Fn, after: int, target: int) -> Step:
    """`Unless`."""
    return lambda S, L: after if test(S, L) else target


def loop(index: int, after: int, target: int) -> Step:
    """`Next`."""
    done, item = index + 1, index + 2

    def run(_S: Slots, L: Locals) -> int:
        n = L[done]
        items = L[index]
        if n >= len(items):
            return target
        L[item] = items[n]
        L[done] = n + 1
        return after

    return run


def place(zone: ir.Zone, index: Fn | None) -> Callable[[Slots, Locals], int]:
    """The slot of a zone."""
    base, size, name = zone.base, zone.size, zone.name

    def run(S: Slots, L: Locals) -> int:
        if index is None:
            return base
        k: int = index(S, L)
        if not 0 <= k < size:
            raise Problem("R003", f"{name} has no place {k} among {size}")
        return base + k

    return run


def move(pieces: Fn, kind: ir.Kind, zone: ir.Zone, index: Fn | None, bottom: bool, after: int) -> Step:
    """`Move`."""
    if kind.location is None:
        raise ValueError(f"{kind.name} lies nowhere, so it cannot be moved")
    location, size, pile = kind.location, len(kind.members), zone.order == "pile"
    slot = place(zone, index)

    def run(S: Slots, L: Locals) -> int:
        effects.move(S, pieces(S, L), location, size, slot(S, L), pile, bottom)
        return after

    return run


def move_counts(
    bag: Fn,
    source: ir.Zone | None,
    source_index: Fn | None,
    zone: ir.Zone | None,
    index: Fn | None,
    after: int,
) -> Step:
    """`MoveCounts`."""
    start = None if source is None else place(source, source_index)
    end = None if zone is None else place(zone, index)

    name = source.name if source else ""

    def run(S: Slots, L: Locals) -> int:
        counts = bag(S, L)
        take = None if start is None else start(S, L)
        effects.move_counts(S, counts, take, None if end is None else end(S, L), name)
        return after

    return run


def learn(pieces: Fn, location: int, seats: Fn, forget: bool, after: int) -> Step:
    """`Learn`."""

    def run(S: Slots, L: Locals) -> int:
        known = pieces(S, L)
        effects.learn(S, known, location, () if forget else seats(S, L), forget)
        return after

    return run


def claim(test: Fn, code: str, why: Template, after: int) -> Step:
    """`Claim`."""

    def run(S: Slots, L: Locals) -> int:
        if not test(S, L):
            raise Problem(code, why.render(S, L, None))
        return after

    return run


def collect(
    windows: Windows, rules: tuple[int, ...], args: tuple[Fn, ...], order: Fn | None, live: int, after: int
) -> Step:
    """`Collect`."""

    def run(S: Slots, L: Locals) -> int:
        values = tuple(a(S, L) for a in args)
        L[live] = windows.collect(S, rules, values, None if order is None else order(S, L))
        return after

    return run


def next_rule(live: int, after: int, target: int) -> Step:
    """`NextRule` where nobody arranges."""

    def run(_S: Slots, L: Locals) -> int:
        queue = L[live]
        if not queue:
            return target
        L[live + 1] = queue[0]
        L[live] = queue[1:]
        return after

    return run


def enter(low: int, high: int, values: tuple[Any, ...], live: int, places: effects.Places, after: int) -> Step:
    """`Enter`."""

    def run(S: Slots, L: Locals) -> int:
        L[live] = effects.enter(S, low, high, values, places)
        return after

    if len(values) != high - low:
        raise ValueError("a scope has as many values as slots")
    return run


def leave(low: int, live: int, places: effects.Places, after: int) -> Step:
    """`Leave`."""

    def run(S: Slots, L: Locals) -> int:
        effects.leave(S, low, L[live], places)
        return after

    return run


def begin(lasting: int, args: tuple[Fn, ...], end: int | None, depth: int | None, after: int) -> Step:
    """`Begin`."""

    def run(S: Slots, L: Locals) -> int:
        effects.begin(S, lasting, tuple(a(S, L) for a in args), end, depth)
        return after

    return run


def cease(
    lasting: int | None, end: int | None, depth: int | None, args: tuple[Fn, ...] | None, live: int, after: int
) -> Step:
    """`Cease`."""

    def run(S: Slots, L: Locals) -> int:
        wanted = None if args is None else tuple(a(S, L) for a in args)
        L[live] = effects.cease(S, lasting, end, depth, wanted)
        return after

    return run


def reset(low: int, high: int, after: int) -> Step:
    """`Reset`."""
    zeros = (0,) * (high - low)

    def run(S: Slots, _L: Locals) -> int:
        S[low:high] = zeros
        return after

    return run

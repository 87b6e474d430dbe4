"""Ranges: the bounds of numbers that instructions put into locals, as far as the code of one procedure tells them.

    3  L2 := ask 0               # of interval(1, 6): L2 is int 1..6
    4  L3 := add(L2, 1)          # L3 is int 2..7

A local's bounds hold wherever it is set; those of parameters and results are not told.  Bounds that still grow after a few
rounds are given up (widening).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rulespec import ir
from rulespec.analysis.domain import ANY, NATURAL, Fact, join_two, meet, widened
from rulespec.analysis.evaluate import Declared
from rulespec.analysis.transfer import LONGEST
from rulespec.ir import types
from rulespec.ir.reads import numbers, reads
from rulespec.ir.roles import set_by, site_of
from rulespec.ir.types import Type
from rulespec.passes.locals import bound_in

ROUNDS = 3  # before bounds that grow are given up
MOST = 1 << 62
Definition = tuple[int, ir.Expr | None, Fact | None]  # a local, the expression or else the fact of what is put there


def ranges(program: ir.Program) -> ir.Program:
    """The program with narrower types of numbers in the locals of procedures."""
    evaluator = Declared(program)
    procedures = tuple(in_procedure(p, program.sites, evaluator) for p in program.procedures)
    return replace(program, procedures=procedures)


def has_number(t: Type) -> bool:
    """Whether a type is of numbers, or of collections of them or of what may be one, whose bounds may be narrower."""
    return t == types.INT or (t.what in ("option", "set", "list") and has_number(t.parts[0]))


def in_procedure(procedure: ir.Procedure, sites: tuple[ir.Site, ...], evaluator: Declared) -> ir.Procedure:
    """A procedure with narrower types of its locals."""
    fixed = {*range(procedure.parameters), *(region.index for region in procedure.regions)}
    wanted = {k for k, t in enumerate(procedure.locals) if has_number(t)} - fixed
    if wanted:
        wanted -= set(numbers(bound(procedure, sites)))
    declared = evaluator.locals(procedure.locals)
    todo = [d for d in definitions(procedure, sites, declared) if d[0] in wanted]
    if not todo:
        return procedure
    known = declared.copy()
    bottom = wanted.copy()  # nothing that is put there has been looked at yet
    unread = 0
    for k in bottom:
        unread |= 1 << k
    changed, rounds = True, 0
    while changed:
        changed, rounds = False, rounds + 1
        for k, e, fact in todo:
            if e is not None and reads(e) & unread:
                continue
            new = evaluator.fact(e, known) if e is not None else of_loop(fact, k, known, bottom)
            if new is None:
                continue
            new = meet(declared[k], new)
            if k not in bottom:
                new = widened(known[k], new) if rounds > ROUNDS else join_two(known[k], new)
                if new == known[k]:
                    continue
            bottom.discard(k)
            unread &= ~(1 << k)
            known[k], changed = new, True
    locals_ = tuple(narrowed(t, known[k]) if k in wanted - bottom else t for k, t in enumerate(procedure.locals))
    return procedure if locals_ == procedure.locals else replace(procedure, locals=locals_)


def narrowed(t: Type, fact: Fact) -> Type:
    """A type with the bounds that are known of its numbers: none beyond 62 bits, and none that only say how long a collection may be."""
    if t == types.INT and fact.what == "int":
        low, high = fact.low, fact.high
        return types.number(
            None if low is None or low < -MOST else low, None if high is None or high >= LONGEST else high
        )
    if t.what == "option" and fact.some:
        return replace(t, parts=(narrowed(t.parts[0], fact),))
    if t.what in ("set", "list") and fact.what == "items" and fact.item is not None:
        return replace(t, parts=(narrowed(t.parts[0], fact.item),))
    return t


def bound(procedure: ir.Procedure, sites: tuple[ir.Site, ...]) -> int:
    """The locals (bits) that expressions bind in a procedure, and in what is asked in it: instructions may set them too."""
    mask = bound_in(procedure.code)
    for i in procedure.code:
        asked = site_of(i)
        if asked is not None:
            mask |= bound_in(sites[asked])
    return mask


def definitions(procedure: ir.Procedure, sites: tuple[ir.Site, ...], declared: Mapping[int, Fact]) -> list[Definition]:
    """What instructions put into locals: an expression, or a fact, if only that which is declared.

    It is neither for the item of the loop whose items are two locals before.
    """
    out: list[Definition] = []
    for i in procedure.code:
        match i:
            case ir.Let(index, value):
                out.append((index, value, None))
            case ir.Next(index):
                out += [(index + 1, None, NATURAL), (index + 2, None, None)]
            case ir.Ask(site, live):
                out += [(live, answered(sites[site]), None), (sites[site].item, one_of(sites[site]), None)]
            case ir.Draw(items, _, live):
                out.append((live, ir.Op("first", (items,)), None))
            case ir.NextRule(live):
                out += [(k, None, declared[k]) for k in (live, live + 1)]
                if i.arrange is not None:
                    out.append((sites[i.arrange].item, None, NATURAL))
            case _:
                out += [(k, None, declared[k]) for k in numbers(set_by(i))]
    return out


def one_of(site: ir.Site) -> ir.Expr:
    """One of a site's candidates."""
    return ir.Op("first", (site.items,))


def answered(site: ir.Site) -> ir.Expr:
    """One of a site's candidates, or none where that may be answered."""
    return one_of(site) if site.none is None else ir.Cond(ir.Const(True), one_of(site), ir.Const(None))


def of_loop(fact: Fact | None, k: int, known: Mapping[int, Fact], bottom: set[int]) -> Fact | None:
    """The fact that is given, or else that of an item of the loop's items; None while nothing is known of these."""
    if fact is not None:
        return fact
    return None if k - 2 in bottom else known[k - 2].item or ANY

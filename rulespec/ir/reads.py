"""Which locals expressions and instructions read, as bit masks: bit k stands for local k."""

from __future__ import annotations

from collections.abc import Container, Iterable
from functools import cache
from typing import Any

from rulespec import ir
from rulespec.ir.roles import NOTHING_BOUND, ROLES, SCOPES, binds, site_of
from rulespec.ir.walk import held, parts, within
from rulespec.language import operators

LONG = 16  # constant items of a loop: a function that goes through so many is called, and its result may be kept


def numbers(mask: int) -> list[int]:
    """The locals of a mask, ascending."""
    return [k for k in range(mask.bit_length()) if mask >> k & 1]


def reads(e: ir.Expr | None) -> int:
    """The locals that an expression reads and does not bind itself."""
    cls: type = (
        e.__class__
    )  # tested in the order of how often they are met: this is asked for every expression many times
    if e is None or cls is ir.Const:
        return 0
    if isinstance(e, ir.Local):
        return 1 << e.index
    if isinstance(e, ir.Op | ir.Invoke):
        mask = 0
        for arg in e.args:
            if arg.__class__ is not ir.Const:
                mask |= reads(arg)
        return mask
    outside, inside = read_fields(cls)
    mask = 0
    for name in inside:
        mask |= read_in(getattr(e, name))
    if mask:
        mask &= ~binds(e)
    for name in outside:
        mask |= read_in(getattr(e, name))
    return mask


@cache
def read_fields(cls: type) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fields with expressions in which a class of expressions does not bind its locals, and those in which it does."""
    inside = SCOPES.get(cls, NOTHING_BOUND).inside
    return tuple(name for name in parts(cls) if name not in inside), inside


def until(e: ir.Fold) -> ir.Cond | None:
    """The body of a fold that ends when its test holds: no item changes the accumulator any more."""
    body = e.body
    if isinstance(body, ir.Cond) and body.then == ir.Local(e.acc) and not reads(body.test) >> e.index & 1:
        return body
    return None


def appended(e: ir.Fold) -> ir.Expr | None:
    """What a fold puts behind its list for each item, which does not look at that; None where it does something else."""
    match e.body:
        case ir.Op(operators.CONCAT, (ir.Local(kept), more)) if kept == e.acc and not reads(more) >> kept & 1:
            return more
    return None


def read_by_all(items: Iterable[ir.Expr]) -> int:
    """What several expressions read."""
    mask = 0
    for e in items:
        mask |= reads(e)
    return mask


def read_by_text(text: ir.Text | None) -> int:
    """What the expressions in a text read."""
    return 0 if text is None else read_by_all(part[0] for part in text.parts if not isinstance(part, str))


def read_by_reasons(reasons: Iterable[ir.Reason]) -> int:
    """What conditions and their texts read."""
    mask = 0
    for reason in reasons:
        mask |= reads(reason.test) | read_by_text(reason.why)
    return mask


def read_by_tray(tray: ir.Tray | None) -> int:
    """What tells how much of a choice is made."""
    if tray is None:
        return 0
    return reads(tray.chosen) | reads(tray.low) | reads(tray.high) | reads(tray.kind)


def read_by_site(site: ir.Site) -> int:
    """What is read of the frame while somebody is asked: by whom, which candidates, why not, and every text."""
    mask = reads(site.player) | reads(site.items) | read_by_text(site.prompt) | read_by_all(site.arguments)
    mask |= read_by_tray(site.tray)
    if site.none is not None:
        mask |= read_by_text(site.none.text) | read_by_reasons(site.none.reasons)
    each = read_by_reasons(site.reasons) | read_by_text(site.shown)
    for branch in site.branches:
        each |= read_by_text(branch.text) | read_by_reasons(branch.reasons)
    return mask | each & ~(1 << site.item)


def read_in(node: Any) -> int:
    """What the expressions in a field of an instruction read."""
    if isinstance(node, ir.Text):
        return read_by_text(node)
    return read_by_all(node) if isinstance(node, tuple) else reads(node)


def read_while_waiting(i: ir.Instruction, sites: tuple[ir.Site, ...]) -> int:
    """The locals that the frame of a waiting instruction is read for before it goes on."""
    roles = ROLES[i.__class__]
    if not roles.waiting and roles.site is None:
        return 0
    mask = taken(i, roles.waiting)
    for part in held(i, roles.waiting):
        mask |= read_in(part)
    site = site_of(i)
    return mask if site is None else mask | read_by_site(sites[site])


def read_by(i: ir.Instruction, sites: tuple[ir.Site, ...]) -> int:
    """The locals that an instruction reads, those that it reads while it waits included."""
    mask = taken(i)
    for part in held(i):
        mask |= read_in(part)
    site = site_of(i)
    return mask if site is None else mask | read_by_site(sites[site])


def taken(i: ir.Instruction, fields: Container[str] | None = None) -> int:
    """The locals that an instruction reads besides those in its expressions: of some fields, or of all."""
    mask = 0
    for name, far in ROLES[i.__class__].takes:
        if fields is None or name in fields:
            mask |= 1 << getattr(i, name) + far
    return mask


def goes_through(e: ir.Expr) -> int:
    """How many constant items the longest loop of an expression goes through; 0 without such a loop."""
    sources = (node.source for node in within(e) if isinstance(node, ir.Comp | ir.Fold))
    return max((len(source.value) for source in sources if isinstance(source, ir.Const)), default=0)

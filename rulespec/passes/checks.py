"""Redundant checks: a test of bounds that surely holds is left out, as far as the types of locals and slots tell.

    in_range(L2, 0, 9)        # with L2 of int 1..6: L2
    [0, 1, 2][L0]             # with L0 of int 0..2: L0

Valid as long as all arguments are held to the bounds of their parameters, which the checker sees to.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from rulespec import ir
from rulespec.analysis.domain import ANY
from rulespec.analysis.evaluate import Declared
from rulespec.ir.roles import site_of
from rulespec.ir.types import Type
from rulespec.ir.walk import within
from rulespec.language.facts import CForm
from rulespec.language.registry import facts
from rulespec.passes.ranges import ranges
from rulespec.passes.rewrite import rewrite

T = TypeVar("T")


def checks(program: ir.Program) -> ir.Program:
    """The program without tests of bounds that surely hold."""
    evaluator = Declared(program)
    functions = tuple(replace(f, body=without(f.body, f.locals, evaluator)) for f in program.functions)
    sites = list(program.sites)
    procedures = []
    for procedure, locals_ in zip(program.procedures, (p.locals for p in ranges(program).procedures), strict=True):
        procedures.append(replace(procedure, code=without(procedure.code, locals_, evaluator)))
        for number in {n for i in procedure.code if (n := site_of(i)) is not None}:
            sites[number] = without(sites[number], locals_, evaluator)
    rules = tuple(
        r if r.option is None else replace(r, option=without(r.option, r.locals, evaluator)) for r in program.rules
    )
    return replace(program, functions=functions, procedures=tuple(procedures), sites=tuple(sites), rules=rules)


def without(node: T, locals_: tuple[Type, ...], evaluator: Declared) -> T:
    """A part of a program, whose locals have these types, without the tests of bounds that surely hold in it."""
    if not any(checked(e) for e in within(node)):
        return node
    known = evaluator.locals(locals_)

    def change(e: ir.Expr) -> ir.Expr:
        value = checked(e)
        if value is None:
            return e
        low, high = bounds_of(e)
        fact = evaluator.fact(value, known)
        if isinstance(e, ir.Op):
            fact = (fact.item or ANY) if fact.what == "items" else replace(fact, none=False)
        return value if fact.within(low, high) else e

    return rewrite(node, change)


def checked(e: ir.Expr) -> ir.Expr | None:
    """What is tested by an expression that gives it unchanged; None of any other expression."""
    match e:
        case ir.Op(name, (value, *_)) if facts(name).c.form in (CForm.BOUNDING, CForm.HOLDING):
            return value
        case ir.Column(values, index) if values == tuple(range(len(values))):
            return index
    return None


def bounds_of(e: ir.Expr) -> tuple[int, int]:
    """The bounds between which a test demands a number to be."""
    match e:
        case ir.Op(_, (_, ir.Const(low), ir.Const(high), *_)):
            return low, high
        case ir.Column(values, _):
            return 0, len(values) - 1
    raise ValueError(e)

"""Variables that are not given yet: nothing lies in them, and not the first member of their type.

state: {trump: Suit}         # nothing until the first `set: trump`

A variable of a type of members that has no `starts` holds the first of them.  Where the rules read it only behind a step that gives
it, in every game, that member means nothing: the variable is `open`, and holds None until it is given.  What reads it takes None for
the first member, so that every game goes on as before; only who is shown the variable learns that there is nothing yet.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from rulespec import ir
from rulespec.ir import types
from rulespec.language import operators
from rulespec.passes.assignment import Assignment
from rulespec.passes.rewrite import rewrite

T = TypeVar("T")


def ungiven(program: ir.Program) -> frozenset[int]:
    """The variables that are always given before they are read, and not from the beginning."""
    stored = {i.base for p in program.procedures for i in p.code if isinstance(i, ir.Store)}
    candidates = [
        v
        for v in program.variables
        if not v.begins and v.type.what == "entity" and not stored.isdisjoint(range(v.base, v.base + v.size))
    ]
    early = Assignment(program, candidates).early() if candidates else 0
    return frozenset(v.index for v in candidates if not early >> v.base & (1 << v.size) - 1)


def held_open(program: ir.Program, variables: frozenset[int]) -> ir.Program:
    """The program in which some variables hold nothing until they are given; after other passes, which know reads of a slot best."""
    if not variables:
        return program
    declared = tuple(
        replace(v, type=types.option(v.type), open=True) if v.index in variables else v for v in program.variables
    )
    slots = {slot for v in declared if v.open for slot in range(v.base, v.base + v.size)}
    program = reading(program, declared)
    return replace(
        program,
        variables=declared,
        initial=tuple(None if slot in slots else value for slot, value in enumerate(program.initial)),
        procedures=tuple(entering(p, slots) for p in program.procedures),
    )


def reading(node: T, variables: Iterable[ir.Variable]) -> T:
    """Some part of a program with what it reads of open variables: the first member where there is nothing."""
    slots = {slot: v for v in variables if v.open for slot in range(v.base, v.base + v.size)}

    def read(e: ir.Expr) -> ir.Expr:
        if not isinstance(e, ir.Load) or e.base not in slots:
            return e
        return ir.Cond(ir.Op(operators.IS_NONE, (e,)), ir.Const(0), ir.Known(e, slots[e.base].name))

    return rewrite(node, read) if slots else node


def entering(procedure: ir.Procedure, slots: Iterable[int]) -> ir.Procedure:
    """A procedure whose scopes begin with nothing in open variables."""

    def begin(i: ir.Instruction) -> ir.Instruction:
        if not isinstance(i, ir.Enter):
            return i
        return replace(i, values=tuple(None if i.low + n in slots else value for n, value in enumerate(i.values)))

    return replace(procedure, code=tuple(map(begin, procedure.code)))

"""Constant propagation: locals that hold one constant wherever control comes to an instruction.

    0  L1 := 2
    1  unless lt(L1, 3) jump 5     # on all ways here L1 is 2: the test holds, and no way leads to 5 from here

What is known before an instruction is the meet of what is known at the end of all ways that lead there.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TypeVar

from rulespec import ir
from rulespec.ir.flow import Edge, edges, leaving_procedures
from rulespec.ir.roles import site_of
from rulespec.ir.walk import within
from rulespec.passes.fold import decided, identical, simplify
from rulespec.passes.inline import substitute
from rulespec.passes.locals import bound_in
from rulespec.passes.rewrite import rewrite

T = TypeVar("T")
Known = dict[int, ir.Const]  # locals with the constants that they hold


def constants(program: ir.Program) -> ir.Program:
    """The program with constants in place of locals that hold them, and jumps in place of what they decide.

    What is asked at one place reads the constants that are known there.
    """
    leaving = leaving_procedures(program)
    asked = Counter(site for p in program.procedures for i in p.code if (site := site_of(i)) is not None)
    sites = list(program.sites)
    procedures = []
    for procedure in program.procedures:
        if not any(isinstance(i, ir.Let) and isinstance(i.value, ir.Const) for i in procedure.code):
            procedures.append(procedure)
            continue
        before = known_before(procedure, leaving)
        code = list(procedure.code)
        for pc, known in before.items():
            code[pc] = informed(code[pc], pc, known)
            site = site_of(code[pc])
            if site is not None and asked[site] == 1:
                sites[site] = informed_site(sites[site], known)
        procedures.append(replace(procedure, code=tuple(code)) if tuple(code) != procedure.code else procedure)
    return replace(program, procedures=tuple(procedures), sites=tuple(sites))


def known_before(procedure: ir.Procedure, leaving: frozenset[int]) -> dict[int, Known]:
    """The constants that are known before each instruction that control may come to."""
    before: dict[int, Known] = {0: {}}
    todo = [0]
    while todo:
        pc = todo.pop()
        if pc >= len(procedure.code):
            continue
        known, i = before[pc], procedure.code[pc]
        bound = bound_in(i) if known else 0
        for target, written in ways(procedure, pc, known, leaving):
            gone = written | bound
            after = {k: v for k, v in known.items() if not gone >> k & 1} if gone else known
            if isinstance(i, ir.Let):
                value = known.get(i.value.index) if isinstance(i.value, ir.Local) else i.value
                if isinstance(value, ir.Const):
                    after = {**after, i.index: value}
            if target in before:
                old = before[target]
                after = {k: v for k, v in old.items() if k in after and identical(v.value, after[k].value)}
                if len(after) == len(old):
                    continue
            before[target] = after
            todo.append(target)
    before.pop(len(procedure.code), None)
    return before


def ways(procedure: ir.Procedure, pc: int, known: Known, leaving: frozenset[int]) -> tuple[Edge, ...]:
    """Where control may go on to, given what is known."""
    outgoing, i = edges(procedure, pc, leaving), procedure.code[pc]
    if known and isinstance(i, ir.Unless | ir.Next | ir.NextRule | ir.Resume):
        learnt = informed(i, pc, known)
        if isinstance(learnt, ir.Jump):
            return tuple(edge for edge in outgoing if edge[0] == learnt.target)[:1]
    return outgoing


def informed(i: ir.Instruction, pc: int, known: Known) -> ir.Instruction:
    """An instruction that reads constants instead of locals, or the jump that it comes to."""
    match i:
        case ir.Resume(index) if index in known and known[index].value is None:
            return ir.Jump(pc + 1, i.where)
        case ir.Next(index, target) | ir.NextRule(index, _, target) if index in known and known[index].value == ():
            return ir.Jump(target, i.where)
    return decided(reading(i, known), pc + 1)


def informed_site(site: ir.Site, known: Known) -> ir.Site:
    """A site that reads constants instead of locals of the frame that asks."""
    return reading(site, {k: v for k, v in known.items() if k != site.item})


def reading(node: T, known: Known) -> T:
    """A part of a program with constants in place of locals, simplified."""
    if not known or not any(isinstance(e, ir.Local) and e.index in known for e in within(node)):
        return node
    bound = bound_in(node)
    return rewrite(substitute(node, {k: v for k, v in known.items() if not bound >> k & 1}), simplify)

"""Control: jumps go where they end up, and dead code, what nobody comes to, is dropped.

2  jump 5
...
5  jump 9     # 2 becomes `jump 9`; if nothing else leads to 5, it goes
"""

from __future__ import annotations

from dataclasses import replace

from rulespec import ir
from rulespec.ir.flow import aimed, leaving_procedures, reachable
from rulespec.ir.roles import target_of
from rulespec.passes.total import total


def jumps(program: ir.Program) -> ir.Program:
    """The program with shorter ways: no jump to a jump, to the next instruction or to a plain return, nothing unreachable.

    Places in the file stay with their instructions; regions shrink with what they hold.
    """
    leaving = leaving_procedures(program)
    return replace(program, procedures=tuple(shortened(p, leaving) for p in program.procedures))


def shortened(procedure: ir.Procedure, leaving: frozenset[int]) -> ir.Procedure:
    """A procedure without jumps to jumps, idle instructions and unreachable ones."""
    while True:
        shorter = packed(threaded(procedure), leaving)
        if shorter == procedure:
            return procedure
        procedure = shorter


def threaded(procedure: ir.Procedure) -> ir.Procedure:
    """Jumps go to where the jumps that they lead to go; one to a plain return returns."""
    code = list(procedure.code)
    for position, i in enumerate(code):
        target = target_of(i)
        if target is None:
            continue
        end = final(procedure.code, target)
        there = procedure.code[end] if end < len(code) else None
        if isinstance(i, ir.Jump) and isinstance(there, ir.Return) and plain(there):
            code[position] = there
        elif end != target:
            code[position] = aimed(i, end)
    return replace(procedure, code=tuple(code)) if tuple(code) != procedure.code else procedure


def final(code: tuple[ir.Instruction, ...], position: int) -> int:
    """The end of the chain of jumps that begins at a position; a loop of jumps alone has none, and is left as it is."""
    seen: set[int] = set()
    at = position
    while at < len(code) and isinstance(i := code[at], ir.Jump):
        if at in seen:
            return position
        seen.add(at)
        at = i.target
    return at


def plain(i: ir.Return) -> bool:
    """Whether a return gives a constant or a local, so that copying it costs nothing."""
    return i.value is None or isinstance(i.value, ir.Const | ir.Local)


def packed(procedure: ir.Procedure, leaving: frozenset[int]) -> ir.Procedure:
    """Without the instructions that do nothing or are never reached; all positions follow."""
    code = procedure.code
    reached = reachable(procedure, leaving)
    kept = [pc for pc, i in enumerate(code) if pc in reached and not idle(i, pc)]
    if len(kept) == len(code):
        return procedure
    place: list[int] = []  # of each old position: the new one of what is kept from there on
    number = 0
    for pc in range(len(code) + 1):
        place.append(number)
        number += number < len(kept) and kept[number] == pc
    return replace(
        procedure,
        code=tuple(code[pc] if (t := target_of(code[pc])) is None else aimed(code[pc], place[t]) for pc in kept),
        regions=tuple(
            ir.Region(place[r.start], place[r.end], place[r.handler], r.index, r.name)
            for r in procedure.regions
            if place[r.start] < place[r.end] and r.handler in reached
        ),
    )


def idle(i: ir.Instruction, position: int) -> bool:
    """Whether an instruction only goes on to the next one."""
    match i:
        case ir.Jump(target):
            return target == position + 1
        case ir.Unless(test, target):
            return target == position + 1 and total(test)
    return False

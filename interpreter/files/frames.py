"""Validates the frames, sealed choices, log and history of a save."""

from __future__ import annotations

from typing import Any

from interpreter.files.known import Known, known
from interpreter.files.shapes import Malformed, is_int, value
from interpreter.runtime.limits import MAX_WAITING
from interpreter.runtime.values import CHANCE
from interpreter.setup import Setup
from rulespec import ir

MAX_FRAMES = MAX_WAITING + 1  # frames that wait for their callees, and the one on top


def control(setup: Setup, data: Any) -> Any:
    """A control stack: linked frames, the top one waiting for an answer."""
    if not isinstance(data, list) or len(data) > MAX_FRAMES:
        raise Malformed("the control stack")
    if not data:
        return None
    stack = None
    for number, item in enumerate(reversed(data), 1):
        stack = frame(known(setup), item, stack, top=number == len(data))
    return stack


def frame(checks: Known, data: Any, parent: Any, top: bool, child: bool = False) -> Any:
    """A frame that stands on its parent; only the one on top waits for an answer.  That of a sealed choice holds no other."""
    program = checks.program
    if not isinstance(data, list) or not data or not is_int(data[0], 0, len(program.points) - 1):
        raise Malformed("a frame")
    number, *values = data
    instruction = program.instruction(number)
    waits: tuple[type, ...] = (ir.Ask, ir.Draw, ir.NextRule, ir.Fork) if top else (ir.Call, ir.CallRule)
    if child:
        waits = (ir.Ask,)
    if not isinstance(instruction, waits):
        raise Malformed("a frame waits where nothing waits")
    sealed = isinstance(instruction, ir.Fork)
    point = program.points[number]
    kept = tuple(map(value, values[: len(point.kept)]))
    if len(values) != len(point.kept) + sealed:
        raise Malformed("a frame's locals")
    types = program.procedures[point.procedure].locals
    if not all(checks.values.has(types[k], v) for k, v in zip(point.kept, kept, strict=True)):
        raise Malformed("a frame's locals")
    if parent is not None:
        check_call(program, parent, point.procedure)
    if isinstance(instruction, ir.Fork):
        return (number, parent, *kept, children(checks, instruction, values[-1]))
    if isinstance(instruction, ir.NextRule) and len(kept[-1]) < 2:
        raise Malformed("a window's queue")  # of which a player is asked to choose
    return (number, parent, *kept)


def check_call(program: ir.Program, waiting: Any, procedure: int) -> None:
    """Check that a frame waits for the procedure that it has called; for a rule it keeps the rule's entry last."""
    instruction = program.instruction(waiting[0])
    called = instruction.procedure if isinstance(instruction, ir.Call) else program.rules[waiting[-1][0]].procedure
    if called != procedure:
        raise Malformed("a frame waits for another procedure")


def children(checks: Known, fork: ir.Fork, data: Any) -> tuple[Any, ...]:
    """The sealed choices of a fork."""
    program = checks.program
    if not isinstance(data, list) or not data or len(data) > program.players:
        raise Malformed("sealed choices")
    out: list[Any] = []
    for item in data:
        if not isinstance(item, list) or len(item) != 3:
            raise Malformed("sealed choices")
        seat, stack, result = item
        if not is_int(seat, 0, program.players - 1) or (out and seat <= out[-1][0]):
            raise Malformed("sealed choices")
        given = value(result)
        if stack is None:
            if not checks.values.has(program.procedures[fork.procedure].result, given):
                raise Malformed("sealed choices")
            out.append((seat, None, given))
            continue
        if not isinstance(stack, list) or len(stack) != 1 or result is not None:  # nothing is called in a sealed choice
            raise Malformed("sealed choices")
        one = frame(checks, stack[0], None, top=True, child=True)
        if program.points[one[0]].procedure != fork.procedure:
            raise Malformed("sealed choices")
        out.append((seat, one, None))
    if all(one[1] is None for one in out):
        raise Malformed("sealed choices")
    return tuple(out)


def log(checks: Known, data: Any) -> Any:
    """The log, as linked entries."""
    if not isinstance(data, list):
        raise Malformed("the log")
    linked: Any = None
    for item in data:
        linked = (line(checks, item), linked)
    return linked


def line(checks: Known, data: Any) -> tuple[Any, ...]:
    """A line of the log: procedure, position, who reads it (None: all), its values, who sees each of them, and when it was written.

    Saves of version 0.1 do not have the last.
    """
    if not isinstance(data, list) or len(data) not in (5, 6):
        raise Malformed("a line of the log")
    procedure, pc, seats, values, masks, turn = map(value, data if len(data) == 6 else [*data, [0, CHANCE]])
    program = checks.program
    printers = holes(program, procedure, pc)
    if not isinstance(values, tuple) or len(values) != len(printers):
        raise Malformed("a line of the log")
    if masks is not None and (not isinstance(masks, tuple) or len(masks) != len(values)):
        raise Malformed("a line of the log")
    last = program.players - 1
    if seats is not None and not (isinstance(seats, tuple) and all(is_int(p, 0, last) for p in seats)):
        raise Malformed("a line of the log")
    if not all(map(checks.values.has, printers, values)):
        raise Malformed("a line of the log")
    if not isinstance(turn, tuple) or len(turn) != 2 or not is_int(turn[0], 0) or not is_int(turn[1], CHANCE, last):
        raise Malformed("a line of the log")
    return procedure, pc, seats, values, masks, turn


def holes(program: ir.Program, procedure: Any, pc: Any) -> tuple[ir.Type, ...]:
    """How the values of the line that an instruction writes are shown."""
    if is_int(procedure, 0, len(program.procedures) - 1):
        code = program.procedures[procedure].code
        if is_int(pc, 0, len(code) - 1) and isinstance(say := code[pc], ir.Say):
            return tuple(part[1] for part in say.text.parts if not isinstance(part, str))
    raise Malformed("a line of the log")


def history(known: Known, data: Any) -> Any:
    """The answered decisions, as linked entries."""
    if not isinstance(data, list):
        raise Malformed("the history")
    linked: Any = None
    for item in data:
        if not isinstance(item, list) or len(item) != 4 or not isinstance(item[1], str):
            raise Malformed("an answer of the history")
        actor, site, action, v = item
        if not is_int(actor, CHANCE, known.program.players - 1) or not is_int(action, 0):
            raise Malformed("an answer of the history")
        if site not in (known.draws if actor == CHANCE else known.sites):
            raise Malformed("an answer of the history")
        linked = ((actor, site, action, value(v)), linked)
    return linked

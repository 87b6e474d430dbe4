"""Bounds of locals, compared with the numbers that procedures made at random put there when they run."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rulespec import ir
from rulespec.ir import types
from rulespec.passes.ranges import ranges
from tests.helpers.assembler import EMPTY

NUMBERS, ITEMS, COUNT, ITEM = (
    (0, 1, 2, 3),
    4,
    5,
    6,
)  # locals: numbers, the first given; a loop's items, its count and its item
TYPES = (*[types.INT] * 4, types.list_of(types.INT), types.INT, types.INT)
WORKED_OUT = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "least_number": min,
    "greatest_number": max,
    "absolute": abs,
    "interval": lambda a, b: tuple(range(a, b + 1)),
    "lt": lambda a, b: a < b,
    "size": len,
    "total": sum,
}
LONGEST = 60  # instructions of a run, and items of an interval


def written(chooser: random.Random) -> ir.Procedure:
    """A procedure of few instructions, with jumps forth and back."""

    def operand() -> ir.Expr:
        if chooser.random() < 0.5:
            return ir.Const(chooser.randrange(-3, 4))
        return ir.Local(chooser.choice((*NUMBERS, ITEM, COUNT)))

    def number() -> ir.Expr:
        match chooser.choice(("same", "abs", "size", "total", "two", "two", "two")):
            case "same":
                return operand()
            case "abs":
                return ir.Op("absolute", (operand(),))
            case "two":
                name = chooser.choice(("add", "add", "sub", "sub", "mul", "least_number", "greatest_number"))
                return ir.Op(name, (operand(), operand()))
            case name:
                return ir.Op(name, (ir.Local(ITEMS),))

    length = chooser.randrange(4, 12)
    code: list[ir.Instruction] = [
        ir.Let(ITEMS, ir.Const((1, 2))),
        ir.Let(COUNT, ir.Const(0)),
        *[ir.Let(k, ir.Const(chooser.randrange(-2, 3))) for k in (*NUMBERS[1:], ITEM)],
    ]
    first = len(code)
    for _ in range(length):
        to = chooser.randrange(first, first + length + 1)
        match chooser.choice(("let", "let", "let", "unless", "jump", "items", "next")):
            case "let":
                code.append(ir.Let(chooser.choice(NUMBERS[1:]), number()))
            case "unless":
                code.append(ir.Unless(ir.Op("lt", (operand(), operand())), to))
            case "jump":
                code.append(ir.Jump(to))
            case "items":
                code += [ir.Let(ITEMS, ir.Op("interval", (operand(), operand()))), ir.Let(COUNT, ir.Const(0))]
            case _:
                code.append(ir.Next(ITEMS, to))
    code += [ir.Return(ir.Local(1))] * (first + length + 1 - len(code) if first + length + 1 > len(code) else 1)
    return ir.Procedure("main", 1, TYPES, tuple(code))


def worked_out(e: ir.Expr, L: list[Any]) -> Any:
    """What an expression gives."""
    match e:
        case ir.Const(value):
            return value
        case ir.Local(index):
            return L[index]
        case ir.Op(name, args):
            return WORKED_OUT[name](*(worked_out(arg, L) for arg in args))  # type: ignore[operator]
    raise AssertionError(e)


def met(procedure: ir.Procedure, given: int) -> list[set[int]]:
    """The numbers that are put into each local, those of a collection included, while the procedure runs for a while."""
    L: list[Any] = [given] + [None] * (len(TYPES) - 1)
    found: list[set[int]] = [set() for _ in TYPES]

    def put(k: int, value: Any) -> None:
        L[k] = value
        found[k] |= {*value} if isinstance(value, tuple) else {value}

    pc = 0
    for _ in range(LONGEST):
        i = procedure.code[pc]
        pc += 1
        match i:
            case ir.Let(index, value):
                put(index, worked_out(value, L))
                if index == ITEMS and len(L[ITEMS]) > LONGEST:
                    break
            case ir.Unless(test, target):
                pc = pc if worked_out(test, L) else target
            case ir.Jump(target):
                pc = target
            case ir.Next(_, target) if L[COUNT] < 0 or L[COUNT] >= len(L[ITEMS]):
                pc = target
            case ir.Next():
                put(ITEM, L[ITEMS][L[COUNT]])
                put(COUNT, L[COUNT] + 1)
            case _:
                break
    return found


@pytest.mark.parametrize("start", range(0, 400, 100))
def test_what_is_put_into_a_local_is_within_its_bounds(start: int) -> None:
    narrower = 0
    for seed in range(start, start + 100):
        chooser = random.Random(seed)
        procedure = written(chooser)
        program = ir.Program(**{**{n: getattr(EMPTY, n) for n in EMPTY.__slots__}, "procedures": (procedure,)})
        found = ranges(program).procedures[0].locals
        assert found[0] == types.INT, "what is given may be any number"
        for given in (-5, 0, 4):
            for t, numbers in zip(found, met(procedure, given), strict=True):
                inner = t.parts[0] if t.what in ("set", "list") else t
                assert inner.low is None or all(number >= inner.low for number in numbers), (seed, t, numbers)
                assert inner.high is None or all(number <= inner.high for number in numbers), (seed, t, numbers)
                narrower += inner != types.INT
    assert narrower > 600

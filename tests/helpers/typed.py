"""A reference machine that looks whether all that is put anywhere is of the type that the program gives that place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.game import Game
from interpreter.reference.expressions import Compiler
from interpreter.reference.machine import Code, Machine
from interpreter.runtime.values import Bodies, Slots
from rulespec import ir
from rulespec.ir.inhabits import Values
from rulespec.ir.show import printed


class Mistyped(Exception):
    """A value that is not of its place's type."""


class Types:
    """The types of a program, and which values they were seen to have."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.values = Values(program)
        self.seen: set[tuple[ir.Type, str]] = set()

    def check(self, t: ir.Type, value: Any, where: str) -> None:
        """Raises Mistyped."""
        if t.what == "frames" or (t, repr(value)) in self.seen:
            return
        if not self.values.has(t, value):
            raise Mistyped(f"{where}: {value!r} is no {printed(t)}")
        self.seen.add((t, repr(value)))


class Checked(list[Any]):
    """Locals or slots, which are checked whenever one is set."""

    def __init__(self, values: Any, types: Types, of: tuple[ir.Type, ...], where: str) -> None:
        super().__init__(values)
        self.types, self.of, self.where = types, of, where

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, slice):
            for k, one in zip(range(*index.indices(len(self))), value, strict=True):
                self.one(k, one)
        else:
            self.one(index, value)
        super().__setitem__(index, value)

    def one(self, index: int, value: Any) -> None:
        self.types.check(self.of[index], value, f"{self.where}{index}")

    def copy(self) -> Checked:
        return Checked(self, self.types, self.of, self.where)


class TypedCompiler(Compiler):
    """Functions whose parameters, locals and results are checked."""

    def __init__(self, types: Types, bodies: Bodies) -> None:
        super().__init__(types.program.functions, bodies)
        self.types = types

    def function(self, index: int) -> Callable[..., Any]:
        if index not in self.ready:
            source, types = self.sources[index], self.types
            outer, self.top = self.top, len(source.locals)
            body = self.expr(source.body)
            assert self.top == len(source.locals), f"{source.name} uses a local that it does not have"
            self.top = outer

            def call(S: Slots, *args: Any) -> Any:
                locals_ = Checked([None] * len(source.locals), types, source.locals, f"function {index}, L")
                locals_[: len(args)] = args
                value = body(S, locals_)
                types.check(source.result, value, f"the result of function {index}, {source.name}")
                return value

            self.ready[index] = call
        return self.ready[index]


class TypedMachine(Machine):
    """The machine with checked locals and slots."""

    def __init__(self, program: ir.Program) -> None:
        self.types = Types(program)
        super().__init__(program)
        for point in self.points:
            point.locals = self.unpacking(point.locals, point.code)

    def make_compiler(self, _program: ir.Program, bodies: Bodies) -> Compiler:
        return TypedCompiler(self.types, bodies)

    def unpacking(self, plain: Callable[[Any], list[Any]], code: Code) -> Callable[[Any], list[Any]]:
        return lambda frame: self.locals(code, plain(frame))

    def locals(self, code: Code, values: list[Any], begins: bool = False) -> Checked:
        """The locals of a procedure; None stands for one that has no value, except for a parameter where it begins."""
        types = (*code.source.locals, *[ir.types.NONE] * (len(values) - len(code.source.locals)))
        checked = Checked(values, self.types, types, f"procedure {code.index}, {code.name}, L")
        for k, value in enumerate(values):
            if value is not None or (begins and k < code.source.parameters):
                checked.one(k, value)
        return checked

    def start(self, slots: Slots, *rest: Any) -> Slots:
        return super().start(Checked(slots, self.types, self.types.values.slots, "S"), *rest)

    def run(self, S: Slots, journal: Any, code: Code, pc: int, L: Any, parent: Any) -> Any:
        return super().run(S, journal, code, pc, self.locals(code, L, pc == 0), parent)

    def call(self, *args: Any) -> Any:
        called = super().call(*args)
        return called and (*called[:2], self.locals(called[0], called[2], True), called[3])


class TypedGame(Game):
    """A game on such a machine."""

    def make_machine(self) -> Machine:
        return TypedMachine(self.program)


def typed_game(program: ir.Program) -> TypedGame:
    return TypedGame.from_program(program, backend="reference")

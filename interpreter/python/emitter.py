"""Where the code of one Python function is written: a block of statements, its variables, and what is known of locals."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from interpreter.python.facts import Fact
from interpreter.python.memo_cost import WIDEST
from interpreter.python.patterns import statement
from interpreter.python.templates import constant, expression, name, statements
from rulespec import ir


class Emitter(ABC):
    """Writes the code of one Python function.

    `names` says what each local is now: a variable, or an expression that costs nothing; `facts` what is known of it.
    """

    def __init__(self) -> None:
        self.block: list[ast.stmt] = []
        self.names: dict[int, ast.expr] = {}
        self.facts: dict[int, Fact] = {}
        # What has been worked out where the code stands, and how many items it looked at.
        self.here: dict[Any, tuple[ast.expr, int]] = {}
        self.line = 1
        self.fresh = 0
        self.counts = False  # every loop counts what it looks at, since nobody knows how often this function is called
        self.counting = 0  # how many places count at play what they look at
        self.whole: ir.Expr | None = None  # the body of a function
        self.widest = WIDEST  # slots that what is kept may read

    # --- what writers of expressions do --------------------------------------------------------------
    @abstractmethod
    def fact(self, e: ir.Expr) -> Fact:
        """What is known of an expression's value."""

    @abstractmethod
    def safe(self, e: ir.Expr) -> bool:
        """Whether working it out never fails."""

    @abstractmethod
    def expr(self, e: ir.Expr) -> ast.expr:
        """The Python of an expression; what must run before it is in the block."""

    @abstractmethod
    def expr_anew(self, e: ir.Expr) -> ast.expr:
        """The same for an expression that is not kept itself."""

    @abstractmethod
    def column(self, values: tuple[Any, ...], index: ast.expr) -> ast.expr:
        """A row of a fixed table."""

    @abstractmethod
    def body(self, comp: ir.Comp, then: Callable[[Any], None], breaks: bool = False) -> None:
        """A loop whose passing items `then` writes something for."""

    @abstractmethod
    def one(self, comp: ir.Comp) -> ast.expr:
        """What a passing item gives."""

    @abstractmethod
    def shared(self, key: Any, make: Callable[[], Any]) -> ast.Name:
        """A value that functions share, under a name of its own."""

    # --- writing -----------------------------------------------------------------------------------
    def add(self, text: str, **holes: Any) -> None:
        """Statements of a template."""
        self.block += statements(text, self.line, **holes)

    def make(self, text: str, **holes: Any) -> ast.expr:
        """An expression of a template."""
        return expression(text, self.line, **holes)

    def name(self, text: str) -> ast.Name:
        """A variable that is read."""
        return name(text, self.line)

    def const(self, value: Any) -> ast.expr:
        """A value."""
        return constant(value, self.line)

    def temp(self) -> str:
        """A variable that nothing else uses."""
        self.fresh += 1
        return f"t{self.fresh}"

    def effect(self, value: ast.expr) -> None:
        """Work something out only because it may fail."""
        if not isinstance(value, ast.Constant | ast.Name):
            self.block.append(statement(value))

    @contextmanager
    def aside(self) -> Iterator[list[ast.stmt]]:
        """Write into a block of its own."""
        outer, self.block = self.block, []
        here, self.here = self.here, dict(self.here)
        try:
            yield self.block
        finally:
            self.block, self.here = outer, here

    def held(self, value: ast.expr) -> ast.expr:
        """The value as something that may be read several times."""
        if isinstance(value, ast.Constant | ast.Name):
            return value
        t = self.temp()
        self.add("$t = $v", t=t, v=value)
        return self.name(t)

    # --- locals ------------------------------------------------------------------------------------
    def local(self, index: int) -> ast.expr:
        """What a local is now."""
        name = self.names.get(index)
        return self.name(f"l{index}") if name is None else name

    @contextmanager
    def bound(self, index: int, value: ast.expr | None, fact: Fact) -> Iterator[str]:
        """Let a local be `value` (None: a new variable, which is given) within an expression."""
        before = self.names.get(index), self.facts.get(index)
        variable = ""
        if value is None:
            variable = self.temp()
            value = self.name(variable)
        self.names[index], self.facts[index] = value, fact
        try:
            yield variable
        finally:
            for table, old in zip((self.names, self.facts), before, strict=True):
                if old is None:
                    table.pop(index, None)  # type: ignore[attr-defined]
                else:
                    table[index] = old  # type: ignore[index]

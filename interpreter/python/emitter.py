"""The emitter of one Python function: its block of statements, its variables, and the facts of locals."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from interpreter.python.memo_cost import WIDEST
from interpreter.python.patterns import statement
from interpreter.python.templates import constant, expression, name, statements
from rulespec import ir
from rulespec.analysis.domain import Fact


class Emitter(ABC):
    """Writes the code of one Python function.

    `names` says how each local is written now: a variable, or a trivial expression; `facts` what is known of its value.
    """

    def __init__(self) -> None:
        self.block: list[ast.stmt] = []
        self.names: dict[int, ast.expr] = {}
        self.facts: dict[int, Fact] = {}
        # Common subexpressions computed on every path to this point, with the number of items that they looked at.
        self.here: dict[Any, tuple[ast.expr, int]] = {}
        self.line = 1
        self.fresh = 0
        self.counts = False  # every loop counts its items, since it is not known how often this function is called
        self.counting = 0  # how many loops count their items at run time
        self.whole: ir.Expr | None = None  # the body of a function
        self.widest = WIDEST  # slots that a memo may read

    # --- what writers of expressions do --------------------------------------------------------------
    @abstractmethod
    def fact(self, e: ir.Expr) -> Fact:
        """The fact of an expression's value."""

    @abstractmethod
    def safe(self, e: ir.Expr) -> bool:
        """Whether evaluating an expression never fails."""

    @abstractmethod
    def expr(self, e: ir.Expr) -> ast.expr:
        """The Python of an expression; statements that must run before it are added to the block."""

    @abstractmethod
    def expr_anew(self, e: ir.Expr) -> ast.expr:
        """The same without a memo of the expression itself."""

    @abstractmethod
    def column(self, values: tuple[Any, ...], index: ast.expr) -> ast.expr:
        """A row of a fixed table."""

    @abstractmethod
    def body(self, comp: ir.Comp, then: Callable[[Any], None], breaks: bool = False) -> None:
        """A loop; `then` writes the code for each item that passes its tests."""

    @abstractmethod
    def one(self, comp: ir.Comp) -> ast.expr:
        """The value of an item that passes."""

    @abstractmethod
    def shared(self, key: Any, make: Callable[[], Any]) -> ast.Name:
        """The global name of a value that functions share."""

    # --- writing -----------------------------------------------------------------------------------
    def add(self, text: str, **holes: Any) -> None:
        """Add the statements of a template to the block."""
        self.block += statements(text, self.line, **holes)

    def make(self, text: str, **holes: Any) -> ast.expr:
        """An expression from a template."""
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
        """Evaluate an expression only because it may fail."""
        if not isinstance(value, ast.Constant | ast.Name):
            self.block.append(statement(value))

    @contextmanager
    def aside(self) -> Iterator[list[ast.stmt]]:
        """Write into a separate block."""
        outer, self.block = self.block, []
        here, self.here = self.here, dict(self.here)
        try:
            yield self.block
        finally:
            self.block, self.here = outer, here

    def held(self, value: ast.expr) -> ast.expr:
        """The value as a variable or constant, so that it may be read several times."""
        if isinstance(value, ast.Constant | ast.Name):
            return value
        t = self.temp()
        self.add("$t = $v", t=t, v=value)
        return self.name(t)

    # --- locals ------------------------------------------------------------------------------------
    def local(self, index: int) -> ast.expr:
        """How a local is written now."""
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
        if isinstance(value, ast.Constant):
            fact = self.fact(ir.Const(value.value))
        self.names[index], self.facts[index] = value, fact
        try:
            yield variable
        finally:
            for table, old in zip((self.names, self.facts), before, strict=True):
                if old is None:
                    table.pop(index, None)  # type: ignore[attr-defined]
                else:
                    table[index] = old  # type: ignore[index]

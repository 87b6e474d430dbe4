"""Returns that are fractions: `returns: if this in best then pot / size(best) else 0`.

Positions hold whole numbers.  Returns with `/` are counted in parts of which so many make 1 (the `unit` of the program), a multiple of
all that they may be divided by; whoever asks for returns gets them as fractions.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import lcm

from rulespec import ir
from rulespec.checker.context import CheckContext
from rulespec.checker.env import Env
from rulespec.checker.expressions import Expressions
from rulespec.expr import syntax
from rulespec.language.types import INT, IntType
from rulespec.text.yaml_tree import ScalarNode

MOST_PARTS = 10**9  # of 1


def divided(tree: syntax.Expr) -> bool:
    """Whether there is a `/` where returns may have one."""
    return any(True for _ in divisors(tree))


def divisors(tree: syntax.Expr) -> Iterator[syntax.Expr]:
    """What is divided by, in branches of a formula and beside `+`, `-` and `*`."""
    match tree:
        case syntax.Binary("/", left, right):
            yield right
            yield from divisors(left)
        case syntax.Binary("+" | "-" | "*", left, right):
            yield from divisors(left)
            yield from divisors(right)
        case syntax.Unary("neg", operand):
            yield from divisors(operand)
        case syntax.If(_, then, other):
            yield from divisors(then)
            yield from divisors(other)


class Shares:
    """Compiles the formula of returns with `/`."""

    def __init__(self, context: CheckContext, expressions: Expressions, node: ScalarNode) -> None:
        self.context = context
        self.expressions = expressions
        self.node = node

    def compiled(self, tree: syntax.Expr, env: Env) -> tuple[ir.Expr, int]:
        """The formula in parts, and how many parts make 1."""
        unit = 1
        for divisor in divisors(tree):
            unit = lcm(unit, self.multiple(divisor, env))
        if unit > MOST_PARTS:
            self.error(tree, "these returns are divided into too many different parts", "numbers up to 20")
            unit = 1
        return self.parts(tree, env, unit), unit

    def multiple(self, divisor: syntax.Expr, env: Env) -> int:
        """A multiple of all that a divisor may be: of itself, of its range, or of all numbers of players."""
        if isinstance(divisor, syntax.Num):
            if not 0 < divisor.value <= MOST_PARTS:
                self.error(divisor, f"nothing can be divided by {divisor.value}", f"a number from 1 to {MOST_PARTS}")
                return 1
            return divisor.value
        t = self.expressions.tree(self.node, divisor, env)[1]
        most = max(self.context.counts)
        if isinstance(t, IntType) and t.high is not None and t.low is not None and t.low >= 0:
            most = t.high
        multiple = 1
        for number in range(1, most + 1):
            multiple = lcm(multiple, number)
            if multiple > MOST_PARTS:
                break
        return multiple

    def error(self, tree: syntax.Expr, message: str, expected: str) -> None:
        """Report what cannot be divided."""
        self.context.error("E219", message, self.node.at(tree.start, tree.end), expected=expected)

    def parts(self, tree: syntax.Expr, env: Env, unit: int) -> ir.Expr:
        """A formula in parts."""
        x = self.expressions
        match tree:
            case syntax.Binary("/", left, right):
                by = self.whole(right, env)
                if divided(left):
                    self.error(left, "this is divided already", "(a * b) / c, or a / (b * c)")
                return ir.Op("mul", (self.whole(left, env), ir.Op("parts_of", (ir.Const(unit), by))))
            case syntax.Binary("+" | "-" as op, left, right) if divided(tree):
                both = self.parts(left, env, unit), self.parts(right, env, unit)
                return ir.Op("add" if op == "+" else "sub", both)
            case syntax.Binary("*", left, right) if divided(tree):
                if divided(left) and divided(right):
                    self.error(tree, "fractions are not multiplied by fractions", "(a * b) / (c * d)")
                share, times = (left, right) if divided(left) else (right, left)
                return ir.Op("mul", (self.parts(share, env, unit), self.whole(times, env)))
            case syntax.Unary("neg", operand) if divided(tree):
                return ir.Op("neg", (self.parts(operand, env, unit),))
            case syntax.If(test, then, other) if divided(tree):
                known = [env.knowing(x.facts(test, so)) for so in (True, False)]
                holds, fails = (self.parts(part, e, unit) for part, e in zip((then, other), known, strict=True))
                return ir.Cond(self.condition(test, env), holds, fails)
        return ir.Op("mul", (self.whole(tree, env), ir.Const(unit)))

    def whole(self, tree: syntax.Expr, env: Env) -> ir.Expr:
        """A part of the formula that is a whole number."""
        if divided(tree):
            return ir.Const(0)  # it is reported
        return self.expressions.tree(self.node, tree, env, INT)[0]

    def condition(self, tree: syntax.Expr, env: Env) -> ir.Expr:
        """A test of the formula."""
        outer, self.expressions.scalar = self.expressions.scalar, self.node
        try:
            return self.expressions.condition(tree, env)
        finally:
            self.expressions.scalar = outer

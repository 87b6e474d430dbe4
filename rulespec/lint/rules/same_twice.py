"""An operator whose two sides are the same, and a choice that asks for the same twice."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.expr import syntax
from rulespec.expr.printer import to_text
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.trees import told_in_rules, written
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode, ScalarNode

RULE = LintRule("L091")


def check(game: LintGame) -> Iterator[Finding]:
    """The same twice where another was meant: in an expression, and among the conditions of one choice."""
    yield from of_choices(game)
    for scalar, tree, _ in told_in_rules(game):
        for node in syntax.walk(tree):
            for first, second, where in twice(node):
                yield Finding(
                    RULE,
                    f"{ticked(to_text(second))} is written twice {where}",
                    scalar.at(second.start, second.end),
                    help=("was another name meant the second time?",),
                    related=((scalar.at(first.start, first.end), "the first"),),
                )


def of_choices(game: LintGame) -> Iterator[Finding]:
    """Conditions under `only` that stand there before, whatever their reasons."""
    for node in written(game):
        only = node.get("only") if isinstance(node, MapNode) else None
        tests: dict[str, ScalarNode] = {}
        for item in only.items if isinstance(only, ListNode) else ():
            test = item.get("if") if isinstance(item, MapNode) else item
            if isinstance(test, ScalarNode):
                first = tests.setdefault(" ".join(test.value.split()), test)
                if first is not test:
                    yield Finding(
                        RULE,
                        "this condition is written twice",
                        test.span,
                        help=("was another one meant the second time?",),
                        related=((first.span, "the first"),),
                    )


def twice(node: syntax.Node) -> Iterator[tuple[syntax.Expr, syntax.Expr, str]]:
    """The pairs of equal parts of a node that should differ, both sides of an operator for example, and of what they are parts."""
    match node:
        case syntax.Compare(op, left, right) if left == right and not isinstance(left, syntax.Num):
            yield left, right, f"in this comparison by {ticked(op)}"
        case syntax.Binary("+", left, right) if last(left) == right and not doubled(left, right):
            yield last(left), right, "in this sum"
        case syntax.Binary("-", left, right) if left == right and not isinstance(left, syntax.Num):
            yield left, right, "in this difference"
        case syntax.Binary("and" | "or" as op, _, right):
            yield from (
                (operand, right, f"around {ticked(op)}") for operand in operands(node.left, op) if operand == right
            )
        case syntax.If(_, then, other) if then == other:
            yield then, other, "in this `if`: both ways give the same"
        case syntax.Call(syntax.Name("set"), items):
            for number, item in enumerate(items):
                if item in items[:number]:
                    yield items[items.index(item)], item, "in this set"


def last(node: syntax.Expr) -> syntax.Expr:
    """The last summand of a sum."""
    while isinstance(node, syntax.Binary) and node.op == "+":
        node = node.right
    return node


def doubled(left: syntax.Expr, right: syntax.Expr) -> bool:
    """Whether a sum is of two numbers or names alone: that is how something is doubled."""
    return isinstance(right, syntax.Num) or (isinstance(right, syntax.Name) and left == right)


def operands(node: syntax.Expr, op: str) -> Iterator[syntax.Expr]:
    """What `and` or `or` joins on its left, one by one."""
    if isinstance(node, syntax.Binary) and node.op == op:
        yield from operands(node.left, op)
        yield from operands(node.right, op)
    else:
        yield node

"""A condition that asks for more or less, or of another, than the steps behind it take."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.expr import syntax
from rulespec.expr.printer import to_text
from rulespec.language.types import IntType
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.rules.unpaid_cost import COST, texts
from rulespec.lint.stages import Step, below, called, names, parsed
from rulespec.lint.trees import written
from rulespec.text.numbers import natural
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

RULE = LintRule("L104")


def check(game: LintGame) -> Iterator[Finding]:
    """Options whose condition wants so much of a variable, and whose steps take another amount, or take it of another."""
    numbers = {v.name for v in game.context.variables if isinstance(v.type, IntType)}
    for node in written(game):
        if not isinstance(node, MapNode) or node.get("do") is None or node.get("options") is not None:
            continue
        taken = list(losses(game, node.get("do"), 2))
        for test in tests(node):
            for owner, part, need, start, end in wanted(test):
                if part not in numbers:
                    continue
                steps = [loss for loss in taken if loss.part == part]
                place = test.at(start, end)
                if (
                    len(steps) == 1
                    and steps[0].amount is not None
                    and steps[0].plain
                    and (steps[0].amount > need or (steps[0].amount < need and costs(node)))
                ):
                    amount = steps[0].amount
                    yield Finding(
                        RULE,
                        f"this asks for {need} of {ticked(part)}, and the step takes {amount}",
                        place,
                        help=("let both be the same number, or name it once as a function",),
                        related=((steps[0].node.span, f"{amount} here"),),
                    )
                elif (
                    len(steps) == 1
                    and steps[0].plain
                    and steps[0].near
                    and steps[0].owner != owner
                    and owner
                    and steps[0].owner
                ):
                    yield Finding(
                        RULE,
                        f"this looks at `{owner}.{part}`, and the step takes from `{steps[0].owner}.{part}`",
                        place,
                        help=("was the same one meant in both?",),
                        related=((steps[0].node.span, "what is taken"),),
                    )


class Loss:
    """A step that takes a number from a variable: of whom, how much if that is a number, and whether it stands alone there."""

    def __init__(self, step: Step, node: ScalarNode, near: bool) -> None:
        amount = step.operand
        tree = parsed(node.value)
        self.node = node
        self.near = near
        self.owner = to_text(tree.obj) if isinstance(tree, syntax.Attr) else ""
        self.part = tree.name if isinstance(tree, syntax.Attr) else node.value
        self.amount = natural(amount.value) if isinstance(amount, ScalarNode) else None
        self.plain = step.scalar("if") is None and not step.around


def costs(node: MapNode) -> bool:
    """Whether people are told of a cost."""
    return any(COST.search(text.value) for text in texts(node))


def losses(game: LintGame, node: Node | None, depth: int, near: bool = True) -> Iterator[Loss]:
    """The steps that take from a variable, in some steps and in the procedures that they run."""
    if node is None or depth < 0:
        return
    for step in below(node, ()):
        source = step.part("source")
        if step.role("amount") is not None and source is not None:
            yield Loss(step, source, near)
    for name in called(node):
        procedure = game.context.procedures.get(name)
        if procedure is not None:
            yield from losses(game, procedure.node.get("do"), depth - 1, False)


def tests(node: MapNode) -> Iterator[ScalarNode]:
    """The conditions of an option."""
    if isinstance(test := node.get("if"), ScalarNode):
        yield test
    only = node.get("only")
    for reason in only.items if isinstance(only, ListNode) else ():
        test = reason.get("if") if isinstance(reason, MapNode) else None
        if isinstance(test, ScalarNode):
            yield test


def wanted(test: ScalarNode) -> Iterator[tuple[str, str, int, int, int]]:
    """The variables of which a condition wants a number at least: whose, which, how much, and where."""
    tree = parsed(test.value)
    bound = {node.var for node in syntax.walk(tree) if isinstance(node, syntax.Comp)} if tree is not None else set()
    for node in syntax.walk(tree) if tree is not None else ():
        match node:
            case syntax.Compare(">=" | ">" as op, side, syntax.Num(value)):
                need = value + (op == ">")
            case syntax.Compare("<=" | "<" as op, syntax.Num(value), side):
                need = value + (op == "<")
            case _:
                continue
        if bound & names(side):
            continue
        if isinstance(side, syntax.Attr):
            yield to_text(side.obj), side.name, need, node.start, node.end
        elif isinstance(side, syntax.Name):
            yield "", side.id, need, node.start, node.end

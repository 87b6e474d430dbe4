"""A part of a condition on many that speaks of another than the one that is looked at: `r in Runner where me.at == 0 and r.at == me.at`."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rulespec.expr import syntax
from rulespec.expr.printer import to_text
from rulespec.lint.comprehensions import Comprehension, comprehensions
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.rules.same_twice import operands
from rulespec.lint.stages import names, parsed, steps
from rulespec.lint.trees import told_in_rules
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ScalarNode

RULE = LintRule("L119")
COUNT = "count("


def check(game: LintGame) -> Iterator[Finding]:
    """Parts joined by `and` that are the same for each item, and ask of another thing of its kind what is asked of the item elsewhere.

    The other is of its kind where a field of both is asked for in the same condition.
    """
    for scalar, tree, known, shift in (*((*written, 0) for written in told_in_rules(game)), *heads(game)):
        for node in comprehensions(game, tree, known):
            for part, other in misplaced(node):
                name = node.binders[-1].name
                yield Finding(
                    RULE,
                    f"{ticked(to_text(part))} is the same for each {ticked(name)}",
                    scalar.at(part.start + shift, part.end + shift),
                    help=(f"was {ticked(name)} meant for {ticked(other)}? What holds for all stands outside",),
                )


def heads(game: LintGame) -> Iterator[tuple[ScalarNode, syntax.Expr, Collection[str], int]]:
    """The heads of `for` as counts of what they go through, and how far their places are off."""
    for step in steps(game):
        if step.traits.loops == "items" and isinstance(step.operand, ScalarNode):
            tree = parsed(f"{COUNT}{step.operand.value})")
            if tree is not None:
                yield step.operand, tree, (), -len(COUNT)


def misplaced(node: Comprehension) -> Iterator[tuple[syntax.Expr, str]]:
    """The parts of a condition that do not speak of what it goes through, each with the name that it speaks of."""
    for whole in (node.last.where, node.last.key if node.last.word == "have" else None):
        parts = list(operands(whole, "and")) if whole is not None else []
        asked = fields(whole, node.last.var)
        for part in parts if len(parts) > 1 else ():
            if isinstance(part, syntax.Is) or node.speaks(part):
                continue  # without `is known`, what stands behind has no value
            other = next(
                (name for name in sorted(names(part)) if fields(part, name) and asked & fields(whole, name)), None
            )
            if other is not None:
                yield part, other


def fields(tree: syntax.Node | None, name: str) -> set[str]:
    """What is asked of a name in an expression."""
    nodes = syntax.walk(tree) if tree is not None else ()
    return {node.name for node in nodes if isinstance(node, syntax.Attr) and node.obj == syntax.Name(name)}

"""A thing that two players may choose at once, unseen by each other, and that then goes to each of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.stages import Step, below, names_of, steps
from rulespec.lint.trees import scalars
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, ScalarNode

RULE = LintRule("L132")
WHO = re.compile(r"\s*(\w+)\s+in\b")


def check(game: LintGame) -> Iterator[Finding]:
    """Sealed choices from what is the same for all, whose answers go to a place of the chooser; silent where the answers are compared."""
    for step in steps(game):
        header, body, after = step.operand, step.node.get("do"), step.node.get("then")
        who = WHO.match(header.value) if step.traits.seals and isinstance(header, ScalarNode) else None
        if who is None or body is None:
            continue
        rest = [*(after.items if isinstance(after, ListNode) else ()), *step.following]
        for choice in below(body, ()):
            name, source = choice.operand, choice.part("candidates")
            if isinstance(name, ScalarNode) and source is not None:
                tests = {word for key in ("only", "if") for word in names_of(choice.node.get(key))}
                if who[1] not in names_of(source) | tests:
                    yield from taken(ListNode(tuple(rest), name.span), name, source)


def taken(rest: ListNode, name: ScalarNode, source: ScalarNode) -> Iterator[Finding]:
    """The first move of an answer to a place of the one who gave it, unless anything else is done with the answers."""
    answer = re.compile(rf"\b(\w+)\.{re.escape(name.value)}\b")
    moves = [move for step in below(rest, ()) if (move := given(step, answer)) is not None]
    told = {id(node) for step in below(rest, ()) for key in ("log", "say") if (node := step.scalar(key)) is not None}
    named = [node for node in scalars(rest) if answer.search(node.value) and id(node) not in told]
    if moves and len(named) == 1:
        yield Finding(
            RULE,
            f"two may choose the same {ticked(name.value)}, and the second takes it from the first",
            moves[0].span,
            help=(f"say what happens then: compare `q.{name.value}` of the others before, or let them choose in turn",),
            related=((source.span, "all choose from the same"),),
        )


def given(step: Step, answer: re.Pattern[str]) -> ScalarNode | None:
    """What a step moves, if that is an answer which goes to a place of the same player."""
    what, goal = step.part("moved"), step.part("goal")
    match = answer.fullmatch(what.value) if what is not None else None
    if match is None or goal is None:
        return None
    return what if re.match(rf"{match[1]}\.", goal.value) else None

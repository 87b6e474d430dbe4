"""A cost that is asked for and not taken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from rulespec.expr import syntax
from rulespec.expr.parser import ExprSyntaxError, parse_expr
from rulespec.language.registry import Shape, verbs
from rulespec.language.types import IntType
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.stages import Step, alone, below
from rulespec.lint.trees import written
from rulespec.text.quoting import ticked
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

RULE = LintRule("L097")
COST = re.compile(r"\b(pay|pays|cost|costs|price|spend|spends|afford|buy|buys|hire|hires)\b", re.IGNORECASE)
WORD = re.compile(r"[A-Za-z_]\w*")
SAID = {
    "if",
    "say",
    "log",
    "why",
    "only",
    "shown",
    "cites",
    "about",
    "or none",
    "whole",
}  # keys of what changes nothing
HOLDS: tuple[Shape, ...] = ("steps", "branches", "arms", "none")  # of what has steps of its own


def check(game: LintGame) -> Iterator[Finding]:
    """Options and choices whose text speaks of a cost and whose condition asks for enough of a number that no step then touches."""
    steps = Steps(game)
    for node in written(game):
        match node:
            case MapNode() if node.get("do") is not None and (node.get("if") or node.get("only")) and node.get("say"):
                yield from unpaid(steps, node, [node.get("do")])
            case ListNode():
                for number, step in enumerate(node.items):
                    choice = alone(step)
                    if isinstance(step, MapNode) and choice is not None and choice.shaped("reasons") is not None:
                        yield from unpaid(steps, step, [*node.items[number + 1 :], step.get("else")])
            case _:
                pass


def unpaid(steps: Steps, asked: MapNode, following: list[Node | None]) -> Iterator[Finding]:
    """The conditions of an option or a choice on numbers that what follows leaves as they are, though its texts speak of a cost."""
    said = [s for s in texts(asked) if COST.search(s.value)]
    if not said:
        return
    for test in tests(asked):
        for name, start, end in wanted(test):
            if steps.is_number(name) and not steps.touch(following, name, asked.span):
                word = COST.search(said[0].value)
                assert word is not None
                yield Finding(
                    RULE,
                    f"{ticked(name)} must be enough here, and nothing takes it",
                    test.at(start, end),
                    help=(f"is a step missing, such as `lose: ...` with `from: ...{name}`?",),
                    related=((said[0].at(*word.span()), "people read of a cost here"),),
                )


def texts(asked: MapNode) -> Iterator[ScalarNode]:
    """What people read of an option or a choice."""
    for key in ("say", "why"):
        if isinstance(value := asked.get(key), ScalarNode):
            yield value
    only = asked.get("only")
    for reason in only if isinstance(only, ListNode) else ():
        if isinstance(reason, MapNode) and isinstance(why := reason.get("why"), ScalarNode):
            yield why


def tests(asked: MapNode) -> Iterator[ScalarNode]:
    """Its conditions."""
    if isinstance(test := asked.get("if"), ScalarNode):
        yield test
    only = asked.get("only")
    for reason in only if isinstance(only, ListNode) else ():
        test = reason.get("if") if isinstance(reason, MapNode) else reason
        if isinstance(test, ScalarNode):
            yield test


def wanted(test: ScalarNode) -> Iterator[tuple[str, int, int]]:
    """The variables of which a condition wants so much at least, with the places of the comparisons."""
    try:
        tree = parse_expr(test.value)
    except ExprSyntaxError:
        return
    for node in syntax.walk(tree):
        match node:
            case syntax.Compare(">" | ">=", side, _) | syntax.Compare("<" | "<=", _, side):
                if isinstance(side, syntax.Attr):
                    yield side.name, node.start, node.end
                elif isinstance(side, syntax.Name):
                    yield side.id, node.start, node.end


class Steps:
    """What the steps of a game touch, by the words in them and in the procedures that they run."""

    def __init__(self, game: LintGame) -> None:
        self.game = game

    def is_number(self, name: str) -> bool:
        """Whether a name is a number that changes, of the table or of each player."""
        return any(
            variable.name == name and isinstance(variable.type, IntType) and variable.base in self.game.changed
            for variable in self.game.context.variables
        )

    def touch(self, steps: list[Node | None], name: str, place: Span) -> bool:
        """Whether some steps speak of a variable, or it cannot be told; also where the procedure they stand in gives something back."""
        words = {word for step in steps if step is not None for word in changing(step)}
        todo, seen = [*words], set(words)
        while todo:
            for word in self.bodies.get(todo.pop(), ()):
                if word not in seen:
                    seen.add(word)
                    todo.append(word)
        if name in seen or any(elsewhere(word) for word in seen):
            return True
        around = [runner for runner, span in self.places.items() if span.holds(place)]
        return (
            any(name in self.taken[runner] and around[0] in words for runner, words in self.bodies.items())
            if around
            else False
        )

    @cached_property
    def taken(self) -> dict[str, set[str]]:
        """The words of what each procedure and phase takes from, sets, or hands to another."""
        parts = ("procedures", "phases")
        return {key.value: set(taking(value)) for part in parts for key, value in self.game.section(part)}

    @cached_property
    def places(self) -> dict[str, Span]:
        """Where each procedure and phase stands."""
        return {key.value: value.span for part in ("procedures", "phases") for key, value in self.game.section(part)}

    @cached_property
    def bodies(self) -> dict[str, set[str]]:
        """The words of each procedure and phase."""
        parts = ("procedures", "phases")
        return {key.value: set(changing(value)) for part in parts for key, value in self.game.section(part)}


def taking(node: Node) -> Iterator[str]:
    """The words of the steps that lose, set or hand over something, and of those that are the author's own."""
    for step in below(node, ()):
        if not gives(step):
            yield from changing(step.node)


def gives(step: Step) -> bool:
    """Whether a step takes nothing itself: it adds to something, or has steps of its own."""
    verb = step.defined
    if verb is None:
        return False
    held = any(key.shape in HOLDS for key in (verb.value, *verb.keys.values()))
    return held or (step.change is not None and step.change[0])


def elsewhere(word: str) -> bool:
    """Whether a word is a verb after which rules, or who runs the procedure, may take something, or is that of an effect."""
    verb = verbs().get(word)
    return word == "effect" or (verb is not None and (verb.group == "events" or verb.traits.inside == "result"))


def changing(node: Node) -> Iterator[str]:
    """The words of steps, verbs included, without those of conditions and texts."""
    match node:
        case ScalarNode():
            yield from WORD.findall(node.value)
        case MapNode():
            for key, value in node.entries:
                if key.value not in SAID:
                    yield from WORD.findall(key.value)
                    yield from changing(value)
        case ListNode():
            for item in node.items:
                yield from changing(item)

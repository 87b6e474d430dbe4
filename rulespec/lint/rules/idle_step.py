"""A step that changes nothing, or whose change is undone or overwritten at once."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.stages import Step, names_of, steps
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import MapNode, ScalarNode, as_data

RULE = LintRule("L102")
TEXT = attrgetter("value")
TWICE = {"set", "add", "lose", "move", "look", "reveal", "win", "lose game"}  # steps that nobody does twice in a row
SAID = ("log", "cites", "about")
HELP = ("was another name meant in one of them?",)


def check(game: LintGame) -> Iterator[Finding]:
    """Steps from a place to itself, of a variable to itself, and neighbours of which one makes the other idle."""
    for step in steps(game):
        yield from upon_itself(step)
        following = step.following[0] if step.following else None
        if isinstance(following, MapNode):
            yield from beside(game, step, Step(following, (), (), ()))


def upon_itself(step: Step) -> Iterator[Finding]:
    """A step that goes back to where it comes from."""
    goal = step.scalar("to")
    source = step.operand if step.verb == "set" else step.scalar("from")
    if step.verb not in ("set", "move", "draw", "transfer") or not isinstance(source, ScalarNode) or goal is None:
        return
    if " ".join(source.value.split()) == " ".join(goal.value.split()):
        what = "set to what it is" if step.verb == "set" else "the place that it comes from"
        yield Finding(RULE, f"this is {what}: the step changes nothing", goal.span, help=("was another name meant?",))


def beside(game: LintGame, step: Step, other: Step) -> Iterator[Finding]:
    """Two steps in a row that are the same, write the same, or undo each other."""
    first, second = meaning(step.node), meaning(other.node)
    if step.verb in TWICE and first == second:
        yield Finding(
            RULE,
            "the same step stands twice",
            game.line_of(other.node.span),
            help=HELP,
            related=((game.line_of(step.node.span), "the first"),),
        )
    elif step.verb == other.verb == "set" and first["set"] == second["set"] and not {"if", "then"} & {*first, *second}:
        value = other.scalar("to")
        target = step.operand
        if value is not None and isinstance(target, ScalarNode) and not names_of(target) & names_of(value):
            yield Finding(
                RULE,
                f"{ticked(target.value)} is set twice in a row: what it was set to first is lost",
                game.line_of(other.node.span),
                help=HELP,
                related=((target.span, "the first"),),
            )
    elif {step.verb, other.verb} == {"add", "lose"} and step.operand is not None and other.operand is not None:
        amounts = as_data(step.operand, TEXT), as_data(other.operand, TEXT)
        places = [s.scalar("to" if s.verb == "add" else "from") for s in (step, other)]
        if (
            amounts[0] == amounts[1]
            and places[0] is not None
            and places[1] is not None
            and places[0].value == places[1].value
        ):
            yield Finding(
                RULE,
                "one of these steps undoes the other",
                places[1].span,
                help=HELP,
                related=((places[0].span, "the first"),),
            )


def meaning(node: MapNode) -> dict[str, object]:
    """A step without what is only told."""
    return {key.value: as_data(value, TEXT) for key, value in node.entries if key.value not in SAID}

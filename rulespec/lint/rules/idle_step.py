"""A step that changes nothing, or whose change is undone or overwritten at once."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from rulespec.language.registry import Role
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.stages import Step, names_of, steps
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import MapNode, as_data

RULE = LintRule("L102")
TEXT = attrgetter("value")
ONCE: tuple[Role, ...] = (
    "target",
    "goal",
    "source",
    "shown",
    "winner",
    "loser",
)  # of steps that nobody does twice in a row
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
    goal, source = step.part("goal", "value"), step.part("source", "deck", "target")
    if source is None or goal is None:
        return
    if " ".join(source.value.split()) == " ".join(goal.value.split()):
        what = "set to what it is" if step.assigned is not None else "the place that it comes from"
        yield Finding(RULE, f"this is {what}: the step changes nothing", goal.span, help=("was another name meant?",))


def beside(game: LintGame, step: Step, other: Step) -> Iterator[Finding]:
    """Two steps in a row that are the same, write the same, or undo each other."""
    first, second = meaning(step.node), meaning(other.node)
    set_first, set_then = step.assigned, other.assigned
    if step.role("deck") is None and first == second and any(step.role(role) is not None for role in ONCE):
        yield Finding(
            RULE,
            "the same step is written twice",
            game.line_of(other.node.span),
            help=HELP,
            related=((game.line_of(step.node.span), "the first"),),
        )
    elif set_first is not None and set_then is not None and not {"if", "then"} & {*first, *second}:
        value = other.part("value")
        same = as_data(set_first, TEXT) == as_data(set_then, TEXT)
        if value is not None and same and not names_of(set_first) & names_of(value):
            yield Finding(
                RULE,
                f"{ticked(set_first.value)} is set twice in a row: what it was set to first is lost",
                game.line_of(other.node.span),
                help=HELP,
                related=((set_first.span, "the first"),),
            )
    elif (one := step.change) is not None and (two := other.change) is not None and one[0] != two[0]:
        (_, place, amount), (_, again, back) = one, two
        if as_data(amount, TEXT) == as_data(back, TEXT) and place.value == again.value:
            yield Finding(
                RULE,
                "one of these steps undoes the other",
                again.span,
                help=HELP,
                related=((place.span, "the first"),),
            )


def meaning(node: MapNode) -> dict[str, object]:
    """A step without what is only told."""
    return {key.value: as_data(value, TEXT) for key, value in node.entries if key.value not in SAID}

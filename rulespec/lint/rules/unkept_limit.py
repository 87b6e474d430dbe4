"""A limit that is seen to after some steps that can exceed it, and not after others.

- draw: 2
  from: deck
  to: active.hand
- while: size(active.hand) > 5     # the limit
  do: [discard]
...
- draw: 1                          # and who draws here keeps six
  from: deck
  to: active.hand
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.expr import syntax
from rulespec.language.registry import Role
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.stages import alone, called, parsed
from rulespec.lint.trees import scalars
from rulespec.system.records import dataclass
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

RULE = LintRule("L117", "note")
TAKEN: tuple[Role, ...] = ("source", "deck", "candidates", "target")
BODIES = ("procedures", "phases")


@dataclass(frozen=True, slots=True)
class Place:
    """A step of a procedure or phase, with the steps that come behind it up to the end of that body."""

    step: Node
    body: str
    behind: tuple[Node, ...]


def check(game: LintGame) -> Iterator[Finding]:
    """Steps that fill what has a limit elsewhere, and behind which nothing looks at the limit, nor where their procedure is run."""
    limits = Limits(game)
    for name, tests in limits.tests.items():
        fillers = [place for place in limits.places if filled(place.step) == name]
        unkept = [place for place in fillers if not limits.kept(name, place, frozenset())]
        for place in unkept if len(unkept) < len(fillers) else ():
            yield Finding(
                RULE,
                f"{ticked(name)} has a limit, and nothing looks at it after this step",
                game.line_of(place.step.span),
                help=("if the limit always holds, look at it here as well",),
                related=((tests[0].span, "the limit, which is looked at after other steps"),),
            )


class Limits:
    """The limits of zones and numbers, by name, and which steps look at them."""

    def __init__(self, game: LintGame) -> None:
        bodies = [(key.value, node) for part in BODIES for key, node in game.section(part)]
        self.runs = {name: {*called(node)} & {name for name, _ in bodies} for name, node in bodies}
        self.places = [place for name, node in bodies for place in places(node, name, ())]
        names = {v.name for v in game.context.variables} | {zone.name for zone in game.context.zones}
        self.tests: dict[str, list[ScalarNode]] = {}  # where each limit is looked at
        self.lookers: dict[str, set[str]] = {}  # the bodies that do so, or run one that does
        for place in self.places:
            limit = limited(place.step)
            if limit is not None and limit[0] in names:
                self.tests.setdefault(limit[0], []).append(limit[1])
                self.lookers.setdefault(limit[0], set()).add(place.body)
        for lookers in self.lookers.values():
            while more := {name for name, runs in self.runs.items() if runs & lookers} - lookers:
                lookers |= more

    def kept(self, name: str, place: Place, seen: frozenset[str]) -> bool:
        """Whether a limit is looked at behind a step, or behind every call of the body that it ends."""
        if any(self.looks(name, node) for node in place.behind):
            return True
        calls = [one for one in self.places if place.body in first_word(one.step) and one.body not in seen]
        return bool(calls) and all(self.kept(name, call, seen | {place.body}) for call in calls)

    def looks(self, name: str, node: Node) -> bool:
        """Whether a step, or what it runs, looks at a limit."""
        runs = {*called(node), *first_word(node)}
        return bool(runs & self.lookers[name]) or any(node.span.holds(test.span) for test in self.tests[name])


def first_word(step: Node) -> set[str]:
    """The verb of a step, which may be a procedure."""
    match step:
        case ScalarNode():
            return {step.value}
        case MapNode() if step.entries:
            return {step.entries[0][0].value}
        case _:
            return set()


def places(node: Node, body: str, behind: tuple[Node, ...]) -> Iterator[Place]:
    """Every step in a node."""
    match node:
        case MapNode():
            for _, value in node.entries:
                yield from places(value, body, behind)
        case ListNode():
            for number, item in enumerate(node.items):
                after = (*node.items[number + 1 :], *behind)
                yield Place(item, body, after)
                yield from places(item, body, after)
        case _:
            pass


def filled(step: Node) -> str | None:
    """The zone or number that a step fills; one that hands a number on from one to another fills none."""
    filling = alone(step)
    handed = filling is not None and filling.role("amount") is not None and filling.role("source") is not None
    goal = filling.part("goal") if filling is not None and not handed else None
    return part(parsed(goal.value)) if goal is not None else None


def limited(step: Node) -> tuple[str, ScalarNode] | None:
    """The zone or number of which a step takes what is above a bound, and where it looks at it."""
    tested = alone(step)
    test = tested.part("test") if tested is not None else None
    tree = parsed(test.value) if test is not None else None
    if tested is None or test is None or not isinstance(tree, syntax.Compare) or tree.op not in (">", ">="):
        return None
    counted = tree.left
    if isinstance(counted, syntax.Call) and isinstance(counted.func, syntax.Name) and counted.func.id == "size":
        counted = counted.args[0]
    name = part(counted)
    taken = [word.value for one in takes(tested.node) for word in scalars(one)]
    return (name, test) if name is not None and any(re.search(rf"\b{name}\b", word) for word in taken) else None


def takes(step: MapNode) -> Iterator[Node]:
    """The nodes of what the steps under a condition take something from, or set."""
    for key in ("do", "then"):
        for place in places(step, "", ()) if step.get(key) is not None else ():
            if (taking := alone(place.step)) is not None:
                yield from (value for role in TAKEN if (value := taking.role(role)) is not None)


def part(tree: syntax.Node | None) -> str | None:
    """The zone or variable that an expression is, of whomever."""
    match tree:
        case syntax.Name(id=name) | syntax.Attr(name=name):
            return name
        case _:
            return None

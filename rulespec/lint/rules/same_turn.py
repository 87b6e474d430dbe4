"""A turn that does not pass, or passes the wrong way round the table."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.language.types import PLAYER
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.stages import Step, alone, below, called, steps
from rulespec.lint.trees import scalars
from rulespec.text.numbers import natural
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode

RULE = LintRule("L107")
RIGHT = re.compile(r"^right_of\((\w+)\)$")
ROUND = re.compile(
    r"\b(right|counter|anti-?clockwise|widdershins|revers\w*|direction|backwards?|other way)\b", re.IGNORECASE
)
DEPTH = 4


def check(game: LintGame) -> Iterator[Finding]:
    """Loops of a whole game in which one variable is asked and never set, and a player variable that goes to the right."""
    yield from unmoved(game)
    yield from backwards(game)


def holders(game: LintGame) -> set[str]:
    """The variables that are a player of the table."""
    return {v.name for v in game.context.variables if v.type == PLAYER and not v.per and v.scope is None and not v.told}


def unmoved(game: LintGame) -> Iterator[Finding]:
    """Outermost loops that ask the same player again and again."""
    if game.context.counts[-1] < 2:
        return
    variables = holders(game)
    changed = {v.name for v in game.context.variables if v.base in game.changed}
    outer = [step for step in steps(game) if step.traits.loops == "rounds" and outermost(game, step)]
    for step in outer:
        body = step.node.get("do")
        count = step.operand
        if body is None or (len(outer) > 1 and isinstance(count, ScalarNode) and natural(count.value) is not None):
            continue
        reached = list(run(game, body, DEPTH))
        asked = {
            chooser.value: chooser
            for inner in reached
            if (chooser := asker(inner)) is not None and chooser.value in variables
        }
        written = {target.value for inner in reached for target in targets(inner)}
        others = any(inner.traits.loops == "items" or inner.traits.seals for inner in reached)
        for name in sorted(asked.keys() & changed - written):
            if not others:
                yield Finding(
                    RULE,
                    f"{ticked(name)} is asked each time, and nothing in this loop sets it: the turn never passes",
                    game.line_of(step.node.span),
                    help=(f"is a step missing, such as `set: {name}` with `to: left_of({name})`?",),
                    related=((asked[name].span, "who is asked"),),
                )


def outermost(game: LintGame, step: Step) -> bool:
    """Whether a loop stands in the phase that is the whole game, and in no other loop there; or in what it runs outside of loops."""
    if any(inside.traits.loops for inside in map(alone, step.around) if inside is not None):
        return False
    main = next((node for key, node in game.section("phases") if key.value == "game"), None)
    straight = {id(main)} | {id(node) for node in straightly(game, main, DEPTH)} if isinstance(main, MapNode) else set()
    return any(id(around) in straight for around in step.around)


def straightly(game: LintGame, node: MapNode, depth: int) -> Iterator[MapNode]:
    """The procedures that a body runs outside of its loops."""
    body = node.get("do")
    items = list(body) if body is not None and not isinstance(body, ScalarNode | MapNode) else []
    for item in items if depth else ():
        verb = (
            item.value
            if isinstance(item, ScalarNode)
            else item.entries[0][0].value
            if isinstance(item, MapNode) and item.entries
            else ""
        )
        procedure = game.context.procedures.get(verb)
        if procedure is not None:
            yield procedure.node
            yield from straightly(game, procedure.node, depth - 1)


def run(game: LintGame, node: Node, depth: int) -> Iterator[Step]:
    """The steps in a node and in what it runs."""
    yield from below(node, ())
    for name in {*called(node), *(word.value for word in scalars(node) if word.value in game.context.menus)}:
        procedure = game.context.procedures.get(name)
        menu = game.context.menus.get(name)
        inner = procedure.node if procedure is not None else menu.node if menu is not None else None
        if inner is not None and depth:
            yield from run(game, inner, depth - 1)


def asker(step: Step) -> ScalarNode | None:
    """Who is asked by a step, or whose turn it runs."""
    return step.part("asked")


def targets(step: Step) -> Iterator[ScalarNode]:
    """What a step sets."""
    for role in ("target", "result"):
        if (target := step.part(role)) is not None:
            yield target


def backwards(game: LintGame) -> Iterator[Finding]:
    """A turn that goes to the right, and no text speaks of it."""
    if game.context.counts[-1] < 3:
        return
    words = [scalar.value for scalar in scalars(game.context.root)]
    if any(ROUND.search(re.sub(r"right_of", "", word)) for word in words):
        return
    for step in steps(game):
        target, value = step.part("target"), step.part("value")
        if target is None or value is None:
            continue
        match = RIGHT.match(value.value)
        if match is not None and match[1] == target.value and target.value in holders(game):
            yield Finding(
                RULE,
                f"{ticked(target.value)} goes to the right, against the clock, and no text of the game says so",
                value.span,
                help=(f"write `left_of({match[1]})`, or say in `about` that play goes counter-clockwise",),
            )

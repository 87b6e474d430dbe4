"""A body that was copied and left as it was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.stages import WORD, read, steps
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode, as_data

RULE = LintRule("L111")
TEXT = attrgetter("value")
FEWEST = 4  # words of a body that is no accident
OPPOSITE = {"more", "fewer"}


def check(game: LintGame) -> Iterator[Finding]:
    """Two functions or values of one body, opposite ways of a `match` that do the same, and a way that is another's with its name."""
    yield from functions(game)
    for step in steps(game):
        ways = step.shaped("arms")
        if isinstance(ways, MapNode):
            yield from of_match(game, ways)


def functions(game: LintGame) -> Iterator[Finding]:
    """Functions, values and conditions beside each other with the same parameters and the same body."""
    sections: list[Iterable[tuple[ScalarNode, Node]]] = [game.section("functions"), game.section("conditions")]
    sections += [node.entries for _, node in game.section("values") if isinstance(node, MapNode)]
    for section in sections:
        bodies: dict[str, ScalarNode] = {}
        for key, node in section:
            body = node.get("is") if isinstance(node, MapNode) else node
            if not isinstance(body, ScalarNode) or len(WORD.findall(body.value)) < FEWEST:
                continue
            takes = node.get("takes") if isinstance(node, MapNode) else None
            mark = repr((" ".join(body.value.split()), as_data(takes, TEXT) if takes is not None else None))
            if mark in bodies:
                yield Finding(
                    RULE,
                    f"{ticked(key.value)} is the same as {ticked(bodies[mark].value)}",
                    game.line_of(body.span),
                    help=("was the body copied and left as it was? Otherwise use one of them in place of the other",),
                    related=((bodies[mark].span, "the other"),),
                )
            bodies.setdefault(mark, key)


def of_match(game: LintGame, ways: MapNode) -> Iterator[Finding]:
    """The ways of one `match`."""
    bodies = {key.value: (key, node) for key, node in ways.entries}
    if bodies.keys() >= OPPOSITE:
        more, fewer = bodies["more"][1], bodies["fewer"][1]
        if (data := as_data(fewer, TEXT)) and data == as_data(more, TEXT):
            yield Finding(
                RULE,
                "`fewer` does the same as `more`",
                game.line_of(fewer.span),
                help=("was it copied and left as it was?",),
                related=((game.line_of(more.span), "`more`"),),
            )
    for name, (key, body) in bodies.items():
        words = read(body, texts=False)
        for other, (_, model) in bodies.items():
            if other != name and other in words and name not in words and within(body, model):
                yield Finding(
                    RULE,
                    f"what {ticked(name)} does is done for {ticked(other)}, as {ticked(other)} itself does it",
                    game.line_of(body.span),
                    help=(f"was {ticked(name)} meant?",),
                    related=((key.span, ticked(name)),),
                )


def within(body: Node, model: Node) -> bool:
    """Whether each step of a body stands in another one, too."""
    steps, others = as_data(body, TEXT), as_data(model, TEXT)
    return (
        isinstance(steps, list) and isinstance(others, list) and bool(steps) and all(step in others for step in steps)
    )

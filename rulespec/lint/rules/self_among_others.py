"""A choice of another player that includes the one who chooses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.stages import Step
from rulespec.lint.trees import scalars, written
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

RULE = LintRule("L096")
OTHER = re.compile(
    r"\b(another|other|others|opponent|opponents|rival|enemy|somebody else|someone else)\b", re.IGNORECASE
)
EVERYBODY = {"players", "Player"}


def check(game: LintGame) -> Iterator[Finding]:
    """Choices from all players with no condition, whose text speaks of another, or whose steps move something from him to the chooser."""
    for node in written(game):
        if not isinstance(node, ListNode):
            continue
        for number, step in enumerate(node.items):
            if not isinstance(step, MapNode) or not of_everybody(step):
                continue
            say, source = step.get("say"), step.get("from")
            assert source is not None
            if isinstance(say, ScalarNode) and (word := OTHER.search(say.value)):
                why, place = "the question speaks of another", say.at(*word.span())
            elif (taken := taking(step, node.items[number + 1 :])) is not None:
                why, place = "what is his is moved to the one who chooses", taken.span
            else:
                continue
            yield Finding(
                RULE,
                "the one who chooses is among those to choose from",
                source.span,
                help=("leave that player out: `from: players - set(me)`, or whoever chooses for `me`",),
                related=((place, why),),
            )


def of_everybody(step: MapNode) -> bool:
    """Whether a step is a choice of one from all players, whoever it is."""
    source = Step(step, (), (), ()).part("candidates")
    plain = step.get("only") is None and step.get("count") is None
    return plain and source is not None and source.value in EVERYBODY


def taking(step: MapNode, following: tuple[Node, ...]) -> ScalarNode | None:
    """Where a later step moves from the chosen one's zone to the same zone of the chooser."""
    name, chooser = step.entries[0][1], step.get("by")
    if not isinstance(name, ScalarNode):
        return None
    me = chooser.value if isinstance(chooser, ScalarNode) else "me"
    for later in following:
        origin, target = (later.get("from"), later.get("to")) if isinstance(later, MapNode) else (None, None)
        if isinstance(origin, ScalarNode) and isinstance(target, ScalarNode):
            zone = origin.value.removeprefix(f"{name.value}.")
            if zone != origin.value and target.value == f"{me}.{zone}":
                return origin
        if any(re.search(rf"\b{name.value} (==|!=)|(==|!=) {name.value}\b", s.value) for s in scalars(later)):
            return None  # it tells him from others itself
    return None

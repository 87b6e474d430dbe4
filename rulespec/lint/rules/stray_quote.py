"""A text that ends with a quote which begins nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.stages import TEXTS
from rulespec.lint.trees import written
from rulespec.text.yaml_tree import MapNode, ScalarNode

RULE = LintRule("L116")
STRAY = re.compile(r'[^"]*[^"\s\d]"')  # five inches are 5"


def check(game: LintGame) -> Iterator[Finding]:
    """Texts without quotes around them in which one quote stands, at their end."""
    for node in written(game):
        for key, value in node.entries if isinstance(node, MapNode) else ():
            if key.value not in TEXTS or not isinstance(value, ScalarNode) or value.style != "plain":
                continue
            if STRAY.fullmatch(value.value):
                end = len(value.value)
                yield Finding(
                    RULE,
                    "people read this quote, which begins nowhere",
                    value.at(end - 1, end),
                    help=("put a quote before the text as well, or take this one out",),
                )

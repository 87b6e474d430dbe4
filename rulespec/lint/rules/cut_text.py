"""A text that YAML ends at a `#`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.trees import scalars

RULE = LintRule("L095")
REST = re.compile(r"[ \t]+#(?=[\d{])[^\r\n]*")


def check(game: LintGame) -> Iterator[Finding]:
    """Texts without quotes behind which ` #1` or ` #{n}` stands: no comment begins like that, and what people read ends before it."""
    for node in scalars(game.context.root):
        if node.style != "plain" or not node.value:
            continue
        rest = REST.match(node.span.source.text, node.span.end)
        if rest is not None:
            yield Finding(
                RULE,
                "the text ends before ` #`, which begins a comment",
                node.span,
                help=(f'quotes keep it: "{node.value}{rest[0]}"',),
            )

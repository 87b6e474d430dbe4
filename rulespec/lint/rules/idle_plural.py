"""A plural of a word that nothing is called."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.text.diagnostics import nearest
from rulespec.text.quoting import ticked

RULE = LintRule("L081")


def check(game: LintGame) -> Iterator[Finding]:
    """Plurals of words that are no title, no noun, and not counted."""
    context = game.context
    called = {word for kind in context.kinds.values() for word in (kind.noun, *kind.labels)}
    sizes = (sized.context for sized in game.checked.sizes.values())
    called |= {label for sized in sizes for kind in sized.kinds.values() for label in kind.labels} | context.counted
    for key, _ in game.section("plurals"):
        if key.value not in called:
            message = f"nothing is called {ticked(key.value)}, and no `counted` speaks of it, so that its plural is never read"
            near = nearest(key.value, called) or next((w for w in called if w.casefold() == key.value.casefold()), None)
            help_ = (f"did you mean {ticked(near)}? A word stands here as people read it",) if near else ()
            yield Finding(RULE, message, key.span, help=help_)

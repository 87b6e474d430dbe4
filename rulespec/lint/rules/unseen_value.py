"""Something that is shown and follows from what nobody sees."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame

RULE = LintRule("L082", "note")


def check(game: LintGame) -> Iterator[Finding]:
    """Shown values that no seat may know by the declared visibility, of no player or other member, in no setup that is tried."""
    if not game.program.shown:
        return
    from rulespec.lint.flow.unseen import unseen  # much, which a game without secrets does not need

    hidden = unseen(game.checked)
    for function in game.context.shown:
        if function.index in hidden:
            message = f"`{function.name}` is shown, and nobody sees all that it follows from"
            yield Finding(
                RULE,
                message,
                function.span,
                ("show what follows from things that players see, or let them see these: `seen by:`",),
            )

"""Places, links or a graph of a map that nothing asks about."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.text.quoting import ticked

RULE = LintRule("L026")


def check(game: LintGame) -> Iterator[Finding]:
    """Kinds of places and links that nothing speaks of, and graphs that no function of maps is given."""
    for kind in game.kinds():
        if kind.what in ("node", "link") and not game.spoken_of(kind):
            noun = "places" if kind.what == "node" else "links"
            yield Finding(RULE, f"nothing speaks of the {noun} `{kind.name}`", kind.span)
        for name, graph in kind.graphs.items():
            if ("graph", name) not in game.context.in_play:
                yield Finding(RULE, f"nothing walks on the graph {ticked(name)}", graph.span)

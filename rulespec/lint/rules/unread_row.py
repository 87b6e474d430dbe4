"""A row of a table that nothing looks up."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.checker import symbols
from rulespec.expr import syntax
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.trees import typed_in_rules
from rulespec.text.quoting import ticked
from rulespec.text.source import Span

RULE = LintRule("L112")


def check(game: LintGame) -> Iterator[Finding]:
    """Tables by one key that are only looked up by name, and a row that nobody names."""
    tables = {
        symbol.name: symbol
        for symbol in game.context.names.values()
        if isinstance(symbol, symbols.Table) and len(symbol.keys) == 1 and isinstance(symbol.keys[0], symbols.Kind)
    }
    if not tables:
        return
    asked: dict[str, set[str]] = {name: set() for name in tables}
    places: dict[str, list[Span]] = {name: [] for name in tables}
    for scalar, tree, _ in typed_in_rules(game):
        calls = {id(node.func) for node in syntax.walk(tree) if isinstance(node, syntax.Call)}
        for node in syntax.walk(tree):
            match node:
                case syntax.Call(syntax.Name(name), (syntax.Name(key),)) if name in tables:
                    asked[name].add(key)
                    places[name].append(scalar.at(node.start, node.end))
                case syntax.Call(syntax.Name(name)) if name in tables:
                    asked[name].add("")
                case syntax.Attr(_, name) | syntax.Name(name) if name in tables and id(node) not in calls:
                    asked[name].add("")  # of each player, or all of it
    for name, table in tables.items():
        kind = table.keys[0]
        assert isinstance(kind, symbols.Kind)
        if len(asked[name]) < 2 or not asked[name] <= set(kind.members):
            continue
        for row, span in table.spans.items():
            member = kind.members[row[0]]
            if member not in asked[name]:
                yield Finding(
                    RULE,
                    f"nothing looks up what {ticked(name)} says of {ticked(member)}",
                    span,
                    help=("was it meant where another row is looked up?",),
                    related=tuple((place, "looked up here") for place in places[name][:3]),
                )

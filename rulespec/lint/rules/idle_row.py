"""A row for a number of players that cannot be."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.checker import symbols
from rulespec.lint.finding import Edit, Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.text.source import Span
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode

RULE = LintRule("L071")


def check(game: LintGame) -> Iterator[Finding]:
    """Rows of tables by `players` for more or fewer players than the game is for."""
    for name, node in game.section("tables"):
        table = game.context.names.get(name.value)
        if isinstance(table, symbols.Table) and isinstance(node, MapNode):
            yield from rows(game, node.get("rows"), table.keys)


def rows(game: LintGame, node: Node | None, keys: tuple[object, ...]) -> Iterator[Finding]:
    """The rows under one key, and those below them."""
    if not isinstance(node, MapNode) or not keys:
        return
    counts = game.context.counts
    for key, value in node.entries:
        number = key.resolve()
        if keys[0] == "players" and number not in counts:
            yield Finding(
                RULE,
                f"the game is never played by {number}",
                key.span,
                expected=f"{counts[0]}..{counts[-1]}",
                fix=removed(node, key, value),
            )
        else:
            yield from rows(game, value, keys[1:])


def removed(node: MapNode, key: ScalarNode, value: Node) -> tuple[Edit, ...]:
    """The row taken out: its whole lines, if nothing else stands on them and it is not the only one."""
    source = key.span.source
    first, last = key.span.line, source.position(value.span.end)[0]
    start = source.line_start(first)
    before = source.text[start : key.span.start]
    after = source.line(last)[source.position(value.span.end)[1] - 1 :]
    if before.strip() or after.strip()[:1] not in ("", "#") or len(node.entries) < 2:
        return ()
    text = source.text
    end = text.find("\n", value.span.end)
    return (Edit(Span(source, start, len(text) if end < 0 else end + 1), ""),)

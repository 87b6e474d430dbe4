"""Snippets of games (the examples of the docs) completed to whole games, so that they can be checked.

A snippet is a list of steps, or a mapping of sections that are laid over those of the example game, or a whole game
with `rulespec:` in it.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from rulespec.language.registry import verbs
from rulespec.loading.reading import read_tree
from rulespec.text.diagnostics import Diagnostic, Diagnostics
from rulespec.text.source import Source
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode, parse

FILE = Path(__file__).parent.parent / "library" / "example_game.yaml"
PARAMETERS = ("me", "p", "q", "a", "b")  # what steps may speak of: players
BOUND = re.compile(r"\b(\w+) in ")


@cache
def example_game() -> str:
    """The text of the example game."""
    return FILE.read_text(encoding="utf-8")


def check_snippet(text: str) -> tuple[Diagnostic, ...]:
    """The findings in a snippet."""
    diagnostics = Diagnostics()
    root = parse(Source("example", text), diagnostics)
    if root is not None and not diagnostics.has_errors:
        completed_text = completed(root, text, diagnostics)
        read_tree(completed_text, None, diagnostics)
    return diagnostics.sorted()


def completed(root: Node, text: str, diagnostics: Diagnostics) -> Node:
    """The whole game that a snippet stands for."""
    if isinstance(root, MapNode) and "rulespec" in root:
        return root
    base = parse(Source("the example game", example_game()), diagnostics)
    assert isinstance(base, MapNode)
    if isinstance(root, ListNode):
        root = sections({"procedures": sections({"an_example": procedure(root, text)}, root)}, root)
    return overlay(base, root) if isinstance(root, MapNode) else root


def procedure(steps: ListNode, text: str) -> MapNode:
    """Steps as a procedure whose parameters are players, without those names that the steps bind themselves."""
    bound = set(BOUND.findall(text))
    words = {step.entries[0][0].value for step in steps.items if isinstance(step, MapNode) and step.entries}
    words |= {step.value for step in steps.items if isinstance(step, ScalarNode)}
    around = {verbs()[word].traits.inside for word in words if word in verbs()}
    takes = sections({name: scalar("Player", steps) for name in PARAMETERS if name not in bound}, steps)
    parts: dict[str, Node] = {"takes": takes, "do": steps}
    if "result" in around:
        parts["gives"] = scalar("Player", steps)
    if "loop" in around:
        loop = sections({"repeat": scalar("9", steps), "do": steps}, steps)
        parts["do"] = ListNode((loop,), steps.span)
    return sections(parts, steps)


def scalar(text: str, at: Node) -> ScalarNode:
    return ScalarNode(text, "plain", at.span)


def sections(parts: dict[str, Node], at: Node) -> MapNode:
    return MapNode(tuple((scalar(name, at), node) for name, node in parts.items()), at.span)


def overlay(base: MapNode, top: MapNode) -> MapNode:
    """A mapping in which the entries of another replace entries of the same name."""
    entries = []
    for key, node in base.entries:
        over = top.get(key.value)
        if isinstance(over, MapNode) and isinstance(node, MapNode):
            over = overlay(node, over)
        entries.append((top.key(key.value) or key, node if over is None else over))
    entries.extend(entry for entry in top.entries if entry[0].value not in base)
    return MapNode(tuple(entries), top.span)

"""Keys of a step that a dash has made steps of their own: `- choose: n`, `- by: p1`."""

from __future__ import annotations

from dataclasses import replace

from rulespec.language.registry import verbs
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode, Node

OF_STEPS = ("procedures", "phases", "rules", "rules of", "scopes", "lasting", "menus", "events")


def without_stray_dashes(root: MapNode, diagnostics: Diagnostics) -> MapNode:
    """The game with such keys put back into their steps; each step with any is reported once (E500)."""
    own = root.get("procedures")
    names = set(own.keys()) if isinstance(own, MapNode) else set()
    entries = tuple(
        (key, joined(value, names, diagnostics) if key.value in OF_STEPS else value) for key, value in root.entries
    )
    return root if entries == root.entries else replace(root, entries=entries)


def joined(node: Node, procedures: set[str], diagnostics: Diagnostics) -> Node:
    """A part of a game, with keys put back."""
    if isinstance(node, MapNode):
        entries = tuple((key, joined(value, procedures, diagnostics)) for key, value in node.entries)
        same = all(new is old for (_, new), (_, old) in zip(entries, node.entries, strict=True))
        return node if same else replace(node, entries=entries)
    if not isinstance(node, ListNode):
        return node
    items: list[Node] = []
    told = False
    for item in node.items:
        inner = joined(item, procedures, diagnostics)
        before = items[-1] if items else None
        if isinstance(inner, MapNode) and isinstance(before, MapNode) and continues(before, inner, procedures):
            if not told:
                key, verb = inner.entries[0][0], before.entries[0][0].value
                diagnostics.add(
                    "E500",
                    f"{ticked(key.value)} is no step: it belongs to {ticked(verb)} above it",
                    key.span,
                    help=(
                        f"leave out this dash, and begin {ticked(f'{key.value}:')} in the column of {ticked(f'{verb}:')}",
                    ),
                )
            told = True
            items[-1] = replace(before, entries=(*before.entries, *inner.entries))
        else:
            told = False
            items.append(inner)
    same = len(items) == len(node.items) and all(new is old for new, old in zip(items, node.items, strict=True))
    return node if same else replace(node, items=tuple(items))


def continues(before: MapNode, step: MapNode, procedures: set[str]) -> bool:
    """Whether what is written as a step is keys of the step before it, which has them not."""
    if not before.entries or not step.entries:
        return False
    verb, words = verbs().get(before.entries[0][0].value), step.keys()
    return (
        verb is not None
        and words[0] not in verbs()
        and words[0] not in procedures
        and all(word in verb.keys and word not in before for word in words)
    )

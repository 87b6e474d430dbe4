"""What secrets of a game rest on: its tree as it is written and where, whatever else stands in its files.

A case, a comment behind the rules or a table of a study change nothing of it, so that what was found is found again: with the same
words at the same places, in texts that may be others by now.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulespec.text.source import Source
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode

if TYPE_CHECKING:
    from rulespec.checker.program import CheckedGame

OF_CASES = ("cases", "positions", "invariants")  # sections of which no secret is found


def rests_on(game: CheckedGame) -> tuple[str, dict[str, Source]] | None:
    """A digest of all that decides which secrets are found, and the texts that findings may speak of, by name.

    None where two of the texts have one name: it would not be known which of them is meant.
    """
    sources: dict[str, Source] = {}
    digest = hashlib.sha256()
    context = game.context
    trees = [("", context.root), *sorted(context.files.items())]
    for name, tree in trees:
        digest.update(f"\ntable {name!r}\n".encode("utf-8", "surrogatepass"))
        for node in parts(tree, tree is context.root):
            source, start, end = node.span.source, node.span.start, node.span.end
            if sources.setdefault(source.name, source) is not source:
                return None
            said = repr((type(node).__name__, source.name, start, end, *written(node)))
            digest.update(said.encode("utf-8", "surrogatepass"))
    return digest.hexdigest(), sources


def written(node: Node) -> tuple[object, ...]:
    """What a node says itself: a scalar its value and how it is written, others how many parts follow."""
    if isinstance(node, ScalarNode):
        return node.value, node.style, node.span.text
    return (len(node),)


def parts(node: Node, whole: bool = False) -> Iterator[Node]:
    """A node and all below it; of the `whole` game its sections, without those that speak of its cases."""
    waiting = [node]
    if whole and isinstance(node, MapNode):
        waiting = [part for entry in node.entries if entry[0].value not in OF_CASES for part in entry]
    while waiting:
        one = waiting.pop()
        yield one
        if isinstance(one, MapNode):
            waiting += (part for entry in one.entries for part in entry)
        elif not isinstance(one, ScalarNode):
            waiting += one.items

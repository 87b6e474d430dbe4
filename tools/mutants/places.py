"""The trees of a game's files as a change of their text sees them: where each part begins and ends."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.language.registry import verbs
from rulespec.system.records import dataclass
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

# What is written for people: it has no meaning that a machine could miss. `TEXTS` hold expressions in braces.
PROSE = frozenset({"about", "title", "cites", "noun", "sources", "rulespec", "id", "part of"})
TEXTS = frozenset({"say", "log", "why", "or none"})
GUARDS = frozenset(
    {"where", "only", "always", *(name for name, verb in verbs().items() if verb.value.role in ("test", "exit"))}
)

TreeSteps = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class TreePath:
    """A node of a tree with the keys and indices that lead to it."""

    node: Node
    path: TreeSteps

    @property
    def key(self) -> str:
        """The nearest key above."""
        return next((step for step in reversed(self.path) if isinstance(step, str)), "")


def walk(node: Node, path: TreeSteps) -> Iterator[TreePath]:
    """A node and all below it, but for what is written for people."""
    yield TreePath(node, path)
    if isinstance(node, MapNode):
        for key, value in node.entries:
            if key.value not in PROSE:
                yield from walk(value, (*path, key.value))
    elif isinstance(node, ListNode):
        for index, item in enumerate(node):
            yield from walk(item, (*path, index))


def end(node: Node) -> int:
    """Where a node's last character is: the end of a block as the parser tells it includes blank lines."""
    if isinstance(node, ScalarNode) or node.span.source.text[node.span.start : node.span.start + 1] in ("{", "["):
        return node.span.end
    if isinstance(node, MapNode):
        return end(node.entries[-1][1]) if node.entries else node.span.end
    return end(node.items[-1]) if node.items else node.span.end


def parts(node: MapNode | ListNode) -> list[tuple[int, int]]:
    """Where the entries of a mapping or the items of a list stand."""
    if isinstance(node, MapNode):
        return [(key.span.start, end(value)) for key, value in node.entries]
    return [(item.span.start, end(item)) for item in node]


def gap(neighbours: list[tuple[int, int]], index: int) -> tuple[int, int] | None:
    """What is cut where one of several neighbours is taken out, with what separates it from the next or from the one before."""
    if len(neighbours) < 2:
        return None
    if index + 1 < len(neighbours):
        return neighbours[index][0], neighbours[index + 1][0]
    return neighbours[index - 1][1], neighbours[index][1]


def is_steps(node: ListNode) -> bool:
    """Whether a list is one of steps."""
    return (
        bool(node.items)
        and all(isinstance(item, MapNode | ScalarNode) for item in node)
        and any(isinstance(item, MapNode) for item in node)
    )


def is_log(node: Node) -> bool:
    """Whether a step only writes a line of the log."""
    verb = verbs().get(node.keys()[0]) if isinstance(node, MapNode) and node.keys() else None
    return verb is not None and verb.value.role == "said"

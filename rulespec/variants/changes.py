"""Changes: how a variant changes the tree of its game, one after another.

Trees are immutable: each change makes a new one, which shares the unchanged nodes with the old one.  Every node keeps the place
where it is written, so that later findings in the changed game show a line of the game's file or of the variant's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rulespec.language.sections import BLOCKS
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode
from rulespec.variants.paths import FIXED, TreePlace, flat, resolve

VERBS = ("set", "replace", "insert", "remove")
WHERE = ("into", "before", "after")
Entry = tuple[ScalarNode, Node]
Identity = tuple[str, int, int, int]


@dataclass(frozen=True, slots=True)
class Touch:
    """Which nodes of its tree a change concerns: nodes by their identities, from the root.

    `writes` are the nodes that it changes, `reads` those that must exist for it, `adds` the keys that it adds to a mapping.
    """

    change: MapNode
    writes: tuple[Identity, ...] | None
    reads: tuple[Identity, ...] | None = None
    adds: frozenset[tuple[Identity, str]] = frozenset()


def identity(node: Node) -> Identity:
    """What identifies a node even when something inside it is changed: its class, and where it is written."""
    return type(node).__name__, id(node.span.source), node.span.start, node.span.end


def identities(place: TreePlace) -> tuple[Identity, ...]:
    """The identities of the nodes that lead to a place."""
    return (*(identity(above) for above, _ in place.trail), identity(place.node))


def data(node: Node, ordered: bool = False) -> Any:
    """The contents of a tree without layout, to be compared.  `ordered`: keys in another order differ."""
    if isinstance(node, MapNode):
        mapping = {key.value: data(value, ordered) for key, value in node.entries}
        return list(mapping.items()) if ordered else mapping
    if isinstance(node, ListNode):
        return [data(item, ordered) for item in node.items]
    return flat(node.value)


def changes_of(root: MapNode) -> list[MapNode]:
    """The changes that a variant lists."""
    listed = root.get("changes")
    return [item for item in listed.items if isinstance(item, MapNode)] if isinstance(listed, ListNode) else []


def verb_of(change: MapNode) -> str:
    """Which of the four kinds a change is."""
    return next((key for key in VERBS if key in change), "")


def apply(root: MapNode, changes: Sequence[MapNode], diagnostics: Diagnostics) -> tuple[MapNode, list[Touch]]:
    """The tree after some changes, and what each concerns; reports those that cannot be made, and leaves them out."""
    touched = []
    for change in changes:
        changed = Change(change, diagnostics).apply(root)
        if changed is not None:
            root = changed[0]
            touched.append(changed[1])
    return root, touched


class Change:
    """One change."""

    def __init__(self, node: MapNode, diagnostics: Diagnostics) -> None:
        self.node = node
        self.diagnostics = diagnostics

    def apply(self, root: MapNode) -> tuple[MapNode, Touch] | None:
        """The changed tree, or None if a fault was reported: V003 to V006, V008, V009, V011."""
        match verb_of(self.node):
            case "set":
                return self.set(root)
            case "replace":
                return self.replace(root)
            case "remove":
                return self.remove(root)
            case "insert":
                return self.insert(root)
        return None

    def error(
        self, code: str, message: str, span: Span, *, help: Sequence[str] = (), related: Sequence[tuple[Span, str]] = ()
    ) -> None:
        self.diagnostics.add(code, message, span, help=help, related=related)

    def path(self, key: str) -> ScalarNode | None:
        word = self.node.get(key)
        return word if isinstance(word, ScalarNode) else None

    def place_of(self, root: MapNode, key: str) -> TreePlace | None:
        """The place that a path names, if it contains what the change says under `was`."""
        word = self.path(key)
        place = None if word is None else resolve(root, word, self.diagnostics)
        was = self.node.get("was")
        if place is not None and was is not None and data(was) != data(place.node):
            self.error(
                "V006",
                f"`{place.text()}` is not what the variant says it was",
                was.span,
                help=["look whether the change still makes sense, then write what it is now"],
                related=[(place.span, "it is this now")],
            )
            return None
        return place

    def already(self, place: TreePlace, node: Node) -> bool:
        """Whether a change changes nothing; reports it."""
        old = place.node
        alike: bool = data(old, True) == data(node, True)
        if alike and isinstance(old, ScalarNode) and isinstance(node, ScalarNode):
            alike = old.resolve() == node.resolve()
        if alike:
            self.error(
                "V011",
                f"this changes nothing: `{place.text()}` is so already",
                node.span,
                related=[(place.span, "here")],
            )
        return alike

    # --- the four kinds -------------------------------------------------------------------------------------------------
    def set(self, root: MapNode) -> tuple[MapNode, Touch] | None:
        """`set`: another text or number."""
        place, node = self.place_of(root, "set"), self.node.get("to")
        if place is None or node is None:
            return None
        for target, where in ((place.node, self.node.get("set")), (node, node)):
            if not isinstance(target, ScalarNode) and where is not None:
                noun = "a mapping" if isinstance(target, MapNode) else "a list"
                self.error(
                    "V008",
                    f"`set` changes one text or number, and this is {noun}",
                    where.span,
                    help=["write `replace: ...` and `with: ...`"],
                    related=[(place.span, "this is meant")],
                )
                return None
        if self.already(place, node):
            return None
        return replaced(place, [node]), Touch(self.node, identities(place))

    def replace(self, root: MapNode) -> tuple[MapNode, Touch] | None:
        """`replace`: another node in its place; for an item of a list also several items."""
        place, node = self.place_of(root, "replace"), self.node.get("with")
        if place is None or node is None or self.already(place, node):
            return None
        if not place.trail:
            return None
        return replaced(place, items(place, node)), Touch(self.node, identities(place))

    def remove(self, root: MapNode) -> tuple[MapNode, Touch] | None:
        """`remove`: leave out the entry or item."""
        place = self.place_of(root, "remove")
        if place is None or not place.trail:
            return None
        return replaced(place, []), Touch(self.node, identities(place))

    def insert(self, root: MapNode) -> tuple[MapNode, Touch] | None:
        """`insert`: new entries in a mapping or items in a list, or beside one of them."""
        node = self.node.get("insert")
        where = [key for key in WHERE if key in self.node]
        if node is None:
            return None
        if len(where) != 1:
            key = self.node.key("insert" if not where else where[1])
            message = "`insert` wants one of `into`, `before` and `after` beside it"
            self.error("V008", message, (key or self.node).span)
            return None
        if where[0] == "into":
            return self.insert_into(root, node)
        place = self.place_of(root, where[0])
        if place is None or not place.trail:
            return None
        above, index = place.trail[-1]
        at = index + (where[0] == "after")
        reads = identities(place)
        if isinstance(above, ListNode):
            new = items(place, node)
            return up(place.trail[:-1], ListNode((*above.items[:at], *new, *above.items[at:]), above.span)), Touch(
                self.node, None, reads
            )
        return self.entries(place.trail[:-1], above, at, node, reads)

    def insert_into(self, root: MapNode, node: Node) -> tuple[MapNode, Touch] | None:
        """Insert at the end of a mapping or list; a section that the game does not have is added."""
        word = self.path("into")
        if (
            word is not None
            and word.value in BLOCKS["game"].keys
            and word.value not in root
            and word.value not in FIXED
        ):
            if not isinstance(node, MapNode):
                self.error("V008", f"`{word.value}` holds names, so a mapping must be inserted", node.span)
                return None
            merged = MapNode((*root.entries, (word, node)), root.span)
            adds = frozenset((("section", 0, 0, 0), f"{word.value}.{key.value}") for key, _ in node.entries)
            return merged, Touch(self.node, None, (identity(root),), adds)
        place = self.place_of(root, "into")
        if place is None:
            return None
        if isinstance(place.node, ListNode):
            new = tuple(node.items) if isinstance(node, ListNode) else (node,)
            return up(place.trail, ListNode((*place.node.items, *new), place.node.span)), Touch(
                self.node, None, identities(place)
            )
        if isinstance(place.node, MapNode):
            return self.entries(place.trail, place.node, len(place.node), node, identities(place))
        self.error(
            "V008",
            f"`{place.text()}` is a text: nothing can be inserted into it",
            (word or node).span,
            help=["write `replace: ...` and `with: ...`"],
            related=[(place.span, "this is meant")],
        )
        return None

    def entries(
        self, trail: tuple[Any, ...], above: MapNode, at: int, node: Node, reads: tuple[Identity, ...]
    ) -> tuple[MapNode, Touch] | None:
        """New entries of a mapping."""
        if not isinstance(node, MapNode):
            self.error(
                "V008",
                "names are expected here, each with what stands under it",
                node.span,
                related=[(above.span, "these are entries with names")],
            )
            return None
        faulty = False
        for key, _ in node.entries:
            first = above.key(key.value)
            if first is not None:
                self.error(
                    "V009",
                    f"there is a `{key.value}` already",
                    key.span,
                    related=[(first.span, "here")],
                    help=["to change it: `set` or `replace`"],
                )
                faulty = True
        if faulty:
            return None
        merged = MapNode((*above.entries[:at], *node.entries, *above.entries[at:]), above.span)
        adds = frozenset((identity(above), key.value) for key, _ in node.entries)
        return up(trail, merged), Touch(self.node, None, reads, adds)


def items(place: TreePlace, node: Node) -> list[Node]:
    """The items that replace an item or are put beside it: those of a list, or a single one; for an entry its value."""
    if place.key is not None or not isinstance(node, ListNode):
        return [node]
    if isinstance(place.node, ListNode) and not all(isinstance(item, ListNode) for item in node.items):
        return [node]  # the item is a list itself
    return list(node.items)


def replaced(place: TreePlace, new: Sequence[Node]) -> MapNode:
    """The tree with other nodes at a place; without any, the entry or item is left out."""
    above, index = place.trail[-1]
    if isinstance(above, ListNode):
        copy: MapNode | ListNode = ListNode((*above.items[:index], *new, *above.items[index + 1 :]), above.span)
    else:
        key = above.entries[index][0]
        copy = MapNode(
            (*above.entries[:index], *((key, node) for node in new), *above.entries[index + 1 :]), above.span
        )
    return up(place.trail[:-1], copy)


def up(trail: Sequence[tuple[MapNode | ListNode, int]], node: MapNode | ListNode) -> MapNode:
    """The whole tree around a new node."""
    for above, index in reversed(trail):
        if isinstance(above, ListNode):
            node = ListNode((*above.items[:index], node, *above.items[index + 1 :]), above.span)
        else:
            key = above.entries[index][0]
            node = MapNode((*above.entries[:index], (key, node), *above.entries[index + 1 :]), above.span)
    assert isinstance(node, MapNode)
    return node

"""Changes: how a variant changes the tree of its game, one after another.

A change is planned in the tree that its variant speaks of: a `Touch` says which place is meant and what comes there.  A touch can be
made in that tree, or in one that other variants have changed elsewhere: its place is found by the nodes on the way, not by the path.

Trees are immutable: each change makes a new one, which shares the unchanged nodes with the old one.  Every node keeps the place
where it is written, so that later findings in the changed game show a line of the game's file or of the variant's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from rulespec.language.sections import BLOCKS, is_mapping
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.quoting import ticked
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode
from rulespec.variants.everywhere import outermost, places
from rulespec.variants.paths import FIXED, TreePlace, flat, resolve

VERBS = ("set", "wrap", "replace", "insert", "remove")
BEFORE = re.compile(r"\bbefore\b")  # what was there, in what wraps it
NAME = re.compile(r"[\w.]+")
WHERE = ("into", "before", "after")
NAME_PLACES = ("set", "wrap", "replace", "remove", *WHERE)  # the keys under which a change writes its path
SEQUENCES = frozenset({("phases",), ("players",)})  # mappings whose order is a rule: what comes next, who sits where

Entry = tuple[ScalarNode | None, Node]  # what is put somewhere: an entry with its key, or an item
Identity = tuple[str, int, int, int]
Again = tuple[
    str, int, int, int, int
]  # an item that stands before in the list too, as `every` puts it there, and how often
Step = str | Identity | Again
Path = tuple[Step, ...]
Where = Literal["at", "into", "before", "after", "section"]


@dataclass(frozen=True, slots=True)
class Gap:
    """A place between two neighbours of a sequence; None is its beginning or its end."""

    within: Path
    left: Step | None
    right: Step | None

    def meets(self, other: Gap) -> bool:
        """Whether what is put into either may come to stand beside what is put into the other, in an order that nothing tells."""
        return self.within == other.within and (self.left == other.left or self.right == other.right)


@dataclass(frozen=True, slots=True)
class Touch:
    """What a change does: new nodes `at` a place instead of those that are there, or `into`, `before` or `after` it.

    `adds` are the paths of the keys that come to be, `gap` is where in a sequence items are inserted.  The path of a `section` that
    the game does not have is that of the game itself.
    """

    change: MapNode
    path: Path
    where: Where
    new: tuple[Entry, ...]
    adds: frozenset[Path] = frozenset()
    gap: Gap | None = None
    old: Node | None = None  # what stands at the place before
    behind: frozenset[Step] = frozenset()  # what others insert at the same place, and comes first
    ahead: frozenset[Step] = frozenset()  # the same, and comes later

    @property
    def writes(self) -> bool:
        """Whether it changes the place itself, and does not only need it."""
        return self.where == "at"

    @property
    def word(self) -> Span:
        """Where the change writes its path."""
        for key in NAME_PLACES:
            word = self.change.get(key)
            if isinstance(word, ScalarNode):
                return word.span
        return self.change.span

    def steps(self) -> frozenset[Step]:
        """The steps to what is new."""
        return frozenset(identity(node) if key is None else key.value for key, node in self.new)

    def shifted(self, above: MapNode | ListNode, at: int) -> int:
        """Where in a collection the new is put that is meant for an index, by what others have put there."""
        while self.where == "after" and at < len(above) and step_to(above, at) in self.behind:
            at += 1
        while self.where != "after" and at and step_to(above, at - 1) in self.ahead:
            at -= 1
        return at

    def renamed(self, names: Mapping[Identity, Identity]) -> Touch:
        """The same where some nodes go by the identities of others, which say the same."""
        if not names:
            return self

        def step(one: Step | None) -> Any:
            if not isinstance(one, tuple):
                return one
            known = names.get(one[:4])
            return one if known is None else (*known, *one[4:])

        def path(one: Path) -> Path:
            return tuple(map(step, one))

        gap = self.gap and Gap(path(self.gap.within), step(self.gap.left), step(self.gap.right))
        return replace(self, path=path(self.path), adds=frozenset(map(path, self.adds)), gap=gap)


def identity(node: Node) -> Identity:
    """What identifies a node even when something inside it is changed: its class, and where it is written."""
    return type(node).__name__, id(node.span.source), node.span.start, node.span.end


def step_to(above: MapNode | ListNode, index: int) -> Step:
    """The step to an entry or item: its key, or the identity of the item."""
    if isinstance(above, MapNode):
        return above.entries[index][0].value
    one = identity(above.items[index])
    before = sum(identity(item) == one for item in above.items[:index])
    return (*one, before) if before else one


def index_of(above: MapNode | ListNode, step: Step) -> int | None:
    """The entry or item to which a step leads, None where there is none."""
    if isinstance(above, MapNode) or isinstance(step, str):
        names = [key.value for key, _ in above.entries] if isinstance(above, MapNode) else []
        return names.index(step) if isinstance(step, str) and step in names else None
    alike = [index for index, item in enumerate(above.items) if identity(item) == step[:4]]
    before = step[4] if len(step) == 5 else 0
    return alike[before] if before < len(alike) else None


def path_of(place: TreePlace) -> Path:
    """The steps that lead to a place."""
    return tuple(step_to(above, index) for above, index in place.trail)


def follow(root: MapNode, path: Path) -> TreePlace | None:
    """The place to which steps lead, None where there is nothing."""
    place = TreePlace((), root)
    for step in path:
        node = place.node
        if isinstance(node, ScalarNode):
            return None
        at = index_of(node, step)
        if at is None:
            return None
        place = place.inner(at)
    return place


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
    """Which of the kinds a change is."""
    return next((key for key in VERBS if key in change), "")


def apply(
    root: MapNode, changes: Sequence[MapNode], diagnostics: Diagnostics, any_game: bool = False
) -> tuple[MapNode, list[Touch]]:
    """The tree after some changes, and what each does; reports those that cannot be made, and leaves them out."""
    touches = []
    for change in changes:
        planner = Change(change, diagnostics)
        for path in planner.paths(root, any_game):
            touch = planner.plan(root, path)
            if touch is not None:
                root = made(root, touch)
                touches.append(touch)
    return root, touches


def made(root: MapNode, touch: Touch) -> MapNode:
    """The tree after a change, also where other variants have changed other places."""
    if touch.where == "section":
        section = touch.change.get("into")
        assert isinstance(section, ScalarNode)
        place = follow(root, (section.value,))
        if place is None:
            inner = touch.change.get("insert")
            assert inner is not None
            return MapNode((*root.entries, (section, inner)), root.span)
    else:
        place = follow(root, touch.path)
    assert place is not None  # whoever takes it away is in conflict with this change
    if touch.where == "at":
        return replaced(place, [node for _, node in touch.new])
    if touch.where in ("before", "after"):
        above, index = place.trail[-1]
        at = touch.shifted(above, index + (touch.where == "after"))
        return up(place.trail[:-1], inserted(above, at, touch.new))
    assert not isinstance(place.node, ScalarNode)
    return up(place.trail, inserted(place.node, touch.shifted(place.node, len(place.node)), touch.new))


def inserted(above: MapNode | ListNode, at: int, new: Sequence[Entry]) -> MapNode | ListNode:
    """A collection with more entries or items."""
    if isinstance(above, MapNode):
        entries = tuple((key, node) for key, node in new if key is not None)
        return MapNode((*above.entries[:at], *entries, *above.entries[at:]), above.span)
    return ListNode((*above.items[:at], *(node for _, node in new), *above.items[at:]), above.span)


class Change:
    """One change."""

    def __init__(self, node: MapNode, diagnostics: Diagnostics) -> None:
        self.node = node
        self.diagnostics = diagnostics
        self.meant: TreePlace | None = None  # of several places the one that is planned

    def paths(self, root: MapNode, any_game: bool) -> list[Path | None]:
        """The places that are changed, one after another; None stands for the one that a path without `every` means."""
        verb = verb_of(self.node)
        keys = [key for key in WHERE if key in self.node] if verb == "insert" else [verb]
        word = self.path(keys[0]) if len(keys) == 1 and keys[0] else None
        found = None if word is None else places(root, word, self.diagnostics, any_game)
        if found is None and any_game and word is not None and verb != "insert":
            there = resolve(root, word, Diagnostics())  # what a game does not have, its variant does not change
            return [] if there is None else [path_of(there)]
        if found is None:
            return [None]
        if verb in ("replace", "remove"):
            found = outermost(found)
        # The last comes first, so that of items that are alike those that are left are counted as they were.
        return [path_of(place) for place in reversed(found)]

    def plan(self, root: MapNode, path: Path | None = None) -> Touch | None:
        """What the change does in a tree, or None if a fault was reported: V003 to V006, V008, V009, V011."""
        self.meant = None if path is None else follow(root, path)
        match verb_of(self.node):
            case "wrap":
                return self.wrap(root)
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
        place = self.meant
        if place is None and word is not None:
            place = resolve(root, word, self.diagnostics)
        was = self.node.get("was")
        if place is not None and was is not None and data(was) != data(place.node):
            self.error(
                "V006",
                f"{ticked(place.text())} is not what the variant says it was",
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
        if alike and self.meant is None:  # of several, some may be so already
            self.error(
                "V011",
                f"this changes nothing: {ticked(place.text())} is so already",
                node.span,
                related=[(place.span, "here")],
            )
        return alike

    # --- the kinds ------------------------------------------------------------------------------------------------------
    def set(self, root: MapNode) -> Touch | None:
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
        return self.at(place, [node])

    def wrap(self, root: MapNode) -> Touch | None:
        """`wrap`: another expression around the one that is there, which is `before` in it."""
        place, node = self.place_of(root, "wrap"), self.node.get("with")
        if place is None or node is None:
            return None
        old = place.node
        if not isinstance(old, ScalarNode) or not isinstance(node, ScalarNode):
            where = self.path("wrap") if isinstance(node, ScalarNode) else node
            message = "`wrap` puts an expression around another one, and this is none"
            self.error("V008", message, (where or node).span, related=[(place.span, "this is meant")])
            return None
        if not BEFORE.search(node.value):
            message = "what wraps an expression names it `before`, and this does not"
            self.error("V008", message, node.span, help=["to put another one in its place: `set`"])
            return None
        inner = old.value if is_atom(old.value) else f"({old.value})"
        return self.at(place, [wrapping(node, BEFORE.sub(lambda _: inner, node.value))])

    def replace(self, root: MapNode) -> Touch | None:
        """`replace`: another node in its place; for an item of a list also several items."""
        place, node = self.place_of(root, "replace"), self.node.get("with")
        if place is None or node is None or self.already(place, node):
            return None
        if not place.trail:
            return None
        return self.at(place, items(place, node))

    def remove(self, root: MapNode) -> Touch | None:
        """`remove`: leave out the entry or item."""
        place = self.place_of(root, "remove")
        if place is None or not place.trail:
            return None
        return self.at(place, [])

    def at(self, place: TreePlace, new: Sequence[Node]) -> Touch:
        """Other nodes instead of the one at a place."""
        return Touch(self.node, path_of(place), "at", tuple((None, node) for node in new), old=place.node)

    def insert(self, root: MapNode) -> Touch | None:
        """`insert`: new entries in a mapping or items in a list, or beside one of them."""
        node = self.node.get("insert")
        where = [key for key in WHERE if key in self.node]
        if node is None:
            return None
        if len(where) != 1:
            key = self.node.key("insert" if not where else where[1])
            message = "`insert` needs one of `into`, `before` and `after`"
            self.error("V008", message, (key or self.node).span)
            return None
        if where[0] == "into":
            return self.insert_into(root, node)
        place = self.place_of(root, where[0])
        if place is None or not place.trail:
            return None
        above, index = place.trail[-1]
        side: Where = "after" if where[0] == "after" else "before"
        new = self.fitting(above, node, place)
        if new is None:
            return None
        return self.put(path_of(place), path_of(place)[:-1], side, above, index + (side == "after"), new)

    def insert_into(self, root: MapNode, node: Node) -> Touch | None:
        """Insert at the end of a mapping or list; a section that the game does not have is added."""
        word = self.path("into")
        if (
            word is not None
            and word.value in BLOCKS["game"].keys
            and word.value not in root
            and word.value not in FIXED
        ):
            if not isinstance(node, MapNode):
                if not is_mapping(BLOCKS["game"].keys[word.value].shape):
                    return Touch(self.node, (), "section", ((None, node),), frozenset({(word.value,)}))
                self.error("V008", f"{ticked(word.value)} holds names, so a mapping must be inserted", node.span)
                return None
            adds = frozenset((word.value, key.value) for key, _ in node.entries)
            return Touch(self.node, (), "section", node.entries, adds)
        place = self.place_of(root, "into")
        if place is None:
            return None
        if isinstance(place.node, MapNode | ListNode):
            new = self.fitting(place.node, node, None)
            path = path_of(place)
            return None if new is None else self.put(path, path, "into", place.node, len(place.node), new)
        self.error(
            "V008",
            f"{ticked(place.text())} is a text: nothing can be inserted into it",
            (word or node).span,
            help=["write `replace: ...` and `with: ...`"],
            related=[(place.span, "this is meant")],
        )
        return None

    def put(
        self,
        path: Path,
        within: Path,
        where: Where,
        above: MapNode | ListNode,
        at: int,
        new: tuple[Entry, ...],
    ) -> Touch:
        """New entries or items of a collection, the first of them at an index."""
        adds = frozenset((*within, key.value) for key, _ in new if key is not None)
        gap = None
        if within in SEQUENCES or (isinstance(above, ListNode) and within[:1] != ("types",)):
            left = step_to(above, at - 1) if at else None
            gap = Gap(within, left, step_to(above, at) if at < len(above) else None)
        return Touch(self.node, path, where, new, adds, gap)

    def fitting(self, above: MapNode | ListNode, node: Node, beside: TreePlace | None) -> tuple[Entry, ...] | None:
        """What is inserted into a collection, `beside` an entry or item or at its end; None after a fault, which is reported."""
        if isinstance(above, ListNode):
            new = items(beside, node) if beside is not None else node.items if isinstance(node, ListNode) else (node,)
            return tuple((None, item) for item in new)
        if not isinstance(node, MapNode):
            self.error(
                "V008",
                "this must be names, each with what is written under it",
                node.span,
                related=[(above.span, "these are entries with names")],
            )
            return None
        if self.meant is not None:  # of several places, some may have it
            return tuple((key, value) for key, value in node.entries if key.value not in above) or None
        known = [(key, first) for key, _ in node.entries if (first := above.key(key.value)) is not None]
        for key, first in known:
            self.error(
                "V009",
                f"there is a {ticked(key.value)} already",
                key.span,
                related=[(first.span, "here")],
                help=["to change it: `set` or `replace`"],
            )
        return None if known else node.entries


def is_atom(text: str) -> bool:
    """Whether an expression is a name, a number or a call: what needs no parentheses anywhere."""
    name, paren, rest = text.partition("(")
    if not NAME.fullmatch(name) or '"' in text or "'" in text:
        return False
    depth = 1
    for at, sign in enumerate(rest):
        depth += (sign == "(") - (sign == ")")
        if not depth:
            return at == len(rest) - 1
    return not paren


def wrapping(node: ScalarNode, text: str) -> ScalarNode:
    """A text that is shown where another one stands, from which it was made."""
    made = ScalarNode(text, node.style, node.span)
    whole = (node.span.start, node.span.end)
    made._places.extend([whole] * (len(text) + 1))
    return made


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

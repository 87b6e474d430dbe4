"""From a game and a changed copy of it to a small variant: the changes that make the one of the other.

A plan says which places of the game's tree become what, by what takes the fewest letters to write: a place is replaced as a whole
where that is shorter than all that differs within it.  Then the changes are written one after another, each in the tree that those
before it have left, as they are read later.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Literal

from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Source, Span
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode, parse
from rulespec.variants.alignment import aligned, size
from rulespec.variants.changes import Path, apply, data, follow, path_of
from rulespec.variants.difference import NOT_RULES
from rulespec.variants.paths import TreePlace, resolve
from rulespec.variants.writing import block, on_one_line, scalar, word

CHANGE = 24  # letters of a change without its path and what is new
WAS = 60  # letters of what was there, at most, that are written down with what is there now

Key = Literal["set", "replace", "remove", "before", "into", "section"]


@dataclass(frozen=True, slots=True)
class Edit:
    """One change that is planned: what happens at a place of the game's tree, and what is new there."""

    key: Key
    path: Path
    new: Node | None = None

    @property
    def cost(self) -> int:
        """Some letters that it takes."""
        return CHANGE + 8 * len(self.path) + (0 if self.new is None else size(self.new))


Plan = tuple[int, tuple[Edit, ...]]


@dataclass(frozen=True, slots=True)
class Written:
    """The changes as text; `left` are sections that a variant cannot make what they are in the copy."""

    lines: tuple[str, ...]
    changes: int
    left: tuple[str, ...]


def written(old: MapNode, new: MapNode) -> Written:
    """The changes that make the tree of one game that of another, as lines of YAML."""
    for planner in (Planner(), Planner(coarse=True)):
        edits = planner.root(old, new)
        lines, made = carried_out(old, edits)
        left = tuple(key for key in sections(new, old) if differs(made.get(key), new.get(key)))
        if not left:
            break
    return Written(tuple(lines), len(edits), left)


def sections(*roots: MapNode) -> list[str]:
    """The sections of the rules that any of some games has."""
    return list(dict.fromkeys(key.value for root in roots for key, _ in root.entries if key.value not in NOT_RULES))


def differs(a: Node | None, b: Node | None) -> bool:
    """Whether two sections say something else."""
    if a is None or b is None:
        return a is not b
    return bool(data(a, True) != data(b, True)) or styles(a) != styles(b)


def styles(node: Node) -> list[object]:
    """What the scalars of a tree mean: `"3"` is a text, and `3` a number."""
    if isinstance(node, ScalarNode):
        return [type(node.resolve()).__name__]
    inner = [value for _, value in node.entries] if isinstance(node, MapNode) else list(node.items)
    return [one for value in inner for one in styles(value)]


class Planner:
    """Plans the changes; `coarse` replaces whole sections."""

    def __init__(self, coarse: bool = False) -> None:
        self.coarse = coarse
        self.known: dict[tuple[int, int], Plan] = {}

    def root(self, old: MapNode, new: MapNode) -> list[Edit]:
        """The changes of a whole game, section by section."""
        edits: list[Edit] = []
        top = TreePlace((), old)
        for name in sections(old, new):
            target = new.get(name)
            if name not in old:
                assert target is not None
                key = word(name)
                edits.append(Edit("section", (), MapNode(((key, target),), target.span)))
            elif target is None:
                edits.append(Edit("remove", (name,)))
            elif self.coarse and differs(old.get(name), target):
                edits.append(Edit("replace", (name,), target))
            else:
                edits += self.plan(top.inner(list(old.keys()).index(name)), target)[1]
        return edits

    def plan(self, place: TreePlace, target: Node) -> Plan:
        """The cheapest changes that make a place what it is in the copy, and what they cost."""
        key = id(place.node), id(target)
        if key not in self.known:
            self.known[key] = self.cheapest(place, target)
        return self.known[key]

    def cheapest(self, place: TreePlace, target: Node) -> Plan:
        """See `plan`."""
        old = place.node
        if not differs(old, target):
            return 0, ()
        plain = isinstance(old, ScalarNode) and isinstance(target, ScalarNode)
        whole = Edit("set" if plain else "replace", path_of(place), target)
        fine: list[Edit] | None = None
        if isinstance(old, MapNode) and isinstance(target, MapNode):
            fine = self.mapping(place, old, target)
        elif isinstance(old, ListNode) and isinstance(target, ListNode):
            fine = self.sequence(place, old, target)
        if fine is None or (cost := sum(edit.cost for edit in fine)) >= whole.cost:
            return whole.cost, (whole,)
        return cost, tuple(fine)

    def mapping(self, place: TreePlace, old: MapNode, target: MapNode) -> list[Edit] | None:
        """The changes within a mapping; None where keys stand in another order, or none is left."""
        stay = [key.value for key, _ in old.entries if key.value in target]
        if not stay or stay != [key.value for key, _ in target.entries if key.value in old]:
            return None
        edits: list[Edit] = []
        for index, (key, _) in enumerate(old.entries):
            inner = place.inner(index)
            value = target.get(key.value)
            edits += (Edit("remove", path_of(inner)),) if value is None else self.plan(inner, value)[1]
        fresh: list[tuple[ScalarNode, Node]] = []
        for key, value in target.entries:
            if key.value not in old:
                fresh.append((key, value))
            elif fresh:
                at = path_of(place.inner(list(old.keys()).index(key.value)))
                edits.append(Edit("before", at, MapNode(tuple(fresh), target.span)))
                fresh = []
        if fresh:
            edits.append(Edit("into", path_of(place), MapNode(tuple(fresh), target.span)))
        return edits

    def sequence(self, place: TreePlace, old: ListNode, target: ListNode) -> list[Edit] | None:
        """The changes within a list; None where no item stays, or where items are lists, into which others would be put."""
        texts = [json.dumps([data(item, True), styles(item)]) for item in old.items]
        others = [json.dumps([data(item, True), styles(item)]) for item in target.items]
        lists = any(isinstance(item, ListNode) for item in (*old.items, *target.items))

        def change(a: int, b: int) -> int | None:
            if type(old.items[a]) is not type(target.items[b]):
                return None
            return self.plan(place.inner(a), target.items[b])[0]

        pairs = list(
            aligned(
                texts,
                others,
                change,
                lambda _: CHANGE + 8 * len(place.trail),
                lambda b: CHANGE // 2 + size(target.items[b]),
            )
        )
        if old.items and not any(a is not None and b is not None for a, b in pairs):
            return None
        edits: list[Edit] = []
        fresh: list[Node] = []
        for a, b in pairs:
            if b is None:
                assert a is not None
                edits.append(Edit("remove", path_of(place.inner(a))))
                continue
            if a is None:
                fresh.append(target.items[b])
                continue
            if fresh:
                edits.append(Edit("before", path_of(place.inner(a)), ListNode(tuple(fresh), target.span)))
                fresh = []
            edits += self.plan(place.inner(a), target.items[b])[1]
        if fresh:
            edits.append(Edit("into", path_of(place), ListNode(tuple(fresh), target.span)))
        return None if lists and any(edit.key == "before" for edit in edits) else edits


# --- as text ------------------------------------------------------------------------------------------------------------
def carried_out(root: MapNode, edits: Sequence[Edit]) -> tuple[list[str], MapNode]:
    """The changes as lines, and the tree that they make: what is put before a place is put there before the place changes."""
    lines: list[str] = []
    for edit in sorted(edits, key=lambda edit: edit.key != "before"):
        text = change_lines(root, edit)
        found = Diagnostics()
        tree = parse(Source("variant", "\n".join([*text, ""])), found)
        if isinstance(tree, ListNode) and not len(found):
            root, _ = apply(root, [item for item in tree.items if isinstance(item, MapNode)], found)
        lines += text
    return lines, root


def change_lines(root: MapNode, edit: Edit) -> list[str]:
    """A change as an item of a list."""
    nowhere = Span(Source("", ""), 0, 0)
    if edit.key == "section":
        assert isinstance(edit.new, MapNode)
        ((key, value),) = edit.new.entries
        entries: list[tuple[str, Node]] = [("insert", value), ("into", key)]
    else:
        place = follow(root, edit.path)
        if place is None:  # it was replaced already: what is made is not what is wanted, and the plan is made again
            return []
        path = word(shortest(root, place))
        new = edit.new
        if edit.key == "remove" or new is None:
            entries = [("remove", path)]
        elif edit.key in ("before", "into"):
            single = isinstance(new, ListNode) and len(new) == 1 and isinstance(new.items[0], MapNode)
            entries = [("insert", new.items[0] if single and isinstance(new, ListNode) else new), (edit.key, path)]
        else:
            was = [("was", place.node)] if isinstance(place.node, ScalarNode) and short(place.node) else []
            within = isinstance(new, ListNode) and place.key is None and not isinstance(place.node, ListNode)
            new = ListNode((new,), new.span) if within else new
            entries = [(edit.key, path), *was, ("to" if edit.key == "set" else "with", new)]
    node = MapNode(tuple((word(name), value) for name, value in entries), nowhere)
    line = on_one_line(node)
    if line is not None:
        return [f"- {line}"]
    inner = block(node)
    return [f"- {inner[0]}", *(f"  {line}" for line in inner[1:])]


def short(node: ScalarNode) -> bool:
    """Whether what is there is written down with what comes there."""
    return 0 < len(scalar(node)) <= WAS


def shortest(root: MapNode, place: TreePlace) -> str:
    """The shortest of the paths that lead to a place: lists on the way may be left out where no other item fits."""
    whole = place.text()
    for text in candidates(place):
        if len(text) < len(whole):
            found = Diagnostics()
            there = resolve(root, word(text), found)
            if there is not None and path_of(there) == path_of(place):
                return text
    return whole


def candidates(place: TreePlace) -> Iterator[str]:
    """Shorter paths, the shortest first: the first keys, then what follows on any list on the way."""
    trail = place.trail
    marks = [index for index, (above, _) in enumerate(trail) if isinstance(above, ListNode)]
    for mark in reversed(marks):
        tail = TreePlace(trail[mark:], place.node).text()
        for first in (2, 1):
            if first < mark and all(isinstance(above, MapNode) for above, _ in trail[:first]):
                yield TreePlace(trail[:first], place.node).text() + tail

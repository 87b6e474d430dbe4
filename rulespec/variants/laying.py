"""Lays variants over the tree of their game.

Each change is planned in the tree that its variant speaks of: the game with all that the variant extends.  Then all are made in one
tree, by the names of the variants: the order in which they are asked for decides nothing.  Only the list of a bundle decides, and only
where two of its variants insert at one place: there the first comes first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from itertools import combinations

from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.yaml_tree import MAX_DEPTH, ListNode, MapNode, Node, ScalarNode
from rulespec.variants.changes import Touch, apply, changes_of, made
from rulespec.variants.conflicts import Laid
from rulespec.variants.needs import meets_needs
from rulespec.variants.stack import MAX_CHANGES, Overlay, line_of

MOST_SHOWN = 20  # variants whose titles make that of a bundle
MOST = 5 * MAX_CHANGES  # changes of all variants together


def compose(tree: MapNode, leaves: tuple[Overlay, ...], diagnostics: Diagnostics) -> MapNode:
    """The tree of a game with variants laid over it; faults are reported, and faulty changes left out."""
    if too_many(leaves, diagnostics):
        return tree
    current = Laying(tree, diagnostics).together(leaves)
    check_depth(current, diagnostics)
    return named(current, leaves)


def too_many(leaves: tuple[Overlay, ...], diagnostics: Diagnostics) -> bool:
    """Whether variants make more changes together than may be made; reports V013."""
    count = 0
    for overlay in line_of(leaves):
        changes = changes_of(overlay.root)
        count += len(changes)
        if count > MOST:
            message = f"the variants make {count:,} changes together, and {MOST:,} may be made"
            diagnostics.add("V013", message, changes[-1].span)
            return True
    return False


def planned(
    tree: MapNode, leaves: tuple[Overlay, ...], diagnostics: Diagnostics
) -> Iterator[tuple[Overlay, list[Touch]]]:
    """Variants and all that they extend, each with its changes as they are planned in the tree that it speaks of; faults are reported."""
    if too_many(leaves, diagnostics):
        return
    laying = Laying(tree, diagnostics)
    for overlay in line_of(leaves):
        yield overlay, laying.touches(overlay)


@dataclass(slots=True)
class Laying:
    """The trees that variants of a game speak of, and what each changes there; worked out once."""

    tree: MapNode
    diagnostics: Diagnostics
    done: dict[Overlay, tuple[MapNode, list[Touch]]] = field(default_factory=dict)

    def touches(self, overlay: Overlay) -> list[Touch]:
        """What a variant changes in the tree that it speaks of."""
        return self.after(overlay)[1]

    def before(self, overlay: Overlay) -> MapNode:
        """The tree that a variant speaks of: the game with all that the variant extends."""
        return self.together(overlay.parents, in_order=True) if overlay.parents else self.tree

    def after(self, overlay: Overlay) -> tuple[MapNode, list[Touch]]:
        """The tree with a variant and all that it extends, and what it changes itself."""
        if overlay not in self.done:
            errors = len(self.diagnostics.errors)
            before = self.before(overlay)
            if len(overlay.parents) > 1 and len(self.diagnostics.errors) > errors:
                return self.done.setdefault(overlay, (before, []))  # what it speaks of is not there
            fits = meets_needs(overlay, before, self.diagnostics)
            changes = changes_of(overlay.root) if fits else []
            self.done[overlay] = apply(before, changes, self.diagnostics, overlay.general)
        return self.done[overlay]

    def together(self, leaves: tuple[Overlay, ...], in_order: bool = False) -> MapNode:
        """The tree with some variants and all that they extend; `in_order` where a bundle lists them.  Reports V007."""
        if len(leaves) == 1:
            return self.after(leaves[0])[0]
        current, whole = self.tree, True
        line = line_of(tuple(sorted(leaves, key=lambda leaf: (leaf.id, leaf.root.span.source.text))))
        lists = [overlay.parents for overlay in line] + ([leaves] if in_order else [])
        laid = Laid(first_come(line, lists), self.diagnostics)
        for overlay in line:
            left = laid.settled(overlay, self.touches(overlay))
            whole = whole and left is not None
            for touch in left or () if whole else ():
                current = made(current, touch)
        return current


def first_come(line: list[Overlay], lists: list[tuple[Overlay, ...]]) -> frozenset[tuple[Overlay, Overlay]]:
    """The pairs of variants of which lists say that the first comes first; where they say both, it is neither."""
    after: dict[Overlay, dict[Overlay, None]] = {overlay: {} for overlay in line}
    for listed in lists:
        lines = [overlay.line() for overlay in listed]
        for first, second in combinations(lines, 2):
            for one in first:
                if one not in second:
                    after[one].update(dict.fromkeys(other for other in second if other not in first))
    reached: dict[Overlay, dict[Overlay, None]] = {}
    for overlay in line:
        found: dict[Overlay, None] = {}
        todo = [overlay]
        while todo:
            new = [other for other in after[todo.pop()] if other not in found]
            found.update(dict.fromkeys(new))
            todo += new
        reached[overlay] = found
    return frozenset((one, other) for one in line for other in reached[one] if one not in reached[other])


def check_depth(tree: MapNode, diagnostics: Diagnostics) -> None:
    """Report Y020 where changes have nested the tree deeper than a file may be."""
    layer: list[Node] = [tree]
    for _ in range(MAX_DEPTH):
        layer = [inner for node in layer if not isinstance(node, ScalarNode) for inner in children(node)]
    deep = next((node for node in layer if not isinstance(node, ScalarNode)), None)
    if deep is not None:
        diagnostics.add("Y020", f"nested deeper than {MAX_DEPTH} levels", deep.span)


def children(node: MapNode | ListNode) -> list[Node]:
    """The nodes in a collection."""
    return [value for _, value in node.entries] if isinstance(node, MapNode) else list(node.items)


def named(tree: MapNode, leaves: tuple[Overlay, ...]) -> MapNode:
    """The tree with the title, `about` and cases of its variants; the cases of the game are not theirs."""
    title, name = tree.get("title"), tree.get("id")
    plain = (
        title.value
        if isinstance(title, ScalarNode)
        else name.value.replace("_", " ")
        if isinstance(name, ScalarNode)
        else ""
    )
    shown = [one for leaf in leaves for one in speaking(leaf)]
    titles = [leaf.text("title") for leaf in shown]
    if len(shown) > 1 or not titles[0] or shown[0].general:
        full = f"{plain} ({', '.join(text or leaf.id for text, leaf in zip(titles, shown, strict=True))})"
    else:
        full = titles[0]
    about = " ".join(leaf.text("about").strip() for leaf in shown).strip()
    new: dict[str, Node] = {"title": written(full, leaves[-1])}
    if about:
        new["about"] = written(about, leaves[-1])
    for section_name, before in (("positions", tree.get("positions")), ("cases", None)):
        written_there = (before, *(leaf.root.get(section_name) for leaf in leaves))
        sections = [section for section in written_there if isinstance(section, MapNode)]
        if sections:
            new[section_name] = MapNode(
                tuple(entry for section in sections for entry in section.entries), sections[0].span
            )
    entries = [(key, new.pop(key.value, node)) for key, node in tree.entries if key.value != "cases"]
    entries += [(written(key, leaves[-1]), node) for key, node in new.items()]
    return MapNode(tuple(entries), tree.span)


def speaking(leaf: Overlay) -> list[Overlay]:
    """The variants whose texts are those of one: itself, or what a bundle without a title extends."""
    if leaf.text("title") or len(leaf.parents) < 2:
        return [leaf]
    return [one for parent in leaf.parents for one in speaking(parent)][:MOST_SHOWN]


def written(text: str, leaf: Overlay) -> ScalarNode:
    """A scalar with a text of a variant."""
    node = leaf.root.get("title") or leaf.root.get("id")
    return ScalarNode(text, "plain", node.span if node is not None else leaf.root.span)


# --- tables -------------------------------------------------------------------------------------------------------------
def inlined(node: MapNode, tables: dict[str, Node]) -> MapNode:
    """A tree in which the rows of CSV tables replace the names of the tables, so that paths lead into them."""
    entries: list[tuple[ScalarNode, Node]] = []
    for key, value in node.entries:
        if key.value == "table" and isinstance(value, ScalarNode) and value.value in tables and "rows" not in node:
            entries.append((ScalarNode("rows", "plain", key.span), tables[value.value]))
        elif isinstance(value, MapNode):
            entries.append((key, inlined(value, tables)))
        else:
            entries.append((key, value))
    return MapNode(tuple(entries), node.span)


def with_rows(tree: MapNode, tables: dict[str, Node]) -> MapNode:
    """The same for the sections of a game that name tables."""
    entries = [
        (
            key,
            inlined(value, tables) if key.value in ("types", "pieces", "map") and isinstance(value, MapNode) else value,
        )
        for key, value in tree.entries
    ]
    return MapNode(tuple(entries), tree.span)

"""From a changed copy to a variant: whatever was changed, the variant makes the copy of the game, and is small."""

from __future__ import annotations

import random
from functools import cache

import pytest

from rulespec.loading.reading import read_resolved
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Source
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode, parse
from rulespec.variants.alignment import aligned
from rulespec.variants.changes import apply, changes_of, data
from rulespec.variants.difference import differences
from rulespec.variants.overlay import NOT_RULES, sections, written
from rulespec.variants.writing import block, flow, scalar, word
from tests.helpers.places import ALL_GAMES, variants_of

SHIPPED = [file for folder in ALL_GAMES for file in variants_of(folder)]
TEXTS = [
    "x",
    "a: b",
    "1",
    "yes",
    'it\'s "so"',
    "# no",
    "two\nlines",
    "",
    " ",
    "- a",
    "a, [b] {c}",
    "é",
    "null",
    "*",
    "%p",
    "0x1",
]


@cache
def tree_of(file):
    resolved = read_resolved(file, Diagnostics())
    assert resolved is not None
    return resolved[1]


def rules(root):
    return {key.value: data(value, True) for key, value in root.entries if key.value not in NOT_RULES}


def remade(old, lines):
    """The tree after the changes of a variant, read from its text."""
    found = Diagnostics()
    text = "\n".join(["extends: x", "id: y", "changes:", *(f"  {line}" for line in lines), ""])
    root = parse(Source("variant", text), found)
    made, _ = apply(old, changes_of(root), found)
    assert not len(found), [d.message for d in found]
    return made, text


@pytest.mark.parametrize("folder", sorted({file.parent.parent for file in SHIPPED}), ids=lambda folder: folder.name)
def test_every_shipped_variant_is_found_again(folder):
    old = tree_of(folder / "game.yaml")
    for file in variants_of(folder)[:12]:
        new = tree_of(file)
        found = written(old, new)
        made, text = remade(old, found.lines)
        assert rules(made) == rules(new) and not found.left, file
        source = file.read_text(encoding="utf-8")
        if f"extends: {folder.name}" in source:  # others stand on another variant
            changes = source[source.index("changes:") :].split("\ncases:")[0]
            assert len(text) < 1.35 * len(changes) + 120, text


def test_any_game_can_be_made_of_any_other():
    old, new = (tree_of(folder / "game.yaml") for folder in (ALL_GAMES[0], ALL_GAMES[-1]))
    found = written(old, new)
    assert rules(remade(old, found.lines)[0]) == rules(new) and not found.left


def test_nothing_is_said_of_what_is_the_same():
    old = tree_of(ALL_GAMES[0] / "game.yaml")
    assert written(old, old).changes == 0


# --- random edits -------------------------------------------------------------------------------------------------------
class Edits:
    """Changes a tree at random."""

    def __init__(self, seed):
        self.chance = random.Random(seed)

    def node(self, depth=0) -> Node:
        kind = self.chance.choice("stml" if depth < 2 else "s")
        if kind in "st":
            text = self.chance.choice(TEXTS)
            style = "plain" if scalar(word(text)) == text and text else "double"
            return ScalarNode(text, style, word(text).span)
        inner = [self.node(depth + 1) for _ in range(self.chance.randrange(3))]
        if kind == "l":
            return ListNode(tuple(inner), word("").span)
        return MapNode(tuple((word(f"k{n}"), one) for n, one in enumerate(inner)), word("").span)

    def edited(self, node: Node, count: list[int]) -> Node:
        """The same with changes here and there; `count` is how many may still come."""
        if count[0] and self.chance.random() < 0.02:
            count[0] -= 1
            return self.node()
        if isinstance(node, MapNode):
            entries = [(key, self.edited(value, count)) for key, value in node.entries]
            return MapNode(
                tuple(self.some(entries, lambda: (word(f"new{self.chance.randrange(99)}"), self.node()), count)),
                node.span,
            )
        if isinstance(node, ListNode):
            items = [self.edited(item, count) for item in node.items]
            return ListNode(
                tuple(self.some(items, lambda: self.chance.choice(items) if items else self.node(), count)), node.span
            )
        return node

    def some(self, parts, new, count):
        """Without some, with others more, in another order."""
        if count[0] and self.chance.random() < 0.05:
            count[0] -= 1
            what = self.chance.randrange(3)
            at = self.chance.randrange(len(parts) + 1)
            if what == 0 and parts:
                del parts[at - 1]
            elif what == 1:
                fresh = new()
                if not (isinstance(fresh, tuple) and fresh[0].value in [key.value for key, _ in parts]):
                    parts.insert(at, fresh)
            else:
                self.chance.shuffle(parts)
        return parts

    def game(self, root):
        """A game with some changes of its rules."""
        count = [self.chance.randint(1, 6)]
        entries = [(key, value if key.value in NOT_RULES else self.edited(value, count)) for key, value in root.entries]
        return MapNode(tuple(entries), root.span)


@pytest.mark.parametrize("seed", range(60))
def test_random_edits_are_found_again(seed):
    folder = ALL_GAMES[seed % len(ALL_GAMES)]
    old = tree_of(folder / "game.yaml")
    new = Edits(seed).game(old)
    found = written(old, new)
    assert not found.left, "\n".join(found.lines)
    made, _ = remade(old, found.lines)
    assert rules(made) == rules(new)
    assert sections(made) == sections(old)


# --- text and pairs -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(40))
def test_what_is_written_reads_as_the_same(seed):
    node = Edits(seed).node()
    for text in ("x: " + flow(node), "\n".join(["x:", *(f"  {line}" for line in block(node))])):
        found = Diagnostics()
        again = parse(Source("text", text + "\n"), found)
        assert isinstance(again, MapNode) and not len(found), text
        assert data(again.get("x"), True) == data(node, True), text


def test_items_are_paired_with_what_is_most_like_them():
    before, after = ["move a to b", "draw 1", "log x"], ["shuffle", "move a to c", "log x", "draw 2"]

    def change(a, b):
        return 1 if before[a].split()[0] == after[b].split()[0] else None

    assert list(aligned(before, after, change, lambda _: 2, lambda _: 2)) == [
        (None, 0),
        (0, 1),
        (1, None),
        (2, 2),
        (None, 3),
    ]


def test_a_step_is_compared_with_the_one_that_is_most_like_it():
    steps = "do:\n  - {move: all, from: a, to: b, log: They go}\n  - {draw: 1, from: deck, to: hand}\n"
    more = "do:\n  - {move: c, from: x, to: y}\n  - {move: all, from: a, to: c, log: They go}\n  - {draw: 2, from: deck, to: hand}\n"
    found = differences(*(parse(Source("x", f"phases: {{}}\n{text}"), Diagnostics()) for text in (steps, more)))
    assert [(one.what, one.path) for one in found] == [
        ("added", "do[move c]"),
        ("changed", "do[move all].to"),
        ("changed", "do[draw 1].draw"),
    ]

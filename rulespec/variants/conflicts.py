"""Several variants together: each speaks of the original game, and where two concern the same place they must agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rulespec.text.diagnostics import Diagnostics
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode
from rulespec.variants.changes import Identity, Path, Touch, data, identity

if TYPE_CHECKING:
    from rulespec.variants.stack import Overlay


GAP = "the variants {a} and {b} insert at the same place, and neither says which comes first"


def begins(short: Path, long: Path) -> bool:
    """Whether one path is a prefix of another."""
    return long[: len(short)] == short


def clash(a: Touch, b: Touch) -> str:
    """Why two changes to the same tree cannot both be made, or would depend on their order; "" if they can.

    `{a}` and `{b}` stand for the names of the variants.
    """
    if a.adds & b.adds:
        return "the variants {a} and {b} add the same name"
    if a.gap is not None and b.gap is not None and a.gap.meets(b.gap):
        return GAP
    if a.writes and b.writes and (begins(a.path, b.path) or begins(b.path, a.path)):
        return "the variants {a} and {b} change the same thing"
    if a.writes and begins(a.path, b.path):
        return "the variant {a} changes what {b} inserts into or beside"
    if b.writes and begins(b.path, a.path):
        return "the variant {b} changes what {a} inserts into or beside"
    return ""


def agree(a: Touch, b: Touch) -> bool:
    """Whether two changes are the same change."""
    alike = (a.path, a.where) == (b.path, b.where) or (a.gap is not None and a.gap == b.gap)
    return alike and contents(a) == contents(b)


def contents(touch: Touch) -> list[object]:
    """What a change puts where it puts it, to be compared."""
    return [(key.value if key is not None else None, data(node, True)) for key, node in touch.new]


def twins(a: Touch, b: Touch) -> Iterator[tuple[Identity, Identity]]:
    """The nodes that two changes which agree put into the tree: those of the second by those of the first."""
    todo = [(one, other) for (_, one), (_, other) in zip(a.new, b.new, strict=True)]
    while todo:
        one, other = todo.pop()
        yield identity(other), identity(one)
        if isinstance(one, MapNode) and isinstance(other, MapNode):
            todo += [(value, twin) for (_, value), (_, twin) in zip(one.entries, other.entries, strict=True)]
        elif isinstance(one, ListNode) and isinstance(other, ListNode):
            todo += zip(one.items, other.items, strict=True)


def kin(one: Overlay, other: Overlay) -> bool:
    """Whether one of two variants is the other, or extends it."""
    return one in other.line() or other in one.line()


Layer = tuple["Overlay", Touch]
Clash = tuple[Touch, Touch, str]  # two changes, and why they cannot both be made


class Laid:
    """The changes that are laid over a game so far, found by where they are.

    `first_come` are the pairs of variants of which the first comes first where both insert at one place.
    """

    def __init__(self, first_come: frozenset[tuple[Overlay, Overlay]], diagnostics: Diagnostics) -> None:
        self.first_come = first_come
        self.diagnostics = diagnostics
        self.names: dict[Identity, Identity] = {}  # of nodes, by those that say the same and were there before
        self.count = 0
        self.told: set[tuple[Overlay, Overlay]] = set()  # of which it is known that they cannot be together
        self.at: dict[tuple[str, Path], dict[int, Layer]] = {}  # by what is there of them: see `keep`

    def settled(self, overlay: Overlay, touches: Sequence[Touch]) -> list[Touch] | None:
        """The changes of a variant that others do not make already; None after a conflict, which is reported (V007).

        It may change what those that it extends have changed.
        """
        under = frozenset(overlay.line())
        left, clashes = [], dict["Overlay", list[Clash]]()
        for written in touches:
            touch = written.renamed(self.names)
            rivals = []
            for other, old in self.near(touch):
                if other not in under and (why := clash(old, touch)):
                    rivals.append((other, old, why, agree(old, touch)))
            twin = next((old for _, old, _, same in rivals if same), None)
            for other, old, why, same in rivals:
                if same or (why == GAP and twin is not None):
                    continue  # it stands where its twin stands
                if why == GAP and (other, overlay) in self.first_come:
                    touch = replace(touch, behind=touch.behind | old.steps())
                elif why == GAP and (overlay, other) in self.first_come:
                    touch = replace(touch, ahead=touch.ahead | old.steps())
                else:
                    clashes.setdefault(other, []).append((old, touch, why))
                    break
            else:
                if twin is not None:
                    self.names.update(twins(twin, touch))
                else:
                    left.append(touch)
        for touch in touches:
            self.keep(overlay, touch.renamed(self.names))
        for other, found in clashes.items():
            if not any(kin(low, other) and kin(high, overlay) for low, high in self.told):
                self.report(other.id, overlay.id, sorted(found, key=lambda one: one[2] == GAP))
                self.told.add((other, overlay))
        return None if clashes else left

    def report(self, other: str, name: str, clashes: Sequence[Clash]) -> None:
        """Report V007: once of two variants, at the first place, with the others; nothing of what extends them."""
        (old, touch, why), *more = clashes
        bundle = ticked(f"extends: [{other}, {name}]")
        help = (
            f"write a variant that says {bundle}: there the first comes first"
            if why == GAP
            else "leave one of the two out, or write a variant that says what holds when both are played"
        )
        related = [(old.word, f"the change of {ticked(other)}"), *((one.word, "here too") for _, one, _ in more)]
        self.diagnostics.add(
            "V007", why.format(a=ticked(other), b=ticked(name)), touch.word, related=related, help=[help]
        )

    def keep(self, overlay: Overlay, touch: Touch) -> None:
        """Add a change to those that are laid."""
        keys = [("add", path) for path in touch.adds]
        keys += [("below", touch.path[:end]) for end in range(len(touch.path) + 1)]
        if touch.gap is not None:
            keys.append(("gap", touch.gap.within))
        if touch.writes:
            keys.append(("write", touch.path))
        for key in keys:
            self.at.setdefault(key, {})[self.count] = overlay, touch
        self.count += 1

    def near(self, touch: Touch) -> list[Layer]:
        """All laid changes that one could be in conflict with, as they were laid."""
        keys = [("add", path) for path in touch.adds]
        keys += [("write", touch.path[:end]) for end in range(len(touch.path) + 1)]
        if touch.gap is not None:
            keys.append(("gap", touch.gap.within))
        if touch.writes:
            keys.append(("below", touch.path))
        found: dict[int, Layer] = {}
        for key in keys:
            found.update(self.at.get(key, {}))
        return [layer for _, layer in sorted(found.items(), key=lambda pair: pair[0])]

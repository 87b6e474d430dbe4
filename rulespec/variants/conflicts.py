"""Several variants together: each speaks of the original game, and where two concern the same place they must agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulespec.text.diagnostics import Diagnostics
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode
from rulespec.variants.changes import Identity, Path, Touch, data, identity


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
        return "the variants {a} and {b} insert at the same place, and neither says which comes first"
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


def settle(
    earlier: Sequence[tuple[str, Touch]],
    touches: Sequence[Touch],
    name: str,
    names: dict[Identity, Identity],
    diagnostics: Diagnostics,
) -> list[Touch] | None:
    """The changes of a variant that other variants do not make already; None after a conflict, which is reported (V007).

    `earlier` are those of the others, each with the name of its variant.  Nodes that others have put there already get in `names` the
    identities of theirs.
    """
    left, faulty = [], False
    for written in touches:
        touch = written.renamed(names)
        rivals = [(other, old, why) for other, old in earlier if (why := clash(old, touch))]
        odd = next((rival for rival in rivals if not agree(rival[1], touch)), None)
        if odd is not None:
            other, old, why = odd
            diagnostics.add(
                "V007",
                why.format(a=ticked(other), b=ticked(name)),
                touch.word,
                related=[(old.word, f"the change of {ticked(other)}")],
                help=["leave one of the two out, or write a variant that says what holds when both are played"],
            )
            faulty = True
        elif rivals:
            names.update(twins(rivals[0][1], touch))
        else:
            left.append(touch)
    return None if faulty else left

"""Several variants together: each is applied to the original game, and two that concern the same nodes must agree."""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Span
from rulespec.text.yaml_tree import MapNode, ScalarNode
from rulespec.variants.changes import WHERE, Identity, Touch, data, verb_of


def begins(short: tuple[Identity, ...] | None, long: tuple[Identity, ...] | None) -> bool:
    """Whether one path is a prefix of another."""
    return short is not None and long is not None and long[: len(short)] == short


def clash(a: Touch, b: Touch) -> bool:
    """Whether two changes to the same tree cannot both be made, or would depend on their order."""
    return (
        begins(a.writes, b.writes)
        or begins(b.writes, a.writes)
        or begins(a.writes, b.reads)
        or begins(b.writes, a.reads)
        or bool(a.adds & b.adds)
    )


def agree(a: Touch, b: Touch) -> bool:
    """Whether two changes are the same change."""
    if verb_of(a.change) != verb_of(b.change) or a.writes != b.writes or a.reads != b.reads:
        return False
    return changed(a.change) == changed(b.change)


def changed(change: MapNode) -> list[tuple[str, object]]:
    """What a change does, without how its place is written: to be compared."""
    parts: list[tuple[str, object]] = [(where, None) for where in WHERE if where in change]
    parts += [(key, data(node, True)) for key in ("to", "with", "insert") if (node := change.get(key)) is not None]
    return parts


def settle(
    earlier: Sequence[tuple[str, Touch]], touches: Sequence[Touch], name: str, diagnostics: Diagnostics
) -> list[MapNode] | None:
    """The changes of a variant that other variants have not made already; None after a conflict, which is reported (V007).

    `earlier` are those of the others, each with the name of its variant.
    """
    left, faulty = [], False
    for touch in touches:
        rivals = [(other, old) for other, old in earlier if clash(old, touch)]
        odd = next(((other, old) for other, old in rivals if not agree(old, touch)), None)
        if odd is not None:
            other, old = odd
            diagnostics.add(
                "V007",
                f"the variants `{other}` and `{name}` change the same thing",
                place(touch),
                related=[(place(old), f"`{other}` changes it here")],
                help=["leave one of the two out, or write a variant that says what holds when both are played"],
            )
            faulty = True
        elif not rivals:
            left.append(touch.change)
    return None if faulty else left


def same_places(alone: Sequence[Touch], together: Sequence[Touch], name: str, diagnostics: Diagnostics) -> bool:
    """Whether paths lead to the same places with the other variants as without them; reports V007: a number may count other items now."""
    meant = {id(touch.change): target(touch) for touch in alone}
    faulty = False
    for touch in together:
        if target(touch) != meant.get(id(touch.change)):
            message = f"beside the other variants this path of `{name}` leads to another place"
            diagnostics.add(
                "V007", message, place(touch), help=["name the place by what stands there, not by its number"]
            )
            faulty = True
    return not faulty


def target(touch: Touch) -> Identity | None:
    """The path of the place that a change concerns."""
    way = touch.writes or touch.reads
    return way[-1] if way else None


def place(touch: Touch) -> Span:
    """The node in which a change writes its path."""
    for key in ("set", "replace", "remove", "into", "before", "after"):
        word = touch.change.get(key)
        if isinstance(word, ScalarNode):
            return word.span
    return touch.change.span

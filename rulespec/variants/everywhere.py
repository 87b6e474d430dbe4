"""Paths that mean several places: `pieces.Card.rows[every].worth`, `phases[every win].win`, or `[every win].win` in the whole game.

What follows `every` is looked for as in any brackets.  Places that do not have the keys that follow are passed over.
"""

from __future__ import annotations

from rulespec.text.diagnostics import Diagnostics
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode, ScalarNode
from rulespec.variants.paths import FIXED, Part, TreePlace, fits, items_in, read_path, resolve


def places(root: MapNode, word: ScalarNode, diagnostics: Diagnostics, any_game: bool = False) -> list[TreePlace] | None:
    """The places that a path with `every` means; None for a path without.

    Reports V004 where there is none, unless it is a variant for `any_game`.
    """
    parts = read_path(word, Diagnostics())
    if parts is None or not any(part.every for part in parts):
        return None
    first = next(index for index, part in enumerate(parts) if part.every)
    start: TreePlace | None = TreePlace((), root)
    if first:
        lead = ScalarNode(word.value[: parts[first].start], word.style, word.span)
        quiet = Diagnostics()
        start = resolve(root, lead, quiet if any_game else diagnostics)
    found = [] if start is None else [start]
    for part in parts[first:]:
        found = [inner for place in found for inner in next_places(place, part)]
    if start is not None and not found and not any_game:
        diagnostics.add(
            "V004",
            f"nothing fits {ticked(word.value)}",
            word.span,
            help=["`rulespec tree` and `rulespec diff` show paths"],
        )
    return found


def next_places(place: TreePlace, part: Part) -> list[TreePlace]:
    """The places to which a part of a path leads from a place."""
    node = place.node
    if isinstance(node, ScalarNode):
        return []
    if part.key is not None:
        names = [key.value for key, _ in node.entries] if isinstance(node, MapNode) else []
        return [place.inner(names.index(part.key))] if part.key in names else []
    if part.number is not None:
        return [place.inner(part.number - 1)] if isinstance(node, ListNode) and 1 <= part.number <= len(node) else []
    if part.every and not part.text:
        return [inner for inner in map(place.inner, range(len(node))) if not outside(inner)]
    return [item for item in items_in(place) if fits(item.node, part) and not outside(item)]


def outside(place: TreePlace) -> bool:
    """Whether a place is in a section that no variant changes."""
    above, index = place.trail[0]
    return isinstance(above, MapNode) and above.entries[index][0].value in FIXED


def outermost(found: list[TreePlace]) -> list[TreePlace]:
    """Places that are not within others of them."""
    trails = [tuple((id(above), index) for above, index in place.trail) for place in found]
    known = set(trails)
    inner = {at for at, trail in enumerate(trails) if any(trail[:end] in known for end in range(1, len(trail)))}
    return [place for at, place in enumerate(found) if at not in inner]

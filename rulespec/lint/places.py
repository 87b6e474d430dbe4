"""The places of a map and the links between them, as numbers."""

from __future__ import annotations

from rulespec.checker import symbols
from rulespec.checker.maps import ends_of

Link = tuple[int, int, bool]  # from, to, whether it leads one way only


def links_of(kind: symbols.Kind) -> list[Link]:
    """The links between the places of a kind, by number; none if it is no kind of places."""
    if kind.what != "node" or kind.links is None:
        return []
    return [(a, b, bool(one_way)) for a, b, one_way in ends_of(kind.links)]


def parts(count: int, links: list[Link]) -> list[list[int]]:
    """The places in groups between which no link leads, the largest first."""
    group = list(range(count))

    def root(n: int) -> int:
        while group[n] != n:
            n = group[n]
        return n

    for a, b, _ in links:
        group[root(b)] = root(a)
    groups: dict[int, list[int]] = {}
    for n in range(count):
        groups.setdefault(root(n), []).append(n)
    return sorted(groups.values(), key=lambda component: (-len(component), component))

"""The layout of a map: where places lie, as the game says or worked out from the links, in whole numbers, the same on every machine.

Only sums, products, quotients and square roots of floats are used, which are rounded alike everywhere.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from math import sqrt

from interpreter.views.pictures import Picture

UNIT = 100  # between neighbours, where the places have no coordinates
WORK = 800_000  # pairs of places that may be looked at
STILL = 0.002  # the layout has converged when no place moves more than this
Point = tuple[int, int]


def positions(picture: Picture) -> list[Point]:
    """The position of each place: as the game says, or computed from the links."""
    said = [(place.x, place.y) for place in picture.places]
    if all(x is not None and y is not None for x, y in said):
        return [(x, y) for x, y in said if x is not None and y is not None]
    return spread(len(said), [(link.a, link.b) for link in picture.links])


def spread(count: int, links: Sequence[tuple[int, int]]) -> list[Point]:
    """Places as far from each other as the shortest way is long, as nearly as that can be (by majorization of the stress)."""
    if count * count > WORK // 4 or not links:
        return grid(count)
    wanted = distances(count, links)
    first = wanted[0].index(max(wanted[0]))
    second = wanted[first].index(max(wanted[first]))
    third = max(range(count), key=lambda v: (min(wanted[first][v], wanted[second][v]), -v))
    # Far from each other to begin with, and no two at one point.
    at = [
        (wanted[first][v] - wanted[second][v] + v / (16.0 * count), 2 * wanted[third][v] + v * v % 7 / 16.0)
        for v in range(count)
    ]
    for _ in range(min(300, WORK // (count * count))):
        old, at = at, [pulled(v, at, wanted) for v in range(count)]
        if all(
            abs(x - was_x) < STILL and abs(y - was_y) < STILL for (x, y), (was_x, was_y) in zip(at, old, strict=True)
        ):
            break
    return [(round(x * UNIT), round(y * UNIT)) for x, y in at]


def pulled(v: int, at: list[tuple[float, float]], wanted: list[list[int]]) -> tuple[float, float]:
    """The position to which the other places pull a place, near ones most."""
    x = y = weights = 0.0
    own_x, own_y = at[v]
    for u, (other_x, other_y) in enumerate(at):
        if u == v:
            continue
        distance = wanted[v][u]
        weight = 1.0 / (distance * distance)
        dx, dy = own_x - other_x, own_y - other_y
        length = sqrt(dx * dx + dy * dy) or 1.0
        x += weight * (other_x + distance * dx / length)
        y += weight * (other_y + distance * dy / length)
        weights += weight
    return (x / weights, y / weights) if weights else (own_x, own_y)


def distances(count: int, links: Sequence[tuple[int, int]]) -> list[list[int]]:
    """The distance in steps between all places; a little more than the longest where there is no path."""
    beside: list[list[int]] = [[] for _ in range(count)]
    for a, b in links:
        beside[a].append(b)
        beside[b].append(a)
    table = []
    for start in range(count):
        row = [0] * count
        todo = deque([start])
        while todo:
            v = todo.popleft()
            for u in beside[v]:
                if row[u] == 0 and u != start:
                    row[u] = row[v] + 1
                    todo.append(u)
        table.append(row)
    far = max(map(max, table), default=0) // 2 + 2
    return [[steps or (0 if u == v else far) for u, steps in enumerate(row)] for v, row in enumerate(table)]


def grid(count: int) -> list[Point]:
    """Row by row."""
    across = max(1, round(sqrt(count * 1.5)))
    return [(v % across * UNIT, v // across * UNIT) for v in range(count)]

"""How the places of a map and their texts share the room that there is, in whole numbers, the same on every machine.

Only sums, products, quotients and square roots of floats are used, which are rounded alike everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt

from interpreter.views.layout import WORK, Point
from rulespec.system.records import dataclass


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle: its left upper corner and its size."""

    x: int
    y: int
    width: int
    height: int

    @property
    def centre(self) -> Point:
        return self.x + self.width // 2, self.y + self.height // 2

    def holds(self, x: float, y: float, margin: float = 0) -> bool:
        """Whether a point lies in it, or at most so far beside it."""
        return (
            self.x - margin <= x < self.x + self.width + margin and self.y - margin <= y < self.y + self.height + margin
        )


def scaled(points: Sequence[Point], width: int, height: int, stretch: float | None = None) -> list[Point]:
    """The points in a field of this size; `stretch` is how many times as long a unit may be in one direction as in the other."""
    if not points:
        return []
    left, top = min(x for x, _ in points), min(y for _, y in points)
    across, down = max(x for x, _ in points) - left, max(y for _, y in points) - top
    one_x = width / across if across else 0.0
    one_y = height / down if down else 0.0
    if stretch is not None and one_x and one_y:
        one_x, one_y = min(one_x, one_y * stretch), min(one_y, one_x * stretch)
    free_x, free_y = (width - across * one_x) / 2, (height - down * one_y) / 2
    return [(round(free_x + (x - left) * one_x), round(free_y + (y - top) * one_y)) for x, y in points]


def apart(boxes: Sequence[Box], width: int, height: int, gap: int) -> list[Box]:
    """The boxes moved so far that they leave a gap between each other and stay in the field, if there is room for it."""
    at = [[box.x, box.y] for box in boxes]
    for _ in range(min(400, WORK // max(1, len(boxes) ** 2))):
        moved = False
        for j, other in enumerate(boxes):
            for i in range(j):
                box = boxes[i]
                dx = (at[j][0] + other.width // 2) - (at[i][0] + box.width // 2)
                dy = (at[j][1] + other.height // 2) - (at[i][1] + box.height // 2)
                over_x = (box.width + other.width) // 2 + gap - abs(dx)
                over_y = (box.height + other.height) // 2 + gap - abs(dy)
                if over_x <= 0 or over_y <= 0:
                    continue
                moved = True
                axis, over, way = (0, over_x, dx) if over_x < over_y else (1, over_y, dy)
                step = (over + 1) // 2 * (1 if way >= 0 else -1)
                at[j][axis] += step
                at[i][axis] -= step
        for n, box in enumerate(boxes):
            at[n][0] = max(0, min(at[n][0], width - box.width))
            at[n][1] = max(0, min(at[n][1], height - box.height))
        if not moved:
            break
    return [Box(x, y, box.width, box.height) for (x, y), box in zip(at, boxes, strict=True)]


def crosses(path: Sequence[tuple[float, float]], boxes: Sequence[Box], margin: float) -> int:
    """How many of the boxes a path of short steps leads through."""
    return sum(any(box.holds(x, y, margin) for x, y in path) for box in boxes)


def steps(path: Sequence[tuple[float, float]], size: float) -> list[tuple[float, float]]:
    """The points of a path at even distances, the ends among them."""
    corners: list[tuple[float, float]] = [path[0]]
    for (x, y), (to_x, to_y) in pairwise(path):
        length = sqrt((to_x - x) * (to_x - x) + (to_y - y) * (to_y - y))
        count = max(1, int(length / size))
        corners += [(x + (to_x - x) * n / count, y + (to_y - y) * n / count) for n in range(1, count + 1)]
    return corners

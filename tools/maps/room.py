"""Placement of rectangles in a grid of characters: each as near as possible to where it belongs, without overlaps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from interpreter.views.layout import Point

GAP = 2  # columns between two rectangles; there is one row between them
STEEP = 3  # one row of distance counts as so many columns
ROUNDS = 4
MANY = 150  # with more than so many, the first arrangement is taken as it is
Size = tuple[int, int]


class TakenCells:
    """Which columns of each row are taken: a bit for each."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.rows = [0] * height

    def take(self, at: Point, size: Size) -> None:
        """Put a rectangle where there is room, or take one away that lies there."""
        mask = ((1 << size[0]) - 1) << at[0]
        for row in range(at[1], at[1] + size[1]):
            self.rows[row] ^= mask

    def blocked(self, row: int, size: Size) -> int:
        """The columns where a rectangle whose first row is this cannot begin, as bits."""
        wide, high = size
        bits = 0
        for line in range(max(0, row - 1), min(self.height, row + high + 1)):
            bits |= self.rows[line]
        bits |= bits << GAP
        count = 1
        while count < wide + GAP:
            step = min(count, wide + GAP - count)
            bits |= bits >> step
            count += step
        return bits

    def free(self, at: Point, size: Size) -> bool:
        """Whether a rectangle can lie there."""
        fits = 0 <= at[0] <= self.width - size[0] and 0 <= at[1] <= self.height - size[1]
        return fits and not self.blocked(at[1], size) >> at[0] & 1

    def nearest(self, wanted: Point, size: Size) -> Point | None:
        """The nearest place for a rectangle, if there is one."""
        x, y = wanted
        best: tuple[int, Point] | None = None
        for row in sorted(range(self.height - size[1] + 1), key=lambda row: (abs(row - y), row)):
            down = STEEP * abs(row - y)
            if best is not None and down >= best[0]:
                break
            blocked = self.blocked(row, size)
            for far in range(self.width):
                if best is not None and down + far >= best[0]:
                    break
                for column in (x - far, x + far):
                    if 0 <= column <= self.width - size[0] and not blocked >> column & 1:
                        best = down + far, (column, row)
                        break
                else:
                    continue
                break
        return None if best is None else best[1]


def arranged(wanted: Sequence[Point], sizes: Sequence[Size], width: int, height: int) -> list[Point] | None:
    """Where the rectangles lie; None if there is no room for all.  The same for the same, always."""
    spots = arrangement(tuple(wanted), tuple(sizes), width, height)
    return None if spots is None else list(spots)


@lru_cache(maxsize=32)  # of most answers the map stays as it is
def arrangement(
    wanted: tuple[Point, ...], sizes: tuple[Size, ...], width: int, height: int
) -> tuple[Point, ...] | None:
    """What `arranged` gives, worked out."""
    field = TakenCells(width, height)
    at: list[Point] = [(0, 0)] * len(wanted)
    for n in sorted(range(len(wanted)), key=lambda n: (wanted[n][1], wanted[n][0], n)):
        spot = field.nearest(wanted[n], sizes[n])
        if spot is None:
            return None
        at[n] = spot
        field.take(spot, sizes[n])
    for _ in range(ROUNDS if len(wanted) <= MANY else 0):
        before = list(at)
        for n, size in enumerate(sizes):  # what was put later may have left room that is nearer
            field.take(at[n], size)
            at[n] = field.nearest(wanted[n], size) or at[n]
            field.take(at[n], size)
        for first, other in combinations(range(len(at)), 2):
            exchange(field, at, wanted, sizes, first, other)
        if at == before:
            break
    return tuple(at)


def exchange(
    field: TakenCells, at: list[Point], wanted: Sequence[Point], sizes: Sequence[Size], first: int, other: int
) -> None:
    """Let two rectangles change places, if that is better and they fit."""
    now = off(at[first], wanted[first]) + off(at[other], wanted[other])
    if off(at[other], wanted[first]) + off(at[first], wanted[other]) >= now:
        return
    old = at[first], at[other]
    for n in (first, other):
        field.take(at[n], sizes[n])
    if field.free(old[1], sizes[first]):
        field.take(old[1], sizes[first])
        if field.free(old[0], sizes[other]):
            field.take(old[0], sizes[other])
            at[first], at[other] = old[1], old[0]
            return
        field.take(old[1], sizes[first])
    for n in (first, other):
        field.take(at[n], sizes[n])


def off(at: Point, wanted: Point) -> int:
    """The distance of a rectangle from where it belongs."""
    return abs(at[0] - wanted[0]) + STEEP * abs(at[1] - wanted[1])

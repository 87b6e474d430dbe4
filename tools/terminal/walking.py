"""Walking from one spot of the table to the next: by arrows to the nearest in a direction, by Tab from region to region."""

from __future__ import annotations

from .asked import SAID, Asked
from .layout import REGIONS
from .sheet import Meant, Sheet, Spot

WAYS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
ROW = 2  # a row counts as so many columns
ASIDE = 3  # going aside counts so many times


def stops(sheet: Sheet, asked: Asked, everything: bool = False) -> list[Spot]:
    """Where the arrows stop, in reading order: what may be chosen; or all that can be looked at."""
    out: dict[Meant, Spot] = {}
    for spot in sheet.spots:
        meant = spot.meant
        if meant.thing is None and meant.action is None:
            continue
        if everything:
            stop = meant.zone != SAID or spot.region not in ("log", "")
        else:
            stop = asked.is_legal(meant)
        if stop and meant not in out:
            out[meant] = spot
    return sorted(out.values(), key=lambda spot: (spot.y, spot.x))


def start(sheet: Sheet, asked: Asked) -> Meant | None:
    """Where the arrows stand first: on a thing that may be chosen, else on the first answer."""
    listed = stops(sheet, asked)
    for region in ("hand", "middle", "question"):
        for spot in listed:
            if spot.region == region:
                return spot.meant
    return listed[0].meant if listed else None


def towards(listed: list[Spot], here: Spot | None, way: str) -> Meant | None:
    """The nearest stop in a direction; left and right go on in reading order where there is none in the row."""
    if here is None:
        return listed[0].meant if listed else None
    dx, dy = WAYS[way]
    best: tuple[float, Spot] | None = None
    for spot in listed:
        if spot.meant == here.meant:
            continue
        x = gap(here.x, here.width, spot.x, spot.width)
        y = gap(here.y, here.height, spot.y, spot.height) * ROW
        along, aside = (x * dx, abs(y)) if dx else (y * dy, abs(x))
        if along <= 0 or (dx and aside > 2 * along + ROW):
            continue
        centre = abs((spot.x + spot.width / 2) - (here.x + here.width / 2)) if dy else 0
        cost = along + ASIDE * aside + centre / 100
        if best is None or cost < best[0]:
            best = (cost, spot)
    if best is not None:
        return best[1].meant
    if not dx:
        return None
    order = [spot.meant for spot in listed]
    if here.meant not in order:
        return order[0] if order else None
    return order[(order.index(here.meant) + dx) % len(order)]


def gap(start: int, size: int, other: int, other_size: int) -> int:
    """How far the second stretch lies after the first, negative before it, 0 where they overlap."""
    if other >= start + size:
        return other - (start + size) + 1
    if other + other_size <= start:
        return other + other_size - start - 1
    return 0


def next_region(sheet: Sheet, asked: Asked, region: str, step: int) -> Meant | None:
    """The first stop of the next region that has something to look at."""
    at = REGIONS.index(region) if region in REGIONS else -1
    for n in range(1, len(REGIONS) + 1):
        name = REGIONS[(at + step * n) % len(REGIONS)]
        for everything in (False, True):
            for spot in stops(sheet, asked, everything):
                if spot.region == name:
                    return spot.meant
    return None


def spot_of(sheet: Sheet, meant: Meant | None) -> Spot | None:
    """Where something stands."""
    return next((spot for spot in sheet.spots if spot.meant == meant), None) if meant else None


def spot_at(sheet: Sheet, x: int, y: int) -> Spot | None:
    """What a point of the screen is of: the last that was put there."""
    return next((spot for spot in reversed(sheet.spots) if spot.holds(x, y)), None)

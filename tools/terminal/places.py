"""The map: places as coloured words where they lie, with what is there, and dots for links; a list where there is no room."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rich.style import Style

from ..maps.layout import scaled
from ..maps.room import arranged
from .faces import short
from .glyphs import BACK, sign
from .scene import Scene
from .sheet import Meant, Run, Sheet, above, beside, line

Data = dict[str, Any]
LEAST = 20  # rows for which a map of many places keeps its shape
FEW = 26  # places of a map that keeps its shape in fewer rows
DOTS = {"dashed": "-", "thick": "#", "dotted": "∙", "double": "=", "wavy": "~", "barred": "x"}


def tokens(scene: Scene, place: Data) -> list[Run]:
    """What lies at a place, in as few letters as can be: `3M`, `@B`, backs."""
    paint = scene.paint
    runs: list[Run] = []
    for one in place.get("holds", ()):
        if not isinstance(one, str):
            continue
        zone = scene.zones[one]
        for part in zone.get("bag", ()):
            if part["thing"] is None:
                runs.append(Run(f"{BACK}{part['n']}", paint.back(), Meant(None, one)))
                continue
            runs.append(token(scene, part["thing"], one, str(part["n"])))
        seen = [item for item in zone.get("items", ()) if item]
        runs += [token(scene, item, one, "@" if scene.things[item]["form"] == "card" else "") for item in seen]
        hidden = zone["count"] - len(seen)
        if hidden > 0 and "bag" not in zone:
            runs.append(Run(f"{BACK}{hidden if hidden > 1 else ''}", paint.back(), Meant(None, one)))
    return runs


def token(scene: Scene, thing: str, zone: str, before: str) -> Run:
    """A piece at a place."""
    face, meant = scene.things[thing], Meant(thing, zone)
    text = f"{before}{face.get('sign') or short(scene, thing)[:2]}"
    style = scene.paint.chosen() if scene.asked.is_legal(meant) else scene.paint.ground(face.get("colour"))
    return Run(text, style, meant)


def spaced(runs: list[Run]) -> list[Run]:
    """With a blank between each two."""
    return [part for number, run in enumerate(runs) for part in ([Run(" "), run] if number else [run])]


def colour_of(scene: Scene, place: Data) -> str | None:
    """The colour of a place, by the legend of the map."""
    legend = scene.view["map"]["legends"].get("colour", ())
    return next((one["sign"] for one in legend if one["name"] == place.get("colour")), None)


def mark_of(scene: Scene, place: Data) -> str:
    """The symbol of a place."""
    legend = scene.view["map"]["legends"].get("symbol", ())
    return next((sign(one["sign"]) for one in legend if one["name"] == place.get("symbol")), "")


def title_of(scene: Scene, place: Data) -> str:
    """What is written at a place."""
    return str(place.get("title") or scene.things[place["thing"]]["label"])


def head(scene: Scene, place: Data, room: int) -> list[Run]:
    """The name of a place, with its number and its marks."""
    paint, meant = scene.paint, Meant(place["thing"])
    legal = scene.asked.is_legal(meant)
    key = scene.asked.key(meant)
    flags = "".join("⚑" for _ in place.get("flags", ())[:1])
    new = "•" if place["thing"] in scene.changes.get("spots", ()) else ""
    title = title_of(scene, place)
    letters = paint.letters(colour_of(scene, place))
    if len(title) > room:
        title = f"{title[: room - 1]}…"
    symbol = mark_of(scene, place)
    stands = f"{symbol} " if symbol and not place.get("holds") and len(title) <= 3 else ""
    style = paint.chosen() if legal else paint.shade(colour_of(scene, place), bool(place.get("strong")))
    text = f" {f'{key or chr(0x25B8)} ' if legal else ''}{stands}{title}{f'/{letters}' if letters else ''}{flags}{new} "
    return [Run(text, style, meant)]


def place_map(scene: Scene, width: int, height: int) -> Sheet | None:
    """The map in its shape; None where there is no room for that."""
    data = scene.view["map"]
    places = data["places"]
    if height < LEAST and len(places) > FEW:
        return None
    blocks = [place_block(scene, place, max(8, width // 5)) for place in places]
    points = scaled([(place["x"], place["y"]) for place in places], width - 1, height - 1)
    sizes = [(block.width, block.height) for block in blocks]
    wanted = [
        (max(0, min(x - w // 2, width - w)), max(0, min(y - h // 2, height - h)))
        for (x, y), (w, h) in zip(points, sizes, strict=True)
    ]
    spots = arranged(wanted, sizes, width, height) or arranged(
        wanted, [(w - 1, h) for w, h in sizes], width + 1, height + 1
    )
    if spots is None:
        return None
    sheet = Sheet(width, height)
    ends = {place["thing"]: (x + w // 2, y) for place, (x, y), (w, _) in zip(places, spots, sizes, strict=True)}
    styles = {one["name"]: one["sign"] for one in data["legends"].get("style", ())}
    for link in data["links"]:
        dots(scene, sheet, ends[link["a"]], ends[link["b"]], DOTS.get(styles.get(link.get("style", ""), ""), "·"))
    for block, (x, y) in zip(blocks, spots, strict=True):
        sheet.lay(block, x, y)
    return sheet


def dots(scene: Scene, sheet: Sheet, start: tuple[int, int], end: tuple[int, int], sign: str) -> None:
    """A link."""
    (ax, ay), (bx, by) = start, end
    count = max(abs(bx - ax), abs(by - ay) * 2, 1)
    for n in range(0, count + 1, 2):
        sheet.put(round(ax + (bx - ax) * n / count), round(ay + (by - ay) * n / count), sign, scene.paint.line())


def place_block(scene: Scene, place: Data, room: int) -> Sheet:
    """A place with what lies there under it."""
    top = line(head(scene, place, room))
    runs = tokens(scene, place)
    if not runs:
        return top
    below = line([Run(" "), *spaced(runs), Run(" ")])
    wide = max(top.width, below.width)
    ground: Style = scene.paint.shade(colour_of(scene, place))
    sheet = Sheet(wide, 2)
    sheet.fill(0, 0, wide, 2, ground)
    sheet.fill(0, 0, wide, 1, top.rows[0][0][1])
    sheet.lay(top, 0, 0)
    for x, (character, style) in enumerate(below.rows[0]):
        sheet.rows[1][x] = (character, ground + style)
    sheet.spots = []
    sheet.mark(0, 0, wide, 2, Meant(place["thing"]))
    sheet.spots += [replace(spot, y=1) for spot in below.spots]  # the last one that holds a point is meant
    return sheet


def place_list(scene: Scene, width: int, rows: int) -> Sheet:
    """The places that matter under each other: first those that can be chosen, then those with flags, then those with something there."""
    places = scene.view["map"]["places"]

    def rank(place: Data) -> tuple[bool, bool, bool]:
        return (
            not scene.asked.is_legal(Meant(place["thing"])),
            not place.get("flags"),
            not place.get("holds") and not place.get("symbol"),
        )

    ranked = sorted(places, key=rank)
    shown = ranked[:rows] if len(ranked) <= rows else ranked[: rows - 1]
    lines = []
    names = min(24, max((len(title_of(scene, place)) for place in shown), default=0) + 5)
    for place in shown:
        first = Sheet(names, 1)
        first.lay(line(head(scene, place, names - 5)), 0, 0)
        symbol = mark_of(scene, place)
        runs = spaced(tokens(scene, place)) or ([Run(symbol, scene.paint.dim())] if symbol else [])
        second = Sheet(22, 1)
        second.lay(line(runs, 22), 0, 0)
        words = [flag["label"] for flag in place.get("flags", ())]
        said = [Run("; ".join(words), scene.paint.accent(bold=False))] if words else []
        lines_of_text = list(place.get("lines", ()))
        for one in place.get("holds", ()):
            if not isinstance(one, str):
                lines_of_text.append(f"{one['label']} {one['text']}" if one["text"] != "yes" else one["label"])
        if lines_of_text:
            said.append(Run(f"{'; ' if words else ''}{'; '.join(lines_of_text)}", scene.paint.dim()))
        third = line(said, max(0, width - names - 24))
        lines.append(beside([first, second, third]))
    if len(shown) < len(ranked):
        lines.append(line([Run(f"{len(ranked) - len(shown)} more: m shows the map", scene.paint.dim())], width))
    return above(lines)


def legend(scene: Scene, width: int) -> Sheet:
    """What the signs on the map stand for."""
    seen: dict[str, Run] = {}
    for place in scene.view["map"]["places"]:
        for one in place.get("holds", ()):
            if isinstance(one, str):
                zone = scene.zones[one]
                for thing in [*(part["thing"] for part in zone.get("bag", ())), *zone.get("items", ())]:
                    if thing:
                        face = scene.things[thing]
                        text = face.get("sign") or short(scene, thing)[:2]
                        seen.setdefault(
                            face["label"],
                            Run(f" {text} ", scene.paint.ground(face.get("colour")), Meant(thing, "said")),
                        )
    runs: list[Run] = []
    for label, run in seen.items():
        runs += [run, Run(f" {label}  ", scene.paint.dim())]
    return line(runs, width)

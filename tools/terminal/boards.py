"""A board: cells with their pieces, those that may be chosen marked; rows of hexagons are shifted by half a cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from rich.style import Style

from rulespec.library.boards import column_name

from . import parts, ties
from .faces import short
from .scene import Scene
from .sheet import Meant, Sheet, Spot, above, flowed

Data = dict[str, Any]
SIZES = ((9, 4), (7, 3), (6, 3), (6, 2), (5, 2), (4, 2), (5, 1), (4, 1), (3, 1), (2, 1))  # of a cell, the largest first
MARKS = {
    "X": ("╲ ╱", " ╳ ", "╱ ╲"),
    "O": ("╭─╮", "│ │", "╰─╯"),
}


def board(scene: Scene, data: Data, width: int, height: int) -> Sheet:
    """The board in the largest cells for which there is room, and below it whose its edges are."""
    if "edges" not in data:
        return fitted(scene, data, width, height)
    return above([fitted(scene, data, width, height - 1), edges(scene, data, width)])


def fitted(scene: Scene, data: Data, width: int, height: int) -> Sheet:
    """The board in the largest cells for which there is room; one with edges and corners has one size."""
    if "parts" in data:
        cells, joints = (
            [content(scene, one, colours_matter({"cells": data[of]}), False) for one in data[of]]
            for of in ("cells", "parts")
        )
        return parts.drawn(scene, data, cells, joints)
    least = widest_text(scene, data)
    for wide, high in SIZES:
        if wide < least and (wide, high) != SIZES[-1]:
            continue
        margin = len(str(data["rows"])) + 1
        if margin + wide * data["columns"] <= width and high * data["rows"] + 1 <= height:
            return drawn(scene, data, wide, high)
    return drawn(scene, data, max(2, min(least, (width - 3) // max(1, data["columns"]))), 1)


def side_by_side(scene: Scene, several: list[Data], width: int, height: int) -> Sheet:
    """Boards with their titles, as many in a row as lets their cells be largest; all that there are, where there is too little room."""
    best: Sheet | None = None
    for row in range(len(several), 0, -1):
        wide, high = width // row, height // -(-len(several) // row) - 1
        drawn = [above([titled(scene, data["title"], wide), board(scene, data, wide - 1, high)]) for data in several]
        sheet = flowed(drawn, width)
        if best is None or (sheet.height <= height and sheet.width * sheet.height > best.width * best.height):
            best = sheet
    assert best is not None
    return best


def edges(scene: Scene, data: Data, width: int) -> Sheet:
    """Whose the edges of a board are, in a line."""
    names = {seat["colour"]: seat["label"] for seat in scene.view["seats"]}
    whose: dict[str, list[str]] = {}
    for edge, colour in data["edges"].items():
        whose.setdefault(names.get(colour, colour), []).append(edge)
    text = ", ".join(f"{name} {' and '.join(ways)}" for name, ways in whose.items())
    return titled(scene, f"edges: {text}", width)


def titled(scene: Scene, title: str, width: int) -> Sheet:
    """What a board is called, as far as there is room."""
    sheet = Sheet(min(width - 1, len(title)), 1)
    sheet.put(0, 0, title[: sheet.width], scene.paint.dim())
    return sheet


def widest_text(scene: Scene, data: Data) -> int:
    """How many columns the longest text of a cell wants."""
    alike = colours_matter(data)
    texts = [content(scene, cell, alike)[0] for cell in data["cells"]]
    return min(6, max((len(text) for text in texts), default=1) + 2)


def lettered(data: Data) -> bool:
    """Whether columns have letters and rows numbers from below: the names of the cells say so."""
    for cell in data["cells"][:3]:
        name = cell["thing"].partition("/")[2]
        if not name.endswith(str(data["rows"] - cell["y"])) or not name[:1].isalpha() or len(name) > 4:
            return False
    return True


def drawn(scene: Scene, data: Data, wide: int, high: int) -> Sheet:
    """The board in cells of a size."""
    names, alike = lettered(data), colours_matter(data)
    margin = len(str(data["rows"])) + 1 if names else 0
    sheet = Sheet(margin + wide * data["columns"] + (1 if names else 0), high * data["rows"] + names)
    lines = ties.parts(scene, data, high)
    for cell in data["cells"]:
        at = (margin + round(cell["x"] * wide), high * cell["y"])
        draw_cell(Place(scene, data, cell, sheet, at, (wide, high)), alike, lines.get(cell["thing"], ()))
    if names:
        for row in range(data["rows"]):
            first = min((c["x"] for c in data["cells"] if c["y"] == row), default=0)
            text = f"{data['rows'] - row:>{margin - 1}} "
            sheet.put(round(first * wide), row * high + (high - 1) // 2, text, scene.paint.dim())
        last = [cell for cell in data["cells"] if cell["y"] == data["rows"] - 1]
        for number, cell in enumerate(sorted(last, key=lambda cell: float(cell["x"]))):
            text = column_name(number + 1).center(wide)
            sheet.put(margin + round(cell["x"] * wide), sheet.height - 1, text, scene.paint.dim())
    return sheet


def colours_matter(data: Data) -> bool:
    """Whether one sign stands there in several colours."""
    seen = {(cell["sign"], cell.get("colour")) for cell in data["cells"] if cell.get("sign")}
    return len({sign for sign, _ in seen}) < len(seen)


def content(scene: Scene, cell: Data, alike: bool = True, lined: bool = True) -> tuple[str, str | None]:
    """What stands in a cell in a few letters, and its colour; the letters say that where signs are `alike` without it.

    What is told of two cells is a line, or else, where there is no room for lines, it is among the letters.
    """
    if cell.get("sign"):
        return cell["sign"] + (scene.paint.letters(cell.get("colour"))[:1] if alike else ""), cell.get("colour")
    texts, colour = [], None
    for one in cell.get("holds", ()):
        if isinstance(one, str):
            zone = scene.zones[one]
            seen = [item for item in zone.get("items", ()) if item]
            texts += [short(scene, item)[:3] for item in seen]
            texts += [
                f"{part['n']}{scene.things[part['thing']].get('sign', '?') if part['thing'] else '?'}"
                for part in zone.get("bag", ())
            ]
            hidden = zone["count"] - len(seen) if "bag" not in zone else 0
            texts += [f"▒{hidden if hidden > 1 else ''}"] if hidden else []
            colour = next((scene.things[item].get("colour") for item in seen), colour)
        elif lined and "to" in one:
            continue
        elif one.get("things"):
            face = scene.things[one["things"][0]]
            texts.append(face.get("sign", face["label"][:2]))
            colour = face.get("colour", colour)
        elif "value" in one:
            texts.append(one["text"])
    texts += [flag["label"][:2] for flag in cell.get("flags", ())]
    return " ".join(texts), colour


class Place(NamedTuple):
    """A cell of a board (`data`), and where on a sheet it is drawn."""

    scene: Scene
    data: Data
    cell: Data
    sheet: Sheet
    at: tuple[int, int]
    size: tuple[int, int]


def draw_cell(place: Place, alike: bool, lines: Sequence[ties.Part]) -> None:
    """One cell, with the parts of lines that lie in it."""
    scene, data, cell, sheet, at, size = place
    (x, y), (wide, high), paint = at, size, scene.paint
    meant = Meant(cell["thing"])
    legal = scene.asked.is_legal(meant)
    odd = bool((int(cell["x"] * 2) // 2 + cell["y"]) % 2)
    ground = paint.felt(data["look"], odd)
    sheet.fill(x, y, wide, high, ground)
    for part in lines:
        ties.draw(sheet, part, at, size, paint.on(ground, part.colour))
    text, colour = content(scene, cell, alike, high >= ties.LOW)
    middle = (high - 1) // 2
    style = paint.on(ground, colour)
    if text:
        piece(place, text, style)
    elif lines:
        sheet.put(x + (wide - 1) // 2, y + middle, "•", ground + paint.dim())
    elif paint.plain or data["look"] == "plain":
        sheet.put(x + (wide - 1) // 2, y + middle, "·", ground + paint.dim())
    edge = ground + paint.accent()
    new = cell["thing"] in scene.changes.get("spots", ())
    if scene.asked.is_picked(meant):
        sheet.put(x + wide - 1, y, "✓", edge)
    elif legal and wide > 2:
        between(sheet, x, y + middle, wide, "()", edge)
    elif new and wide > 2:
        between(sheet, x, y + middle, wide, "[]", edge)
    elif new or (legal and text):
        sheet.over(Spot(x, y, wide, high, meant), paint.chosen())
    if legal and not text:
        sheet.put(x + (wide - 1) // 2, y + middle, "∙", edge)
    sheet.mark(x, y, wide, high, meant)


def between(sheet: Sheet, x: int, y: int, wide: int, signs: str, style: Style) -> None:
    """A bracket on each side of a cell."""
    sheet.put(x, y, signs[0], style)
    sheet.put(x + wide - 1, y, signs[1], style)


def piece(place: Place, text: str, style: Style) -> None:
    """What stands in a cell."""
    scene, data, cell, sheet, (x, y), (wide, high) = place
    middle = (high - 1) // 2
    if data["look"] == "mark" and high >= 3 and wide >= 5 and text in MARKS:
        for down, part in enumerate(MARKS[text]):
            sheet.put(x + (wide - 3) // 2, y + (high - 3) // 2 + down, part, style)
    elif data["look"] == "disc" and cell.get("sign") and not scene.paint.plain:
        if high >= 3:
            sheet.put(x + (wide - 4) // 2, y + middle, "▐██▌", style)
        elif high == 2:
            sheet.put(x + (wide - 3) // 2, y, "▄▄▄", style)
            sheet.put(x + (wide - 3) // 2, y + 1, "▀▀▀", style)
        else:
            sheet.put(x + (wide - 1) // 2, y, "●", style)
    else:
        room = wide if high > 1 else max(1, wide - 1)
        sheet.put(x + max(0, (wide - len(text)) // 2), y + middle, text[:room], style)

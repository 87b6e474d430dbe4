"""A board with edges and corners: cells by their names, and what stands between and on the corners of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import lattice
from .scene import Scene
from .sheet import Meant, Sheet

Data = dict[str, Any]
Content = tuple[str, str | None]  # a few letters, and their colour


def drawn(scene: Scene, data: Data, cells: Sequence[Content], parts: Sequence[Content]) -> Sheet:
    """The board with what stands in its cells, and at its parts."""
    shape = data["shape"]
    points = [point for part in data["parts"] for point in part["at"]]
    sheet = Sheet(*lattice.extent(shape, points))
    for point in points:
        x, y = lattice.at(shape, [point])
        sheet.put(x, y, "+" if shape == "square" else ".", scene.paint.dim())
    for cell, (text, colour) in zip(data["cells"], cells, strict=True):
        name = cell["thing"].partition("/")[2]
        here = lattice.of_cell(shape, cell["x"], cell["y"])
        write(scene, sheet, here, cell["thing"], (text, colour) if text else (name, None), bare=not text)
    for part, (text, colour) in zip(data["parts"], parts, strict=True):
        if text and len(part["at"]) > 1:
            for x, y, sign in lattice.line(shape, part["at"]):
                sheet.put(x, y, sign, scene.paint.writing(colour))
    for part, (text, colour) in zip(data["parts"], parts, strict=True):
        write(scene, sheet, lattice.at(shape, part["at"]), part["thing"], (text, colour))
    return sheet


def write(scene: Scene, sheet: Sheet, here: tuple[int, int], thing: str, content: Content, bare: bool = False) -> None:
    """What stands in one place between its marks: it may be chosen, is picked, or is new."""
    (x, y), (text, colour), meant, paint = here, content, Meant(thing), scene.paint
    legal, picked = scene.asked.is_legal(meant), scene.asked.is_picked(meant)
    new = thing in scene.changes.get("spots", ())
    marks = "✓✓" if picked else "()" if legal else "[]" if new else ""
    text = text or ("∙" if marks else "")
    left = x - (len(text) - 1) // 2
    sheet.put(left, y, text, paint.dim() if bare else paint.writing(colour))
    if marks:
        sheet.put(left - 1, y, marks[0], paint.accent())
        sheet.put(left + len(text), y, marks[1], paint.accent())
    sheet.mark(left - 1, y, len(text) + 2, 1, meant)

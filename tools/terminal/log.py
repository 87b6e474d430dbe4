"""The log by turns: each line with the colour of whose turn it is, what is new since brighter."""

from __future__ import annotations

from .faces import named
from .scene import Scene
from .sheet import Run, Sheet, above, paragraph


def log(scene: Scene, width: int, rows: int | None = None) -> Sheet:
    """The last lines of the log, no more rows than said."""
    paint = scene.paint
    turns = scene.view["log"]
    total = sum(len(turn["lines"]) for turn in turns)
    fresh = total - scene.changes.get("log", 0) if scene.view["changes"] is not None else 0
    sheets: list[Sheet] = []
    number = 0
    for turn in turns:
        colour = scene.seats[turn["by"]]["colour"] if turn["by"] in scene.seats else None
        bar = Run("▎", paint.writing(colour) if colour else paint.dim())
        for said in turn["lines"]:
            sheets.append(paragraph([bar, *spoken(scene, said, number >= fresh)], width, [bar, Run(" ")]))
            number += 1
    whole = above(sheets, width=width)
    if rows is None or whole.height <= rows:
        return whole
    return whole.cut(whole.height - rows, rows)


def spoken(scene: Scene, parts: list[object], new: bool = True) -> list[Run]:
    """A line of the log."""
    runs = []
    for part in parts:
        if isinstance(part, dict):
            if "seat" in part:
                seat = scene.seats.get(part["seat"])
                runs.append(Run(part["text"], scene.paint.writing(seat["colour"] if seat else None)))
            else:
                runs.append(named(scene, part["thing"], part["text"]))
        else:
            runs.append(Run(str(part), scene.paint.text() if new else scene.paint.dim()))
    return runs

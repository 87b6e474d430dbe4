"""Cards and tokens: as a word on a coloured ground, or as a block of letters."""

from __future__ import annotations

import textwrap
from typing import Any

from rich.cells import cell_len

from .glyphs import BACK, sign
from .scene import Scene
from .sheet import Meant, Run, Sheet

Data = dict[str, Any]


def written(face: Data) -> tuple[str, str]:
    """What is written on a thing, and in its corner."""
    return str(face.get("title", face["label"])), str(face.get("corner", ""))


def short(scene: Scene, thing: str) -> str:
    """What stands on a thing, in a few letters: `12★`, `Bilbo`."""
    face = scene.things[thing]
    title, corner = written(face)
    signs = sign(face.get("suit")) or sign(face.get("symbol"))
    letters = "" if face.get("suit") else scene.paint.letters(face.get("colour"))
    if corner and not title:
        text = f"{letters}{corner}{signs}"
    elif corner:
        text = f"{'' if corner in title.split() else corner}{signs} {title}".strip()
    else:
        text = title or f"{letters}{signs}" or str(face["label"])
    return str(face["label"]) if not title and not corner and face.get("cost") else text


def mini(scene: Scene, thing: str | None, zone: str | None, number: int | None = None) -> list[Run]:
    """A thing as a word on its colour, with the number to type where it may be chosen."""
    if thing is None:
        return [Run(BACK * 2, scene.paint.back())]
    meant = Meant(thing, zone)
    face = scene.things[thing]
    text = short(scene, thing) if number is None else f"{number} {short(scene, thing)}"
    runs = []
    if scene.asked.is_legal(meant):
        key = scene.asked.key(meant)
        mark = "✓" if scene.asked.is_picked(meant) else key or "▸"
        runs.append(Run(f"{mark}", scene.paint.accent(), meant))
        style = scene.paint.ground(face.get("colour"))
    elif scene.asked.is_refused(meant):
        style = scene.paint.shade(face.get("colour"))
    else:
        style = scene.paint.ground(face.get("colour"), bold=False)
    runs.append(Run(f" {text} ", style, meant))
    if zone is not None and scene.came(zone, thing):
        runs.append(Run("•", scene.paint.accent()))
    return runs


def named(scene: Scene, thing: str, text: str) -> Run:
    """A thing in a sentence."""
    face = scene.things.get(thing, {})
    meant = Meant(thing, "said")
    if face.get("form") == "card" and face.get("corner") and not face.get("title", "."):
        return Run(
            f" {short(scene, thing)} ".replace(" ", "\N{NO-BREAK SPACE}"), scene.paint.ground(face.get("colour")), meant
        )
    return Run(text, scene.paint.writing(face.get("colour")), meant)


def key_row(scene: Scene, meants: list[Meant | None], width: int, gap: int = 1) -> list[Run]:
    """The numbers above blocks."""
    runs: list[Run] = []
    for meant in meants:
        text, style = "", scene.paint.dim()
        if meant is not None:
            if scene.asked.is_picked(meant):
                text, style = "✓", scene.paint.accent()
            elif scene.asked.is_legal(meant):
                text, style = scene.asked.key(meant) or "▸", scene.paint.accent()
            elif scene.asked.is_refused(meant):
                text = "·"
            if meant.zone and meant.thing and scene.came(meant.zone, meant.thing):
                text = f"{text}•"
        runs.append(Run(text.center(width)[:width] + " " * gap, style))
    return runs


def block_width(scene: Scene, things: list[str | None], most: int) -> int:
    """How wide blocks of these things are."""
    faces = [scene.things[thing] for thing in things if thing]
    wordy = any(face.get("lines") for face in faces)
    titles = [written(face)[0] for face in faces]
    longest = max((cell_len(word) for title in titles for word in title.split()), default=0)
    cost = max((2 * len(face.get("cost", ())) for face in faces), default=0)
    wanted = 20 if wordy else max(7, longest + 2, cost + 2)
    return max(4, min(wanted, most))


def block(scene: Scene, thing: str | None, zone: str | None, width: int, height: int) -> Sheet:
    """A card of so many columns and rows."""
    sheet = Sheet(width, height)
    if thing is None:
        for y in range(height):
            sheet.put(0, y, BACK * width, scene.paint.back())
        return sheet
    face, meant, paint = scene.things[thing], Meant(thing, zone), scene.paint
    colour = face.get("colour")
    refused = scene.asked.is_refused(meant)
    style = paint.shade(colour) if refused else paint.ground(colour)
    light = paint.shade(colour) if refused else paint.ground(colour, bold=False)
    sheet.fill(0, 0, width, height, light)
    for y, text in enumerate(words_on(scene, face, width, height)):
        sheet.put(0, y, text, style if y == 0 or not face.get("lines") else light)
    if face.get("cost") and height > 1:
        x = 1
        for part in face["cost"]:
            text = f"{part['n']}{scene.paint.letters(part.get('colour'))}"
            x = sheet.put(x, height - 1, text, paint.ground(part.get("colour")) if part.get("colour") else style)
    if paint.plain and refused:
        sheet.put(0, 0, "(", style)
    sheet.mark(0, 0, width, height, meant)
    return sheet


def words_on(scene: Scene, face: Data, width: int, height: int) -> list[str]:
    """What is written on a card, row by row."""
    title, corner = written(face)
    signs = sign(face.get("suit")) or sign(face.get("symbol"))
    letters = "" if face.get("suit") else scene.paint.letters(face.get("colour"))
    room = width - 1
    if not title and not face.get("lines"):
        head = f" {letters}{corner}"
        if height == 1:
            return [f"{head}{signs}"[:width]]
        rows = [head] + [""] * (height - 1)
        if height == 2:
            rows[1] = signs.center(width)
        else:
            rows[(height - 1) // 2] = signs.center(width)
            if not face.get("cost"):
                rows[-1] = f"{corner} ".rjust(width)
        return rows
    head = f"{'' if corner in title.split() else corner}{signs} {title}"
    lines = [f" {part}" for part in textwrap.wrap(head.strip(), max(3, room)) or [""]]
    for text in face.get("lines", ()):
        if len(lines) < height:
            lines += [f" {part}" for part in textwrap.wrap(text, max(3, room))]
    if len(lines) > height:
        lines = lines[:height]
        lines[-1] = f"{lines[-1][: width - 1]}…"
    return lines

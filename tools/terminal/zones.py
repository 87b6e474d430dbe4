"""Zones, counters and seats: in a line, or as blocks of cards."""

from __future__ import annotations

from typing import Any

from .. import facts
from .asked import SAID
from .faces import block, block_width, key_row, mini, short
from .glyphs import BACK
from .scene import Scene
from .sheet import Meant, Run, Sheet, above, beside, flowed, line, paragraph

Data = dict[str, Any]
MOST_SHOWN = 12  # cards of a zone in a line
LONGEST_TRACK = 24
GAP = Run("  ")


def counter(scene: Scene, one: Data, label: bool = True) -> list[Run]:
    """A variable: its name, its value or a track, and what it was."""
    paint, was = scene.paint, scene.was(one["id"])
    runs = [Run(f"{one['label']} ", paint.dim())] if label else []
    track = one.get("track")
    if track and "value" in one and track["high"] - track["low"] <= LONGEST_TRACK:
        filled = max(0, one["value"] - track["low"])
        runs.append(Run("■" * filled, paint.accent(bold=False)))
        runs.append(Run("·" * max(0, track["high"] - one["value"]), paint.dim()))
        runs.append(Run(f" {one['value']}", paint.text(bold=True)))
    elif "bag" in one:
        for number, part in enumerate(one["bag"]):
            runs += [Run(" ")] if number else []
            runs += counted(scene, part, one["id"])
    else:
        things = one.get("things", ())
        colour = scene.things[things[0]].get("colour") if len(things) == 1 else None
        meant = Meant(things[0], SAID) if things else None
        runs.append(Run(one["text"], paint.writing(colour), meant))
    if was is not None and "value" in one:
        runs.append(Run(f" ({was})", paint.accent(bold=False)))
    elif was is not None:
        runs.append(Run("•", paint.accent()))
    return runs


def counted(scene: Scene, part: Data, zone: str) -> list[Run]:
    """So many of one kind."""
    thing = part["thing"]
    if thing is None:
        return [Run(f"{part['n']} hidden", scene.paint.dim())]
    meant = Meant(thing, zone)
    if scene.asked.is_legal(meant) or scene.asked.is_refused(meant):
        return mini(scene, thing, zone, part["n"])
    runs = [
        Run(f"{part['n']} {short(scene, thing)}", scene.paint.writing(scene.things[thing].get("colour"), False), meant)
    ]
    if scene.came(zone, thing):
        runs.append(Run("•", scene.paint.accent()))
    return runs


def zone(scene: Scene, name: str, label: bool = True, most: int = MOST_SHOWN) -> list[Run]:
    """A zone in a line."""
    one, paint = scene.zones[name], scene.paint
    words = facts.zone_label(scene.view, one)
    runs = [Run(f"{words} ", paint.dim(), Meant(None, name))] if label else []
    change = scene.count_change(name)
    items = one.get("items", ())
    if one["form"] in ("stack", "closed", "deck", "backs", "count") or (
        one["count"] and "bag" not in one and not items
    ):
        seen = one["form"] == "stack" and items
        runs.append(Run(BACK, paint.back()) if not seen else Run("▤", paint.dim()))
        runs.append(Run(f"{one['count']}", paint.text(bold=True), Meant(None, name)))
        chosen = [item for item in items if item and scene.asked.verbs(Meant(item, name))]
        for item in chosen:
            runs += [Run(" "), *mini(scene, item, name)]
    elif one["form"] == "bag" or "bag" in one:
        if not one.get("bag"):
            runs.append(Run("–", paint.dim()))
        for number, part in enumerate(one.get("bag", ())):
            runs += [Run("  ")] if number else []
            runs += counted(scene, part, name)
    elif not items:
        runs.append(Run("–", paint.dim()))
    else:
        shown = list(items)
        if len(shown) > most and one["form"] == "pile":
            shown = shown[-3:]
        elif len(shown) > most:
            asked = [item for item in shown if item and scene.asked.verbs(Meant(item, name))]
            rest = [item for item in shown if item not in asked]
            shown = asked + rest[: max(0, most - len(asked))]
        if len(shown) < len(items):
            runs.append(Run(f"{len(items)}: ", paint.text(bold=True), Meant(None, name)))
        for number, item in enumerate(shown):
            runs += [Run(" ")] if number else []
            runs += mini(scene, item, name)
            runs += under(scene, item)
    if change:
        runs.append(Run(f" {change}", paint.accent()))
    return runs


def under(scene: Scene, thing: str | None) -> list[Run]:
    """What lies at a piece, or is told of it."""
    runs: list[Run] = []
    for one in scene.view["attached"].get(thing, ()) if thing else ():
        if isinstance(one, str):
            held = scene.zones[one]
            if held["count"]:
                runs += [Run("↳", scene.paint.dim()), *zone(scene, one, label=False)]
        elif one["text"] == "yes":
            runs += [Run("↳", scene.paint.dim()), Run(one["label"], scene.paint.dim())]
        else:
            runs += [Run("↳", scene.paint.dim()), *counter(scene, one)]
    return runs


def pieces(listed: list[list[Run]], width: int, indent: int = 0) -> Sheet:
    """Runs that belong together, row by row, none of them broken if it fits on a row."""
    sheets = [paragraph(runs, width - indent) for runs in listed if runs]
    body = flowed(sheets, width - indent, 2)
    if not indent:
        return body
    out = Sheet(width, body.height)
    out.lay(body, indent, 0)
    return out


def seat_name(scene: Scene, seat: Data) -> list[Run]:
    """A seat with its badges and its score."""
    paint = scene.paint
    marker = "▶ " if seat.get("to_act") else "● "
    runs = [
        Run(marker, paint.writing(seat["colour"])),
        Run(seat["label"], paint.writing(seat["colour"]), Meant(f"Player/{seat['id']}")),
    ]
    if seat.get("you"):
        runs.append(Run(" you", paint.dim()))
    for badge in seat["badges"]:
        runs += [Run(" "), Run(f" {badge} ", paint.badge())]
    for label, text in seat.get("score", ()):
        runs += [Run(f"  {label} ", paint.dim()), Run(text, paint.text(bold=True))]
    return runs


def seat_parts(scene: Scene, seat: Data, hand: bool = True) -> list[list[Run]]:
    """What a seat has: its counters, and its zones but those in the centre and, if not `hand`, those in hand."""
    scored = {(label.casefold(), text) for label, text in seat.get("score", ())}
    told = [
        one for one in seat["counters"] if one["text"] != "–" and (one["label"].casefold(), one["text"]) not in scored
    ]
    parts = [counter(scene, one) for one in told]
    for name in seat["zones"]:
        one = scene.zones[name]
        if one["at"] == "centre" or (not hand and name in scene.hands):
            continue
        if one["count"] or scene.count_change(name):
            parts.insert(0 if is_asked(scene, name) else len(parts), zone(scene, name))
    return parts


def is_asked(scene: Scene, name: str) -> bool:
    """Whether the question is about something in a zone."""
    return any(item is not None and scene.asked.verbs(Meant(item, name)) for item in scene.zones[name].get("items", ()))


def seat(scene: Scene, one: Data, width: int, rows: int, hand: bool = True) -> Sheet:
    """A seat in at most so many rows."""
    name = seat_name(scene, one)
    sheet = pieces([name, *seat_parts(scene, one, hand)], width)
    if sheet.height <= rows:
        return sheet
    runs = list(name)
    for part in seat_parts(scene, one, hand):
        runs += [GAP, *part]
    return line(runs, width) if rows == 1 else paragraph(runs, width).cut(0, rows)


def hand(scene: Scene, width: int, height: int) -> Sheet:
    """The cards in hand: blocks of so many rows with their numbers above them; in one row where there is no more."""
    names = [name for name in scene.hands if scene.zones[name]["count"]]
    cards = [(thing, name) for name in names for thing in scene.zones[name].get("items", ())]
    if height < 3 or not cards:
        listed = [zone(scene, name, most=40) for name in names]
        return pieces(listed, width) if height > 1 else line([run for runs in listed for run in [*runs, GAP]], width)
    wide = block_width(scene, [thing for thing, _ in cards], 18)
    fits = max(1, (width + 1) // (wide + 1))
    if len(cards) > fits:
        wide = max(5, (width + 1) // len(cards) - 1)
        fits = max(1, (width + 1) // (wide + 1))
    rows = [cards[n : n + fits] for n in range(0, len(cards), fits)]
    return above([row_of_blocks(scene, list(row), wide, height) for row in rows])


def row_of_blocks(scene: Scene, cards: list[tuple[str | None, str]], wide: int, height: int) -> Sheet:
    """Cards beside each other under their numbers."""
    meants = [None if thing is None else Meant(thing, name) for thing, name in cards]
    blocks = [block(scene, thing, name, wide, height - 1) for thing, name in cards]
    return above([line(key_row(scene, meants, wide)), beside(blocks)])


def trick(scene: Scene, names: list[str], width: int, height: int) -> Sheet:
    """The zones of the centre: a place for each seat with what it has laid there."""
    paint = scene.paint
    columns = []
    shown = [name for name in names if scene.zones[name].get("owner")]
    laid = [thing for name in names for thing in scene.zones[name].get("items", ())]
    wide = max(9, block_width(scene, laid, 16)) if laid else 9
    wide = min(wide, max(5, width // max(1, len(shown)) - 2))
    for name in shown:
        one = scene.zones[name]
        owner = scene.seats[one["owner"]]
        items = one.get("items") or [None] * one["count"]
        if items:
            cards = beside(
                [
                    block(scene, thing, name, wide if len(items) == 1 else max(4, wide // 2), height)
                    for thing in items[-3:]
                ]
            )
        else:
            cards = empty(scene, wide, height, "you" if owner.get("you") else "")
        caption = Sheet(cards.width, 1)
        label = owner["label"][: cards.width]
        caption.put(max(0, (cards.width - len(label)) // 2), 0, label, paint.writing(owner["colour"]))
        new = any(thing and scene.came(name, thing) for thing in items)
        if new:
            caption.put(max(0, (cards.width - len(label)) // 2) + len(label), 0, "•", paint.accent())
        columns.append(above([cards, caption]))
    others = [name for name in names if not scene.zones[name].get("owner")]
    return above([flowed(columns, width, 3), *(paragraph(zone(scene, name), width) for name in others)])


def empty(scene: Scene, wide: int, height: int, word: str) -> Sheet:
    """A place where nothing lies yet."""
    sheet, style = Sheet(wide, height), scene.paint.line()
    if height < 3:
        sheet.put(0, 0, f"[{word:^{wide - 2}}]", style)
        return sheet
    sheet.put(0, 0, f"┌{'╌' * (wide - 2)}┐", style)
    for y in range(1, height - 1):
        sheet.put(0, y, f"╎{(word if y == height // 2 else ''):^{wide - 2}}╎", style)
    sheet.put(0, height - 1, f"└{'╌' * (wide - 2)}┘", style)
    return sheet


def matrix(scene: Scene, group: Data, width: int, height: int) -> Sheet:
    """Zones of the table with the same index in the rows of a matrix; as blocks where a row has so many rows."""
    size = max((len(row["label"]) for row in group["rows"]), default=0)
    lines = []
    for row in group["rows"]:
        names = [name for name in row["zones"] if scene.zones[name]["count"] or scene.count_change(name)]
        head = line([Run(f"{row['label']:>{size}} ", scene.paint.dim())])
        if height < 3:
            body = pieces([zone(scene, name, label=len(row["zones"]) > 1) for name in names], width - size - 1)
        else:
            body = flowed([zone_blocks(scene, name, width - size - 1, height) for name in names], width - size - 1, 2)
        if names:
            lines.append(beside([head, body], 0))
    return above(lines)


def zone_blocks(scene: Scene, name: str, width: int, height: int) -> Sheet:
    """A zone as blocks."""
    one = scene.zones[name]
    items = one.get("items", ())
    if "bag" in one or one["form"] in ("stack", "closed", "count"):
        return paragraph(zone(scene, name), width)
    if not items:
        sheet = Sheet(7, height)
        for y in range(1, height):
            sheet.put(0, y, BACK * 7, scene.paint.back())
        text = f" {one['count']} "
        sheet.put((7 - len(text)) // 2, height // 2, text, scene.paint.back() + scene.paint.text(bold=True))
        sheet.mark(0, 1, 7, height - 1, Meant(None, name))
        return sheet
    shown = list(items[-3:]) if one["form"] == "pile" else list(items)
    wide = block_width(scene, shown, 16)
    fits = max(1, (width + 1) // (wide + 1))
    cards = [(thing, name) for thing in shown]
    return above([row_of_blocks(scene, cards[n : n + fits], wide, height) for n in range(0, len(cards), fits)])


def titled_blocks(scene: Scene, name: str, width: int, height: int) -> Sheet:
    """A zone as blocks under its name."""
    one = scene.zones[name]
    if not one["count"] or one["form"] in ("stack", "closed", "count", "bag") or "bag" in one:
        return paragraph(zone(scene, name), width)
    change = scene.count_change(name)
    text = f"{one['label']}{f' {change}' if change else ''}"
    return above([line([Run(text, scene.paint.dim())], width), zone_blocks(scene, name, width, height)])

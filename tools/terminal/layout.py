"""The whole table on a screen of some size: what is asked has its rows first, then the hand, then the middle of the table."""

from __future__ import annotations

from collections.abc import Callable

from rich.cells import cell_len

from rulespec.ir.wording import joined

from . import boards, places, zones
from .asked import SAID
from .log import log
from .question import question
from .scene import Scene
from .sheet import Meant, Run, Sheet, above, beside, framed, line, paragraph

WIDE, HIGH = 100, 30  # a screen with room for the log at its side
LOG = 36  # columns of the log
NEWS = 30  # and on a small screen
MORE = "… m shows the whole table"
REGIONS = ("question", "hand", "middle", "others", "header", "log")  # in the order of Tab


def screen(scene: Scene, width: int, height: int) -> Sheet:
    """The table."""
    sheet = Sheet(width, height)
    wide = width >= WIDE and height >= HIGH
    sheet.lay(header(scene, width).tagged("header"), 0, 0)
    sheet.lay(footer(scene, width), 0, height - 1)
    if wide:
        sheet.lay(stretched(scene, height - 2).tagged("log"), width - LOG, 1)
        sheet.lay(main(scene, width - LOG - 1, height - 2, True), 0, 1)
    else:
        sheet.lay(main(scene, width, height - 2, False), 0, 1)
    lit(scene, sheet)
    return sheet


def stretched(scene: Scene, height: int) -> Sheet:
    """The log in a frame of a height."""
    lines = log(scene, LOG - 4, height - 2)
    inner = Sheet(LOG - 4, height - 2)
    inner.lay(lines, 0, 0)
    return framed(inner, "log", scene.paint.line(), LOG, scene.paint.dim())


def header(scene: Scene, width: int) -> Sheet:
    """The title and the counters of the table."""
    sheet = Sheet(width, 1)
    sheet.fill(0, 0, width, 1, scene.paint.bar())
    runs = [Run(f" {scene.view['game']['title']} ", scene.paint.text(bold=True))]
    for counter in scene.view["counters"]:
        if counter["text"] != "–":
            runs += [Run("  "), *zones.counter(scene, counter)]
    top = line(runs, width)
    for x, (character, style) in enumerate(top.rows[0]):
        sheet.rows[0][x] = (character, scene.paint.bar() + style)
    sheet.spots = top.spots
    return sheet


def footer(scene: Scene, width: int) -> Sheet:
    """The keys."""
    sheet = Sheet(width, 1)
    sheet.fill(0, 0, width, 1, scene.paint.bar())
    x = 1
    for key, words in scene.hints:
        if x + cell_len(key) + cell_len(words) + 4 > width:
            break
        x = sheet.put(x, 0, f" {key} ", scene.paint.key())
        x = sheet.put(x, 0, f" {words}  ", scene.paint.bar())
    return sheet


def main(scene: Scene, width: int, height: int, wide: bool) -> Sheet:
    """All but the header, the footer, and the log at the side."""
    frame = 2 if wide else 0
    asked_rows = min(most_asked(scene, wide), max(2, height // 4))
    asks = question(scene, width - 2 * frame, asked_rows)
    mine = own(scene, width - 2 * frame, hand_rows(scene, wide), wide)
    others = the_others(scene, width - 2 * frame if wide and not scene.view["map"] else width, wide)
    if wide and not scene.view["map"]:
        asks = framed(
            asks,
            "",
            scene.paint.accent(bold=False) if scene.asked.there else scene.paint.line(),
            width,
            scene.paint.dim(),
        )
        title = "your hand" if scene.hands else "you"
        mine = (
            framed(mine, title, scene.paint.writing(scene.me["colour"], False), width, scene.paint.dim())
            if scene.me
            else mine
        )
        title = "the others" if scene.me and len(scene.others) > 1 else "opponent" if scene.me else "players"
        others = framed(others, title, scene.paint.line(), width, scene.paint.dim())
    left = height - asks.height - mine.height - others.height
    sheet = Sheet(width, height)
    sheet.lay(others.tagged("others"), 0, 0)
    if wide:
        sheet.lay(the_middle(scene, width, left, wide).tagged("middle"), 0, others.height)
    else:
        sheet.lay(with_news(scene, width, left), 0, others.height)
    y = height - mine.height - asks.height
    sheet.lay(asks.tagged("question"), 0, y)
    sheet.lay(mine.tagged("hand"), 0, height - mine.height)
    return sheet


def with_news(scene: Scene, width: int, height: int) -> Sheet:
    """The middle of the table with the last lines of the log: at its side where a board or a trick leaves room, else below."""
    view = scene.view
    sheet = Sheet(width, height)
    if view["boards"] or any(group["what"] == "centre" for group in view["groups"]):
        middle = the_middle(scene, width - NEWS - 1, height, False)
        if middle.height <= height and not cut_off(middle):
            sheet.lay(middle.tagged("middle"), 0, 0)
            sheet.lay(log(scene, NEWS, height).tagged("log"), width - NEWS, 0)
            return sheet
    least = log(scene, width, max(1, min(5, height // 3)))
    middle = the_middle(scene, width, height - least.height, False)
    lines = log(scene, width, max(least.height, height - middle.height))
    sheet.lay(middle.tagged("middle"), 0, 0)
    sheet.lay(lines.tagged("log"), 0, height - lines.height)
    return sheet


def cut_off(sheet: Sheet) -> bool:
    """Whether a sheet ends with the word that there is more."""
    return sheet.height > 0 and "".join(sign for sign, _ in sheet.rows[-1]).strip() == MORE


def hand_rows(scene: Scene, wide: bool) -> int:
    """How many rows a card of the hand has with its number: one, where it is not asked about and room is short."""
    if not scene.hands:
        return 0
    crowded = bool(scene.view["map"]) or (not wide and bool(scene.view["boards"]))
    if crowded and not scene.hand_is_asked:
        return 1
    return (3 if crowded else 6) if wide else 3 if crowded else 4


def most_asked(scene: Scene, wide: bool) -> int:
    """How many rows a question may have: few where a board or a map needs them."""
    if scene.view["boards"] and not wide:
        return 5 if scene.hands else 3
    return 5 if scene.view["map"] or not wide else 7


def own(scene: Scene, width: int, rows: int, wide: bool) -> Sheet:
    """The hand, and what else the one who looks has."""
    if scene.me is None:
        return Sheet(width, 0)
    cards = zones.hand(scene, width, rows) if scene.hands and rows else Sheet(width, 0)
    return above([cards, zones.seat(scene, scene.me, width, own_rows(scene, rows, wide), hand=False)], width=width)


def own_rows(scene: Scene, hand: int, wide: bool) -> int:
    """In how many rows the one who looks is told of, beside a hand of so many rows."""
    if wide:
        return 2 if scene.view["map"] else 3
    return 1 if hand < 3 else 2


def the_others(scene: Scene, width: int, wide: bool) -> Sheet:
    """The other seats: a row each where room is short."""
    rows = 3 if wide and len(scene.others) < 4 else 2 if wide else 1
    return above([zones.seat(scene, seat, width, rows) for seat in scene.others], width=width)


def the_middle(scene: Scene, width: int, height: int, wide: bool) -> Sheet:
    """The middle of the table in the largest drawing for which there is room; what has none is cut off."""
    if height < 1:
        return Sheet(width, 0)
    if scene.view["map"]:
        return with_map(scene, width, height)
    smallest = Sheet(width, 0)
    for size in (3, 2, 1, 0):
        smallest = parts(scene, width, height, size, wide)
        if smallest.height <= height:
            return smallest
    return cropped(scene, smallest, width, height)


def cropped(scene: Scene, sheet: Sheet, width: int, height: int) -> Sheet:
    """The first rows of a sheet, and a word that there is more."""
    if sheet.height <= height:
        return sheet
    out = sheet.cut(0, max(0, height - 1))
    return above([out, line([Run(f" {MORE}", scene.paint.dim())])], width=width)


def with_map(scene: Scene, width: int, height: int) -> Sheet:
    """The map, and a line for what else lies on the table."""
    rest = others_on_table(scene, width)
    rest = rest.cut(0, min(rest.height, 2 if height > 25 else 1))
    legend = places.legend(scene, width) if height > 12 else Sheet(width, 0)
    room = height - rest.height - legend.height
    drawn = places.place_map(scene, width - 1, room) or places.place_list(scene, width, room)
    return above([drawn, legend, rest], width=width)


def parts(scene: Scene, width: int, height: int, size: int, wide: bool) -> Sheet:
    """What lies in the middle, in one of four sizes."""
    view = scene.view
    blank = [Sheet(width, 1)] if size > 1 and wide else []
    rest = others_on_table(scene, width, size)
    sheets: list[Sheet] = []
    for group in view["groups"]:
        if group["what"] == "centre":
            sheets += [*blank, indented(zones.trick(scene, group["zones"], width - 4, (7, 5, 3, 1)[3 - size]), 2)]
        elif group["what"] == "matrix":
            sheets.append(zones.matrix(scene, group, width, (1, 3, 4, 5)[size]))
    taken = sum(sheet.height for sheet in sheets) + rest.height
    apart = [board for board in view["boards"] if board.get("title")]
    for board in (board for board in view["boards"] if not board.get("title")):
        room = height - taken if size else max(board["rows"] + 1, height - taken)
        drawn = boards.board(scene, board, width - 2, room)
        sheets.append(indented(drawn, max(1, (width - drawn.width) // 2) if wide else 1))
    if apart:
        taken = sum(sheet.height for sheet in sheets) + rest.height
        sheets.append(boards.side_by_side(scene, apart, width - 1, height - taken))
    return above([*sheets, *([Sheet(width, 1)] if sheets and rest.height and size > 1 else []), rest], width=width)


def indented(sheet: Sheet, columns: int) -> Sheet:
    """A sheet moved to the right."""
    out = Sheet(sheet.width + columns, sheet.height)
    out.lay(sheet, columns, 0)
    return out


def others_on_table(scene: Scene, width: int, size: int = 0) -> Sheet:
    """The zones of the table that stand in no matrix, and with a map those as well; then what is told line by line."""
    view = scene.view
    names: list[str] = []
    for group in view["groups"]:
        if group["what"] == "zones":
            names += group["zones"]
        elif group["what"] == "matrix" and view["map"]:
            names += [name for row in group["rows"] for name in row["zones"]]
    names = [name for name in names if scene.zones[name]["count"] or scene.count_change(name)]
    many = 4 if size > 2 else 3
    if size > 1:
        small = [name for name in names if not drawn_as_cards(scene, name)]
        large = [name for name in names if name not in small]
        blocks = [zones.titled_blocks(scene, name, width - 2, many + 1) for name in large]
        body = [*blocks, zones.pieces([zones.zone(scene, name) for name in small], width - 2)]
        return indented(above([*body, sheets_of(scene, width - 2)], 0), 1)
    return indented(
        above([zones.pieces([zones.zone(scene, name) for name in names], width - 2), sheets_of(scene, width - 2)]), 1
    )


def drawn_as_cards(scene: Scene, name: str) -> bool:
    """Whether a zone of the table is worth blocks: its cards lie open, are few, and are asked about or the hand's kind."""
    zone = scene.zones[name]
    items = [item for item in zone.get("items", ()) if item]
    if not items or zone["form"] != "row" or any(scene.things[item]["form"] != "card" for item in items):
        return False
    return any(scene.asked.verbs(Meant(item, name)) for item in items) or len(items) <= 6


def sheets_of(scene: Scene, width: int) -> Sheet:
    """What is told of each seat line by line, but for lines that say nothing."""
    rows: list[list[Run]] = []
    for sheet in scene.view["sheets"]:
        for row in sheet["rows"]:
            if any(cell not in ("", "0", "–") for cell in row["cells"]):
                cells = [
                    f"{seat['label']} {cell}" for seat, cell in zip(scene.view["seats"], row["cells"], strict=True)
                ]
                rows.append([Run(f"{row['label']}: ", scene.paint.dim()), Run(joined(cells), scene.paint.text())])
    return zones.pieces(rows, width)


def lit(scene: Scene, sheet: Sheet) -> None:
    """Lay light on what the arrows and the mouse stand on, and on all else that means the same answer."""
    for meant, strong in ((scene.hover, False), (scene.focus, True)):
        if meant is None:
            continue
        same = {choice.action for choice in scene.asked.meant_by(meant)}
        for spot in sheet.spots:
            if spot.meant == meant:
                sheet.over(spot, scene.paint.focus() if strong else scene.paint.chosen())
            elif (
                strong
                and spot.meant.zone != SAID
                and same
                and same == {c.action for c in scene.asked.meant_by(spot.meant)}
            ):
                sheet.over(spot, scene.paint.chosen())


Layout = Callable[[Scene, int, int], Sheet]
__all__ = ["LOG", "REGIONS", "Layout", "beside", "paragraph", "screen"]

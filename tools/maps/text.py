"""A map as lines of text: each place a few words where it lies, and the links as lines between them.

Links for which there is no room are listed below.  Colours are also shown as letters.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from itertools import pairwise
from math import sqrt

from interpreter.runtime.texts import HIDDEN
from interpreter.views.layout import Point, positions
from interpreter.views.pictures import Legend, Link, Picture, Place
from rulespec.ir.pictures import letters
from rulespec.ir.wording import joined
from rulespec.language.palette import FAINT
from rulespec.system.records import dataclass

from .. import console
from .layout import Box, scaled
from .room import GAP, arranged

ASPECT = 0.5  # how wide a letter is, by its height
DENSE = 0.62  # how much of the field places may fill, their gaps among it
LOOSE = 0.22  # how much they fill at least
MOST_ROWS = 400
STYLE_SIGNS = {
    "dashed": ":",
    "thick": "#",
    "dotted": ".",
    "double": "=",
    "wavy": "~",
    "barred": "x",
    FAINT: "'",
}  # solid: - | / \
PAINT = {
    "green": "green", "red": "red", "yellow": "yellow", "blue": "blue", "orange": "yellow", "purple": "magenta",
    "teal": "cyan", "pink": "magenta", "brown": "yellow", "grey": "dim",
}  # fmt: skip


@dataclass(slots=True)
class TextBlock:
    """What is written at a place: its lines and how the first is painted."""

    lines: list[str]
    style: str
    box: Box = field(default=Box(0, 0, 0, 0))

    @property
    def width(self) -> int:
        return max(map(len, self.lines))


def lines_of(picture: Picture, width: int, large: bool = True) -> list[str]:
    """The map in lines no longer than the width; with `large` its legend too."""
    if not picture.places:
        return []
    drawing = Drawing(picture, width)
    lines = drawing.lines()
    listed = drawing.listed()
    if listed:
        lines += ["", *folded("also linked: ", listed, width)]
    if large:
        lines += legend(picture, drawing.colour_signs, width)
    return lines


class Drawing:
    """A grid of characters into which places and links are drawn."""

    def __init__(self, picture: Picture, width: int) -> None:
        self.picture = picture
        self.points = positions(picture)
        labels = [member.label for member in picture.colours.members]
        names = [member.name for member in picture.colours.members]
        self.colour_signs = dict(zip(names, letters(labels, {}), strict=True))
        self.blocks = [self.block(place, max(10, width // 6)) for place in picture.places]
        self.rows: list[list[tuple[str, str]]] = []
        self.left: list[Link] = []  # links that are not drawn
        self.width, height = self.field(width)
        while not self.settled(height):
            height += 2
            if height > MOST_ROWS:
                self.column()
                break
        self.write()
        self.connect()

    def block(self, place: Place, most: int) -> TextBlock:
        """What is written at a place."""
        sign = self.picture.symbols.member(place.symbol)
        marks = "" if place.symbol is None else sign.sign if sign else HIDDEN
        if place.colour is not None:
            marks += "/" + self.colour_signs.get(place.colour, HIDDEN)
        title = f"{'*' if place.strong else ''}{plain(place.title)}{f' {marks}' if marks else ''}"
        lines = [*wrapped(title, most), *(part for line in place.lines for part in wrapped(plain(line), most))]
        colour = self.picture.colours.member(place.colour)
        return TextBlock(lines, PAINT.get(colour.sign, "") if colour else "")

    # --- where things are --------------------------------------------------------------------------
    def field(self, width: int) -> tuple[int, int]:
        """How many columns and rows are used: of the map's shape, unless that leaves too little or too much room."""
        points = self.points
        across = max(x for x, _ in points) - min(x for x, _ in points)
        down = max(y for _, y in points) - min(y for _, y in points)
        area = sum((block.width + GAP) * (len(block.lines) + 1) for block in self.blocks)
        widest = max(block.width for block in self.blocks)
        highest = max(len(block.lines) for block in self.blocks)
        height = width * ASPECT * down / across if across else float(width)
        if not down:
            height = 1.0
        if width * height * LOOSE > area:
            smaller = sqrt(area / LOOSE / (width * height))
            width, height = int(width * smaller), height * smaller
        width = max(width, widest + GAP)
        return width, max(highest, min(round(height), 30), int(area / DENSE / width) + 1)

    def settled(self, height: int) -> bool:
        """Put each place as near as possible to where it belongs; returns whether there was room for all."""
        centres = scaled(self.points, self.width - 1, height - 1)
        sizes = [(block.width, len(block.lines)) for block in self.blocks]
        wanted = [
            (max(0, min(x - wide // 2, self.width - wide)), max(0, min(y - high // 2, height - high)))
            for (x, y), (wide, high) in zip(centres, sizes, strict=True)
        ]
        spots = arranged(wanted, sizes, self.width, height)
        if spots is None:
            return False
        for block, (x, y), (wide, high) in zip(self.blocks, spots, sizes, strict=True):
            block.box = Box(x, y, wide, high)
        return True

    def column(self) -> None:
        """All places under each other, where nothing else is possible."""
        y = 0
        for block in self.blocks:
            block.box = Box(0, y, block.width, len(block.lines))
            y += len(block.lines) + 1

    # --- what is written ---------------------------------------------------------------------------
    def write(self) -> None:
        """The texts of the places."""
        height = max(block.box.y + block.box.height for block in self.blocks)
        width = max(block.box.x + block.box.width for block in self.blocks)
        self.rows = [[(" ", "")] * width for _ in range(height)]
        for block in self.blocks:
            for down, line in enumerate(block.lines):
                for across, sign in enumerate(line):
                    self.rows[block.box.y + down][block.box.x + across] = (sign, block.style if down == 0 else "")

    def connect(self) -> None:
        """The links between them, the short ones first; those that would have to lead through others are left."""
        boxes = [block.box for block in self.blocks]
        home = {(x, y): n for n, box in enumerate(boxes) for y in rows_of(box) for x in range(box.x, box.x + box.width)}
        paths = [(link, list(straight(boxes[link.a].centre, boxes[link.b].centre))) for link in self.picture.links]
        used: dict[Point, int] = {}
        drawn: set[frozenset[int]] = set()
        for number, (link, path) in sorted(enumerate(paths), key=lambda item: (len(item[1][1]), item[0])):
            free = [spot for spot in path if spot not in home]
            ends = frozenset((link.a, link.b))
            beside = {
                (x + side, y) for x, y in path for side in (-1, 0, 1)
            }  # a line must not touch the words of others
            through = {home[spot] for spot in beside if spot in home} - ends
            crossed = sum(1 for spot in free if spot in used)
            if not free or through or crossed > 1 or ends in drawn or len(ends) < 2:
                self.left.append(link)
                continue
            drawn.add(ends)
            self.line(link, path, free, used)
            used.update(dict.fromkeys(free, number))
            if link.title and not self.named(link, free):
                self.left.append(link)

    def line(self, link: Link, path: list[Point], free: list[Point], used: dict[Point, int]) -> None:
        """A link's signs."""
        style = self.sign(link)
        signs = {}
        for (x, y), (to_x, to_y) in pairwise(path):
            along = "-" if y == to_y else "|" if x == to_x else "\\" if (to_x - x) * (to_y - y) > 0 else "/"
            signs[to_x, to_y] = along
        for spot in free:
            sign = "+" if spot in used else signs.get(spot, "-") if style == "-" else style
            self.rows[spot[1]][spot[0]] = (sign, "dim")
        if link.one_way:
            (x, y), (to_x, to_y) = path[0], path[-1]
            head = (">" if to_x > x else "<") if abs(to_x - x) >= abs(to_y - y) * 2 else "v" if to_y > y else "^"
            self.rows[free[-1][1]][free[-1][0]] = (head, "")

    def named(self, link: Link, free: list[Point]) -> bool:
        """Write a link's title on the middle of it, if there is room; whether there was."""
        x, y = free[len(free) // 2]
        text = plain(link.title)
        start = x - len(text) // 2
        spots = range(start, start + len(text))
        if start < 0 or start + len(text) > len(self.rows[y]):
            return False
        if any(self.rows[y][n][0] != " " and (n, y) not in free for n in spots) or len(free) < 2:
            return False
        for n, sign in zip(spots, text, strict=True):
            self.rows[y][n] = (sign, "")
        return True

    def sign(self, link: Link) -> str:
        return STYLE_SIGNS.get(self.picture.stroke(link), "-")

    def lines(self) -> list[str]:
        """The field as lines, without those at its top and bottom where nothing is."""
        lines = [painted(row) for row in self.rows]
        used = [number for number, line in enumerate(lines) if line]
        return lines[used[0] : used[-1] + 1]

    def listed(self) -> list[str]:
        """The links that are not drawn, or not with all that is said of them."""
        lines = []
        for link in sorted(self.left, key=self.picture.links.index):
            a, b = (plain(self.picture.places[end].title) for end in (link.a, link.b))
            title = f" ({plain(link.title)})" if link.title else ""
            lines.append(f"{a} {self.sign(link)}{'>' if link.one_way else ''} {b}{title}")
        return lines


def straight(start: Point, end: Point) -> Iterator[Point]:
    """The places of the signs of a straight line, its ends among them."""
    (x, y), (to_x, to_y) = start, end
    count = max(abs(to_x - x), abs(to_y - y))
    for n in range(count + 1):
        yield (
            (2 * x * count + 2 * (to_x - x) * n + count) // (2 * count) if count else x,
            (2 * y * count + 2 * (to_y - y) * n + count) // (2 * count) if count else y,
        )


def rows_of(box: Box) -> range:
    return range(box.y, box.y + box.height)


def painted(row: Sequence[tuple[str, str]]) -> str:
    """A row as a text, each stretch of one style in that style."""
    out, part, style = [], "", ""
    for sign, colour in row:
        if colour != style:
            out.append(console.paint(part, style) if style else part)
            part, style = "", colour
        part += sign
    out.append(console.paint(part, style) if style else part)
    return "".join(out).rstrip()


def legend(picture: Picture, colour_signs: dict[str, str], width: int) -> list[str]:
    """The legend."""
    listed = []
    if picture.symbols.members:
        listed.append(keys(picture.symbols, {m.name: m.sign for m in picture.symbols.members}, width))
    if picture.colours.members:
        listed.append(keys(picture.colours, {name: f"/{sign}" for name, sign in colour_signs.items()}, width))
    styles = replace(picture.styles, members=picture.strokes())
    if styles.members:
        listed.append(keys(styles, {m.name: STYLE_SIGNS.get(m.sign, "-") for m in styles.members}, width))
    if any(place.strong for place in picture.places):
        listed.append([f"* {plain(picture.strong)}"])
    if not listed:
        return []
    return ["", *(line for lines in listed for line in lines)]


def keys(legend: Legend, signs: dict[str, str], width: int) -> list[str]:
    return folded(f"{plain(legend.of)}: ", [f"{signs[m.name]} {plain(m.label)}" for m in legend.members], width)


def folded(title: str, items: Sequence[str], width: int) -> list[str]:
    """Items after a title, in lines that break between them."""
    text = title + joined([item.replace(" ", console.NO_BREAK) for item in items])
    lines = textwrap.wrap(text, width, subsequent_indent="  ", break_on_hyphens=False)
    return [line.replace(console.NO_BREAK, " ") for line in lines]


def wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_on_hyphens=False) or [""]


def plain(text: str) -> str:
    """One line without anything that would steer a terminal."""
    return " ".join(console.printable(text).split())

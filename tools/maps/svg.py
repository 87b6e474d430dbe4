"""A map as SVG: a file by itself, with its texts as text, a legend, and a description for who cannot see it.

Everything that a game says is escaped: its author may be anybody.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import sqrt
from xml.sax.saxutils import escape

from interpreter.runtime.texts import HIDDEN
from interpreter.views.layout import positions
from interpreter.views.pictures import Legend, Link, Picture, Place
from rulespec.language import palette
from rulespec.system.records import dataclass

from .layout import Box, apart, crosses, scaled, steps

WIDTH, HEIGHT = 1200, 900
MARGIN = 24
TOP = 56  # the title
ROW = 15  # between the base lines of a place's lines
HEAD = 19
LETTER = 7.2  # how wide a letter of 12 points is, at most places
HEAD_LETTER = 9.0
MOST_LETTERS = 24
ROOM = 0.34  # how much of the field the places fill at most; where they would fill more, the field is larger
FONT = "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"
# How a place of a colour is filled, and its outline.
FILLS = {
    "green": ("#cfe8cf", "#2f6b34"), "red": ("#f6cfca", "#9c2b20"), "yellow": ("#f8ecb0", "#8a6d00"),
    "blue": ("#cfe0f5", "#24518f"), "orange": ("#fbd9b3", "#a3540a"), "purple": ("#e3d3f0", "#5f3a8a"),
    "teal": ("#c5e8e5", "#1c6b66"), "pink": ("#fad3e3", "#9a2d62"), "brown": ("#e2d2c0", "#6b4a26"),
    "grey": ("#dfe1e4", "#50565e"), "white": ("#ffffff", "#50565e"), "black": ("#b9bcc2", "#000000"),
}  # fmt: skip
PLAIN_FILL = ("#f4f4f0", "#50565e")
BENDS = (0, 40, -40, 80, -80, 130, -130, 190, -190)  # how far a link may be led round what lies in its way
MANY = 10_000  # places times links: with more, links are straight
LINE = "#5b616b"
WATER = "#2b6cb0"
Path = list[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Card:
    """What is written at a place, and how large that is."""

    place: Place
    head: list[str]
    lines: list[str]
    sign: str  # its symbol

    @property
    def size(self) -> tuple[int, int]:
        head = max((len(line) for line in self.head), default=0) * HEAD_LETTER + (26 if self.sign else 0)
        text = max((len(line) for line in self.lines), default=0) * LETTER
        return round(max(head, text, 40)) + 20, len(self.head) * HEAD + len(self.lines) * ROW + 12


def drawing(picture: Picture) -> str:
    """The map as the text of an SVG file."""
    cards = [card(picture, place) for place in picture.places]
    legends = list(legend(picture))
    area = sum(w * h for w, h in (placed_card.size for placed_card in cards))
    bottom = 26 * len(legends) + (MARGIN if legends else 0)
    width, height = WIDTH - 2 * MARGIN, HEIGHT - TOP - MARGIN - bottom
    more = max(1.0, sqrt(area / (ROOM * width * height)))
    width, height = round(width * more), round(height * more)
    boxes = placed(picture, cards, width, height)
    full_width, full_height = width + 2 * MARGIN, height + TOP + MARGIN + bottom
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full_width} {full_height}" width="{full_width}" '
        f'height="{full_height}" role="img" aria-labelledby="map-title map-about" font-family="{FONT}" font-size="12">',
        f'<title id="map-title">{text(picture.title)}</title>',
        f'<desc id="map-about">{text(described(picture))}</desc>',
        f'<rect width="{full_width}" height="{full_height}" fill="#ffffff"/>',
        f'<text x="{MARGIN}" y="36" font-size="22" font-weight="bold" fill="#1c1f24">{text(picture.title)}</text>',
        '<g id="links" fill="none">',
    ]
    bends = BENDS if len(boxes) * len(picture.links) <= MANY else BENDS[:1]
    routes = [(link, route(link, boxes, bends)) for link in picture.links if link.a != link.b]
    for link, path in routes:
        out += line(picture, link, path, boxes)
    out.append("</g>")
    out.append('<g id="link-titles" font-size="12" text-anchor="middle">')
    for link, path in routes:
        if link.title.strip():
            x, y = path[len(path) // 2]
            out.append(
                f'<text x="{number(x)}" y="{number(y + 4)}" fill="#1c1f24" stroke="#ffffff" stroke-width="4" '
                f'paint-order="stroke">{text(link.title)}</text>'
            )
    out.append("</g>")
    out.append('<g id="places">')
    for placed_card, box in zip(cards, boxes, strict=True):
        out += written(picture, placed_card, box)
    out.append("</g>")
    y = TOP + height + MARGIN + 8
    out.append('<g id="legend">')
    for row in legends:
        out += (part.replace("@y+", str(y + 4)).replace("@y-", str(y - 9)).replace("@y", str(y)) for part in row)
        y += 26
    return "\n".join([*out, "</g>", "</svg>", ""])


def card(picture: Picture, place: Place) -> Card:
    """What is written at a place."""
    member = picture.symbols.member(place.symbol)
    sign = "" if place.symbol is None else member.sign if member else HIDDEN
    lines = [part for line in place.lines for part in wrapped(line, MOST_LETTERS)]
    return Card(place, wrapped(place.title, MOST_LETTERS - 4), lines, sign)


def placed(picture: Picture, cards: Sequence[Card], width: int, height: int) -> list[Box]:
    """Where the cards lie: the middle of each where its place is, as far as there is room."""
    sizes = [card.size for card in cards]
    inset_x = max((w for w, _ in sizes), default=0)
    inset_y = max((h for _, h in sizes), default=0)
    points = scaled(positions(picture), max(1, width - inset_x), max(1, height - inset_y), stretch=1.3)
    boxes = [
        Box(x + inset_x // 2 - w // 2 + MARGIN, y + inset_y // 2 - h // 2 + TOP, w, h)
        for (x, y), (w, h) in zip(points, sizes, strict=True)
    ]
    moved = [Box(box.x - MARGIN, box.y - TOP, box.width, box.height) for box in boxes]
    return [Box(b.x + MARGIN, b.y + TOP, b.width, b.height) for b in apart(moved, width, height, 18)]


def described(picture: Picture) -> str:
    """The whole map in sentences."""
    seen = f"The map as {picture.viewer} sees it. " if picture.viewer else ""
    return seen + " ".join(sentence(picture, place) for place in picture.places)


def sentence(picture: Picture, place: Place) -> str:
    """A place, what is told of it, and where links lead."""
    number = picture.places.index(place)
    facts = [
        f"{legend.of} {member.label if member else HIDDEN}"
        for legend, name, member in (
            (picture.colours, place.colour, picture.colours.member(place.colour)),
            (picture.symbols, place.symbol, picture.symbols.member(place.symbol)),
        )
        if name is not None
    ]
    facts += [picture.strong] * place.strong
    facts += place.lines
    ways = []
    for link in picture.links:
        if number in (link.a, link.b) and not (link.one_way and number == link.b):
            other = picture.places[link.b if number == link.a else link.a].title
            style = picture.styles.member(link.style)
            told = ", ".join(part for part in (style.label if style else "", link.title.strip()) if part)
            ways.append(f"{other} ({told})" if told else other)
    leads = f" Links: {', '.join(ways)}." if ways else ""
    return f"{place.title}{': ' if facts else ''}{'; '.join(facts)}.{leads}"


# --- links ------------------------------------------------------------------------------------------------------------
def route(link: Link, boxes: Sequence[Box], bends: Sequence[int]) -> Path:
    """The way of a link from the middle of a place to the middle of the other, round what lies between."""
    start, end = boxes[link.a].centre, boxes[link.b].centre
    if len(bends) == 1:
        return bent(start, end, bends[0])
    others = [box for n, box in enumerate(boxes) if n not in (link.a, link.b)]
    scored = [(crosses(bent(start, end, bend), others, 4), abs(bend), n) for n, bend in enumerate(bends)]
    return bent(start, end, bends[min(scored)[2]])


def bent(start: tuple[int, int], end: tuple[int, int], bend: int) -> Path:
    """A line, or a bow that leaves it by so much, as points at even distances."""
    (x, y), (to_x, to_y) = start, end
    if not bend:
        return steps([start, end], 8)
    dx, dy = to_x - x, to_y - y
    length = sqrt(dx * dx + dy * dy) or 1.0
    mid_x, mid_y = (x + to_x) / 2 - dy / length * bend * 2, (y + to_y) / 2 + dx / length * bend * 2
    count = max(2, int(length / 8))
    bends = []
    for n in range(count + 1):
        t = n / count
        u = 1 - t
        bends.append((u * u * x + 2 * u * t * mid_x + t * t * to_x, u * u * y + 2 * u * t * mid_y + t * t * to_y))
    return bends


def line(picture: Picture, link: Link, path: Path, boxes: Sequence[Box]) -> Iterator[str]:
    """A link in its style."""
    member = picture.styles.member(link.style)
    ends = " and ".join(picture.places[end].title for end in (link.a, link.b))
    told = f"{ends}: {member.label}" if member else ends
    yield f"<g><title>{text(told)}</title>"
    clear = [spot for spot in path if not any(boxes[end].holds(*spot) for end in (link.a, link.b))]
    yield from strokes(picture.stroke(link), path, clear)
    if link.one_way and len(clear) > 1:
        yield arrow(clear[max(0, len(clear) - 3)], clear[-1])
    yield "</g>"


def strokes(style: str, path: Path, clear: Path) -> Iterator[str]:
    """The strokes of a style; `clear` is the part of the path that no place hides."""
    plain = points([path[0], path[-1]] if is_straight(path) else path)
    match style:
        case "dashed":
            yield f'<polyline points="{plain}" stroke="{LINE}" stroke-width="2.5" stroke-dasharray="10 7"/>'
        case "dotted":
            yield (
                f'<polyline points="{plain}" stroke="{LINE}" stroke-width="3.5" stroke-dasharray="0.1 8" '
                'stroke-linecap="round"/>'
            )
        case palette.FAINT:
            yield f'<polyline points="{plain}" stroke="{LINE}" stroke-width="1" stroke-dasharray="2 6" opacity="0.6"/>'
        case "thick":
            yield f'<polyline points="{plain}" stroke="{LINE}" stroke-width="6"/>'
        case "double":
            yield f'<polyline points="{plain}" stroke="{LINE}" stroke-width="7"/>'
            yield f'<polyline points="{plain}" stroke="#ffffff" stroke-width="3"/>'
        case "wavy":
            yield f'<path d="{waves(path)}" stroke="{WATER}" stroke-width="3" stroke-linejoin="round"/>'
        case "barred":
            yield f'<polyline points="{plain}" stroke="#000000" stroke-width="3"/>'
            for (x, y), (to_x, to_y) in list(pairwise(clear or path))[1::2]:
                dx, dy = (to_y - y) * 0.8, (x - to_x) * 0.8
                yield (
                    f'<line x1="{number(x - dx)}" y1="{number(y - dy)}" x2="{number(x + dx)}" y2="{number(y + dy)}" '
                    'stroke="#000000" stroke-width="2"/>'
                )
        case _:
            yield f'<polyline points="{plain}" stroke="{LINE}" stroke-width="2"/>'


def is_straight(path: Path) -> bool:
    """Whether the middle of a path is on the line between its ends."""
    (x, y), (to_x, to_y), (mid_x, mid_y) = path[0], path[-1], path[len(path) // 2]
    return abs((to_x - x) * (mid_y - y) - (to_y - y) * (mid_x - x)) < 1


def waves(path: Path) -> str:
    """The path as bows to one side and the other in turn."""
    commands = [f"M{points(path[:1])}"]
    for n, ((x, y), (to_x, to_y)) in enumerate(pairwise(path)):
        side = 0.9 if n % 2 else -0.9
        turn = (x + to_x) / 2 - (to_y - y) * side, (y + to_y) / 2 + (to_x - x) * side
        commands.append(f"Q{points([turn, (to_x, to_y)])}")
    return " ".join(commands)


def arrow(start: tuple[float, float], tip: tuple[float, float]) -> str:
    """The head of an arrow."""
    dx, dy = tip[0] - start[0], tip[1] - start[1]
    length = sqrt(dx * dx + dy * dy) or 1.0
    dx, dy = dx / length * 13, dy / length * 13
    back_x, back_y = tip[0] - dx, tip[1] - dy
    corners = [tip, (back_x - dy / 2, back_y + dx / 2), (back_x + dy / 2, back_y - dx / 2)]
    return f'<polygon points="{points(corners)}" fill="{LINE}"/>'


# --- places -----------------------------------------------------------------------------------------------------------
def written(picture: Picture, card: Card, box: Box) -> Iterator[str]:
    """A place and what is written at it."""
    fill, edge = colours(picture.colours, card.place.colour)
    yield f"<g><title>{text(sentence(picture, card.place))}</title>"
    yield (
        f'<rect x="{box.x}" y="{box.y}" width="{box.width}" height="{box.height}" rx="6" fill="{fill}" stroke="{edge}" '
        f'stroke-width="{4 if card.place.strong else 1.5}"/>'
    )
    y = box.y + 18
    for count, part in enumerate(card.head):
        yield f'<text x="{box.x + 10}" y="{y}" font-size="14" font-weight="bold" fill="#1c1f24">{text(part)}</text>'
        if count == 0 and card.sign:
            yield (
                f'<text x="{box.x + box.width - 10}" y="{y}" font-size="14" text-anchor="end" fill="{edge}">'
                f"{text(card.sign)}</text>"
            )
        y += HEAD
    for part in card.lines:
        yield f'<text x="{box.x + 10}" y="{y - 3}" fill="#1c1f24">{text(part)}</text>'
        y += ROW
    yield "</g>"


def colours(legend: Legend, name: str | None) -> tuple[str, str]:
    """How a place is filled, and its outline."""
    member = legend.member(name)
    return FILLS.get(member.sign, PLAIN_FILL) if member else PLAIN_FILL


# --- the legend -------------------------------------------------------------------------------------------------------
def legend(picture: Picture) -> Iterator[list[str]]:
    """Rows of what signs say; `@y` stands for the base line of a row."""
    styles = replace(picture.styles, members=picture.strokes())
    for sort, keys in (("colour", picture.colours), ("symbol", picture.symbols), ("style", styles)):
        row: list[str] = []
        x = MARGIN
        if keys.members:
            x = word(row, x, f"{keys.of}:", bold=True)
        for member in keys.members:
            if x > WIDTH - MARGIN - 60 - len(member.label) * LETTER:
                yield row
                row, x = [], MARGIN * 3
            x = sample(row, x, sort, member.sign)
            x = word(row, x, member.label)
        if row:
            yield row
    if any(place.strong for place in picture.places):
        row = [
            f'<rect x="{MARGIN}" y="@y-" width="24" height="13" rx="3" fill="#ffffff" stroke="{LINE}" stroke-width="4"/>'
        ]
        word(row, MARGIN + 32, picture.strong)
        yield row


def sample(row: list[str], x: int, sort: str, sign: str) -> int:
    """The sign itself; where the next thing begins."""
    if sort == "colour":
        fill, edge = FILLS.get(sign, PLAIN_FILL)
        row.append(
            f'<rect x="{x}" y="@y-" width="24" height="13" rx="3" fill="{fill}" stroke="{edge}" stroke-width="1.5"/>'
        )
        return x + 30
    if sort == "symbol":
        row.append(f'<text x="{x}" y="@y" font-size="14" font-weight="bold" fill="{LINE}">{text(sign)}</text>')
        return x + 12 + 8 * len(sign)
    path = steps([(0, 0), (48, 0)], 8)
    row.append(
        f'<svg x="{x}" y="@y-" width="48" height="14" viewBox="0 -7 48 14" fill="none">'
        f"{''.join(strokes(sign, path, path))}</svg>"
    )
    return x + 54


def word(row: list[str], x: int, said: str, bold: bool = False) -> int:
    """A word of the legend; where the next thing begins."""
    weight = ' font-weight="bold"' if bold else ""
    row.append(f'<text x="{x}" y="@y"{weight} fill="#1c1f24">{text(said)}</text>')
    return x + round(len(said) * LETTER) + 18


# --- texts and numbers ------------------------------------------------------------------------------------------------
def text(said: str) -> str:
    """A text of the game as XML can hold it."""
    return escape("".join(c if c.isprintable() else " " for c in said))


def number(value: float) -> str:
    """A number with one digit at most, the same on every machine."""
    tenths = round(value * 10)
    return str(tenths // 10) if tenths % 10 == 0 else f"{tenths / 10:.1f}"


def points(path: Path) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in path)


def wrapped(said: str, width: int) -> list[str]:
    return textwrap.wrap(" ".join(said.split()), width, break_on_hyphens=False) or [""]

"""A grid of characters, each with a style, and the spots of what stands on it; sheets are put beside and under each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from rulespec.system.records import dataclass

from .. import console

Cell = tuple[str, Style]
NOTHING = Style()
BLANK: Cell = (" ", NOTHING)


class Meant(NamedTuple):
    """What a spot is of: a thing, in a zone if it lies in one; or an answer, by its action."""

    thing: str | None = None
    zone: str | None = None
    action: int | None = None


@dataclass(frozen=True, slots=True)
class Spot:
    """A rectangle of a sheet, and what stands there; `region` is the part of the screen it belongs to."""

    x: int
    y: int
    width: int
    height: int
    meant: Meant
    region: str = ""

    def holds(self, x: int, y: int) -> bool:
        """Whether a column and row are in it."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


class Run(NamedTuple):
    """A stretch of text in one style, and what it is of."""

    text: str
    style: Style = NOTHING
    meant: Meant | None = None


class Sheet:
    """Rows of cells; a wide character is followed by an empty one."""

    def __init__(self, width: int, height: int = 0) -> None:
        self.width = width
        self.rows: list[list[Cell]] = [[BLANK] * width for _ in range(height)]
        self.spots: list[Spot] = []

    @property
    def height(self) -> int:
        return len(self.rows)

    def put(self, x: int, y: int, text: str, style: Style = NOTHING) -> int:
        """Write from a column on; what does not fit is cut off.  Returns the column after it."""
        if not 0 <= y < self.height:
            return x + cell_len(text)
        row = self.rows[y]
        for character in console.printable(text):
            size = cell_len(character)
            if size == 0:
                continue
            if x >= 0 and x + size <= self.width:
                row[x] = (character, style)
                if size == 2:
                    row[x + 1] = ("", style)
            x += size
        return x

    def fill(self, x: int, y: int, width: int, height: int, style: Style) -> None:
        """Blanks of a style."""
        for row in range(max(0, y), min(self.height, y + height)):
            for column in range(max(0, x), min(self.width, x + width)):
                self.rows[row][column] = (" ", style)

    def over(self, spot: Spot, style: Style) -> None:
        """Lay a style over a rectangle."""
        for y in range(max(0, spot.y), min(self.height, spot.y + spot.height)):
            for x in range(max(0, spot.x), min(self.width, spot.x + spot.width)):
                character, old = self.rows[y][x]
                self.rows[y][x] = (character, old + style)

    def mark(self, x: int, y: int, width: int, height: int, meant: Meant | None) -> None:
        """Say what stands in a rectangle."""
        if meant is not None and width > 0 and height > 0:
            self.spots.append(Spot(x, y, width, height, meant))

    def lay(self, other: Sheet, x: int, y: int) -> None:
        """Put another sheet on it, with its spots; what does not fit is cut off."""
        for down, row in enumerate(other.rows):
            if 0 <= y + down < self.height:
                wide = min(other.width, self.width - x)
                if wide > 0 and x >= 0:
                    self.rows[y + down][x : x + wide] = row[:wide]
        for spot in other.spots:
            top, left = y + spot.y, x + spot.x
            if top < self.height and left < self.width:
                self.spots.append(
                    replace(
                        spot,
                        x=left,
                        y=top,
                        width=min(spot.width, self.width - left),
                        height=min(spot.height, self.height - top),
                    )
                )

    def tagged(self, region: str) -> Sheet:
        """The same sheet, its spots belonging to a region."""
        self.spots = [replace(spot, region=region) for spot in self.spots]
        return self

    def cut(self, top: int, height: int) -> Sheet:
        """Some of its rows."""
        out = Sheet(self.width, height)
        out.lay(self, 0, -top)
        out.spots = [spot for spot in out.spots if spot.y >= 0 and spot.height > 0]
        return out

    def segments(self, y: int) -> Iterator[Segment]:
        """A row for the terminal."""
        text, style = "", NOTHING
        for character, own in self.rows[y]:
            if own is not style and own != style:
                if text:
                    yield Segment(text, style)
                text, style = "", own
            text += character
        if text:
            yield Segment(text, style)

    def lines(self) -> list[str]:
        """The characters alone."""
        return ["".join(character for character, _ in row).rstrip() for row in self.rows]


def line(runs: Iterable[Run], width: int | None = None) -> Sheet:
    """Runs of text after each other in one row; with a width, cut off there with an ellipsis."""
    listed = list(runs)
    size = sum(cell_len(run.text) for run in listed)
    sheet = Sheet(size if width is None else min(size, width), 1)
    x = 0
    for run in listed:
        end = sheet.put(x, 0, run.text, run.style)
        if x < sheet.width:
            sheet.mark(x, 0, min(end, sheet.width) - x, 1, run.meant)
        x = end
    if width is not None and size > width and width:
        _, style = sheet.rows[0][-1]
        sheet.rows[0][-1] = ("…", style)
    return sheet


def paragraph(runs: Iterable[Run], width: int, hanging: Sequence[Run] = ()) -> Sheet:
    """Runs of text in rows of a width, broken between words; `hanging` begins each row but the first."""
    lines: list[list[Run]] = [[]]
    indent = sum(cell_len(run.text) for run in hanging)
    used, blank = 0, True
    for word in words_of(runs):
        size = sum(cell_len(run.text) for run in word)
        bare = size - (cell_len(word[-1].text) - cell_len(word[-1].text.rstrip(" ")))
        if used + bare > width and not blank:
            lines.append(list(hanging))
            used, blank = indent, True
        for run in word:
            text = run.text
            while used + cell_len(text.rstrip(" ")) > width > indent:  # a word longer than a row
                part, text = broken(text, max(1, width - used))
                lines[-1].append(run._replace(text=part))
                lines.append(list(hanging))
                used = indent
            if blank and len(lines) > 1:
                text = text.lstrip(" ")
            if text:
                lines[-1].append(run._replace(text=text))
                used += cell_len(text)
                blank = blank and not text.strip()
    return above([line(trimmed(one), width) for one in lines])


def trimmed(runs: list[Run]) -> list[Run]:
    """Without the blanks at the end, unless they are painted."""
    while runs and not runs[-1].text.strip(" ") and not runs[-1].style.bgcolor and len(runs) > 1:
        runs = runs[:-1]
    if runs and not runs[-1].style.bgcolor:
        runs = [*runs[:-1], runs[-1]._replace(text=runs[-1].text.rstrip(" "))]
    return runs


def words_of(runs: Iterable[Run]) -> list[list[Run]]:
    """Runs as words, each with the blanks after it; what no blank parts stays together, whatever its styles."""
    words: list[list[Run]] = [[]]
    for run in runs:
        pieces = run.text.split(" ")
        for number, piece in enumerate(pieces):
            text = piece.replace(console.NO_BREAK, " ") + (" " if number < len(pieces) - 1 else "")
            if text:
                words[-1].append(run._replace(text=text))
            if number < len(pieces) - 1:
                words.append([])
    return [word for word in words if word]


def broken(word: str, width: int) -> tuple[str, str]:
    """A word in two, the first no wider than said and at least one letter."""
    count = 1
    while count < len(word) and cell_len(word[: count + 1]) <= width:
        count += 1
    return word[:count], word[count:]


def above(sheets: Iterable[Sheet], gap: int = 0, width: int | None = None) -> Sheet:
    """Sheets under each other."""
    listed = [sheet for sheet in sheets if sheet.height]
    out = Sheet(
        max((sheet.width for sheet in listed), default=0) if width is None else width,
        sum(sheet.height for sheet in listed) + gap * max(0, len(listed) - 1),
    )
    y = 0
    for sheet in listed:
        out.lay(sheet, 0, y)
        y += sheet.height + gap
    return out


def beside(sheets: Iterable[Sheet], gap: int = 1) -> Sheet:
    """Sheets next to each other."""
    listed = [sheet for sheet in sheets if sheet.width]
    out = Sheet(
        sum(sheet.width for sheet in listed) + gap * max(0, len(listed) - 1),
        max((sheet.height for sheet in listed), default=0),
    )
    x = 0
    for sheet in listed:
        out.lay(sheet, x, 0)
        x += sheet.width + gap
    return out


def flowed(sheets: Iterable[Sheet], width: int, gap: int = 1, down: int = 0) -> Sheet:
    """Sheets in rows no wider than said."""
    rows: list[list[Sheet]] = []
    used = 0
    for sheet in sheets:
        if not rows or used + gap + sheet.width > width:
            rows.append([])
            used = -gap
        rows[-1].append(sheet)
        used += gap + sheet.width
    return above([beside(row, gap) for row in rows], down)


def framed(inner: Sheet, title: str, style: Style, width: int, said: Style) -> Sheet:
    """A sheet in a frame of a width."""
    out = Sheet(width, inner.height + 2)
    out.put(0, 0, f"╭{'─' * (width - 2)}╮", style)
    out.put(0, out.height - 1, f"╰{'─' * (width - 2)}╯", style)
    for y in range(1, out.height - 1):
        out.put(0, y, "│", style)
        out.put(width - 1, y, "│", style)
    if title:
        out.put(2, 0, f" {title} "[: max(0, width - 4)], said)
    inside = Sheet(width - 4, inner.height)
    inside.lay(inner, 0, 0)
    out.lay(inside, 2, 1)
    return out

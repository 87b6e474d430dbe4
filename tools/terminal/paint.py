"""Styles by what they are for.  Where colours are few or none, a colour is also said in letters."""

from __future__ import annotations

from functools import lru_cache

from rich.style import Style

from rulespec.system.records import dataclass

from .glyphs import LETTERS

# Of a component: its ground, and writing in its colour on the dark ground of the table.
GROUND = {
    "yellow": "#e8c84a", "green": "#6fbf78", "red": "#e0776d", "blue": "#78a8ea", "purple": "#b08fdc", "white": "#e8e8e4",
    "black": "#4a4f57", "orange": "#e8a35a", "teal": "#66bdb5", "brown": "#c19a70", "grey": "#a9afb7", "pink": "#e9a0c0",
}  # fmt: skip
WRITING = {
    "yellow": "#f0d56a", "green": "#85d08e", "red": "#ff9488", "blue": "#8dbcff", "purple": "#c9a5f5", "white": "#ffffff",
    "black": "#aab0b8", "orange": "#ffbd7a", "teal": "#74d8cf", "brown": "#ddb58b", "grey": "#c3c9d1", "pink": "#ff9fc6",
}  # fmt: skip
# The ground of what may not be chosen, and of places.
SHADE = {
    "yellow": "#463d16", "green": "#1f4428", "red": "#55241f", "blue": "#1f3b62", "purple": "#332346", "white": "#3c4046",
    "black": "#20242a", "orange": "#4b3218", "teal": "#153f3c", "brown": "#3d2e20", "grey": "#333a42", "pink": "#4b2638",
}  # fmt: skip
TABLE, BAR, INK, PAPER = "#14181d", "#212932", "#e8e6df", "#d8d4c8"
ACCENT, DIM, DARK, LINE, BACKING = "#ffb066", "#99a2ac", "#15181c", "#4a5663", "#3b3126"
FELT = {"disc": ("#1f5a36", "#256a40"), "chequered": ("#59503f", "#7d7159"), "plain": ("#222a33", "#2a333d")}
FEW = ("standard", "windows")  # colour systems of 16 colours


@lru_cache(maxsize=2048)
def style(
    fore: str | None = None,
    back: str | None = None,
    bold: bool = False,
    dim: bool = False,
    reverse: bool = False,
    underline: bool = False,
) -> Style:
    """A style; None where a part is not set."""
    return Style(
        color=fore,
        bgcolor=back,
        bold=bold or None,
        dim=dim or None,
        reverse=reverse or None,
        underline=underline or None,
    )


@dataclass(frozen=True)
class Paint:
    """The styles of a terminal: `system` is what rich calls its colours, None for none at all."""

    system: str | None = "truecolor"

    @property
    def plain(self) -> bool:
        """Whether there are no colours."""
        return self.system is None

    @property
    def lettered(self) -> bool:
        """Whether colours are said in letters, too: two of them may look the same."""
        return self.system is None or self.system in FEW

    def letters(self, colour: str | None) -> str:
        """The letters of a colour, where they are needed."""
        return LETTERS[colour] if colour and self.lettered else ""

    def text(self, bold: bool = False) -> Style:
        """Ordinary writing."""
        return style(None if self.plain else INK, None, bold)

    def dim(self) -> Style:
        """What need not be read each time."""
        return style(dim=True) if self.plain else style(DIM)

    def accent(self, bold: bool = True) -> Style:
        """What is to be noticed: keys, what is new."""
        return style(None if self.plain else ACCENT, None, bold)

    def badge(self) -> Style:
        """A word on a sign."""
        return style(reverse=True) if self.plain else style(DARK, ACCENT)

    def bar(self) -> Style:
        """The first and the last line."""
        return style(reverse=True) if self.plain else style(INK, BAR)

    def key(self) -> Style:
        """A key on the last line."""
        return style(bold=True) if self.plain else style(DARK, DIM)

    def line(self) -> Style:
        """Frames and links."""
        return style(dim=True) if self.plain else style(LINE)

    def writing(self, colour: str | None, bold: bool = True) -> Style:
        """Writing in a colour."""
        return style(None, None, bold) if self.plain else style(WRITING.get(colour or "", INK), None, bold)

    def ground(self, colour: str | None, bold: bool = True) -> Style:
        """Writing on a component of a colour."""
        if self.plain:
            return style(reverse=True)
        return style("#f4f4f2" if colour == "black" else DARK, GROUND.get(colour or "", PAPER), bold)

    def shade(self, colour: str | None, bold: bool = False) -> Style:
        """Writing on what may not be chosen, or on a place."""
        if self.plain:
            return style(bold=bold)
        return style(WRITING.get(colour or "", INK), SHADE.get(colour or "", "#2b333d"), bold)

    def chosen(self) -> Style:
        """What may be chosen, where its ground shows it."""
        return style(bold=True, underline=True) if self.plain else style(DARK, ACCENT, True)

    def back(self) -> Style:
        """The back of a card."""
        return style() if self.plain else style("#c9a77c", BACKING)

    def focus(self) -> Style:
        """Laid over what the arrows stand on."""
        return style(reverse=True, bold=True) if self.plain else style("#000000", "#ffffff", True)

    def felt(self, look: str, odd: bool) -> Style:
        """The ground of a cell."""
        if self.plain:
            return style()
        return style(INK, FELT.get(look, FELT["plain"])[odd])

    def on(self, ground: Style, colour: str | None) -> Style:
        """A piece of a colour on a ground."""
        if self.plain:
            return ground + style(bold=True)
        strong = {"white": "#ffffff", "black": "#06080a"}
        return ground + style(strong.get(colour or "") or WRITING.get(colour or "", INK), None, True)

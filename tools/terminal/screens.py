"""What lies over the table for a moment: texts to read, a menu at a thing, finding by name, the curtain between two people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, TypeVar

from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from rulespec.text.numbers import whole

from .sheet import Sheet

Result = TypeVar("Result")


class Drawn(Widget):
    """A sheet as a widget."""

    def __init__(self, sheet: Sheet) -> None:
        super().__init__()
        self.sheet = sheet
        self.styles.width = sheet.width
        self.styles.height = max(1, sheet.height)

    def render_line(self, y: int) -> Strip:
        """A row of it."""
        if y >= self.sheet.height:
            return Strip.blank(self.size.width)
        drawn = [Segment(text, style) for text, style, _ in self.sheet.segments(y)]
        return Strip(drawn, self.sheet.width).apply_style(self.rich_style)


class Reading(ModalScreen[None]):
    """A text in a frame, to be scrolled."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,space,f1,l,m,i,question_mark", "leave", "Back", show=False),
        Binding("up", "roll(-1)", show=False),
        Binding("down", "roll(1)", show=False),
        Binding("pageup", "roll(-10)", show=False),
        Binding("pagedown", "roll(10)", show=False),
    ]

    def __init__(self, title: str, sheet: Sheet, at_end: bool = False) -> None:
        super().__init__()
        self.headline = title
        self.sheet = sheet
        self.at_end = at_end

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="paper") as paper:
            paper.border_title = self.headline
            paper.border_subtitle = "Esc: back"
            yield Drawn(self.sheet)

    def on_mount(self) -> None:
        """Long texts begin at the end where that is what is new."""
        if self.at_end:
            self.query_one(VerticalScroll).scroll_end(animate=False)

    def action_roll(self, rows: int) -> None:
        """Scroll."""
        self.query_one(VerticalScroll).scroll_relative(y=rows, animate=False)

    def action_leave(self) -> None:
        """Back to the table."""
        self.dismiss(None)


class Menu(ModalScreen[int | None]):
    """A few things to choose from; gives the number of the one that is chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Back", show=False)]

    def __init__(self, title: str, items: Sequence[tuple[str, bool]]) -> None:
        super().__init__()
        self.headline = title
        self.items = items

    def compose(self) -> ComposeResult:
        options = [Option(f"{n + 1}  {text}", disabled=not legal) for n, (text, legal) in enumerate(self.items)]
        menu = OptionList(*options, classes="menu", markup=False)
        menu.border_title = self.headline
        menu.border_subtitle = "Enter: take   Esc: back"
        yield menu

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """One was chosen."""
        self.dismiss(event.option_index)

    def key_number(self, number: int) -> None:
        """One was chosen by its number."""
        if number < len(self.items) and self.items[number][1]:
            self.dismiss(number)

    def on_key(self, event: object) -> None:
        """Numbers choose."""
        character = getattr(event, "character", None)
        if character and (number := whole(character)):
            self.key_number(number - 1)

    def action_leave(self) -> None:
        """Nothing was chosen."""
        self.dismiss(None)


class Finding(ModalScreen[int | None]):
    """What begins or holds what is typed, of a list; gives the number of what is taken."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back", show=False),
        Binding("down", "walk(1)", show=False, priority=True),
        Binding("up", "walk(-1)", show=False, priority=True),
    ]

    def __init__(self, title: str, items: Sequence[str], find: Callable[[str], list[int]]) -> None:
        super().__init__()
        self.headline = title
        self.items = items
        self.find = find
        self.near: list[int] = []

    def compose(self) -> ComposeResult:
        with Vertical(classes="finding") as box:
            box.border_title = self.headline
            yield Input(placeholder="a name, or a part of one")
            yield OptionList(markup=False)

    def on_mount(self) -> None:
        """All of it at first."""
        self.query_one(Input).focus()
        self.show("")

    def show(self, text: str) -> None:
        """Those that fit."""
        self.near = self.find(text)
        listed = self.query_one(OptionList)
        listed.clear_options()
        listed.add_options([Option(self.items[n]) for n in self.near])
        if self.near:
            listed.highlighted = 0

    def on_input_changed(self, event: Input.Changed) -> None:
        """Another letter."""
        self.show(event.value)

    def on_input_submitted(self) -> None:
        """Take the one that is marked."""
        at = self.query_one(OptionList).highlighted
        self.dismiss(self.near[at] if at is not None and self.near else None)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """One was clicked."""
        self.dismiss(self.near[event.option_index])

    def action_walk(self, step: int) -> None:
        """Up and down the list."""
        listed = self.query_one(OptionList)
        if step > 0:
            listed.action_cursor_down()
        else:
            listed.action_cursor_up()

    def action_leave(self) -> None:
        """Nothing."""
        self.dismiss(None)


class Curtain(ModalScreen[None]):
    """Nothing of the table, until the one whose turn it is says so."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "open", show=False)]

    def __init__(self, name: str) -> None:
        super().__init__()
        self.player = name

    def compose(self) -> ComposeResult:
        yield Static(
            f"Pass the keyboard to {self.player}.\n\n{self.player} presses Enter.", classes="curtain", markup=False
        )

    def action_open(self) -> None:
        """The one who was asked for is there."""
        self.dismiss(None)

    def on_click(self) -> None:
        """So is one with a mouse."""
        self.dismiss(None)


class Typing(ModalScreen[str | None]):
    """A line to be typed, such as the name of a file."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Back", show=False)]

    def __init__(self, title: str, text: str = "") -> None:
        super().__init__()
        self.headline = title
        self.text = text

    def compose(self) -> ComposeResult:
        with Vertical(classes="typing") as box:
            box.border_title = self.headline
            yield Input(self.text)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """It is typed."""
        self.dismiss(event.value.strip())

    def action_leave(self) -> None:
        """Nothing."""
        self.dismiss(None)

"""The games that are there, to choose one from: players and what each is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from .. import stopping
from ..wording import players_text
from .screens import Menu
from .stage import CSS, colours_of_user

if TYPE_CHECKING:
    from rulespec import GameInfo


class ShelfApp(App[tuple[str, int, str | None]]):
    """A list of games beside what the marked one is; it ends with an id, a number of players and a variant, or None."""

    CSS = (
        CSS
        + """
    #find { dock: top; }
    #games { width: 34; height: 1fr; border: round #4a5663; background: #14181d; border-title-color: #99a2ac; }
    #about { width: 1fr; height: 1fr; border: round #4a5663; padding: 0 2; border-title-color: #ffb066; }
    #keys { dock: bottom; height: 1; background: #212932; }
    """
    )
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+q,ctrl+c", "leave", "Leave", show=False, priority=True),
        Binding("down", "walk(1)", show=False, priority=True),
        Binding("up", "walk(-1)", show=False, priority=True),
    ]

    def __init__(self, games: Sequence[GameInfo], unfinished: Sequence[str] = ()) -> None:
        super().__init__(ansi_color=colours_of_user())
        self.games = list(games)
        self.unfinished = set(unfinished)
        self.near = list(self.games)
        self.signal: int | None = None  # what has ended it

    def compose(self) -> ComposeResult:
        yield Input(placeholder="a game, by a part of its name", id="find")
        with Horizontal():
            listed = OptionList(id="games", markup=False)
            listed.border_title = "Which game?"
            listed.can_focus = False
            yield listed
            with VerticalScroll(id="about", can_focus=False):
                yield Static(id="text", markup=False)
        yield Static("  ↑↓ walk   ⏎ play   Esc leave", id="keys", markup=False)

    def on_mount(self) -> None:
        """All games at first."""
        self.query_one(Input).focus()
        self.list_games("")
        stopping.told_to(self.stop)

    def stop(self, number: int) -> None:
        """Told to end by a signal."""
        self.signal = number
        self.exit(None)

    def chosen(self) -> tuple[str, int, str | None] | None:
        """Run it; raises Stopped where a signal has ended it."""
        choice = self.run()
        if self.signal is not None:
            raise stopping.Stopped(self.signal)
        return choice

    def list_games(self, text: str) -> None:
        """Those that fit what is typed."""
        wanted = text.casefold().strip()
        self.near = [game for game in self.games if wanted in game.title.casefold() or wanted in game.id]
        listed = self.query_one(OptionList)
        listed.clear_options()
        listed.add_options([Option(game.title) for game in self.near])
        if self.near:
            listed.highlighted = 0
        self.describe()

    def describe(self) -> None:
        """What the marked game is."""
        at = self.query_one(OptionList).highlighted
        about = self.query_one("#about")
        if at is None or not self.near:
            about.border_title = ""
            self.query_one("#text", Static).update("No game is called so.")
            return
        game = self.near[at]
        about.border_title = game.title
        parts = [players_text(game.players), game.about]
        if game.id in self.unfinished:
            parts.append("A game of it was left unfinished: it can be gone on with.")
        parts += [f"Variant: {one.title}. {one.about}".strip() for one in game.variants]
        parts.append(f"rulespec play {game.id}")
        self.query_one("#text", Static).update("\n\n".join(part for part in parts if part))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Another letter."""
        self.list_games(event.value)

    def on_option_list_option_highlighted(self) -> None:
        """Another game is marked."""
        self.describe()

    def on_input_submitted(self) -> None:
        """Play the marked one."""
        at = self.query_one(OptionList).highlighted
        if at is not None and self.near:
            self.choose(self.near[at])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Play the one that was clicked."""
        if event.option_list.id == "games":
            self.choose(self.near[event.option_index])

    def choose(self, game: GameInfo) -> None:
        """Ask which variant and for how many, where there is a choice."""
        if not game.variants:
            self.choose_players(game, None)
            return

        def chosen(number: int | None) -> None:
            if number is not None:
                self.choose_players(game, game.variants[number - 1].id if number else None)

        self.push_screen(Menu(game.title, [("as it is", True), *((one.title, True) for one in game.variants)]), chosen)

    def choose_players(self, game: GameInfo, variant: str | None) -> None:
        """See `choose`."""
        counts = list(game.players)
        if len(counts) == 1:
            self.exit((game.id, counts[0], variant))
            return

        def chosen(number: int | None) -> None:
            if number is not None:
                self.exit((game.id, counts[number], variant))

        self.push_screen(Menu(f"{game.title}: how many players?", [(players_text([n]), True) for n in counts]), chosen)

    def action_walk(self, step: int) -> None:
        """Up and down the list, or the menu over it."""
        listed = self.screen.query(OptionList).first()
        if step > 0:
            listed.action_cursor_down()
        else:
            listed.action_cursor_up()

    def action_leave(self) -> None:
        """Back one window, or away."""
        if len(self.screen_stack) > 1:
            self.pop_screen()
        else:
            self.exit(None)

    def on_key(self, event: events.Key) -> None:
        """Keys that the list knows go to it."""
        if event.key in ("pageup", "pagedown") and len(self.screen_stack) == 1:
            for _ in range(10):
                self.action_walk(-1 if event.key == "pageup" else 1)

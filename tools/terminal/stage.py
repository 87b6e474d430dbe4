"""The screen that all share who show a table: it draws a scene, walks on it, and looks closely at what lies there."""

from __future__ import annotations

import os
import signal
from typing import Any, ClassVar

from rich.segment import Segment
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.strip import Strip
from textual.widget import Widget

from .. import stopping
from . import boards, places, reading, walking
from .asked import Asked
from .layout import others_on_table, parts, screen
from .log import log
from .paint import Paint
from .scene import Scene
from .screens import Finding, Reading
from .sheet import Meant, Run, Sheet, above, line, paragraph

COMMANDS = {
    "u": "undo", "ctrl+z": "undo", "l": "log", "f3": "log", "m": "map", "f4": "map", "i": "inspect", "f2": "inspect",
    "q": "leave", "ctrl+q": "leave", "f1": "keys", "f5": "save", "r": "rules", "f6": "rules", "question_mark": "why",
    "slash": "find", "f10": "leave", "f7": "case",
}  # fmt: skip

CSS = """
Screen { background: #14181d; color: #e8e6df; }
TableView { width: 100%; height: 100%; }
ModalScreen { align: center middle; background: #0b0d10 70%; }
.paper, .menu, .finding, .typing { border: round #ffb066; background: #1b2128; border-title-color: #ffb066;
    border-subtitle-color: #99a2ac; padding: 0 1; }
.paper { width: auto; min-width: 40; max-width: 96%; height: auto; max-height: 92%; }
.menu { width: auto; min-width: 40; max-width: 90%; height: auto; max-height: 80%; }
.finding { width: 60; max-width: 96%; height: 16; }
.finding OptionList { height: 1fr; border: none; background: #1b2128; padding: 0; }
.typing { width: 60; max-width: 96%; height: 5; }
Input { border: none; background: #2a333d; height: 1; padding: 0 1; }
Curtain { background: #14181d; }
.curtain { width: 60; max-width: 96%; height: 7; border: round #ffb066; content-align: center middle; text-align: center; }
"""


def colours_of_user() -> bool | None:
    """What `ansi_color` of an app is, so that NO_COLOR leaves no colours at all; set to nothing, it asks for nothing."""
    if not os.environ.get("NO_COLOR"):
        os.environ.pop("NO_COLOR", None)
    return True if "NO_COLOR" in os.environ else None


class TableView(Widget, can_focus=True):
    """The table: one sheet as large as the screen."""

    sheet = Sheet(0, 0)

    def render_line(self, y: int) -> Strip:
        """A row of the screen."""
        if y >= self.sheet.height:
            return Strip.blank(self.size.width)
        drawn = [Segment(text, style) for text, style, _ in self.sheet.segments(y)]
        return Strip(drawn, self.sheet.width).apply_style(self.rich_style)

    @property
    def stage(self) -> Stage:
        """The app, which knows what is shown."""
        app = self.app
        assert isinstance(app, Stage)
        return app

    def on_resize(self) -> None:
        """Everything is drawn anew; with the first size that is known, it begins."""
        self.stage.resized()

    async def on_key(self, event: events.Key) -> None:
        """A key."""
        event.stop()
        event.prevent_default()
        await self.stage.pressed(event.key, event.character)

    async def on_click(self, event: events.Click) -> None:
        """A click, with the left button to choose, with another to look closely."""
        spot = walking.spot_at(self.sheet, event.x, event.y)
        if spot is not None:
            await self.stage.clicked(spot.meant, event.button != 1)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """What the mouse stands on is lit, and all that means the same."""
        spot = walking.spot_at(self.sheet, event.x, event.y)
        self.stage.pointed(None if spot is None else spot.meant)


class Stage(App[str]):
    """A table on the screen; `scene` is None where nothing may be shown."""

    CSS = CSS
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "help_quit", show=False, priority=True)]

    def __init__(self, system: str | None = None) -> None:
        super().__init__(ansi_color=colours_of_user())
        self.paint = Paint(None) if self.no_color else Paint(system or self.console.color_system or "truecolor")
        self.scene: Scene | None = None
        self.board = TableView()
        self.begun = False
        self.signal: int = signal.SIGINT  # what interrupts it

    def compose(self) -> ComposeResult:
        yield self.board

    def on_mount(self) -> None:
        """The table gets the keys."""
        self.board.focus()
        stopping.told_to(self.stop)

    def stop(self, number: int) -> None:
        """Told to end by a signal: the screen is closed, and the command says how to go on."""
        self.signal = number
        self.action_help_quit()

    @property
    def code(self) -> int:
        """The exit code, where it was interrupted."""
        return stopping.exit_code(self.signal)

    def resized(self) -> None:
        """The screen has another size."""
        if not self.begun and self.board.size.width:
            self.begun = True
            self.begin()
        self.draw()

    def _fatal_error(self) -> None:
        """Close the screen; the command reports what went wrong, as it does for all commands."""
        self._close_messages_no_wait()

    def played_out(self) -> str | None:
        """Run it to its end, in a terminal; raises what went wrong in it."""
        outcome = self.run()
        if self._exception is not None:
            raise self._exception
        return outcome

    def begin(self) -> None:
        """Start, when the screen is there."""

    # --- drawing -----------------------------------------------------------------------------------------
    def show(self, view: dict[str, Any], status: str = "", ask: bool = True, notes: list[str] | None = None) -> None:
        """Show a view; what the arrows stood on stays where that can still be chosen."""
        before = self.scene
        asked = Asked(view["decision"] if ask else None)
        self.scene = Scene(view, asked, self.paint, status=status, notes=notes or [])
        self.draw()
        if not asked.there:
            return
        same = before is not None and before.asked.decision.get("site") == asked.decision["site"]
        kept = before.focus if same and before is not None else None
        if kept is not None and asked.is_picked(kept) and asked.tray and not asked.full:  # on to what can be added
            listed = [spot for spot in walking.stops(self.board.sheet, asked) if not asked.is_picked(spot.meant)]
            kept = walking.towards(listed, walking.spot_of(self.board.sheet, kept), "right") or kept
        if kept is not None and asked.is_legal(kept) and walking.spot_of(self.board.sheet, kept) is not None:
            self.scene.focus = kept
        else:
            self.scene.focus = walking.start(self.board.sheet, asked)
        self.draw()

    def draw(self) -> None:
        """Draw the scene at the size of the screen."""
        size = self.board.size
        if self.scene is None:
            self.board.sheet = Sheet(size.width, size.height)
        else:
            self.scene.hints = self.hints()
            self.board.sheet = screen(self.scene, size.width, size.height)
        self.board.refresh()

    def hints(self) -> list[tuple[str, str]]:
        """The keys of the last line."""
        return []

    def hint(self, letter: str, other: str, words: str) -> tuple[str, str]:
        """A key of the last line: the letter, or another key where the letter begins the name of an answer."""
        taken = self.scene is not None and self.scene.asked.starts(letter)
        return (other if taken else letter), words

    def say(self, text: str) -> None:
        """A word on the last key, which stands until the next one."""
        if self.scene is not None:
            self.scene.said = " ".join(text.split())
            self.draw()

    # --- keys and mouse --------------------------------------------------------------------------------
    async def pressed(self, key: str, character: str | None) -> None:
        """A key that no window over the table took."""
        scene = self.scene
        if scene is None:
            return
        scene.said = ""
        if key.removeprefix("shift+") in walking.WAYS:
            self.walk(key.removeprefix("shift+"), key.startswith("shift+"))
        elif key in ("tab", "shift+tab"):
            self.to_region(1 if key == "tab" else -1)
        elif key in COMMANDS and not (len(key) == 1 and self.types(key)):
            await self.command(COMMANDS[key])
        else:
            await self.other(key, character)

    def types(self, letter: str) -> bool:
        """Whether a letter is the next of a name that is being typed."""
        scene = self.scene
        return scene is not None and scene.asked.there and (bool(scene.typed) or scene.asked.starts(letter))

    async def other(self, key: str, character: str | None) -> None:
        """A key that only some screens know."""

    async def command(self, name: str) -> None:
        """What a key stands for."""
        match name:
            case "log":
                await self.read_log()
            case "map":
                self.read_map()
            case "keys":
                self.read("Keys", reading.keys(self.shown, self.room(76)))
            case "inspect":
                self.look(self.shown.focus)
            case "rules":
                self.read_rules()
            case "find":
                self.find()
            case "leave":
                self.leave()

    @property
    def shown(self) -> Scene:
        """The scene, where there is one."""
        assert self.scene is not None
        return self.scene

    def walk(self, way: str, everything: bool) -> None:
        """Go on with the arrows."""
        scene = self.shown
        here = walking.spot_of(self.board.sheet, scene.focus)
        listed = walking.stops(self.board.sheet, scene.asked, everything or not scene.asked.there)
        to = walking.towards(listed, here, way)
        if to is not None:
            scene.focus = to
            self.draw()

    def to_region(self, step: int) -> None:
        """Go on with Tab."""
        scene = self.shown
        here = walking.spot_of(self.board.sheet, scene.focus)
        to = walking.next_region(self.board.sheet, scene.asked, here.region if here else "", step)
        if to is not None:
            scene.focus = to
            self.draw()

    async def clicked(self, meant: Meant, closely: bool) -> None:
        """Something was clicked."""
        if self.scene is None:
            return
        self.scene.said = ""
        self.scene.focus = meant
        self.draw()
        if closely or not self.scene.asked.verbs(meant):
            self.look(meant)
        else:
            await self.take(meant)

    async def take(self, meant: Meant) -> None:
        """What is to be done with what was pointed at."""

    def pointed(self, meant: Meant | None) -> None:
        """The mouse stands on something."""
        if self.scene is not None and self.scene.hover != meant:
            self.scene.hover = meant if meant and self.scene.asked.is_legal(meant) else None
            self.draw()

    # --- windows -----------------------------------------------------------------------------------------
    def room(self, most: int) -> int:
        """How wide a text may be."""
        return max(20, min(most, self.size.width - 8))

    def read(self, title: str, sheet: Sheet, at_end: bool = False) -> None:
        """Show a text over the table."""
        self.push_screen(Reading(title, sheet, at_end))

    async def read_log(self) -> None:
        """The whole log: what is older than the view tells, before what it tells by turns."""
        scene, width = self.shown, self.room(90)
        recent = sum(len(turn["lines"]) for turn in scene.view["log"])
        older = self.log_lines()[: max(0, scene.view["log_lines"] - recent)]
        sheets = [paragraph([Run(f" {text}", scene.paint.dim())], width, [Run("  ")]) for text in older]
        self.read("Log", above([*sheets, log(scene, width)], width=width), at_end=True)

    def log_lines(self) -> list[str]:
        """All lines of the log that the one who looks may read."""
        return []

    def read_map(self) -> None:
        """The whole table, however large: the map with its list of places, boards, all zones."""
        scene, width = self.shown, self.room(110)
        sheets: list[Sheet] = []
        if scene.view["map"]:
            drawn = places.place_map(scene, width, max(34, self.size.height - 6))
            sheets += [drawn] if drawn is not None else []
            sheets += [places.place_list(scene, width, 500), others_on_table(scene, width)]
        else:
            sheets.append(parts(scene, width, 200, 3, True))
            sheets += [boards.board(scene, one, width, 60) for one in scene.view["boards"] if not sheets[0].height]
        self.read("The table", above(sheets, 1, width=width))

    def look(self, meant: Meant | None) -> None:
        """Look closely at a thing, a zone or an answer."""
        scene, width = self.shown, self.room(64)
        if meant is not None and meant.action is not None:
            things = scene.asked.points[meant.action].things if meant.action in scene.asked.points else ()
            meant = Meant(things[0]) if things else meant
        if meant is None:
            self.say("Walk to something with the arrows first")
            return
        self.read("Closely", reading.closely(scene, meant, width, self.written(meant)))

    def written(self, _meant: Meant) -> dict[str, Any] | None:
        """What can be read about what is pointed at."""
        return None

    def read_rules(self) -> None:
        """What the game is about."""

    def find(self) -> None:
        """Find an answer or a thing by its name."""
        scene = self.shown
        items: list[tuple[str, Meant]] = [
            (f"{choice.text}{'' if choice.legal else '   ✕'}", Meant(None, None, choice.action))
            for choice in scene.asked.choices
        ]
        seen: set[str] = set()
        for spot in self.board.sheet.spots:
            thing = spot.meant.thing
            if thing in scene.things and thing not in seen and not scene.asked.meant_by(spot.meant):
                seen.add(thing)
                items.append((f"{scene.things[thing]['label']}   {thing.partition('/')[0]}", spot.meant))
        words = [text.casefold() for text, _ in items]

        def near(text: str) -> list[int]:
            wanted = text.casefold().strip()
            first = [n for n, word in enumerate(words) if word.startswith(wanted)]
            return first + [n for n, word in enumerate(words) if wanted in word and n not in first]

        def go(number: int | None) -> None:
            if number is not None:
                meant = items[number][1]
                choice = None if meant.action is None else scene.asked.points.get(meant.action)
                spot = None
                if choice is not None and choice.things:
                    spots = (
                        s
                        for s in self.board.sheet.spots
                        if s.meant.thing in choice.things and scene.asked.meant_by(s.meant)
                    )
                    spot = next(spots, None)
                scene.focus = spot.meant if spot is not None else meant
                self.draw()

        self.push_screen(Finding("Find", [text for text, _ in items], near), go)

    def leave(self) -> None:
        """Leave the table."""
        self.exit("left")

    async def action_quit(self) -> None:
        """Ctrl+Q, whatever lies over the table."""
        self.leave()

    def action_help_quit(self) -> None:
        """Ctrl+C: at once."""
        self.exit("interrupted")


def told(scene: Scene, texts: list[str], width: int) -> Sheet:
    """Paragraphs."""
    return above(
        [paragraph([Run(text, scene.paint.text())], width) for text in texts] or [line([Run("")])], 1, width=width
    )

"""A game played on the screen: people at this keyboard, bots in the other seats."""

from __future__ import annotations

import asyncio
import contextlib
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from interpreter import CHANCE, EVERYTHING, Fault, State
from rulespec.text.diagnostics import RulespecError

from ..framework import shipped_games
from ..session import Session, answered
from . import reading
from .answering import Answering
from .screens import Curtain, Menu, Typing
from .sheet import Meant
from .stage import told

PACES: tuple[tuple[str, float | None], ...] = (  # as `--pace` has them
    ("none", 0.0),
    ("fast", 0.25),
    ("calm", 0.8),
    ("slow", 2.0),
    ("step", None),
)
CALM = 2  # the pace at the beginning


class PlayApp(Answering):
    """A session, played.  It ends with `left`, `over`, `again`, `walk` or `interrupted`; a fault of the rules is in `fault`."""

    def __init__(
        self,
        session: Session,
        pace: int = CALM,
        system: str | None = None,
        rules: Sequence[str] = (),
        before: State | None = None,
    ) -> None:
        super().__init__(session, system)
        self.before = before  # a game that was left, which may be gone on with
        self.rules = list(rules)
        self.pace = pace
        self.watching = not session.people
        self.skip = asyncio.Event()
        self.hurry = False  # until a person is asked
        self.parting: int | None = None  # who is to be handed the keyboard when the one before has read what he learnt
        self.knew: Any = None  # what the one who sits there knew when he was asked
        session.tell = self.tell  # type: ignore[method-assign]

    def tell(self, text: str) -> None:
        """A message of the session."""
        self.notify(text, markup=False)

    def begin(self) -> None:
        """Start, or go on with the game that was left."""
        if self.before is None:
            self.session.keep()
            self.go_on()
            return
        left = self.before

        def chosen(number: int | None) -> None:
            if number == 0:
                self.session.state = left
            self.session.keep()
            self.go_on()

        words = f"Go on with the game that was left, after {left.decisions} answers"
        self.push_screen(Menu(self.session.game.title, [(words, True), ("Begin a new one", True)]), chosen)

    # --- whose turn it is --------------------------------------------------------------------------------
    def go_on(self) -> None:
        """Let bots and chance play until a person is asked, or the game is over."""
        if not self.busy:
            self.busy = True
            self.hurry = False
            self.run_worker(self.played(), exclusive=True)

    async def played(self) -> None:
        """See `go_on`."""
        try:
            await self.play_others()
        except Fault as fault:
            self.fault = fault
            self.exit("fault")
        finally:
            self.busy = False

    async def play_others(self) -> None:
        """Answers that nobody here gives; then the question for whoever does."""
        session = self.session
        while not session.state.is_terminal():
            mover = session.mover()
            if mover is None:
                seats = session.waiting()
                seat = self.sitting if self.sitting in seats else seats[0]
                forced = session.forced(seat)
                if forced is None:
                    self.hand_to(seat)
                    return
                self.notes.setdefault(seat, []).append(
                    f"{answered(session.decision(seat), forced.text)} (the only answer)"
                )
                session.take(forced, seat)
                continue
            before = self.scene.view["at"] if self.scene else ""
            self.look_on(mover)
            action = await asyncio.to_thread(session.choose, mover)
            session.answer(action, mover)
            self.look_on(mover)
            if self.scene is not None and self.scene.view["at"] != before and mover != CHANCE:
                await self.pause()
        self.ended()

    def log_lines(self) -> list[str]:
        """All lines of the log that the one who looks may read."""
        if self.busy:
            return []
        seats = self.session.game.seats
        you = self.shown.view["you"]
        viewer = seats.index(you) if you in seats else EVERYTHING if self.watching else None
        return self.session.state.log_lines(viewer)

    def written(self, meant: Meant) -> dict[str, Any] | None:
        """What can be read about a thing, or for an answer without one about the question."""
        if meant.thing is None and meant.action is None:
            return None
        return self.session.game.about(self.shown.view, meant.thing or "")

    def look_on(self, mover: int) -> None:
        """Show the table to those who wait."""
        viewer = EVERYTHING if self.watching else self.sitting
        if viewer is None:
            if self.secrets:
                self.scene = None
                self.draw()
                return
            viewer = min(self.session.people)
        name = "Chance" if mover == CHANCE else self.session.game.seat_labels[mover]
        self.show(self.session.table(viewer), f"{name} plays ... ({PACES[self.pace][0]})", ask=False)

    async def pause(self) -> None:
        """Time to see what was played."""
        seconds = 0.0 if self.hurry else PACES[self.pace][1]
        self.skip.clear()
        if seconds is None:
            await self.skip.wait()
        elif seconds:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.skip.wait(), seconds)
        else:
            await asyncio.sleep(0)

    def hand_to(self, seat: int) -> None:
        """Ask a person; between two people with secrets nothing is shown until the right one looks at the screen."""
        if self.sitting == seat or not self.secrets or len(self.session.people) == 1:
            self.ask(seat)
        elif self.sitting is not None and self.learnt(self.sitting):
            self.parting = seat
            name = self.session.game.seat_labels[seat]
            self.show(
                self.session.table(self.sitting),
                f"Read what you have learnt, then press Enter and pass the keyboard to {name}.",
                False,
            )
        else:
            self.draw_curtain(seat)

    def learnt(self, seat: int) -> bool:
        """Whether the last answer of a seat told it something that others do not know."""
        state = self.session.state
        public = set(state.log_lines(None))
        new = state.table(seat)["changes"] or {"log": 0}
        lines = state.log_lines(seat)
        fresh = lines[len(lines) - new["log"] :] if new["log"] else []
        return any(text not in public for text in fresh) or state.observation(seat).get("known") != self.knew

    def draw_curtain(self, seat: int) -> None:
        """Show nothing until the one who is asked says that he is there."""
        self.parting = None
        self.scene = None
        self.sitting = None
        self.draw()
        self.push_screen(Curtain(self.session.game.seat_labels[seat]), lambda _: self.ask(seat))

    def ask(self, seat: int) -> None:
        """Put the question."""
        self.sitting = seat
        self.knew = self.session.state.observation(seat).get("known")
        self.show(self.session.table(seat), notes=self.notes.get(seat))
        self.set_timer(0.02, self.look_ahead)

    def look_ahead(self) -> None:
        """What can be meant by pointing at a thing first: it takes some time, so it is worked out when the table stands."""
        scene, seat = self.scene, self.sitting
        if scene is None or seat is None or not scene.asked.there or scene.asked.collected or scene.asked.ahead:
            return
        if all(not scene.asked.points[choice.action].button for choice in scene.asked.legal):
            return
        scene.asked.ahead = self.session.state.clone().ahead(seat)
        if scene.asked.ahead:
            self.draw()

    def ended(self) -> None:
        """The final table, and how it ended."""
        viewer = EVERYTHING if self.watching else self.sitting
        if viewer is None:
            viewer = None if len(self.session.people) > 1 else min(self.session.people)
        if self.secrets and len(self.session.people) > 1:
            viewer = None
        self.show(self.session.table(viewer), "", ask=False)
        from .. import console, view

        lines = [console.bare(text) for text in view.result(self.session.game, self.session.state)]
        self.shown.status = f"{lines[1]}  {lines[0]}"
        self.draw()
        self.tell_end()

    def tell_end(self) -> None:
        """The end from near."""
        self.read("The end", reading.ending(self.shown, self.session, self.room(90)))

    # --- keys --------------------------------------------------------------------------------------------
    async def other(self, key: str, character: str | None) -> None:
        """Answers, and what is typed."""
        scene = self.shown
        if self.parting is not None:
            if key in ("enter", "space"):
                self.draw_curtain(self.parting)
        elif self.held is not None and key in ("enter", "space"):
            await self.give_held()
        elif self.held is not None and key == "escape":
            self.withdraw()
        elif self.session.state.is_terminal():
            await self.at_end(key)
        elif key in ("plus", "minus", "equals_sign") and scene.asked.there and scene.asked.numeric:
            self.count_on(-1 if key == "minus" else 1)
        elif key in ("plus", "minus"):
            self.pace = max(0, min(len(PACES) - 1, self.pace + (-1 if key == "plus" else 1)))
            self.say(f"Bots play {PACES[self.pace][0]}")
        elif not scene.asked.there:
            if key in ("enter", "space"):
                self.skip.set()
            elif key == "escape":
                self.hurry = True
                self.skip.set()
        elif key == "enter":
            await self.enter()
        elif key == "space" and not scene.typed:
            if scene.focus is not None:
                await self.take(scene.focus)
        elif key == "escape":
            self.back()
        elif key == "backspace":
            self.typing(scene.typed[:-1])
        elif character and character.isprintable():
            await self.typed(character)

    async def at_end(self, key: str) -> None:
        """What can be done when the game is over."""
        if key in ("enter", "space"):
            self.tell_end()
        elif key == "a":
            self.exit("again")
        elif key == "w":
            self.exit("walk")
        elif key == "t":
            self.push_screen(Typing("Save the transcript as", f"{self.session.game.id}.jsonl"), self.save_transcript)

    # --- commands ----------------------------------------------------------------------------------------
    async def command(self, name: str) -> None:
        """What a key stands for."""
        match name:
            case "undo" if self.held is not None:
                self.withdraw()
            case "undo" if self.shown.asked.there:
                self.undo()
            case "save" if not self.busy:
                default = str(self.session.save or f"{self.session.game.id}.save.json")
                self.push_screen(Typing("Save the game as", default), self.save_game)
            case "case" if not self.busy:
                self.case()
            case "why":
                self.why()
            case _:
                await super().command(name)

    def why(self) -> None:
        """Why what the arrows stand on is not allowed; or why others are not."""
        scene = self.shown
        if scene.focus is not None and scene.asked.is_refused(scene.focus):
            self.look(scene.focus)
        else:
            self.read("Not allowed", reading.reasons(scene, self.room(76)))

    def read_rules(self) -> None:
        """What the game is about."""
        from .. import view

        scene = self.shown
        game = self.session.game
        paragraphs = [*view.about(game, self.rules), *(f"{id}  {text}" for id, text in view.rulings(game))]
        self.read(scene.view["game"]["title"], told(scene, paragraphs, self.room(76)))

    def save_game(self, name: str | None) -> None:
        """Save where somebody said."""
        if name:
            self.say(self.session.save_to(name))

    def case(self) -> None:
        """End the case that goes on, or ask for the name of one that begins here."""
        recording = self.session.recording
        if recording is None or recording.name is not None:
            self.say(self.session.write_case(""))
        else:
            self.push_screen(Typing("A case begins here, and ends with F7. Its name"), self.begin_case)

    def begin_case(self, name: str | None) -> None:
        """Begin a case."""
        if name:
            self.say(self.session.write_case(name))

    def save_transcript(self, name: str | None) -> None:
        """Write all answers to a file."""
        from interpreter.files import saves, transcript

        from .. import console
        from ..guarding import guard_game

        if not name:
            return
        path = Path(name).expanduser()
        try:
            guard_game(path, *self.session.files)
            saves.write(path, transcript.write(self.session.state))
        except OSError as error:
            self.say(f"not saved: {console.reason(error)}")
        except RulespecError as error:
            self.say(f"not saved: {error}")
        else:
            self.session.files.add(path.absolute())
            where = [] if self.session.game.id in shipped_games() else ["--game", "GAME"]
            self.say(f"saved; {shlex.join(['rulespec', 'watch', str(path), *where])}")

    def leave(self) -> None:
        """Leave; where that loses the game, it is asked first."""
        if self.session.state.is_terminal() or (self.session.save is not None and not self.session.unsaved):
            self.exit("over" if self.session.state.is_terminal() else "left")
            return
        items = [("Go on playing", True), ("Save the game and leave", True), ("Leave without saving", True)]

        def chosen(number: int | None) -> None:
            if number == 1:
                said = self.session.save_to("")
                self.say(said)
                if said.startswith("saved"):
                    self.exit(said)
            elif number == 2:
                self.exit("left")

        self.push_screen(Menu("Leave the game?", items), chosen)

    def hints(self) -> list[tuple[str, str]]:
        """The keys of the last line."""
        scene = self.scene
        if self.parting is not None:
            return [("⏎", "pass the keyboard")]
        if self.session.state.is_terminal():
            return [
                ("⏎", "result"),
                ("a", "again"),
                ("w", "walk through"),
                ("t", "transcript"),
                ("l", "log"),
                ("q", "leave"),
            ]
        if scene is None or not scene.asked.there:
            return [
                ("Space", "go on"),
                ("Esc", "skip to your turn"),
                ("+ -", "pace"),
                ("l", "log"),
                ("q", "leave"),
                ("F1", "keys"),
            ]
        first = [("1-9", "choose"), ("←↑↓→", "walk"), ("⏎", "take")]
        if scene.asked.tray:
            first = [("1-9 Space", "in or out"), ("←↑↓→", "walk"), ("⏎", "done" if scene.asked.full else "take")]
        elif scene.asked.numeric:
            first = [("0-9", "how many"), ("+ -", "more, less"), ("⏎", "take")]
        return [
            *first,
            ("F1", "keys"),
            self.hint("q", "^Q", "leave"),
            ("?", "why not"),
            self.hint("i", "F2", "look"),
            self.hint("u", "^Z", "undo"),
            self.hint("l", "F3", "log"),
            self.hint("m", "F4", "table"),
            self.hint("r", "F6", "rules"),
            ("/", "find"),
        ]

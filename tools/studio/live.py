"""The table of a game as its text stands: made anew after each change that can be read, with the same answers as far as they fit."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import rulespec
from interpreter import Fault, Game, IllegalAction, State
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostic, RulespecError
from rulespec.text.disk import unsaved
from rulespec.text.source import Span

from ..serve import journal
from ..serve.storage import Record
from ..serve.tables import Reply, Table, fresh_tokens
from .answers import Replayed, answers_of, replayed
from .pointing import asks, lit, place_of
from .projects import Project, Refused
from .trials import Trials

if TYPE_CHECKING:
    from interpreter.files.transcript import Answer
    from rulespec.checker.program import CheckedGame

    from ..serve.house import House
    from ..serve.rooms import Room

SOON = 0.15  # seconds without a change before the table follows
PATIENCE = 30.0  # seconds until the table stands still
PACE = 0.5  # seconds that a bot waits
Texts = Mapping[Path, str]
Checked = tuple["CheckedGame | None", Sequence[Diagnostic]]
Read = Callable[[Path, Texts], Awaitable[Checked]]


@dataclass(frozen=True, slots=True)
class Wish:
    """How the table is wanted: for so many players (None: as few as there may be), and whether people have `one` seat, `all` or `none`."""

    players: int | None = None
    people: str = "one"


class Live:
    """A table that follows a text; `tell` is called with what the pages are told of it."""

    def __init__(
        self, house: House, project: Project, tell: Callable[[Reply], None], trials: type[Trials] = Trials
    ) -> None:
        self.house = house
        self.project = project
        self.tell = tell
        self.loop = asyncio.get_running_loop()
        self.trials = trials(project, self.trying)
        self.tests: list[Reply] = []  # what was told of the cases as they are now
        self.worker = ThreadPoolExecutor(1, "checking")
        self.read: Read
        self.main: Path | None = None
        self.texts: dict[Path, str] = {}
        self.wish = Wish()
        self.room: Room | None = None
        self.checked: CheckedGame | None = None  # the game on the table
        self.sound = False  # the text can be read, whatever comes of it on the table
        self.fresh = False  # the table is to begin anew
        self.kept: tuple[Answer, ...] = ()  # all answers, of which the last do not fit now
        self.fitting = 0  # answers after which they do not
        self.status: Reply = {"type": "table", "good": False, "text": "The game is being read …"}
        self.changed, self.still = asyncio.Event(), asyncio.Event()
        self.task = asyncio.create_task(self.run())

    def follow(self, main: Path, texts: Texts, read: Read) -> None:
        """Be the table of a game, or of a variant, with these texts in place of files; `read` reads it."""
        self.read = read
        if (main, texts) != (self.main, self.texts):
            self.fresh |= self.main not in (None, main)
            self.main, self.texts = main, dict(texts)
            self.look_again()

    def look_again(self) -> None:
        """Something has changed."""
        self.house.library.forget(str(self.main))
        self.changed.set()
        self.still.clear()

    def deal(self, wish: Wish) -> None:
        """Begin anew, as it is wanted."""
        self.wish, self.fresh = wish, True
        self.look_again()

    async def close(self) -> None:
        """Follow no more."""
        self.task.cancel()
        self.trials.close()
        self.worker.shutdown(wait=False, cancel_futures=True)
        await self.leave()

    def trying(self, told: Reply) -> None:
        """The same, from the thread of the cases."""
        with suppress(RuntimeError):  # all has ended
            self.loop.call_soon_threadsafe(self.tried, told)

    def tried(self, told: Reply) -> None:
        """Something comes of the cases."""
        if told["run"] == self.trials.run:
            self.tests = [*(self.tests if told["type"] == "ran" else ()), told]
            self.tell(told)

    async def run(self) -> None:
        """Follow the text for good."""
        while True:
            await self.changed.wait()
            while self.changed.is_set():
                self.changed.clear()
                await asyncio.sleep(SOON)
            assert self.main is not None
            main, texts, self.sound = self.main, self.texts, False
            try:
                told = await self.followed(main, texts)
            except RulespecError as problem:
                told = self.stays(problem.diagnostics[0])
            except (Fault, IllegalAction) as problem:
                told = self.stays(problem.diagnostic)
            except Exception as problem:
                journal.fault("the studio's table", problem)
                told = {"good": False, "text": "The studio has trouble with this"}
            link = {} if self.room is None else {"link": link_of(self.room)}
            self.status = {"type": "table", **told, **link}
            self.tell(self.status)
            if self.sound and not self.changed.is_set():  # they wait for the table: it is what one looks at
                self.trials.begin(main, texts)
            if not self.changed.is_set():
                self.still.set()

    async def followed(self, main: Path, texts: Texts) -> Reply:
        """Make the table what the text says; what is to be said of it.  Raises RulespecError, Fault, IllegalAction and OSError."""
        loop, wish = asyncio.get_running_loop(), self.wish
        read, findings = await self.read(main, texts)
        if read is None:
            raise RulespecError(findings)
        checked: CheckedGame = read
        game = await loop.run_in_executor(self.worker, built, checked, wish.players)
        self.sound = True
        facts: Reply = {
            "good": True,
            "text": "",
            "players": game.num_players,
            "counts": list(checked.players),
            "people": wish.people,
            "seat": game.seats[0],
        }
        room = self.room
        if room is None or self.fresh or room.table.game.seats != game.seats:
            await self.leave()
            self.room, self.checked = await self.opened(main, game, wish), checked
            self.fresh, self.kept, self.fitting = False, (), 0
            return facts
        table = room.table

        def again() -> Replayed:
            state = table.state
            answers = answers_of(state)
            if self.kept[: self.fitting] == answers:
                answers = self.kept
            done = replayed(game, state.seed if state.seed is not None else 0, answers)
            other = Table(game, done.state, table.record, table.home)
            other.advance()
            room.table = other
            self.kept, self.fitting = answers, len(answers_of(other.state))
            return done

        done = await room.run(again)
        self.checked = checked
        room.touch()
        return facts | ({"note": f"The answers fit up to here. Then {done.why}."} if done.why else {})

    async def opened(self, main: Path, game: Game, wish: Wish) -> Room:
        """A new table; raises Fault, IllegalAction, RulespecError and OSError."""
        lane = self.house.lanes.next()

        def work() -> Table:
            record = Record(str(main), game.num_players, [], pace=PACE, begun=True, tokens=fresh_tokens(game))
            people = {"none": 0, "one": 1, "all": game.num_players}[wish.people]
            record.by = ["person"] * people + ["bot"] * (game.num_players - people)
            record.together = list(range(people)) if people > 1 else []
            table = Table(game, game.new_state(secrets.randbelow(2**32)), record, self.house.folder.new())
            table.keep_record()
            table.advance()
            return table

        table = await lane.run(work)
        return self.house.add(table.home.name, table, lane)

    def stays(self, found: Diagnostic) -> Reply:
        """Why the table stays as it was: the first thing that is wrong, and where."""
        told: Reply = {"good": False, "text": f"{found.code}: {found.message}"}
        return told if found.span is None else told | self.project.place(found.span)

    async def played(self) -> tuple[Game, State]:
        """The game as it is on the table, and its position; raises Refused where the table is not as the text stands."""
        async with asyncio.timeout(PATIENCE):
            await self.still.wait()
        room = self.room
        if room is None or not self.status["good"]:
            raise Refused("the table is not the game as the text stands")
        return await room.run(lambda: (room.table.game, room.table.state.clone()))

    async def found(self, what: str, name: str) -> Span | None:
        """Where something on the table comes from: see `pointing`."""
        room, checked = self.room, self.checked
        if room is None or checked is None:
            return None
        return await room.run(lambda: place_of(checked.context, room.table.state, seat_of(room), what, name))

    async def lit(self, file: Path, line: int) -> Reply:
        """What a line made of what is on the table."""
        room, checked = self.room, self.checked
        if room is None or checked is None:
            return {"things": [], "zones": [], "asks": False}

        def work() -> Reply:
            things, zones = lit(checked.context, file, line)
            return {"things": things, "zones": zones, "asks": asks(room.table.state, seat_of(room), file, line)}

        return await room.run(work)

    async def leave(self) -> None:
        """Close the table that is there."""
        room, self.room = self.room, None
        if room is not None:
            self.house.rooms.pop(room.name, None)
            await room.stop()
            await room.run(room.table.home.remove)


def check(main: Path, texts: Texts) -> Checked:
    """A game as the texts stand, None where it has faults, and what is found."""
    with unsaved(texts):
        return rulespec.check(main)


def built(checked: CheckedGame, players: int | None) -> Game:
    """The game, ready to be played; raises RulespecError."""
    fits = players if players in checked.players else None
    return Game(checked, players=fits, backend="python")


def seat_of(room: Room) -> int | None:
    """The seat of people that is asked now."""
    return next(iter(room.table.waiting()), None)


def link_of(room: Room) -> str:
    """The link by which the page shows a table."""
    links = room.links()
    if "machine" in links:
        return str(links["machine"])
    first = room.table.game.seats[0]
    return str(links["seats"][first] if 0 in room.table.people else links["spectator"])

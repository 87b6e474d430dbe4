"""One page of the studio: what it says, and what comes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter import Game, State
from rulespec.loading.owner import owner
from rulespec.text.disk import unsaved

from .. import console
from ..casebook.book import book_of
from ..casebook.keeping import Kept, keep
from ..casebook.writer import NoCase
from ..lsp.places import uri_of
from ..serve import journal
from ..serve.clients import Client
from ..serve.messages import Malformed, Message, read
from ..serve.tables import Reply, illegal
from .answers import CHANCE_NAME, all_answers
from .language import Language
from .live import Checked, Texts, Wish, check
from .making import made
from .messages import FORMS, MOST
from .projects import Conflict, Project, Refused, digest, title
from .shared import Opened, Shared

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection

LONGEST = 2000  # characters of a text that is pointed at
PEOPLE = ("one", "all", "none")
SLOW = {"trace", "played", "case", "where", "lit"}  # what waits for the table or for cases, so that typing does not
MOST_WAITED_FOR = 16


class Session(Opened):
    """A page with its connection and its language server."""

    def __init__(self, studio: Shared, connection: ServerConnection, page: str) -> None:
        super().__init__(Client(connection), page)
        self.studio = studio
        self.connection = connection
        self.language = Language(lambda text: self.client.say({"type": "lsp", "text": text}), studio.looker())
        self.waited_for: set[asyncio.Task[None]] = set()

    async def talk(self) -> None:
        """Hear and answer until the connection is closed; raises ConnectionClosed."""
        talking = asyncio.create_task(self.client.talk())
        try:
            self.client.say({"type": "welcome", **await asyncio.to_thread(self.studio.described)})
            while True:
                try:
                    message = read(await self.connection.recv(), FORMS, MOST)
                except Malformed as problem:
                    self.client.say({"type": "error", "text": str(problem)})
                    continue
                if message.type == "lsp":
                    self.language.hear(message.data["text"])
                elif message.type in SLOW and len(self.waited_for) < MOST_WAITED_FOR:
                    task = asyncio.create_task(self.reply(message))
                    self.waited_for.add(task)
                    task.add_done_callback(self.waited_for.discard)
                else:
                    await self.reply(message)
        finally:
            for one in (talking, *self.waited_for):
                one.cancel()
            self.language.close()

    async def reply(self, message: Message) -> None:
        """Answer a message."""
        self.client.say({"id": message.id, **await self.answered(message)})

    async def answered(self, message: Message) -> Reply:
        """What comes of a message."""
        handler = HANDLERS.get(message.type)
        try:
            return illegal("That was said already") if handler is None else await handler(self, message.data)
        except Refused as problem:
            return illegal(str(problem))
        except OSError as problem:
            return illegal(f"That cannot be done: {console.reason(problem)}")
        except Exception as problem:
            journal.fault(f"the studio, {message.type}", problem)
            return illegal("The studio has trouble with this")

    # --- games and files ----------------------------------------------------------------------------------------
    async def opened(self, data: dict[str, Any]) -> Reply:
        """`open`: show a game."""
        self.project = await asyncio.to_thread(self.studio.projects.named, data["game"])
        self.texts.clear()
        reply = await asyncio.to_thread(self.listed)
        live = self.studio.table(self)
        for told in (live.status, *live.tests):
            self.client.say(told)
        live.follow(self.project.main, self.texts, self.checked)
        return reply

    async def relisted(self, _: dict[str, Any]) -> Reply:
        """`files`: which files the game has now."""
        return await asyncio.to_thread(self.listed)

    def elsewhere(self) -> None:
        """See `Opened`: the language server reads them again."""
        if self.language.desk() is not None:
            self.language.server.changed()

    def listed(self) -> Reply:
        """The game that is open, with its files."""
        project = self.here()
        names = project.names()
        files = [{"file": name, "uri": uri_of(project.path(name).resolve())} for name in names]
        return {
            "type": "game", "game": project.name, "title": title(project), "writable": project.writable, "files": files,
            "root": uri_of(project.folder.resolve()),
        }  # fmt: skip

    async def read(self, data: dict[str, Any]) -> Reply:
        """`read`: the text of a file, and what was not saved of it by a page that is gone."""
        project, name = self.here(), data["file"]
        path = project.path(name)
        text = await asyncio.to_thread(project.read, name)
        reply: Reply = {
            "type": "file", "file": name, "text": text or "", "digest": digest(text), "uri": uri_of(path.resolve()),
        }  # fmt: skip
        left = self.studio.drafts.newest(path, self.studio.pages(self))
        if left is not None and left.text != text:
            reply["draft"] = {"text": left.text, "before": left.before}
        return reply

    async def drafted(self, data: dict[str, Any]) -> Reply:
        """`draft`: keep a text that is not saved, and let the table follow it."""
        project = self.here()
        path = project.path(data["file"])
        self.texts[path.resolve()] = data["text"]
        self.follow(path)
        await asyncio.to_thread(self.studio.drafts.keep, path, self.page, data["before"], data["text"])
        self.studio.taken_over(path, self)
        return {"type": "ok"}

    async def undrafted(self, data: dict[str, Any]) -> Reply:
        """`undraft`: what is not saved of a file is not wanted."""
        path = self.here().path(data["file"])
        self.texts.pop(path.resolve(), None)
        await asyncio.to_thread(self.studio.forget, path, self)
        self.follow(path)
        return {"type": "ok"}

    async def saved(self, data: dict[str, Any]) -> Reply:
        """`save`: write a file, unless it is another one by now."""
        project, name = self.here(), data["file"]
        path = project.path(name)
        async with self.studio.writing:
            try:
                now = await asyncio.to_thread(project.write, name, data["before"], data["text"])
            except Conflict as conflict:
                return {"type": "conflict", "text": conflict.text or "", "digest": digest(conflict.text)}
        self.texts.pop(path.resolve(), None)
        await asyncio.to_thread(self.studio.forget, path, self)
        self.studio.written[path] = now
        self.studio.say({"type": "changed", "game": project.name, "file": name, "digest": now}, but=self)
        self.follow(path)
        return {"type": "saved", "digest": now}

    def follow(self, file: Path) -> None:
        """Let the table be that of the game, or the variant, that a file belongs to."""
        self.studio.table(self).follow(self.played(file), self.texts, self.checked)

    async def looked(self, data: dict[str, Any]) -> Reply:
        """`look`: the page shows a file, so that the table is that of its game or its variant."""
        self.follow(self.here().path(data["file"]))
        return {"type": "ok"}

    # --- the table and the cases --------------------------------------------------------------------------------
    async def dealt(self, data: dict[str, Any]) -> Reply:
        """`deal`: begin the game on the table anew, for so many players, people having one seat, all or none."""
        if data["people"] not in PEOPLE:
            raise Refused("people have one seat, all or none")
        self.studio.table(self).deal(Wish(data.get("players"), data["people"]))
        return {"type": "ok"}

    async def traced(self, data: dict[str, Any]) -> Reply:
        """`trace`: what a case does, step by step."""
        return await asyncio.wrap_future(self.studio.table(self).trials.traced(data["case"]))

    async def told_played(self, _: dict[str, Any]) -> Reply:
        """`played`: the answers that were given on the table, chance's too, of which a case can be made."""
        state = (await self.studio.table(self).played())[1]
        answers = await asyncio.to_thread(all_answers, state)
        return {"type": "played", "answers": [{"by": one.by, "at": one.at, "answer": one.answer} for one in answers]}

    async def cased(self, data: dict[str, Any]) -> Reply:
        """`case`: write a case of the answers from one on into the game's file of cases."""
        project, live = self.here(), self.studio.table(self)
        if not project.writable:
            raise Refused("this game is only read here: make a copy of it")
        if self.texts:
            raise Refused("a case is written of the game as it is saved: save it first")
        if live.main is not None and live.main.resolve() != project.main.resolve():
            raise Refused("a variant has its cases in its own file: write this one there by hand")
        game, state = await live.played()
        book = project.called(str(book_of(project.main)))
        async with self.studio.writing:
            try:
                kept = await asyncio.to_thread(
                    written, project, data["name"], game, state, data["first"], project.path(book)
                )
            except NoCase as problem:
                raise Refused(str(problem)) from None
        await self.studio.tell_changed(project, book)
        return {"type": "cased", "file": book, "line": kept.line}

    async def pointed(self, data: dict[str, Any]) -> Reply:
        """`where`: the line that made something on the table."""
        span = await self.studio.table(self).found(data["what"], data["name"][:LONGEST])
        return (
            illegal("Nobody knows where that comes from")
            if span is None
            else {"type": "where", **self.here().place(span)}
        )

    async def lit(self, data: dict[str, Any]) -> Reply:
        """`lit`: what a line made of what is on the table."""
        file = self.here().path(data["file"]).resolve()
        return {"type": "lit", **await self.studio.table(self).lit(file, data["line"])}

    async def made(self, data: dict[str, Any]) -> Reply:
        """`make`: a new game or a variant."""
        name, file = await asyncio.to_thread(made, self.studio.projects, data)
        self.studio.say({"type": "games", **await asyncio.to_thread(self.studio.described)})
        return {"type": "made", "game": name, "file": file}

    async def checked(self, main: Path, texts: Texts) -> Checked:
        """A game as its text stands: as the language server has read it, where it has the same texts."""
        desk = self.language.desk()
        if desk is None or not await asyncio.to_thread(same, desk.texts, texts):
            return await asyncio.to_thread(check, main, texts)
        reading = await self.language.server.work(desk.plain, main)
        return reading.game, reading.findings

    def played(self, file: Path) -> Path:
        """The main file or the variant that is played while a file is shown."""
        with unsaved(self.texts):
            found = owner(file.resolve())
        project = self.here()
        return found if found is not None and found.is_relative_to(project.folder.resolve()) else project.main


def same(opened: Texts, texts: Texts) -> bool:
    """Whether the texts that the language server has are those of the page, and of the files where the page has none that is not saved.

    It hears of them later than the studio does.
    """
    return all(opened.get(path) == text for path, text in texts.items()) and all(
        path in texts or text == on_disk(path) for path, text in opened.items()
    )


def on_disk(path: Path) -> str | None:
    """The text of a file as it is; None where it cannot be read."""
    try:
        return path.read_bytes().decode()
    except (OSError, UnicodeDecodeError):
        return None


def written(project: Project, name: str, game: Game, state: State, first: int, book: Path) -> Kept:
    """Write a case of all answers of a game after its first ones; raises NoCase and OSError."""
    count = sum(one.by != CHANCE_NAME for one in all_answers(state)[first:])
    if not count:
        raise NoCase("nothing was answered there")
    return keep(name, str(project.main), game, state, first, count, book, show=False)


HANDLERS: dict[str, Callable[[Session, dict[str, Any]], Awaitable[Reply]]] = {
    "open": Session.opened,
    "files": Session.relisted,
    "read": Session.read,
    "draft": Session.drafted,
    "undraft": Session.undrafted,
    "save": Session.saved,
    "look": Session.looked,
    "deal": Session.dealt,
    "trace": Session.traced,
    "played": Session.told_played,
    "case": Session.cased,
    "where": Session.pointed,
    "lit": Session.lit,
    "make": Session.made,
}

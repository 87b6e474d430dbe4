"""One page of the studio: what it says, and what comes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from websockets.asyncio.server import ServerConnection

from rulespec.loading.owner import owner
from rulespec.text.disk import unsaved

from .. import console
from ..lsp.places import uri_of
from ..serve import journal
from ..serve.clients import Client
from ..serve.messages import Malformed, Message, read
from ..serve.tables import Reply, illegal
from .language import Language
from .messages import FORMS, MOST
from .projects import Conflict, Refused, digest, title
from .shared import Opened, Shared


class Session(Opened):
    """A page with its connection and its language server."""

    def __init__(self, studio: Shared, connection: ServerConnection, page: str) -> None:
        super().__init__(Client(connection), page)
        self.studio = studio
        self.connection = connection
        self.language = Language(lambda text: self.client.say({"type": "lsp", "text": text}))

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
                else:
                    self.client.say({"id": message.id, **await self.answered(message)})
        finally:
            talking.cancel()
            self.language.close()

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
        self.studio.follow(self, self.project.main)
        return reply

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
        self.studio.follow(self, self.played(path))
        await asyncio.to_thread(self.studio.drafts.keep, path, self.page, data["before"], data["text"])
        self.studio.taken_over(path, self)
        return {"type": "ok"}

    async def undrafted(self, data: dict[str, Any]) -> Reply:
        """`undraft`: what is not saved of a file is not wanted."""
        path = self.here().path(data["file"])
        self.texts.pop(path.resolve(), None)
        await asyncio.to_thread(self.studio.forget, path, self)
        self.studio.follow(self, self.played(path))
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
        self.studio.say({"type": "changed", "game": project.name, "file": name, "digest": now}, but=self)
        self.studio.follow(self, self.played(path))
        return {"type": "saved", "digest": now}

    async def looked(self, data: dict[str, Any]) -> Reply:
        """`look`: the page shows a file, so that the table is that of its game or its variant."""
        self.studio.follow(self, self.played(self.here().path(data["file"])))
        return {"type": "ok"}

    def played(self, file: Path) -> Path:
        """The main file or the variant that is played while a file is shown."""
        with unsaved(self.texts):
            found = owner(file.resolve())
        project = self.here()
        return found if found is not None and found.is_relative_to(project.folder.resolve()) else project.main


HANDLERS: dict[str, Callable[[Session, dict[str, Any]], Awaitable[Reply]]] = {
    "open": Session.opened,
    "read": Session.read,
    "draft": Session.drafted,
    "undraft": Session.undrafted,
    "save": Session.saved,
    "look": Session.looked,
}

"""All pages of a studio: who is let in, and what they are told first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from websockets.exceptions import ConnectionClosed

from ..serve import journal, tokens
from ..serve.clients import FAULT, TOO_FAST, WRONG_LINK, Leave, hello
from ..serve.messages import PROTOCOL
from .messages import FORMS, MOST
from .sessions import Session
from .shared import Shared

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection

SOCKET = "/studio"
HIDDEN = ".rulespec-studio"  # the folder of a studio's own, in the one that is written to
MOST_PAGES = 8


class Studio(Shared):
    """A folder of games, and the pages in which they are written."""

    async def welcome(self, connection: ServerConnection) -> None:
        """All of one page."""
        session: Session | None = None
        try:
            session = await self.admitted(connection)
            self.open.add(session)
            await session.talk()
        except Leave as leave:
            await connection.close(leave.code, leave.why)
        except ConnectionClosed:
            pass
        except Exception as problem:
            journal.fault("the studio", problem)
            await connection.close(FAULT, "the studio has trouble with this")
        finally:
            if session is not None:
                self.open.discard(session)

    async def admitted(self, connection: ServerConnection) -> Session:
        """The page that a first message lets in; raises Leave and ConnectionClosed."""
        message = await hello(connection, FORMS, MOST)
        if message.data["protocol"] != PROTOCOL or not tokens.equal(message.data["token"], self.house.token):
            raise Leave(WRONG_LINK, "this link is not right")
        if len(self.open) >= MOST_PAGES:
            raise Leave(TOO_FAST, "too many pages are open")
        page = message.data["page"]
        while any(one.page == page for one in self.open):  # a browser has copied it
            page += "+"
        return Session(self, connection, page)

"""One connection: what it may send and how fast, and what is sent to it as fast as it reads."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from websockets.exceptions import ConnectionClosed

from .feeds import Shown
from .messages import FORMS, MOST_BYTES, Forms, Malformed, Message, read, written
from .tokens import Pass

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection

HELLO = 10  # seconds until the first message
SLOW = 20  # seconds for a message to be taken
WAITING = 200  # messages that wait to be taken
RATE, BURST = 20.0, 80.0  # messages a second, and at once
NONSENSE = 20  # messages that make no sense
BAD, WRONG_LINK, CLOSED, SLOW_READER, TOO_FAST = 4400, 4401, 4404, 4408, 4429
FAULT = 1011  # of our own
RESTARTS = 1012  # come again: all goes on in a moment


class Leave(Exception):
    """Raised to close the connection, with a code and why."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(why)
        self.code, self.why = code, why


async def hello(connection: ServerConnection, forms: Forms = FORMS, most: int = MOST_BYTES) -> Message:
    """The first message of a connection; raises Leave and ConnectionClosed."""
    try:
        async with asyncio.timeout(HELLO):
            message = read(await connection.recv(), forms, most)
    except TimeoutError:
        raise Leave(BAD, "no hello") from None
    except Malformed as problem:
        raise Leave(BAD, str(problem)) from None
    if message.type != "hello":
        raise Leave(BAD, "the first message is `hello`")
    return message


class Client:
    """A connection.  Of views it is sent the newest one only, however many there were since it took the last."""

    def __init__(self, connection: ServerConnection) -> None:
        self.connection = connection
        self.passed: Pass | None = None
        self.shown: Mapping[int | None, Shown] = {}  # the newest views of its table
        self.viewer: int | None = None  # whose view it is shown
        self.covered = True  # ... or none at all
        self.curtain: int | None = None  # whose view is behind the curtain
        self.handing = False  # it was told that another person is to come
        self.have = ""
        self.texts: deque[str] = deque()
        self.wake = asyncio.Event()
        self.budget, self.spent = BURST, 0.0
        self.nonsense = 0

    # --- listening --------------------------------------------------------------------------------------
    async def hello(self) -> Message:
        """The first message; raises Leave and ConnectionClosed."""
        message = await hello(self.connection)
        self.spent = asyncio.get_running_loop().time()
        return message

    async def message(self) -> Message:
        """The next message that makes sense; raises Leave and ConnectionClosed."""
        while True:
            frame = await self.connection.recv()
            now = asyncio.get_running_loop().time()
            self.budget = min(BURST, self.budget + (now - self.spent) * RATE) - 1
            self.spent = now
            if self.budget < 0:
                raise Leave(TOO_FAST, "too many messages")
            try:
                return read(frame)
            except Malformed as problem:
                self.nonsense += 1
                if self.nonsense > NONSENSE:
                    raise Leave(BAD, "too much that makes no sense") from None
                self.say({"type": "error", "text": str(problem)})

    # --- talking ----------------------------------------------------------------------------------------
    def say(self, message: dict[str, Any]) -> None:
        """Send a message, after those that wait; one who does not take them is let go."""
        self.say_text(written(message))

    def say_text(self, text: str) -> None:
        """The same, as text."""
        if len(self.texts) >= WAITING:
            self.connection.transport.abort()
            return
        self.texts.append(text)
        self.wake.set()

    async def talk(self) -> None:
        """Send what there is, until the connection is closed."""
        with suppress(ConnectionClosed):
            while True:
                await self.wake.wait()
                self.wake.clear()
                while (text := self.next_text()) is not None:
                    try:
                        async with asyncio.timeout(SLOW):
                            await self.connection.send(text)
                    except TimeoutError:
                        self.connection.transport.abort()
                        return

    def next_text(self) -> str | None:
        """What is to be sent next: messages in their order, then the newest view; None where it has all."""
        if self.texts:
            return self.texts.popleft()
        shown = None if self.covered else self.shown.get(self.viewer)
        if shown is None:
            return None
        text = shown.text(self.have)
        self.have = shown.at
        return text

    def look(self, viewer: int | None) -> None:
        """Be shown the view of somebody, from the beginning."""
        self.viewer, self.covered, self.handing = viewer, False, False
        self.have = ""
        self.wake.set()

    def cover(self) -> None:
        """Be shown nothing."""
        self.covered, self.handing = True, False
        self.have = ""

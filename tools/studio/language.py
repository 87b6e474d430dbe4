"""The language server of one page: the one of `rulespec lsp`, which speaks over the page's own connection."""

from __future__ import annotations

import json
from collections.abc import Callable

from pygls.exceptions import JsonRpcException

from ..lsp.reading import Desk
from ..lsp.start import make
from ..lsp.thorough import Looker

ENDS = ("exit", "shutdown")  # the page ends where its connection does


class Writer:
    """Where the server writes to, one message after the other."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say

    def write(self, data: bytes) -> None:
        """One message."""
        self.say(data.decode())

    def close(self) -> None:
        """The connection closes itself."""


class Language:
    """A language server, and the way to it; `say` is given each message for the editor."""

    def __init__(self, say: Callable[[str], None], looker: Looker) -> None:
        self.server = make(looker)
        self.server.protocol.set_writer(Writer(say), include_headers=False)

    def hear(self, text: str) -> None:
        """A message of the editor; one that makes no sense is skipped."""
        protocol = self.server.protocol
        try:
            if json.loads(text).get("method") in ENDS:
                return
            message = json.loads(text, object_hook=protocol.structure_message)
            protocol.handle_message(message)
        except (ValueError, AttributeError, RecursionError, TypeError, JsonRpcException):
            return

    def desk(self) -> Desk | None:
        """What the editor has open; None before it has said hello."""
        try:
            return self.server.desk
        except RuntimeError:
            return None

    def close(self) -> None:
        """End, with the processes that it has."""
        self.server.shutdown()

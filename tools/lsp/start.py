"""The server with all that it answers."""

from __future__ import annotations

from .lenses import play_cases
from .server import Server, change_texts, follow_texts, tell_names
from .thorough import Looker


def make(looker: Looker | None = None) -> Server:
    """A server that can be started; `looker` looks through games thoroughly, in a process of its own if not said."""
    server = Server(looker or Looker())
    for register in (follow_texts, tell_names, change_texts, play_cases):
        register(server)
    return server

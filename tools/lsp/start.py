"""The server with all that it answers."""

from __future__ import annotations

from .lenses import play_cases
from .server import Server, change_texts, follow_texts, tell_names


def make() -> Server:
    """A server that can be started."""
    server = Server()
    for register in (follow_texts, tell_names, change_texts, play_cases):
        register(server)
    return server

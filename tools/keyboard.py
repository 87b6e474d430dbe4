"""Lines that a player types, or that come from a pipe or file."""

import contextlib
import sys

from . import console

LONGEST = 1000


class EndOfInput(Exception):
    """Raised at the end of the input."""


def edited() -> None:
    """Let lines be edited, and earlier ones be called back, where Python can."""
    with contextlib.suppress(ImportError):
        import readline

        readline.set_history_length(LONGEST)


class Keyboard:
    """Standard input; a prompt is shown only on a terminal."""

    def __init__(self) -> None:
        self.terminal = console.interactive()
        if self.terminal:
            edited()

    def line(self, prompt: str = "> ") -> str:
        """The next line; raises EndOfInput at the end."""
        if self.terminal:
            try:
                return input(prompt)[:LONGEST]
            except EOFError:
                print()
                raise EndOfInput from None
        console.before_waiting()  # whoever answers through a pipe sees the question first
        text = sys.stdin.readline()
        if not text:
            raise EndOfInput
        return text.rstrip("\r\n")[:LONGEST]

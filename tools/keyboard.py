"""Lines that a player types, or that come from a pipe or file."""

import sys

from . import console

LONGEST = 1000


class EndOfInput(Exception):
    """Raised at the end of the input."""


class Keyboard:
    """Standard input; a prompt is shown only on a terminal."""

    def __init__(self) -> None:
        self.terminal = console.interactive()

    def line(self, prompt: str = "> ") -> str:
        """The next line; raises EndOfInput at the end."""
        if self.terminal:
            try:
                return input(prompt)[:LONGEST]
            except EOFError:
                print()
                raise EndOfInput from None
        text = sys.stdin.readline()
        if not text:
            raise EndOfInput
        return text.rstrip("\r\n")[:LONGEST]

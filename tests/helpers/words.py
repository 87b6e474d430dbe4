"""The words of a line of a program that is written as text."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|-?\d+|\$?[A-Za-z_]\w*|:=|\.\.|[][(){},:@]')


@dataclass
class Words:
    """The words of a line, and how far they have been read."""

    line: str
    words: list[str] = field(init=False)
    at: int = 0

    def __post_init__(self) -> None:
        self.words = TOKEN.findall(self.line)

    @property
    def next(self) -> str:
        return self.words[self.at] if self.at < len(self.words) else ""

    def take(self) -> str:
        self.at += 1
        return self.words[self.at - 1]

    def has(self, *words: str) -> bool:
        """Whether these words come next; if so they are read."""
        matches = self.words[self.at : self.at + len(words)] == list(words)
        self.at += len(words) * matches
        return matches

    def want(self, *words: str) -> None:
        assert self.has(*words), f"{words} expected at {self.words[self.at :]} of: {self.line}"

    def number(self) -> int:
        return int(self.take())

    def maybe(self) -> int | None:
        """A number, if one comes next."""
        return self.number() if re.fullmatch(r"-?\d+", self.next) else None

    def after(self, word: str) -> int | None:
        """The number behind a word, if that comes next."""
        return self.number() if self.has(word) else None

    def name(self) -> str:
        name: str = json.loads(self.take())
        return name

    def index(self, letter: str) -> int:
        """The number of a local or slot."""
        word = self.take()
        assert word[0] == letter, f"{letter} expected, not {word}: {self.line}"
        return int(word[1:])

    def end(self) -> None:
        assert not self.next, f"{self.words[self.at :]} is left over of: {self.line}"

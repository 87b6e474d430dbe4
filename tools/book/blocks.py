"""What a book is made of: chapters with paragraphs, steps, tables and pictures, each with where it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from rulespec.checker.wording.steps import Origin, Step
from rulespec.system.records import dataclass


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of sentences."""

    text: str
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Steps:
    """Steps one after another; `ordered` unless they are in no order."""

    steps: tuple[Step, ...]
    ordered: bool = True


@dataclass(frozen=True, slots=True)
class Table:
    """A table of sentences."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing as SVG, and what it shows in words."""

    svg: str
    about: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading within a chapter, to which links lead."""

    text: str
    anchor: str
    origin: Origin | None = None


Block = Paragraph | Steps | Table | Picture | Heading


@dataclass(slots=True)
class Chapter:
    """A chapter of a book."""

    title: str
    anchor: str
    blocks: list[Block] = field(default_factory=list)


@dataclass(slots=True)
class Book:
    """The rulebook of a game; `colophon` says what it was made from."""

    title: str
    about: str
    players: str
    chapters: list[Chapter]
    sources: dict[str, str]
    colophon: str

    def headings(self) -> Iterator[tuple[str, str]]:
        """What the index lists: text and anchor of each heading, in the order of the alphabet."""
        found = {
            (block.text, block.anchor)
            for chapter in self.chapters
            for block in chapter.blocks
            if isinstance(block, Heading)
        }
        yield from sorted(found, key=lambda pair: (pair[0].casefold(), pair[1]))

"""A book with marks on what another version has not, and what only the other has: the rules of a variant beside those of its game.

Blocks, steps and rows are paired in their order by what they say (`difflib`), so that a sentence that moved within a list stays
one, and each list of steps is compared with the one in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import TypeVar

from rulespec.checker.wording import ink
from rulespec.checker.wording.steps import Step

from .blocks import Block, Book, Heading, Paragraph, Picture, Steps, Table

T = TypeVar("T")
OWN = ("examples", "variants")  # chapters that a variant has of its own


def marked(old: Book, new: Book) -> Book:
    """The new book, with what is new in it and what is gone marked; chapters that only the old one has are left out."""
    before = {chapter.anchor: chapter.blocks for chapter in old.chapters}
    chapters = [
        chapter
        if chapter.anchor in OWN
        else replace(chapter, blocks=blocks(before.get(chapter.anchor, ()), chapter.blocks))
        for chapter in new.chapters
    ]
    return replace(new, chapters=chapters)


def paired(
    old: Sequence[T],
    new: Sequence[T],
    key: Callable[[T], str],
    pair: Callable[[T, T], T],
    mark: Callable[[T, Callable[[str], str]], T],
) -> list[T]:
    """Two lists as one: items with equal keys by `pair`, the others marked as new or gone."""
    out: list[T] = []
    matcher = SequenceMatcher(None, [key(item) for item in old], [key(item) for item in new], autojunk=False)
    for what, a, b, c, d in matcher.get_opcodes():
        if what == "equal":
            out += [pair(before, after) for before, after in zip(old[a:b], new[c:d], strict=True)]
        else:
            out += [mark(item, ink.gone) for item in old[a:b]]
            out += [mark(item, ink.new) for item in new[c:d]]
    return out


def blocks(old: Sequence[Block], new: Sequence[Block]) -> list[Block]:
    """The blocks of a chapter."""
    return paired(old, new, key_of, both, mark_block)


def key_of(block: Block) -> str:
    """By what blocks are paired: headings and paragraphs by their words, lists and tables by what stands above them alone."""
    match block:
        case Heading(text):
            return f"# {ink.bare(text)}"
        case Paragraph(text):
            return ink.bare(text)
        case Table(head):
            return f"| {' '.join(head)}"
        case Steps():
            return "steps"
        case Picture(_, about):
            return f"picture {about}"


def both(old: Block, new: Block) -> Block:
    """A block that both have, with the marks within it."""
    match old, new:
        case Steps(before), Steps(after):
            return replace(new, steps=tuple(paired(before, after, said, both_steps, mark_step)))
        case Table(_, before), Table(_, after):
            return replace(new, rows=tuple(paired(before, after, cells, lambda _, row: row, mark_row)))
        case _:
            return new


def said(step: Step) -> str:
    """By what steps are paired: their words."""
    return ink.bare(step.text)


def both_steps(old: Step, new: Step) -> Step:
    """A step that both have."""
    return replace(new, steps=tuple(paired(old.steps, new.steps, said, both_steps, mark_step)))


def cells(row: tuple[str, ...]) -> str:
    """By what rows are paired: all that stands in them."""
    return "|".join(map(ink.bare, row))


def mark_block(block: Block, mark: Callable[[str], str]) -> Block:
    """A block that only one has; of what is gone, a heading has no place of its own."""
    match block:
        case Heading(text, anchor, origin):
            return Paragraph(mark(text), origin) if mark is ink.gone else Heading(mark(text), anchor, origin)
        case Paragraph(text, origin):
            return Paragraph(mark(text), origin)
        case Steps(steps, ordered):
            return Steps(tuple(mark_step(step, mark) for step in steps), ordered)
        case Table(head, rows):
            return Table(head, tuple(mark_row(row, mark) for row in rows))
        case Picture():
            return block


def mark_step(step: Step, mark: Callable[[str], str]) -> Step:
    """A step that only one has, with all below it."""
    return replace(step, text=mark(step.text), steps=tuple(mark_step(inner, mark) for inner in step.steps))


def mark_row(row: tuple[str, ...], mark: Callable[[str], str]) -> tuple[str, ...]:
    """A row that only one has."""
    return tuple(map(mark, row))

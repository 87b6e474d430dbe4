"""A book as plain data, for programs and for pages that draw it themselves: nothing in it is markup."""

from __future__ import annotations

from typing import Any

from rulespec.checker.wording.ink import END, LINK, PLACE, TAGS, tokens
from rulespec.checker.wording.steps import Origin, Step

from .blocks import Block, Book, Chapter, Heading, Paragraph, Picture, Steps, Table

Run = str | dict[str, Any]


def of_book(book: Book) -> dict[str, Any]:
    """The whole book."""
    return {
        "title": book.title,
        "about": book.about,
        "players": book.players,
        "chapters": [of_chapter(chapter) for chapter in book.chapters],
        "sources": book.sources,
    }


def of_chapter(chapter: Chapter) -> dict[str, Any]:
    """A chapter: its title, its anchor and its blocks."""
    return {"title": chapter.title, "anchor": chapter.anchor, "blocks": [of_block(block) for block in chapter.blocks]}


def of_block(block: Block) -> dict[str, Any]:
    """A block, which says what it is under `is`."""
    match block:
        case Heading(text, anchor, origin):
            return {"is": "heading", "text": runs(text), "anchor": anchor, **of_origin(origin)}
        case Paragraph(text, origin):
            return {"is": "paragraph", "text": runs(text), **of_origin(origin)}
        case Steps(steps, ordered):
            return {"is": "steps", "ordered": ordered, "steps": [of_step(step) for step in steps]}
        case Table(head, rows):
            return {
                "is": "table",
                "head": [runs(cell) for cell in head],
                "rows": [[runs(cell) for cell in row] for row in rows],
            }
        case Picture(svg, about):
            return {"is": "picture", "svg": svg, "about": about}


def of_step(step: Step) -> dict[str, Any]:
    """A step with those below it."""
    below = {"steps": [of_step(inner) for inner in step.steps]} if step.steps else {}
    return {"text": runs(step.text), **below, **of_origin(step.origin)}


def of_origin(origin: Origin | None) -> dict[str, Any]:
    """Where something comes from, as far as it is said: file and line, and what is cited."""
    if origin is None:
        return {}
    return {"at": origin.where, **({"cites": list(origin.cites)} if origin.cites else {})}


def runs(text: str) -> list[Run]:
    """A sentence: texts, what stands out (`{"is": "em", "of": [...]}`), links (`"is": "a"`, with `to`), and places (`"is": "place"`)."""
    open_: list[list[Run]] = [[]]
    for mark, part in tokens(text):
        if mark == END:
            if len(open_) > 1:
                open_.pop()
        elif mark == PLACE:
            open_[-1].append({"is": "place", "anchor": part})
        elif mark:
            inner: list[Run] = []
            open_[-1].append({"is": "a", "to": part, "of": inner} if mark == LINK else {"is": TAGS[mark], "of": inner})
            open_.append(inner)
        else:
            open_[-1].append(part)
    return open_[0]

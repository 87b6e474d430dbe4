"""A book as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.checker.wording.ink import CODE, EMPHASIS, GONE, LINK, NEW, PLACE, STRONG, plain, rendered
from rulespec.checker.wording.steps import Origin, Step

from .blocks import Block, Book, Chapter, Heading, Paragraph, Picture, Steps, Table

SPECIAL = re.compile(r"([\\`*_\[\]<>|#&])")
AROUND = {
    STRONG: ("**", "**"),
    EMPHASIS: ("*", "*"),
    CODE: ("`", "`"),
    NEW: ("<ins>", "</ins>"),
    GONE: ("<del>", "</del>"),
}


def written(book: Book) -> str:
    """The whole book."""
    return "\n".join(lines(book)).rstrip() + "\n"


def lines(book: Book) -> Iterator[str]:
    """The lines of a book."""
    yield f"# {escaped(book.title)}"
    yield ""
    yield inline(book.about)
    yield ""
    yield f"For {book.players}."
    yield ""
    for chapter in book.chapters:
        yield f"- [{escaped(chapter.title)}](#{chapter.anchor})"
    for chapter in book.chapters:
        yield from parts(chapter)
    if book.sources:
        yield from ("", '<a id="sources"></a>', "", "## Sources", "")
        yield from (f"- **{escaped(id)}** {escaped(text)}" for id, text in book.sources.items())
    index = list(book.headings())
    if index:
        yield from ("", "## Index", "")
        yield from (f"- [{inline(text)}](#{anchor})" for text, anchor in index)
    yield from ("", f"*{escaped(book.colophon)}*")


def parts(chapter: Chapter) -> Iterator[str]:
    """The lines of a chapter."""
    yield from ("", f'<a id="{chapter.anchor}"></a>', "", f"## {escaped(chapter.title)}")
    for block in chapter.blocks:
        yield ""
        yield from part(block)


def part(block: Block) -> Iterator[str]:
    """The lines of a block."""
    match block:
        case Heading(text, anchor, origin):
            yield from (f'<a id="{anchor}"></a>', "", f"### {inline(text)}{cited(origin)}")
        case Paragraph(text, origin):
            yield inline(text) + cited(origin)
        case Steps(steps, ordered):
            yield from listed(steps, ordered, "")
        case Table(head, rows):
            yield f"| {' | '.join(map(inline, head))} |"
            yield f"|{'---|' * len(head)}"
            yield from (f"| {' | '.join(map(inline, row))} |" for row in rows)
        case Picture(_, about):
            yield f"*{escaped(about)}: the HTML edition has the picture.*"


def listed(steps: tuple[Step, ...], ordered: bool, indent: str) -> Iterator[str]:
    """Steps as a list, those below further right."""
    for n, step in enumerate(steps, 1):
        mark = f"{n}." if ordered else "-"
        yield f"{indent}{mark} {inline(step.text)}"
        yield from listed(step.steps, ordered, indent + " " * (len(mark) + 1))


def cited(origin: Origin | None) -> str:
    """What something rests on, behind it."""
    return f" ({', '.join(map(escaped, origin.cites))})" if origin is not None and origin.cites else ""


def escaped(text: str) -> str:
    """A text in which nothing is Markdown."""
    return SPECIAL.sub(r"\\\1", plain(text))


def inline(text: str) -> str:
    """A sentence with its emphasis and links."""
    return rendered(text, lambda part, end: part if end == "`" else SPECIAL.sub(r"\\\1", part), around)


def around(mark: str, anchor: str) -> tuple[str, str]:
    """What stands before and behind what a mark encloses."""
    if mark == PLACE:
        return f'<a id="{anchor}"></a>', ""
    return ("[", f"](#{anchor})") if mark == LINK else AROUND[mark]

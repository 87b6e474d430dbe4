"""A book as one page of HTML: printable, light and dark, with the lines that made each sentence beside it when somebody asks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

from rulespec.checker.wording.ink import LINK, PLACE, TAGS, bare, rendered
from rulespec.checker.wording.steps import Origin, Step

from .blocks import Block, Book, Chapter, Heading, Paragraph, Picture, Steps, Table

LINES = re.compile(r"\d+(?:-\d+)?$")  # behind the name of a source with lines: L5-7
MOST_LINES = 14  # of the rules beside a sentence


def written(book: Book) -> str:
    """The whole page."""
    style = (Path(__file__).parent / "page.css").read_text(encoding="utf-8")
    contents = "".join(
        f'<li><a href="#{escape(chapter.anchor)}">{escape(chapter.title)}</a></li>' for chapter in book.chapters
    )
    body = "\n".join(line for chapter in book.chapters for line in parts(chapter, book))
    return (
        "<!doctype html>\n"
        f'<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n"
        f"<title>{escape(book.title)}: the rules</title>\n<style>\n{style}</style></head>\n<body>\n"
        f"<header><h1>{escape(book.title)}</h1><p>{escape(book.about)}</p><p>For {escape(book.players)}.</p></header>\n"
        f'<nav aria-label="Contents"><ol>{contents}<li><a href="#index">Index</a></li></ol></nav>\n<main>\n{body}\n'
        f"{sources(book)}\n{index(book)}\n</main>\n<footer><p>{escape(book.colophon)}</p></footer>\n</body></html>\n"
    )


def parts(chapter: Chapter, book: Book) -> Iterator[str]:
    """A chapter."""
    yield f'<section id="{escape(chapter.anchor)}"><h2>{escape(chapter.title)}</h2>'
    for block in chapter.blocks:
        yield part(block, book)
    yield "</section>"


def part(block: Block, book: Book) -> str:
    """A block."""
    match block:
        case Heading(text, anchor, origin):
            return f'<h3 id="{escape(anchor)}">{inline(text)}{beside(origin, book)}</h3>'
        case Paragraph(text, origin):
            return f'<div class="say">{inline(text)}{beside(origin, book)}</div>'
        case Steps(steps, ordered):
            return listed(steps, "ol" if ordered else "ul", book)
        case Table(head, rows):
            top = "".join(f'<th scope="col">{inline(cell)}</th>' for cell in head)
            body = "".join(f"<tr>{''.join(f'<td>{inline(cell)}</td>' for cell in row)}</tr>" for row in rows)
            return f'<div class="wide"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'
        case Picture(svg, about):
            return f"<figure>{svg}<figcaption>{escape(about)}.</figcaption></figure>"


def listed(steps: tuple[Step, ...], tag: str, book: Book) -> str:
    """Steps as a list."""
    if not steps:
        return ""
    items = "".join(
        f'<li><div class="say">{inline(step.text)}{beside(step.origin, book)}</div>{listed(step.steps, tag, book)}</li>'
        for step in steps
    )
    return f"<{tag}>{items}</{tag}>"


def beside(origin: Origin | None, book: Book) -> str:
    """Where a sentence comes from, for whoever asks: its lines, what it rests on, and its worked examples."""
    if origin is None:
        return ""
    span = origin.span
    text = span.text.rstrip()
    rows = text.split("\n")
    shown = "\n".join(rows[:MOST_LINES]) + ("\n..." if len(rows) > MOST_LINES else "")
    cites = "".join(f"<li>{cited(id, book)}</li>" for id in origin.cites)
    examples = "".join(f'<li><a href="#{escape(anchor)}">an example</a></li>' for anchor in origin.examples)
    more = f"<ul>{cites}{examples}</ul>" if cites or examples else ""
    return (
        f'<details class="from"><summary title="Where this comes from" aria-label="Where this comes from">§</summary>'
        f"<div><b>{escape(origin.where)}</b><pre>{escape(shown)}</pre>{more}</div></details>"
    )


def cited(id: str, book: Book) -> str:
    """A line or ruling of a source, with a link to it."""
    source = id if id in book.sources else LINES.sub("", id)
    if source not in book.sources:
        return escape(id)
    return f'<a href="#source-{escape(source)}">{escape(id)}</a>: {escape(book.sources[source])}'


def sources(book: Book) -> str:
    """What is cited."""
    if not book.sources:
        return ""
    rows = "".join(
        f'<dt id="source-{escape(id)}">{escape(id)}</dt><dd>{escape(text)}</dd>' for id, text in book.sources.items()
    )
    return f'<section id="sources"><h2>Sources</h2><dl>{rows}</dl></section>'


def index(book: Book) -> str:
    """All headings, in the order of the alphabet."""
    rows = "".join(f'<li><a href="#{escape(anchor)}">{escape(bare(text))}</a></li>' for text, anchor in book.headings())
    return f'<section id="index"><h2>Index</h2><ul>{rows}</ul></section>'


def inline(text: str) -> str:
    """A sentence with its emphasis and links."""
    return rendered(text, lambda part, _: escape(part), around)


def around(mark: str, anchor: str) -> tuple[str, str]:
    """What stands before and behind what a mark encloses."""
    if mark == PLACE:
        return f'<a id="{escape(anchor)}"></a>', ""
    tag = TAGS.get(mark, "a")
    return f'<a href="#{escape(anchor)}">' if mark == LINK else f"<{tag}>", f"</{tag}>"

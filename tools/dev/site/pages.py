"""What is added to the pages of the handbook where they become the site; Sphinx calls it, as `conf.py` says."""

from __future__ import annotations

import os
import re
from typing import Any

from rulespec.system.resources import games_dir

from . import examples

PLAYGROUND = bool(os.environ.get("RULESPEC_SITE_PLAYGROUND"))  # whether it is in the site
FRONT = "docs/README"
SECTION = re.compile(r"^## (.+)$", re.M)
PAGE = re.compile(r"\]\(([\w/]+)\.md\)")


def contents(text: str) -> str:
    """What the front page says of its pages, as the tree beside each page: a part for each of its headings."""
    parts = SECTION.split(text)
    seen: set[str] = set()
    trees = []
    for caption, body in zip(parts[1::2], parts[2::2], strict=True):
        pages = [f"/docs/{page}" for page in dict.fromkeys(PAGE.findall(body)) if f"/docs/{page}" not in seen]
        seen.update(pages)
        if pages:
            trees.append("```{toctree}\n:hidden:\n:caption: " + caption + "\n\n" + "\n".join(pages) + "\n```\n")
    return "\n".join(trees)


def row(book: str, title: str) -> str:
    """A game with its rulebook, and its link to the playground."""
    found = examples.of_folder(games_dir() / book) if PLAYGROUND else None
    more = "" if found is None else f' – <a href="../{examples.PLACE}{found}">open in the playground</a>'
    return f'<li><a href="../books/{book}.html">{title}</a>{more}</li>'


def read(_app: Any, name: str, source: list[str]) -> None:
    """The front page gets its tree, the page of the games its rulebooks, and each whole game of a page its link to the playground."""
    if PLAYGROUND:
        source[0] = examples.opened(source[0], "../" * name.count("/"))
    if name == FRONT:
        source[0] += "\n\n" + contents(source[0])
    if name == "docs/games":
        listed = os.environ["RULESPEC_SITE_BOOKS"].split(",")
        rows = "".join(row(book, title) for book, _, title in (one.partition(":") for one in listed))
        source[0] += (
            f"\n\n## Rulebooks\n\nEach is made from the rules of its game ([how](book.md)).\n\n<ul>{rows}</ul>\n"
        )


def setup(app: Any) -> None:
    """See `read`."""
    app.connect("source-read", read)

"""How Sphinx makes the site; `python -m tools.dev.site` calls it and says where the rulebooks are."""

from __future__ import annotations

import os
import re
from typing import Any

from rulespec.system.version import __version__

project = "Rulespec"
author = "the Rulespec authors"
release = __version__
extensions = ["myst_parser"]
root_doc = "docs/README"
source_suffix = {".md": "markdown"}
include_patterns = ["docs/**", "*.md", "interpreter/README.md", "games/*/README.md"]
exclude_patterns = [".*", "dist", "build", "node_modules"]
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_inline"]
suppress_warnings = ["toc.not_included", "myst.header", "misc.highlighting_failure"]
html_theme = "furo"
html_title = "Rulespec"
html_show_sphinx = False
html_copy_source = False
html_extra_path = [os.environ.get("RULESPEC_SITE_EXTRA", "")]

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


def read(_app: Any, name: str, source: list[str]) -> None:
    """The front page gets its tree, and the page of the games its rulebooks."""
    if name == root_doc:
        source[0] += "\n\n" + contents(source[0])
    if name == "docs/games":
        listed = os.environ["RULESPEC_SITE_BOOKS"].split(",")
        rows = "".join(
            f'<li><a href="../books/{book}.html">{title}</a></li>'
            for book, _, title in (one.partition(":") for one in listed)
        )
        source[0] += (
            f"\n\n## Rulebooks\n\nEach is made from the rules of its game ([how](book.md)).\n\n<ul>{rows}</ul>\n"
        )


def setup(app: Any) -> None:
    """See `read`."""
    app.connect("source-read", read)

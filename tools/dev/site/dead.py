"""Links of a site that lead nowhere: those to files beside its pages, whatever made them."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Links(HTMLParser):
    """The links of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag, which may have some."""
        self.found += [value for name, value in attrs if name in ("href", "src") and value]


def dead(site: Path) -> Iterator[str]:
    """Each link that leads nowhere, with its page."""
    there: dict[Path, bool] = {}
    for page in sorted(site.rglob("*.html")):
        for one in Links(page.read_text(encoding="utf-8")).found:
            parts = urlsplit(one)
            if parts.scheme or parts.netloc or not parts.path:
                continue
            place = page.parent / unquote(parts.path)
            if place not in there:
                there[place] = place.resolve().is_relative_to(site.resolve()) and place.exists()
            if not there[place]:
                yield f"{page.relative_to(site)}: {one[:200]}"

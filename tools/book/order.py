"""The order of play as a drawing: a box for each phase and procedure, inside the one that runs it first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from xml.sax.saxutils import escape

from rulespec.checker.wording.names import words

from .blocks import Picture

LINE, INDENT, LETTER, EDGE = 30, 26, 7.6, 8  # sizes in the drawing's units
MOST = 60  # boxes: more are no overview
STYLE = (
    "text { font: 14px system-ui, sans-serif; fill: #2b2b26 } rect { fill: #f6f2e8; stroke: #a89a78 } "
    "path { fill: none; stroke: #a89a78 }"
)


def drawing(runs: Mapping[str, tuple[str, ...]]) -> Iterator[Picture]:
    """A tree of what runs what, from the first on, `runs` being each with those that it runs; none of one box, or of too many."""
    rows = list(tree(runs))
    if not 1 < len(rows) <= MOST:
        return
    width = max(depth * INDENT + len(words(name)) * LETTER for depth, name in rows) + 3 * EDGE
    height = len(rows) * LINE + EDGE
    parts = []
    for n, (depth, name) in enumerate(rows):
        x, y = EDGE / 2 + depth * INDENT, EDGE / 2 + n * LINE
        if depth:
            above = max(m for m in range(n) if rows[m][0] == depth - 1)
            top = EDGE / 2 + above * LINE + LINE - 6
            parts.append(f'<path d="M {x - INDENT / 2:g} {top:g} V {y + 12:g} H {x:g}"/>')
        text = escape(words(name))
        parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{len(words(name)) * LETTER + 2 * EDGE:.0f}" height="24" rx="5"/>'
        )
        parts.append(f'<text x="{x + EDGE:g}" y="{y + 17:g}">{text}</text>')
    said = escape(", ".join(words(name) for _, name in rows))
    yield Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}" role="img">'
        f"<title>The order of play</title><desc>{said}</desc><style>{STYLE}</style>{''.join(parts)}</svg>",
        "The order of play: what stands further right is a part of what stands above it",
    )


def tree(runs: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[int, str]]:
    """How deep each stands, and its name, from above; each once, where it is run first."""
    seen: set[str] = set()
    todo = [(0, name) for name in runs][:1]
    while todo:
        depth, name = todo.pop(0)
        if name not in seen:
            seen.add(name)
            yield depth, name
            todo = [*((depth + 1, other) for other in runs[name] if other not in seen), *todo]

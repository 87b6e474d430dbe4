"""A picture of what differs, as SVG: for each figure its intervals around 0, level by level."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from .figures import Figure
from .words import ORDER, TITLES, level_text, signed, value

WIDE, ROW, HEAD, LEFT, BAR = 860, 22, 44, 330, 300
COLOURS = ("#9aa0a6", "#5b8def", "#0b3d91", "#7b2d8b", "#b3541e")  # by level
STYLE = "font-family: system-ui, sans-serif; font-size: 13px"


def drawn(title: str, found: Sequence[Figure]) -> str:
    """The picture."""
    levels = list(dict.fromkeys(figure.level for figure in found))
    rows: list[str] = []
    y = HEAD
    for name in ORDER:
        figures = [figure for figure in found if figure.name == name]
        if not figures:
            continue
        most = max(figure.within for figure in figures) or 1.0
        rows.append(f'<text x="16" y="{y + 15}" font-weight="600">{escape(TITLES[name])}</text>')
        middle = LEFT + BAR / 2
        bottom = y + ROW * len(figures)
        rows.append(f'<line x1="{middle}" y1="{y}" x2="{middle}" y2="{bottom}" stroke="#c4c7cc"/>')
        for figure in figures:
            colour = COLOURS[levels.index(figure.level) % len(COLOURS)]
            low, dot, high = (
                middle + BAR / 2 * number / most for number in (figure.low, figure.other - figure.base, figure.high)
            )
            at = y + ROW / 2
            rows.append(f'<text x="190" y="{at + 5:.1f}" fill="{colour}">{escape(figure.level)}</text>')
            rows.append(
                f'<line x1="{low:.1f}" y1="{at:.1f}" x2="{high:.1f}" y2="{at:.1f}" stroke="{colour}" stroke-width="2"/>'
            )
            rows.append(f'<circle cx="{dot:.1f}" cy="{at:.1f}" r="{5 if figure.differs else 3}" fill="{colour}"/>')
            both = f"{value(name, figure.base)} → {value(name, figure.other)}"
            bounds = f"{signed(name, figure.low)} to {signed(name, figure.high)}"
            rows.append(f'<text x="{LEFT + BAR + 16}" y="{at + 5:.1f}">{escape(f"{both}  ({bounds})")}</text>')
            y += ROW
        y += ROW // 2
    about = "; ".join(f"{level}: played {level_text(level)}" for level in levels)
    height = y + 30
    head = f'<text x="16" y="26" font-size="16" font-weight="600">{escape(title)}</text>'
    foot = f'<text x="16" y="{y + 14}" fill="#5f6368" font-size="11">{escape(about)}. A large dot: a difference.</text>'
    box = f'viewBox="0 0 {WIDE} {height}" width="{WIDE}" height="{height}"'
    body = "\n".join([head, *rows, foot])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} role="img" aria-label="{escape(title)}" style="{STYLE}">\n'
        f'<rect width="{WIDE}" height="{height}" fill="#ffffff"/>\n{body}\n</svg>\n'
    )

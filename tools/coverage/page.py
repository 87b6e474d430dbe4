"""Coverage as one HTML page: the text of the rules, line by line, with what reached it.  It needs nothing but itself.

What a game says stands in the page as text only: every name and line is escaped, the data for the script are JSON in which no
`<` stands, the script puts texts into the page as texts, and a policy forbids the page to load or send anything.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import Any

from rulespec.cases.coverage import GROUPS, Item
from rulespec.text.source import Source

from .lines import Line, lines, missing
from .measure import Coverage, percent
from .report import played, short

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)
LABELS = {"all": "covered", "part": "in part", "never": "not covered", "excused": "marked as unreachable"}


def page(coverages: Sequence[Coverage]) -> str:
    """The page of some games."""
    parts, data = [], []
    for number, coverage in enumerate(coverages):
        parts.append(game_part(coverage, number))
        data.append(game_data(coverage))
    title = " · ".join(coverage.title for coverage in coverages) or "nothing"
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>Coverage: {escape(title)}</title>",
            f"<style>\n{asset('page.css')}</style>",
            "</head>",
            "<body>",
            *parts,
            f'<script type="application/json" id="data">{safe_json(data)}</script>',
            f"<script>\n{asset('page.js')}</script>",
            "</body>",
            "</html>",
            "",
        ]
    )


def asset(name: str) -> str:
    """A file beside this one."""
    return (files(__package__) / name).read_text(encoding="utf-8")


def safe_json(value: Any) -> str:
    """JSON that may stand in a script element."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def game_part(coverage: Coverage, number: int) -> str:
    """A game: how much, by group and file, and its files."""
    tally = coverage.tally()
    files = [lines(coverage, source) for source in coverage.sources]
    shown = [(n, source) for n, source in enumerate(coverage.sources) if any(line.items for line in files[n])]
    return "\n".join(
        [
            f'<section class="game" data-game="{number}">',
            "<header>",
            f'<div class="ring" style="--share:{percent(tally)}"><b>{percent(tally):g}<small>%</small></b></div>',
            '<div class="head">',
            f"<h1>{escape(coverage.title)}</h1>",
            f"<p>{tally[0]} of {tally[1]} outcomes seen, by {escape(played(coverage))}</p>",
            '<ul class="groups">',
            *(group_part(coverage, group) for group in GROUPS),
            "</ul>",
            "</div>",
            "</header>",
            '<nav class="files">',
            *(file_tab(coverage, source, number, n) for n, source in shown),
            '<span class="keys"><kbd>n</kbd> <kbd>p</kbd> next and last gap</span>',
            "</nav>",
            '<div class="body">',
            '<main class="sources">',
            *(file_part(coverage, source, number, n, files[n]) for n, source in shown),
            "</main>",
            '<aside class="side" aria-live="polite"><p class="hint">Point at a line to see what reached it; '
            "click to keep it.</p></aside>",
            "</div>",
            "</section>",
        ]
    )


def group_part(coverage: Coverage, group: str) -> str:
    items = [item for item in coverage.items if item.group == group]
    if not items:
        return ""
    tally = coverage.tally(items)
    state = "all" if tally[0] == tally[1] else "part"
    return (
        f'<li class="{state}"><span>{group}</span><b>{tally[0]}/{tally[1]}</b>'
        f'<i style="--share:{percent(tally)}"></i></li>'
    )


def file_tab(coverage: Coverage, source: Source, number: int, index: int) -> str:
    items = [item for item in coverage.items if item.where.source is source]
    tally = coverage.tally(items)
    state = "all" if tally[0] == tally[1] else "part"
    return (
        f'<a class="{state}" href="#g{number}f{index}">{escape(short(source, coverage.sources))} '
        f"<b>{percent(tally):g} %</b></a>"
    )


def file_part(coverage: Coverage, source: Source, number: int, index: int, file_lines: list[Line]) -> str:
    """A file, line by line."""
    rows = []
    for line in file_lines:
        state = f' class="{line.status}{" own" if line.items else ""}"' if line.status or line.items else ""
        known = f' data-line="{index}:{line.number}" tabindex="0"' if line.items else ""
        told = [missing(coverage, item) for item in line.items]
        badges = "".join(f"<em>{escape(text)}</em>" for text in dict.fromkeys(told) if text)
        if not badges and any(key in coverage.excused for item in line.items for key in item.counted()):
            badges = '<em class="excused">unreachable</em>'
        label = f' aria-label="{LABELS[line.status]}"' if line.status in LABELS and line.items else ""
        rows.append(
            f'<tr id="g{number}f{index}L{line.number}"{state}{known}>'
            f"<td>{line.number}</td><td{label}>{'' if line.count is None else compact(line.count)}</td>"
            f"<td><code>{coloured(line.text)}</code>{badges}</td></tr>"
        )
    name = escape(short(source, coverage.sources))
    return "\n".join([f'<article id="g{number}f{index}"><h2>{name}</h2><table>', *rows, "</table></article>"])


def coloured(text: str) -> str:
    """A line of YAML, escaped, its key and its comment set apart."""
    body, comment = text, ""
    for at, sign in enumerate(text):
        if sign == "#" and (at == 0 or text[at - 1] in " \t") and text[:at].count('"') % 2 == 0:
            body, comment = text[:at], text[at:]
            break
    indent = len(body) - len(body.lstrip(" -"))
    key, colon, rest = body[indent:].partition(":")
    marked = escape(body)
    if colon and (not rest or rest[0] == " ") and '"' not in key and "{" not in key:
        marked = f"{escape(body[:indent])}<b>{escape(key)}</b>:{escape(rest)}"
    return marked + (f"<i>{escape(comment)}</i>" if comment else "")


def compact(number: int) -> str:
    """A count in five places at most."""
    if number < 10_000:
        return str(number)
    return f"{number // 1000}k" if number < 10_000_000 else f"{number // 1_000_000}M"


def game_data(coverage: Coverage) -> dict[str, Any]:
    """What the side of the page tells: of each line its items, their outcomes, and which runs saw them."""
    lines_data: dict[str, list[Any]] = {}
    index = {source: n for n, source in enumerate(coverage.sources)}
    for item in coverage.items:
        place = f"{index[item.where.source]}:{item.where.line}"
        lines_data.setdefault(place, []).append([item.group, item.title, outcomes(coverage, item)])
    return {"runs": [[run.name, run.place] for run in coverage.runs], "lines": lines_data}


def outcomes(coverage: Coverage, item: Item) -> list[Any]:
    labels = []
    for key in item.counted():
        runs = [n for n, run in enumerate(coverage.runs) if key in run.hits]
        mark = coverage.excused.get(key)
        labels.append([key[3], coverage.hit(key), None if mark is None else mark.why, runs])
    return labels

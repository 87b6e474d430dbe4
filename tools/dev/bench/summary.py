"""The run in short: the table of ratios for the terminal, and the part of the README."""

from __future__ import annotations

from statistics import median

from ... import console
from .page import WAYS, ratio_text, shipped
from .plan import title_of
from .results import Results, Row
from .targets import verdicts
from .units import digits, number


def ratios(results: Results) -> list[str]:
    """Everybody's speed in each game, and how often as fast ours is; then what we aim at."""
    lines = [["game", "played by", "", "games/s", "decisions/s", "ours, steps", "ours, one call"]]
    for row in results.rows:
        lines += row_lines(row)
    printed = console.columns(lines, right=frozenset(range(3, 7)))
    aims = [["target", "aim", "step by step", "in one call", "reached"]]
    for verdict in verdicts(results):
        calls = "" if verdict.unit == "s" else number(verdict.one_call, verdict.unit)
        aims.append([verdict.what, verdict.aim, number(verdict.measured, verdict.unit), calls, verdict.word])
    for row in results.rows:
        for contender, quantity, features in row.strangers():
            printed.append(
                f"{row.game}: {title_of(contender)}, {WAYS[quantity]}, plays another game: {', '.join(features)} differ"
            )
    return [*printed, "", *console.columns(aims, right=frozenset({1, 2, 3}))]


def row_lines(row: Row) -> list[list[str]]:
    """A row's contenders, the game named once."""
    lines: list[list[str]] = []
    for series in row.series:
        head = ["" if lines else f"{row.game}, {row.players}", title_of(series.contender)]
        if series.quantity not in WAYS:
            continue
        if series.error is not None:
            way = "" if series.error.startswith("not installed") else f"{WAYS[series.quantity]}: "
            lines.append([*head, way + shortened(series.error), "", "", "", ""])
        else:
            rate = median(series.rates)
            cells = [
                ratio_text(row, (row.ours, way), (series.contender, series.quantity)) for way in ("steps", "playouts")
            ]
            speed = "–" if row.length is None else digits(rate * row.length)
            lines.append([*head, WAYS[series.quantity], digits(rate), speed, *cells])
    return lines


def shortened(text: str, most: int = 60) -> str:
    """The beginning of a reason; the page has all of it."""
    return console.printable(text if len(text) <= most else f"{text[:most]}...")


def readme(results: Results) -> str:
    """What the README says of a run, in one item: how often as fast as the others each in its own way, step by step."""
    found: dict[str, list[float]] = {}
    for row, other in shipped(results):
        ratio = None if other is None else row.ratio((row.ours, "steps"), (other, "steps"))
        if other is not None and ratio is not None:
            found.setdefault(title_of(other), []).append(ratio.median)
    beside = "; ".join(
        f"{number(min(ratios), '×')} to {number(max(ratios), '×')} the speed of\n  {other}, on the {len(ratios)} games that both have"
        for other, ratios in found.items()
    )
    return (
        f"- **Is fast**: rules are compiled to C. Step by step from Python, random games go at {beside or 'a speed not measured'}\n"
        f"  ([measured](docs/reports/benchmarks.md) on {results.date})."
    )

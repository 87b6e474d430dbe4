"""The pictures of a report, as SVG that takes its colours from the page: drawn by matplotlib in colours that stand for variables."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable
from html import escape
from typing import Any

# What is drawn in a colour of the left side is shown in the variable of the page on the right.
INK, DIM, GRID = "#010203", "#040506", "#070809"
SERIES = ("#0a0101", "#0a0102", "#0a0103", "#0a0104", "#0a0105")
VARIABLES = {INK: "ink", DIM: "dim", GRID: "grid", **{colour: f"s{n}" for n, colour in enumerate(SERIES, 1)}}
STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "rulespec",
    "font.family": "sans-serif",
    "font.size": 9,
    "text.parse_math": False,  # names are texts, whatever signs are in them
    "text.color": INK,
    "axes.edgecolor": GRID,
    "axes.labelcolor": DIM,
    "xtick.color": DIM,
    "ytick.color": INK,
    "grid.color": GRID,
    "axes.grid": True,
    "axes.grid.axis": "x",
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "xtick.labelsize": 8,
    "ytick.labelsize": 9,
}
WIDE, ROW = 8.2, 0.26  # inches
LONGEST = 44  # characters of a name


def drawn(title: str, rows: float, draw: Callable[[Any], None], width: float = WIDE) -> str:
    """An SVG picture; `draw` draws on its axes."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(width, 0.8 + ROW * max(rows, 3)), layout="constrained")
        FigureCanvasSVG(figure)
        axes = figure.add_subplot()
        draw(axes)
        file = io.StringIO()
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = file.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"(-?\d+\.\d)\d+", r"\1", text)  # a tenth of a point is fine enough
    used = set(re.findall(r'(?:href="#|url\(#)([\w-]+)', text))
    text = re.sub(r' id="([\w-]+)"', lambda found: found.group() if found.group(1) in used else "", text)
    text = re.sub(r' clip-path="[^"]*"| transform="rotate\(-0 [^"]*"', "", text)  # nothing is drawn beyond the axes
    text = re.sub(r"\s*\n\s*", "\n", text)
    text = re.sub(r" font-family: [^;\"]*;", "", text)  # the page says it
    for colour, name in VARIABLES.items():
        text = text.replace(colour, f"var(--{name})")
    prefix = f"c{abs(hash_of(title)):x}"
    text = re.sub(r'\bid="', f'id="{prefix}-', text)
    text = re.sub(r'(href="#|url\(#)', rf"\g<1>{prefix}-", text)
    return text.replace("<svg ", f'<svg role="img" aria-label="{escape(title)}" ', 1)


def hash_of(text: str) -> int:
    """A number for a text, the same in every process."""
    return zlib.crc32(text.encode())


def short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def rows_of(axes: Any, names: list[str]) -> None:
    """Names down the left side, the first on top."""
    axes.set_yticks(range(len(names)), [short(name) for name in names])
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)


def wins(arms: list[dict[str, Any]]) -> str:
    """The share of wins of each seat, with its interval, arm by arm."""

    def draw(axes: Any) -> None:
        rows_of(axes, [arm["name"] for arm in arms])
        most = max(len(arm["seats"]) for arm in arms)
        for seat in range(most):
            with_seat = [(n, arm["seats"][seat]) for n, arm in enumerate(arms) if seat < len(arm["seats"])]
            shares = [100 * one["share"] for _, one in with_seat]
            bars = [
                [100 * (one["share"] - one["low"]) for _, one in with_seat],
                [100 * (one["high"] - one["share"]) for _, one in with_seat],
            ]
            bars = [[max(0.0, value) for value in side] for side in bars]
            places = [n + 0.6 * ((seat + 0.5) / most - 0.5) for n, _ in with_seat]
            label = with_seat[0][1]["seat"]
            axes.errorbar(
                shares,
                places,
                xerr=bars,
                fmt="o",
                ms=4,
                lw=1.4,
                capsize=0,
                color=SERIES[seat % len(SERIES)],
                label=label,
            )
        axes.set_xlim(left=0)
        axes.set_xlabel("wins, alone or with others, percent of games")
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.0 + 0.9 / (len(arms) + 2)), ncols=most, frameon=False)

    most = max(len(arm["seats"]) for arm in arms)
    return drawn("Who wins", len(arms) * (1 + 0.35 * (most - 1)) + 1.5, draw)


def lengths(arms: list[dict[str, Any]]) -> str:
    """How many decisions a game takes: the middle half, nine in ten, the median, and the longest."""
    told = [arm for arm in arms if arm["length"]]

    def draw(axes: Any) -> None:
        rows_of(axes, [arm["name"] for arm in told])
        for n, arm in enumerate(told):
            spread = arm["length"]
            low, first, median, third, high = spread["quantiles"]
            axes.plot([low, high], [n, n], color=SERIES[0], lw=1.5, solid_capstyle="butt")
            axes.plot([first, third], [n, n], color=SERIES[0], lw=7, solid_capstyle="butt")
            axes.plot([median], [n], marker="|", ms=11, mew=2, color=INK)
            axes.plot([spread["least"], spread["most"]], [n, n], ls="", marker=".", ms=4, color=DIM)
        axes.set_xlabel("decisions in a game: median, half, nine in ten, shortest and longest")

    return drawn("How long games are", len(told), draw)


def histogram(title: str, spread: dict[str, Any], label: str, color: int = 0) -> str:
    """How often each value came."""

    def draw(axes: Any) -> None:
        from matplotlib.ticker import MaxNLocator

        width = spread["width"]
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        lefts = [spread["least"] + width * n for n in range(len(spread["bins"]))]
        axes.bar(
            lefts,
            [100 * b / spread["n"] for b in spread["bins"]],
            width=0.92 * width,
            align="edge",
            color=SERIES[color],
        )
        axes.set_xlabel(label)
        axes.set_ylabel("percent of games")
        axes.grid(axis="x", visible=False)
        axes.grid(axis="y", visible=True)
        axes.tick_params(axis="y", colors=DIM, labelsize=8)

    return drawn(title, 5, draw, WIDE / 2)


def bars(title: str, rows: list[tuple[str, float]], label: str, color: int = 0) -> str:
    """Numbers as bars."""

    def draw(axes: Any) -> None:
        rows_of(axes, [name for name, _ in rows])
        axes.barh(range(len(rows)), [value for _, value in rows], height=0.62, color=SERIES[color])
        axes.set_xlim(left=0)
        axes.set_xlabel(label)

    return drawn(title, len(rows), draw)


def causes(arm: dict[str, Any]) -> str:
    """Why games were won, by whom."""
    listed = arm["causes"]

    def draw(axes: Any) -> None:
        rows_of(axes, [one["cause"] for one in listed])
        lefts = [0.0] * len(listed)
        for seat, told in enumerate([*arm["seats"], {"seat": "several or none"}]):
            alone = {str(seat)} if seat < len(arm["seats"]) else None
            shares = []
            for one in listed:
                known = {str(n) for n in range(len(arm["seats"]))}
                count = sum(c for who, c in one["winners"].items() if (who in alone if alone else who not in known))
                shares.append(100 * count / arm["games"])
            if any(shares):
                color = SERIES[seat % len(SERIES)] if alone else DIM
                axes.barh(range(len(listed)), shares, left=lefts, height=0.62, color=color, label=told["seat"])
                lefts = [left + share for left, share in zip(lefts, shares, strict=True)]
        axes.set_xlabel("percent of games")
        axes.legend(loc="upper right", frameon=False)

    return drawn(f"Causes of {arm['name']}", len(listed) + 1, draw)


def forest(listed: list[dict[str, Any]], confidence: float) -> str:
    """Differences of shares of wins, with intervals that are right for all of them together."""

    def draw(axes: Any) -> None:
        rows_of(axes, [f"{one['other']}: {one['outcome']}" for one in listed])
        for n, one in enumerate(listed):
            clear = one["p_corrected"] < 1 - confidence / 100
            color = SERIES[0] if clear else DIM
            axes.plot([100 * one["low"], 100 * one["high"]], [n, n], color=color, lw=1.6)
            axes.plot([100 * one["difference"]], [n], marker="o", ms=4, color=color)
        axes.axvline(0, color=INK, lw=0.8)
        axes.set_xlabel("percentage points more or less than the first level")

    return drawn("Differences", len(listed), draw)


def pieces(title: str, listed: list[dict[str, Any]]) -> str:
    """How often members are taken where they are offered, and won with."""

    def draw(axes: Any) -> None:
        rows_of(axes, [one["label"] for one in listed])
        for n, one in enumerate(listed):
            if one["offered"]:
                axes.barh([n], [100 * one["taken"] / one["offered"]], height=0.55, color=SERIES[1])
            if one["won_share"] is not None:
                axes.plot([100 * one["low"], 100 * one["high"]], [n, n], color=SERIES[0], lw=1.4)
                axes.plot([100 * one["won_share"]], [n], "o", ms=3.5, color=SERIES[0])
        axes.set_xlim(0, 100)
        axes.set_xlabel("bar: taken, percent of the times offered; dot: won by who took it, percent, with its interval")

    return drawn(title, len(listed), draw)

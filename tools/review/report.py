"""A review in words, and as JSON data."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from statistics import mean
from typing import Any

from .. import console
from ..report import counted
from .finding import Finding
from .run import Review
from .series import Series
from .setups import RANDOM, Setup

FORMAT = 1  # of the JSON data
SHOWN = 20  # questions, and differences, that are told without --all


def show(review: Review, name: str, variants: Sequence[str], every: bool) -> None:
    """The review as text."""
    games = sum(len(one.games) for one in review.series)
    title = console.printable(review.checked.title)
    console.data(console.paint(f"{title}: {counted(games, 'game')}, {counted(len(review.series), 'setup')}", "bold"))
    for line in console.columns(table(review.series), right=frozenset(range(1, 6))):
        console.data(f"  {line}")
    if review.before is not None:
        told(
            review,
            review.differences,
            f"What differs from {(review.compared or review.path).name}, by more than chance:",
            name,
            variants,
            every,
        )
    shown = [*review.questions, *review.answered] if every else review.questions
    told(review, shown, "Questions:", name, variants, every)
    if review.answered and not every:
        console.data(f"  {counted(len(review.answered), 'question')} answered before; --all shows them")
    if review.skipped:
        console.data()
        console.data("  Not looked at:")
        for text in review.skipped:
            console.data(f"    {console.printable(text)}")


def told(
    review: Review, findings: Sequence[Finding], title: str, name: str, variants: Sequence[str], every: bool
) -> None:
    """Findings under a heading, each with the command that shows a game with it."""
    console.data()
    console.data(f"  {console.paint(title, 'bold')}{'' if findings else ' none'}")
    for number, finding in enumerate(findings if every else findings[:SHOWN], 1):
        for line in console.wrapped(f"{number}. {console.printable(finding.message)}", "  "):
            console.data(f"  {line}")
        for detail in finding.details:
            console.data(f"       {console.paint(console.printable(detail), 'dim')}")
        if finding.kind != "difference" and (again := command(review, finding, name, variants)):
            console.data(f"       {console.paint(again, 'dim')}")
    if len(findings) > SHOWN and not every:
        console.data(f"    and {len(findings) - SHOWN} more; --all shows them")


def command(review: Review, finding: Finding, name: str, variants: Sequence[str]) -> str:
    """The command that plays a game with a finding again; "" where none shows it."""
    setup = review.setups.get(finding.setup)
    if setup is None or finding.seed is None:
        return ""
    words = ["rulespec", "play", name, *(part for one in variants for part in ("--variant", one))]
    words += ["--players", str(setup.players), *(part for k, v in setup.options for part in ("--option", f"{k}={v}"))]
    words += ["--seed", str(finding.seed), "--bots", *([] if setup.bot == RANDOM else ["--bot", setup.bot])]
    return shlex.join(words)


def table(series: Sequence[Series]) -> list[list[str]]:
    """A row for each setup: games, decisions, who wins."""
    rows = [["", "games", "fewest decisions", "mean", "most", "nobody wins", "wins by seat"]]
    for one in series:
        games = one.finished
        lengths = [game.decisions for game in games]
        wins = [sum(seat in game.winners for game in games) for seat in range(one.setup.players)]
        rows.append(
            [
                console.printable(one.setup.name),
                str(len(one.games)),
                f"{min(lengths, default=0):,}",
                f"{mean(lengths) if lengths else 0:,.1f}",
                f"{max(lengths, default=0):,}",
                str(sum(not game.winners for game in games)),
                " ".join(map(str, wins)),
            ]
        )
    return rows


# --- JSON -------------------------------------------------------------------------------------------------------------
def data(review: Review, name: str, variants: Sequence[str]) -> dict[str, Any]:
    """Everything as JSON data; of the same game and seed the same, unless time was short."""
    return {
        "rulespec_review": FORMAT,
        "game": review.checked.id,
        "variants": list(variants),
        "seed": review.seed,
        "baseline": None if review.before is None else (review.compared or review.path).as_posix(),
        "setups": [setup_data(one) for one in review.series],
        "differences": [finding_data(review, one, name, variants) for one in review.differences],
        "questions": [finding_data(review, one, name, variants) for one in review.questions],
        "answered": [one.id for one in review.answered],
        "not_looked_at": review.skipped,
    }


def setup_data(one: Series) -> dict[str, Any]:
    """A setup and how its games went."""
    games = one.finished
    lengths = [game.decisions for game in games]
    setup: Setup = one.setup
    return {
        "players": setup.players,
        "options": dict(setup.options),
        "bot": setup.bot,
        "games": len(one.games),
        "finished": len(games),
        "decisions": {
            "min": min(lengths, default=None),
            "mean": round(mean(lengths), 3) if lengths else None,
            "max": max(lengths, default=None),
        },
        "wins": [sum(seat in game.winners for game in games) for seat in range(setup.players)],
    }


def finding_data(review: Review, finding: Finding, name: str, variants: Sequence[str]) -> dict[str, Any]:
    """A finding; `id` is the same from review to review."""
    where = finding.where
    return {
        "id": finding.id,
        "kind": finding.kind,
        "message": finding.message,
        "file": None if where is None else where.source.name,
        "line": None if where is None else where.line,
        "setup": finding.setup or None,
        "seed": finding.seed,
        "command": command(review, finding, name, variants) or None,
        "details": list(finding.details),
        "figures": finding.data,
    }

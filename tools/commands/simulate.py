"""`rulespec simulate`: many games at random."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from .. import console
from ..framework import Command
from ..parameters import (
    game_argument,
    json_option,
    open_game,
    players_option,
    reproduce,
    seed_option,
    settings_option,
    variant_option,
)
from ..wording import decimal_text

if TYPE_CHECKING:
    from ..playouts import FaultyGame, Series

SHOWN_FAULTS = 5  # different ones


@click.command(
    "simulate",
    cls=Command,
    examples=[
        "rulespec simulate {game} --games 100",
        "rulespec simulate {game} --players 4 --games 1000 --seed 1 --json",
    ],
)
@game_argument
@click.option(
    "-n", "--games", type=click.IntRange(1), default=100, show_default=True, help="How many."
)
@players_option
@settings_option
@variant_option
@seed_option(1)
@click.option("--explicit", is_flag=True, help="Let chance be a player, as programs see it.")
@json_option
def command(
    game: str,
    games: int,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    variants: tuple[str, ...],
    seed: int,
    explicit: bool,
    as_json: bool,
) -> int:
    """Play many games with players that choose at random, and count.

    The same seed gives the same result, byte for byte. The code is 1 if any game met a fault of its
    rules.
    """
    from .. import report
    from ..playouts import run

    opened = open_game(game, players, settings, variants)
    progress = console.Progress("games", games)
    start = time.perf_counter()
    try:
        series = run(opened, games, seed, explicit, progress)
    finally:
        progress.done()
    seconds = time.perf_counter() - start
    if as_json:
        console.data_json(series.to_json())
    else:
        show(series)
    for alike in kinds(series)[:SHOWN_FAULTS]:
        report.fault(alike[0].fault, reproduce(game, opened, alike[0].seed, explicit, variants))
        if len(alike) > 1:
            console.message(f"  the same fault in {report.counted(len(alike) - 1, 'game')} more")
    console.message(
        f"{games} games in {seconds:.1f} s, {games / seconds:,.0f} a second; seed {seed}"
    )
    return 1 if series.faults else 0


def kinds(series: Series) -> list[list[FaultyGame]]:
    """The faulty games, those with the same fault together, the most frequent first."""
    found: dict[tuple[str, str, str], list[FaultyGame]] = {}
    for one in series.faults:
        fault = one.fault.diagnostic
        place = fault.span.label() if fault.span else ""
        found.setdefault((fault.code, fault.message, place), []).append(one)
    return sorted(found.values(), key=len, reverse=True)


def show(series: Series) -> None:
    """The series for people."""
    game = series.game
    head = f"{console.printable(game.title)}, {game.num_players} players, {series.played} games"
    console.data(console.paint(f"{head}, seed {series.seed}", "bold"))
    rows = [["", "mean return", "wins", "shared wins"]]
    means = series.mean(series.sums)
    for seat, label in enumerate(game.seat_labels):
        rows.append(
            [
                console.printable(label),
                decimal_text(means[seat], 4),
                str(series.wins[seat]),
                str(series.shared[seat]),
            ]
        )
    for line in console.columns(rows, right=frozenset({1, 2, 3})):
        console.data(f"  {line}")
    lengths = series.lengths
    if lengths:
        mean = decimal_text(series.mean([sum(lengths)])[0], 1)
        console.data(f"  decisions in a game: {min(lengths)} to {max(lengths)}, mean {mean}")
    console.data(f"  faults: {len(series.faults)}")
    console.data(f"  end states: {series.digest[:16]}")

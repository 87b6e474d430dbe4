"""`rulespec simulate`: many games of bots."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from rulespec.text.quoting import ticked

from .. import console, handed
from ..framework import Command, Misuse, Whole, did_you_mean, nearest
from ..parameters import (
    backend_option,
    bot_option,
    game_argument,
    jobs_option,
    json_option,
    most_option,
    players_option,
    reproduce,
    seed_option,
    settings_option,
    variant_option,
)
from ..wording import decimal_text, rate_text

if TYPE_CHECKING:
    from ..bots import Count
    from ..playouts import FaultyGame, PlayedGames

SHOWN_FAULTS = 5  # different ones
FEW_GAMES = 20  # which may all be lost by chance


@click.command(
    "simulate",
    cls=Command,
    examples=[
        "rulespec simulate {game} --games 100",
        "rulespec simulate my_game --players 4 --games 1000 --seed 1 --json",
        "rulespec simulate {game} --games 20 --bot random --bot 1=search:50",
        "rulespec simulate {game} --games 10000 --jobs 4",
        'rulespec simulate {game} --tally "winners is known"',
    ],
)
@game_argument
@click.option("-n", "--games", type=Whole(1), default=100, show_default=True, help="How many.")
@players_option
@settings_option
@variant_option
@seed_option(1)
@bot_option
@click.option(
    "--tally",
    "tallies",
    multiple=True,
    metavar="EXPRESSION",
    help="Work this out at the end of each game, and count what it gives, or show the mean of a number; repeat for more.",
)
@click.option(
    "--asked",
    "asked",
    multiple=True,
    metavar="QUESTION",
    help="Show how often this question is put in a game, by its name; repeat for more.",
)
@most_option
@backend_option
@jobs_option
@click.option("--explicit", is_flag=True, help="Let chance be a player, as programs see it.")
@json_option
def command(
    game: str,
    games: int,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    variants: tuple[str, ...],
    seed: int,
    wanted: tuple[str, ...],
    tallies: tuple[str, ...],
    asked: tuple[str, ...],
    most: int | None,
    backend: str,
    jobs: int,
    explicit: bool,
    as_json: bool,
) -> int:
    """Play many games with players that choose at random, or with other bots, and count.

    The same seed gives the same result, byte for byte, in however many processes. The code is 1 if the rules failed in
    any game.
    """
    from .. import crowds, report
    from ..playouts import run

    named = crowds.Wanted(game, players, settings, variants, wanted, tallies, backend, most, seed, explicit, asked)
    crowd = named.open()
    opened = crowd.game
    known = {site.name for site in opened.program.sites}
    for name in asked:
        if name not in known:
            raise Misuse(f"there is no question named {ticked(name)}", did_you_mean(nearest(name, known)) or None)
    progress = console.Progress("games", games)
    start = time.perf_counter()
    try:
        if jobs > 1 and games > 1:
            series = crowds.run(named, crowd, games, min(jobs, games), progress)
        else:
            series = run(opened, games, seed, explicit, progress, crowd.seating, asked)
    finally:
        progress.done()
    seconds = time.perf_counter() - start
    if as_json:
        console.data_json(series.to_json())
    else:
        show(series)
    for alike in kinds(series)[:SHOWN_FAULTS]:
        report.fault(alike[0].fault, reproduce(game, opened, alike[0].seed, explicit, variants, wanted, most))
        if len(alike) > 1:
            console.message(f"  the same error in {report.counted(len(alike) - 1, 'game')} more")
    if series.nobody == series.played >= FEW_GAMES:
        how = "all lost together" if series.defeats == series.nobody else "nobody won"
        console.message(f"{how} in each of {series.played} games: can the game be won? `rulespec review` looks closer")
    for line in handed.left_to_python(opened):
        console.message(line)
    console.message(f"{games} games in {seconds:.1f} s, {rate_text(games, seconds)}; seed {seed}")
    return 1 if series.faults else 0


def kinds(series: PlayedGames) -> list[list[FaultyGame]]:
    """The faulty games, those with the same fault together, the most frequent first."""
    groups: dict[tuple[str, str, str], list[FaultyGame]] = {}
    for faulty in series.faults:
        fault = faulty.fault.diagnostic
        place = fault.span.label() if fault.span else ""
        groups.setdefault((fault.code, fault.message, place), []).append(faulty)
    return sorted(groups.values(), key=len, reverse=True)


def tallied(count: Count) -> str:
    """What a tally adds up to, in a line; the most frequent first."""
    if count.number:
        return spread_text(count.numbers)
    ordered = sorted(count.values.items(), key=lambda pair: (-pair[1], pair[0]))
    return console.printable(", ".join(f"{text} {times}" for text, times in ordered)) or "nothing"


def spread_text(numbers: list[int]) -> str:
    """The least, the most and the mean of some numbers."""
    if not numbers:
        return "nothing"
    return f"{min(numbers)} to {max(numbers)}, mean {decimal_text(Fraction(sum(numbers), len(numbers)), 2)}"


def show(series: PlayedGames) -> None:
    """The series for people."""
    from ..bots import RANDOM

    game = series.game
    head = f"{console.printable(game.title)}, {game.num_players} players, {series.played} games"
    if series.faults:
        head += f" to their end, {len(series.faults)} stopped by an error"
    console.data(console.paint(f"{head}, seed {series.seed}", "bold"))
    if set(series.bots) != {RANDOM}:
        bots = series.bots[:1] if len(set(series.bots)) == 1 else series.bots
        console.data(f"  bots: {console.printable(', '.join(bots))}")
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
    for title, number in (
        ("all won together", series.everybody),
        ("all lost together", series.defeats),
        ("nobody won", series.nobody - series.defeats),
    ):
        if number:
            console.data(f"  {title}: {number}")
    lengths = series.lengths
    if lengths:
        mean = decimal_text(series.mean([sum(lengths)])[0], 1)
        console.data(f"  decisions in a game: {min(lengths)} to {max(lengths)}, mean {mean}")
    for name, numbers in series.asked.items():
        console.data(f"  {name} is asked: {spread_text(numbers)}")
    for count in [] if series.seating is None else series.seating.counts:
        console.data(f"  {console.printable(count.tally.text)}: {tallied(count)}")
    console.data(f"  errors in play: {len(series.faults)}")
    console.data(f"  digest of all ends: {series.digest[:16]}")

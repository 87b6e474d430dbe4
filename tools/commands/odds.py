"""`rulespec odds`: how probable each outcome is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .. import console
from ..framework import Command, Misuse, Whole
from ..parameters import (
    game_argument,
    json_option,
    players_option,
    saved_options,
    seed_option,
    settings_option,
    variant_option,
)

if TYPE_CHECKING:
    from ..odds import Told


@click.command(
    "odds",
    cls=Command,
    examples=[
        "rulespec odds {game} --bot random",
        "rulespec odds my_game --run 'combat: p1' --given '{set: p1.armies, to: 3}' --ask p1.armies",
        "rulespec odds {game} --load game.json --bot random --by-answer --ask winners --json",
    ],
)
@game_argument
@players_option
@settings_option
@variant_option
@click.option(
    "--position",
    "positions",
    multiple=True,
    metavar="NAME",
    help="Begin with a position of the cases; repeat for more.",
)
@click.option("--within", metavar="SCOPE", help="The scope in which it is laid and run, which goes on to the end.")
@click.option(
    "--given",
    "given",
    multiple=True,
    metavar="STEP",
    help="A step that sets up the position, as in a case; repeat for more.",
)
@click.option(
    "--run", "run", multiple=True, metavar="STEP", help="A step that is played instead of the game; repeat for more."
)
@saved_options
@click.option(
    "--ask", "asks", multiple=True, metavar="EXPRESSION", help="What is worked out at each end; repeat for more."
)
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="[SEAT=]NAME",
    help="Who answers; random is each answer alike, any other bot is only drawn by lot.",
)
@click.option("--by-answer", is_flag=True, help="For each answer to what is asked first, apart.")
@click.option("--most", type=Whole(1), help="Positions to look at before lots are drawn; 50000, if not said.")
@click.option(
    "--samples", type=Whole(1), default=2_000, show_default=True, help="Lots, where there are more positions."
)
@seed_option(1)
@json_option
def command(
    game: str,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    variants: tuple[str, ...],
    positions: tuple[str, ...],
    within: str | None,
    given: tuple[str, ...],
    run: tuple[str, ...],
    load: Path | None,
    transcript: Path | None,
    asks: tuple[str, ...],
    bots: tuple[str, ...],
    by_answer: bool,
    most: int | None,
    samples: int,
    seed: int,
    as_json: bool,
) -> int:
    """Say how probable each outcome of a procedure, of a position or of a whole game is, as fractions.

    All that chance may give is followed, positions that are equal once. Where there are too many, lots are drawn instead, and each share
    has its 95 % interval. What lies hidden in a saved game stays as it lies: this is for authors, and for after a game.
    The code is 1 if a player is asked and nobody answers, or if the rules fail.
    """
    from interpreter import Fault
    from interpreter.odds import MOST_POSITIONS

    from .. import odds, report
    from .map import position

    laid = odds.Laid(positions, within, given, run)
    if load is not None and transcript is not None:
        raise Misuse("`--load` and `--transcript` exclude each other")
    if laid and (load or transcript):
        raise Misuse("a saved game goes on from where it is: no `--given`, `--run`, `--position` or `--within`")
    try:
        saved = position(game, players, seed, settings, variants, load, transcript) if load or transcript else None
        opened = odds.open_at(game, players, settings, variants, laid, saved, bots, asks)
        told = odds.told(opened, by_answer, most or MOST_POSITIONS, samples, seed)
    except Fault as fault:
        report.fault(fault)
        return 1
    if as_json:
        console.data_json(odds.to_json(opened, told))
    else:
        show(opened.game.title, told)
    return 0


def show(title: str, told: Told) -> None:
    """The probabilities for people."""
    from ..odds import lines

    console.data(console.paint(console.printable(title), "bold"))
    for line in lines(told):
        console.data(console.printable(line))

"""`rulespec table`: the table of a position as one seat sees it, as JSON, as front ends get it."""

from __future__ import annotations

from pathlib import Path

import click

from .. import console
from ..framework import Command, Misuse, Whole
from ..parameters import (
    game_argument,
    players_option,
    saved_options,
    seat,
    seed_option,
    settings_option,
    variant_option,
)


@click.command(
    "table",
    cls=Command,
    examples=[
        "rulespec table {game}",
        "rulespec table {game} --seed 3 --moves 40 --as 2",
        "rulespec table {game} --transcript game.jsonl",
    ],
)
@game_argument
@players_option
@seed_option(1)
@settings_option
@variant_option
@click.option("--as", "name", metavar="SEAT", help="As a seat sees it, by number or name; as a spectator, if not said.")
@click.option("--moves", type=Whole(0), default=0, help="After so many random decisions, of the same seed.")
@saved_options
def command(
    game: str,
    players: int | None,
    seed: int,
    settings: tuple[tuple[str, str], ...],
    variants: tuple[str, ...],
    name: str | None,
    moves: int,
    load: Path | None,
    transcript: Path | None,
) -> int:
    """Print the table of a game as a seat sees it, as JSON: what front ends draw.

    Nothing is in it that the seat may not know. docs/table.md describes the format.
    """
    from interpreter import Fault
    from interpreter.bots.basics import Chance

    from .. import report
    from .map import position

    if load is not None and transcript is not None:
        raise Misuse("`--load` and `--transcript` exclude each other")
    try:
        opened, state = position(game, players, seed, settings, variants, load, transcript)
        chance = Chance(seed)
        for _ in range(moves):
            if not state.is_terminal():
                state.apply_action(chance.one_of(state.legal_actions()))
        shown = state.table(None if name is None else seat(opened, name))
    except Fault as fault:
        report.fault(fault)
        return 1
    console.data_json(shown)
    return 0

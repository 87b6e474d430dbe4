"""`rulespec replay`: a transcript, played again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulespec.text.quoting import ticked

from .. import console
from ..framework import Command, Misuse, shipped_games
from ..parameters import backend_option, json_option, open_game, read_text, variant_names, variant_option

if TYPE_CHECKING:
    from interpreter import Game, State


@click.command(
    "replay",
    cls=Command,
    examples=["rulespec replay game.jsonl", "rulespec replay game.jsonl --game games/mine"],
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--game", help="The game, by id, folder or file, where its id is not enough.")
@variant_option
@backend_option
@json_option
def command(file: Path, game: str | None, variants: tuple[str, ...], backend: str, as_json: bool) -> int:
    """Play a transcript again and show its log and its end.

    The code is 1 if an answer does not fit, or if the game ends differently.
    """
    from interpreter import EVERYTHING
    from interpreter.runtime.values import exact

    from .. import view

    opened, state = replayed(file, game, variants, backend)
    log = state.log_lines(EVERYTHING)
    if as_json:
        winners = state.winners()
        console.data_json(
            {
                "game": opened.id,
                "variants": list(opened.program.variants),
                "digest": opened.program.digest,
                "players": opened.num_players,
                "options": dict(opened.program.settings),
                "seed": state.seed,
                "answers": sum(1 for _ in state.answers()),
                "over": state.is_terminal(),
                "returns": exact(state.returns()) if state.is_terminal() else None,
                "winners": None if winners is None else [opened.seats[seat] for seat in winners],
                "log": log,
            }
        )
        return 0
    for line in log:
        console.data(f"  {console.printable(line)}")
    console.data()
    for line in view.replayed(opened, state):
        console.data(line)
    if state.seed is not None:
        console.data(f"seed {state.seed}")
    return 0


def replayed(file: Path, game: str | None, variants: tuple[str, ...], backend: str) -> tuple[Game, State]:
    """The game of a transcript, and the position at its end; raises RulespecError."""
    from interpreter.files import saves, transcript

    text = read_text(file, saves.MAX_BYTES)
    setup = transcript.read(text, str(file)).setup
    opened = open_game(
        game or shipped(setup), players(setup), settings(setup), variants or played(setup, game), backend
    )
    return opened, opened.replay(text, str(file))


def shipped(setup: dict[str, Any]) -> str:
    """The game that a transcript says it is of."""
    recorded = str(setup.get("game"))
    if recorded not in shipped_games():
        raise Misuse(
            f"the transcript is of {ticked(console.printable(recorded[:60]))}, which is no shipped game",
            "name it: `--game GAME`, its folder or file",
        )
    return recorded


def played(setup: dict[str, Any], game: str | None) -> tuple[str, ...]:
    """The variants that it says; a game that is named may be a variant itself."""
    recorded = setup.get("variants")
    if not isinstance(recorded, list) or (game is not None and Path(game).is_file() and Path(game).stem in recorded):
        return ()
    return variant_names(recorded)


def players(setup: dict[str, Any]) -> int | None:
    """How many players it says."""
    recorded = setup.get("players")
    return recorded if isinstance(recorded, int) else None


def settings(setup: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """The options it says."""
    recorded = setup.get("settings")
    if not isinstance(recorded, dict):
        return ()
    return tuple((str(name), str(value)) for name, value in recorded.items())

"""`rulespec play`: a game at this keyboard."""

from __future__ import annotations

import secrets
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .. import console
from ..framework import Command, Misuse, did_you_mean, nearest
from ..parameters import (
    game_argument,
    open_game,
    players_option,
    reproduce,
    seed_option,
    settings_option,
    variant_option,
)

if TYPE_CHECKING:
    from interpreter import Game, State

FILE = click.Path(path_type=Path)


@click.command(
    "play",
    cls=Command,
    examples=[
        "rulespec play {game}",
        "rulespec play {game} --players 4 --as 1 --as 3",
        "rulespec play {game} --all --save evening.json",
        "rulespec play {game} --variant NAME",
        "rulespec play {game} --load evening.json",
        "rulespec play {game} --bots --seed 7 --transcript game.jsonl",
    ],
)
@game_argument
@players_option
@seed_option(None)
@settings_option
@variant_option
@click.option(
    "--as",
    "seats",
    multiple=True,
    metavar="SEAT",
    help="A seat that a person takes, by number or name; repeat for more. "
    "The first seat, if not said.",
)
@click.option("--all", "everybody", is_flag=True, help="People take all seats.")
@click.option("--bots", is_flag=True, help="Bots take all seats.")
@click.option("--load", type=FILE, help="Go on with a saved game.")
@click.option("--save", type=FILE, help="Save the game here after each answer.")
@click.option("--transcript", type=FILE, help="Write all answers here, for `rulespec replay`.")
def command(
    game: str,
    players: int | None,
    seed: int | None,
    settings: tuple[tuple[str, str], ...],
    variants: tuple[str, ...],
    seats: tuple[str, ...],
    everybody: bool,
    bots: bool,
    load: Path | None,
    save: Path | None,
    transcript: Path | None,
) -> int:
    """Play a game here: people at this keyboard, random bots in the other seats.

    Each person is shown only what his seat may see. Without a terminal, bots play the game to its
    end. While you play, type a number, a name, or `help`.
    """
    from interpreter import Fault

    from .. import report
    from ..table import Left, Table

    if sum([bool(seats), everybody, bots]) > 1:
        raise Misuse("`--as`, `--all` and `--bots` exclude each other")
    opened, state = begin(game, players, seed, settings, variants, load)
    people = seated(opened, seats, everybody, bots)
    for path, mark in ((save, "rulespec_save"), (transcript, "rulespec_transcript")):
        check_writable(path, mark)
    welcome(opened, state, people)
    table = Table(opened, state, people, state.seed or seed or 0, save)
    try:
        table.play()
    except Left:
        farewell(shlex.join([game, *(word for name in variants for word in ("--variant", name))]), table.state, save)
    except Fault as fault:
        report.fault(fault, reproduce(game, opened, state.seed, variants=variants) if not people else None)
        return 1
    finally:
        if transcript is not None:
            write_transcript(transcript, table.state)
    console.data(f"seed {state.seed}")
    return 0


def begin(
    game: str,
    players: int | None,
    seed: int | None,
    settings: tuple[tuple[str, str], ...],
    variants: tuple[str, ...],
    load: Path | None,
) -> tuple[Game, State]:
    """The game and where it begins: a fresh one, or a saved one, whose setup then counts."""
    if load is None:
        opened = open_game(game, players, settings, variants)
        return opened, opened.new_state(secrets.randbelow(2**32) if seed is None else seed)
    if seed is not None:
        raise Misuse("`--seed` and `--load` exclude each other", "a saved game has its seed")
    from interpreter import saves

    from ..parameters import about, read_text, variant_names

    text = read_text(load, saves.MAX_BYTES)
    with about(load):
        saved = saves.parse(text)
    if players is None and isinstance(saved["players"], int):
        players = saved["players"]
    if not settings and isinstance(saved["settings"], dict):
        settings = tuple((str(name), str(value)) for name, value in saved["settings"].items())
    if not variants and isinstance(saved.get("variants"), list) and Path(game).suffix != ".yaml":
        variants = variant_names(saved["variants"])
    opened = open_game(game, players, settings, variants)
    with about(load):
        return opened, opened.state_from_json(text)


def seated(game: Game, names: tuple[str, ...], everybody: bool, bots: bool) -> list[int]:
    """The seats that people take."""
    if everybody:
        return list(range(game.num_players))
    if names:
        return sorted({seat(game, name) for name in names})
    return [0] if console.interactive() and not bots else []


def seat(game: Game, name: str) -> int:
    """A seat by its number from 1, its name, or the beginning of one."""
    if name.isdecimal() and 1 <= int(name[:9]) <= game.num_players:
        return int(name) - 1
    wanted = name.casefold()
    names = [(i, word) for i in range(game.num_players) for word in seat_words(game, i)]
    found = {i for i, word in names if word == wanted}
    found = found or {i for i, word in names if word.startswith(wanted)}
    if len(found) == 1:
        return found.pop()
    near = nearest(name, game.seats)
    listed = f"the seats: {', '.join(game.seats)}"
    if found:
        raise Misuse(f"several seats begin with `{name}`", listed)
    raise Misuse(f"there is no seat `{name}`", did_you_mean(near) or listed)


def seat_words(game: Game, number: int) -> tuple[str, str]:
    return game.seats[number].casefold(), game.seat_labels[number].casefold()


def welcome(game: Game, state: State, people: list[int]) -> None:
    """What is played, by whom, and the seed."""
    console.data(console.paint(console.printable(game.title), "bold"))
    names = [
        f"{console.printable(label)} ({'you' if people == [i] else 'person' if i in people else 'bot'})"
        for i, label in enumerate(game.seat_labels)
    ]
    console.data(f"  {', '.join(names)}")
    chosen = ", ".join(f"{name}={value}" for name, value in game.program.settings)
    console.data(f"  {f'{chosen}; ' if chosen else ''}seed {state.seed}")


def farewell(game: str, state: State, save: Path | None) -> None:
    """How to come back."""
    if save is not None:
        console.message(f"to go on: rulespec play {game} --load {save}")
    elif not state.is_terminal():
        console.message("the game was left and not saved")


def check_writable(path: Path | None, mark: str) -> None:
    """Refuse, before the game begins, what could not be written later."""
    from ..table import guard

    if path is None:
        return
    try:
        guard(path, mark)
        if not path.absolute().parent.is_dir():
            raise FileNotFoundError(f"there is no folder `{path.absolute().parent}`")
    except OSError as error:
        raise Misuse(f"`{path}` cannot be written: {console.reason(error)}") from None


def write_transcript(path: Path, state: State) -> None:
    from interpreter import saves, transcript

    saves.write_atomically(path, transcript.write(state))



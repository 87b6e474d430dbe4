"""Options and arguments that several commands share, and the game that they select."""

from __future__ import annotations

import shlex
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rulespec.text.numbers import whole
from rulespec.text.quoting import ticked

from .framework import Misuse, Whole, shipped_games

if TYPE_CHECKING:
    from interpreter import Game

    from .bots import Seating

F = TypeVar("F", bound=Callable[..., Any])


def complete_game(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[Any]:
    """The shipped games' ids, and files, for a shell."""
    from click.shell_completion import CompletionItem

    items = [CompletionItem(name) for name in shipped_games() if name.startswith(incomplete)]
    return items or [CompletionItem(incomplete, type="file")]


def complete_variant(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[Any]:
    """The variants of the game that is named, and files, for a shell."""
    from click.shell_completion import CompletionItem

    from rulespec.text.diagnostics import Diagnostics
    from rulespec.text.locate import find, general, variants_of

    # While the option has no value yet, the words before it are not sorted out.
    files = [file for word in ctx.args if (file := find(word, Diagnostics())) is not None]
    own = sorted({path.stem for file in files for path in variants_of(file)})
    names = [*own, *(path.stem for path in general() if path.stem not in own)]
    items = [CompletionItem(name) for name in names if name.startswith(incomplete)]
    return items or [CompletionItem(incomplete, type="file")]


def pairs(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """`name=value` of each."""
    settings = []
    for text in values:
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise Misuse(f"{ticked(text)} is not of the form NAME=VALUE", "--option NAME=VALUE")
        settings.append((name, value))
    return tuple(settings)


def game_argument(function: F) -> F:
    """GAME."""
    return click.argument("game", metavar="GAME", shell_complete=complete_game)(function)


def players_option(function: F) -> F:
    """--players."""
    return click.option(
        "-p",
        "--players",
        type=Whole(1, 100),
        help="How many players; the fewest that the game allows, if not said.",
    )(function)


def settings_option(function: F) -> F:
    """--option."""
    return click.option(
        "-o",
        "--option",
        "settings",
        callback=pairs,
        multiple=True,
        metavar="NAME=VALUE",
        help="Set an option of the game; repeat for more.",
    )(function)


def variant_option(function: F) -> F:
    """--variant."""
    return click.option(
        "--variant",
        "variants",
        multiple=True,
        metavar="NAME",
        shell_complete=complete_variant,
        help="A variant of the game, by its name or its file; repeat for more.",
    )(function)


def setup_options(function: F) -> F:
    """GAME, --players, --option and --variant: a game for so many players."""
    return game_argument(players_option(settings_option(variant_option(function))))


def variant_names(lists: list[Any]) -> tuple[str, ...]:
    """The names of variants that a save or transcript says: never paths, for the file may come from anywhere."""
    return tuple(name for name in lists if isinstance(name, str) and name.isidentifier() and len(name) <= 100)


def complete_bot(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[Any]:
    """The bots of the game that is named, those of any game, and files, for a shell."""
    from click.shell_completion import CompletionItem

    from rulespec.text.diagnostics import Diagnostics
    from rulespec.text.locate import GENERIC_BOTS, bots_of, find

    files = [file for word in ctx.args if (file := find(word, Diagnostics())) is not None]
    names = [*GENERIC_BOTS, *sorted({path.stem for file in files for path in bots_of(file)})]
    items = [CompletionItem(name) for name in names if name.startswith(incomplete)]
    return items or [CompletionItem(incomplete, type="file")]


def bot_option(function: F) -> F:
    """--bot."""
    return click.option(
        "--bot",
        "wanted",
        multiple=True,
        metavar="[SEAT=]NAME",
        shell_complete=complete_bot,
        help="Who plays the seats that nobody takes, or one of them: random, search, search:200 (playouts), search:2s "
        "(seconds), alphabeta, alphabeta:4 (decisions ahead), a bot of the game or a bot's file; random, if not said.",
    )(function)


def seed_option(default: int | None) -> Callable[[F], F]:
    """--seed."""
    text = "Where the random numbers begin" + ("; another one each time, if not said." if default is None else ".")
    return click.option(
        "-s",
        "--seed",
        type=Whole(0, 2**64 - 1),
        default=default,
        show_default=default is not None,
        metavar="NUMBER",
        help=text,
    )


def table_options(seats: str, everybody: str, bots: str) -> Callable[[F], F]:
    """A table to sit down at: how many play, from which seed, with which settings, and who sits where.

    The texts are the help of `--as`, `--all` and `--bots`.
    """

    def decorated(function: F) -> F:
        options = (
            players_option,
            seed_option(None),
            settings_option,
            variant_option,
            click.option("--as", "seats", multiple=True, metavar="SEAT", help=seats),
            click.option("--all", "everybody", is_flag=True, help=everybody),
            click.option("--bots", is_flag=True, help=bots),
        )
        for option in reversed(options):
            function = option(function)
        return function

    return decorated


def check_seats(seats: Sequence[str], everybody: bool, bots: bool) -> None:
    """Refuse more than one of `--as`, `--all` and `--bots`."""
    if sum([bool(seats), everybody, bots]) > 1:
        raise Misuse("`--as`, `--all` and `--bots` exclude each other")


def most_option(function: F) -> F:
    """--max-decisions."""
    return click.option(
        "--max-decisions",
        "most",
        type=Whole(1),
        metavar="NUMBER",
        help="How many decisions a game may take; what its rules say (`most decisions`) or 100000, if not said.",
    )(function)


def backend_option(function: F) -> F:
    """--backend."""
    return click.option(
        "--backend",
        type=click.Choice(["auto", "native", "python", "reference"]),
        default="auto",
        metavar="NAME",
        help="How it is played, by the same rules: native (compiled C), python, reference; native where it can be, if not said.",
    )(function)


def jobs_option(function: F) -> F:
    """--jobs."""
    return click.option(
        "-j",
        "--jobs",
        type=Whole(1, 256),
        default=1,
        show_default=True,
        help="Play in so many processes.",
    )(function)


def saved_options(function: F) -> F:
    """`--load` and `--transcript`, for commands that show a position."""
    file = click.Path(path_type=Path)
    function = click.option("--transcript", type=file, help="As it is at the end of a transcript.")(function)
    return click.option("--load", type=file, help="As it is in a saved game.")(function)


def json_option(function: F) -> F:
    """--json."""
    return click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout, for programs.")(function)


def open_game(
    name: str,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    variants: tuple[str, ...] = (),
    backend: str = "auto",
) -> Game:
    """The game, checked now or before, with these variants and options, for so many players; raises RulespecError."""
    import rulespec
    from interpreter import Game

    loaded = rulespec.load(name, variant=variants, cache=True)
    return Game(loaded, players=players, options=dict(settings), backend=backend)


def seat(game: Game, name: str) -> int:
    """A seat by its number from 1, its name, or the beginning of one."""
    from rulespec.text.diagnostics import nearest

    from .framework import did_you_mean

    if (number := whole(name)) is not None and 1 <= number <= game.num_players:
        return number - 1
    wanted = name.casefold()
    names = [
        (i, word)
        for i in range(game.num_players)
        for word in (game.seats[i].casefold(), game.seat_labels[i].casefold())
    ]
    seats = {i for i, word in names if word == wanted}
    seats = seats or {i for i, word in names if word.startswith(wanted)}
    if len(seats) == 1:
        return seats.pop()
    near = nearest(name, game.seats)
    listed = f"the seats: {', '.join(game.seats)}"
    if seats:
        raise Misuse(f"several seats begin with {ticked(name)}", listed)
    raise Misuse(f"there is no seat {ticked(name)}", did_you_mean(near) or listed)


def open_seating(
    name: str,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    variants: tuple[str, ...],
    wanted: tuple[str, ...],
    tallies: tuple[str, ...] = (),
    backend: str = "auto",
) -> tuple[Game, Seating | None]:
    """The game as `open_game` opens it, and its bots and tallies where any are named; raises RulespecError."""
    if not wanted and not tallies:
        return open_game(name, players, settings, variants, backend), None
    import rulespec
    from interpreter import Game

    from . import bots

    if not bots.needs_checker(wanted, tallies):
        game = open_game(name, players, settings, variants, backend)
        return game, bots.seating(game, None, name, bots.seats_of(game, wanted, seat))
    checked = rulespec.load(name, variant=variants)
    game = Game(checked, players=players, options=dict(settings), backend=backend)
    return game, bots.seating(game, checked, name, bots.seats_of(game, wanted, seat), tallies)  # type: ignore[arg-type]


def reproduce(
    name: str,
    game: Game,
    seed: int | None,
    explicit: bool = False,
    variants: tuple[str, ...] = (),
    wanted: tuple[str, ...] = (),
    most: int | None = None,
) -> str:
    """The command that plays a game of bots again."""
    words = ["rulespec", "simulate" if explicit else "play", name]
    words += [part for variant in variants for part in ("--variant", variant)]
    words += ["--players", str(game.num_players)]
    words += [part for k, v in game.program.settings for part in ("--option", f"{k}={v}")]
    words += [part for bot in wanted for part in ("--bot", bot)]
    words += [] if most is None else ["--max-decisions", str(most)]
    words += ["--seed", str(seed), *(["--games", "1", "--explicit"] if explicit else ["--bots"])]
    return shlex.join(words)


@contextmanager
def about(path: Path) -> Iterator[None]:
    """Findings without a place are about this file."""
    from rulespec.text.diagnostics import RulespecError

    try:
        yield
    except RulespecError as error:
        name = path.as_posix()
        diagnostics = (d if d.span else replace(d, origin=name) for d in error.diagnostics)
        raise RulespecError(diagnostics) from None


def read_text(path: Path, limit: int) -> str:
    """The text of a save or transcript; raises RulespecError for what cannot be one."""
    from rulespec.text.diagnostics import Diagnostic, RulespecError

    name = path.as_posix()

    def refused(code: str, message: str) -> RulespecError:
        return RulespecError([Diagnostic(code, message, origin=name)])

    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise refused("Y002", f"{ticked(name)} is not a plain file")
        with path.open("rb") as file:
            content = file.read(limit + 1)
    except FileNotFoundError:
        raise refused("Y001", f"there is no file {ticked(name)}") from None
    except (OSError, ValueError) as error:
        text = getattr(error, "strerror", None) or str(error)
        raise refused("Y002", f"{ticked(name)} cannot be read: {text}") from None
    if len(content) > limit:
        raise refused("Y003", f"{ticked(name)} is larger than {limit:_} bytes")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise refused("Y004", f"{ticked(name)} is not UTF-8 text") from None

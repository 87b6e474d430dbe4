"""`rulespec map`: the map of a game, or its boards, in the terminal or as a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulespec.text.quoting import ticked

from .. import console
from ..framework import Command, Misuse
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
    from interpreter import Game, State
    from interpreter.views.boards import BoardView

FILE = click.Path(path_type=Path)


@click.command(
    "map",
    cls=Command,
    examples=[
        "rulespec map {game}",
        "rulespec map {game} --svg map.svg",
        "rulespec map {game} --as 2 --load evening.json",
        "rulespec map {game} --transcript game.jsonl --json",
    ],
)
@game_argument
@players_option
@seed_option(1)
@settings_option
@variant_option
@click.option("--as", "seat", metavar="SEAT", help="As a seat sees it, by number or name; as all do, if not said.")
@saved_options
@click.option("--svg", type=FILE, help="Write it to this file as SVG.")
@json_option
def command(
    game: str,
    players: int | None,
    seed: int,
    settings: tuple[tuple[str, str], ...],
    variants: tuple[str, ...],
    seat: str | None,
    load: Path | None,
    transcript: Path | None,
    svg: Path | None,
    as_json: bool,
) -> int:
    """Show the map of a game, or its boards, at the beginning, in a save, or at the end of a transcript.

    How they are drawn is said by the `picture` of the game's map or board. What a seat does not see is
    not shown to it, and without a seat only what all see. On boards the last move is marked, and where
    a seat may choose now.
    """
    from interpreter import Fault

    from .. import report

    if load is not None and transcript is not None:
        raise Misuse("`--load` and `--transcript` exclude each other")
    try:
        opened, state = position(game, players, seed, settings, variants, load, transcript)
        views = Views(opened, state, seat)
    except Fault as fault:
        report.fault(fault)
        return 1
    if svg is not None:
        write(svg, views.svg())
    if as_json:
        console.data_json(views.data())
    elif svg is None:
        for line in views.lines():
            console.data(line)
    else:
        console.message(f"written: {svg}")
    return 0


def position(
    game: str,
    players: int | None,
    seed: int,
    settings: tuple[tuple[str, str], ...],
    variants: tuple[str, ...],
    load: Path | None,
    transcript: Path | None,
) -> tuple[Game, State]:
    """The game and the position that is shown."""
    from .play import begin
    from .replay import replayed

    if transcript is not None:
        if players is not None or settings:
            raise Misuse("a transcript has its players and options")
        return replayed(transcript, game, variants, "python")
    opened, state, _ = begin(game, players, None if load is not None else seed, settings, variants, load, (), "python")
    return opened, state


class Views:
    """The map, or the boards of a game without one, as a seat sees them; raises Misuse where there is neither, and Fault."""

    def __init__(self, game: Game, state: State, name: str | None) -> None:
        from ..parameters import seat

        self.game = game
        self.state = state
        self.seat = None if name is None else seat(game, name)
        self.picture = state.picture(self.seat)
        self.boards = () if self.picture is not None else state.boards(self.seat)
        if self.picture is None and not self.boards:
            raise Misuse(f"{ticked(game.id)} has no map and no board", "they are declared under `map` and `boards`")

    def before(self) -> tuple[BoardView, ...]:
        """The boards before the last move, all of its stages; none at the beginning."""
        earlier = self.state.clone()
        if earlier.past is None:
            return ()
        earlier.undo()
        mover = earlier.current_player()
        while earlier.past is not None:
            previous = earlier.clone()
            previous.undo()
            if previous.current_player() != mover:
                break
            earlier = previous
        return earlier.boards(self.seat)

    def new(self) -> dict[str, frozenset[str]]:
        """What the last move has changed on each board."""
        from ..maps.board_text import changes

        before = self.before()
        return changes(before, self.boards) if before else {}

    def svg(self) -> str:
        from ..maps import board_svg, svg

        if self.picture is not None:
            return svg.drawing(self.picture)
        return board_svg.drawing(self.game.title, self.boards, self.new())

    def data(self) -> Any:
        if self.picture is not None:
            return self.picture.data()
        return {"title": self.game.title, "boards": [board.data() for board in self.boards]}

    def lines(self) -> list[str]:
        from ..maps import board_text, text

        if self.picture is not None:
            return text.lines_of(self.picture, console.width())
        new, lines = self.new(), list[str]()
        for board in self.boards:
            drawn = board_text.lines_of(board, console.width(), new.get(board.name, frozenset()), len(self.boards) > 1)
            lines += [
                *([""] if lines else []),
                *(drawn or [f"{board.name} is too wide for this terminal: `--svg` draws it"]),
            ]
        return lines


def write(path: Path, text: str) -> None:
    """Write an SVG file; one of another sort is not overwritten."""
    from ..guarding import write_over

    try:
        write_over(path, text, "<svg ")
    except OSError as error:
        raise Misuse(f"{ticked(path)} cannot be written: {console.reason(error)}") from None

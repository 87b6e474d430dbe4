"""`rulespec watch`: a transcript, walked through forwards and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .. import console
from ..framework import Command, Whole
from ..parameters import backend_option, seat, variant_option
from .play import on_screen
from .replay import replayed

if TYPE_CHECKING:
    from interpreter import Game, State


@click.command(
    "watch",
    cls=Command,
    examples=["rulespec watch game.jsonl", "rulespec watch game.jsonl --as 1", "rulespec watch game.jsonl --at 40"],
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--game", help="The game, by id, folder or file, where its id is not enough.")
@variant_option
@click.option("--as", "name", metavar="SEAT", help="As a seat saw it, by number or name; all of it, if not said.")
@click.option("--at", type=Whole(0), default=0, help="Begin after so many answers.")
@click.option("--plain", is_flag=True, help="Tell it answer by answer, as it is without a terminal.")
@backend_option
def command(
    file: Path, game: str | None, variants: tuple[str, ...], name: str | None, at: int, plain: bool, backend: str
) -> int:
    """Walk through a game that was played: its table after each answer, forwards and back.

    Without a terminal it is printed answer by answer.
    """
    from interpreter import EVERYTHING

    opened, state = replayed(file, game, variants, backend)
    viewer = EVERYTHING if name is None else seat(opened, name)
    if not on_screen(plain):
        tell(opened, state, viewer, at)
        return 0
    from ..terminal.watch import WatchApp

    app = WatchApp(state, viewer, at=at)
    return app.code if app.played_out() == "interrupted" else 0


def tell(game: Game, end: State, viewer: int, at: int) -> None:
    """The game in lines, each answer with its number and what was said of it."""
    from interpreter import EVERYTHING

    from .. import view
    from ..session import answered
    from ..steps import positions

    states = positions(end)
    told = 0
    for number, state in enumerate(states):
        lines = state.log_lines(viewer)
        new, told = lines[min(told, len(lines)) :], len(lines)
        if number < at:
            continue
        before = states[number - 1] if number else state
        if number and viewer == EVERYTHING and (before.is_simultaneous() or not new):
            actor, site, action, _ = state.history[0]
            if actor >= 0 and site is not None:
                decision = before.decision(actor)
                text = next((option.text for option in decision.options if option.action == action), "")
                new = [f"{game.seat_labels[actor]}: {answered(decision, text)}", *new]
        for text in new:
            console.data(f"{number:>5}  {console.printable(text)}")
    console.data()
    for text in view.replayed(game, end):
        console.data(text)

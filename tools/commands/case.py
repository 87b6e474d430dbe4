"""`rulespec case`: a case of the rules, written from a game that was played."""

from __future__ import annotations

from pathlib import Path

import click

from rulespec.text.numbers import natural
from rulespec.text.quoting import ticked

from .. import console
from ..framework import FINDINGS, Command, Misuse, Whole
from .replay import replayed, shipped


@click.command(
    "case",
    cls=Command,
    examples=[
        "rulespec case game.jsonl:12 --name a_fork",
        "rulespec case game.jsonl:40 --name the_last_round --answers 4 --print",
    ],
)
@click.argument("place", metavar="TRANSCRIPT:ANSWERS")
@click.option("--name", required=True, help="What the case is called.")
@click.option("--answers", type=Whole(1), default=1, show_default=True, help="So many answers of players belong to it.")
@click.option("--game", help="The game, by id, folder or file, where its id is not enough.")
@click.option("--into", type=click.Path(dir_okay=False, path_type=Path), help="The file of cases that it goes into.")
@click.option("--print", "show", is_flag=True, help="Print it, and write nothing.")
def command(place: str, name: str, answers: int, game: str | None, into: Path | None, show: bool) -> int:
    """Write a case: the position after so many answers of a transcript, chance's included, what is asked there, what was
    answered, and what that changed.

    It is as small as it can be: a procedure that is run on a table of which only what the rules read is laid, some
    answers earlier where none begins there, or the game from its beginning where nothing less leads to the same position. `rulespec watch`
    shows the answers with their numbers. A case shows what its author sees, hidden cards too: keep it from players.

    The code is 1 if no case can be made there.
    """
    from interpreter.files import saves, transcript

    from ..casebook.keeping import keep
    from ..casebook.writer import NoCase
    from ..parameters import read_text

    file, _, number = place.rpartition(":")
    before = natural(number)
    if not file or before is None:
        raise Misuse(
            f"{ticked(console.printable(place))} names no place of a transcript",
            "rulespec case game.jsonl:12 --name NAME",
        )
    path = Path(file)
    opened, state = replayed(path, game, (), "reference")
    total = sum(1 for _ in state.answers())
    if before >= total:
        raise Misuse(f"there are {total} answers in the transcript", f"{file}:{max(0, total - 1)} is before the last")
    named = game or shipped(transcript.read(read_text(path, saves.MAX_BYTES), file).setup)
    try:
        kept = keep(name, named, opened, state, before, answers, into, show)
    except NoCase as error:
        console.message(f"no case: {error}")
        return FINDINGS
    if kept.file is None:
        console.data(kept.text.rstrip("\n"))
    else:
        console.message(f"written: the case {ticked(name)} in {console.printable(f'{kept.file}:{kept.line}')}")
    return 0

"""`rulespec build`: the objects of a game, made ahead."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from .. import console, handed
from ..framework import Command
from ..parameters import json_option, open_game, setup_options

if TYPE_CHECKING:
    from interpreter import Game


@click.command(
    "build",
    cls=Command,
    examples=["rulespec build {game}", "rulespec build my_game --players 4 --json"],
)
@setup_options
@json_option
def command(
    game: str, players: int | None, settings: tuple[tuple[str, str], ...], variants: tuple[str, ...], as_json: bool
) -> int:
    """Compile a game for native play, for each number of players if none is said, and keep the object.

    Play does so by itself, in the background, where there is a C compiler. The object lies in your cache folder and is used by
    whatever plays this game with these options, until the game or Rulespec is changed. The code is 1 if it could not be made.
    """
    import rulespec

    counts = [players] if players is not None else list(rulespec.load(game, variant=variants, cache=True).players)
    reports = [report_of(open_game(game, count, settings, variants)) for count in counts]
    if as_json:
        console.data_json(reports)
    else:
        for report in reports:
            console.data(line_of(report))
    return 0 if all(report["path"] for report in reports) else 1


def report_of(game: Game) -> dict[str, Any]:
    """What came of one game: for programs."""
    assert game.switch is not None  # `open_game` plays natively where it can
    known = game.switch.kept()
    loaded = game.switch.ask(wait=True, again=True)
    report: dict[str, Any] = {"game": game.id, "players": game.num_players, "options": dict(game.program.settings)}
    if loaded is None:
        return {**report, "path": None, "problem": game.switch.problem}
    built = loaded.built
    return {
        **report,
        "path": str(built.path),
        "problem": None,
        "bytes": built.size,
        "seconds_writing": round(built.emitting, 3),
        "seconds_compiling": round(built.compiling, 3),
        "not_native": built.handed,
        "left_to_python": [{"where": where, "why": why} for where, why in built.left],
        "answers_tried": handed.tried(game),
        "left_in_play": handed.in_play(game),
        "was_there": known,
    }


def line_of(report: dict[str, Any]) -> str:
    """The same for people."""
    head = f"{report['game']}, {report['players']} player{'' if report['players'] == 1 else 's'}"
    if report["path"] is None:
        return f"{head}: played in Python, {console.printable(' '.join(report['problem'].split()))}"
    seconds = f"written in {report['seconds_writing']:.2f} s, compiled in {report['seconds_compiling']:.2f} s of processor time"
    when = f"was there already, {seconds}" if report["was_there"] else seconds
    places = report["not_native"]
    left = f", {places} place{'' if places == 1 else 's'} left to Python and all else in C" if places else ""
    lines = [f"{head}: {when}, {report['bytes'] / 1024:,.0f} KiB{left}", f"  {console.printable(report['path'])}"]
    lines += [f"  {console.printable(line)}" for line in lines_left(report["left_to_python"])]
    lines += [f"  {console.printable(line)}" for line in map(handed.line_of, report["left_in_play"])]
    return "\n".join(lines)


def lines_left(places: list[dict[str, str]]) -> list[str]:
    """What is played in Python and why, one line for what is alike."""
    counts = Counter(f"{one['where']}: {one['why']}" for one in places)
    return [f"{line}{f' ({times} times)' if times > 1 else ''}" for line, times in counts.items()]

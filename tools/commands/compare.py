"""`rulespec compare`: what a variant changes in play."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import console
from ..framework import CLEAN, FINDINGS, Command, Decimal, Misuse, Whole
from ..parameters import complete_bot, complete_game, json_option, players_option, seed_option, settings_option

if TYPE_CHECKING:
    from ..comparison import Named
    from ..effect.figures import Figure
    from ..effect.playing import Level, Seat

SECONDS = 60.0
LEVELS = ("random", "search:10", "search:60")
SHOWN = 8  # options that were never chosen


@click.command(
    "compare",
    cls=Command,
    examples=[
        "rulespec compare {game} VARIANT",
        "rulespec compare {game} VARIANT --seconds 20 --svg change.svg",
        "rulespec compare {game} VARIANT --games 200 --bot alphabeta:3 --json",
    ],
)
@click.argument("base", metavar="GAME", shell_complete=complete_game)
@click.argument("other", metavar="VARIANT", shell_complete=complete_game)
@click.option(
    "--seconds",
    type=Decimal(1, 86_400),
    default=SECONDS,
    show_default=True,
    help="How long to play; the number of games follows from it.",
)
@click.option(
    "-n", "--games", "games", type=Whole(6, 100_000), help="How many of each at each level, whatever the time allows."
)
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="NAME",
    shell_complete=complete_bot,
    help="A level of skill: a bot that plays both games, as for `simulate`; repeat for more. Random and two searches, if not said.",
)
@players_option
@settings_option
@seed_option(1)
@click.option(
    "--svg", "picture", type=click.Path(path_type=Path, dir_okay=False), help="Write a picture of the differences."
)
@json_option
def command(
    base: str,
    other: str,
    seconds: float,
    games: int | None,
    bots: tuple[str, ...],
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    seed: int,
    picture: Path | None,
    as_json: bool,
) -> int:
    """Say what a variant changes in play: length, the first player's advantage, draws, decisions, and what is never chosen.

    The game and the variant, or another game, are played by the same bots with the same seeds, at some levels of skill. One sentence comes
    first; then each figure with the interval of its difference. All intervals hold together with 95% confidence, and the number of games
    is settled before anything is compared. With the same --games and --seed the result is the same, if they fit into the time.
    The code is 1 if a game met a fault of its rules.
    """
    from ..comparison import named
    from ..effect.figures import figures
    from ..effect.playing import Level, play_level

    if picture is not None:
        check_picture(picture)
    levels = [Level(bot) for bot in dict.fromkeys(bots or LEVELS)]
    sides = named(base, other)
    progress = console.Progress("pairs of games")
    opened = {level.bot: tuple(opened_by(side, level.bot, players, settings) for side in sides) for level in levels}
    start = time.monotonic()
    done = 0
    try:
        for number, level in enumerate(levels):
            left = seconds - (time.monotonic() - start)
            share = left / (len(levels) - number)
            if left <= 0 and games is None:
                level.problem = "no time was left"
                continue
            budget = share if games is None else max(left, 1.0)
            first, second = opened[level.bot]
            said = partial(shown_after, progress, done)
            play_level(level, (first, second), seed, games, budget, said)
            done += level.played
    finally:
        progress.done()
    counts = tuple(seat.game.num_players for seat in opened[levels[0].bot])
    titles = [seat.game.title for seat in opened[levels[0].bot]]
    if titles[0] == titles[1]:
        titles[1] = f"{titles[1]} ({other})"
    found = figures(levels, (counts[0], counts[1]))
    if picture is not None:
        write_picture(picture, f"{titles[0]} and {titles[1]}", found)
    if as_json:
        digests = [seat.game.program.digest for seat in opened[levels[0].bot]]
        console.data_json(as_data(levels, found, titles, digests, (counts[0], counts[1]), seed))
    else:
        show(levels, found, titles, (counts[0], counts[1]))
        console.message(f"{done:,} pairs of games in {time.monotonic() - start:.0f} s; seed {seed}")
        last = next((level for level in reversed(levels) if level.played), None)
        if games is None and last is not None:
            again = f"rulespec compare {base} {other} --bot {last.bot} --games {last.played} --seed {seed}"
            console.message(f"the last level again: {again}")
    return FINDINGS if any(level.base.faults or level.other.faults for level in levels) else CLEAN


def shown_after(progress: console.Progress, before: int, pairs: int) -> None:
    """Show how many pairs there are, with those of the levels before."""
    progress(before + pairs)


def opened_by(side: Named, bot: str, players: int | None, settings: tuple[tuple[str, str], ...]) -> Seat:
    """One of the two games with bots of a level at all seats.  Raises RulespecError."""
    from ..effect.playing import crewed
    from ..parameters import open_seating

    game, seating = open_seating(str(side.file), players, settings, side.variants, (bot,))
    assert seating is not None
    return crewed(game, seating)


def check_picture(path: Path) -> None:
    """Refuse, before anything is played, a picture that could not be written, or would be written over something else.  Raises Misuse."""
    from ..guarding import guard, guard_folder

    try:
        guard_folder(path)
        guard(path, "<svg ")
    except OSError as error:
        raise Misuse(console.reason(error), "name a file in a folder that is there") from None


def write_picture(path: Path, title: str, found: list[Figure]) -> None:
    """Write the picture.  Raises Misuse."""
    from ..effect.picture import drawn
    from ..guarding import write_over

    try:
        write_over(path, drawn(title, found), "<svg ")
    except OSError as error:
        raise Misuse(console.reason(error), "name a file in a folder that is there") from None


def show(levels: list[Level], found: list[Figure], titles: list[str], players: tuple[int, int]) -> None:
    """For people: a sentence, a table with bars, what was never chosen."""
    from ..effect.words import ORDER, TITLES, sentence, signed, strip, value

    base, other = map(console.printable, titles)
    for line in console.wrapped(sentence(found, other, players)):
        console.data(console.paint(line, "bold"))
    console.data()
    rows = [["", "", "games", base, other, "difference", "", ""]]
    for name in ORDER:
        for figure in (one for one in found if one.name == name):
            most = max(one.within for one in found if one.name == name)
            bounds = f"{signed(name, figure.low)} to {signed(name, figure.high)}"
            title = TITLES[name] if max(players) > 1 or name != ORDER[0] else "won"
            cells = [
                title,
                figure.level,
                f"{figure.games:,}",
                value(name, figure.base),
                value(name, figure.other),
                bounds,
            ]
            rows.append([*cells, strip(figure, most), "differs" if figure.differs else ""])
    for line in console.columns(rows, right=frozenset({2, 3, 4, 5})) if found else []:
        console.data(f"  {line}")
    for text in never_lines(levels, base, other):
        console.data(text)
    for level in levels:
        if level.problem:
            console.message(f"{level.bot}: {level.problem}")
        for side, title in ((level.base, base), (level.other, other)):
            if side.faults:
                at, diagnostic = side.faults[0]
                console.message(
                    f"{level.bot}: {title} met a fault in {len(side.faults)} games, first with seed {at}: {diagnostic.message}"
                )


def never_lines(levels: list[Level], base: str, other: str) -> list[str]:
    """What was never chosen at the highest level that was played, in either."""
    from ..effect.figures import never

    level = next((level for level in reversed(levels) if level.base.games and level.other.games), None)
    lines: list[str] = []
    if level is not None:
        for side, title in ((level.base, base), (level.other, other)):
            for (question, option), times in never(side)[:SHOWN]:
                what = f"{console.printable(option)} of {console.printable(question)}"
                lines.append(f"  never chosen in {title} ({level.bot}): {what}, though open {times:,} times")
    return ["", *lines] if lines else []


def as_data(
    levels: list[Level], found: list[Figure], titles: list[str], digests: list[str], players: tuple[int, int], seed: int
) -> dict[str, Any]:
    """For programs."""
    from ..effect.figures import CONFIDENCE, never
    from ..effect.words import sentence

    def option(side: Any) -> list[dict[str, Any]]:
        return [{"question": name[0], "option": name[1], "open": times} for name, times in never(side)]

    return {
        "says": sentence(found, titles[1], players),
        "games": [{"title": t, "digest": d, "players": n} for t, d, n in zip(titles, digests, players, strict=True)],
        "seed": seed,
        "confidence": CONFIDENCE,
        "levels": [
            {
                "bot": level.bot,
                "pairs": level.played,
                "planned": level.planned,
                "problem": level.problem or None,
                "faults": [len(level.base.faults), len(level.other.faults)],
                "never_chosen": [option(level.base), option(level.other)],
            }
            for level in levels
        ],
        "figures": [
            {
                "level": figure.level,
                "figure": figure.name,
                "games": figure.games,
                "base": round(figure.base, 6),
                "other": round(figure.other, 6),
                "low": round(figure.low, 6),
                "high": round(figure.high, 6),
                "differs": figure.differs,
            }
            for figure in found
        ],
    }

"""`rulespec verify`: tests the properties of every game in random games."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import console
from ..framework import Command, Decimal, Whole
from ..parameters import game_argument, json_option, most_option, seed_option, settings_option, variant_option

if TYPE_CHECKING:
    from interpreter.runtime.values import Number
    from interpreter.testing.properties.run import Total
    from interpreter.testing.properties.trial import Failure

    from ..verification import Wanted

SHOWN = 5  # kinds of failures
GAMES = 100
SECONDS = 60.0
LONG = 60  # answers of a script that is shown; longer ones are written to files only


@click.command(
    "verify",
    cls=Command,
    examples=[
        "rulespec verify {game}",
        "rulespec verify my_game --players 4 --games 1000 --seconds 600 --jobs 4",
        "rulespec verify my_game --seed 7 --games 1 --scripts failures",
    ],
)
@game_argument
@click.option("-p", "--players", type=Whole(1, 100), help="How many players; all that the game allows, if not said.")
@settings_option
@variant_option
@click.option("-n", "--games", type=Whole(1), default=GAMES, show_default=True, help="How many, if there is time.")
@click.option(
    "--seconds",
    type=Decimal(0),
    default=SECONDS,
    show_default=True,
    help="Begin no more games after so long; 0: play them all.",
)
@seed_option(1)
@click.option("--jobs", type=Whole(1, 256), help="Processes; as many as there are processors, if not said.")
@click.option(
    "--checked",
    type=Whole(1),
    default=200,
    show_default=True,
    help="Of how many answers in each game everything is tried; of those behind them of ever fewer.",
)
@most_option
@click.option(
    "--scripts",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write what leads to failures here, as transcripts.",
)
@json_option
def command(
    game: str,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    variants: tuple[str, ...],
    games: int,
    seconds: float,
    seed: int,
    jobs: int | None,
    checked: int,
    most: int | None,
    scripts: Path | None,
    as_json: bool,
) -> int:
    """Play random games and look whether what holds for every game holds in them.

    At each decision the position is copied, saved and read again, taken back, handed to the other back ends (to C, too, where it can
    be compiled), and compared with another game that a player cannot tell from it: what that player is shown must be the same. The
    code is 1 if anything fails.
    """
    import rulespec
    from interpreter.testing.properties.run import kinds
    from interpreter.testing.properties.shrink import shrunk
    from interpreter.testing.properties.trial import Budget
    from rulespec.system.machine import processors

    from ..verification import Wanted, run

    counts = (players,) if players is not None else tuple(rulespec.load(game, variant=variants, cache=True).players)
    wanted = Wanted(game, counts, settings, variants, Budget(checked=checked), most)
    for count in counts:
        wanted.bench(count)
    progress = console.Progress("games", games)
    start = time.perf_counter()
    try:
        totals = run(wanted, games, seed, seconds or None, jobs or processors(), progress)
    finally:
        progress.done()
    taken = time.perf_counter() - start
    failures = [
        (count, shrunk(wanted.bench(count), group[0]), len(group))
        for count, total in totals.items()
        for group in kinds(total.failures)
    ]
    if as_json:
        console.data_json(as_data(wanted, seed, totals, failures))
    else:
        show(wanted, totals, failures)
    for number, (count, failure, times) in enumerate(failures[:SHOWN], 1):
        tell(wanted, count, failure, times, scripts, number)
    played = sum(total.games for total in totals.values())
    console.message(f"{played} games in {taken:.1f} s; seed {seed}")
    return 1 if failures else 0


def show(wanted: Wanted, totals: dict[int, Total], failures: list[tuple[int, Failure, int]]) -> None:
    """Print the summary as text."""
    from interpreter.testing.properties.trial import PROPERTIES

    title = console.printable(wanted.bench(wanted.players[0]).game.title)
    failed = {failure.property for _, failure, _ in failures}
    held = len(PROPERTIES) - len(failed)
    said = "all hold" if not failed else f"{held} hold, not {', '.join(sorted(failed))}"
    console.data(console.paint(f"{title}: {len(PROPERTIES)} properties, {said}", "bold"))
    rows = [["players", "games", "answers", "of them tried", "pairs", "compared", "length", "returns", "sum"]]
    for count, total in totals.items():
        rows.append(
            [
                str(count),
                f"{total.games:,}",
                f"{total.answers:,}",
                f"{total.checked:,}",
                f"{total.twins:,}",
                f"{total.compared:,}",
                spread((min(total.lengths), max(total.lengths)) if total.lengths else None),
                spread(total.bounds),
                spread(total.sums),
            ]
        )
    for line in console.columns(rows, right=frozenset(range(len(rows[0])))):
        console.data(f"  {line}")
    for line in in_c(wanted, totals):
        console.data(f"  {line}")


def in_c(wanted: Wanted, totals: dict[int, Total]) -> Iterator[str]:
    """How much of it was compared with C, and why the rest was not."""
    able = [total for count, total in totals.items() if count not in wanted.problems]
    if able:
        some, all_tried = sum(total.natively for total in able), sum(total.checked for total in able)
        yield f"compared with C: {some:,} of {all_tried:,} answers"
    for problem in dict.fromkeys(wanted.problems.values()):
        counts = [str(count) for count, said in wanted.problems.items() if said == problem]
        players = f" with {', '.join(counts)} players" if able else ""
        yield f"not compared with C{players}: {console.printable(' '.join(problem.split()))}"


def spread(bounds: tuple[Number, Number] | None) -> str:
    """`2`, `-1 to 3`, or a dash."""
    if bounds is None:
        return "–"
    low, high = bounds
    return f"{low}" if low == high else f"{low} to {high}"


def tell(wanted: Wanted, players: int, failure: Failure, times: int, scripts: Path | None, number: int) -> None:
    """Print a failure, with its seed and the shortest script found."""
    from interpreter.testing.properties.text import as_case

    game = wanted.bench(players).game
    first, *more = console.printable(failure.message).splitlines()
    console.message(
        f"{console.paint_message(f'error[{failure.property}]', 'bold', 'red')}{console.paint_message(f': {first}', 'bold')}"
    )
    for line in more:
        console.message(f"  {line}")
    words = ["rulespec", "verify", wanted.name]
    words += [part for name in wanted.variants for part in ("--variant", name)]
    words += [part for key, value in wanted.settings for part in ("--option", f"{key}={value}")]
    words += [] if wanted.most is None else ["--max-decisions", str(wanted.most)]
    words += ["--players", str(players), "--seed", str(failure.seed), "--games", "1"]
    console.message(f"  to see it again: {shlex.join(words)}")
    if times > 1:
        console.message(f"  the like in {times - 1} more games")
    parts = [("", failure.script), ("_other", failure.other)]
    for suffix, script in parts:
        if script is None:
            continue
        what = "the shortest way there" if not suffix else "the other game, which that player cannot tell from it"
        console.message(f"  {what}, {len(script)} answers:")
        if len(script) <= LONG or scripts is None:
            for line in as_case(game, script, f"{failure.property}{suffix}").splitlines():
                console.message(f"    {console.printable(line)}")
        if scripts is not None:
            write(game, script, scripts / f"{game.id}_{players}p_{number}{suffix}.jsonl")


def write(game: Any, script: Any, path: Path) -> None:
    """Write a script as a transcript; raises OSError."""
    from interpreter.testing.properties.text import as_transcript

    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(as_transcript(game, script), encoding="utf-8")
    console.message(f"    written to {console.printable(str(path))}")


def as_data(
    wanted: Wanted, seed: int, totals: dict[int, Total], failures: list[tuple[int, Failure, int]]
) -> dict[str, Any]:
    """All of it as JSON data."""
    from interpreter.runtime.values import exact
    from interpreter.testing.properties.text import as_transcript
    from interpreter.testing.properties.trial import PROPERTIES

    program = wanted.bench(wanted.players[0]).game.program
    return {
        "game": program.id,
        "variants": list(program.variants),
        "digest": program.digest,
        "options": dict(program.settings),
        "seed": seed,
        "properties": list(PROPERTIES),
        "setups": [
            {
                "players": count,
                "games": total.games,
                "answers": total.answers,
                "tried": total.checked,
                "in_c": total.natively,
                "no_c": wanted.problems.get(count),
                "pairs": total.twins,
                "compared": total.compared,
                "length": [min(total.lengths), max(total.lengths)] if total.lengths else None,
                "returns": total.bounds and exact(total.bounds),
                "sum": total.sums and exact(total.sums),
            }
            for count, total in totals.items()
        ],
        "failures": [
            {
                "property": failure.property,
                "message": failure.message,
                "players": count,
                "seed": failure.seed,
                "games": times,
                "transcript": as_transcript(wanted.bench(count).game, failure.script),
                "other": None if failure.other is None else as_transcript(wanted.bench(count).game, failure.other),
            }
            for count, failure, times in failures
        ],
    }

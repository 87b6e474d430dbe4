"""`rulespec review`: what play shows, as questions to the author."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .. import console
from ..framework import CLEAN, FINDINGS, Command, Decimal, Whole
from ..parameters import game_argument, json_option, seed_option, variant_option

if TYPE_CHECKING:
    from ..review.run import Review

GAMES = 100
SECONDS = 60.0


@click.command(
    "review",
    cls=Command,
    examples=[
        "rulespec review {game}",
        "rulespec review my_game --budget 20 --jobs 2",
        "rulespec review my_game --accept",
        "rulespec review my_game --transcripts odd",
    ],
)
@game_argument
@variant_option
@click.option(
    "-n",
    "--games",
    type=Whole(1, 100_000),
    default=GAMES,
    show_default=True,
    help="How many with each number of players, if there is time.",
)
@click.option(
    "--budget",
    type=Decimal(0, min_open=True),
    default=SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Begin nothing more after so long.",
)
@seed_option(1)
@click.option("--jobs", type=Whole(1, 256), default=1, show_default=True, help="Processes.")
@click.option(
    "--accept",
    is_flag=True,
    help="Keep what was measured, with all questions as answered, in review.json next to the game.",
)
@click.option("--all", "every", is_flag=True, help="Show all, and the questions that were answered before.")
@click.option(
    "--transcripts",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Write a game for each question here, as a transcript.",
)
@json_option
def command(
    game: str,
    variants: tuple[str, ...],
    games: int,
    budget: float,
    seed: int,
    jobs: int,
    accept: bool,
    every: bool,
    transcripts: Path | None,
    as_json: bool,
) -> int:
    """Play a game in all its setups, at random and with its bots, and ask its author about what is odd.

    What was accepted before is not asked again, and where play differs from then by more than chance, that is shown. The code is 1 if
    there is anything to ask or that differs.
    """
    from ..review import report
    from ..review.run import review

    progress = console.Progress("games")
    played = iter(range(1, 10_000_000))
    try:
        seen = review(
            game,
            variants=variants,
            games=games,
            seed=seed,
            budget=budget,
            jobs=jobs,
            before=None if accept else "beside",
            progress=lambda: progress(next(played)),
        )
    finally:
        progress.done()
    if as_json:
        console.data_json(report.data(seen, game, variants))
    else:
        report.show(seen, game, variants, every)
    if transcripts is not None:
        write_transcripts(seen, game, transcripts)
    if accept:
        accepted(seen)
    console.message(f"{sum(len(one.games) for one in seen.series)} games in {seen.seconds:.1f} s; seed {seed}")
    left = [one for one in seen.findings if one.kind == "fault"] if accept else seen.findings
    return FINDINGS if left else CLEAN


def accepted(seen: Review) -> None:
    """Write the baseline; raises OSError, which the command line tells."""
    from rulespec.system import files

    files.replace(seen.path, seen.baseline().to_json())
    console.message(f"written to {console.printable(seen.path.as_posix())}")


def write_transcripts(seen: Review, game: str, folder: Path) -> None:
    """Write the games of the questions, and tell how a case is made of each that is about a question; raises OSError."""
    from interpreter.files import saves, transcript

    from ..review.again import played_again, question_of

    folder.mkdir(parents=True, exist_ok=True)
    for number, finding in enumerate(seen.questions, 1):
        setup = seen.setups.get(finding.setup)
        if setup is None or finding.seed is None:
            continue
        path = folder / f"{number:03}-{finding.kind.replace(' ', '_')}-seed-{finding.seed}.jsonl"
        state, before = played_again(seen.checked, game, setup, finding.seed, question_of(finding))
        saves.write(path, transcript.write(state))
        if before is not None:
            place = shlex.quote(f"{path}:{before}")
            console.message(f"question {number}: rulespec case {place} --game {shlex.quote(game)} --name NAME")
    console.message(f"transcripts are in {console.printable(folder.as_posix())}")

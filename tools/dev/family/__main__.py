"""`python -m tools.dev.family`: plays the games of the families in step with other libraries and writes docs/family.md."""

from __future__ import annotations

import time
from itertools import count

import click
import yaml

from interpreter import Game

from .beside import Beside
from .games import Family, Member, members
from .judges import Bounds
from .page import PAGE, Row, page

SEED = 20_000


@click.command()
@click.option("--games", default=100, show_default=True, help="Games of each variant.")
@click.option("--plies", default=200, show_default=True, help="Moves of a game, at most.")
@click.option(
    "--depth", default=2, show_default=True, help="Moves from the first position whose paths are counted; 0: none."
)
@click.option("--seconds", default=1.0, show_default=True, help="Processor time for measuring the speed; 0: it is not.")
@click.option("--backend", default="native", show_default=True, help="What plays ours.")
@click.option("--record", is_flag=True, help="Also write the recorded games of the tests again.")
@click.argument("names", nargs=-1)
def main(
    games: int, plies: int, depth: int, seconds: float, backend: str, record: bool, names: tuple[str, ...]
) -> None:
    """Without NAMES all games are played, with the name of a base all of its family; the rows of others stay in the page as they are."""
    asked = [one for one in members() if not names or one.id in names or one.family.base in names]
    if record:
        for family in {one.family for one in asked}:
            keep(family, [one for one in asked if one.family == family])
    rows = {one: Row(one, *looked_at(one, Bounds(games, plies, depth), seconds, backend)) for one in asked}
    PAGE.write_text(page(rows, PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    if any(row.found and row.found.differences for row in rows.values()):
        raise SystemExit(1)


HEAD = "# Written by `python -m tools.dev.family --record`: games of the other library, each move after the number of legal ones.\n"


def keep(family: Family, asked: list[Member]) -> None:
    """Write the recorded games of some of a family again; those of what is no more are left out."""
    kept = yaml.safe_load(family.recorded.read_text(encoding="utf-8")) if family.recorded.exists() else {}
    kept |= {
        one.id: family.judge.kept(one.game("python"), one.id, one.there, family.plies) for one in asked if one.there
    }
    kept = {one.id: kept[one.id] for one in family.members() if one.there and kept.get(one.id)}
    family.recorded.write_text(HEAD + yaml.safe_dump(kept, width=1000), encoding="utf-8")


def looked_at(member: Member, bounds: Bounds, seconds: float, backend: str) -> tuple[Beside | None, float]:
    """What came of playing a game in step, and its speed."""
    game = member.game(backend)
    speed = measured(game, seconds) if seconds else 0.0
    if member.there is None:
        click.echo(f"{member.id}: no judge")
        return None, speed
    if not bounds.games:
        return None, speed
    found = member.family.judge.beside(game, member.id, member.there, bounds)
    click.echo(f"{member.id}: {found.positions} positions, {found.moves} moves, {len(found.differences)} differences")
    for difference in found.differences:
        click.echo(f"  {difference}")
    return found, speed


def measured(game: Game, seconds: float) -> float:
    """Decisions a second of whole random games in one call."""
    began, decisions = time.process_time(), 0
    for seed in count(SEED):
        decisions += game.playout(seed).decisions
        if (spent := time.process_time() - began) > seconds:
            break
    return decisions / spent


if __name__ == "__main__":
    main()

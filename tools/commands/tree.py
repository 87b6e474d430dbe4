"""`rulespec tree`: a small game's whole tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rulespec.text.quoting import ticked

from .. import console
from ..framework import Command, Whole
from ..parameters import backend_option, json_option, open_game, setup_options
from ..wording import decimal_text

if TYPE_CHECKING:
    from interpreter import Game

    from ..walk import Walk

LIMIT = 500_000  # minutes of a game like chess
KINDS = ("chance", "decision", "stage", "terminal", "cut off")


@click.command(
    "tree",
    cls=Command,
    examples=[
        "rulespec tree my_game",
        "rulespec tree {game} --depth 2",
        "rulespec tree my_game --players 3 --json",
    ],
)
@setup_options
@backend_option
@click.option("--depth", type=Whole(0), help="Go only so many moves below the root; stages of one move are one.")
@click.option(
    "--limit",
    type=Whole(1),
    default=LIMIT,
    show_default=True,
    help="Give up when more nodes than this have to be looked at.",
)
@json_option
def command(
    game: str,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    variants: tuple[str, ...],
    backend: str,
    depth: int | None,
    limit: int,
    as_json: bool,
) -> int:
    """Walk the whole tree of a small game, with chance as a player.

    Shows the number of nodes, of information sets and of distinct positions, and what each seat may
    expect when everybody plays uniformly at random.
    """
    from ..walk import TreeTooLarge, walk

    opened = open_game(game, players, settings, variants, backend)
    progress = console.Progress("nodes")
    try:
        walked = walk(opened, depth, limit, progress)
    except TreeTooLarge:
        progress.done()  # before anything else is said
        console.error(
            "C003",
            f"the tree of {ticked(opened.id)} has more than {limit:,} nodes",
            "walk only its top with `--depth`, raise `--limit`, or play with `rulespec simulate`",
        )
        return 2
    finally:
        progress.done()
    if as_json:
        console.data_json(as_data(opened, walked))
    else:
        show(opened, walked)
    return 0


def as_data(game: Game, walked: Walk) -> dict[str, Any]:
    """The walk as JSON data; probabilities and values are exact."""
    program, tree = game.program, walked.tree
    kinds = ("chance", "decision", "stage", "terminal", "cut")
    return {
        "game": program.id,
        "variants": list(program.variants),
        "digest": program.digest,
        "players": program.players,
        "options": dict(program.settings),
        "nodes": {name: tree.total(kind) for kind, name in enumerate(kinds)},
        "information_sets": walked.information_sets,
        "positions": walked.positions,
        "seats": list(game.seats),
        "returns": None if tree.returns is None else [str(value) for value in tree.returns],
        "depths": [dict(zip(kinds, level, strict=True)) for level in tree.levels],
    }


def show(game: Game, walked: Walk) -> None:
    """The walk for people."""
    tree = walked.tree
    totals = [tree.total(kind) for kind in range(len(KINDS))]
    always = ("chance", "decision", "terminal")
    rows = [
        [name if name == "cut off" else f"{name} nodes", f"{total:,}"]
        for name, total in zip(KINDS, totals, strict=True)
        if total or name in always
    ]
    rows.append(["nodes", f"{sum(totals):,}"])
    sets = walked.information_sets
    rows.append(["information sets", "–" if sets is None else f"{sets:,}"])
    rows.append(["distinct positions", f"{walked.positions:,}"])
    console.data(console.paint(f"{console.printable(game.title)}, {game.num_players} players", "bold"))
    for line in console.columns(rows, right=frozenset({1})):
        console.data(f"  {line}")
    console.data()
    console.data(console.paint("Expected returns of uniformly random play", "bold"))
    if tree.returns is None:
        console.data("  unknown, since the walk was cut off")
    else:
        rows = [
            [console.printable(label), str(value), f"= {decimal_text(value)}"]
            for label, value in zip(game.seat_labels, tree.returns, strict=True)
        ]
        for line in console.columns(rows, right=frozenset({1})):
            console.data(f"  {line}")
    console.data()
    console.data(console.paint("Nodes by moves", "bold"))
    used = [kind for kind, total in enumerate(totals) if total]
    rows = [["moves", "nodes", *(KINDS[kind] for kind in used)]]
    rows += [
        [str(depth), f"{sum(level):,}", *(f"{level[kind]:,}" for kind in used)]
        for depth, level in enumerate(tree.levels)
    ]
    for line in console.columns(rows, right=frozenset(range(len(rows[0])))):
        console.data(f"  {line}")

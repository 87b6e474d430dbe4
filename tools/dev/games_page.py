"""The page of the shipped games by their properties: `python -m tools.dev.games_page` writes docs/games.md."""

from __future__ import annotations

import sys
from pathlib import Path

import rulespec

from .pages import table

PAGE = Path(__file__).resolve().parents[2] / "docs" / "games.md"
HEAD = """<!-- Written by `python -m tools.dev.games_page`; do not edit. -->

# The games by their properties

The games that are here. A game's page says how it is played here, which readings of its rules were chosen, and what it was checked
against. `rulespec list` shows their variants and options.
"""
TABLE = """
## As environments

With the fewest players that each game allows. *Information* is perfect where everybody sees everything. *Together* says whether several
decide at once. *Sum* is what all players get together, *longest* the most decisions of a game; both are given where they follow from
the rules for sure. *Actions* are the numbers that an answer can have, *observation* is the length of the vector that a player sees
([environments.md](environments.md)).
"""
UNBOUNDED = 100_000  # where no length follows from the rules


def page() -> str:
    """The whole page."""
    games = rulespec.list_games()
    shown = [HEAD, *table(map(described, games), "game", "players", "what it is")]
    heads = ("id", "chance", "information", "together", "sum", "returns", "longest", "actions", "observation")
    return "\n".join([*shown, TABLE, *table((measured(game.id) for game in games), *heads)]).rstrip() + "\n"


def described(game: rulespec.GameInfo) -> tuple[str, ...]:
    """A row of the first table."""
    low, high = game.players[0], game.players[-1]
    players = str(low) if low == high else f"{low} to {high}"
    return f"[{game.title}](../games/{game.id}/README.md)", players, game.about


def measured(id: str) -> tuple[str, ...]:
    """A row of the second table."""
    game = rulespec.Game(rulespec.load(id))
    total = game.utility_sum
    return (
        f"`{id}`",
        "no" if game.chance_mode == "deterministic" else "yes",
        game.information.removesuffix("_information"),
        "yes" if game.dynamics == "simultaneous" else "no",
        "not settled" if total is None else f"{total:g}",
        f"{game.min_utility:g} to {game.max_utility:g}",
        "not settled" if game.max_game_length >= UNBOUNDED else f"{game.max_game_length:,}",
        f"{game.num_distinct_actions:,}",
        f"{len(game.observation_layout):,}",
    )


def main(arguments: list[str]) -> int:
    """Write the page; 2 for arguments, of which there are none."""
    if arguments:
        print("usage: python -m tools.dev.games_page", file=sys.stderr)
        return 2
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

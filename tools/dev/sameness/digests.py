"""Digests of random games: their ends, their logs and all their answers."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Sequence
from typing import Any

import rulespec
from interpreter import EVERYTHING, Game
from interpreter.files import transcript

from ...playouts import game_seed

Digests = dict[str, str]  # of each game, by "id/players"


def of_game(name: str, games: int, backend: str, seed: int = 1, record: bool = True) -> Digests:
    """The digest of so many games, shared out among its numbers of players; raises RulespecError and Fault.

    With `record`, of every answer and line of the log too; without, games are played as fast as they go.
    """
    loaded = rulespec.load(name)
    counts = loaded.players
    digests: Digests = {}
    for place, players in enumerate(counts):
        game = Game(loaded, players=players, backend=backend)
        digest = hashlib.sha256()
        for number in range(place, games, len(counts)):
            state = game.playout(game_seed(seed, number), record=record)
            add(digest, [state.slots, state.decisions])
            if record:
                add(
                    digest, transcript.write(state).partition("\n")[2]
                )  # its first line has what the rules are written like
                add(digest, [state.log_lines(seat) for seat in (EVERYTHING, None, *range(players))])
        digests[f"{name}/{players}"] = digest.hexdigest()
    return digests


def add(digest: Any, data: Any) -> None:
    """Sum something up."""
    digest.update(repr(data).encode("utf-8", "surrogatepass"))


def main(arguments: Sequence[str]) -> None:
    """Print the digests that a process was asked for: back end, games, `record` or `fast`, and the games' names."""
    backend, games, how, *names = arguments
    digests: Digests = {}
    for name in names:
        digests |= of_game(name, int(games), backend, record=how == "record")
    print(json.dumps(digests))


if __name__ == "__main__":
    main(sys.argv[1:])

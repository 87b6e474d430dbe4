"""What judges the family of tricks: an oracle of our own for all of its games, and OpenSpiel for those that it has."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter import Game

from .beside import Beside
from .card_bids import ORACLES
from .cards import Table, Whole
from .deals import Judge, one_game
from .spiel import THERE, judged

RECORDED_GAMES = 4
MOST = 3  # differences, with which it ends


def oracle(name: str) -> Judge:
    """Our own judge of a game."""

    def play(table: Table, players: int) -> Whole:
        return ORACLES[name](table, players).whole()

    return play


def judges(name: str) -> Iterator[Judge]:
    """All that judge a game."""
    if name in ORACLES:
        yield oracle(name)
    if name in THERE:
        yield judged(name)


def beside(game: Game, name: str, games: int) -> Beside:
    """So many random games beside each judge."""
    found = Beside()
    for judge in judges(name):
        for seed in range(games):
            one_game(found, game, judge, seed)
            found.games += 1
            if len(found.differences) >= MOST:
                return found
    return found


def recorded(game: Game, name: str) -> list[str]:
    """Games beside OpenSpiel to be kept: what chance did, each answer after the number of those that were legal, the scores.

    None where it does not have the game.
    """
    seeds = range(RECORDED_GAMES) if name in THERE else ()
    return [" ".join(one_game(Beside(), game, judged(name), seed)) for seed in seeds]

"""Questions about seats: who wins too often, who is left out, and what a player knows to no end."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from rulespec.checker.program import CheckedGame
from rulespec.system.records import dataclass

from .counted import FEW_GAMES, OFTEN, Counted
from .finding import Finding
from .observe import Played
from .series import Series
from .significance import binomial, level
from .tables import seated

SEATS = 1e-4  # the chance that a review tells of any seat of a game in which all are alike
SEATS_NEAR = 0.05  # the same of one setup, for what is told only when it is looked for
MANY_GAMES = 40  # in which others had something that a seat never had
ALIKE = 0.7  # the share of things that all seats have, in a game whose seats are alike


@dataclass(frozen=True)
class Wins:
    """How often each seat has won in a setup, of the games that some have won and others not."""

    series: Series

    @cached_property
    def games(self) -> list[Played]:
        """Those games."""
        players = self.series.setup.players
        return [game for game in self.series.finished if game.outcome == "some" and len(game.winners) < players]

    @cached_property
    def shares(self) -> list[int]:
        """How many of them each seat has won."""
        return [sum(seat in game.winners for game in self.games) for seat in range(self.series.setup.players)]

    @cached_property
    def equal(self) -> float:
        """How many it would be for each."""
        return sum(self.shares) / self.series.setup.players

    @cached_property
    def chances(self) -> list[float]:
        """How probable it is for each seat that it wins so often, or so seldom, if each wins as often; none of too few games."""
        if self.series.setup.players < 2 or len(self.games) < FEW_GAMES:
            return []
        return [binomial(number, len(self.games), self.equal / len(self.games)) for number in self.shares]


def winning_seats(_checked: CheckedGame, counted: Counted) -> Iterator[Finding]:
    """Seats that win more or less often than by chance: the exact binomial test of each seat in each setup.

    The level is one for all of them together.  A setup with other options is told where its seat is not told without them.
    """
    setups = [wins for wins in map(Wins, counted.series) if wins.chances]
    tests = sum(len(wins.chances) for wins in setups)
    limit = level([0.0] * tests, SEATS)
    told: set[tuple[int, int]] = set()
    for wins in sorted(setups, key=lambda wins: bool(wins.series.setup.options)):
        setup, shares = wins.series.setup, wins.shares
        chance, worst = min((chance, seat) for seat, chance in enumerate(wins.chances))
        if chance * setup.players > SEATS_NEAR or (setup.options and (setup.players, worst) in told):
            continue
        if chance <= limit:
            told.add((setup.players, worst))
        number = len(wins.games)
        words = f"seat {worst + 1} wins {shares[worst]} of {number} games, {wins.equal:.0f} would be its share"
        yield Finding(
            "seats",
            setup.name,
            f"{words} ({setup.name}): is that seat meant to be worth so much, or so little?",
            setup.name,
            wins.games[0].seed,
            50 if chance <= limit else 0,
            data={"wins": shares, "games": number, "chance": float(f"{min(1.0, chance * tests):.2g}")},
        )


def left_out(_checked: CheckedGame, counted: Counted) -> Iterator[Finding]:
    """What happens to some seats in many games and never to another, where most things happen to all."""
    for one in counted.series:
        players = one.setup.players
        things = sorted({key[:2] for key in one.games_with if key[0] in TOLD}, key=str)
        games = {thing: [one.games_with[*thing, seat] for seat in range(players)] for thing in things}
        often = {thing: per for thing, per in games.items() if max(per) >= FEW_GAMES}
        shared = sum(min(per) > 0 for per in often.values())
        if one.setup.options or players < 2 or shared < ALIKE * len(often):
            continue
        for (kind, name), per in often.items():
            if min(per) == 0:
                without = ", ".join(str(seat + 1) for seat, number in enumerate(per) if not number)
                told = f"{TOLD[str(kind)].format(name=name)} of seat {without} in no game, of others in {max(per)} of {len(one.games)}"
                yield Finding(
                    "left out",
                    f"{kind} {name}",
                    f"{told} ({one.setup.name}): are the seats meant to differ?",
                    one.setup.name,
                    one.seeds[kind, name, per.index(max(per))],
                    44 if max(per) >= MANY_GAMES else 0,
                )


TOLD = {"asked of": "`{name}` is asked", "written of": "`{name}` changes"}  # what is counted for each seat


def idle_knowledge(checked: CheckedGame, counted: Counted) -> Iterator[Finding]:
    """What its owner alone sees, and has at no time when he is asked anything."""
    for group in seated(checked):
        held, used = counted.games_with["held", group.name], counted.games_with["held when asked", group.name]
        if group.private and held >= OFTEN and not used:
            yield Finding(
                "idle knowledge",
                group.name,
                f"in {held} games somebody alone sees what he has in `{group.name}`, and is asked nothing while he has it: "
                "what is it hidden for?",
                *counted.seeds["held", group.name],
                28,
            )

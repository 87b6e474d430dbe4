"""Questions about seats: who wins too often, who is left out, and what a player knows to no end."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.checker.program import CheckedGame

from .counted import FEW_GAMES, OFTEN, Counted
from .finding import Finding
from .significance import binomial
from .tables import seated

SEATS = 1e-4  # how unlikely by chance seats must be
SEATS_NEAR = 0.05
MANY_GAMES = 40  # in which others had something that a seat never had
ALIKE = 0.7  # the share of things that all seats have, in a game whose seats are alike


def winning_seats(_checked: CheckedGame, counted: Counted) -> Iterator[Finding]:
    """Seats that win more or less often than by chance."""
    for one in counted.series:
        players = one.setup.players
        decided = [game for game in one.finished if game.outcome == "some" and len(game.winners) < players]
        if one.setup.options or players < 2 or len(decided) < FEW_GAMES:
            continue
        winners = sum(len(game.winners) for game in decided)
        shares = [sum(seat in game.winners for game in decided) for seat in range(players)]
        equal = winners / players / len(decided)
        worst = min(range(players), key=lambda seat: binomial(shares[seat], len(decided), equal))
        chance = min(1.0, players * binomial(shares[worst], len(decided), equal))
        if chance > SEATS_NEAR:
            continue
        told = f"seat {worst + 1} wins {shares[worst]} of {len(decided)} games, {equal * len(decided):.0f} would be its share"
        yield Finding(
            "seats",
            one.setup.name,
            f"{told} ({one.setup.name}): is that seat meant to be worth so much, or so little?",
            one.setup.name,
            decided[0].seed,
            50 if chance <= SEATS else 0,
            data={"wins": shares, "games": len(decided), "chance": float(f"{chance:.2g}")},
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

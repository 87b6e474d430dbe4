"""Questions about what lies on the table: zones and variables that stand still, go one way, or are not set back."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.checker.program import CheckedGame
from rulespec.text.quoting import ticked

from .counted import FEW_GAMES, NEAR, RARE, Counted
from .finding import Finding, Unreached
from .groups import PIECES, WORD, Group, groups

ASK = "is that so in the rules?"
ROUNDS = 60  # that must have begun, for what is otherwise in a few of them to be odd
FEW = 0.1  # the share of rounds that are a few
NEARLY_FEW = 0.2


def seated(checked: CheckedGame) -> list[Group]:
    """The variables and zones of the game with the most players."""
    return groups(checked.program(players=list(checked.players)[-1]))


def moves(checked: CheckedGame, counted: Counted) -> Iterator[Finding]:
    """Zones in which nothing ever lies, which pieces only leave, or only reach."""
    if len(counted.games) < FEW_GAMES:
        return
    template = checked.template
    targets = [i.zone for p in template.procedures for i in p.code if isinstance(i, ir.Move | ir.MoveCounts)]
    filled = {template.zones[zone].name for zone in targets if zone is not None}
    for group in seated(checked):
        if group.what != PIECES:
            continue
        name = group.name
        into, out = counted.games_with["in", name], counted.games_with["out", name]
        if not into and not out and name not in filled:
            told = f"no piece ever comes into or leaves {ticked(name)}: what is it for?"
            yield Finding("still", name, told, *counted.first, 42)
        elif min(into, out) < RARE <= max(into, out):
            way = "pieces leave it and none ever comes back" if into < out else "pieces come there and none ever leaves"
            told = f"{ticked(name)}: {way}. Is that so in the rules?"
            together = Unreached(f"zones that pieces only {'leave' if into < out else 'come to'}", ASK, ticked(name))
            yield Finding("one way", name, told, *counted.first, 0 if into and out else 15, unreached=together)


def still(checked: CheckedGame, counted: Counted) -> Iterator[Finding]:
    """Variables that never change."""
    games = len(counted.games)
    for group in seated(checked) if games >= FEW_GAMES else ():
        times = counted.games_with["written", group.name]
        if group.what != PIECES and times < RARE:
            told = "is never given another value" if group.what == WORD else "keeps its first value"
            told = f"`{group.name}` {told} in {games} games: should it change?"
            yield Finding("still", group.name, told, *counted.first, 0 if times else 35)


def bounds(checked: CheckedGame, counted: Counted) -> Iterator[Finding]:
    """Numbers of players that stand at their highest value in the end."""
    games = len(counted.games)
    for group in seated(checked) if games >= FEW_GAMES else ():
        name, high = group.name, counted.totals["at highest", group.name]
        if (
            group.what != PIECES
            and group.owned
            and counted.games_with["written", name] >= RARE
            and high >= NEAR * games
        ):
            told = f"{ticked(name)} stands at its highest value, {group.high}, at the end of {high} of {games} games: is the bound too low?"
            yield Finding("bound", name, told, *counted.first, 38 if high == games else 0)


def rounds(checked: CheckedGame, counted: Counted) -> Iterator[Finding]:
    """Zones and numbers that change in most rounds, are again what they were at the first at nearly every beginning, and not at a few."""
    for group in seated(checked):
        same, other = (counted.totals[f"{word} at a round", group.name] for word in ("same", "other"))
        number, moved = same + other, counted.totals["moved in a round", group.name]
        if number < ROUNDS or 2 * moved < number or not 0 < other <= NEARLY_FEW * number:
            continue
        yield Finding(
            "rounds",
            group.name,
            f"`{group.name}` is what it was at the first round when {same:,} of {number:,} later ones begin, and in {other:,} it is not: "
            "is it filled up or set back in every case?",
            *counted.seeds["other at a round", group.name],
            31 if other <= FEW * number else 0,
        )

"""A server that is killed again and again while people play: whether anything that it confirmed is lost."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from pathlib import Path

from websockets.exceptions import ConnectionClosed

from interpreter.bots.basics import Chance

from .child import Child, child
from .measure import Figure
from .player import Player

LIFE = 0.8  # seconds between the first answer and the end, at most


async def killed(folder: Path, game: str, kills: int) -> list[Figure]:
    """Kill so many servers of one folder; each goes on where the one before was."""
    chance = Chance(1)
    links: dict[str, str] = {}
    confirmed: dict[str, int] = {}
    lost = answers = 0
    for _ in range(kills + 1):
        async with child(folder, [game]) as server:
            if not links:
                links = await opened(server, game)
            players = [Player(server.port, link) for link in links.values()]
            for player in players:
                await player.join()
                await player.until(lambda me: me.view)
            for player in players:
                have = given(player)
                lost += max(0, confirmed.get(player.view["you"], 0) - have)
                confirmed[player.view["you"]] = have
            if players[0].over:
                await players[0].ask("again")
                await players[0].until(lambda me: not me.over)
                confirmed = {}
            end = asyncio.create_task(later(server, chance.below(100) / 100 * LIFE))
            with suppress(ConnectionClosed):
                while not players[0].over:
                    answers += await answered(players, confirmed, chance)
            await end
            for player in players:
                await player.leave()
    return [
        Figure("answers confirmed by servers that were killed", answers, f"by {kills + 1} servers"),
        Figure("confirmed answers that were lost", lost, "", 0),
    ]


async def opened(server: Child, game: str) -> dict[str, str]:
    """The links of a new table that has begun."""
    async with server.lobby() as lobby:
        links = await server.open(lobby, game)
        async with Player(server.port, links["host"]) as host:
            for seat in links["seats"]:
                await host.ask("seat", seat=seat, by="person")
            await host.ask("begin")
        return dict(links["seats"])


def given(player: Player) -> int:
    """How many answers of his the server knows."""
    return int(player.at.partition(".")[0])


async def answered(players: list[Player], confirmed: dict[str, int], chance: Chance) -> int:
    """One answer of whoever is asked; how many were confirmed."""
    for player in players:
        if player.asked:
            before, seat = player.at, player.view["you"]
            reply = await player.ask("answer", at=before, actions=[chance.one_of(player.legal())])
            if reply["type"] != "ok":
                return 0
            confirmed[seat] = int(before.partition(".")[0]) + 1
            await player.until(lambda me, before=before: me.at != before)
            return 1
    await asyncio.sleep(0.01)
    if any(player.closed is not None for player in players):
        raise next(player.closed for player in players if player.closed is not None)
    return 0


async def later(server: Child, seconds: float) -> None:
    """Kill a server after a while."""
    await asyncio.sleep(seconds)
    server.process.send_signal(signal.SIGKILL)

"""Delays, sizes and times of a server, each measured beside the bound that it has to keep."""

from __future__ import annotations

import asyncio
import statistics
import zlib
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from time import perf_counter, thread_time

from interpreter import Game, State
from interpreter.bots.basics import Chance
from rulespec.system.records import dataclass

from ...parameters import open_game
from ...serve.clients import RATE
from ...serve.storage import Home, Record
from ...serve.tables import Table
from .child import Child
from .player import Player

MILLI = 1000.0
SLOWEST, LARGEST = 20.0, 30.0  # milliseconds for a view, and kilobytes of it on the wire
WARM = 4  # answers of a game that are not measured: its thread makes ready to play it
SETTLE = 0.06  # seconds in which the views of one answer have all come; nobody answers faster for long


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that was measured; `most` is its bound, if it has one."""

    name: str
    value: float
    unit: str
    most: float | None = None

    @property
    def kept(self) -> bool:
        """Whether it keeps its bound."""
        return self.most is None or self.value <= self.most

    def told(self) -> str:
        """In a line."""
        bound = "" if self.most is None else f"  (at most {self.most:g})"
        return f"{self.name}: {self.value:,.3g} {self.unit}{bound}{'' if self.kept else '  TOO MUCH'}"


def percentile(values: Sequence[float], part: float) -> float:
    """The value below which a part of them lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


# --- views ------------------------------------------------------------------------------------------------
def views(name: str, answers: int) -> list[Figure]:
    """The processor time that a view takes and its size on the wire, over positions of a random game, for each seat and who watches."""
    game = open_game(name, None, (), (), "python")
    times: list[float] = []
    sizes: list[int] = []
    for state in positions(game, answers):
        table = Table(
            game, state, Record(name, game.num_players, ["person"] * game.num_players, begun=True), Home(Path())
        )
        for viewer in (None, *range(game.num_players)):
            start = thread_time()
            shown = table.show(viewer)
            times.append((thread_time() - start) * MILLI)
            packer = zlib.compressobj(5, zlib.DEFLATED, -15, 8)
            sizes.append(len(packer.compress(shown.whole.encode()) + packer.flush()))
    return [
        Figure(f"{name}: a view, median", statistics.median(times), "ms", SLOWEST),
        Figure(f"{name}: the largest view on the wire", max(sizes) / 1000, "kB", LARGEST),
    ]


def positions(game: Game, answers: int) -> list[State]:
    """Positions of a random game, evenly spread."""
    state, chance = game.new_state(1), Chance(1)
    out = [state.clone()]
    for number in range(answers):
        if state.is_terminal():
            break
        state.apply_action(chance.one_of(state.legal_actions()))
        if number % 10 == 9:
            out.append(state.clone())
    return out


# --- delays -----------------------------------------------------------------------------------------------
async def delays(players: Sequence[Player], answers: int) -> list[float]:
    """Milliseconds from an answer to the view of it on the screens of others, over random answers of one after the other."""
    chance, out = Chance(3), []
    for player in players:
        await player.until(lambda me: me.view)
    given = 0
    while given < answers:
        asked = [player for player in players if player.asked]
        while not asked and not players[0].over:
            await asyncio.sleep(0.005)
            asked = [player for player in players if player.asked]
        if not asked:
            break
        player = chance.one_of(asked)
        before, start = player.at, perf_counter()
        reply = await player.ask("answer", at=before, actions=[chance.one_of(player.legal())])
        if reply["type"] != "ok":  # one of several in another order than the rules': the next one
            await asyncio.sleep(SETTLE)
            continue
        given += 1
        await player.until(lambda me, before=before: me.at != before)
        await asyncio.sleep(SETTLE)
        out += [(other.came - start) * MILLI for other in players if other is not player and other.came > start]
    return out


async def seated(stack: AsyncExitStack, server: Child, lobby: Player, game: str) -> list[Player]:
    """People in all seats of a new table that has begun."""
    links = await server.open(lobby, game)
    players = [await stack.enter_async_context(Player(server.port, link)) for link in links["seats"].values()]
    await players[0].ask("begin")
    return players


async def answers_seen(server: Child, games: Sequence[str], answers: int) -> list[Figure]:
    """How soon an answer is on the other's screen."""
    out = []
    async with AsyncExitStack() as stack:
        lobby = await stack.enter_async_context(server.lobby())
        for game in games:
            players = await seated(stack, server, lobby, game)
            await delays(players, WARM)
            measured: list[float] = []
            for _ in range(answers):
                if players[0].over:
                    players = await seated(stack, server, lobby, game)
                measured += await delays(players, 1)
            out.append(
                Figure(f"{game}: an answer is on the other's screen, 95 of 100", percentile(measured, 0.95), "ms", 100)
            )
    return out


# --- many -------------------------------------------------------------------------------------------------
async def carried(
    server: Child, games: Sequence[str], tables: int, sockets: int, seconds: float, pace: float
) -> list[Figure]:
    """Tables of bots, and connections that watch them, while two people play at one more."""
    async with AsyncExitStack() as stack:
        lobby = await stack.enter_async_context(server.lobby())
        watching: list[Player] = []
        for number in range(tables):
            links = await server.open(lobby, games[number % len(games)], people=[])
            await asyncio.sleep(1 / RATE)  # one who says more is let go
            async with Player(server.port, links["host"]) as host:
                await host.ask("pace", seconds=pace)
                await host.ask("begin")
            several = sockets // tables + (number < sockets % tables)
            for n in range(several):
                link = links["spectator"] if n % 2 == 0 else links["host"]
                watching.append(await stack.enter_async_context(Player(server.port, link)))
        two = await seated(stack, server, lobby, games[0])
        for player in watching:
            await player.until(lambda me: me.view)
        before, used, start = [player.at for player in watching], server.seconds(), perf_counter()
        measured: list[float] = []
        while perf_counter() - start < seconds:
            if two[0].over:
                two = await seated(stack, server, lobby, games[0])
            measured += await delays(two, 1)
            await asyncio.sleep(0.2)
        length, used = perf_counter() - start, server.seconds() - used
        idle = sum(player.at == at and not player.over for player, at in zip(watching, before, strict=True))
        gone = sum(player.closed is not None for player in watching)
        return [
            Figure(
                f"{tables} tables of bots, {len(watching)} sockets: those that stood still for {length:.0f} s",
                idle,
                "sockets",
                0,
            ),
            Figure("those that were let go", gone, "sockets", 0),
            Figure(
                "an answer of two people beside them is on the other's screen, median",
                statistics.median(measured),
                "ms",
                100,
            ),
            Figure("the same, 95 of 100", percentile(measured, 0.95), "ms"),
            Figure("processor time of the server", used / length, "s/s", 1.5),
            Figure("memory of the server", server.memory() / 1e6, "MB", 1500),
        ]

"""Two people play while others do harm: what the two notice of it."""

from __future__ import annotations

import asyncio
import statistics
from contextlib import AsyncExitStack
from typing import Any

from ...serve.messages import PROTOCOL
from .child import Child
from .measure import Figure, delays, percentile, seated
from .mischief import Harm, babble, crowd, dawdle
from .player import Player

CONNECTIONS = 20  # that babble at once
LONGEST = 120.0  # seconds


async def besieged(server: Child, game: str, messages: int, connections: int, seconds: float = 10) -> list[Figure]:
    """So many bad messages, half of them of strangers and half of one of the seats, and so many idle connections at once."""
    strangers, insiders = Harm(), Harm()
    async with AsyncExitStack() as stack:
        lobby = await stack.enter_async_context(server.lobby())
        target = await server.open(lobby, game)
        victim = await stack.enter_async_context(Player(server.port, target["seats"][min(target["seats"])]))
        await victim.ask("begin")
        two = await seated(stack, server, lobby, game)
        quiet = await delays(two, max(4, messages // 500))
        _, _, token = target["seats"][max(target["seats"])].partition("#")
        hello: dict[str, Any] = {"type": "hello", "protocol": PROTOCOL, "table": target["table"], "token": token}
        share = -(-messages // (2 * CONNECTIONS))
        storm = asyncio.gather(
            *(babble(server.port, None, share, strangers) for _ in range(CONNECTIONS)),
            *(babble(server.port, hello, share, insiders) for _ in range(CONNECTIONS)),
            crowd(server.port, connections, seconds, strangers),
            dawdle(server.port, hello, max(2, connections // 20), seconds, insiders),
        )
        measured: list[float] = []
        loop = asyncio.get_running_loop()
        end = loop.time() + LONGEST
        while not storm.done() and loop.time() < end:
            if two[0].over:
                two = await seated(stack, server, lobby, game)
            measured += await delays(two, 1)
            await asyncio.sleep(0.05)
        unfinished = not storm.done()
        storm.cancel()
        await asyncio.gather(storm, return_exceptions=True)
        alive = two[0].closed is None and two[1].closed is None and victim.closed is None
        return [
            Figure(
                "bad messages sent",
                strangers.sent + insiders.sent,
                f"on {strangers.connections + insiders.connections} connections",
            ),
            Figure("what strangers were told", len(strangers.leaked), "messages", 0),
            Figure("honest people who were let go", 0 if alive else 1, "", 0),
            Figure("mischief that was not over in time", int(unfinished), "", 0),
            Figure("an answer before it, median", statistics.median(quiet), "ms"),
            Figure("an answer while it lasts, median", statistics.median(measured), "ms", 100),
            Figure("the same, 95 of 100", percentile(measured, 0.95), "ms"),
        ]

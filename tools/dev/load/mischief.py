"""Clients that do harm: what they send is refused, what they learn is nothing, and others play on."""

from __future__ import annotations

import asyncio
import json
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import field
from itertools import cycle

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from rulespec.system.records import dataclass

from ...serve.messages import MOST_BYTES, PROTOCOL

LISTEN = 0.5  # seconds after the last message
NOBODY = "0" * 32  # a token of nobody


@dataclass
class Harm:
    """What was done, and what came of it."""

    sent: int = 0
    connections: int = 0
    closed: Counter[int] = field(default_factory=Counter)
    heard: Counter[str] = field(default_factory=Counter)  # types of messages that came back
    leaked: list[str] = field(default_factory=list)  # what came back to who has no pass, other than the closing


def nonsense(at: str, other: str) -> Iterator[str]:
    """Messages that make no sense, are too large, come out of turn, were meant for another view, or are another's: without end."""
    answer = {"type": "answer", "id": "a", "at": at, "actions": [0]}
    texts = [
        "", "{", "null", "[]", "3", '"hello"', "[" * 9000, '{"type": 7}', '{"type": "nothing"}', '{"type": "answer"}',
        json.dumps({**answer, "actions": "all"}), json.dumps({**answer, "actions": [-1]}), json.dumps({**answer, "actions": [2**70]}),
        json.dumps({**answer, "id": "x" * 4000}), json.dumps({**answer, "at": other}), json.dumps({**answer, "at": "0.0", "id": "late"}),
        json.dumps({**answer, "actions": list(range(400)), "id": "many"}), json.dumps({**answer, "several": [9] * 400, "id": "same"}),
        json.dumps({"type": "undo", "id": "u", "at": at}), json.dumps({"type": "agree", "ask": 1, "yes": True}),
        json.dumps({"type": "agree", "ask": 2**62, "yes": True}), json.dumps({"type": "here", "seat": "host"}),
        json.dumps({"type": "seat", "id": "s", "seat": "x", "by": "bot"}), json.dumps({"type": "links", "id": "l"}),
        json.dumps({"type": "record", "id": "r"}), json.dumps({"type": "close", "id": "c", "table": "x"}),
        json.dumps({"type": "open", "id": "o", "game": "../../etc/passwd"}), json.dumps({"type": "pace", "id": "p", "seconds": 1e9}),
        json.dumps({"type": "hello", "protocol": PROTOCOL, "token": NOBODY, "table": "x"}), json.dumps({"type": "again", "id": "n"}),
        json.dumps({"type": "chat", "text": "x" * 5000}), '{"type": "chat", "text": "\\ud800"}', "x" * (MOST_BYTES + 1),
    ]  # fmt: skip
    return cycle(texts)


async def babble(port: int, hello: dict[str, object] | None, messages: int, harm: Harm) -> None:
    """Send so many bad messages, with a new connection whenever one is closed; `hello` lets in somebody who has a pass."""
    texts = nonsense("0.0", "99.deadbeefdeadbeef")
    left = messages
    while left > 0:
        harm.connections += 1
        try:
            async with connect(
                f"ws://127.0.0.1:{port}/ws", ping_interval=None, open_timeout=30, close_timeout=1
            ) as connection:
                hearing = asyncio.create_task(hear(connection, hello is None, harm))
                try:
                    if hello is not None:
                        await connection.send(json.dumps(hello))
                    while left > 0 and not hearing.done():
                        await connection.send(next(texts))
                        left -= 1
                        harm.sent += 1
                        await asyncio.sleep(0)
                    await asyncio.wait([hearing], timeout=LISTEN)
                finally:
                    await connection.close()
                    await hearing
        except ConnectionClosed as closed:
            harm.closed[closed.rcvd.code if closed.rcvd else 1006] += 1
        except (OSError, InvalidHandshake, TimeoutError):
            harm.closed[0] += 1


async def hear(connection: object, stranger: bool, harm: Harm) -> None:
    """Take down what comes back."""
    try:
        async with asyncio.timeout(20):
            async for frame in connection:  # type: ignore[attr-defined]
                harm.heard[json.loads(frame)["type"]] += 1
                if stranger:
                    harm.leaked.append(str(frame)[:200])
    except ConnectionClosed:
        pass
    except TimeoutError:
        return
    harm.closed[getattr(connection, "close_code", None) or 1006] += 1


async def crowd(port: int, number: int, seconds: float, harm: Harm) -> None:
    """So many connections at once that never say who they are: half of them do not even ask for a websocket."""
    writers: list[asyncio.StreamWriter] = []
    for n in range(number):
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            harm.closed[0] += 1
            continue
        del reader
        harm.connections += 1
        if n % 2:
            writer.write(UPGRADE.replace(b"PORT", str(port).encode()))
        writers.append(writer)
    await asyncio.sleep(seconds)
    for writer in writers:
        with suppress(OSError):
            writer.transport.abort()


async def dawdle(port: int, hello: dict[str, object], number: int, seconds: float, harm: Harm) -> None:
    """So many connections that ask for the whole view again and again, and never read."""
    sockets = []
    loop = asyncio.get_running_loop()
    frame = masked(json.dumps({"type": "view"}).encode())
    for _ in range(number):
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.setblocking(False)
        with suppress(OSError):
            await loop.sock_connect(one, ("127.0.0.1", port))
            await loop.sock_sendall(
                one, UPGRADE.replace(b"PORT", str(port).encode()) + masked(json.dumps(hello).encode())
            )
        harm.connections += 1
        sockets.append(one)
    end = loop.time() + seconds
    while loop.time() < end:
        for one in sockets:
            with suppress(OSError):
                one.send(frame)
                harm.sent += 1
        await asyncio.sleep(0.2)
    for one in sockets:
        one.close()


def masked(payload: bytes) -> bytes:
    """A text frame of a client, with a mask of zeros."""
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else bytes([0x80 | 126]) + size.to_bytes(2, "big")
    return b"\x81" + length + bytes(4) + payload


UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)

"""The socket: requests for files, and websockets, both on one port."""

from __future__ import annotations

import asyncio
import json
import logging
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from typing import Any

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory
from websockets.http11 import Request, Response

from . import journal
from .address import Address, checked_host, plain, same_origin
from .house import House
from .messages import MOST_BYTES
from .web import HEALTH, SOCKET, Answer, Page, security

FRAMES = 8  # of one connection that wait to be read
BUFFER = 65_536  # bytes that wait to be sent
Welcome = Callable[[ServerConnection], Awaitable[None]]
QUIET = logging.getLogger("rulespec.serve.websockets")
QUIET.addHandler(logging.NullHandler())
QUIET.propagate = False  # what strangers send is no news


class Door:
    """Decides on each request: a file, a websocket, or neither.

    `url` is the address by which others reach us through a server in between; that may leave out its path, the host, or neither.
    """

    def __init__(
        self,
        page: Page,
        names: Collection[str],
        url: Address | None,
        health: Callable[[], dict[str, Any]],
        sockets: Collection[str] = (SOCKET,),
    ) -> None:
        self.page = page
        self.url = url
        self.path = "" if url is None else url.path
        self.health = health
        self.sockets = sockets
        self.names = frozenset(map(plain, names if url is None else [*names, url.host]))

    def decide(self, _connection: ServerConnection, request: Request) -> Response | None:
        """The answer to a request; None lets a websocket be opened."""
        try:
            return self.decided(request)
        except Exception as problem:
            journal.fault("a request", problem)
            return response(Answer(500, security("localhost"), b"The server has trouble with this.\n"))

    def decided(self, request: Request) -> Response | None:
        """See `decide`."""
        hosts = request.headers.get_all("Host")
        host = checked_host(hosts[0], self.names) if len(hosts) == 1 else None
        if host is None:
            return response(Answer(421, security("localhost"), b"This server does not go by that name.\n"))
        path = self.below(request.path.partition("?")[0])
        hosts = [host] if self.url is None else [host, self.url.host]
        if path in self.sockets:
            origins = request.headers.get_all("Origin")
            if len(origins) > 1 or not same_origin(origins[0] if origins else None, host, self.url):
                return response(Answer(403, security(host), b"Only the page of this server may do that.\n"))
            return None
        if path == HEALTH:
            return response(told(self.health(), host))
        if not path:
            return response(Answer(308, {**security(host), "Location": f"{self.path}/"}))
        return response(self.page.answer(path, request.headers, *hosts))

    def below(self, path: str) -> str:
        """A path without that of our address, unless that was left out before; empty where nothing is behind it."""
        ours = path in self.sockets or path == HEALTH or self.page.name(path) is not None
        return path if ours or not f"{path}/".startswith(f"{self.path}/") else path.removeprefix(self.path)


def told(health: dict[str, Any], host: str) -> Answer:
    """Whether all is well, for who watches over the server: 200 where it is, and else 503."""
    headers = {**security(host), "Content-Type": "application/json", "Cache-Control": "no-store"}
    return Answer(200 if health["status"] == "ok" else 503, headers, f"{json.dumps(health)}\n".encode())


def response(answer: Answer) -> Response:
    """An answer as it is sent."""
    status = HTTPStatus(answer.status)
    headers = Headers(answer.headers)
    headers["Content-Length"] = str(len(answer.body))
    headers["Connection"] = "close"
    return Response(status.value, status.phrase, headers, answer.body)


def compression() -> ServerPerMessageDeflateFactory:
    """Messages are compressed each by itself, so that a connection that waits costs no memory."""
    return ServerPerMessageDeflateFactory(
        server_no_context_takeover=True, client_no_context_takeover=True, compress_settings={"level": 5, "memLevel": 8}
    )


@asynccontextmanager
async def listening(
    house: House,
    host: str,
    port: int,
    page: Page,
    names: Collection[str] = (),
    url: Address | None = None,
    others: Mapping[str, Welcome] | None = None,
    most: int = MOST_BYTES,
) -> AsyncIterator[Server]:
    """The server, as long as the block lasts; raises OSError where the port cannot be had.

    `others` are websockets of other paths than that of tables, by who welcomes those who come, with messages of `most` bytes.
    """
    welcomes = {SOCKET: house.welcome, **(others or {})}
    door = Door(page, {*names, host}, url, house.health, welcomes)

    async def welcome(connection: ServerConnection) -> None:
        path = "" if connection.request is None else door.below(connection.request.path.partition("?")[0])
        await welcomes[path](connection)

    asyncio.get_running_loop().set_exception_handler(journal.of_loop)
    async with serve(
        welcome,
        host,
        port,
        process_request=door.decide,
        extensions=[compression()],
        compression=None,
        server_header="rulespec",
        max_size=most,
        max_queue=FRAMES,
        write_limit=BUFFER,
        open_timeout=10,
        ping_interval=20,
        ping_timeout=20,
        close_timeout=2,
        logger=QUIET,
    ) as server:
        try:
            yield server
        finally:
            await house.close()


def port_of(server: Server) -> int:
    """The port that the system has given."""
    return int(next(iter(server.sockets)).getsockname()[1])


async def until_stopped(ready: Callable[[], None]) -> None:
    """Wait for an interrupt, or for being told to end."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # Windows: an interrupt is raised there
            loop.add_signal_handler(number, stop.set)
    ready()
    await stop.wait()


def room_for_connections() -> None:
    """Let this process have as many connections as the system lets it."""
    try:
        import resource
    except ImportError:  # Windows counts otherwise
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192) if hard > 0 else max(soft, 8192), hard))

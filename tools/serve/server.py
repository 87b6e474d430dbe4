"""The socket: requests for files, and websockets, both on one port."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory
from websockets.http11 import Request, Response

from . import journal
from .house import House
from .messages import MOST_BYTES
from .web import SOCKET, Answer, Page, checked_host, same_origin, security

FRAMES = 8  # of one connection that wait to be read
BUFFER = 65_536  # bytes that wait to be sent
QUIET = logging.getLogger("rulespec.serve.websockets")
QUIET.addHandler(logging.NullHandler())
QUIET.propagate = False  # what strangers send is no news


class Door:
    """Decides on each request: a file, a websocket, or neither."""

    def __init__(self, page: Page, names: Collection[str]) -> None:
        self.page = page
        self.names = frozenset(name.lower() for name in names)

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
        if request.path == SOCKET:
            origins = request.headers.get_all("Origin")
            if len(origins) > 1 or not same_origin(origins[0] if origins else None, host):
                return response(Answer(403, security(host), b"Only the page of this server may do that.\n"))
            return None
        return response(self.page.answer(request.path, request.headers, host))


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
    house: House, host: str, port: int, page: Page, names: Collection[str] = ()
) -> AsyncIterator[Server]:
    """The server, as long as the block lasts; raises OSError where the port cannot be had."""
    door = Door(page, {*names, host})
    asyncio.get_running_loop().set_exception_handler(journal.of_loop)
    async with serve(
        house.welcome,
        host,
        port,
        process_request=door.decide,
        extensions=[compression()],
        compression=None,
        server_header="rulespec",
        max_size=MOST_BYTES,
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

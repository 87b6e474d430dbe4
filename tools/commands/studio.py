"""`rulespec studio`: the files of a game in an editor, and its table beside them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulespec.text.quoting import ticked

from .. import console
from ..extras import install
from ..framework import CLEAN, MISUSE, Command, Misuse, Whole
from ..parameters import complete_game

if TYPE_CHECKING:
    from ..studio.projects import Project, Projects
    from ..studio.studio import Studio

PORT = 8018


@click.command(
    "studio",
    cls=Command,
    examples=["rulespec studio", "rulespec studio my_game --open", "rulespec studio {game}"],
)
@click.argument("game", metavar="[GAME]", required=False, shell_complete=complete_game)
@click.option("--port", type=Whole(0, 65535), default=PORT, show_default=True, help="0 is any that is free.")
@click.option("--open", "browser", is_flag=True, help="Open the browser.")
def command(game: str | None, port: int, browser: bool) -> int:
    """Write a game in a browser, and play it there as it stands.

    GAME is a folder: of a game, or one in which games are or are to be made; the folder that you are in, if not said. Nothing is
    written outside of it. A shipped game, named by its id, is only read: a copy or a variant of it is made where you are. What is
    typed is kept before it is saved, in a hidden folder there. It listens on this machine only.
    """
    try:
        import pygls  # noqa: F401
        import websockets  # noqa: F401
    except ImportError:
        console.error("C008", "`rulespec studio` needs more packages", install("studio"))
        return MISUSE
    from ..serve.house import House
    from ..serve.storage import Folder, InUse
    from ..studio.drafts import Drafts
    from ..studio.studio import HIDDEN, Studio

    projects, start = places(game)
    hidden = projects.root / HIDDEN
    try:
        drafts = Drafts(hidden / "drafts")
        house = House(Folder(hidden), backend="python")
        for left in house.folder.tables():  # of a studio that was killed
            house.folder.home(left).remove()
    except InUse:
        console.error("C007", f"another studio is open in {ticked(str(projects.root))}", "go on in that one, or end it")
        return MISUSE
    except OSError as error:
        console.error(
            "C007", f"nothing can be written in {ticked(str(projects.root))}: {console.reason(error)}", "name a folder"
        )
        return MISUSE
    studio = Studio(projects, house, drafts, start)
    try:
        return asyncio.run(served(studio, port, browser))
    except OSError as error:
        console.error(
            "C006", f"port {port} cannot be listened at: {console.reason(error)}", "`--port 0` takes one that is free"
        )
        return MISUSE


def places(game: str | None) -> tuple[Projects, Project | None]:
    """The folder that is written to, and the game that is open at first, if one is named; raises Misuse."""
    from rulespec.text.diagnostics import Diagnostics
    from rulespec.text.locate import MAIN, find

    from ..studio.projects import Projects

    if game is None:
        return Projects(Path()), None
    path = Path(game)
    if path.is_dir():
        return Projects(path), None
    if path.is_file():
        return Projects(path.absolute().parent, path.resolve()), None
    found = Diagnostics()
    if find(game, found) is None:
        first = found.sorted()[0]
        raise Misuse(
            first.message, first.help[0] if first.help else f"a folder with a {MAIN}, or in which one is to be made"
        )
    here = Projects(Path())
    return here, here.shipped(game)


async def served(studio: Studio, port: int, browser: bool) -> int:
    """Serve until told to end."""
    from ..serve.server import listening, port_of, until_stopped
    from ..studio.messages import MOST
    from ..studio.studio import SOCKET
    from ..studio.web import StudioPage
    from .serve import has_screen

    others = {SOCKET: studio.welcome}
    async with listening(studio.house, "localhost", port, StudioPage(), others=others, most=MOST) as server:
        link = f"http://localhost:{port_of(server)}/#{studio.house.token}"

        def ready() -> None:
            console.data(f"  the studio at {link}")
            console.message(
                f"files are written in {console.printable(str(studio.projects.root))} only; Ctrl-C stops the studio"
            )
            console.before_waiting()
            if browser and has_screen():
                click.launch(link)

        studio.house.loaded = True
        watching = asyncio.create_task(studio.watch())
        await until_stopped(ready)
        watching.cancel()
        await studio.close()
    return CLEAN

"""The studio without processes, threads and a network, as in a browser: what others do elsewhere is done here, a little at a time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from rulespec.system import files
from rulespec.text.locate import MAIN

from ..serve.house import House
from ..serve.storage import Folder
from ..serve.tables import Reply
from ..templating import NAME
from .drafts import Drafts
from .elsewhere import Beside, Elsewhere
from .making import MOST_BYTES, room
from .projects import DEEPEST, ENDINGS, PART, Project, Projects, Refused
from .studio import HIDDEN, SOCKET, Studio
from .trials import Trials, answer
from .trying import Runner

TOKEN = "here"  # nobody else can reach it
GONE = 1006  # the code of a connection that breaks
MOST_FILES = 60  # of a game that is brought in
Say = Callable[[str], None]
Shut = Callable[[int], None]


class Pipe:
    """What a runner answers through."""

    def __init__(self, hear: Callable[[Reply], None]) -> None:
        self.hear = hear

    def poll(self) -> bool:
        """Nothing comes this way."""
        return False

    def send_bytes(self, data: bytes) -> None:
        """An answer."""
        self.hear(json.loads(data))


class Here(Trials):
    """Runs the cases between other things that are done."""

    def __init__(self, project: Project, tell: Callable[[Reply], None]) -> None:
        super().__init__(project, tell)
        self.runner = Runner(Pipe(self.heard), project)  # type: ignore[arg-type]  # all that it uses of one
        self.going: asyncio.Task[None] | None = None

    def send(self, request: dict[str, Any]) -> None:
        """Do it, all cases one by one."""
        if "trace" in request:
            asyncio.get_running_loop().call_soon(self.runner.hear, request)
        elif not self.closed:
            self.going = asyncio.get_running_loop().create_task(self.tried(request))

    async def tried(self, request: dict[str, Any]) -> None:
        """Run all cases."""
        texts = {Path(path): text for path, text in request["texts"].items()}
        for _ in self.runner.tried(Path(request["main"]), texts, request["run"]):
            await asyncio.sleep(0)

    def heard(self, told: Reply) -> None:
        """An answer of the runner."""
        waiting: Future[Reply] | None = self.traces.pop(told.pop("trace"), None) if "trace" in told else None
        if waiting is not None:
            answer(waiting, told)
        else:
            self.busy = self.busy and not told.get("done")
            self.tell(told)

    def end(self) -> None:
        """End what goes on."""
        if self.going is not None:
            self.going.cancel()
            self.going = None
        super().end()


class Wire:
    """A connection within this process, which is used as one of `websockets`."""

    def __init__(self, say: Say, shut: Shut) -> None:
        self.said: asyncio.Queue[str] = asyncio.Queue()
        self.say, self.shut = say, shut
        self.transport = self

    async def recv(self) -> str:
        """The next message."""
        return await self.said.get()

    async def send(self, text: str) -> None:
        """Say something."""
        self.say(text)

    async def close(self, code: int = 1000, _why: str = "") -> None:
        """Close it."""
        self.shut(code)

    def abort(self) -> None:
        """Break it."""
        self.shut(GONE)


class Alone(Studio):
    """A studio for one person."""

    trials = Here

    def __init__(self, root: Path, give: Callable[[str], None]) -> None:
        """Of a folder that is there; `give` is how another Python is asked to look through games.  Raises OSError."""
        self.elsewhere = Elsewhere(give)
        self.looker = partial(Beside, root, self.elsewhere)
        hidden = root / HIDDEN
        house = House(Folder(hidden), backend="python")
        house.token, house.loaded = TOKEN, True
        for left in house.folder.tables():
            house.folder.home(left).remove()
        super().__init__(Projects(root), house, Drafts(hidden / "drafts"), None)
        self.wires: dict[int, tuple[Wire, asyncio.Task[None]]] = {}
        self.numbers = count(1)

    def connect(self, path: str, say: Say, shut: Shut) -> int:
        """Begin a connection to the studio or to a table; its number."""
        wire: Any = Wire(say, shut)
        number = next(self.numbers)
        welcome = self.welcome if path == SOCKET else self.house.welcome
        self.wires[number] = wire, asyncio.get_running_loop().create_task(welcome(wire))
        return number

    def hear(self, number: int, text: str) -> None:
        """A message on a connection."""
        if number in self.wires:
            self.wires[number][0].said.put_nowait(text)

    def disconnect(self, number: int) -> None:
        """Nobody hears a connection any more."""
        if number in self.wires:
            self.wires.pop(number)[1].cancel()

    def take(self, name: str, texts: dict[str, str]) -> str:
        """Put a game that came from elsewhere beside the others, and show it first; its name here.  Raises Refused and OSError."""
        if not NAME.fullmatch(name):
            raise Refused("the name of the game is no id: small letters, digits and _ only, a letter first")
        if MAIN not in texts or len(texts) > MOST_FILES or sum(map(len, texts.values())) > MOST_BYTES:
            raise Refused(f"a game has a {MAIN}, and at most {MOST_FILES} files")
        for file in texts:
            parts = file.split("/")
            if len(parts) > DEEPEST or not all(map(PART.fullmatch, parts)) or not file.endswith(ENDINGS):
                raise Refused("one of the files has a name that no file of a game has")
        free = next(
            one for n in count(1) if not (self.projects.root / (one := name if n == 1 else f"{name}_{n}")).exists()
        )
        target = room(self.projects, free)
        for file, text in texts.items():
            place = target / file
            place.parent.mkdir(parents=True, exist_ok=True)
            files.replace(place, text)
        self.start = self.projects.named(free)
        return free

    def given(self) -> tuple[str, dict[str, str]]:
        """The game that is open, with the texts of its files as they stand; raises Refused and OSError."""
        for one in self.open:
            if one.project is not None:
                project = one.project
                texts = {name: project.read(name) or "" for name in project.names()}
                for name in texts:
                    texts[name] = one.texts.get(project.path(name).resolve(), texts[name])
                if project.main.name != MAIN:
                    raise Refused("only a game with all its rules can be carried, not a variant that stands alone")
                return project.name.rpartition("/")[2], texts
        raise Refused("no game is open")


def asked(studio: Alone, text: str) -> str:
    """What the page around the studio asks, answered: `take` a game, `give` the one that is open."""
    question = json.loads(text)
    try:
        if "take" in question:
            return json.dumps({"game": studio.take(question["take"]["name"], question["take"]["files"])})
        if "give" in question:
            name, texts = studio.given()
            return json.dumps({"name": name, "files": texts})
    except (Refused, OSError) as problem:
        return json.dumps({"why": str(problem)[:1].upper() + str(problem)[1:]})
    return "{}"

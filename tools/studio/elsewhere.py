"""The thorough look at games where there are no processes: in another Python of the page, with files of its own."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..lsp.thorough import Child, Looker, looked_at, read, written
from .projects import ENDINGS

if TYPE_CHECKING:
    from ..linting import Found
    from ..lsp.reading import Texts

Answer = asyncio.Future[str]


class Elsewhere:
    """The other Python, which does one thing at a time; of what waits for it only the newest is done."""

    def __init__(self, give: Callable[[str], None]) -> None:
        self.give = give
        self.now: Answer | None = None
        self.next: tuple[str, Answer] | None = None

    def ask(self, text: str) -> Answer:
        """Its answer; empty where something else is asked before its turn."""
        found: Answer = asyncio.get_running_loop().create_future()
        left, self.next = self.next, (text, found)
        if left is not None:
            answer(left[1], "")
        self.go_on()
        return found

    def hear(self, text: str) -> None:
        """It has answered."""
        now, self.now = self.now, None
        if now is not None:
            answer(now, text)
        self.go_on()

    def go_on(self) -> None:
        """Have it do what waits."""
        if self.now is None and self.next is not None:
            (text, self.now), self.next = self.next, None
            self.give(text)


def answer(waiting: Answer, text: str) -> None:
    """Tell whoever waits, unless he is gone."""
    if not waiting.done():
        waiting.set_result(text)


class Beside(Looker):
    """Has another Python look."""

    def __init__(self, root: Path, elsewhere: Elsewhere) -> None:
        super().__init__()
        self.root = root.resolve()
        self.elsewhere = elsewhere

    def started(self) -> Child | None:
        """There is no process."""
        return None

    def coming(self, _waiting: Executor, game: Path, texts: Texts, age: int) -> asyncio.Future[Found | None]:
        """See `Looker`."""
        return asyncio.get_running_loop().create_task(self.told(game, texts, age))

    async def told(self, game: Path, texts: Texts, age: int) -> Found | None:
        """What is found; None where the texts are others by then."""
        found = await self.elsewhere.ask(json.dumps(request(self.root, game, texts)))
        return read(found.encode()) if found and age == self.age else None


def request(root: Path, game: Path, texts: Texts) -> dict[str, Any]:
    """What is asked: a game, with its files where they are below a folder, and the texts that are open."""
    files: dict[str, str] = {}
    if game.is_relative_to(root):
        for path in sorted((root / game.relative_to(root).parts[0]).rglob("*")):
            if path.suffix in ENDINGS and path.is_file():
                files[str(path)] = path.read_bytes().decode(errors="replace")
    return {
        "root": str(root), "game": str(game), "files": files, "texts": {str(path): text for path, text in texts.items()},
    }  # fmt: skip


def looked(text: str) -> str:
    """What is found, in the other Python: the files are put where they are in the first one."""
    asked = json.loads(text)
    shutil.rmtree(asked["root"], ignore_errors=True)
    for name, body in asked["files"].items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body.encode())
    return written(looked_at(Path(asked["game"]), {Path(path): one for path, one in asked["texts"].items()})).decode()

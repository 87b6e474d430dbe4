"""What the pages of a studio share: the folder, the drafts, the tables that follow the texts."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..lsp.thorough import Looker
from ..serve.clients import Client
from ..serve.house import House
from ..serve.messages import PROTOCOL
from ..serve.tables import Reply
from .drafts import Drafts
from .live import Live
from .projects import Project, Projects, Refused, digest, title
from .shelf import Shelf
from .trials import Trials

MOST_LIVE = 4
EVERY = 2.0  # seconds between two looks at the files


class Opened(ABC):
    """What a page has open: the game that it shows, and the texts that it has not saved."""

    def __init__(self, client: Client, page: str) -> None:
        self.client = client
        self.page = page
        self.project: Project | None = None
        self.texts: dict[Path, str] = {}

    @abstractmethod
    def elsewhere(self) -> None:
        """Files have changed that this page has not changed."""

    def here(self) -> Project:
        """The game that is open; raises Refused."""
        if self.project is None:
            raise Refused("no game is open")
        return self.project


class Shared:
    """A folder of games, and the pages in which they are written; `trials` run cases, a `looker` looks through games."""

    trials: type[Trials] = Trials
    looker: Callable[[], Looker] = Looker

    def __init__(self, projects: Projects, house: House, drafts: Drafts, start: Project | None) -> None:
        self.projects = projects
        self.house = house
        house.library = Shelf(self.unsaved)
        self.drafts = drafts
        self.start = start
        self.open: set[Opened] = set()
        self.live: dict[Path, Live] = {}
        self.written: dict[Path, str] = {}  # what pages know of files, by digest
        self.closing: set[asyncio.Task[None]] = set()
        self.writing = asyncio.Lock()

    def described(self) -> Reply:
        """What a page is told first: the games that are here."""
        own = self.projects.own()
        start = self.start.name if self.start is not None else own[0].name if len(own) == 1 else None
        return {
            "protocol": PROTOCOL, "start": start, "whole": self.projects.whole,
            "folder": self.projects.root.name, "games": [{"game": one.name, "title": title(one)} for one in own],
            "shipped": [{"game": one.name, "title": title(one)} for one in self.projects.all_shipped],
        }  # fmt: skip

    def unsaved(self, main: str) -> dict[Path, str]:
        """The texts of a game that are on its table and not saved."""
        return next((one.texts for one in self.live.values() if str(one.main) == main), {})

    def pages(self, but: Opened) -> set[str]:
        """The pages that are open, but one."""
        return {one.page for one in self.open if one is not but}

    def say(self, message: Reply, but: Opened | None = None) -> None:
        """Tell all pages but one."""
        for one in self.open:
            if one is not but:
                one.client.say(message)

    async def watch(self) -> None:
        """Tell pages of files that others have changed, for good."""
        before: dict[Path, dict[str, tuple[int, int]]] = {}
        while True:
            await asyncio.sleep(EVERY)
            projects = {one.project.main: one.project for one in self.open if one.project is not None}
            for main, project in projects.items():
                now = await asyncio.to_thread(project.times)
                changed = {name for name, _ in now.items() ^ before.get(main, now).items()}
                before[main] = now
                for name in sorted(changed):
                    await self.tell_changed(project, name)

    async def tell_changed(self, project: Project, name: str) -> None:
        """A file is another one by now; its pages know what they have written themselves."""
        try:
            text = await asyncio.to_thread(project.read, name)
        except (OSError, Refused):
            return
        path, now = project.path(name), digest(text)
        if text is None or self.written.get(path) == now:
            return
        self.written[path] = now
        self.say({"type": "changed", "game": project.name, "file": name, "digest": now})
        for one in self.open:
            if one.project is not None and one.project.main == project.main:
                one.elsewhere()
        if project.main in self.live:
            self.live[project.main].look_again()

    # --- drafts -------------------------------------------------------------------------------------------------
    def forget(self, file: Path, page: Opened) -> None:
        """The draft of a page, and those that it has taken over, are not wanted any more."""
        self.drafts.drop(file, page.page)
        self.taken_over(file, page)

    def taken_over(self, file: Path, page: Opened) -> None:
        """A page goes on with what another one has left behind."""
        living = self.pages(page) | {page.page}
        left = self.drafts.newest(file, living)
        if left is not None:
            self.drafts.drop(file, left.page)

    # --- the table ----------------------------------------------------------------------------------------------
    def table(self, page: Opened) -> Live:
        """The table of a page's game; raises Refused."""
        project = page.here()
        live = self.live.get(project.main)
        if live is None:
            if len(self.live) >= MOST_LIVE:
                oldest = asyncio.create_task(self.live.pop(next(iter(self.live))).close())
                self.closing.add(oldest)
                oldest.add_done_callback(self.closing.discard)
            live = self.live[project.main] = Live(
                self.house, project, lambda told: self.tell(project, told), self.trials
            )
        return live

    def tell(self, project: Project, told: dict[str, Any]) -> None:
        """Tell the pages of a game."""
        for one in self.open:
            if one.project is not None and one.project.main == project.main:
                one.client.say(told)

    async def close(self) -> None:
        """End all that goes on."""
        for live in self.live.values():
            await live.close()

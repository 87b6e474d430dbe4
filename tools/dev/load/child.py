"""A server in a process of its own, as `rulespec serve` starts it, and its lobby."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from rulespec.system.resources import games_dir

from .player import Player

PACKAGE = (__package__ or "").rpartition(".dev")[0]


class Child:
    """A running server: its port, its process, and the link of who runs it."""

    def __init__(self, process: subprocess.Popen[str], port: int, token: str) -> None:
        self.process = process
        self.port = port
        self.token = token

    def lobby(self) -> Player:
        """A connection to the lobby."""
        return Player(self.port, f"#{self.token}")

    async def open(self, lobby: Player, game: str, **parts: Any) -> dict[str, Any]:
        """A new table: its links."""
        links = await lobby.ask("open", game=game, **parts)
        if links["type"] != "links":
            raise RuntimeError(f"{game}: {links}")
        return links

    def seconds(self) -> float:
        """The processor time that it has used; 0 where that cannot be read."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> int:
        """The bytes of memory that it holds; 0 where that cannot be read."""
        try:
            return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except OSError:
            return 0


@asynccontextmanager
async def child(folder: Path, games: Sequence[str]) -> AsyncIterator[Child]:
    """A server of these games, as long as the block lasts."""
    words = [
        sys.executable,
        "-m",
        PACKAGE,
        "serve",
        *games,
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--folder",
        str(folder),
        "--bots",
        "--links",
        "-",
    ]
    process = subprocess.Popen(words, cwd=games_dir().parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        while (match := re.search(r":(\d+)/#(\w+)", line := await asyncio.to_thread(process.stdout.readline))) is None:
            if not line:
                raise RuntimeError(process.communicate()[1])
        yield Child(process, int(match[1]), match[2])
    finally:
        process.terminate()
        try:
            await asyncio.to_thread(process.communicate, timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()

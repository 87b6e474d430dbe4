"""What goes wrong in a server is told who runs it: a line for each fault, without a secret."""

from __future__ import annotations

import asyncio
import logging
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.serving import place
from tools.serve import journal, requests, tokens
from tools.serve.house import House
from tools.serve.storage import Home

LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ (ERROR|WARNING|INFO) \S.*")
SECRET = "the queen of hearts"


def broken(*_: object) -> Any:
    """A mistake of ours whose text quotes a game."""
    raise KeyError(SECRET)


def full(*_: object) -> None:
    """A disk that is full."""
    raise OSError(28, os.strerror(28))


@pytest.fixture
def log(tmp_path: Path) -> Any:
    """The lines of a log."""
    path = tmp_path / "serve.log"
    handler = journal.kept(path)
    yield lambda: path.read_text(encoding="utf-8").splitlines()
    journal.left(handler)


def test_a_fault_in_a_handler_and_a_full_disk_are_a_line_each_and_the_table_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: Any
) -> None:
    async def work() -> None:
        async with place(tmp_path / "tables") as there:
            room = await there.table("tic_tac_toe")
            async with there.player(room, "x") as one:
                await one.until(lambda me: me.asked)
                monkeypatch.setitem(requests.HANDLERS, "rules", broken)
                for _ in range(2):
                    assert (await one.ask("rules"))["why"] == "The server has trouble with this"
                with monkeypatch.context() as patched:
                    patched.setattr(Home, "keep_game", full)
                    assert (await one.answer(one.legal()[0]))["type"] == "illegal"
                assert (await one.answer(one.legal()[0]))["type"] == "ok"
            fault, disk = log()
            assert f"ERROR table {room.name}, `rules`: KeyError at test_serve_log.py:" in fault
            assert disk.endswith(f"ERROR table {room.name}: {os.strerror(28)}")
            assert all(LINE.fullmatch(line) and SECRET not in line for line in (fault, disk))

    asyncio.run(work())


def test_a_fault_when_somebody_comes_and_one_of_a_request_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: Any
) -> None:
    async def work() -> None:
        async with place(tmp_path / "tables") as there:
            room = await there.table("tic_tac_toe")
            monkeypatch.setattr(House, "admitted", broken)
            player = there.player(room, "x")
            await player.join()
            while player.closed is None:
                await asyncio.sleep(0.01)
            assert player.closed.rcvd is not None and player.closed.rcvd.code == 1011
            asyncio.get_running_loop().call_soon(broken)
            await asyncio.sleep(0)
            assert [line.split(" ", 2)[2].split(" at ")[0] for line in log()] == [
                "the lobby: KeyError", "the server: KeyError",
            ]  # fmt: skip

    asyncio.run(work())


def test_a_line_has_no_token_no_second_line_and_nobody_else_reads_it(tmp_path: Path, log: Any) -> None:
    token = tokens.new()
    journal.LOG.warning("somebody came by /t/abc#%s\nERROR of his own\x1b[2J", token)
    (line,) = log()
    assert LINE.fullmatch(line) and token not in line and "\x1b" not in line
    if os.name == "posix":
        assert (tmp_path / "serve.log").stat().st_mode & 0o077 == 0


def test_a_log_that_cannot_be_written_stops_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    handler = journal.Writing(type("Full", (), {"write": full, "flush": full})())
    handler.setFormatter(journal.Line())
    handler.handle(logging.LogRecord("x", logging.ERROR, "", 0, "table abc: it fails", (), None))
    said = capsys.readouterr().err
    assert said.endswith("ERROR table abc: it fails\n") and "Traceback" not in said

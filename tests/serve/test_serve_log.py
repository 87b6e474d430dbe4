"""What goes wrong in a server is told who runs it: a line for each fault, without a secret."""

from __future__ import annotations

import asyncio
import logging
import os
import re
from pathlib import Path
from typing import Any

import pytest

import rulespec
from interpreter import Fault, Game
from rulespec.text.diagnostics import Diagnostic
from rulespec.text.source import Source, Span
from tests.helpers.commands import run
from tests.helpers.serving import place
from tools.casebook.recording import Recording
from tools.commands.serve import offer
from tools.serve import journal, requests, tokens
from tools.serve.house import House
from tools.serve.messages import Message
from tools.serve.storage import Home
from tools.serve.tables import Table
from tools.serve.warming import played

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


def failing(*_: object) -> Any:
    """Rules that fail, and whose fault quotes a game."""
    raise Fault(Diagnostic("R004", SECRET))


def test_what_fails_behind_a_reply_is_told_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: Any) -> None:
    """Rules that fail, the seat of somebody who comes, what a host asks for, a table that is closed."""

    async def work() -> None:
        async with place(tmp_path / "tables") as there:
            room = await there.table("tic_tac_toe", people=["o"])
            with monkeypatch.context() as patched:
                patched.setattr(Home, "keep", full)
                async with there.player(room, "x") as one:
                    await one.until(lambda me: me.view)
            async with there.player(room, "o") as one, there.player(room, "host") as host:
                await one.until(lambda me: me.asked)
                monkeypatch.setitem(requests.HANDLERS, "rules", failing)
                assert "R004" in (await one.ask("rules"))["why"]
                with monkeypatch.context() as patched:
                    patched.setattr(Table, "settle", failing)
                    assert "R004" in (await one.answer(one.legal()[0]))["why"]
                room.table.recording = Recording("tic_tac_toe")
                room.table.recording.name = "up"
                with monkeypatch.context() as patched:
                    patched.setattr(Recording, "end", full)
                    patched.setattr(Home, "keep", full)
                    assert os.strerror(28) in (await host.ask("case"))["text"]
            with monkeypatch.context() as patched:
                patched.setattr(Home, "remove", full)
                said = await there.house.asked(Message("close", "c1", {"table": room.name}))
                assert said["type"] == "illegal" and os.strerror(28) in said["why"]
        whats = [line.split(f"ERROR table {room.name}")[1].split(" at ")[0] for line in log()]
        gone = os.strerror(28)
        assert whats == [f": {gone}", ", `rules`: Fault R004", ": Fault R004", f", its case: {gone}"]
        assert not any(SECRET in line for line in log())

    asyncio.run(work())


@pytest.mark.parametrize(
    ("owner", "name", "way"), [(Home, "keep_game", full), (Home, "keep", broken), (Table, "advance", failing)]
)
def test_a_table_that_cannot_be_opened_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: Any, owner: type, name: str, way: Any
) -> None:
    async def work() -> None:
        async with place(tmp_path / "tables", [offer("tic_tac_toe", (), (), ())]) as there:
            monkeypatch.setattr(owner, name, way)
            with pytest.raises((OSError, KeyError, Fault)):
                await there.table("tic_tac_toe")
            assert not [path for path in (tmp_path / "tables").iterdir() if path.is_dir()] and not there.house.rooms
            if owner is Home:
                said = await there.house.asked(Message("open", "o1", {"game": "tic_tac_toe"}))
                assert said["type"] == "illegal" and SECRET not in said["why"]
                (line,) = log()
                assert "ERROR a new table of tic_tac_toe: " in line and SECRET not in line
            assert not [path for path in (tmp_path / "tables").iterdir() if path.is_dir()]

    asyncio.run(work())


def test_what_is_found_when_a_server_starts_is_in_its_log(tmp_path: Path, log: Any, faulty: str) -> None:
    """A damaged table, a damaged link of the lobby, and a game that random choices bring to a fault."""
    tables = tmp_path / "tables"
    (tables / "abc").mkdir(parents=True)
    (tables / "abc" / "table.json").write_text(f'{{"x": "{SECRET}"}}', encoding="utf-8")
    (tables / "server.json").write_text('{"token": "short"}', encoding="utf-8")

    async def work() -> None:
        async with place(tables):
            pass

    asyncio.run(work())
    game = Game(rulespec.load(faulty))
    for seed in range(64):
        list(played(game, seed))
    damaged, table, rules = log()
    assert "WARNING" in damaged and damaged.endswith("server.json is damaged: the lobby has a new link")
    assert "ERROR table abc is not opened: T007" in table and SECRET not in table
    assert re.search(r"WARNING game \w+: a game by random choices ends in R\d+ at \S*game.yaml:\d+$", rules)


def test_a_log_that_cannot_be_begun_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(
        capsys, "serve", "tic_tac_toe", "--log", str(tmp_path / "none" / "x"), "--folder", str(tmp_path / "t")
    )
    assert code == 2 and not out and err.startswith("error[C007]: the log cannot be kept in") and "--log FILE" in err


def test_a_fault_of_rules_that_is_ours_names_the_place_in_our_code_too() -> None:
    span = Span(Source("games/mine/game.yaml", f"a: 1\nb: {SECRET}\n"), 5, 6)
    rules = Fault(Diagnostic("R004", SECRET, span))
    assert journal.told(rules) == "R004 at games/mine/game.yaml:2"
    ours = Fault(Diagnostic("R020", SECRET, span))
    try:
        broken()
    except KeyError as problem:
        ours.__cause__ = problem
    assert re.fullmatch(
        r"R020 at games/mine/game.yaml:2 \(KeyError at test_serve_log.py:\d+ in broken\)", journal.told(ours)
    )

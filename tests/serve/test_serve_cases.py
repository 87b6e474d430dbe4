"""Cases that the host of a table has written of what is played there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from rulespec.cases.compiler import load_cases
from tests.helpers.serving import Place, place
from tests.helpers.wells import WELLS
from tools.cli import main
from tools.commands.serve import alone, offer
from tools.dev.load.player import Player
from tools.parameters import open_game
from tools.serve.cases import allow
from tools.serve.storage import Home, Record
from tools.serve.tables import Table


@pytest.fixture
def wells(tmp_path: Path) -> Path:
    file = tmp_path / "wells" / "game.yaml"
    file.parent.mkdir()
    file.write_text(WELLS, encoding="utf-8")
    return file.parent


def served(folder: Path, game: Path, work: Callable[[Place], Coroutine[Any, Any, None]]) -> None:
    async def all_of_it() -> None:
        async with place(folder, [offer(str(game), (), (), ())], cases=True) as there, asyncio.timeout(40):
            await work(there)

    asyncio.run(all_of_it())


async def given(player: Player, action: int = 0) -> None:
    await player.until(lambda me: me.asked)
    before = player.at
    assert (await player.answer(action))["type"] == "ok"
    await player.until(lambda me: me.at != before)


def names(game: Path) -> list[str]:
    suite, findings = load_cases(game)
    assert suite is not None and not findings
    return [case.name for case in suite.cases]


def test_the_host_has_a_case_written_and_is_told_where(wells: Path, tmp_path: Path) -> None:
    book = wells / "cases" / "recorded.yaml"

    async def begin(there: Place) -> None:
        room = await there.table(str(wells))
        async with (
            there.player(room, "p1", keep=True) as one,
            there.player(room, "p2") as two,
            there.player(room, "host") as host,
            there.player(room, "host") as beside,
        ):
            assert await host.heard("case") == {"type": "case", "name": None, "text": ""}
            assert "no case has begun" in (await host.ask("case"))["text"]
            assert "cannot be the name" in (await host.ask("case", name="../a"))["text"]
            await given(one)
            assert (await host.ask("case", name="second"))["name"] == "second"
            await beside.until(lambda me: me.said[-1].get("name") == "second")
            assert "`second` goes on" in (await host.ask("case", name="third"))["text"]
            await given(two)
            for other in (one, two):
                assert (await other.ask("case"))["type"] == "illegal"
            assert not [frame for frame in one.frames or () if "second" in frame or '"type":"case"' in frame]
        assert not book.exists()

    async def end(there: Place) -> None:
        (room,) = there.house.rooms.values()
        async with there.player(room, "host") as host, there.player(room, "p1") as one:
            assert (await host.heard("case"))["name"] == "second"  # the server has stopped meanwhile
            await given(one, 1)
            reply = await host.ask("case")
            assert reply["name"] is None and f"written: the case `second` in {book}:2" in reply["text"]
            assert (await host.ask("case", name="second"))["name"] == "second"
            await one.ask("undo", at=one.at)
            assert "nothing was answered" in (await host.ask("case"))["text"]

    served(tmp_path / "tables", wells, begin)
    served(tmp_path / "tables", wells, end)
    assert names(wells) == ["second"] and main(["test", str(wells)]) == 0
    assert "- p2: deep\n      - p1: dry\n" in book.read_text(encoding="utf-8")


def test_a_case_is_written_where_another_game_begins(wells: Path, tmp_path: Path) -> None:
    async def work(there: Place) -> None:
        room = await there.table(str(wells))
        async with there.player(room, "p1") as one, there.player(room, "p2") as two, there.player(room, "host") as host:
            await host.ask("case", name="the_end")
            for player in (one, two) * 4:
                await given(player)
            assert (await one.ask("again"))["type"] == "ok"
            await host.until(lambda me: "written" in me.said[-1].get("text", ""))
            assert room.table.record.case == "" and not room.table.state.is_terminal()

    served(tmp_path / "tables", wells, work)
    assert names(wells) == ["the_end"] and main(["test", str(wells)]) == 0


def table_of(game: str, variants: tuple[str, ...] = ()) -> Table:
    opened = open_game(game, 2, (), variants, "reference")
    record = Record(game, 2, ["person"] * 2, list(variants), tokens={})
    return Table(opened, opened.new_state(1), record, Home(Path()))


def test_where_no_cases_are_written(wells: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (wells / "variants").mkdir()
    (wells / "variants" / "rich.yaml").write_text(
        "extends: wells\nid: rich\ntitle: Rich Wells\nchanges:\n  - {set: state.per Player.coins.starts, was: 2, to: 9}\n",
        encoding="utf-8",
    )
    path = str(wells)

    def writes(table: Table, games: tuple[str, ...] = (path, "tic_tac_toe")) -> bool:
        allow(table, games)
        return table.recording is not None

    assert writes(table_of(path))
    assert not writes(table_of(path), ())  # a table of another server's game
    assert not writes(table_of("tic_tac_toe"))  # by its id: a game that is installed
    assert not writes(table_of(path, ("rich",)))
    monkeypatch.setattr("tools.casebook.book.os.access", lambda *_: False)
    assert not writes(table_of(path))


async def refused(there: Place) -> None:
    room = await there.table(there.house.offered[0].name)
    async with there.player(room, "host") as host:
        assert "writes no cases" in (await host.ask("case", name="a"))["why"]


def test_who_lets_others_in_says_whether_their_host_writes_cases(wells: Path, tmp_path: Path) -> None:
    async def all_of_it() -> None:
        async with place(tmp_path / "tables", [offer(str(wells), (), (), ())]) as there, asyncio.timeout(40):
            await refused(there)

    asyncio.run(all_of_it())
    assert alone("localhost", ()) and alone("127.0.0.1", ()) and alone("::1", ())
    assert not alone("0.0.0.0", ()) and not alone("localhost", ("tables.example.org",))

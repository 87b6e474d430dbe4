"""The lobby: what it says of games and tables, and tables that are opened there as somebody chooses."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.serving import Place, place
from tools.commands.serve import offer
from tools.dev.load.player import Player

SMALL = ("connect_four", "tic_tac_toe")


def served(folder: Path, work: Callable[[Place], Coroutine[Any, Any, None]], **said: Any) -> None:
    """Something with a server that offers two small games."""
    offers = [offer(name, said.get("variants", ()), said.get("settings", ()), said.get("bots", ())) for name in SMALL]

    async def all_of_it() -> None:
        async with place(folder, offers) as there, asyncio.timeout(40):
            await work(there)

    asyncio.run(all_of_it())


def lobby(there: Place) -> Player:
    """Who runs the server, in the lobby."""
    return Player(there.port, f"#{there.house.token}")


def test_the_lobby_says_once_what_may_be_chosen_and_no_path(tmp_path: Path) -> None:
    async def work(there: Place) -> None:
        async with lobby(there) as me:
            first = await me.heard("lobby")
            four = next(one for one in first["games"] if one["id"] == "connect_four")
            assert four["about"].startswith("Discs are dropped") and four["players"] == [2]
            assert [one["id"] for one in four["variants"]] == ["five_in_a_row", "pop_out"]
            assert [one["id"] for one in four["bots"]][:2] == ["random", "search:0.3s"]
            option = four["options"][0]
            assert option["default"] in option["values"]
            assert "path" not in str(first["games"]) and str(Path(__file__).parents[2]) not in str(first)
            assert (await me.ask("open", game="tic_tac_toe"))["type"] == "links"
            assert "games" not in await me.heard("lobby")

    served(tmp_path, work)


def test_a_table_is_opened_with_a_variant_options_and_a_level_of_bots(tmp_path: Path) -> None:
    async def work(there: Place) -> None:
        async with lobby(there) as me:
            four = next(one for one in (await me.heard("lobby"))["games"] if one["id"] == "connect_four")
            variant, option = four["variants"][0]["id"], four["options"][0]
            other = next(value for value in option["values"] if value != option["default"])
            links = await me.ask(
                "open", game="connect_four", players=2, bot="search:2s", options={option["name"]: other}
            )
            record = there.house.rooms[links["table"]].table.record
            assert (record.bots, record.settings, record.variants) == (["search:2s"], {option["name"]: other}, [])
            links = await me.ask("open", game="connect_four", variants=[variant])
            assert there.house.rooms[links["table"]].table.record.variants == [variant]
            await me.until(lambda me: any(len(said.get("tables", ())) == 2 for said in me.said))
            lists = [said["tables"] for said in me.said if said["type"] == "lobby"]
            row = next(one for one in lists[-1] if one["table"] == links["table"])
            assert row["variants"] == [variant] and not row["begun"]
            assert {seat["seat"]: seat["link"] for seat in row["seats"]} == links["seats"]

    served(tmp_path, work)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"variants": ["no_such"]}, "`no_such` is none of the variants that may be chosen here"),
        ({"variants": ["..:x"]}, "`..:x` is none of the variants"),
        ({"bot": "search:3600s"}, "`search:3600s` is none of the bots"),
        ({"options": {"no_such": "1"}}, "no_such"),
        ({"players": 9}, "9"),
    ],
)
def test_what_is_not_offered_is_refused_in_words_and_opens_nothing(
    tmp_path: Path, said: dict[str, Any], why: str
) -> None:
    async def work(there: Place) -> None:
        async with lobby(there) as me:
            reply = await me.ask("open", game="connect_four", **said)
            assert reply["type"] == "illegal" and why in reply["why"]
            assert not there.house.rooms

    served(tmp_path, work)


def test_what_was_named_when_the_server_was_started_is_not_chosen_anew(tmp_path: Path) -> None:
    async def work(there: Place) -> None:
        async with lobby(there) as me:
            assert all(one["bots"] == [] for one in (await me.heard("lobby"))["games"])
            assert (await me.ask("open", game="tic_tac_toe", bot="random"))["type"] == "illegal"
            links = await me.ask("open", game="tic_tac_toe")
            assert there.house.rooms[links["table"]].table.record.bots == ["search:1s"]

    served(tmp_path, work, bots=("search:1s",))


def test_talk_is_there_after_a_restart(tmp_path: Path) -> None:
    async def first(there: Place) -> None:
        room = await there.table("tic_tac_toe")
        async with there.player(room, "host") as host:
            for n in range(60):
                await host.send({"type": "chat", "text": f"line {n}"})
                await host.heard("chat")
                await asyncio.sleep(0.02)

    async def then(there: Place) -> None:
        (room,) = there.house.rooms.values()
        async with there.player(room, "host") as host:
            chat = (await host.heard("welcome"))["chat"]
            assert [line["text"] for line in chat] == [f"line {n}" for n in range(10, 60)]

    served(tmp_path, first)
    served(tmp_path, then)

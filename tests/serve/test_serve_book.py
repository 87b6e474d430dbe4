"""The rulebook of a table's game: its chapters one by one, to whoever is at the table."""

from __future__ import annotations

import asyncio

from tests.helpers.serving import place


def test_the_chapters_of_the_book_are_sent_one_by_one(tmp_path):
    async def work() -> None:
        async with place(tmp_path) as there:
            room = await there.table("tic_tac_toe")
            async with there.player(room, "x") as one, there.player(room, "spectator") as watching:
                first = await one.ask("book", chapter=0)
                assert first["titles"][:3] == [
                    "What is in the box",
                    "The table at the beginning, and who sees it",
                    "How it is played",
                ]
                assert first["chapter"] == 0 and first["blocks"][0]["text"] == ["The players are X and O."]
                assert all(block["is"] != "picture" for block in first["blocks"])
                played = await watching.ask("book", chapter=first["places"]["procedure-game"])
                assert played["blocks"][0]["text"] == ["Game"]
                assert (await one.ask("book", chapter=99))["why"] == "There is no such chapter"
                assert len(there.house.library.made) == 1  # it was made once for all

    asyncio.run(asyncio.wait_for(work(), 60))


def test_a_game_that_is_gone_has_no_book(tmp_path):
    async def work() -> None:
        async with place(tmp_path) as there:
            room = await there.table("tic_tac_toe")
            room.table.record.game = str(tmp_path / "nothing")
            async with there.player(room, "x") as one:
                assert (await one.ask("book", chapter=0))["why"] == "This game has no rulebook"

    asyncio.run(asyncio.wait_for(work(), 60))

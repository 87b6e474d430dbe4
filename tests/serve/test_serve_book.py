"""The rulebook of a table's game: its chapters one by one, to whoever is at the table."""

from __future__ import annotations

import asyncio

from tests.helpers.serving import place


async def read(player, chapter):
    """A chapter, when the book is written."""
    while (reply := await player.ask("book", chapter=chapter)).get("writing"):
        await asyncio.sleep(0.1)
    return reply


def test_the_chapters_of_the_book_are_sent_one_by_one(tmp_path):
    async def work() -> None:
        async with place(tmp_path) as there:
            room = await there.table("tic_tac_toe")
            async with there.player(room, "x") as one, there.player(room, "spectator") as watching:
                first = await read(one, 0)
                assert first["titles"][:3] == [
                    "What is in the box",
                    "The table at the beginning, and who sees it",
                    "How it is played",
                ]
                assert first["chapter"] == 0 and first["blocks"][0]["text"] == ["The players are X and O."]
                assert all(block["is"] != "picture" for block in first["blocks"])
                played = await read(watching, first["places"]["procedure-game"])
                assert played["blocks"][0]["text"] == ["Game"]
                assert (await read(one, 99))["why"] == "There is no such chapter"
                assert len(there.house.library.books) == 1  # it was made once for all

    asyncio.run(asyncio.wait_for(work(), 60))


def test_a_game_that_is_gone_has_no_book(tmp_path):
    async def work() -> None:
        async with place(tmp_path) as there:
            room = await there.table("tic_tac_toe")
            room.table.record.game = str(tmp_path / "nothing")
            async with there.player(room, "x") as one:
                assert (await read(one, 0))["why"] == "This game has no rulebook"
                room.table.record.game = "tic_tac_toe"
                assert (await read(one, 0))["chapter"] == 0  # it is tried anew

    asyncio.run(asyncio.wait_for(work(), 60))

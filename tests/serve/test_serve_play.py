"""Games over websockets: whole ones, reconnects, servers that were killed, several tables, people at one machine."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter.bots.basics import Chance
from interpreter.selection import Selection
from tests.helpers.places import GAMES, ROOT
from tests.helpers.serving import Place, place
from tools.dev.load.player import Player
from tools.serve.rooms import Room
from tools.session import Session

SHIPPED = [folder.name for folder in GAMES]
ANSWERS = int(os.environ.get("SERVE_ANSWERS", "6"))  # of each game; a large number plays whole games
Given = tuple[int, list[int], bool]  # a seat, its actions, and whether they are several in any order
TOGETHER = str(ROOT / "tests/conformance/play/together.yaml")


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 60 if ANSWERS < 100 else 3600))


async def everybody(there: Place, room: Room) -> list[Player]:
    players = [there.player(room, seat) for seat in room.table.game.seats]
    for player in players:
        await player.join()
    return players


async def settled(players: list[Player]) -> list[Player]:
    """Those who are asked, when everybody has the newest view and somebody is, or the game is over."""
    for player in players:
        await player.until(lambda me: me.view)
    while True:
        asked = [player for player in players if player.asked]
        if asked or players[0].over:
            return asked
        waits = [asyncio.create_task(player.until(lambda me: me.asked or me.over)) for player in players]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()


def plain(view: dict[str, Any]) -> dict[str, Any]:
    """A view without what tells it from others, and without what is laid over a choice of several."""
    decision = view["decision"]
    if decision is not None:
        decision = {key: part for key, part in decision.items() if key != "options"}
    return {**view, "at": "", "decision": decision}


async def at_random(room: Room, players: list[Player], answers: int, seed: int) -> list[Given]:
    """Random answers of people, one of them at a time."""
    chance = Chance(seed)
    given: list[Given] = []
    for _ in range(answers):
        asked = await settled(players)
        if not asked:
            break
        player = chance.one_of(asked)
        action = chance.one_of(player.legal())
        collected = player.view["decision"].get("collected")
        seat = players.index(player)
        if collected is not None and collected["what"] == "set":
            picked: list[int] = []
            selection = await player.ask("select", at=player.at, picked=picked)
            while selection["type"] == "selection" and not selection["whole"]:
                legal = [option["action"] for option in selection["options"] if option.get("legal", True)]
                picked.append(chance.one_of(legal))
                selection = await player.ask("select", at=player.at, picked=picked)
            before = player.at
            reply = await player.ask("answer", at=before, several=picked)
            given.append((seat, picked, True))
        else:
            before = player.at
            reply = await player.answer(action)
            given.append((seat, [action], False))
        assert reply["type"] == "ok", reply
        await player.until(lambda me, before=before: me.at != before)
        await asyncio.gather(*(up_to_date(room, other) for other in players))
    return given


async def up_to_date(room: Room, player: Player) -> None:
    """Wait until a player has the newest view of his."""
    seat = room.table.game.seats.index(player.view["you"])
    newest = await room.run(lambda: room.table.show(seat))
    await player.until(lambda me: me.at == newest.at)


@pytest.mark.parametrize("name", SHIPPED)
def test_games_over_websockets_are_games_as_ever(name: str, tmp_path: Path) -> None:
    """What clients answered at random, given to a fresh state of the same seed, leads to what the server and each client have."""

    async def work() -> None:
        async with place(tmp_path) as there:
            room = await there.table(name, seed=5)
            players = await everybody(there, room)
            given = await at_random(room, players, ANSWERS, 7)
            assert given
            state = room.table.state
            again = replayed(room.table.game, given)
            assert again == state
            for seat, player in enumerate(players):
                assert plain(player.view) == plain(json.loads(json.dumps(again.table(seat))))
            saved = room.table.home.state(room.table.game)
            assert saved == state
            for player in players:
                await player.leave()

    run(work())


def replayed(game: interpreter.Game, given: list[Given]) -> interpreter.State:
    """Answers given one after the other to a game of the same seed, as a terminal plays it."""
    session = Session(game, game.new_state(5), set(range(game.num_players)), 0)

    def settle() -> None:
        while not session.state.is_terminal() and not session.state.is_simultaneous():
            seat = session.state.current_player()
            choice = session.forced(seat)
            if choice is None:
                return
            session.state.apply_action(choice.action, seat)

    settle()
    for seat, actions, several in given:
        if several:
            selection = Selection.of(session.state, seat)
            assert selection is not None
            for action in actions:
                selection = selection.adding(next(o for o in selection.decision.options if o.action == action))
            session.give(selection)
        else:
            session.answer(actions[0], seat)
        settle()
    return session.state

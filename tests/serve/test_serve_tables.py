"""What may happen at a table: reconnects, late answers and repeated ones, taking back, a curtain, full disks, servers that are killed."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.helpers.commands import FAULTY
from tests.helpers.places import ROOT
from tests.helpers.serving import Place, place
from tests.helpers.waiting import said_until
from tools.dev.load.player import Player
from tools.serve.rooms import Room
from tools.serve.storage import Home

WINDOWS = str(ROOT / "tests/legitimate/z_windows.yaml")
TOGETHER = str(ROOT / "tests/conformance/play/together.yaml")


def served(folder: Path, work: Callable[[Place], Coroutine[Any, Any, None]]) -> None:
    """Something with a server."""

    async def all_of_it() -> None:
        async with place(folder) as there, asyncio.timeout(40):
            await work(there)

    asyncio.run(all_of_it())


async def shown(*players: Player) -> None:
    for player in players:
        await player.until(lambda me: me.view)


async def given(player: Player, action: int | None = None) -> None:
    """One answer, and the view after it."""
    await player.until(lambda me: me.asked)
    before = player.at
    assert (await player.answer(player.legal()[0] if action is None else action))["type"] == "ok"
    await player.until(lambda me: me.at != before)


def answers(room: Room) -> int:
    return sum(1 for actor, *_ in room.table.state.answers() if actor >= 0)


def test_an_answer_that_is_late_or_comes_twice_changes_nothing(tmp_path: Path) -> None:
    async def work(there: Place) -> None:
        room = await there.table("tic_tac_toe")
        async with there.player(room, "x") as one, there.player(room, "o") as two:
            await shown(one, two)
            first, action = one.at, one.legal()[0]
            reply = await one.answer(action, id="once")
            assert reply["type"] == "ok"
            again = await one.answer(action, id="once", at=first)
            assert again == reply and answers(room) == 1
            late = await one.answer(1, at=first)
            await one.until(lambda me: me.at == late["at"])
            assert late["type"] == "stale" and answers(room) == 1
            assert (await one.answer(1))["type"] == "illegal"  # it is the other's turn
            await two.until(lambda me: me.asked)
            taken = next(o for o in two.view["decision"]["options"] if not o.get("legal", True))
            refused = await two.answer(taken["action"])
            assert refused["type"] == "illegal" and taken["why"] in refused["why"] and answers(room) == 1
            assert (await two.ask("why", at=two.at, action=taken["action"]))["text"] == taken["why"]
            assert (await two.ask("ahead", at=two.at))["things"] == room.table.state.ahead(1)
            assert (await two.ask("ahead", at=first))["type"] == "stale"
            assert (await two.ask("answer", at=two.at))["type"] == "illegal"
            half = await two.answer(two.legal()[0], at=two.at, actions=[two.legal()[0], two.legal()[1]])
            assert half["type"] == "illegal" and answers(room) == 1  # all or none

    served(tmp_path, work)


def test_a_page_that_comes_back_goes_on_where_it_was_in_the_middle_of_sealed_choices(tmp_path: Path) -> None:
    async def work(there: Place) -> None:
        room = await there.table(TOGETHER, players=2)
        one, two = there.player(room, "p1"), there.player(room, "p2")
        await one.join()
        await two.join()
        await given(one)
        before = one.at, one.view
        assert room.table.state.is_simultaneous()
        await one.drop()
        await given(two)
        await one.join()
        assert (await one.heard("same"))["at"] == before[0]
        assert (one.at, one.view) == before
        while one.asked:
            await given(one)
        await one.drop()
        while two.asked and room.table.state.is_simultaneous():
            await given(two)
        await one.join()
        assert not room.table.state.is_simultaneous() or answers(room) > 2  # it was opened meanwhile
        newest = await room.run(lambda: room.table.show(0))
        await one.until(lambda me: me.at == newest.at)
        assert one.view["to_act"] == room.table.state.table(0)["to_act"]
        one.view = {}
        await one.send({"type": "view"})
        await one.until(lambda me: me.view == newest.view)
        await one.leave()
        await two.leave()

    served(tmp_path, work)


def test_several_are_chosen_in_any_order(tmp_path: Path) -> None:
    async def work(there: Place) -> None:
        room = await there.table("hobbit_card_game", players=4, seed=5)
        async with there.player(room, room.table.game.seats[0]) as one:
            await one.until(lambda me: me.asked)
            collected = one.view["decision"]["collected"]
            assert collected["what"] == "set" and collected["low"] == 5
            items = one.legal()[::-1][:5]
            part = await one.ask("answer", at=one.at, several=items[:3])
            assert part["type"] == "illegal" and answers(room) == 0
            picked = await one.ask("select", at=one.at, picked=items[:3])
            assert not picked["whole"]
            assert {o["action"]: o.get("why") for o in picked["options"]}[items[0]] == "It is chosen already"
            assert (await one.ask("select", at=one.at, picked=items))["whole"]
            twice = await one.ask("answer", at=one.at, several=[items[0], *items[:4]])
            assert twice["type"] == "illegal"
            assert (await one.ask("answer", at=one.at, several=items))["type"] == "ok"
            assert answers(room) >= 5

    served(tmp_path, work)


def test_where_several_may_react_every_seat_is_shown_the_table_and_what_is_offered_is_taken(tmp_path: Path) -> None:
    """No view fails, and each *Undo* that is offered leads to a question of that seat."""

    async def work(there: Place) -> None:
        table = (await there.table(WINDOWS)).table
        dice, taken, together = random.Random(3), 0, 0
        for _ in range(20):
            together += table.state.is_simultaneous()
            offered = [seat for seat in range(3) if table.show(seat).at.endswith("u")]
            table.show(None)
            for seat in offered:
                back = table.before(seat)
                assert back is not None and seat in back.pending_players()
                assert back.table(seat)["decision"]
            if offered and dice.random() < 0.3:
                if table.take_back(offered[0])["type"] == "asking":
                    assert table.asked is not None
                    assert [table.agreed(seat, table.asked.number, True) for seat in sorted(table.asked.waiting)][-1]
                taken += 1
            elif not table.state.is_terminal():
                seat = dice.choice(table.state.pending_players())
                option = dice.choice([option for option in table.decision(seat).options if option.legal])
                with table.changing():
                    table.act(option.action, seat)
                    table.settle()
        assert taken and together

    served(tmp_path, work)


def test_taking_back_is_asked_of_those_who_saw_it(tmp_path: Path) -> None:
    async def work(there: Place) -> None:
        room = await there.table("tic_tac_toe")
        async with (
            there.player(room, "x") as one,
            there.player(room, "o") as two,
            there.player(room, "spectator") as watcher,
        ):
            await given(one)
            await two.until(lambda me: me.asked)
            assert (await two.ask("undo", at=two.at))["type"] == "illegal"  # it was not his
            for yes in (False, True):
                asking = await one.ask("undo", at=one.at)
                assert asking == {"type": "asking", "id": asking["id"], "seats": ["o"]}
                asked = await two.heard("ask")
                assert (asked["what"], asked["by"]) == ("undo", "x")
                assert (await two.answer(two.legal()[0]))["type"] == "illegal"  # while it is open
                await two.send({"type": "agree", "ask": asked["ask"], "yes": yes})
                assert (await one.heard("asked"))["yes"] is yes
                assert answers(room) == (0 if yes else 1)
            await one.until(lambda me: me.asked)
            assert not [message for message in watcher.said if message["type"] in ("ask", "asked")]

        quiet = await there.table(TOGETHER, players=2)  # a sealed answer is seen by nobody
        async with there.player(quiet, "p1") as one, there.player(quiet, "p2") as two:
            await shown(one, two)
            before = one.view["decision"]
            await given(one)
            assert (await one.ask("undo", at=one.at))["type"] == "ok"
            await one.until(lambda me: me.at.startswith("0."))
            assert one.view["decision"] == before and not [m for m in two.said if m["type"] == "ask"]

    served(tmp_path, work)


def test_nothing_is_confirmed_that_is_not_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(there: Place) -> None:
        room = await there.table("tic_tac_toe")
        async with there.player(room, "x") as one:
            await one.until(lambda me: me.asked)
            with monkeypatch.context() as patched:
                patched.setattr(Home, "keep_game", full)
                reply = await one.answer(one.legal()[0], id="full")
                assert reply["type"] == "illegal" and "save" in reply["why"]
            assert answers(room) == 0 and room.table.home.state(room.table.game) == room.table.state
            await given(one)
            assert room.table.home.state(room.table.game) == room.table.state

    served(tmp_path, work)


def full(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_people_at_one_machine_have_a_curtain_between_them(tmp_path: Path) -> None:
    async def work(there: Place) -> None:
        room = await there.table("kuhn_poker", players=2, together=True)
        async with there.player(room, "machine", keep=True) as both:
            assert (await both.heard("curtain"))["seat"] == "p1"
            assert both.view == {} and not any('"view"' in frame for frame in both.frames or ())
            assert (await both.ask("answer", at="0.0", actions=[0]))["type"] == "illegal"
            await both.send({"type": "here", "seat": "p1"})
            await both.until(lambda me: me.view)
            assert both.view["you"] == "p1"
            await given(both)
            assert both.view["you"] == "p1" and (await both.heard("hand_over"))["next"] == "p2"
            await both.send({"type": "away"})
            assert (await both.heard("curtain"))["seat"] == "p2" and both.view == {}
            await both.send({"type": "here", "seat": "p2"})
            await both.until(lambda me: me.view)
            assert both.view["you"] == "p2"

        plain = await there.table("tic_tac_toe", together=True)  # nothing is hidden: no curtain
        async with there.player(plain, "machine") as both:
            for you in ("x", "o", "x"):
                await both.until(lambda me, you=you: me.view and me.view["you"] == you and me.asked)
                assert (await both.answer(both.legal()[0]))["type"] == "ok"
            assert not [message for message in both.said if message["type"] == "curtain"]

    served(tmp_path, work)


def test_bots_have_empty_seats_until_somebody_comes(tmp_path: Path) -> None:
    async def work(there: Place) -> None:
        room = await there.table("tic_tac_toe", people=["x"], begun=False)
        other = await there.table("connect_four")
        async with (
            there.player(room, "x") as one,
            there.player(room, "host") as host,
            there.player(other, "spectator") as else_,
        ):
            await shown(one, host, else_)
            elsewhere = else_.view
            assert (await one.answer(one.legal()[0]))["why"] == "The game has not begun"
            assert (await one.ask("begin"))["type"] == "ok"
            await given(one)
            await one.until(lambda me: me.asked)
            assert answers(room) == 2  # a bot has answered
            assert (await host.ask("pace", seconds=5))["type"] == "ok"
            await given(one)
            async with there.player(room, "o") as two:  # he takes the seat
                await two.until(lambda me: me.asked)
                await given(two)
                assert (await two.ask("stand"))["type"] == "ok"
            assert room.table.record.by == ["person", "bot"]
            assert (await host.ask("seat", seat="o", by="person"))["type"] == "ok"
            assert (await one.ask("seat", seat="o", by="bot"))["type"] == "illegal"
            await one.send({"type": "chat", "text": "hello\x1b[2J"})
            assert (await host.heard("chat"))["text"].startswith("hello") and "\x1b" not in str(host.said)
            assert else_.view == elsewhere and answers(other) == 0  # nothing of it at the other table

    served(tmp_path, work)


def test_an_answer_that_opens_sealed_choices_is_taken_back_while_others_have_sealed(tmp_path: Path) -> None:
    async def work(there: Place) -> None:
        room = await there.table(str(ROOT / "tests/conformance/play/take_back_opening.yaml"), players=3)
        names = room.table.game.seats
        async with (
            there.player(room, names[0]) as one,
            there.player(room, names[1]) as two,
            there.player(room, names[2]) as three,
        ):
            await given(one)
            await given(two)
            assert (await one.ask("undo", at=one.at))["type"] == "asking"
            for other in (two, three):
                await other.send({"type": "agree", "ask": (await other.heard("ask"))["ask"], "yes": True})
            await one.until(lambda me: me.asked)
            assert answers(room) == 0
            assert not any(message["type"] == "error" for player in (one, two, three) for message in player.said)

    served(tmp_path, work)


def test_the_end_and_another_game(tmp_path: Path) -> None:
    async def work(there: Place) -> None:
        room = await there.table("tic_tac_toe", people=[])
        async with there.player(room, "host") as host, there.player(room, "x") as one:
            assert (await host.ask("record"))["type"] == "illegal" or room.table.state.is_terminal()
            assert (await one.ask("stand"))["type"] == "ok"
            await host.until(lambda me: me.over)
            record = await host.ask("record")
            assert room.table.game.replay(record["transcript"]) == room.table.state
            assert (await one.ask("record"))["type"] == "illegal"
            assert (await host.ask("again"))["type"] == "ok"
            await host.until(lambda me: not me.over)
            assert (tmp_path / room.name / "round-1.jsonl").exists()

    served(tmp_path, work)


def test_a_game_is_walked_through_when_it_is_over_as_each_saw_it(tmp_path: Path) -> None:
    """Before its end nobody is told how it was, and after it a seat is told no more than it was shown then."""

    async def work(there: Place) -> None:
        room = await there.table("kuhn_poker", seed=4)
        names = room.table.game.seats
        async with there.player(room, names[0]) as one, there.player(room, names[1]) as two:
            players, seen = [one, two], {0: {}, 1: {}}
            await shown(*players)
            assert (await one.ask("step", step=0))["why"] == "The game is not over"
            while not one.over:
                state = room.table.state
                for seat in (0, 1):
                    seen[seat][state.decisions] = json.loads(json.dumps({**state.table(seat), "decision": None}))
                asked = next((player for player in players if player.asked), None)
                if asked is None:
                    await asyncio.sleep(0.005)
                else:
                    await given(asked)
            for seat, player in enumerate(players):
                for number, view in seen[seat].items():
                    reply = await player.ask("step", step=number)
                    assert (reply["step"], reply["view"]) == (number, view)
                last = await player.ask("step", step=10_000)
                assert last["step"] == last["steps"] == room.table.state.decisions and last["view"]["over"]

    served(tmp_path, work)


def test_a_game_whose_rules_fail_stops_itself_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A stranger's game: the answer that ends in a fault is not given, by a person or by a bot, and another table plays on."""
    (tmp_path / "faulty.yaml").write_text(FAULTY)

    async def work(there: Place) -> None:
        room, other = await there.table(str(tmp_path / "faulty.yaml"), people=["p1"]), await there.table("tic_tac_toe")
        async with there.player(room, "p1") as one, there.player(room, "host") as host, there.player(other, "x") as two:
            for _ in range(2):
                await given(one, 0)
            await one.until(lambda me: me.asked)
            reply = await one.answer(0)  # a third time up is higher than the rules have room for
            assert reply["type"] == "illegal" and "R0" in reply["why"] and "level" not in reply["why"]
            assert answers(room) == 2 and one.asked
            assert (await host.ask("seat", seat="p1", by="bot"))["type"] == "ok"
            await given(two)
            await host.until(lambda me: me.over or any(message["type"] == "error" for message in me.said))

    served(tmp_path / "tables", work)
    told = capsys.readouterr().err
    assert "Traceback" not in told


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_server_that_is_killed_goes_on(tmp_path: Path) -> None:
    """Killed in the middle of a game: the same command goes on with every answer that was confirmed, and it can still be taken back."""
    common = ["--port", "0", "--folder", str(tmp_path), "--links", "-"]
    words = [sys.executable, "-m", "tools", "serve", "kuhn_poker", "--all", *common]

    async def life(turn: Callable[[Player, Player], Coroutine[Any, Any, None]]) -> list[str]:
        child = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert child.stdout is not None
        try:
            said = await asyncio.to_thread(said_until, child, child.stdout, "the lobby")
            port = int(re.findall(r":(\d+)/", said)[0])
            links = re.findall(r"(/t/\w+#\w+)", said)
            async with asyncio.timeout(30):
                one, two = Player(port, links[0]), Player(port, links[1])
                await one.join()
                await two.join()
                await turn(one, two)
            child.send_signal(signal.SIGKILL)
            await one.until(lambda me: me.closed)
        except ConnectionClosed:
            pass
        finally:
            child.kill()
            child.communicate()
        return links

    views: list[dict[str, Any]] = []

    async def first(one: Player, two: Player) -> None:
        await one.until(lambda me: me.view)
        assert (await one.ask("begin"))["type"] == "ok"
        await given(one)
        await two.until(lambda me: me.asked)
        views.extend([one.view, two.view])

    async def second(one: Player, two: Player) -> None:
        await shown(one, two)
        assert [one.view, two.view] == views
        assert (await one.ask("undo", at=one.at))["type"] == "asking"
        await two.send({"type": "agree", "ask": (await two.heard("ask"))["ask"], "yes": False})
        await one.heard("asked")
        await given(two)

    links = asyncio.run(life(first))
    assert asyncio.run(life(second)) == links

"""The table that follows the text, cases that run as one types, a case of what was played."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from rulespec.cases.compiler import load_cases
from tests.helpers.studying import Page, studied
from tests.helpers.wells import WELLS
from tools.dev.load.player import Player
from tools.parameters import open_game
from tools.studio.answers import answers_of, replayed
from tools.studio.projects import MAIN, Project
from tools.studio.sessions import same
from tools.studio.studio import Studio
from tools.studio.trials import Trials

BOOK = """\
cases:
  a_lamp_goes_out:
    run: {turn: p1}
    play: [{p1: dry}]
    expect: [lamps == 8]
"""


@pytest.fixture
def wells(tmp_path: Path) -> Path:
    folder = tmp_path / "wells"
    (folder / "cases").mkdir(parents=True)
    (folder / "game.yaml").write_text(WELLS, encoding="utf-8")
    (folder / "cases" / "lamps.yaml").write_text(BOOK, encoding="utf-8")
    return folder


def game_of(text: str, folder: Path) -> Any:
    (folder / MAIN).write_text(text, encoding="utf-8")
    return open_game(str(folder), None, (), (), "python")


def test_answers_are_given_again_as_far_as_they_fit(tmp_path: Path) -> None:
    game = game_of(WELLS, tmp_path)
    state = game.new_state(3)
    for answer in ("deep", "dry", "dry"):
        state.apply_action(state.string_to_action(answer))
    answers = answers_of(state)
    richer = replayed(game_of(WELLS.replace("starts: 2", "starts: 5"), tmp_path), 3, answers)
    assert (richer.given, richer.why, richer.state.seed) == (3, "", 3)
    assert [one.answer for one in answers_of(richer.state)] == ["deep", "dry", "dry"]
    for change, given, why in (
        (("[deep, dry]", "[deep, wet]"), 1, "`dry` of p2"),
        (("choose: well", "choose: source"), 0, "p1 is not asked"),
        (("players: 2", "players: {ann: Ann, bea: Bea}"), 0, "no such seat"),
        (("turns < 4", "turns < 1"), 2, "the game is over before"),
        (("from: lamps", "from: lamps\n      - check: lamps > 6\n        why: Dark"), 2, "the rules fail there"),
    ):
        told = replayed(game_of(WELLS.replace(*change).replace("well == deep", "yes"), tmp_path), 3, answers)
        assert (told.given, why in told.why) == (given, True), told.why


def test_the_table_follows_the_text_and_stays_where_it_cannot(wells: Path) -> None:
    async def work(made: Studio, port: int) -> None:
        async with Page(made, port) as page:
            await page.ask(type="open", game="wells")
            link = (await page.table(good=True))["link"]
            async with Player(port, link) as player:
                await player.until(lambda me: me.asked)
                assert (await player.answer(0))["type"] == "ok"
                await player.until(lambda me: me.asked)
                start = await page.type(MAIN, WELLS, WELLS.replace("players: 2", "players: 2 wells"))
                stays = await page.table(good=False, start=start)
                assert (stays["link"], stays["file"], stays["line"]) == (link, MAIN, 4)
                start = await page.type(MAIN, WELLS, WELLS.replace("title: Wells", "title: Deep wells"))
                assert (await page.table(good=True, start=start))["link"] == link
                await player.until(lambda me: me.view["game"]["title"] == "Deep wells")
                (live,) = made.live.values()
                assert live.room is not None and answers_of(live.room.table.state)[0].answer == "deep"
                start = await page.type(MAIN, WELLS, WELLS.replace("deep", "full"))
                told = await page.table(good=True, start=start)
                assert "answer 1, `deep` of p1" in told["note"]
                start = await page.type(MAIN, WELLS, WELLS)
                assert "note" not in await page.table(good=True, start=start)
                assert answers_of(live.room.table.state)[0].answer == "deep"  # what did not fit was kept
            start = await page.type(MAIN, WELLS, WELLS.replace("players: 2", "players: 2..3"))
            assert (await page.table(good=True, start=start))["counts"] == [2, 3]
            start = len(page.said)
            assert (await page.ask(type="deal", players=3, people="all"))["type"] == "ok"
            told = await page.table(good=True, start=start)
            assert (told["players"], told["people"], told["link"] == link) == (3, "all", False)
            assert len(made.house.rooms) == 1

    studied(wells, work)


def test_what_the_language_server_has_is_old_until_it_has_heard_of_a_change(tmp_path: Path) -> None:
    file, other = tmp_path / "game.yaml", tmp_path / "more.yaml"
    file.write_bytes(b"saved\n")
    assert same({file: "saved\n"}, {}) and same({}, {})
    assert same({file: "typed"}, {file: "typed"})
    assert not same({file: "typed"}, {})  # saved before the server was told of it
    assert not same({file: "saved\n"}, {file: "typed"}) and not same({}, {file: "typed"})
    assert not same({other: "a file that is gone"}, {})


def test_cases_run_while_one_types_and_show_what_they_do(wells: Path) -> None:
    async def work(made: Studio, port: int) -> None:
        async with Page(made, port) as page:
            await page.ask(type="open", game="wells")
            assert await page.cases() == {"a_lamp_goes_out": True}
            listed = await page.until(lambda one: one["type"] == "cases")
            assert (listed["cases"][0]["file"], listed["cases"][0]["line"]) == ("cases/lamps.yaml", 2)
            start = await page.type(MAIN, WELLS, WELLS.replace("lose: 1", "lose: 2"))
            assert await page.cases(start) == {"a_lamp_goes_out": False}
            trace = await page.ask(type="trace", case="a_lamp_goes_out")
            assert (trace["passed"], "lamps" in trace["message"]) == (False, True)
            assert {"by": "p1", "text": "dry"} in trace["steps"]
            assert ("game.yaml", "- lose: 2") in {(one.get("file"), one["text"]) for one in trace["steps"]}
            assert "no such case" in (await page.ask(type="trace", case="x"))["why"]
            start = await page.type("cases/lamps.yaml", BOOK, BOOK.replace("lamps == 8", "lamp == 8"))
            told = await page.until(lambda one: one["type"] == "cases", start)
            assert [one.get("faulty") for one in told["cases"]] == [True]

    studied(wells, work)


def test_a_case_is_made_of_what_was_played_and_turns_red_with_the_rules(wells: Path) -> None:
    async def work(made: Studio, port: int) -> None:
        async with Page(made, port) as page:
            await page.ask(type="open", game="wells")
            link = (await page.table(good=True))["link"]
            assert (await page.ask(type="case", name="first", first=0))["why"] == "nothing was answered there"
            async with Player(port, link) as player:
                await player.until(lambda me: me.asked)
                await player.answer(0)
                await player.until(lambda me: me.view["to_act"] == ["p1"] and me.asked)
            played = (await page.ask(type="played"))["answers"]
            assert played[0] == {"by": "p1", "at": "well", "answer": "deep"}
            await page.type(MAIN, WELLS, WELLS + "# typed\n")
            assert "save it first" in (await page.ask(type="case", name="first", first=0))["why"]
            await page.ask(type="undraft", file=MAIN)
            assert "cannot be the name" in (await page.ask(type="case", name="../x", first=0))["why"]
            await page.table(good=True)
            start = len(page.said)
            cased = await page.ask(type="case", name="first", first=0)
            assert (cased["type"], cased["file"], cased["line"]) == ("cased", "cases/recorded.yaml", 2)
            assert (await page.cases(start))["first"] is True
            start = await page.type(MAIN, WELLS, WELLS.replace("lose: 1", "lose: 2"))
            assert (await page.cases(start))["first"] is False
        suite, _ = load_cases(wells)
        assert suite is not None and "first" in {case.name for case in suite.cases}

    studied(wells, work)


def test_traces_are_told_apart_and_nobody_waits_for_ever(wells: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trials = Trials(Project("wells", wells / MAIN, writable=True), lambda _: None)
    asked = []
    monkeypatch.setattr(Trials, "send", lambda _, request: asked.append(request["trace"]))
    first, second = trials.traced("a"), trials.traced("b")
    trials.traces.pop(asked[0])  # it is answered
    third = trials.traced("c")
    assert len(set(asked)) == 3 and not any(one.done() for one in (first, second, third))
    second.cancel()
    trials.close()
    assert third.result(0)["type"] == trials.traced("d").result(0)["type"] == "illegal"


def test_a_trace_that_takes_long_holds_nothing_up(wells: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Trials, "traced", lambda *_: Future())  # never answered

    async def work(made: Studio, port: int) -> None:
        async with Page(made, port) as page:
            await page.ask(type="open", game="wells")
            await page.say(type="trace", id="slow", case="a_lamp_goes_out")
            assert (await page.ask(type="read", file="game.yaml"))["text"] == WELLS
            assert not any(one.get("id") == "slow" for one in page.said)

    studied(wells, work)

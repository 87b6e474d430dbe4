"""Whole games of every shipped game in a real browser, against a direct replay of their record.

By clicks alone and by keys alone: every second game by one of them, each by both where `BROWSER_ALL` is set.
"""

from __future__ import annotations

import pytest

import rulespec
from tests.helpers.browsing import Person, Server, by_turns
from tests.helpers.places import GAMES

SIZES = [(1400, 900), (1024, 700), (390, 844)]
EACH = 6  # answers after which the window has another size


def replayed(server: Server, game: str):
    """The position at the end of the record that the host is told."""
    record = server.ask("the host", type="record")
    assert record["type"] == "record", record
    return rulespec.Game(rulespec.load(game), players=len(server.seats)).replay(record["transcript"])


@pytest.mark.parametrize(("game", "by"), by_turns([folder.name for folder in GAMES], "clicks", "keys"))
def test_a_whole_game(game, by, browser, serve):
    server = serve(game, "--seed", "7")
    person = Person(browser, server.seats[0])
    person.begin()
    wide: list[str] = []
    while person.asked():
        turn, beginning = divmod(person.answers, EACH)
        if beginning == 0:
            size = SIZES[turn % len(SIZES)]
            person.resize(size)
            wide += [f"{size}, answer {person.answers}: {fault}" for fault in person.look("overflow")]
        person.answer(by)
    state = replayed(server, game)
    assert state.is_terminal()
    over = state.table(0)["over"]
    labels = {seat["id"]: seat["label"] for seat in state.table(0)["seats"]}
    told = person.page.inner_text(".question.over")
    if over["outcome"] == "some":
        assert all(labels[winner] in told for winner in over["winners"])
    else:
        assert {"all": "all together", "lost": "You have lost", "draw": "draw"}[over["outcome"]] in told
    last = state.table(0)["log"][-1]["lines"][-1]
    said = "".join(part["text"] if isinstance(part, dict) else str(part) for part in last)
    assert "".join(said.split()) in "".join(person.page.text_content(".log").split())
    assert person.answers > 0
    assert person.complaints == []
    assert wide == []
    person.close()

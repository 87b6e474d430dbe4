"""Both back ends give the same positions: generated code says what the reference machine says, faults included.

`make equality` plays ten thousand games of each shipped game instead of the few here (EQUALITY_GAMES).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

import interpreter
import rulespec
from interpreter import Fault
from interpreter.python.backend import Generated
from tests.helpers.games import ALL, BACKENDS, CHANCE, GAMES_PLAYED, Dice, fewest_and_most, loaded, random_step
from tests.helpers.places import GAMES, PLAY

MOST_DECISIONS = 1_000_000 if ALL else 500
ENOUGH = 200  # decisions of a construct


def pair(found: Any, players: int, **more: Any) -> tuple[interpreter.Game, interpreter.Game]:
    """One game on both back ends; the second is the reference."""
    return tuple(interpreter.Game(found, players=players, backend=b, **more) for b in BACKENDS)


def told(fault: Fault) -> tuple[Any, ...]:
    """All that a fault says."""
    return fault.diagnostic, fault.stack, fault.seed, fault.answers


def both(one: Any, two: Any) -> tuple[Any, Any]:
    """What two calls give, which must both give something or both raise the same fault."""
    results = []
    for call in (one, two):
        try:
            results.append(call())
        except Fault as fault:
            results.append(("fault", *told(fault)))
    return results[0], results[1]


def same(one: interpreter.State, two: interpreter.State) -> None:
    """Equal positions, with the same log and history."""
    assert one.slots == two.slots
    assert newest(one.history) == newest(two.history)
    assert newest(one.log) == newest(two.log)


def newest(linked: Any) -> list[Any]:
    """The last hundred entries; what stands before them was compared before."""
    out = []
    while linked is not None and len(out) < 100:
        entry, linked = linked
        out.append(entry)
    return out


def walk(found: Any, players: int, seed: int, explicit: bool) -> tuple[int, bool]:
    """A random game on both back ends at once, each taking over the position of the other: its length, and whether a fault ends it."""
    generated, reference = pair(found, players)
    chance: Any = {"chance": "explicit"} if explicit else {"seed": seed}
    one, two = both(lambda: generated.new_state(**chance), lambda: reference.new_state(**chance))
    dice = Dice(seed)
    for step in range(3000):
        if isinstance(one, tuple) or isinstance(two, tuple):
            assert one == two
            return step, True
        same(one, two)
        if one.is_terminal():
            assert generated.backend.again == 0, "generated code left an answer to the reference machine without need"
            return step, False
        assert one.current_player() == two.current_player() and one.pending_players() == two.pending_players()
        for seat in (CHANCE, *one.pending_players()):
            assert one.legal_actions(seat) == two.legal_actions(seat)
        assert one.chance_outcomes() == two.chance_outcomes()
        action, seat = random_step(one, dice)
        first, second = both(partial(one.child, action, seat), partial(two.child, action, seat))
        if step > 60 and step % 10 and isinstance(first, interpreter.State):
            one, two = first, second
            continue
        left, right = handed_over(one, reference), handed_over(two, generated)
        third, fourth = both(partial(left.child, action, seat), partial(right.child, action, seat))
        if isinstance(first, interpreter.State):
            assert first.slots == third.slots == fourth.slots
        else:
            assert third[1] == fourth[1] == first[1]
        one, two = first, second
    raise AssertionError("no end")


def handed_over(state: interpreter.State, game: interpreter.Game) -> interpreter.State:
    """The same position in another game."""
    return game.position(state.slots, state.main)


@pytest.mark.parametrize("explicit", [False, True], ids=["seeded", "explicit"])
@pytest.mark.parametrize("file", PLAY, ids=lambda f: f.stem)
def test_constructs(file, explicit):
    found = loaded(file)
    for players in found.players:
        decisions = 0
        for seed in range(3):
            steps, fault = walk(found, players, seed, explicit)
            assert not fault or "fault:" in file.read_text(), "a fault that no case of this file expects"
            decisions += steps
            if decisions > ENOUGH and not ALL:
                break


@pytest.mark.parametrize("explicit", [False, True], ids=["seeded", "explicit"])
@pytest.mark.parametrize("folder, players", fewest_and_most())
def test_games(folder, players, explicit):
    found = loaded(folder)
    assert not walk(found, players, players, explicit)[1]


@pytest.mark.parametrize("folder, players", fewest_and_most())
def test_playouts(folder, players):
    """Many random games, without log and history, end in equal positions; nothing falls back to the reference machine.

    Long games are fewer: so many as make some hundred decisions, or in `make equality` a million, which take the reference machine ten
    minutes of chess.
    """
    generated, reference = pair(loaded(folder), players)
    count = GAMES_PLAYED if GAMES_PLAYED < 1000 or players == loaded(folder).players[-1] else GAMES_PLAYED // 10
    decisions = 0
    for seed in range(count):
        one, two = generated.playout(seed), reference.playout(seed)
        assert one.slots == two.slots, seed
        assert one.decisions == two.decisions > 0
        decisions += one.decisions
        if decisions >= MOST_DECISIONS:
            break
    assert isinstance(generated.backend, Generated)
    assert generated.backend.again == 0


ASKED = """\
rulespec: 1
id: asked
title: Many candidates
players: 1
state: {shift: {is: 0..9, starts: 2}}
functions:
  busy: {takes: {n: Number}, is: "count(a in 1..30 where count(b in 1..30 where b > a + n + shift) > 1)"}
phases:
  game:
    do:
      - choose: x
        by: p1
        from: 1..60
        only: [{if: "busy(if x > 30 then 1 else 2) > 3", why: too few}]
      - set: shift
        to: 3
"""


def test_what_a_question_remembers_counts_as_if_it_were_worked_out_again(tmp_path, monkeypatch):
    """The bound of items is the same on both back ends: one of two calls for sixty candidates may not hide the others."""
    file = tmp_path / "game.yaml"
    file.write_text(ASKED, encoding="utf-8")
    games = pair(rulespec.load(file), 1)
    assert [len(game.new_state(seed=1).legal_actions()) for game in games] == [60, 60]
    monkeypatch.setattr("interpreter.reference.expressions.FUEL", 30_000)
    monkeypatch.setattr("interpreter.python.backend.BUDGET", 15_000)
    for game in games:
        with pytest.raises(Fault) as caught:
            game.new_state(seed=1).legal_actions()
        assert caught.value.diagnostic.code == "R014"


def test_a_game_can_be_set_up_on_no_other_back_end():
    with pytest.raises(interpreter.IllegalAction, match="a back end is "):
        interpreter.Game(rulespec.load(GAMES[0]), backend="nativ")


ENDLESS = """\
rulespec: 1
id: endless_game
title: Endless
players: 2
most decisions: 300
state: {n: 0..9}
phases:
  game:
    do:
      - while: n < 9
        do:
          - for: p in players
            do:
              - offer: deed
                by: p
                options: {OPTIONS}
"""


@pytest.mark.parametrize(
    "options, code, answers, told",
    [
        ("{pass: {}}", "R018", 64, "the position comes back every 2 answers"),
        ("{pass: {}, wait: {}}", "R017", 300, "no end after 300 decisions"),
    ],
)
def test_games_without_end(tmp_path, options, code, answers, told):
    """Whichever back end plays, with or without a record, such a game is the same fault; the position stays as it was."""
    (tmp_path / "endless_game.yaml").write_text(ENDLESS.replace("{OPTIONS}", options))
    faults = []
    for game in pair(rulespec.load(tmp_path / "endless_game.yaml"), 2):
        for record in (False, True):
            with pytest.raises(interpreter.Fault) as caught:
                game.playout(1, record=record)
            faults.append((str(caught.value), caught.value.diagnostic, caught.value.stack))
    assert all(one == faults[0] for one in faults)
    diagnostic = faults[0][1]
    assert diagnostic.code == code and diagnostic.message.startswith(told)
    assert "deed of p1, deed of p2" in diagnostic.message or "deed of p2, deed of p1" in diagnostic.message
    state = game.new_state(1)
    for _ in range(answers):
        state.apply_action(state.legal_actions()[-1])
    before = state.clone()
    with pytest.raises(interpreter.Fault, match=code):
        state.apply_action(state.legal_actions()[0])
    assert state == before and state.decisions == answers
    with pytest.raises(interpreter.Fault, match=code):
        game.state_from_json(state.to_json()).apply_action(0)

"""What each seat may see, and what it must not."""

from __future__ import annotations

import itertools
import json

import pytest

from interpreter import CHANCE, EVERYTHING, Game, InformationTracker, State
from interpreter.views.sealed import alone, opened
from rulespec import ir
from tests.helpers.programs import Build, c, cards, op, set_, x


def dealt(game: Game, seed: int = 2) -> State:
    return game.new_state(seed)


def test_observations_hide_what_is_hidden() -> None:
    state = dealt(cards())
    mine, known, theirs = (state.observation(p) for p in range(3))
    assert mine["you"] == "p1" and mine["to_act"] == ["p1", "p2", "p3"]
    assert len(mine["zones"]["hand.p1"]) == 2 and "?" not in mine["zones"]["hand.p1"]
    assert mine["zones"]["hand.p2"] == ["?", "?"]
    assert mine["zones"]["deck"] == []
    assert mine["asked"] == {"at": "show", "prompt": "Choose show"}
    assert mine["state"] == {"score.p1": 0, "score.p2": 0, "score.p3": 0}
    assert "known" not in mine and "known" not in theirs
    # player 2 was shown the hand of player 1
    assert known["zones"]["hand.p1"] == mine["zones"]["hand.p1"]
    assert set(known["known"]) == set(mine["zones"]["hand.p1"])
    assert known["zones"]["hand.p3"] == ["?", "?"]
    spectator = state.observation(None)
    assert spectator["you"] is None and "asked" not in spectator
    assert spectator["zones"]["hand.p1"] == ["?", "?"]
    everything = state.observation(EVERYTHING)
    assert "?" not in everything["zones"]["hand.p3"]
    json.dumps([mine, known, theirs, spectator, everything])
    for seat in (0, None, EVERYTHING):
        assert str(state.seed) not in ("", *state.observation(seat))


def test_log_lines_are_redacted_by_what_was_seen_then() -> None:
    state = dealt(cards())
    lines = state.log_lines(0)
    assert len(lines) == 3
    assert lines[0].startswith("Ann gets ") and "a card" not in lines[0]
    assert lines[1:] == ["Ben gets a card", "Cid gets a card"]
    assert state.log_lines(1)[0] == "Ann gets a card"  # only later did Ben look
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert "secret for Ann" in state.log_lines(0) and "secret for Ann" not in state.log_lines(1)
    assert any(line.startswith("Cid shows ") for line in state.log_lines(None))
    assert state.log_lines(0, since=4) == state.log_lines(0)[4:]
    assert state.log_lines(0)[0] == lines[0]


def all_answers(state: State) -> list[State]:
    """All ways in which sealed choices can be answered, in any order."""
    if not state.is_simultaneous():
        return [state]
    return [
        end
        for player in state.pending_players()
        for action in state.legal_actions(player)
        for end in all_answers(state.child(action, player))
    ]


def test_sealed_answers_leave_no_trace_before_they_open() -> None:
    state = dealt(cards())
    before = [state.information_state(p) for p in range(3)]
    for action in state.legal_actions(0):
        after = state.child(action, 0)
        for p in (1, 2):
            assert after.information_state(p) == before[p]
            assert after.observation(p) == state.observation(p)
        assert after.observation(None) == state.observation(None)


def test_information_states_do_not_depend_on_the_order_of_sealed_answers() -> None:
    ends = all_answers(dealt(cards(2)))
    seen: dict[object, set[tuple[str, ...]]] = {}
    for end in ends:
        answers: dict[int, list[int]] = {0: [], 1: []}
        for actor, _, action, _ in reversed(list(end.answers())):
            if actor != CHANCE:
                answers[actor].append(action)
        key = tuple(map(tuple, answers.values()))
        seen.setdefault(key, set()).add(tuple(end.information_state(p) for p in range(2)))
    assert len(seen) > 10
    assert all(len(states) == 1 for states in seen.values())


def test_a_tracker_and_a_replay_agree_and_seeds_do_not_matter() -> None:
    game = cards(2)
    state = game.new_state(chance="explicit")
    tracker = InformationTracker.start(state)
    for number in itertools.count():
        for seat in range(2):
            assert tracker.information_state(seat) == state.information_state(seat)
        if state.is_terminal():
            break
        before = state.clone()
        legal = state.legal_actions()
        state.apply_action(legal[number % len(legal)])
        tracker = tracker.after(before, state)
    seeded = game.new_state(5)
    explicit = game.new_state(chance="explicit")
    for actor, _, action, _ in reversed(list(seeded.answers())):
        explicit.apply_action(action, actor)
    assert explicit.information_state(0) == seeded.information_state(0)
    assert explicit.key() == seeded.key() and explicit != seeded


def test_what_a_seat_cannot_tell_apart_looks_the_same_to_it() -> None:
    """Deals that differ only in cards a seat has not seen: same view, options, log and memory."""
    game = cards(2)
    by_hand: dict[str, set[str]] = {}
    for first in range(6):
        for rest in itertools.product(range(3), repeat=3):
            state = game.new_state(chance="explicit")
            for action in (first, *rest):
                state.apply_action(action)
            view = json.dumps([state.observation(0), state.log_lines(0), str(state.decision(0))], sort_keys=True)
            hand = state.observation(0)["zones"]["hand.p1"]
            drawn = [a for _, _, _, a in reversed(list(state.answers()))][:2]
            by_hand.setdefault(str((hand, drawn)), set()).add(view + state.information_state(0))
    assert by_hand and all(len(views) == 1 for views in by_hand.values())


@pytest.mark.parametrize("then", ["both", "nobody else", "a number that grows", "a number that falls"])
def test_a_sealed_choice_holds_what_was_answered_since_it_began(then: str) -> None:
    """Not what the same seat answered in one before, or in one further on from which the game goes back; nothing where nothing is kept."""
    b = Build(2)
    answer = b.procedure("answer", 1, ir.Ask(b.site("hidden", c((1, 2)), x(0)), 1), ir.Return(x(1)))
    own, both = ir.Fork(c((0,)), answer, (), 0), ir.Fork(c((0, 1)), answer, (), 0)
    more, asked = ([own, both], [(1, 0), (0, 1), (0, 0), (0, 0), (0, 0), (1, 1)]) if then == "both" else ([own], [])
    if "number" in then:
        number = b.variable("number", 0)
        more = [set_(number, op("add", ir.Load(number), c(1 if "grows" in then else -1)))]
    b.procedure("main", 0, "again", own, *more, ir.Jump("again"))
    state = b.game().new_state(1)
    for seat, before in [(0, 0), (0, 0), *asked] * 2:
        begun, given = opened(state)
        assert len(given) == before and len([*begun.answers()]) == len([*state.answers()]) - before
        for viewer in (0, 1, None):
            kept = len([*begun.answers()]) + sum(actor == viewer for actor, _ in given)
            assert len([*alone(state, viewer).answers()]) == kept
        state.apply_action(state.legal_actions(seat)[0], seat)
    unrecorded = b.game().new_state(1, record=False)
    unrecorded.apply_action(unrecorded.legal_actions(0)[0], 0)
    assert opened(unrecorded) == (unrecorded, [])

"""Vectors of what seats see: a fixed layout with a name for each entry, within its bounds, and no more than the seat is shown."""

from __future__ import annotations

import random
from array import array

import pytest

import rulespec
from interpreter.position import Position, SlotPosition
from interpreter.spaces.numbered import Numbered
from interpreter.spaces.tensors import Layout
from tests.helpers.games import loaded
from tests.helpers.places import GAMES

SHIPPED = tuple(folder.name for folder in GAMES)
MOST = 20


@pytest.mark.parametrize("name", SHIPPED)
def test_each_entry_has_a_name_and_bounds(name: str) -> None:
    game, choose = rulespec.Game(loaded(name), backend="python"), random.Random(2)
    layout, recall = game.observation_layout, game.information_layout
    assert len(set(layout.names)) == len(layout) > 0
    assert len({entry.name for entry in recall.entries}) == len(recall)
    play = game.new_state(2, undo=False).numbered()
    for number in range(MOST):
        if play.state.is_terminal():
            break
        for seat in range(game.num_players):
            vector = play.observation_tensor(seat)
            assert vector.typecode == "f" and len(vector) == len(layout)
            for value, entry in zip(vector, layout.entries, strict=True):
                assert entry.low <= value <= entry.high, entry.name
        if number % 6 == 0:
            assert len(play.information_state_tensor(0)) == len(recall)
        play.apply_action(choose.choice(play.legal_actions()))


def test_what_the_entries_are() -> None:
    """The own card has entries, the other's has none; what is staked is a number; who is asked what."""
    game = rulespec.Game(loaded("kuhn_poker"), backend="python")
    play = game.new_state(chance="explicit", undo=False).numbered()
    for word in ("jack", "king"):
        play.apply_action(play.state.string_to_action(word))
    names = game.observation_layout.names

    def seen(seat: int) -> dict[str, float]:
        return {name: value for name, value in zip(names, play.observation_tensor(seat), strict=True) if value}

    assert not [name for name in names if name.startswith(("hand.p1=", "hand.p2="))]
    one, two = seen(0), seen(1)
    assert (one["own hand=jack"], two["own hand=king"], one["staked.p1"]) == (1, 1, 1)
    assert {"you=p1", "to act=p1", "asked=action"} <= one.keys()
    assert "asked=action" not in two and "own hand=jack" not in two


def test_information_states_of_small_games_forget_nothing() -> None:
    """Two information states have one vector only where they have one text."""
    game, vectors = rulespec.Game(loaded("leduc_poker"), backend="python"), {}
    assert game.information_layout.perfect_recall
    for seed in range(60):
        choose = random.Random(seed)
        play = game.new_state(seed, undo=False).numbered()
        while not play.state.is_terminal():
            seat = play.state.current_player()
            text, vector = play.information_state(seat), play.information_state_tensor(seat).tobytes()
            assert vectors.setdefault(text, vector) == vector
            play.apply_action(choose.choice(play.legal_actions()))
    assert len(set(vectors.values())) == len(vectors) > 100


@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_kept_of_vectors_is_what_is_worked_out_anew(name: str) -> None:
    """Of games of one set-up, whatever was looked at before."""
    game = rulespec.Game(loaded(name), backend="python")
    for seed in range(2):
        choose, play = random.Random(seed), game.new_state(seed, undo=False).numbered()
        for _ in range(MOST):
            if play.state.is_terminal():
                break
            for seat in range(game.num_players):
                assert play.observation_tensor(seat) == anew(play.state, seat)
            play.apply_action(choose.choice(play.legal_actions()))


@pytest.mark.parametrize("name", ["hobbit_card_game", "lotr_tarot", "smaugs_treasure"])
@pytest.mark.parametrize("chance", ["seeded", "explicit"])
def test_a_summary_has_what_is_seen_now_the_most_that_was_and_how_often_what_was_done(name: str, chance: str) -> None:
    """As worked out from the beginning, of every position with chance as a player."""
    game, choose = rulespec.Game(loaded(name), backend="python"), random.Random(3)
    assert not game.information_layout.perfect_recall
    play = game.new_state(3 if chance == "seeded" else None, chance=chance, undo=False).numbered()
    for number in range(MOST):
        if number % 4 == 3:
            summarised(play, 0)
        play.apply_action(choose.choice(play.legal_actions()))
    for seat in range(game.num_players):
        summarised(play, seat)


def summarised(play: Numbered, seat: int) -> None:
    """The vector of a seat is as worked out anew, and counts the lines of the log that it reads."""
    if play.state.is_chance_node():
        return  # what one step draws is one event, which is not over
    tensor, wanted = play.information_state_tensor(seat), summary(play, seat)
    assert tensor[: len(wanted)] == wanted
    entries = play.state.game.information_layout.entries[len(wanted) :]
    said = [value for entry, value in zip(entries, tensor[len(wanted) :], strict=True) if "[" not in entry.name]
    assert sum(said) == len(play.state.log_lines(seat))


def anew(position: Position, seat: int, given: tuple[int, ...] = ()) -> array[float]:
    """The vector of an observation, with nothing kept."""
    return Layout(position.setup).observation(position, seat, given)


def summary(play: Numbered, seat: int) -> array[float]:
    """The vector of an information state, worked out from the beginning on."""
    setup, space = play.state.setup, play.space
    now = array("f")
    at = SlotPosition.start(setup, chance="explicit", undo=False)
    names = Layout(setup).names
    most, done = array("f", bytes(4 * len(names))), array("f", bytes(4 * len(space)))
    for answer in [*reversed(list(play.state.answers())), None]:
        pending = at.pending()
        if seat not in pending.participants or pending.of(seat) is not None:
            now = anew(at, seat)
            most = array("f", map(max, most, now))
        if answer is None:
            break
        actor, _, action, _ = answer
        if actor == seat:
            for number in space.word(at, pending.of(seat), action):
                done[number] += 1
        at.apply_action(action, actor)
    for entry, name in enumerate(names):
        if name.startswith(("to act=", "asked=", "given=")):
            most[entry] = 0  # who is asked is no thing that is seen
    if play.given.get(seat):
        now = anew(at, seat, play.given[seat])
    return now + most + done

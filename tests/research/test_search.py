"""The search: what it draws anew is as likely as chance makes it, what it chooses follows from what its seat sees, and it plays well."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

import rulespec
from interpreter import CHANCE, Game, State
from interpreter.bots import Guesses, Judge, SearchBot
from interpreter.bots.basics import Chance
from rulespec.bots.data import Policy
from tests.helpers.games import loaded

SMALL = [("kuhn_poker", 2, 3), ("kuhn_poker", 3, 3), ("leduc_poker", 2, 4)]


def searching(game: Game, playouts: int, seed: int) -> SearchBot:
    return SearchBot(game, Policy("search", "", "", playouts=playouts), Judge(game, game.program.functions), seed)


def histories(state: State, weight: Fraction, depth: int) -> Iterator[tuple[State, Fraction]]:
    """All positions of so many answers, with how likely chance makes them where players answer alike."""
    if state.is_terminal():
        return
    if state.is_chance_node():
        for action, share in state.chance_outcomes():
            yield from histories(state.child(action), weight * share, depth)
        return
    yield state, weight
    if depth:
        legal = state.legal_actions()
        for action in legal:
            yield from histories(state.child(action), weight / len(legal), depth - 1)


def hidden(state: State, seat: int) -> str:
    """What the others see: with what the seat sees it tells the position."""
    return str([state.observation(other)["zones"] for other in range(len(state.returns())) if other != seat])


@pytest.mark.parametrize(("name", "players", "depth"), SMALL)
def test_what_is_drawn_is_as_likely_as_it_is(name: str, players: int, depth: int) -> None:
    game = Game(loaded(name), players=players, backend="python")
    worlds: dict[tuple[int, str], dict[str, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    one: dict[tuple[int, str], State] = {}
    for state, weight in histories(game.new_state(chance="explicit"), Fraction(1), depth):
        seat = state.current_player()
        key = seat, state.information_state(seat)
        worlds[key][hidden(state, seat)] += weight
        one[key] = state
    guesses, chance = Guesses(game), Chance(4)
    draws = 160
    checked = 0
    for key in sorted(one)[:: max(1, len(one) // 14)]:
        exact, state = worlds[key], one[key]
        total = sum(exact.values())
        drawn = Counter(hidden(guesses.position(state, key[0], chance), key[0]) for _ in range(draws))
        assert set(drawn) <= set(exact), "a determinization that the seat can tell from the truth"
        for world, weight in exact.items():
            share = float(weight / total)
            assert abs(drawn[world] - draws * share) <= 5 * sqrt(draws * share * (1 - share)) + 1, (key, world)
        checked += len(exact) > 1
    assert checked > 5


@pytest.mark.parametrize(("name", "players"), [("kuhn_poker", 2), ("leduc_poker", 2), ("hobbit_card_game", 3)])
def test_a_choice_follows_from_what_its_seat_sees(name: str, players: int) -> None:
    game = Game(loaded(name), players=players, backend="python")
    guesses, chance = Guesses(game), Chance(2)
    asked = 0
    for seed in range(3):
        state = game.new_state(seed)
        for _ in range(4):
            if state.is_terminal():
                break
            seat = state.current_player()
            assert seat != CHANCE
            others = {hidden(twin := guesses.position(state, seat, chance), seat): twin for _ in range(4)}
            choices = {searching(game, 12, seed).choose(twin, seat) for twin in (state, *others.values())}
            asked += len(others) > 1 and len(state.legal_actions()) > 1
            assert len(choices) == 1
            state.apply_action(choices.pop())
    assert asked


def test_a_search_looks_at_the_answer_to_its_answer() -> None:
    """O has to block: to see that, the answers of X have to be looked at, which playouts by chance seldom do."""
    game = Game(rulespec.load("tic_tac_toe"))
    state = game.new_state(1)
    names = {state.action_to_string(action): action for action in state.legal_actions()}
    cells = sorted(names)
    for cell in (cells[0], cells[4], cells[1]):  # X in the corner and beside it, O in the middle
        state.apply_action(state.string_to_action(cell))
    for seed in range(4):
        assert state.action_to_string(searching(game, 150, seed).choose(state)) == cells[2]


def test_a_search_ends_early_where_nothing_can_overtake() -> None:
    game = Game(rulespec.load("tic_tac_toe"))
    state = game.new_state(1)
    names = [state.action_to_string(action) for action in state.legal_actions()]
    for word in (names[0], names[3], names[1], names[4]):
        state.apply_action(state.string_to_action(word))
    bot = searching(game, 400, 1)
    made: list[Any] = []
    draw = bot.guesses.position
    bot.guesses.position = lambda *given: made.append(1) or draw(*given)  # type: ignore[method-assign, func-returns-value]
    bot.determined = False
    assert state.action_to_string(bot.choose(state)) == names[2]
    assert 200 < len(made) < 400


@pytest.mark.parametrize("name", ["connect_four", "leduc_poker", "smaugs_treasure", "hobbit_card_game"])
def test_playing_on_is_the_same_on_all_back_ends(name: str) -> None:
    gamedef = rulespec.load(name)
    ways = [Game(gamedef, players=gamedef.players[0], backend=backend) for backend in ("reference", "python")]
    for seed in range(3):
        states = [game.new_state(seed, undo=False, record=False) for game in ways]
        for _ in range(seed):
            action = states[0].legal_actions()[0]
            for state in states:
                state.apply_action(action)
        ends = [state.playout(seed + 9) for state in states]
        assert all(end.is_terminal() and not state.is_terminal() for end, state in zip(ends, states, strict=True))
        assert ends[0].slots == ends[1].slots and ends[0].decisions == ends[1].decisions > states[0].decisions
    game = ways[1]
    assert game.new_state(5).playout(5).slots == game.playout(5).slots


def test_playing_on_draws_where_chance_is_a_player() -> None:
    game = Game(rulespec.load("kuhn_poker"), players=2, backend="python")
    begin = game.new_state(chance="explicit")
    ends = Counter(tuple(begin.playout(seed).returns()) for seed in range(60))
    assert len(ends) >= 4 and begin.is_chance_node()
    assert begin.playout(3).returns() == begin.playout(3).returns()

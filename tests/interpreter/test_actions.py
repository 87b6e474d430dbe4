"""The fixed numbering of actions: what a number means, that it is the same everywhere, and that answers of several stages are whole."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

import rulespec
from interpreter import setup
from interpreter.spaces.measures import ranges
from tests.helpers.games import loaded
from tests.helpers.places import GAMES, ROOT

SHIPPED = tuple(folder.name for folder in GAMES)
MOST = 25  # decisions of a game that are looked at


def walked(game, seed):
    """(number given, numbers that could be) of a random game, as far as it is looked at."""
    state = game.new_state(seed, undo=False, record=False)
    play, choose = state.numbered(), random.Random(seed)
    for _ in range(MOST):
        if state.is_terminal():
            return
        numbers = play.legal_actions()
        given = choose.choice(numbers)
        yield state, play, numbers, given
        play.apply_action(given)


@pytest.mark.parametrize("name", SHIPPED)
def test_every_number_has_one_meaning(name) -> None:
    """Each lies among those of the question that is asked, and no word of a question is the beginning of another."""
    game = rulespec.Game(loaded(name), backend="python")
    space = game.actions
    assert len(space) == game.num_distinct_actions == len(set(space.names)) > 0
    with pytest.raises(rulespec.UnknownAction, match="there is no action"):
        space.to_string(len(space))
    for state, play, numbers, _ in walked(game, 3):
        question = state.question()
        answering = space.sites[question.site.index]
        assert numbers == sorted(set(numbers)) and numbers
        assert answering.first <= numbers[0] and numbers[-1] < answering.last
        words = sorted(space.words(state, question))
        assert not any(two[: len(one)] == one for one, two in pairwise(words))
        assert len(words) <= len(state.legal_actions())
        assert play.state is state


@pytest.mark.parametrize("name", ["kuhn_poker", "smaugs_treasure", "hobbit_card_game"])
def test_numbers_are_the_same_on_every_back_end(name) -> None:
    one, two = (rulespec.Game(loaded(name), backend=backend) for backend in ("python", "reference"))
    assert one.actions.names == two.actions.names
    played = [[(numbers, given) for _, _, numbers, given in walked(game, 5)][:25] for game in (one, two)]
    assert played[0] == played[1] and played[0]


SETS = """\
rulespec: 1
id: stages
title: Stages
players: 2
pieces:
  Gem:
    rows: {ruby: {copies: 2}, glass: {}, star: {}}
zones:
  hand: {of: Gem, starts with: all}
  row: {of: Gem}
phases:
  game:
    do:
      - {choose: gems, by: p1, from: "list(set(ruby_1), set(ruby_1, glass), set(ruby_2, glass), set(glass, star))"}
      - {move: gems, to: row}
      - {choose: amount, by: p2, from: 0 .. 300}
end of game:
  winners: players
"""


def test_answers_that_are_too_many_are_given_in_stages(tmp_path: Path) -> None:
    """Symbol by symbol, without those that leave no choice; a part of an answer changes nothing and can be copied."""
    path = tmp_path / "game.yaml"
    path.write_text(SETS, encoding="utf-8")
    play = rulespec.Game(rulespec.load(path), backend="python").new_state(1).numbered()

    def shown() -> list[str]:
        return [play.action_to_string(number) for number in play.legal_actions()]

    assert shown() == ["gems: ruby_1", "gems: ruby_2", "gems: glass"]
    whole = play.clone()
    whole.apply_action(whole.legal_actions()[2])
    assert (whole.state.current_player(), whole.state.observation(0)["zones"]["row"]) == (1, ["glass", "star"])
    slots = play.state.slots
    play.apply_action(play.legal_actions()[0])
    assert (shown(), play.state.slots) == (["gems: glass", "gems: no more"], slots)
    with pytest.raises(rulespec.IllegalAction, match="`gems: star` is not an action of p1 now"):
        play.apply_action(play.legal_actions()[0] + 1)
    play.apply_action(play.legal_actions()[1])
    assert play.state.observation(0)["zones"]["row"] == ["ruby_1"]
    assert shown() == ["amount: 0··", "amount: 1··", "amount: 2··", "amount: 3··"]
    play.apply_action(play.legal_actions()[1])
    assert shown()[:2] == ["amount: 0·", "amount: 1·"]
    play.apply_action(play.legal_actions()[9])
    play.apply_action(play.legal_actions()[9])
    assert next(play.state.answers())[-1] == 199


def test_measures_of_a_game_with_few_positions() -> None:
    game = rulespec.Game(loaded("kuhn_poker"))
    assert (game.min_utility, game.max_utility, game.utility_sum, game.utility) == (-2, 2, 0, "zero_sum")
    assert (game.max_game_length, game.max_chance_outcomes, game.max_chance_nodes) == (3, 3, 2)
    assert (game.dynamics, game.chance_mode) == ("sequential", "explicit_stochastic")
    assert game.information == "imperfect_information"


@pytest.mark.parametrize(("name", "returns"), [("draws", (0, 15)), ("rotate", (0, 45))])
def test_pieces_that_lie_somewhere_count_once(name: str, returns: tuple[int, int]) -> None:
    """Five cards of 1 to 5 count 15 together, whoever holds them, and no five times 5; nobody is named who wins 1."""
    game = rulespec.Game(rulespec.load(ROOT / f"tests/conformance/play/{name}.yaml"), backend="reference")
    assert ranges(game).returns == returns


def test_measures_of_a_game_with_many() -> None:
    """Bounds hold; what nobody knows is not claimed."""
    game = rulespec.Game(loaded("hobbit_card_game"))
    assert (game.min_utility, game.max_utility, game.utility_sum, game.utility) == (-1, 1, None, "general_sum")
    assert (game.dynamics, game.max_game_length, game.max_chance_nodes) == ("simultaneous", game.most_decisions, None)
    assert game.max_chance_outcomes == 60
    board = rulespec.Game(loaded("connect_four"))
    assert (board.chance_mode, board.information, board.max_chance_outcomes) == (
        "deterministic",
        "perfect_information",
        0,
    )


@pytest.mark.parametrize(
    ("name", "options", "length"),
    [
        ("connect_four", None, 42),
        ("hex", None, 121),
        ("hex", {"size": 5}, 25),
        ("othello", None, 120),
        ("breakthrough", None, 354),
    ],
)
def test_a_board_that_fills_up_has_a_longest_game(name, options, length) -> None:
    """Loops over given items, and places that nothing empties, bound the decisions, or the rules say so; one winner of two makes the
    sum zero."""
    game = rulespec.Game(loaded(name), options=options, backend="python")
    assert game.census is None
    assert (game.max_game_length, game.utility_sum, game.utility) == (length, 0, "zero_sum")


STATED = """\
rulespec: 1
id: stated
players: 2..4
options: {stake: {values: 1..3, default: 2}}
state:
  per Player: {coins: {is: 0..1000, starts: 5}}
phases:
  game:
    do:
      - repeat: 20
        do:
          - for: p in players
            do:
              - {choose: n, by: p, from: 0..3}
              - {transfer: n, from: p.coins, to: left_of(p).coins, if: n <= p.coins}
end of game:
  returns: (this.coins - 5 * stake) / 2
  utility: UTILITY
"""


def stated(tmp_path, utility, players=4, options=None):
    path = tmp_path / "game.yaml"
    path.write_text(STATED.replace("UTILITY", utility))
    return rulespec.Game(rulespec.load(str(path)), players=players, options=options, backend="python")


def test_what_the_rules_state_is_known_before_play(tmp_path) -> None:
    """Sum and bounds that nobody can work out, by players and options; without them nothing is claimed."""
    game = stated(tmp_path, '{sum: "0 - 5 * size(players) * (stake - 1)", min: -2 * stake, max: 10}', 3, {"stake": 1})
    assert (game.min_utility, game.max_utility, game.utility_sum, game.utility) == (-2, 10, 0, "zero_sum")
    assert game.census is None
    assert stated(tmp_path, "{sum: -10}").utility == "constant_sum"
    assert stated(tmp_path, "{identical: yes}").utility == "identical"
    silent = stated(tmp_path, "{}")
    assert (silent.census, silent.max_utility, silent.utility_sum, silent.utility) == (
        None,
        Fraction(1000, 2) - 5,
        None,
        "general_sum",
    )


@pytest.mark.parametrize(
    ("utility", "told"),
    [
        ("{sum: 1}", "all get -20/2 together; `utility` states `sum: 2/2`"),
        ("{min: 0}", "somebody gets -5/2; `utility` states `min: 0/2`"),
        ("{max: -3}", "somebody gets -5/2; `utility` states `max: -6/2`"),
        ("{identical: yes}", "one gets -7/2, another -3/2; `utility` states `identical: yes`"),
    ],
)
def test_a_game_that_breaks_what_its_rules_state_is_a_fault(tmp_path, utility, told) -> None:
    """The message says what was found; the place is that of the statement."""
    state = stated(tmp_path, utility).new_state(1)
    moved = iter([2] if "identical" in utility else [])
    with pytest.raises(rulespec.Fault) as caught:
        while True:
            state.apply_action(next(moved, 0))
    problem = caught.value.diagnostic
    assert (problem.code, problem.message) == ("R021", told)
    assert problem.span is not None and problem.span.text in utility


NAMED = """\
rulespec: 1
id: named
players: 2
state: {best: {is: Player, starts: p1}, turns: {is: 0..100, starts: 0}, total: {is: 0..10000, starts: 0}}
phases:
  game:
    do:
      - while: turns < 100
        do:
          - {choose: n, by: p1, from: 1..3}
          - {add: 1, to: turns}
          - {add: n, to: total}
          - if: n > 2
            then: [STEP]
      - {win: best}
"""


@pytest.mark.parametrize(
    ("step", "total"),
    [
        ("{win: best}", 0),
        ("{award: set(best)}", None),
        ("{award: players}", None),
        ("{let: some, be: set(best)}, {set: some, to: some + set(p2)}, {win: some}", None),
        ("{let: some, be: set(best)}, {set: some, to: some}, {win: some}", None),
        ("{let: some, be: winners otherwise players}, {win: some}", None),
    ],
)
def test_a_sum_is_claimed_of_winners_whose_number_is_known(tmp_path, step, total) -> None:
    """Names that steps make may be anything that is put there, what a procedure is given too."""
    path = tmp_path / "game.yaml"
    award = "procedures: {award: {takes: {some: set of Player}, do: [{win: some}]}}\n" if "award" in step else ""
    path.write_text(NAMED.replace("STEP", step) + award)
    game = rulespec.Game(rulespec.load(str(path)), backend="python")
    assert (game.census, game.utility_sum) == (None, total)


def test_no_length_is_claimed_where_places_are_emptied() -> None:
    game = rulespec.Game(loaded("hex"), options={"swap": "yes"}, backend="python")
    assert (game.max_game_length, game.utility) == (game.most_decisions, "zero_sum")


def test_that_nothing_is_found_is_kept() -> None:
    """What is made once is made once, also where it is None."""
    made = []
    once = setup.once_for_each(lambda _: made.append(1))
    game = rulespec.Game(loaded("kuhn_poker"), backend="python")
    assert (once(game), once(game), made) == (None, None, [1])


@pytest.mark.parametrize("name", ["connect_four", "hex", "nine_mens_morris", "othello", "breakthrough"])
def test_what_is_worked_out_holds_in_play(name) -> None:
    """No game is longer, and none has another sum."""
    game = rulespec.Game(loaded(name), backend="python")
    for seed in range(3):
        state, decisions, choose = game.new_state(seed, undo=False, record=False), 0, random.Random(seed)
        while not state.is_terminal():
            state.apply_action(choose.choice(state.legal_actions()))
            decisions += 1
        assert decisions <= game.max_game_length
        assert game.utility_sum in (None, sum(state.returns()))

"""Many games at once in arrays, and a policy that learns from them."""

from __future__ import annotations

import pytest

import rulespec
from tests.helpers.envs import ALL, game_of

WITHOUT = "numpy is not there: it comes with the extras `openspiel` and `envs`"
numpy = pytest.importorskip("numpy", reason=WITHOUT)
vector = pytest.importorskip("rulespec.envs.vector", reason=WITHOUT)
learning = pytest.importorskip("rulespec.envs.learning", reason=WITHOUT)


@pytest.mark.parametrize(("name", "steps"), [("leduc_poker", 40), ("hobbit_card_game", 60), ("smaugs_treasure", 60)])
def test_games_at_once_are_the_games_one_by_one(name: str, steps: int) -> None:
    """Who is asked, what it sees and may do, what a game gave that ended; the same seed gives the same games.  Answers in parts, too."""
    game = game_of(name)
    one, two = vector.Vector(game, 8, seed=3), vector.Vector(game, 8, seed=3)
    random, ended = numpy.random.default_rng(1), 0
    for _ in range(steps):
        plays = [one.play(place) for place in range(8)]
        for place, play in enumerate(plays):
            seat = one.players[place]
            assert seat == play.state.current_player()
            assert list(numpy.flatnonzero(one.masks[place])) == play.legal_actions()
            assert one.observations[place].tobytes() == play.observation_tensor(seat).tobytes()
        numbers = (one.masks * random.random(one.masks.shape)).argmax(axis=1)
        one.step(numbers)
        two.step(numbers)
        for place, play in enumerate(plays):
            play.apply_action(int(numbers[place]))
            assert one.done[place] == play.state.is_terminal()
            assert list(one.rewards[place]) == play.state.returns()
        ended += one.done.sum()
        assert (one.observations == two.observations).all() and (one.rewards == two.rewards).all()
    assert ended > 20 or name != "leduc_poker"


def test_a_number_that_is_not_legal_changes_nothing() -> None:
    """It is refused in the words of a single game, and no game is stepped, not even those before it."""
    for name in ("leduc_poker", "smaugs_treasure"):
        batch = vector.Vector(game_of(name), 4, seed=3)
        numbers = batch.masks.argmax(axis=1)
        before = batch.observations.copy()
        for wrong, why in (
            (batch.masks[2].argmin(), "is not an action of"),
            (-1, "no action -1"),
            (10**6, "no action 10"),
        ):
            numbers[2] = wrong
            with pytest.raises(rulespec.IllegalAction, match=why):
                batch.step(numbers)
        assert (batch.observations == before).all() and batch.masks[2].sum()


def test_a_policy_learns() -> None:
    """After some thousand games of Kuhn poker it wins more against random seats than before."""
    game = game_of("kuhn_poker")
    policy = learning.Policy(game, seed=2)
    first, _ = learning.tried(game, policy, seed=5)
    batch = vector.Vector(game, learning.GAMES, seed=2)
    taught = learning.Lesson(batch, policy)
    while taught.games < 800:
        taught.step()
    last, half = learning.tried(game, policy, seed=5)
    assert last > first + 0.1 and last > half


def test_a_curve_of_a_longer_game() -> None:
    """It begins before the first game and ends after as many as are wanted; each point lies within what a seat can get."""
    game = game_of("hobbit_card_game")
    policy = learning.Policy(game, seed=1)
    points = list(learning.curve(game, policy, most=2, every=1, each=1))
    games = [point.games for point in points]
    assert games[0] == 0 and len(games) > 1 and games == sorted(set(games)) and policy.ended == games[-1]
    assert games[-1] >= 2 > games[-2] and 0 == points[0].seconds < points[-1].seconds
    assert [point.games for point in learning.curve(game, policy, seconds=0, each=1)] == [0]
    assert all(0 < point.half < 1 and abs(point.mean) <= game.max_utility for point in points)
    assert abs(policy.weights).max() > 0
    pytest.importorskip("matplotlib", reason="matplotlib is not there: it comes with the extra `lab`")
    picture = learning.drawn(game.title, points)
    assert game.title in picture and picture.count("<use ") >= len(points)


@pytest.mark.skipif(not ALL, reason="takes minutes: `make envs-test`")
@pytest.mark.parametrize(("name", "games"), [("leduc_poker", 4000), ("hobbit_card_game", 10000)])
def test_a_policy_learns_what_the_page_says(name: str, games: int) -> None:
    """After so many games it wins more against random seats than at first, beyond both intervals."""
    game = game_of(name)
    policy = learning.Policy(game, seed=1)
    taught = learning.Lesson(vector.Vector(game, learning.GAMES, seed=1), policy)
    first, before = learning.tried(game, policy, seed=1)
    while taught.games < games:
        taught.step()
    last, after = learning.tried(game, policy, seed=2)
    assert last - after > first + before

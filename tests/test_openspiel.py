"""Our games as OpenSpiel's: they pass its own simulation, and its algorithms find in them what they find in its own games."""

from __future__ import annotations

import pytest

from tests.helpers.envs import ALL, FEW, GAMES

WITHOUT = "the extra `openspiel` is not there"
pyspiel = pytest.importorskip("pyspiel", reason=WITHOUT)
numpy = pytest.importorskip("numpy", reason=WITHOUT)
pytest.importorskip("rulespec.envs.openspiel", reason=WITHOUT)
cfr, exploitability, ismcts, mcts = (
    pytest.importorskip(f"open_spiel.python.algorithms.{name}", reason=WITHOUT)
    for name in ("cfr", "exploitability", "ismcts", "mcts")
)
policy = pytest.importorskip("open_spiel.python.policy", reason=WITHOUT)

ITERATIONS = 300 if ALL else 10


@pytest.mark.parametrize("name", GAMES)
def test_openspiel_accepts_games(name: str) -> None:
    """OpenSpiel's own simulation, with what it asks of each kind of node; with serialisation where games are short."""
    game = pyspiel.load_game(f"rulespec(game={name})")
    pyspiel.random_sim_test(game, num_sims=1, serialize=name in FEW[:2], verbose=False)
    assert pyspiel.load_game(str(game)).get_type().dynamics == game.get_type().dynamics
    assert (game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS) == (
        game.spec.dynamics == "simultaneous"
    )


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"] if ALL else ["kuhn_poker"])
def test_openspiel_solves_ours_as_its_own(name: str) -> None:
    """The same exploitability of the uniform strategy and after some iterations of CFR."""
    ours, theirs = pyspiel.load_game(f"rulespec(game={name})"), pyspiel.load_game(name)
    uniform = [exploitability.nash_conv(game, policy.UniformRandomPolicy(game)) for game in (ours, theirs)]
    solvers = [cfr.CFRSolver(game) for game in (ours, theirs)]
    for solver in solvers:
        for _ in range(ITERATIONS):
            solver.evaluate_and_update_policy()
    solved = [
        exploitability.nash_conv(game, solver.average_policy())
        for game, solver in zip((ours, theirs), solvers, strict=True)
    ]
    assert uniform[0] == pytest.approx(uniform[1], abs=1e-9) and uniform[0] > 0.9
    assert solved[0] == pytest.approx(solved[1], abs=1e-9) and solved[0] < uniform[0] / 2


def test_openspiel_searches_ours() -> None:
    """MCTS on a game without chance, ISMCTS on one with hidden cards: both play to the end."""
    random = numpy.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    board = pyspiel.load_game("rulespec(game=tic_tac_toe)")
    thinker = mcts.MCTSBot(board, 2, 30, evaluator, random_state=random)
    state = board.new_initial_state()
    while not state.is_terminal():
        state.apply_action(thinker.step(state))
    cards = pyspiel.load_game("rulespec(game=kuhn_poker)")
    guesser = ismcts.ISMCTSBot(cards, evaluator, 2.0, 30, random_state=random)
    hand = cards.new_initial_state()
    while not hand.is_terminal():
        hand.apply_action(hand.legal_actions()[0] if hand.is_chance_node() else guesser.step(hand))
    assert sum(state.returns()) == sum(hand.returns()) == 0


def test_what_is_sampled_anew_is_what_the_seat_has_seen() -> None:
    """Each state that a seat cannot tell from the real one comes as often as it should."""
    cards = pyspiel.load_game("rulespec(game=kuhn_poker)")
    state = cards.new_initial_state()
    for word in ("jack", "king"):
        state.apply_action(state.string_to_action(word))
    state.apply_action(state.legal_actions()[1])
    random = numpy.random.RandomState(3)
    others = [state.resample_from_infostate(1, random.random_sample) for _ in range(300)]
    assert {other.information_state_string(1) for other in others} == {state.information_state_string(1)}
    jacks = sum('"hand.p1":["jack"]' in str(other) for other in others)
    assert 120 < jacks < 180

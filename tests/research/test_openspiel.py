"""Our games as OpenSpiel's: they pass its own simulation, and its algorithms find in them what they find in its own games."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest

from tests.helpers.envs import ALL, FEW, GAMES
from tests.helpers.places import ROOT

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


PASSED_ON = """\
rulespec: 1
id: passed_on
title: Passed on
about: Keep one card, pass the rest on.
players: 2..3
pieces:
  Card: {fields: {value: 1..20}, rows: "each(value in 1..20)"}
zones:
  deck: {of: Card, order: shuffled, seen by: none, starts with: all}
  hand: {of: Card, per: Player, seen by: owner}
  kept: {of: Card, per: Player, seen by: owner}
phases:
  game:
    do:
      - {deal: 5, from: deck, to: hand}
      - repeat: 3
        do:
          - together: p in players
            do:
              - {choose: pick, by: p, from: p.hand}
            then:
              - {move: p.pick, to: p.kept}
          - {rotate: hand, to: left}
end of game:
  rank: ranking(p in players by sum(c.value for c in p.kept))
"""


def test_what_follows_from_early_draws_is_sampled_too(tmp_path: Path) -> None:
    """Where a search from the beginning has no end, changes of the game that was played give others that the seat cannot tell apart."""
    path = tmp_path / "game.yaml"
    path.write_text(PASSED_ON)
    random = numpy.random.RandomState(5)
    state = pyspiel.load_game("rulespec", {"game": str(path)}).new_initial_state()
    while not (state.is_simultaneous_node() and state.move_number() > 11):
        if state.is_chance_node():
            state.apply_action(int(random.choice([action for action, _ in state.chance_outcomes()])))
        else:
            state.apply_actions([state.legal_actions(seat)[0] for seat in range(2)])
    others = [state.resample_from_infostate(0, random.random_sample) for _ in range(4)]
    assert {other.information_state_string(0) for other in others} == {state.information_state_string(0)}
    assert len({str(other) for other in others}) > 1


SCRAMBLED = """\
rulespec: 1
id: scrambled
title: Scrambled
about: Three cards lie behind a screen, all are told a number made of them, and one player says whether the first is high.
players: 2
types: {Guess: [low, high]}
pieces:
  Card: {fields: {value: 1..60}, rows: "each(value in 1..60)"}
zones:
  deck: {of: Card, order: shuffled, seen by: none, starts with: all}
  screen: {of: Card, order: as laid, seen by: none}
  table: {of: Card}
state:
  told: {is: 0..10006, starts: 0}
  high: {is: Guess, starts: low}
  changed: {is: Yes or no, starts: no}
phases:
  game:
    do:
      - repeat: 3
        do: [{draw: 1, from: deck, to: screen}]
      - {set: told, to: "mod(sum(position(screen, c) * position(screen, c) * (c.value + 60) * (c.value + 7) for c in screen), 10007)"}
      - {choose: guess, by: p1, from: Guess}
      - {set: high, to: guess}
      - {move: all, from: screen, to: table}
      - {choose: again, by: p1, from: Guess}
      - {set: changed, to: again != high}
end of game:
  winners: if changed then set(p1) else set(p2)
"""


def test_the_game_that_was_played_is_no_sample_while_something_is_hidden(tmp_path: Path) -> None:
    """Where no change keeps what the seat has seen, the real cards would be told: an error.  When all is seen, there is no other answer."""
    path = tmp_path / "game.yaml"
    path.write_text(SCRAMBLED)
    state = pyspiel.load_game("rulespec", {"game": str(path)}).new_initial_state()
    for action in (17, 4, 41):
        state.apply_action(state.legal_actions()[action])
    random = numpy.random.RandomState(5)
    with pytest.raises(ValueError, match="no other game was found after which seat 0 has seen and done the same"):
        state.resample_from_infostate(0, random.random_sample)
    state.apply_action(state.legal_actions()[0])
    assert str(state.resample_from_infostate(0, random.random_sample)) == str(state)


def test_alpha_beta_plays_our_board_games() -> None:
    minimax = pytest.importorskip("open_spiel.python.algorithms.minimax")
    game = pyspiel.load_game("rulespec(game=connect_four,options=columns:4;rows:4;connect:3)")
    assert (game.get_type().utility, game.max_game_length()) == (pyspiel.GameType.Utility.ZERO_SUM, 16)
    value, _ = minimax.alpha_beta_search(game, value_function=lambda _: 0, maximum_depth=4, maximizing_player_id=0)
    assert value in (0, 1)


def test_options_are_read_as_they_are_written() -> None:
    """A game's own text makes it again, and a state is a few hundred bytes that carry no rules; other forms are refused."""
    game = pyspiel.load_game("rulespec", {"game": "hex", "options": "size=5; swap=yes"})
    again = pyspiel.load_game(str(game))
    assert dict(again.spec.program.settings) == {"size": "5", "swap": "yes"} and again.spec is game.spec
    state = game.new_initial_state()
    state.apply_action(3)
    written = pickle.dumps(state)
    assert len(written) < 1000 and str(pickle.loads(written)) == str(state)
    with pytest.raises(ValueError, match="options are `name:value`"):
        pyspiel.load_game("rulespec(game=hex,options=size)")
    params, answers, given, _ = state.played.__reduce__()[1]
    with pytest.raises(ValueError, match="others than when"):
        type(state.played).__reduce__(state.played)[0](params, answers, given, "0" * 64)


def test_what_the_readme_shows_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its game, by its program."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    [game] = [block for block in re.findall(r"(?ms)^```yaml\n(.*?)^```$", text) if block.startswith("rulespec: 1")]
    [program] = re.findall(r"(?ms)^```python\n(import pyspiel\n.*?)^```$", text)
    (tmp_path / "higher.yaml").write_text(game, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(compile(program, "README.md", "exec"), names)
    assert sorted(names["state"].returns()) == [-1, -1, 1]  # type: ignore[attr-defined]

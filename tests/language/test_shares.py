"""Returns that are fractions: as numbers of programs, in files, and as rewards of batches."""

from fractions import Fraction

import pytest

import rulespec
from interpreter.files import transcript
from tests.helpers.native import COMPILES
from tests.helpers.places import ROOT

SHARES = ROOT / "tests/conformance/play/shares.yaml"
ANSWERS = [4, 4, 2, 4, 0]
GIVEN = [Fraction(37, 12), Fraction(37, 12), Fraction(3, 4), Fraction(37, 12), Fraction(1)]


@pytest.fixture(scope="module")
def game() -> rulespec.Game:
    return rulespec.Game(rulespec.load(SHARES), players=5, backend="python")


@pytest.fixture
def ended(game: rulespec.Game) -> rulespec.State:
    state = game.new_state(seed=1)
    assert state.returns() == [0] * 5
    for number in ANSWERS:
        state.apply_action(state.string_to_action(str(number)))
    return state


def test_returns_are_exact(ended: rulespec.State) -> None:
    assert ended.returns() == GIVEN
    assert [str(number) for number in ended.returns()] == ["37/12", "37/12", "3/4", "37/12", "1"]
    assert ended.outcome().winners == (0, 1, 3)


def test_returns_as_data(game: rulespec.Game, ended: rulespec.State) -> None:
    data = ["37/12", "37/12", "3/4", "37/12", 1]
    assert ended.observation(0)["returns"] == data
    assert list(ended.table(0)["over"]["returns"].values()) == data
    assert game.state_from_json(ended.to_json()).returns() == GIVEN
    text = transcript.write(ended)
    assert '"37/12"' in text
    assert game.replay(text).returns() == GIVEN
    with pytest.raises(rulespec.RulespecError, match="does not end here"):
        game.replay(text.replace('"3/4"', '"3/5"'))


@pytest.mark.parametrize("backend", ["python", "native"])
def test_rewards_are_floats(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if backend == "native" and not COMPILES:
        pytest.skip("needs a C compiler, and the extension module")
    monkeypatch.setenv("RULESPEC_NATIVE", "on")
    game = rulespec.Game(rulespec.load(SHARES), players=5, backend=backend)
    batch = rulespec.Batch(game, 1, seed=1)
    for number in ANSWERS:
        batch.step([number])
    assert batch.done[0] and batch.rewards.tolist() == [[float(number) for number in GIVEN]]

"""The family of tricks: its variants beside an oracle of our own, and as OpenSpiel's games were recorded."""

from __future__ import annotations

from statistics import median

import pytest
import yaml

import interpreter
import rulespec
from tests.helpers.places import ALL, ROOT
from tools.dev.family.beside import Beside
from tools.dev.family.card_bids import ORACLES
from tools.dev.family.deals import one_game, replayed
from tools.dev.family.spiel import THERE
from tools.dev.family.tricks import RECORDED_GAMES, oracle

BASE = ROOT / "games/whist_family"
VARIANTS = {file.stem: file for file in sorted(BASE.glob("variants/*.yaml"))}
KEPT: dict[str, list[str]] = yaml.safe_load((ROOT / "tests/games/whist_family.yaml").read_text(encoding="utf-8"))
SAMPLE = sorted(ORACLES)[:: 1 if ALL else 15]  # each fifteenth


def started(name: str) -> interpreter.Game:
    """A game of the family."""
    return interpreter.Game(rulespec.load(BASE, variant=name if name in VARIANTS else None), backend="python")


def test_each_has_a_judge() -> None:
    """Our own oracle, or OpenSpiel."""
    assert not VARIANTS.keys() - ORACLES.keys() - THERE.keys()
    assert KEPT.keys() == THERE.keys() and {len(games) for games in KEPT.values()} == {RECORDED_GAMES}


@pytest.mark.parametrize("name", [name for name in SAMPLE if name in VARIANTS])
def test_games_in_step_with_the_oracle(name: str) -> None:
    found, game = Beside(), started(name)
    one_game(found, game, oracle(name), seed=0)
    assert not found.differences and found.moves > 10


def test_what_differs_is_told() -> None:
    """A game beside the oracle of another one, in which other tricks and cards cost."""
    found = Beside()
    one_game(found, started("polignac"), oracle("slobberhannes"), seed=0)
    assert len(found.differences) == 1 and "and there" in found.differences[0]


@pytest.mark.parametrize("name", sorted(KEPT)[:: 1 if ALL else 2])
def test_recorded_games(name: str) -> None:
    """Games of OpenSpiel: the same numbers of legal answers all the way, and the same scores."""
    game = started(name)
    for text in KEPT[name][: None if ALL else 1]:
        assert replayed(game, text) == text


def test_variants_are_short() -> None:
    """None has more than 27 lines, half have at most thirteen; the base has at most 280 and names none."""
    rules = [file.read_text(encoding="utf-8").partition("\ncases:\n")[0] for file in VARIANTS.values()]
    lines = [sum(bool(line.strip()) and not line.startswith("#") for line in text.splitlines()) for text in rules]
    assert max(lines) <= 27 and median(lines) <= 13
    base = (BASE / "game.yaml").read_text(encoding="utf-8")
    assert len(base.splitlines()) <= 280
    suits = {"hearts", "spades"}
    assert not [name for name in VARIANTS.keys() - suits - {"tasks", "dummy"} if name in base]

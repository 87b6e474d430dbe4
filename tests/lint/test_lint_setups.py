"""What lint finds in some setup alone is the same whether setups share what they are alike in, or each is looked at from nothing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from rulespec.analysis.domain import Fact, of_value
from rulespec.lint.evaluate import RangeWorld
from rulespec.lint.game import LintGame
from rulespec.lint.linter import lint
from tests.helpers.games import suite_of
from tests.helpers.places import ROOT

GAMES = [
    *(ROOT / f"tests/conformance/lint/{name}.yaml" for name in ("data", "limits", "measures", "other_sizes")),
    *(ROOT / f"tests/legitimate/{name}.yaml" for name in ("crew", "extra_turns", "z_signals")),
]


def from_nothing(world: RangeWorld, settings: Mapping[str, Fact]) -> RangeWorld:
    """A world that shares nothing with another."""
    return RangeWorld(world.slots, settings, world.functions, world.parameters, declared=world.declared)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_setups_that_share_what_is_alike_have_the_same_findings(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = lint(suite_of(path).game, notes=True)
    monkeypatch.setattr(RangeWorld, "settled", from_nothing)
    monkeypatch.setattr(RangeWorld, "settings_of", lambda world, _: frozenset(world.settings))
    alone = lint(suite_of(path).game, notes=True)
    assert [(f.rule, f.message, f.span.start, f.help) for f in shared] == [
        (f.rule, f.message, f.span.start, f.help) for f in alone
    ]


def test_what_functions_give_is_kept_unless_they_read_what_a_setup_settles() -> None:
    world = LintGame(suite_of(ROOT / "games" / "othello").game).ranges.world
    settled = world.settled({**world.settings, "players": of_value(1)})
    reading = {n for n in world.results if "players" in world.function_settings(n)}
    assert settled.results.keys() == world.results.keys() - reading
    assert reading and settled.results

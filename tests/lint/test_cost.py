"""What lint says an expression costs: natural style costs little after the passes, and nothing that is right as it stands is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.lint.cost import Cost, costs
from rulespec.lint.game import LintGame
from rulespec.lint.linter import lint
from rulespec.lint.rules.costly_expression import MANY
from tests.helpers.games import suite_of
from tests.helpers.places import GAMES, ROOT

NATURAL = {name: ROOT / f"tools/dev/bench/data/natural_{name}.yaml" for name in ("breakthrough", "othello")}
LEGITIMATE = sorted((ROOT / "tests/legitimate").glob("*.yaml"))


def dearest(path: Path, optimise: bool = True) -> float:
    """What the dearest expression of a game costs, with its passes or without."""
    checked = suite_of(path).game
    game = LintGame(checked)
    program = checked.program(players=checked.players[-1], optimise=optimise)
    return max(each.items for each in costs(Cost(program, game.ranges.world), (number for _, number in game.steps())))


@pytest.mark.parametrize(("name", "before", "after"), [("breakthrough", 700, 70), ("othello", 17_000, 1_500)])
def test_natural_style_is_cheap_after_the_passes(name: str, before: int, after: int) -> None:
    """What is written without a thought costs a tenth of what it says, and about as much as the game that is tuned."""
    assert dearest(NATURAL[name], optimise=False) > before
    assert dearest(NATURAL[name]) < after
    assert dearest(NATURAL[name]) < 3 * dearest(ROOT / "games" / name)


@pytest.mark.parametrize("path", [*GAMES, *LEGITIMATE, *NATURAL.values()], ids=lambda path: path.stem)
def test_nothing_is_too_dear(path: Path) -> None:
    """Or it is allowed in its place, with the reason."""
    assert dearest(path) < MANY or "L118" not in {f.rule.code for f in lint(suite_of(path).game, notes=True)}


def test_a_note_that_takes_long_is_looked_for_where_it_is_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A comment that allows it is no finding without notes, and nothing is estimated where no comment speaks of it.

    The paragraph of a rulebook may be called as the note is.
    """
    allowing = suite_of(ROOT / "tests/conformance/lint/costly.yaml").game
    assert [f.rule.code for f in lint(allowing) if f.rule.code in ("L002", "L118")] == []
    looked: list[object] = []

    def noted(_: Cost, part: object, __: object) -> float:
        looked.append(part)
        return 0.0

    monkeypatch.setattr(Cost, "whole", noted)
    file = tmp_path / "game.yaml"
    file.write_text(f"{NATURAL['breakthrough'].read_text(encoding='utf-8')}\n# see L118-119\n", encoding="utf-8")
    plain = suite_of(file).game
    lint(plain)
    assert not looked
    lint(plain, notes=True)
    assert looked

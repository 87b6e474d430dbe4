"""What the README says of the games is so."""

from __future__ import annotations

import re

from tests.helpers.games import suite_of
from tests.helpers.places import GAMES, ROOT
from tools.cli import MODULES

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_game_stands_in_the_table_with_its_players_and_cases() -> None:
    rows = re.findall(r"(?m)^\| `(\w+)` \| ([^|]*?) \| ([^|]*) \|$", TEXT)
    assert sorted(name for name, _, _ in rows) == [folder.name for folder in GAMES]
    for folder in GAMES:
        suite = suite_of(folder)
        [(_, players, about)] = [row for row in rows if row[0] == folder.name]
        counts = [int(number) for number in re.findall(r"\d+", players)]
        assert (counts[0], counts[-1]) == (suite.game.players[0], suite.game.players[-1])
        assert [int(found) for found in re.findall(r"(\d+) cases", about)] in ([], [len(suite.cases)]), folder.name


def test_every_command_stands_in_the_table() -> None:
    rows = re.findall(r"(?m)^\| `rulespec (\w+)` +\|", TEXT)
    assert sorted(rows) == sorted(set(MODULES) - {"completion"})  # a shell's, shown by its own help


def test_variants_are_counted() -> None:
    assert f"{len(list((ROOT / 'games').glob('*/variants/*.yaml')))} in all:" in TEXT


def test_counts_that_change_with_every_commit_are_left_out() -> None:
    """Of tests and source files; the counts of cases above are compared with the games."""
    assert "... passed" in TEXT and "... source files" in TEXT
    assert not re.findall(r"\d[\d,]* (?:passed|skipped|source files|tests)", TEXT)

"""What the README says of the games is so."""

from __future__ import annotations

import re

from support import GAMES, ROOT, suite_of

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


def test_variants_are_counted() -> None:
    assert f"{len(list((ROOT / 'games').glob('*/variants/*.yaml')))} in all:" in TEXT

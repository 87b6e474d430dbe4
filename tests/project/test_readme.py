"""What the README and the pages of games and commands say is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rulespec
from rulespec.codes.catalogue import CATALOGUE
from tests.helpers.envs import ALL
from tests.helpers.games import large, shipped, suite_of
from tests.helpers.leaks import planted
from tests.helpers.places import ALL_GAMES, ROOT
from tools import cli
from tools.dev import games_page
from tools.dev.family import games as families

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
PAGE = games_page.PAGE.read_text(encoding="utf-8")
[GAME] = [text for text in re.findall(r"(?ms)^```yaml\n(.*?)^```$", TEXT) if text.startswith("rulespec: 1")]
[LEAK] = re.findall(r'(?m)^```yaml\n( +- \{log: ".*"\}\n)```$', TEXT)
SAID = re.findall(r"(?ms)^\$ \.venv/bin/rulespec lint higher\.yaml\n(.*?)^```$", TEXT)


def test_the_game_is_clean_and_is_played_by_any_number(tmp_path: Path) -> None:
    assert len(GAME.splitlines()) <= 20
    file = tmp_path / "higher.yaml"
    file.write_text(GAME, encoding="utf-8")
    assert cli.main(["lint", str(file)]) == 0
    for players in (2, 3, 4):
        state = rulespec.Game(rulespec.load(file), players=players).new_state(seed=players)
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        assert sorted(state.returns()) == [-1] * (players - 1) + [1]


def test_the_leak_is_found_and_told_as_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = re.sub(r"(?m)^ +- \{reveal: .*\n", lambda _: LEAK, GAME)
    assert shown != GAME
    (tmp_path / "higher.yaml").write_text(shown, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert cli.main(["lint", "higher.yaml"]) == 1
    captured = capsys.readouterr()
    assert [captured.out + captured.err] == SAID


def test_what_is_counted() -> None:
    assert len(CATALOGUE) > 300 and "over 300 kinds" in TEXT
    assert (
        PAGE.startswith(games_page.HEAD) and games_page.TABLE in PAGE and PAGE.count("\n| ") == 2 * len(ALL_GAMES) + 2
    )
    assert len(ALL_GAMES) == 19 and TEXT.count("19 games") == 2
    assert sum(len(suite_of(folder).cases) for folder in ALL_GAMES) > 1000 and "have over 1,000" in TEXT
    assert f": {len(list((ROOT / 'games').glob('*/variants/*.yaml')))} come with the games" in TEXT


def test_the_variant_is_a_shipped_one_and_its_family_is_counted() -> None:
    [shown] = [text for text in re.findall(r"(?ms)^```yaml\n(.*?)^```$", TEXT) if text.startswith("extends: ")]
    chess = next(one for one in families.FAMILIES if one.base == "chess_family")
    variants = [one for one in chess.members() if one.extends]
    rules = next(one for one in variants if f"id: {one.id}\n" in shown).file.read_text(encoding="utf-8")
    assert len(shown.splitlines()) == 6
    assert [line for line in rules.splitlines() if line and not line.startswith("#")] == shown.splitlines()
    judged = sum(one.there is not None for one in variants)
    assert f"has {len(variants)} such [variants](docs/family.md#chess). {judged} of them\n" in TEXT


def test_what_installs_for_the_first_game_installs_for_the_browser() -> None:
    """`make play` is all that a reader has run when the page, and the first lesson, say `rulespec serve`."""
    assert "rulespec serve higher.yaml --open" in TEXT
    assert re.search(r"(?m)^play: \$\(VENV\)/\.web-ready$", (ROOT / "Makefile").read_text(encoding="utf-8"))


def test_as_many_leaks_are_found_as_there_are_among_those_planted() -> None:
    leaks = planted()
    said = f"{sum(leak.found_by_lint for leak in leaks)} of {len(leaks)} "
    assert f"{said}secrets that were leaked on purpose" in TEXT
    assert f"{said}leaks that were planted" in (ROOT / "docs/guarantees.md").read_text(encoding="utf-8")


def test_counts_that_change_with_every_commit_are_left_out() -> None:
    """Of tests and source files."""
    assert "... passed" in TEXT and "... source files" in TEXT
    assert not re.findall(r"\d[\d,]* (?:passed|skipped|source files|tests)", TEXT)


def test_what_a_first_reader_needs_comes_first() -> None:
    """Both commands stand within the first two screens, before any table, and the whole is some five of them."""
    head = TEXT.split("\n## A whole game", 1)[0]
    assert "make play" in head and "make test" in head and len(head.splitlines()) <= 50 and "|---" not in head
    assert len(TEXT.splitlines()) <= 160


@pytest.mark.parametrize("folder", ALL_GAMES, ids=lambda folder: folder.name)
def test_a_game_has_a_page_and_its_row(folder: Path) -> None:
    [info] = [info for info in shipped() if info.id == folder.name]
    assert games_page.table([games_page.described(info)])[2] in PAGE
    assert (folder / "README.md").is_file()
    if ALL or not large(folder):
        row = games_page.table([games_page.measured(folder.name)])[2]
        assert row in PAGE, "`python -m tools.dev.games_page` writes the page again"

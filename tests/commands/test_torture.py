"""A little of `make torture`: killed writers, full disks, folders that refuse, two writers."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import interpreter
from tests.helpers.games import loaded

if os.name != "posix":
    pytest.skip("processes are forked and killed", allow_module_level=True)

from interpreter.bots.basics import Chance
from tools.dev.torture import disks
from tools.dev.torture.kills import kill_writers, look
from tools.dev.torture.writer import WrittenFiles, how_far, play_on, write
from tools.dev.torture.writers import two_writers


@pytest.fixture(scope="module")
def game() -> interpreter.Game:
    return interpreter.Game(loaded("hobbit_card_game"))


def test_killed_writers_lose_nothing(game: interpreter.Game, tmp_path: Path) -> None:
    killed = kill_writers(game, tmp_path, 25)
    assert killed.faults == []
    assert killed.kills == 25 and killed.acknowledged


@pytest.mark.parametrize("part", [disks.full_disk, disks.read_only_folder])
def test_what_cannot_be_written_is_told_and_harms_nothing(part, game: interpreter.Game, tmp_path: Path) -> None:
    for folder in (tmp_path, *tmp_path.parents[:3]):
        folder.chmod(folder.stat().st_mode | 0o055)  # the writer may be another user
    assert part(game, tmp_path / "folder") == []


def test_two_writers_leave_whole_files(game: interpreter.Game, tmp_path: Path) -> None:
    readings, faults = two_writers(game, tmp_path / "two", 20)
    assert faults == [] and readings


def test_what_is_lost_or_half_is_noticed(game: interpreter.Game, tmp_path: Path) -> None:
    where = WrittenFiles(tmp_path / "save", tmp_path / "script")
    write(game, where, 1, lambda _: None, answers=3)
    begun = game.state_from_json(where.save.read_text())
    faults: list[str] = []
    assert look(begun, where, how_far(begun), faults) == begun and faults == []
    further = play_on(game, begun.clone(), Chance(1))
    look(begun, where, how_far(further), faults)
    assert faults.pop().endswith("acknowledged answers are lost")
    look(begun, where, how_far(game.new_state(99)), faults)
    assert faults.pop() == "the save is of another game than was acknowledged"
    where.save.write_text(where.save.read_text()[:-40])
    look(begun, where, 0, faults)
    assert faults.pop().startswith("a save is not whole")
    where.save.unlink()
    look(begun, where, how_far(begun), faults)
    assert faults.pop() == "a save that was acknowledged is gone"

"""The cache: the same game as without it, checked again whenever it has to be, and no faults of its own, whatever is on disk."""

from __future__ import annotations

import errno
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import interpreter
import rulespec
from interpreter.files import transcript
from rulespec.cache import games
from rulespec.checker.program import CheckedGame
from rulespec.ir.codec import encode
from rulespec.system import code as made_of
from rulespec.system import files, store
from rulespec.system.store import EntryStore
from tests.helpers.games import ALL, large, loaded
from tests.helpers.places import GAMES, ROOT
from tools import cli

posix = pytest.mark.skipif(os.name != "posix", reason="rights of files as POSIX has them")

MAIN = """
rulespec: 1
id: small
title: A small game
about: Something to count.
players: 2..3
parts: [rules.yaml]
options:
  long: {default: no, about: Count further.}
pieces:
  Coin:
    fields: {value: 1..9}
    table: coins.csv
zones:
  purse: {of: Coin, starts with: all}
state:
  total: 0..100
"""
RULES = """
part of: game.yaml
phases:
  game:
    do:
      - repeat: if long then 4 else 2
        do:
          - choose: coin
            by: p1
            from: purse
          - add: coin.value
            to: total
          - if: total > 14
            then:
              - add: 100
                to: total
end of game:
  returns: total
"""
TABLE = "id,value\nred,3\nblue,7\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty cache."""
    path = tmp_path / "cache"
    monkeypatch.setenv(store.VARIABLE, str(path))
    return path


@pytest.fixture
def small(tmp_path):
    """A game of three files that are the test's own."""
    path = tmp_path / "small"
    path.mkdir()
    (path / "game.yaml").write_text(MAIN)
    (path / "rules.yaml").write_text(RULES)
    (path / "coins.csv").write_text(TABLE)
    return path


def load(game):
    return rulespec.load(game, cache=True)


@pytest.fixture
def checks(monkeypatch):
    """The main files of the games that were checked."""
    made: list[Path] = []
    check = games.read_checked
    monkeypatch.setattr(games, "read_checked", lambda file, variants=(): made.append(file) or check(file, variants))
    return made


def entries(folder):
    return sorted(folder.glob("*.json"))


def same(a, b):
    """Whether two games are alike for whoever uses them."""
    for name in ("id", "title", "about", "players", "options", "digest"):
        assert getattr(a, name) == getattr(b, name)
    one, two = (interpreter.Game(game, players=game.players[-1]) for game in (a, b))
    assert one.program == two.program
    assert transcript.write(one.playout(5, record=True)) == transcript.write(two.playout(5, record=True))


# --- the same game ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("path", [folder for folder in GAMES if ALL or not large(folder)], ids=lambda f: f.name)
def test_a_cached_game_is_the_game(path, checks):
    real = loaded(path)
    for _ in range(2):
        found = load(path)
        for players in real.players:
            assert found.program(players=players) == real.program(players=players)
        same(found, real)
    assert len(checks) == 1


def test_every_setup_has_a_program_of_its_own(small, checks):
    real = rulespec.load(small)
    setups = [(players, {"long": word}) for players in (2, 3) for word in ("yes", "no")]
    for _ in range(2):
        for players, options in setups:
            assert load(small).program(players=players, options=options) == real.program(
                players=players, options=options
            )
    assert len(checks) == 4  # one process makes all of them from one check if it loads the game once
    assert load(small).program(options={"long": True}) == real.program(players=2, options={"long": "yes"})
    assert len(checks) == 4


def test_one_game_is_checked_once(small, checks):
    game = load(small)
    assert game.program(players=2) is game.program(players=2)
    game.program(players=3)
    load(small).program(players=2)
    assert len(checks) == 1


def test_a_library_writes_nothing_unless_it_is_asked(small, folder):
    assert isinstance(rulespec.load(small), CheckedGame)
    rulespec.load(small).program()
    assert not folder.exists()


def test_the_checker_is_not_even_imported(small):
    load(small).program()
    code = """
import sys, rulespec, interpreter
game = interpreter.Game(rulespec.load(sys.argv[1], cache=True))
state = game.playout(3)
heavy = ("lark", "networkx", "jsonschema", "referencing", "yaml", "rulespec.checker", "rulespec.text.yaml_tree")
print(state.is_terminal(), [name for name in heavy if name in sys.modules])
"""
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", code, str(small)], cwd=ROOT, capture_output=True, text=True, check=True
        )
    assert done.stdout == "True []\n"


def test_setups_that_there_are_not_are_refused_alike(small):
    load(small).program()
    for wrong in (
        {"players": 7},
        {"players": True},
        {"options": {"lnog": "yes"}},
        {"options": {"long": "maybe"}},
        {"variant": "x"},
    ):
        said = []
        for game in (rulespec.load(small), load(small)):
            with pytest.raises(rulespec.RulespecError) as caught:
                game.program(**wrong)
            said.append(str(caught.value))
        assert said[0] == said[1]


def test_cases_need_the_checker_and_get_it(small, checks):
    load(small).program()
    game = load(small)
    assert len(checks) == 1
    assert game.program(cases=True) == rulespec.load(small).program(cases=True)
    assert len(checks) == 2


def test_a_fault_shows_its_place_in_the_file(small):
    shown = []
    load(small).program(options={"long": "yes"})
    for gamedef in (rulespec.load(small), load(small)):
        state = interpreter.Game(gamedef, options={"long": "yes"}).new_state(seed=1)
        with pytest.raises(interpreter.Fault) as caught:
            while True:
                state.apply_action(state.string_to_action("blue"))
        shown.append((str(caught.value), rulespec.render(caught.value.diagnostic)))
    assert shown[0] == shown[1]
    assert "rules.yaml:15:" in shown[0][0] and "add: 100" in shown[0][1]


def test_a_game_with_faults_is_never_kept(small, folder):
    (small / "rules.yaml").write_text(RULES.replace("total > 14", "toatl > 14"))
    said = []
    for cache in (True, True, False):
        with pytest.raises(rulespec.RulespecError) as caught:
            rulespec.load(small, cache=cache)
        said.append(str(caught.value))
    assert said[0] == said[1] == said[2] and "did you mean `total`?" in said[0]
    assert not folder.exists()
    for path in ("no_such_game", small / "cases"):
        with pytest.raises(rulespec.RulespecError, match="there is no game"):
            load(path)


# --- what has changed -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("game.yaml", "A small", "A tiny"),
        ("rules.yaml", "then 4 else 2", "then 5 else 1"),
        ("coins.csv", "blue,7", "blue,6"),
    ],
)
def test_a_change_of_any_file_counts(small, checks, name, old, new):
    load(small).program()
    file = small / name
    before, status = file.read_text(), file.stat()
    file.write_text(before.replace(old, new))
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))  # size and time are the same
    same(load(small), rulespec.load(small))
    assert len(checks) == 2
    file.write_text(before)
    same(load(small), rulespec.load(small))


def test_a_comment_moves_places_and_counts_too(small):
    load(small).program()
    (small / "rules.yaml").write_text("# a comment\n" + RULES)
    game, real = load(small).program(), rulespec.load(small).program()
    lines = [[i.where.line for i in p.code if i.where] for program in (game, real) for p in program.procedures]
    assert lines[: len(lines) // 2] == lines[len(lines) // 2 :]


@pytest.mark.parametrize("name", ["rules.yaml", "coins.csv"])
def test_a_file_that_is_gone_or_leads_out_is_missed(small, tmp_path, name):
    load(small).program()
    shutil.move(small / name, tmp_path / name)
    with pytest.raises(rulespec.RulespecError, match="Y007"):
        load(small)
    if os.name == "posix":
        (small / name).symlink_to(tmp_path / name)
        with pytest.raises(rulespec.RulespecError, match="Y006"):
            load(small)


def test_files_that_the_game_does_not_name_do_not_count(small, checks):
    load(small).program()
    (small / "notes.yaml").write_text("nothing")
    os.utime(small / "game.yaml")
    load(small).program()
    assert len(checks) == 1


def test_a_copy_elsewhere_is_another_game_with_its_own_places(small, tmp_path, checks):
    load(small).program()
    shutil.copytree(small, tmp_path / "copy")
    program = load(tmp_path / "copy").program()
    assert len(checks) == 2
    assert {i.where.source.name for i in program.procedures[0].code if i.where} == {
        str(tmp_path / "copy" / "rules.yaml")
    }


def test_files_that_change_between_loading_and_playing(small):
    load(small)
    game = load(small)
    (small / "game.yaml").write_text(MAIN.replace("A small", "A tiny"))
    (small / "rules.yaml").write_text(RULES.replace("then 4 else 2", "then 5 else 1"))
    game.program()
    same(game, rulespec.load(small))
    same(load(small), rulespec.load(small))


@pytest.fixture
def measured_again():
    """What this package is made of is found out again, in this test and after it."""
    made_of.fingerprint.cache_clear()
    yield
    made_of.fingerprint.cache_clear()


@pytest.mark.usefixtures("measured_again")
def test_a_change_of_this_package_counts(small, checks, monkeypatch):
    load(small).program()
    made_of.fingerprint.cache_clear()
    monkeypatch.setattr(made_of, "measure", lambda _: ("another", 0.0))
    for _ in range(2):
        load(small).program()
    assert len(checks) == 2


def test_every_file_of_this_package_is_in_its_fingerprint():
    found = {Path(name) for name, *_ in made_of.stamps(made_of.PACKAGE)}
    assert {file for file in made_of.PACKAGE.rglob("*.py") if "_tools" not in file.parts} <= found
    assert not any("__pycache__" in file.parts for file in found)


def test_a_package_that_changed_under_a_running_process_keeps_nothing(small, folder, monkeypatch):
    monkeypatch.setattr("rulespec.system.code.IMPORTED", 0.0)
    load(small).program()
    assert not folder.exists()


def test_a_package_that_changes_while_it_runs_keeps_nothing_more(small, folder, monkeypatch):
    load(small).program(players=2)
    kept = entries(folder)
    monkeypatch.setattr(made_of, "measure", lambda _: ("another", 0.0))
    load(small).program(players=3)
    assert entries(folder) == kept


@pytest.mark.usefixtures("measured_again")
def test_a_package_that_is_not_in_plain_files_keeps_nothing(small, folder, monkeypatch):
    monkeypatch.setattr(made_of, "PACKAGE", small / "game.yaml")
    same(load(small), rulespec.load(small))
    assert not folder.exists()


# --- what nobody should trust -----------------------------------------------------------------------------------------
def test_damaged_entries_are_made_again(small, folder):
    real = rulespec.load(small)
    load(small).program()
    dice = random.Random(2)
    whole = {path: path.read_bytes() for path in [*entries(folder), folder / "key"]}
    assert len(whole) == 3
    for path, content in whole.items():
        damage = [
            b"",
            b"\0" * len(content),
            content + b"x",
            content[:-1],
            content[: len(content) // 2],
            b"{}",
            content[:100],
        ]
        for _ in range(30):
            spoilt = bytearray(content)
            spoilt[dice.randrange(len(spoilt))] ^= 1 << dice.randrange(8)
            damage.append(bytes(spoilt))
        for spoilt in damage:
            path.write_bytes(spoilt)
            assert load(small).program() == real.program()
            for other, own in whole.items():
                other.write_bytes(own)


def test_entries_under_other_names_do_not_count(small, folder, checks):
    load(small).program()
    first, second = entries(folder)
    for one, two in ((first, second), (second, first)):
        content = two.read_bytes()
        two.write_bytes(one.read_bytes())
        assert load(small).program() == rulespec.load(small).program()
        assert two.read_bytes() == content
    assert len(checks) == 3


def test_entries_of_another_folder_do_not_count(small, folder, tmp_path, monkeypatch, checks):
    load(small).program()
    monkeypatch.setenv(store.VARIABLE, str(tmp_path / "other"))
    load(GAMES[0])
    for path in entries(folder):
        shutil.copy(path, tmp_path / "other" / path.name)
    load(small).program()
    assert len(checks) == 3


STRANGE = [None, 1, [], {}, {"game": [], "files": []}, {"values": [], "nodes": []}, "x", [[[]]]]


@pytest.mark.parametrize("data", STRANGE)
def test_entries_that_say_something_else_are_made_again(small, folder, data):
    """Sealed as they should be, so that only what they say is wrong."""
    real = rulespec.load(small)
    load(small).program()
    for path in entries(folder):
        EntryStore(folder).put(path.stem, data)
        assert load(small).program() == real.program()


@pytest.mark.parametrize(
    "change",
    [
        {"players": "two"}, {"players": []}, {"players": [True]}, {"options": [["long"]]}, {"options": [["long", [1], "no", ""]]},
        {"id": 1}, {"digest": None}, {"files": []}, {"files": [["game.yaml"]]}, {"files": [["game.yaml", "0"]]},
        {"files": [["\0", "0"]]}, {"files": [["../small/game.yaml", "0"], ["/etc/passwd", "0"]]},
    ],
)  # fmt: skip
def test_heads_that_cannot_be_are_made_again(small, folder, change):
    load(small)
    [path] = entries(folder)
    data = EntryStore(folder).get(path.stem)
    for place, name in enumerate(("id", "title", "about", "players", "options", "digest")):
        data["game"][place] = change.get(name, data["game"][place])
    data["files"] = change.get("files", data["files"])
    EntryStore(folder).put(path.stem, data)
    same(load(small), rulespec.load(small))


def test_a_program_of_another_game_or_setup_is_not_played(small, folder):
    game = load(small)
    game.program(players=2)
    head = {path.stem for path in entries(folder)}
    load(small).program(players=3)
    [name] = {path.stem for path in entries(folder)} - head
    wrong = game.program(players=2)
    EntryStore(folder).put(name, encode(wrong, [source for _, source in game.sources]))
    assert load(small).program(players=3).players == 3


@posix
def test_a_folder_that_others_may_write_to_is_ignored(small, folder, checks):
    load(small).program()
    for mode in (0o777, 0o770, 0o702):
        folder.chmod(mode)
        load(small).program()
    assert len(checks) == 4
    folder.chmod(0o755)
    load(small).program()
    assert len(checks) == 4
    folder.chmod(0o777)
    for path in entries(folder):
        path.unlink()
    load(small).program()
    assert not entries(folder)


@posix
def test_a_folder_of_somebody_else_is_ignored(small, folder, checks, monkeypatch):
    load(small).program()
    kept = {path: path.read_bytes() for path in entries(folder)}
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    (small / "game.yaml").write_text(MAIN + "# more\n")
    load(small).program()
    assert len(checks) == 2
    assert {path: path.read_bytes() for path in entries(folder)} == kept


@posix
def test_root_makes_no_folder_in_a_home_of_others(small, folder, tmp_path, monkeypatch):
    if os.geteuid() == 0:
        os.chown(tmp_path, 12345, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 12345)
    load(small).program()
    assert not folder.exists()


@posix
def test_what_is_no_plain_file_is_ignored(small, folder):
    real = rulespec.load(small).program()
    load(small).program()
    for path in [*entries(folder), folder / "key"]:
        moved = path.with_suffix(".moved")
        path.rename(moved)
        path.symlink_to(moved)
        assert load(small).program() == real
        path.unlink()
        os.mkfifo(path)  # reading it would wait for ever
        assert load(small).program() == real
        path.unlink(missing_ok=True)
        path.mkdir()
        assert load(small).program() == real
        path.rmdir()


@posix
def test_files_are_for_the_user_alone(small, folder):
    before = os.umask(0)
    try:
        load(small).program()
    finally:
        os.umask(before)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}


@posix
def test_a_key_that_others_can_read_is_replaced(small, folder, checks):
    load(small).program()
    old = (folder / "key").read_bytes()
    (folder / "key").chmod(0o644)
    load(small).program()
    assert (folder / "key").read_bytes() != old
    load(small).program()
    assert len(checks) == 2


# --- disks ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("code", [errno.EROFS, errno.EACCES, errno.ENOSPC])
def test_a_disk_that_cannot_be_written_does_no_harm(small, folder, monkeypatch, code):
    def refuse(*_args, **_more):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(files, "replace_in", refuse)
    same(load(small), rulespec.load(small))
    assert not entries(folder)


def test_a_disk_that_is_full_keeps_no_half_files(small, folder, monkeypatch):
    def refuse(*_args, **_more):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    load(small)
    monkeypatch.setattr(os, "replace", refuse)
    same(load(small), rulespec.load(small))
    assert len(list(folder.iterdir())) == 2


def test_a_file_in_the_place_of_the_folder_does_no_harm(small, folder):
    folder.write_text("not a folder")
    same(load(small), rulespec.load(small))
    assert folder.read_text() == "not a folder"


def test_off_is_off(small, tmp_path, monkeypatch):
    monkeypatch.setenv(store.VARIABLE, "OFF")
    monkeypatch.chdir(tmp_path)
    assert isinstance(load(small), CheckedGame)
    assert {path.name for path in tmp_path.iterdir()} == {"small"}


def test_nobody_without_a_home_has_a_cache(monkeypatch, small):
    def homeless():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv(store.VARIABLE)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    assert store.default_folder() is None
    assert isinstance(load(small), CheckedGame)


# --- several at once --------------------------------------------------------------------------------------------------
WRITER = """
import sys, rulespec, interpreter
from interpreter.files import transcript
for turn in range(3):
    gamedef = rulespec.load(sys.argv[1], cache=True)
    for players in gamedef.players:
        print(players, transcript.write(interpreter.Game(gamedef, players=players).playout(4, record=True)))
"""


def test_several_writers_at_once(small, folder, checks):
    command = [sys.executable, "-c", WRITER, str(small)]
    running = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(4)]
    said = {process.communicate(timeout=120) for process in running}
    assert [process.returncode for process in running] == [0] * 4
    assert len(said) == 1 and next(iter(said))[1] == b""
    assert not list(folder.glob(".*.new"))
    for players in (2, 3):  # two may have made the key at once: then this makes some entries again
        load(small).program(players=players)
    made = len(checks)
    for players in (2, 3):
        load(small).program(players=players)
    assert len(checks) == made


# --- the command line -------------------------------------------------------------------------------------------------
def test_playing_keeps_games_and_testing_does_not(small, folder, checks, capsys, tmp_path):
    cli.main(["test", str(small)])
    assert not folder.exists()
    line = str(tmp_path / "game.jsonl")
    play = ["play", str(small), "--bots", "--seed", "3", "--transcript", line]
    commands = [
        ["simulate", str(small), "--games", "5"],
        ["tree", str(small)],
        play,
        ["replay", line, "--game", str(small)],
    ]
    assert [cli.main(command) for command in commands] == [0, 0, 0, 0]
    assert len(checks) == 1 and len(entries(folder)) == 2
    (small / "rules.yaml").write_text(RULES.replace("total > 14", "toatl > 14"))
    capsys.readouterr()
    for command in (["lint", str(small)], *commands):
        assert cli.main(command) == 1
        assert "did you mean `total`?" in "".join(capsys.readouterr())

"""Findings that are kept are those that would be found: cold, again, and after any change."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rulespec.lint import flow
from rulespec.lint.kept import Malformed, read, written
from rulespec.system import code as made_of
from rulespec.system.resources import games_dir
from rulespec.system.store import EntryStore
from rulespec.text import disk
from rulespec.text.diagnostics import render, to_json
from rulespec.text.disk import unchanged, unsaved, watched
from tests.helpers.places import ROOT
from tools import linting

VARIANT = """\
extends: tic_tac_toe
id: second_first
title: The second begins
changes:
  - set: zones.stock.seen by
    to: nobody
    because: of this test
"""
BOT = "bot: 1\nid: hasty\ntitle: Hasty\nprefer:\n  - at: place_piece\n    score: nothing_there\n"
CASES = "cases:\n  never:\n    run: game\n    expect: [no_such_name == 1]\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game with variants, and a cache of its own."""
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    shutil.copytree(games_dir() / "tic_tac_toe", tmp_path / "game", ignore=shutil.ignore_patterns("wild*"))
    return tmp_path / "game"


def shown(game: str, variants: tuple[str, ...] = (), notes: bool = False) -> str:
    """All that lint shows of a game, as text and as data, and what it would write."""
    found = linting.look_through(game, variants, notes)
    data = [to_json(one) for one in found.all()]
    edits = [[(edit.span.label(), edit.span.end, edit.text) for edit in one.fix] for one in found.findings]
    return "\n".join([*map(render, found.all()), json.dumps([data, edits, found.sound])])


def fresh(monkeypatch: pytest.MonkeyPatch, *args: object) -> str:
    """The same without a cache."""
    with monkeypatch.context() as patch:
        patch.setenv("RULESPEC_CACHE", "off")
        return shown(*args)  # type: ignore[arg-type]


def looks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games that are looked through from now on."""
    done: list[str] = []
    look_for = linting.look_for

    def counted(games: linting.Games, game: str | Path, *more: object) -> linting.Found:
        done.append(Path(game).name)
        return look_for(games, game, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(linting, "look_for", counted)
    return done


def replaced(name: str, old: str, new: str) -> Callable[[Path], None]:
    """A change of a text."""

    def change(folder: Path) -> None:
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")

    return change


def put(name: str, text: str) -> Callable[[Path], None]:
    """A file that is new, or another from now on."""

    def change(folder: Path) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")

    return change


CHANGES: dict[str, Callable[[Path], None]] = {
    "a comment": replaced("game.yaml", "rulespec: 1", "# more\nrulespec: 1"),
    "a variable that nothing reads": replaced("game.yaml", "  active: Player", "  active: Player\n  idle: 0..3"),
    "a misspelt section": replaced("game.yaml", "\nphases:", "\nphasse: {}\n\nphases:"),
    "no YAML": put("game.yaml", "rulespec: [1\n"),
    "no text": lambda folder: (folder / "game.yaml").write_bytes(b"\xff\xfe\x00"),
    "no game": lambda folder: (folder / "game.yaml").unlink(),
    "a case": put("cases/more.yaml", CASES),
    "a bot": put("bots/hasty.yaml", BOT),
    "a variant of another game": put("variants/second_first.yaml", VARIANT),
    "a variant with another name": lambda folder: sorted((folder / "variants").iterdir())[0].rename(
        folder / "variants" / "other.yaml"
    ),
    "no variants": lambda folder: shutil.rmtree(folder / "variants"),
    "no cases": lambda folder: shutil.rmtree(folder / "cases"),
    "a part that is not there": replaced("game.yaml", "rulespec: 1", "rulespec: 1\nparts: [more.yaml]"),
    "a note": replaced("game.yaml", "rulespec: 1", "rulespec: 1 # lint: allow L118 because of this test"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_seen(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = shown("game")
    assert before == shown("game") == fresh(monkeypatch, "game")
    CHANGES[name](folder)
    for _ in range(2):
        assert shown("game") == fresh(monkeypatch, "game")


def test_changes_one_after_the_other(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also back to a state that was looked through before."""
    whole = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for name in ("a comment", "a variant of another game", "a case", "a part that is not there"):
        CHANGES[name](folder)
        assert shown("game", (), True) == fresh(monkeypatch, "game", (), True)
    put("more.yaml", "part of: tic_tac_toe\nfunctions: {}\n")(folder)
    assert shown("game", (), True) == fresh(monkeypatch, "game", (), True)
    for path, data in whole.items():
        path.write_bytes(data)
    assert shown("game", (), True) == fresh(monkeypatch, "game", (), True)


def test_what_has_not_changed_is_not_looked_through_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = looks(monkeypatch)
    shown("game")
    variants = sorted(path.name for path in (folder / "variants").glob("*.yaml"))
    assert done == ["game", *variants]
    shown("game")
    assert len(done) == 1 + len(variants)
    done.clear()
    replaced(f"variants/{variants[0]}", "title: ", "title: Other ")(folder)
    shown("game")
    assert done == variants[:1]
    done.clear()
    CHANGES["a case"](folder)
    shown("game")
    assert done == ["game"]


def test_another_folder_or_option_is_another_look(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    CHANGES["a variable that nothing reads"](folder)
    variant = sorted(path.stem for path in (folder / "variants").glob("*.yaml"))[0]
    texts = []
    for where, game in ((folder.parent, "game"), (folder, "."), (folder, "game.yaml"), (folder.parent, str(folder))):
        monkeypatch.chdir(where)
        for more in ((), ((), True), ((variant,),)):
            texts.append(shown(game, *more))
            assert texts[-1] == shown(game, *more) == fresh(monkeypatch, game, *more)
    assert "game/game.yaml:" in texts[0]
    assert "--> game.yaml:" in texts[3]


def test_nothing_is_kept_of_unsaved_texts(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with unsaved({(folder / "game.yaml").resolve(): "rulespec: 1\nid: x\n"}):
        text = shown("game")
    assert text != shown("game") == fresh(monkeypatch, "game")


def test_a_change_of_the_code_counts(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = looks(monkeypatch)
    shown(str(folder))
    before = len(done)
    made_of.fingerprint.cache_clear()
    monkeypatch.setattr(made_of, "measure", lambda _: ("another", 0.0))
    shown(str(folder))
    made_of.fingerprint.cache_clear()
    assert len(done) == 2 * before
    ours = {Path(name) for code in linting.CODE for name, *_ in made_of.stamps(code)}
    assert {ROOT / "tools" / "linting.py", ROOT / "interpreter" / "native" / "emitter" / "program.py"} <= ours


def test_entries_that_cannot_be_are_not_believed(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    CHANGES["a variable that nothing reads"](folder)
    before = shown("game")
    store = EntryStore(tmp_path / "cache")
    names = [path.stem for path in (tmp_path / "cache").glob("*.json")]
    assert len(names) > 1
    for spoil in (
        lambda _: [],
        lambda data: {**data, "answers": [["no_question", "x", "y"]]},
        lambda data: {**data, "answers": [[1]]},
        lambda data: {**data, "found": {**data.get("found", {}), "texts": []}},
        lambda data: {**data, "found": {**data.get("found", {}), "findings": [[["L001"]]]}},
        lambda data: {**data, "sound": 1, "faults": [["F004", "there is a secret", None]]},
        lambda data: {**data, "sound": 1, "names": ["elsewhere.yaml"], "faults": []},
        lambda data: {**data, "sound": 1},
    ):
        for name in names:
            data = store.get(name)
            store.put(name, spoil(data))
        assert shown("game") == before == fresh(monkeypatch, "game")


LEAKY = """\
rulespec: 1
id: leaky
players: 2
pieces:
  Card: {fields: {value: 1..6}, rows: each(value in 1..6)}
zones:
  deck: {of: Card, order: shuffled, seen by: none, starts with: all}
  hand: {of: Card, per: Player, seen by: owner}
phases:
  game:
    do:
      - {deal: 1, from: deck, to: hand}
      - for: p in players
        do:
          - {log: "{p} has {highest(c.value for c in p.hand)}"}
      - win: players
"""


def test_secrets_of_the_same_rules_are_found_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is written behind them, in cases too; and looked for where a letter of them is another, or stands elsewhere."""
    looked: list[str] = []
    leaks = flow.leaks
    monkeypatch.setattr(flow, "leaks", lambda game: looked.append(game.id) or leaks(game))
    put("game.yaml", LEAKY)(folder)
    shutil.rmtree(folder / "variants")
    shutil.rmtree(folder / "cases")
    assert "error[F004]" in shown("game")
    assert looked == ["leaky"]
    kept = [
        put("cases/more.yaml", CASES),
        put("game.yaml", f"{LEAKY}# more\ncases:\n  nothing: {{expect: [size(deck) == 6]}}\n"),
    ]
    for change in kept:
        change(folder)
        looked.clear()
        assert "error[F004]" in (text := shown("game"))
        assert looked == []
        assert text == fresh(monkeypatch, "game")
    again = [
        replaced("game.yaml", "players: 2\n", "players: 3\n"),
        replaced("game.yaml", "seen by: owner", "seen by: owner, count seen by: all"),
        put("game.yaml", f"# more\n{LEAKY}"),
        put("game.yaml", LEAKY.replace("seen by: owner", "seen by:  all ")),
    ]
    for change in again:
        change(folder)
        looked.clear()
        text = shown("game")
        assert looked == ["leaky"]
        assert text == fresh(monkeypatch, "game")
    assert "error[F004]" not in shown("game")


def test_findings_are_data(folder: Path) -> None:
    CHANGES["a variable that nothing reads"](folder)
    found = linting.look_through("game", (), True)
    data = json.loads(json.dumps(written(found.faults, found.findings)))
    faults, findings = read(data)
    assert [render(one) for one in faults] == [render(one) for one in found.faults]
    assert [one.diagnostic().message for one in findings] == [one.diagnostic().message for one in found.findings]
    for wrong in ({}, {**data, "faults": [["E001"]]}, {**data, "findings": [3]}, {**data, "texts": [1]}):
        with pytest.raises(Malformed):
            read(wrong)


AUDIT = """
import json, os, sys
seen = []
sys.addaudithook(lambda event, args: seen.append(str(args[0])) if event in ("open", "os.listdir", "os.scandir") else None)
from rulespec.text.disk import watched
from tools.linting import Games
with watched() as watch:
    Games(True).found(sys.argv[1])
asked = {path for what, path in watch.answers if what in ("content", "names")}
print(json.dumps([watch.sound, [path for path in seen if os.path.realpath(path).startswith(sys.argv[2]) and path not in asked]]))
"""


@pytest.mark.parametrize("game", ["leduc_poker", "tic_tac_toe/variants/misere.yaml"])
def test_all_that_is_read_is_asked_for(game: str) -> None:
    """Whatever the process itself opens or lists in the game's folder is among the questions."""
    place = games_dir() / game
    assert place.exists()
    done = subprocess.run(
        [sys.executable, "-c", AUDIT, str(place), str(games_dir())],
        cwd=ROOT, capture_output=True, text=True, check=True, env={**os.environ, "RULESPEC_CACHE": "off"},
    )  # fmt: skip
    assert json.loads(done.stdout) == [True, []]


def test_answers_are_compared(tmp_path: Path) -> None:
    file, link, missing = tmp_path / "a.yaml", tmp_path / "link", tmp_path / "missing"
    file.write_text("x", encoding="utf-8")
    link.symlink_to(file)
    with watched() as watch:
        assert disk.content(file) == ("file", b"x")
        assert disk.place(link) == file.resolve()
        assert disk.files_named(tmp_path, ".yaml") == [file]
        assert not disk.is_file(missing)
    assert watch.sound and unchanged(watch.answers.items())
    for change in (
        lambda: file.write_text("y", encoding="utf-8"),
        lambda: (link.unlink(), link.symlink_to(missing)),
        lambda: (tmp_path / "b.yaml").touch(),
        lambda: missing.touch(),
    ):
        with watched() as watch:
            disk.content(file), disk.resolved(link), disk.names(tmp_path), disk.is_file(missing)
        assert unchanged(watch.answers.items())
        change()
        assert not unchanged(watch.answers.items())
    with watched() as watch:
        disk.content(file)
        file.write_text("z", encoding="utf-8")
        disk.content(file)
    assert not watch.sound

"""Small games that ask for much: any command ends soon, in little memory, and with a coded error at its line."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

import interpreter
import rulespec
from rulespec.loading import reading
from tests.helpers.bounds import measured
from tests.helpers.commands import run

HEAD = "rulespec: 1\nid: x\nplayers: 2\n"
END = "end of game:\n  winners: players\n"
# Seconds of the processor, bytes, characters. All of these take less than 5 s, and hours where nothing bounds them.
SECONDS, MEMORY, TEXT = 30, 1 << 30, 200_000

pytestmark = pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")


def twice(body: str, last: str, deep: int = 36) -> str:
    """Functions that each call the next one twice."""
    return (
        "functions:\n"
        + "".join(f"  f{i}: {body}\n".replace("#", f"f{i + 1}") for i in range(deep))
        + f"  f{deep}: {last}\n"
    )


CALLS = HEAD + twice("{takes: {n: 0..9}, is: #(n) + #(n)}", "{takes: {n: 0..9}, is: n}")
ASK = "phases:\n  game:\n    do:\n      - choose: k\n        by: p1\n        from: 1..3\n"
CHECK = "      - check: {0} == 0\n        why: Never\n"
HUGE = "types: {Gem: [ruby, opal]}\n" + "phases:\n  game:\n    do:\n      - choose: c\n        by: p1\n"
LONG = "state: {l: {is: set of 1..99999}}\nphases:\n  game:\n    do:\n      - set: l\n        to: those(i in 1..99999 where i > 0)\n"
BODY = "functions:\n  g: {takes: {n: 0..9999}, is: " + " + ".join(f"n * {k}" for k in range(1, 60)) + "}\n"
BODY += "  h: {takes: {n: 0..9999}, is: " + " + ".join("g(n)" for _ in range(60)) + "}\n"

# What is written, and the code of the fault that it ends in.
HOSTILE = {
    "functions that call functions twice": (CALLS + ASK + CHECK.format("f0(k)"), "R014"),
    "the same without parameters": (HEAD + twice("# + #", "size(players) + v") + "state: {v: 0..9}\n" + ASK + CHECK.format("f0"), "R"),
    "the same as a condition": (CALLS + ASK.replace("1..3\n", "1..3\n        only: [f0(k) > 0]\n"), "R014"),
    "the same in a line of the log": (CALLS + ASK + '      - log: "{f0(k)}"\n', "R014"),
    "a large bag": (HEAD + HUGE + "        from: 1000000000 of ruby + 1000000000 of opal\n        count: 1000000000\n" + END, "R002"),
    "a whole of two kinds": (
        HEAD + HUGE + "        from: 99000 of ruby + 99000 of opal\n        count: 0..198000\n"
        "        whole:\n          - if: size(c) == 7\n            why: Seven\n" + END, "R002"),
    "an order of many": (HEAD + ASK + "      - arrange: o\n        by: p1\n        from: set(i for i in 1..60000)\n", "R002"),
    "many of many": (HEAD + ASK + "      - choose: o\n        by: p1\n        from: 1..60000\n        count: 0..30000\n", "R002"),
    "each of a large bag": (HEAD + "types: {Gem: [ruby, opal]}\n" + ASK + CHECK.format("size(each(1000000000 of ruby))"), "R002"),
    "a long log": (HEAD + LONG + '      - repeat: 9000\n        do:\n          - log: "{l}"\n' + END, "R014"),
    "many among many": (
        HEAD + LONG + "      - check: those(i in 1..99999 where i > 1) includes l\n        why: Never\n" + END, "R011"),
    "much for each item": (
        HEAD + BODY + ASK + CHECK.format("sum(sum(h(i) for i in 1..3000) for j in 1..900)"), "R014"),
}  # fmt: skip


@pytest.mark.parametrize("command", [("lint",), ("play", "--bots", "--seed", "1")])
@pytest.mark.parametrize("name", HOSTILE)
def test_a_game_that_asks_for_much(name: str, command: tuple[str, ...], tmp_path: Path) -> None:
    text, code = HOSTILE[name]
    file = tmp_path / "game.yaml"
    file.write_text(text if "end of game" in text else text + END, encoding="utf-8")
    cost = measured(command[0], str(file), *command[1:])
    assert cost.seconds < SECONDS and cost.memory < MEMORY and len(cost.out) < TEXT
    assert "C900" not in cost.out and "Traceback" not in cost.out
    if command[0] == "lint":
        assert cost.code in (0, 1) and "error[S" not in cost.out, cost.out
    else:
        assert cost.code == 1 and f"error[{code}" in cost.out and f"{file}:" in cost.out, cost.out


# Numbers and lists of them, and what goes through them or makes them for each of 6,000 items, which loops alone would not bound.
SCANNED = """\
state: {l: list of Number, m: list of Number, ll: list of list of Number, mm: list of list of Number, k: 0..9}
functions: {hits: 'count(i in 1..6000 where EXPRESSION)'}
phases:
  game:
    do:
      - set: l
        to: each(mod(x * 7919, 6007) for x in 1..6000)
      - set: m
        to: first(l, 5999) + list(1)
      - set: ll
        to: list(l, l, l)
      - set: mm
        to: list(l, l, m)
      - choose: n
        by: p1
        from: 0..1
      - set: k
        to: min(9, hits)
"""
SCANS = (
    "(30000 + i) in l", "count(l, i) == 7", "l == m", "m in ll", "ll == mm", "sum(l) == i", "highest(l) == i", "position(l, 0 - i) == 1",
    "size(set(l)) == i", "size(reversed(l)) == i", "size(first(l, 5900 + mod(i, 2))) == i", "size(l + list(i)) == i",
    "size(i..(6000 + i)) == 0", "size(l - list(i)) == i",
)  # fmt: skip


@pytest.mark.parametrize("expression", SCANS)
def test_long_collections_are_counted(expression: str, tmp_path: Path) -> None:
    """Back ends that are equal fault at the same answer, in a few seconds."""
    file = tmp_path / "game.yaml"
    file.write_text(HEAD + SCANNED.replace("EXPRESSION", expression) + END, encoding="utf-8")
    found = rulespec.load(file)
    for backend in ("reference", "python"):
        state = interpreter.Game(found, backend=backend).new_state(seed=1)
        began = time.process_time()
        with pytest.raises(interpreter.Fault, match="R014"):
            state.apply_action(0)
        assert time.process_time() - began < SECONDS


def folder(tmp_path: Path, main: str, **files: str) -> str:
    for name, text in {"game.yaml": HEAD + main + "phases: {game: {do: []}}\n" + END, **files}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return str(tmp_path)


PART = "part of: x\nfunctions:\n" + "".join(f"  f{i}: {i}\n" for i in range(2000))
NAMED = {  # what names files often: the sections, a file beside it, the fault that is told, and at how many files the disk is looked
    "a part": ("parts: [" + "a.yaml, " * 40_000 + "./a.yaml]\n", ("a.yaml", PART), "Y026]: this file is a part already", 2),
    "parts that are not there": ("parts: [" + ", ".join(f"a{i}.yaml" for i in range(20_000)) + "]\n", ("b.yaml", PART), "Y007]", 500),
    "tables that are not there": (
        "types:\n" + "".join(f"  T{i}: {{table: a{i}.csv}}\n" for i in range(20_000)), ("b.csv", "name\na\n"), "Y007]", 500),
}  # fmt: skip


@pytest.mark.parametrize("name", NAMED)
def test_files_that_are_named_often(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    main, (beside, text), code, most = NAMED[name]
    looked, inside = [], reading.inside
    monkeypatch.setattr(reading, "inside", lambda folder, word: looked.append(word) or inside(folder, word))
    with pytest.raises(rulespec.RulespecError) as told:
        rulespec.load(folder(tmp_path, main, **{beside: text}))
    assert code in str(told.value) and "game.yaml:" in str(told.value) and len(str(told.value)) < TEXT
    assert len(looked) <= 2 * most


def test_parts_that_are_too_many(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"a{i}.yaml" for i in range(600)]
    game = folder(tmp_path, f"parts: [{', '.join(names)}]\n", **dict.fromkeys(names, "part of: x\n"))
    code, out, _ = run(capsys, "lint", game)
    assert code == 1 and "error[Y027]: a game has at most 500 files" in out


def test_parts_that_are_large_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"a{i}.yaml" for i in range(9)]
    text = "part of: x\n" + f"# {'x' * 998}\n" * 1900
    game = folder(tmp_path, f"parts: [{', '.join(names)}]\n", **dict.fromkeys(names, text))
    code, out, _ = run(capsys, "lint", game)
    assert code == 1 and "error[Y027]" in out and "8_000_000 bytes" in out


# --- what cannot be read ----------------------------------------------------------------------------------------------
def test_a_cell_that_is_too_long(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = "name,text\na," + "x" * 200_000 + "\nb,short\n"
    code, out, err = run(capsys, "lint", folder(tmp_path, "pieces:\n  Card: {table: c.csv}\n", **{"c.csv": table}))
    assert code == 1 and "error[Y022]" in out and "c.csv:2:1" in out and len(out) < TEXT and "C900" not in err


def test_links_that_lead_to_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.yaml").symlink_to("b.yaml")
    (tmp_path / "b.yaml").symlink_to("a.yaml")
    game = folder(tmp_path, "parts: [a.yaml, a.yaml/c.yaml]\n")
    for command in ("lint", "test", "play"):
        code, out, err = run(capsys, command, game)
        assert code == 1 and "C900" not in out + err
        assert "error[Y006]: `a.yaml` leads round in a circle of links" in out + err


@pytest.mark.parametrize("word", ['"a\\0b.yaml"', "y" * 5000 + ".yaml", '"\\uD800.yaml"', '"\\e[31m.csv"'])
@pytest.mark.parametrize("where", ["parts: [{}]\n", "pieces:\n  Card: {{table: {}}}\n"])
def test_names_that_no_file_can_have(word: str, where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "lint", folder(tmp_path, where.format(word)))
    assert code == 1 and "error[Y0" in out and "C900" not in out + err and "\x1b" not in out and len(out) < 20_000


@pytest.mark.parametrize(
    "text",
    ["!" * 1_000_000, "about: " + "!" * 1_000_000, "&" + "a" * 900_000 + " x", "? " + "k" * 900_000, "{" * 900_000],
)
def test_long_texts_are_not_repeated(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    for form in ("text", "json", "sarif", "github"):
        code, out, err = run(capsys, "lint", str(tmp_path), "--format", form)
        assert code == 1 and len(err) < 1_000
        assert len(out) < (TEXT if form != "sarif" else 2_000_000)


# --- texts that look like ours ----------------------------------------------------------------------------------------
def test_texts_of_a_game_stay_in_their_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fake = "\\nerror[C900]: Rulespec itself failed\\r\\u202e\\e[31m"
    text = (
        f'{HEAD}title: "Nice{fake}"\nabout: "Text{fake}"\nphases:\n  game:\n    do:\n      - log: "Line{fake}"\n'
        f'      - check: size(players) == 1\n        why: "Why{fake}"\n{END}cases:\n  one:\n    expect: [size(players) == 3]\n'
    )
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    for command in (("play", "--bots"), ("simulate", "--games", "1"), ("test",), ("lint",)):
        _, out, err = run(capsys, command[0], str(tmp_path), *command[1:])
        shown = out + err
        assert not any(line.startswith("error[C900]") for line in shown.splitlines())
        assert "\r" not in shown and "\u202e" not in shown and "\x1b" not in shown

"""No game opens a file outside its folder, imports anything, calls out, or changes a file: watched by a hook of Python itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.places import ROOT

HEAD = "rulespec: 1\nid: x\nplayers: 2\n"
BODY = "phases:\n  game:\n    do:\n      - choose: k\n        by: p1\n        from: 1..3\nend of game:\n  winners: players\n"
STEP = "phases:\n  game:\n    do:\n      - {}\nend of game:\n  winners: players\n"
NASTY = (
    '__import__("os").system("true")', "open(secret)", "os.getcwd()", "p1.__class__.__mro__", "eval(1)", "exec(1)", "().__class__",
    "lambda: 0", "f`x`", "compile(1)", "import os", "getattr(p1, 1)", "globals()", "$(touch here)", "`touch here`", "{{7*7}}",
)  # fmt: skip


def written(folder: Path, **files: str) -> str:
    folder.mkdir()
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_yaml", ".yaml").replace("_csv", ".csv")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return str(folder)


def parts_and_tables(games: Path, secret: Path) -> list[str]:
    """Games whose parts or tables are named by paths out of their folders."""
    words = [
        "../../secret.yaml",
        str(secret),
        "link.yaml",
        "here/../../../secret.yaml",
        "file:///etc/passwd",
        "~/.bashrc",
        "//etc/passwd",
        "http://127.0.0.1:9/x.yaml",
    ]
    parts = [
        written(games / f"parts{k}", game_yaml=f"{HEAD}parts: ['{word}']\n{BODY}", here__a_yaml="")
        for k, word in enumerate(words)
    ]
    for game in parts:
        (Path(game) / "link.yaml").symlink_to(secret)
    table = secret.with_suffix(".csv")
    tables = [
        written(games / f"table{k}", game_yaml=f"{HEAD}pieces: {{Card: {{table: '{word}'}}}}\n{BODY}")
        for k, word in enumerate(["../../secret.csv", str(table), "link.csv"])
    ]
    for game in tables:
        (Path(game) / "link.csv").symlink_to(table)
    return parts + tables


def texts(games: Path) -> list[str]:
    """Games with texts that a careless reader would execute."""
    folders = []
    for k, text in enumerate(NASTY):
        quoted, plain = json.dumps(text), json.dumps(text.replace("{", "").replace("}", ""))
        function = f"{HEAD}functions: {{f: {quoted}}}\n{STEP.format(f'{{log: {quoted}}}')}"
        folders.append(written(games / f"nasty{k}", game_yaml=function))
        title = f"{HEAD}title: {quoted}\n{STEP.format('{log: ' + plain + '}')}"
        folders.append(written(games / f"text{k}", game_yaml=title))
    return folders


def folders_around(games: Path, secret: Path) -> list[str]:
    """Games with links in their folders, with variants of what is not theirs, and one without any fault."""
    head = HEAD + BODY
    linked = written(
        games / "linked", game_yaml=head, cases__a_yaml="cases: {}\n", variants__a_yaml="", bots__a_yaml=""
    )
    for name in ("cases", "variants", "bots"):
        (Path(linked) / name / "link.yaml").symlink_to(secret)
    variant = "extends: {}\nid: v\ntitle: V\nchanges: []\n"
    outside, inside = variant.format("'../../../secret.yaml'"), variant.format("../game.yaml")
    case = "cases:\n  one:\n    expect: [size(players) == 2]\n"
    return [
        linked,
        written(games / "varied", game_yaml=head, variants__v_yaml=outside, variants__w_yaml=inside),
        written(games / "sound", game_yaml=head, cases__a_yaml=case),
    ]


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_what_a_game_reaches(tmp_path: Path) -> None:
    secret = tmp_path / "secret.yaml"
    secret.write_text("part of: x\nfunctions: {f: 1}\n", encoding="utf-8")
    (tmp_path / "secret.csv").write_text("name,text\na,b\n", encoding="utf-8")
    games = tmp_path / "games"
    games.mkdir()
    folders = [*parts_and_tables(games, secret), *texts(games), *folders_around(games, secret)]
    process = subprocess.run(
        [sys.executable, "-m", "tests.helpers.audited", *folders],
        cwd=ROOT, capture_output=True, text=True, timeout=300, env={**os.environ, "RULESPEC_CACHE": "off"},
    )  # fmt: skip
    assert process.returncode == 0, process.stderr[-2000:]
    assert "C900" not in process.stderr
    seen = json.loads(process.stdout.splitlines()[-1])
    theirs = tuple(f"{os.path.realpath(game)}/" for game in folders)
    python = (f"{ROOT}/", f"{sys.prefix}/", f"{sys.base_prefix}/", "/dev/null")
    assert any(path.startswith(theirs) for path in seen["open"])
    assert [path for path in seen["open"] if not path.startswith((*theirs, *python))] == []
    assert not any("secret" in path or "passwd" in path for path in seen["open"])
    ours = ("rulespec", "interpreter", "tools", "jsonschema", "lark", "yaml", "networkx", "click")
    assert [m for m in seen["import"] if m.split(".")[0] not in {*ours, *sys.stdlib_module_names}] == []
    assert not {"os.system", "socket", "subprocess", "ctypes"} & set(seen["import"])
    assert seen["call"] == [] and seen["change"] == []

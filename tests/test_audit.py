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


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_what_a_game_reaches(tmp_path: Path) -> None:
    secret = tmp_path / "secret.yaml"
    secret.write_text("part of: x\nfunctions: {f: 1}\n", encoding="utf-8")
    (tmp_path / "secret.csv").write_text("name,text\na,b\n", encoding="utf-8")
    games = tmp_path / "games"
    games.mkdir()
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
    made = [
        written(games / f"parts{k}", game_yaml=f"{HEAD}parts: ['{word}']\n{BODY}", here__a_yaml="")
        for k, word in enumerate(words)
    ]
    for game in made:
        (Path(game) / "link.yaml").symlink_to(secret)
    tables = ["../../secret.csv", str(tmp_path / "secret.csv"), "link.csv"]
    more = [
        written(games / f"table{k}", game_yaml=f"{HEAD}pieces: {{Card: {{table: '{word}'}}}}\n{BODY}")
        for k, word in enumerate(tables)
    ]
    for game in more:
        (Path(game) / "link.csv").symlink_to(tmp_path / "secret.csv")
    made += more
    for k, text in enumerate(NASTY):
        quoted = json.dumps(text)
        made.append(
            written(
                games / f"nasty{k}", game_yaml=f"{HEAD}functions: {{f: {quoted}}}\n{STEP.format(f'{{log: {quoted}}}')}"
            )
        )
        made.append(
            written(
                games / f"text{k}",
                game_yaml=f"{HEAD}title: {quoted}\n{STEP.format('{log: ' + json.dumps(text.replace('{', '').replace('}', '')) + '}')}",
            )
        )
    linked = written(
        games / "linked", game_yaml=HEAD + BODY, cases__a_yaml="cases: {}\n", variants__a_yaml="", bots__a_yaml=""
    )
    for name in ("cases", "variants", "bots"):
        (Path(linked) / name / "link.yaml").symlink_to(secret)
    made.append(linked)
    variant = "extends: {}\nid: v\ntitle: V\nchanges: []\n"
    made.append(
        written(
            games / "varied",
            game_yaml=HEAD + BODY,
            variants__v_yaml=variant.format("'../../../secret.yaml'"),
            variants__w_yaml=variant.format("../game.yaml"),
        )
    )
    made.append(
        written(
            games / "sound", game_yaml=HEAD + BODY, cases__a_yaml="cases:\n  one:\n    expect: [size(players) == 2]\n"
        )
    )
    found = subprocess.run(
        [sys.executable, "-m", "tests.helpers.audited", *made],
        cwd=ROOT, capture_output=True, text=True, timeout=300, env={**os.environ, "RULESPEC_CACHE": "off"},
    )  # fmt: skip
    assert found.returncode == 0, found.stderr[-2000:]
    assert "C900" not in found.stderr
    seen = json.loads(found.stdout.splitlines()[-1])
    folders = tuple(f"{os.path.realpath(game)}/" for game in made)
    own = (f"{ROOT}/", f"{sys.prefix}/", f"{sys.base_prefix}/", "/dev/null")
    assert any(path.startswith(folders) for path in seen["open"])
    assert [path for path in seen["open"] if not path.startswith((*folders, *own))] == []
    assert not any("secret" in path or "passwd" in path for path in seen["open"])
    ours = ("rulespec", "interpreter", "tools", "jsonschema", "lark", "yaml", "networkx", "click")
    assert [m for m in seen["import"] if m.split(".")[0] not in {*ours, *sys.stdlib_module_names}] == []
    assert not {"os.system", "socket", "subprocess", "ctypes"} & set(seen["import"])
    assert seen["call"] == [] and seen["change"] == []

"""One rule for the exit codes of all commands: 0 clean, 1 findings in what was given, 2 what was given is not there or not meant so."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.helpers.commands import FAULTY, run
from tests.helpers.places import ROOT
from tests.helpers.waiting import said_until
from tools import cli

BROKEN = "rulespec: 1\nid: x\nplayers: 2\nstate: {v: 0..9}\nphases: {game: {do: [{set: w, to: 1}]}}\n"
CASES = "cases:\n  up:\n    play:\n      - p1: [stay, stay, stay]\n    expect: [level == 0]\n"

# `{clean}`, `{bare}`, `{broken}` and `{faulty}` are files: a game with a case, one without, one that is not sound, one that ends
# in a fault; `{empty}` is a folder, `{none}` is nothing, `{text}` holds no game, `{torn}` no YAML.
TABLE: dict[str, dict[int, list[str]]] = {
    "list": {0: [""], 2: ["x", "--frob"]},
    "lint": {
        0: ["tic_tac_toe"],
        1: ["{broken}", "tic_tac_toe {broken}", "{text}"],
        2: [
            "", "nosuch", "tic_tac_toe nosuch", "{broken} nosuch", "tic_tac_toe --variant nosuch", "{empty}", "tic_tac_toe --diff",
            "tic_tac_toe --watch --fix", "tic_tac_toe --stdin-name x.yaml",
        ],
    },
    "play": {
        0: ["tic_tac_toe --bots --seed 1"],
        1: ["{broken}", "{text}", "tic_tac_toe --load {text}"],
        2: [
            "", "nosuch", "{empty}", "tic_tac_toe --variant nosuch", "tic_tac_toe --players 7", "tic_tac_toe --option a=b",
            "tic_tac_toe --bot nosuch", "tic_tac_toe --as nosuch", "tic_tac_toe --load {none}", "tic_tac_toe --save {none}/x/y",
        ],
    },
    "serve": {
        1: ["{broken}", "{text}"],
        2: [
            "nosuch", "{empty}", "tic_tac_toe nosuch", "tic_tac_toe --variant nosuch", "tic_tac_toe --players 7", "tic_tac_toe --as nosuch",
            "tic_tac_toe --bots --all", "tic_tac_toe --port 70000", "tic_tac_toe --folder {clean}", "tic_tac_toe --log {none}/x",
            "tic_tac_toe --url ftp://x", "tic_tac_toe --name a/b", "tic_tac_toe --host a..b",
        ],
    },
    "simulate": {
        0: ["tic_tac_toe --games 2"],
        1: ["{broken}", "{faulty} --games 200"],
        2: ["", "nosuch", "{empty}", "tic_tac_toe --variant nosuch", "tic_tac_toe --players 7", "tic_tac_toe --bot nosuch"],
    },
    "test": {
        0: ["{clean}", "{clean} -k up", "{clean} --case up", "{bare} --random 1", "{clean} {bare}"],
        1: ["{broken}", "{clean} {broken}", "{faulty}", "{text}"],
        2: [
            "", "nosuch", "{clean} nosuch", "{empty}", "{bare}", "{clean} -k nosuch", "{clean} --case nosuch",
            "{clean} --variant nosuch", "{clean} --options", "{clean} --sample 3", "{clean} --mutants --trace",
        ],
    },
    "lab": {1: ["{broken}", "{text}", "{torn}"], 2: ["", "{none}", "{broken} --jobs 0", "{broken} --jobs 1 --scheduler tcp://x:1"]},
    "variant": {
        0: ["tic_tac_toe --from games/tic_tac_toe/variants/misere.yaml"],
        1: ["tic_tac_toe --from tic_tac_toe"],
        2: ["", "tic_tac_toe", "nosuch --from tic_tac_toe", "tic_tac_toe --from nosuch", "tic_tac_toe --from {torn}"],
    },
    "compare": {
        0: ["tic_tac_toe misere --games 6 --bot random"],
        1: ["{broken} {broken}", "{faulty} {faulty} --games 200 --bot random"],
        2: ["", "tic_tac_toe", "tic_tac_toe nosuch", "tic_tac_toe misere --bot nosuch", "tic_tac_toe misere --svg {none}/x/y"],
    },
    "review": {
        0: ["tic_tac_toe --games 2"],
        1: ["{broken}", "{text}", "{faulty} --games 20"],
        2: ["", "nosuch", "{empty}", "tic_tac_toe --variant nosuch", "tic_tac_toe --games 0", "tic_tac_toe --budget 0"],
    },
    "verify": {
        0: ["kuhn_poker --players 2 --games 1 --jobs 1"],
        1: ["{broken}", "{text}", "{faulty} --games 50 --jobs 1"],
        2: [
            "", "nosuch", "{empty}", "kuhn_poker --variant nosuch", "kuhn_poker --players 7", "kuhn_poker --option a=b",
            "kuhn_poker --games 0",
        ],
    },
    "diff": {
        0: ["tic_tac_toe tic_tac_toe"],
        1: ["tic_tac_toe connect_four --no-cases"],
        2: ["", "nosuch tic_tac_toe", "tic_tac_toe nosuch", "tic_tac_toe --variant nosuch", "{empty} tic_tac_toe", "{broken} tic_tac_toe"],
    },
    "map": {
        0: ["tic_tac_toe"],
        1: ["{broken}"],
        2: ["", "nosuch", "{empty}", "kuhn_poker", "tic_tac_toe --variant nosuch"],
    },
    "table": {
        0: ["tic_tac_toe --moves 3 --as 1"],
        1: ["{broken}"],
        2: ["", "nosuch", "{empty}", "tic_tac_toe --as nosuch", "tic_tac_toe --variant nosuch", "tic_tac_toe --moves -1"],
    },
    "build": {1: ["{broken}", "tic_tac_toe"], 2: ["", "nosuch", "{empty}", "tic_tac_toe --players 7"]},  # nothing is compiled in tests
    "case": {1: ["{text}:1 --name a"], 2: ["", "{text} --name a", "{none}:1 --name a", "{text}:1"]},
    "watch": {1: ["{text}"], 2: ["", "{none}"]},
    "replay": {1: ["{text}"], 2: ["", "{none}"]},
    "tree": {
        0: ["kuhn_poker --players 2"],
        1: ["{broken}"],
        2: ["", "nosuch", "{empty}", "kuhn_poker --variant nosuch", "kuhn_poker --players 7"],
    },
    "odds": {1: ["{broken}"], 2: ["", "nosuch", "{empty}", "kuhn_poker --variant nosuch", "kuhn_poker --players 7"]},
    "ir": {0: ["kuhn_poker"], 1: ["{broken}"], 2: ["", "nosuch", "{empty}", "kuhn_poker --players 7"]},
    "python": {0: ["kuhn_poker"], 1: ["{broken}"], 2: ["", "nosuch", "{empty}", "kuhn_poker --players 7"]},
    "new": {2: ["", "{empty} --template nosuch", "{clean}"]},
    "fmt": {0: ["{text} --check"], 1: ["{unlike} --check", "{torn}"], 2: ["", "nosuch", "{none}"]},
    "lsp": {2: ["nosuch"]},
    "studio": {2: ["nosuch", "{none}/x", "--port 70000"]},
    "schema": {0: ["", "tic_tac_toe", "{broken}"], 2: ["nosuch"]},
    "explain": {0: ["E100"], 2: ["nosuch"]},
    "book": {
        0: ["tic_tac_toe", "tic_tac_toe --variant misere --marked"],
        1: ["{broken}", "{text}"],
        2: ["", "nosuch", "{empty}", "tic_tac_toe --marked", "tic_tac_toe --json --out {none}.md", "tic_tac_toe --out {none}/x/y.md"],
    },
    "completion": {0: ["bash"], 2: ["", "nosuch"]},
}  # fmt: skip
ROWS = [(name, words, code) for name, rows in TABLE.items() for code, many in rows.items() for words in many]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("games")
    (folder / "empty").mkdir()
    texts = {
        "clean": FAULTY + CASES,
        "bare": FAULTY,
        "broken": BROKEN,
        "text": "- nothing\n",
        "unlike": "id:    x\n",
        "torn": "a: [\n",
    }
    texts["faulty"] = FAULTY + CASES.replace("stay, stay, stay", "up, up, up")
    for name, text in texts.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    found = {name: str(folder / f"{name}.yaml") for name in texts}
    return {**found, "empty": str(folder / "empty"), "none": str(folder / "none")}


def test_the_table_has_every_command() -> None:
    assert set(TABLE) == set(cli.MODULES)
    assert all(2 in rows for rows in TABLE.values())


@pytest.mark.parametrize(("name", "words", "code"), ROWS)
def test_codes(name: str, words: str, code: int, files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    found, out, err = run(capsys, name, *words.format(**files).split())
    assert found == code, out + err
    if code == 2:
        assert "error[" in out + err and "error[C900]" not in out + err


# --- interrupted ------------------------------------------------------------------------------------------------------
def heeding() -> None:
    """Heed interrupts in a new process, also where the tests themselves run in the background and do not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_what_was_said_is_seen_while_a_bot_thinks() -> None:
    """Through a pipe too, which keeps lines back until it is full."""
    bare = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    words = [sys.executable, "-m", "tools", "play", "tic_tac_toe", "--bots", "--bot", "search:100s", "--seed", "1"]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=bare) as playing:
        assert playing.stdout is not None
        try:
            said_until(playing, playing.stdout, "seed 1", 30)
        finally:
            playing.kill()


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("saved", [True, False])
def test_play_that_is_interrupted(saved: bool, tmp_path: Path) -> None:
    """It says so, and a game that is saved goes on with the last answer."""
    save = tmp_path / "game.json"
    words = [
        sys.executable,
        "-m",
        "tools",
        "play",
        "tic_tac_toe",
        "--all",
        "--seed",
        "1",
        *(["--save", str(save)] if saved else []),
    ]
    playing = subprocess.Popen(
        words,
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heeding,
        env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
    )
    assert playing.stdin is not None and playing.stdout is not None and playing.stderr is not None
    playing.stdin.write("b2\n")
    playing.stdin.flush()
    said_until(playing, playing.stdout, "=== O")  # the question is seen before it is answered, through a pipe too
    time.sleep(0.2)
    playing.send_signal(signal.SIGINT)
    _, err = playing.communicate(timeout=60)
    assert playing.returncode == 130
    assert "interrupted" in err and "Traceback" not in err
    if saved:
        assert err.endswith(f"to go on: rulespec play tic_tac_toe --load {save}\n")
        assert '"history":[[0,"cell",4,4]]' in save.read_text(encoding="utf-8")
    else:
        assert err.endswith("the game was left and not saved\n")

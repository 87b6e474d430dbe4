"""Messages show what somebody wrote so that it can be told from the message around it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rulespec
from rulespec.text.quoting import ticked
from tests.helpers.commands import run
from tests.helpers.places import ROOT


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("17", "`17`"), (17, "`17`"), ("a b", "`a b`"), (" ", "` `"), ("", '""'), ("17`", '"17`"'), ("`17`", '"`17`"'),
        ('say "`"', "'say \"`\"'"), ("a\nb", r"`a\nb`"), ("a\r\nb\rc", r"`a\nb\rc`"), ("a > 1\n", "`a > 1`"), ("\n", '""'),
    ],
)  # fmt: skip
def test_how_a_text_is_shown(text: object, shown: str) -> None:
    assert ticked(text) == shown


GAME = """\
rulespec: 1
id: odd
title: Odd
players: 2
parts: ["", "x`y.yaml"]
state:
  mark: {is: 0..9, starts: 0}
phases:
  game:
    do:
      - set: mark
        to: "17`"
      - "do`it"
      - win: "nobody\\nelse"
      - "mark += `1`"
      - "win mark`"
"""


def test_findings_of_a_game(tmp_path: Path) -> None:
    file = tmp_path / "odd.yaml"
    file.write_text(GAME, encoding="utf-8")
    found = [text for d in rulespec.check(file)[1] for text in (d.message, d.expected or "", d.found or "", *d.help)]
    assert any('"x`y.yaml"' in text for text in found) and any('"{add: `1`, to: mark}"' in text for text in found), (
        found
    )
    assert not any("``" in text for text in found), found


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("explain", ""), 'no code ""'),
        (("ir", "kuhn_poker", "--procedure", ""), 'no procedure is called ""'),
        (("ir", "kuhn_poker", "--procedure", "a`b"), 'no procedure is called "a`b"'),
        (("play", "kuhn`poker"), 'no game "kuhn`poker"'),
        (("simulate", "kuhn_poker", "--bot", "9`=random"), 'no seat "9`"'),
        (("simulate", "kuhn_poker", "--bot", "a`b"), 'no bot "a`b"'),
        (("test", "kuhn_poker", "--case", "a\nb"), r"no case `a\nb`"),
        (("simulate", "kuhn_poker", "--games", "17`"), '"17`" is no whole number'),
        (("pl`ay",), 'no command "pl`ay"'),
    ],
)
def test_messages_of_commands(words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, *words)
    assert code != 0 and told in err and "``" not in err


VALUE = re.compile(r"(\s*(?:- )?[\w ]+): [^{\[|>#\"'][^#]*")
KEY = re.compile(r"(\s*(?:- )?)[\w ]+:(.*)")


def test_odd_texts_anywhere_in_a_game(tmp_path: Path) -> None:
    """Each key and each value of a small game in turn is empty or holds a backquote."""
    lines = (ROOT / "games/tic_tac_toe/game.yaml").read_text(encoding="utf-8").splitlines()
    file, told = tmp_path / "odd.yaml", 0
    for number, line in enumerate(lines):
        value, key = VALUE.fullmatch(line), KEY.fullmatch(line)
        for odd in ('""', '"a`b"'):
            changed = [f"{value[1]}: {odd}"] if value else []
            changed += [f"{key[1]}{odd}:{key[2]}"] if key else []
            for new in changed:
                file.write_text("\n".join([*lines[:number], new, *lines[number + 1 :]]), encoding="utf-8")
                for d in rulespec.check(file)[1]:
                    texts = (d.message, d.expected or "", d.found or "", *d.help, *(text for _, text in d.related))
                    told += any("a`b" in text for text in texts)
                    assert not [text for text in texts if "``" in text or "`a`b" in text or "a`b`" in text], new
    assert told > 20

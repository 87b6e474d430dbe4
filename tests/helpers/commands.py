"""The command line under test: in this process or in one of its own, and a game that fails."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest

from tests.helpers.places import ROOT
from tools import cli

FAULTY = """\
rulespec: 1
id: faulty
title: Faulty
players: 2

state:
  level: 0..2

phases:
  game:
    do:
      - repeat: 3
        do:
          - offer: move
            by: p1
            options:
              up:
                say: Up
                do:
                  - set: level
                    to: level + 1
              stay:
                say: Stay
                do: []

end of game:
  returns: 0
"""


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """What stdin, which is no terminal, has to say."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli.main(arguments)
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    return code, out, err


def shell(*arguments: str, stdin: str | None = None, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The command line as its own process."""
    return subprocess.run(
        [sys.executable, "-m", "tools", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        input=None if stdin is None else stdin.encode(),
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        timeout=60,
    )

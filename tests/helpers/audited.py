"""`python -m tests.helpers.audited GAME...`: read, lint, test and play games with a hook on all that Python does outside itself.

Prints, as JSON, what was opened, imported and called.  What is loaded once by any game is loaded before the hook is set.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from typing import Any

from tests.helpers.places import ROOT
from tools import cli

# What reaches out of the process, or runs what is not there yet.
CALLS = (
    "socket.",
    "subprocess.",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.fork",
    "ctypes.",
    "webbrowser.",
    "urllib.",
    "ftplib.",
)
CHANGES = (
    "os.remove",
    "os.rename",
    "os.rmdir",
    "os.mkdir",
    "os.link",
    "os.symlink",
    "os.chmod",
    "os.chown",
    "shutil.",
    "tempfile.",
)


def commands(game: str) -> None:
    """What people do with a game of a stranger."""
    for words in (
        ["lint", game],
        ["test", game],
        ["simulate", game, "--games", "2"],
        ["play", game, "--bots", "--seed", "1"],
        ["map", game],
    ):
        cli.main(words)


def main() -> None:
    """Warm up, watch, report."""
    seen: dict[str, set[str]] = {"open": set(), "import": set(), "call": set(), "change": set()}
    watching = False

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if not watching:
            return
        if event == "open":
            path, mode = arguments[0], arguments[1]
            if isinstance(path, str | bytes | os.PathLike):
                seen["open"].add(os.path.realpath(os.fsdecode(path)))
                if isinstance(mode, str) and set(mode) & set("wax+"):
                    seen["change"].add(f"open {os.fsdecode(path)}")
        elif event == "import":
            seen["import"].add(str(arguments[0]))
        elif event.startswith(CALLS):
            seen["call"].add(event)
        elif event.startswith(CHANGES):
            seen["change"].add(event)

    with open(os.devnull, "w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
        commands(str(ROOT / "games" / "tic_tac_toe"))
        commands(str(ROOT / "tests/conformance/play/maps.yaml"))
        sys.addaudithook(hook)
        watching = True
        for game in sys.argv[1:]:
            commands(game)
        watching = False
    print(json.dumps({name: sorted(found) for name, found in seen.items()}))


if __name__ == "__main__":
    main()

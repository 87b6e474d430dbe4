"""`rulespec lint --watch`: one screen with the findings and the cases that fail, made anew whenever a file changes that they rest on."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rulespec.text.disk import QUESTIONS, Watch, watched
from rulespec.text.locate import CASES, game_of

from . import console, report

if TYPE_CHECKING:
    from rulespec.text.diagnostics import Diagnostic

Run = Callable[[str], tuple[int, int]]
PAUSE = 0.5  # seconds between two looks at the files
CLEAR = "\x1b[2J\x1b[3J\x1b[H"


def watch(
    games: Sequence[str], look: Callable[[str], Iterable[Diagnostic]], run: Run, times: int | None = None
) -> None:
    """Show what is found in games and their cases, at first and after each change, `times` in all or until somebody interrupts.

    `run` runs the cases of a game, or of a file of cases, shows those that fail, and counts those that pass and those that fail.
    """
    seen: dict[str, Watch] = {}
    found: dict[str, list[Diagnostic]] = {}
    changed: dict[str, list[Path]] = {game: [] for game in games}
    while True:
        for game in changed:
            with watched() as seen[game]:
                found[game] = list(look(game))
        findings = [one for game in games for one in found[game]]
        if sys.stdout.isatty():
            console.data(CLEAR)
        report.as_text(findings)
        console.message(report.summary(len(games), findings))
        run_cases([game for game in changed if not any(one.severity == "error" for one in found[game])], changed, run)
        console.message(
            f"{time.strftime('%H:%M:%S')}  watching {report.counted(files_of(seen.values()), 'file')}; Ctrl+C ends"
        )
        console.before_waiting()
        times = None if times is None else times - 1
        if times == 0:
            return
        changed = {}
        while not changed:
            time.sleep(PAUSE)
            for game, before in seen.items():
                if others := differences(before):
                    changed[game] = others


def files_of(watches: Iterable[Watch]) -> int:
    """How many files were read."""
    return len({path for watch in watches for what, path in watch.answers if what == "content"})


def differences(watch: Watch) -> list[Path]:
    """The paths of which the disk says something else by now."""
    return [Path(path) for (what, path), answer in watch.answers.items() if QUESTIONS[what](path) != answer]


def run_cases(games: Iterable[str], changed: dict[str, list[Path]], run: Run) -> None:
    """Run the cases that a change can affect: those of a file of cases, or all of a game."""
    passed = failed = 0
    for game in games:
        files = changed[game]
        alone = bool(files) and all(file.parent.name == CASES and game_of(file) is not None for file in files)
        for one in map(str, dict.fromkeys(files)) if alone else (game,):
            right, wrong = run(one)
            passed, failed = passed + right, failed + wrong
    console.message(f"{report.counted(passed + failed, 'case')}, {failed} failed")

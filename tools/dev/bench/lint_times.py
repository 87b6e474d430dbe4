"""Processor time of `rulespec lint`: `python -m tools.dev.bench.lint_times GAME... [--beside FOLDER] [--runs N] [--write]`.

Each game is copied, and looked through with its variants: with nothing kept, again with nothing changed, and again after a change of one
file.  `--beside` measures another checkout in the same run, for machines differ, and one machine differs from hour to hour.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from rulespec.system.records import dataclass
from rulespec.system.resources import games_dir

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "reports" / "lint_times.md"
MAIN, CASES, VARIANTS = "game.yaml", "cases", "variants"


@dataclass(frozen=True, slots=True)
class Row:
    """Seconds of processor for one game in one way; `beside` of the other checkout."""

    game: str
    way: str
    seconds: float
    beside: float | None


def measured(checkout: Path, game: Path, cache: str) -> float:
    """Seconds of processor that a process of a checkout takes to lint a game."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"RULESPEC_CACHE": cache, "PYTHONPATH": str(checkout)}
    process = subprocess.Popen(
        [sys.executable, "-m", "rulespec", "lint", str(game)], cwd=checkout, env=environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise RuntimeError(f"lint of {game.name} ended with the code {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def touched(file: Path) -> None:
    """Change a file without a change of what it says."""
    file.write_text(f"{file.read_text(encoding='utf-8')}\n# changed\n", encoding="utf-8")


def changes(game: Path) -> dict[str, Callable[[], None]]:
    """What is changed before a measurement, by what it is called."""
    ways: dict[str, Callable[[], None]] = {"again": lambda: None}
    for name, folder in (("a variant", VARIANTS), ("a file of cases", CASES)):
        files = sorted((game / folder).glob("*.yaml"))
        if files:
            ways[f"after a change of {name}"] = lambda file=files[0]: touched(file)  # type: ignore[misc]
    ways["after a change of the main file"] = lambda: touched(game / MAIN)
    return ways


def rows(name: str, beside: Path | None, runs: int) -> list[Row]:
    """All measurements of a game, each the least of so many."""
    found: list[Row] = []
    with tempfile.TemporaryDirectory() as place:
        game, cache = Path(place) / name, Path(place) / "cache"
        shutil.copytree(games_dir() / name, game)
        other = None if beside is None else min(measured(beside, game, "off") for _ in range(runs))
        cold = []
        for _ in range(runs):
            shutil.rmtree(cache, ignore_errors=True)
            cold.append(measured(ROOT, game, str(cache)))
        found.append(Row(name, "cold", min(cold), other))
        for way, change in changes(game).items():
            times = []
            for _ in range(runs):
                change()
                times.append(measured(ROOT, game, str(cache)))
            found.append(Row(name, way, min(times), other))
    return found


def table(found: Sequence[Row]) -> str:
    """The measurements as a table, with a column for the other checkout where one was measured."""
    beside = any(row.beside is not None for row in found)
    lines = ["| game | | seconds |" + " of before |" * beside, "|---|---|---|" + "---|" * beside]
    for row in found:
        ratio = "" if row.beside is None else f" {100 * row.seconds / row.beside:.0f} % of {row.beside:.1f} |"
        lines.append(f"| {row.game} | {row.way} | {row.seconds:.2f} |{ratio}")
    return "\n".join(lines)


def page(found: Sequence[Row], runs: int) -> str:
    """The page of the report."""
    compared = any(row.beside is not None for row in found)
    least = f"each the least of {runs}" if runs > 1 else "each measured once"
    last = " The last column compares with an earlier version, measured in the same run." if compared else ""
    return f"""\
# How long lint takes

Seconds of processor of `rulespec lint GAME`, the whole process, with the variants of the game; {least}, with Python
{sys.version_info.major}.{sys.version_info.minor}. *Cold*: nothing is kept of the game. *Again*: nothing has changed, so that what was
found is shown. *After a change*, a comment at the end of the file: only what rests on the file is looked through again, and secrets where
the rules themselves are others.{last}
`python -m tools.dev.bench.lint_times GAME... --beside CHECKOUT --write` measures it again, next to another checkout.

{table(found)}
"""


def main(arguments: Sequence[str]) -> int:
    """Measure, and print or write."""
    parser = argparse.ArgumentParser(prog="python -m tools.dev.bench.lint_times")
    parser.add_argument("games", nargs="+", metavar="GAME")
    parser.add_argument("--beside", type=Path, metavar="FOLDER")
    parser.add_argument("--runs", type=int, default=3, metavar="N")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    beside = None if options.beside is None else options.beside.resolve()
    found = [row for game in options.games for row in rows(game, beside, options.runs)]
    if options.json:
        print(json.dumps([[row.game, row.way, row.seconds, row.beside] for row in found]))
    else:
        print(table(found))
    if options.write:
        PAGE.write_text(page(found, options.runs), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

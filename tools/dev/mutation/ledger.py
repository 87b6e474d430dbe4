"""What was found of mutants so far, kept on the disk: a run that broke off goes on where it was."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from .families import Mutant
from .trial import Finding, MutantVerdict

ROOT = Path(__file__).resolve().parents[3]
CODE = ("interpreter", "rulespec", "tools")
READ = frozenset({".py", ".yaml", ".csv", ".json"})


class Ledger:
    """Verdicts by what they were found of: the code, the files of a game, and the mutant.  A line that was cut off counts as none.

    Without a file nothing is kept.
    """

    def __init__(self, file: Path | None = None) -> None:
        self.file = file
        self.rows: dict[str, Any] = {}
        self.contents: dict[Path, str] = {}  # of the games, digests of their files
        text = file.read_text(encoding="utf-8") if file is not None and file.exists() else ""
        for line in text.splitlines():
            with contextlib.suppress(ValueError, TypeError, KeyError):
                row = json.loads(line)
                self.rows[row["key"]] = row["found"]

    def unbroken(self, folder: Path) -> tuple[list[Finding], str] | None:
        """What is known of a game as it is: see `trial.unbroken`."""
        row = self.row(folder, None)
        return None if row is None else ([(code, message, file) for code, message, file in row[0]], row[1])

    def verdict(self, folder: Path, mutant: Mutant) -> MutantVerdict | None:
        """What is known of a mutant of the game in a folder."""
        row = self.row(folder, mutant)
        return None if row is None else MutantVerdict(mutant, **row)

    def keep(self, folder: Path, mutant: Mutant | None, found: Any) -> None:
        """Keep what was found of a mutant, or of the game as it is; it is on the disk when this returns."""
        if isinstance(found, MutantVerdict):
            found = {name: part for name, part in asdict(found).items() if name != "mutant"}
        self.keep_row(folder, mutant, "", found)

    def row(self, folder: Path, mutant: Mutant | None, about: str = "") -> Any:
        """What is known of a mutant, or of the game as it is; `about` says what was asked, where it is no verdict.  None: nothing."""
        return self.rows.get(self.key(folder, mutant, about))

    def keep_row(self, folder: Path, mutant: Mutant | None, about: str, found: Any) -> None:
        """Keep what was found, as JSON data; it is on the disk when this returns."""
        if self.file is None:
            return
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("a", encoding="utf-8") as out:
            out.write(json.dumps({"key": self.key(folder, mutant, about), "found": found}) + "\n")

    def key(self, folder: Path, mutant: Mutant | None, about: str = "") -> str:
        """What stands for a mutant, or for the game in a folder as it is."""
        if folder not in self.contents:
            self.contents[folder] = (
                content([folder]) if folder.is_dir() else hashlib.sha256(folder.read_bytes()).hexdigest()
            )
        return hashlib.sha256(repr((code(), self.contents[folder], mutant, about)).encode()).hexdigest()[:32]


@cache
def code() -> str:
    """A digest of the code that judges."""
    return content([ROOT / name for name in CODE])


def content(folders: Iterable[Path]) -> str:
    """A digest of the files in some folders that are read there."""
    mark = hashlib.sha256()
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.suffix in READ):
            mark.update(f"{path.relative_to(folder)}\0{path.stat().st_size}\0".encode())
            mark.update(path.read_bytes())
    return mark.hexdigest()

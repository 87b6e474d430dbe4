"""Files that are replaced whole, so that a run that breaks off leaves the old ones."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def write(folder: Path, texts: Mapping[str, str]) -> None:
    """Write files of a folder by their names, each replaced whole; raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        replace(folder / name, text)


def replace(path: Path, text: str) -> None:
    """Write a file at once, so that nobody ever sees half of it; rights that it has stay.  Raises OSError."""
    new = path.with_name(f".{path.name}.new")
    try:
        new.write_text(text, encoding="utf-8", newline="\n")
        if path.exists():
            new.chmod(path.stat().st_mode & 0o777)
        os.replace(new, path.resolve())
    finally:
        new.unlink(missing_ok=True)

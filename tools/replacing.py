"""Files that are replaced whole, so that a run that breaks off leaves the old ones."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def write(folder: Path, texts: Mapping[str, str]) -> None:
    """Write files of a folder by their names, each replaced whole; raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        new = folder / f".{name}.new"
        try:
            new.write_text(text, encoding="utf-8", newline="\n")
            os.replace(new, folder / name)
        finally:
            new.unlink(missing_ok=True)

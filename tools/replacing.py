"""Replaces files atomically, so that an interrupted run leaves the old ones."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rulespec.system import files


def write(folder: Path, texts: Mapping[str, str]) -> None:
    """Write files of a folder by their names, each replaced whole; raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        files.replace(folder / name, text)

"""Files that must not be lost: what is written over is asked before."""

from __future__ import annotations

from pathlib import Path

from rulespec.text.quoting import ticked


def guard(path: Path, mark: str) -> None:
    """Raise OSError where a file is there that is not of our kind: it must not be lost."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            head = file.read(200)
    except FileNotFoundError:
        return
    if head and mark not in head:
        raise FileExistsError(f"{ticked(path)} is there and is something else")


def guard_folder(path: Path) -> None:
    """Raise OSError where there is no folder for a file, or a folder stands in its place."""
    if path.is_dir():
        raise IsADirectoryError(f"{ticked(path)} is a folder")
    if not path.absolute().parent.is_dir():
        raise FileNotFoundError(f"there is no folder {ticked(path.absolute().parent)}")


def write_over(path: Path, text: str, mark: str) -> None:
    """Write a file, over one of our kind or none.  Raises OSError."""
    guard_folder(path)
    guard(path, mark)
    path.write_text(text, encoding="utf-8")


def guard_game(path: Path, *ours: Path | None) -> None:
    """Raise OSError where a file is there that must not be lost: any that has something in it and is not one of ours."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            head = file.read(200)
    except FileNotFoundError:
        return
    if head and not any(other is not None and other.exists() and path.samefile(other) for other in ours):
        what = "holds a saved game" if "rulespec_save" in head else "is there and is something else"
        raise FileExistsError(f"{ticked(path)} {what}")

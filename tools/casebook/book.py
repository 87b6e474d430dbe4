"""Writes a case into a file of cases: below the others, in the layout that authors write."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from rulespec.text.locate import CASES, MAIN
from rulespec.text.quoting import ticked

from .trials import Draft

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
RECORDED = "recorded.yaml"
PLAIN = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_ .()=<>/+-]|!=)*")  # what needs no quotes, nor in a list on one line


def text(name: str, draft: Draft, about: str = "") -> str:
    """A case as it stands below `cases:`."""
    lines = [f"  {name}:"]
    if about:
        lines.append(f"    about: {scalar(about)}")
    for key, value in draft.data().items():
        if isinstance(value, list) and key != "returns":
            lines.append(f"    {key}:")
            lines += [f"      - {written(key, item)}" for item in value]
        else:
            lines.append(f"    {key}: {flow(value)}")
    return "\n".join(lines) + "\n"


def written(key: str, item: Any) -> str:
    """An entry of a list of a case; a call with several arguments as authors write it, an argument a line."""
    if key == "run" and isinstance(item, dict) and len(item) > 1:
        pairs = (f"{scalar(name)}:" + ("" if value is None else f" {flow(value)}") for name, value in item.items())
        return "\n        ".join(pairs)
    return flow(item) if key in ("given", "expect") else bare(item)


def bare(item: Any) -> str:
    """An entry with one key without braces around it; `p1: red_7`."""
    if isinstance(item, dict) and len(item) == 1:
        ((key, value),) = item.items()
        return f"{scalar(key)}: {flow(value)}"
    return flow(item)


def flow(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(key)}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(flow, value))}]"
    return scalar(value)


def scalar(value: Any) -> str:
    """A text or number, in quotes where it needs them."""
    if isinstance(value, str) and not (PLAIN.fullmatch(value) and value.strip() == value):
        return json.dumps(value, ensure_ascii=False)  # its quotes are YAML's
    return str(value)


def book_of(file: Path) -> Path:
    """The file of cases of a game: in its folder `cases`, or the game's own file where it stands alone."""
    return file.parent / CASES / RECORDED if file.name == MAIN or (file.parent / CASES).is_dir() else file


def writable(book: Path) -> bool:
    """Whether a case may be put into a file that is there or can be made, without a try."""
    folder = book.parent if book.parent.is_dir() else book.parent.parent
    return os.access(folder, os.W_OK | os.X_OK) and (not book.exists() or os.access(book, os.W_OK))


def added(path: Path, case: str, unsaved: str | None = None) -> str:
    """The text of a file with one more case; raises ValueError where the file ends in something else than cases.

    `unsaved` is its text where an editor has another one than the disk.
    """
    if unsaved is None and not path.exists():
        return f"cases:\n{case}"
    before = path.read_text(encoding="utf-8") if unsaved is None else unsaved
    sections = re.findall(r"(?m)^([A-Za-z][A-Za-z ]*):", before)
    ending = "" if before.endswith("\n") or not before else "\n"
    if not sections or "cases" not in sections:
        return f"{before}{ending}\ncases:\n{case}" if before.strip() else f"cases:\n{case}"
    if sections[-1] != "cases" or re.search(r"(?m)^cases:[ \t]*[^\s#]", before):
        raise ValueError(f"{ticked(path)} does not end with its cases")
    return f"{before}{ending}{case}"

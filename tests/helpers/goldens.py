"""Golden files: texts that are compared with what was written before, and written anew with RULESPEC_GOLDEN=write."""

from __future__ import annotations

import os
from pathlib import Path


def golden(file: Path, text: str) -> str:
    """The text of a golden file; `text`, if they are to be written."""
    if os.environ.get("RULESPEC_GOLDEN") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    return file.read_text(encoding="utf-8")

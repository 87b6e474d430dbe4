"""Packages that only some commands need, which an extra of Rulespec installs: how to get them here."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def install(extra: str) -> str:
    """What to type: in a checkout the extra of that folder, for no index has what stands there."""
    if (ROOT / "pyproject.toml").is_file():
        return f"in {ROOT}: .venv/bin/python -m pip install --editable '.[{extra}]' (on Windows .venv\\Scripts\\python)"
    return f"pip install 'rulespec[{extra}]'"

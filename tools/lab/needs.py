"""What the lab needs beside Rulespec itself: libraries of statistics, plots and tables, which the extra `lab` installs."""

from __future__ import annotations

from importlib.util import find_spec

from rulespec.text.diagnostics import Diagnostic, RulespecError

from ..extras import install

REPORT = ("statsmodels", "matplotlib")
PARQUET = ("pandas", "pyarrow")


def wanted(parquet: bool = False) -> None:
    """Raises RulespecError C008 where one of them is missing, before anything is played."""
    missing = [name for name in (*REPORT, *(PARQUET if parquet else ())) if find_spec(name) is None]
    if missing:
        message = f"`rulespec lab` needs {', '.join(missing)}"
        raise RulespecError([Diagnostic("C008", message, help=(install("lab"),))])

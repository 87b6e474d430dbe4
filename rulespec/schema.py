"""The JSON Schemas of the language."""

from __future__ import annotations

from rulespec.diagnostics import Diagnostics
from rulespec.yamltree import Mapping


def validate(root: Mapping, diagnostics: Diagnostics) -> None:
    """Report every place where a game has not the shape of one."""

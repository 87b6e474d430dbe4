"""The language: the rules of a tabletop game, read from YAML and checked.

`load` gives a checked game by a path or an id, or raises `RulespecError` with every fault; `check` gives both what could be
made and all that was found; `list_games` tells what is shipped.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulespec.check.program import GameDef, OptionDef
    from rulespec.diagnostics import Diagnostic, RulespecError, render
    from rulespec.load import GameInfo, check, list_games, load

__all__ = [
    "Diagnostic", "GameDef", "GameInfo", "OptionDef", "RulespecError", "check", "list_games", "load", "render",
]  # fmt: skip
__version__ = "0.1.0"

# The checker takes a while to import: what only asks for the version or for help should not wait for it.
_HOME = {
    "Diagnostic": "diagnostics", "RulespecError": "diagnostics", "render": "diagnostics", "GameDef": "check.program",
    "OptionDef": "check.program", "GameInfo": "load", "check": "load", "list_games": "load", "load": "load",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """What the package offers, imported when it is first asked for."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"rulespec.{_HOME[name]}"), name)


class _Package(ModuleType):
    """The package, where `load` and `check` stay what they are when the modules of these names are imported."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package

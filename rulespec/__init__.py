"""The language: the rules of a tabletop game, read from YAML and checked.

`load` gives a checked game by a path or an id, or raises `RulespecError` with every fault; `check` gives both what could be
made and all that was found; `list_games` tells what is shipped.
"""

import time
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulespec.loading.api import GameInfo, VariantInfo, check, list_games, load
    from rulespec.loading.gamedef import GameDef, OptionDef
    from rulespec.text.diagnostics import Diagnostic, RulespecError, render

__all__ = [
    "Diagnostic", "GameDef", "GameInfo", "OptionDef", "RulespecError", "VariantInfo", "check", "list_games", "load", "render",
]  # fmt: skip
__version__ = "0.1.0"
IMPORTED = time.time()  # a file of this package that was changed later may not be what runs

# The checker takes a while to import: what only asks for the version or for help should not wait for it.
_HOME = {
    "Diagnostic": "text.diagnostics", "RulespecError": "text.diagnostics", "render": "text.diagnostics",
    "GameDef": "loading.gamedef", "OptionDef": "loading.gamedef",
    "GameInfo": "loading.api", "VariantInfo": "loading.api", "check": "loading.api", "list_games": "loading.api",
    "load": "loading.api",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """What the package offers, imported when it is first asked for."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"rulespec.{_HOME[name]}"), name)

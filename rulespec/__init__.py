"""The rules of tabletop games as data: read from YAML, checked, and played.

`load` gives a checked game by a path or an id, or raises `RulespecError` with every fault; `check` gives both what could be
made and all that was found; `list_games` tells what is shipped. `Game` sets a checked game up for some players, and `State` is a
position of it; all that `interpreter` offers is offered here too, under one name in a checkout and where a wheel is installed.
"""

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rulespec.system.version import __version__

if TYPE_CHECKING:
    from interpreter import (
        CHANCE,
        EVERYTHING,
        TERMINAL,
        Batch,
        Caller,
        Choice,
        Decision,
        Fault,
        Game,
        IllegalAction,
        InformationTracker,
        Lottery,
        State,
        UnknownAction,
    )  # fmt: skip
    from rulespec.api import GameInfo, VariantInfo, check, list_games, load
    from rulespec.ir.gamedef import GameDef, OptionDef
    from rulespec.text.diagnostics import Diagnostic, RulespecError, render

__all__ = [
    "CHANCE", "EVERYTHING", "TERMINAL", "Batch", "Caller", "Choice", "Decision", "Diagnostic", "Fault", "Game", "GameDef", "GameInfo",
    "IllegalAction", "InformationTracker", "Lottery", "OptionDef", "RulespecError", "State", "UnknownAction", "VariantInfo",
    "__version__", "check", "list_games", "load", "render",
]  # fmt: skip

# The checker and the interpreter take a while to import: what only asks for the version or for help should not wait for them.
_LANGUAGE = {
    "Diagnostic": "text.diagnostics", "RulespecError": "text.diagnostics", "render": "text.diagnostics",
    "GameDef": "ir.gamedef", "OptionDef": "ir.gamedef",
    "GameInfo": "api", "VariantInfo": "api", "check": "api", "list_games": "api",
    "load": "api",
}  # fmt: skip
_PACKAGE = Path(__file__).resolve().parent


def __getattr__(name: str) -> Any:
    """What the package offers, imported when it is first asked for."""
    if name in _LANGUAGE:
        return getattr(import_module(f"rulespec.{_LANGUAGE[name]}"), name)
    if name == "interpreter":
        return _interpreter()
    if name in __all__:
        return getattr(_interpreter(), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _interpreter() -> ModuleType:
    """The interpreter: a wheel carries it inside this package, a checkout beside it. ImportError if another package has its name."""
    if (_PACKAGE / "interpreter").is_dir():
        return import_module("rulespec.interpreter")
    package = import_module("interpreter")
    if Path(package.__file__ or "").resolve().parent != _PACKAGE.parent / "interpreter":
        raise ImportError(
            f"`interpreter` is another package here, {package.__file__}, and hides the one of this checkout: put {_PACKAGE.parent} "
            "first on PYTHONPATH, or install rulespec as a wheel, which keeps its own as `rulespec.interpreter`"
        )
    return package

"""The language: the rules of a tabletop game, read from YAML and checked.

`load` gives a checked game by a path or an id, or raises `RulespecError` with every fault; `check` gives both what could be
made and all that was found; `list_games` tells what is shipped.
"""

from rulespec.check.program import GameDef, OptionDef
from rulespec.diagnostics import Diagnostic, RulespecError, render
from rulespec.load import GameInfo, check, list_games, load

__all__ = ["Diagnostic", "GameDef", "GameInfo", "OptionDef", "RulespecError", "check", "list_games", "load", "render"]
__version__ = "0.1.0"

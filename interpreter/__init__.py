"""Execution: plays a game that `rulespec` has read and checked.

`Game` sets a game up, `State` is a position of it.  `README.md` tells how the machine works.
"""

from interpreter.batch import Batch
from interpreter.game import Game, State
from interpreter.questions import Choice, Decision
from interpreter.runtime.chance import Lottery
from interpreter.runtime.faults import Caller, Fault, IllegalAction, UnknownAction
from interpreter.runtime.values import CHANCE, TERMINAL
from interpreter.runtime.visibility import EVERYTHING
from interpreter.views.information import InformationTracker

__all__ = [
    "CHANCE",
    "EVERYTHING",
    "TERMINAL",
    "Batch",
    "Caller",
    "Choice",
    "Decision",
    "Fault",
    "Game",
    "IllegalAction",
    "InformationTracker",
    "Lottery",
    "State",
    "UnknownAction",
]


def __dir__() -> list[str]:
    """What is offered, without the modules that it is made of."""
    return [*__all__, "__all__", "__doc__", "__file__", "__name__", "__path__"]

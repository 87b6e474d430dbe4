"""Execution: plays a game that `rulespec` has read and checked.

`Game` sets a game up, `State` is a position of it.  `README.md` tells how the machine works.
"""

from interpreter.chance import Lottery
from interpreter.faults import Caller, Fault, IllegalAction, UnknownAction
from interpreter.game import Game
from interpreter.information import InformationTracker
from interpreter.machine import CHANCE, TERMINAL
from interpreter.questions import Choice, Decision
from interpreter.state import State
from interpreter.visibility import EVERYTHING

__all__ = [
    "CHANCE",
    "EVERYTHING",
    "TERMINAL",
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

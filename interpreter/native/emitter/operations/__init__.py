"""The functions of the registry as C, by name.

Functions of numbers have a template at their definition (`Facts.c`), those of few numbers and constants become tables of their
results; the others are written here.  What is in none of these is handed over to the reference machine.
"""

from __future__ import annotations

from interpreter.native.emitter.forms import Val
from interpreter.native.emitter.operations.bags import BAGS
from interpreter.native.emitter.operations.boards import BOARDS
from interpreter.native.emitter.operations.call import Call, Writers
from interpreter.native.emitter.operations.collections import COLLECTIONS
from interpreter.native.emitter.operations.maps import MAPS
from interpreter.native.emitter.operations.paying import PAYING
from interpreter.native.emitter.operations.ranked import RANKED
from interpreter.native.emitter.operations.scalars import SCALARS, tabulated, template
from interpreter.native.emitter.operations.tables import TABLES
from rulespec.language.registry import facts as facts_of

WRITTEN: Writers = {**SCALARS, **COLLECTIONS, **RANKED, **BAGS, **TABLES, **BOARDS, **MAPS, **PAYING}


def operation(call: Call) -> Val:
    """The C of a call; raises Unsupported."""
    own = facts_of(call.name).c
    if own.form in WRITTEN:
        return WRITTEN[own.form](call)
    return template(call) if own.template else tabulated(call)

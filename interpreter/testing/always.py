"""What must always hold, looked at again only where something that it reads has changed.

Most answers change a few slots of hundreds, and an invariant reads some.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from interpreter.python.memo_cost import WIDEST, MemoCost
from interpreter.setup import Setup, once_for_each
from rulespec.cases.data import CaseFact
from rulespec.ir.ahead import Ahead

NEVER = object()


class Readers:
    """For functions of a program what takes the slots that they read out of all slots."""

    def __init__(self, setup: Setup) -> None:
        self.cost = MemoCost(setup.program.functions, Ahead(setup.program))
        self.known: dict[int, Any] = {}

    def reader(self, function: int) -> Any:
        """That of a function; None where these slots are not settled, or too many, or none."""
        if function not in self.known:
            slots = sorted(self.cost.slots(self.cost.sources[function].body))
            settled = slots and slots[0] >= 0 and len(slots) <= WIDEST
            self.known[function] = itemgetter(*slots) if settled else None
        return self.known[function]


readers = once_for_each(Readers)


class Always:
    """What facts read when they were last found to hold: they hold as long as that is the same."""

    def __init__(self, setup: Setup, facts: tuple[CaseFact, ...]) -> None:
        self.setup = setup
        self.readers = readers(setup)
        self.facts = facts
        self.held: dict[int, Any] = {}

    def doubtful(self, slots: list[Any]) -> Iterator[CaseFact]:
        """Those that are about now and may hold no more; when the next one is asked for, the one before has held."""
        for fact in self.facts:
            if fact.over(slots) is not None:
                continue
            reader = self.readers.reader(fact.function)
            if reader is None:
                yield fact
            elif self.held.get(fact.function, NEVER) != (read := reader(slots)):
                yield fact
                self.held[fact.function] = read

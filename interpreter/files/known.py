"""What saves are checked by, worked out once for a game."""

from __future__ import annotations

from functools import cached_property
from weakref import WeakKeyDictionary

from interpreter.files.conserved import Flows
from interpreter.files.local_facts import LocalFacts
from interpreter.position import SlotPosition
from interpreter.python.facts import Fact, SlotFacts
from interpreter.runtime.values import Slots
from interpreter.setup import Setup
from rulespec import ir


class Known:
    """What is known of all positions of a program."""

    def __init__(self, setup: Setup) -> None:
        self.program = setup.program
        self.locals = LocalFacts(setup)
        self.flows = Flows(setup.program)
        self.begins: dict[int, Slots] = {}

    def begin(self, setup: Setup, main: int) -> Slots:
        """The slots where a game that a procedure runs has its first decision, chance included; raises Fault."""
        slots = self.begins.get(main)
        if slots is None:
            start = SlotPosition.start(setup, chance="explicit", undo=False, main=main, record=False)
            slots = self.begins[main] = start.slots
        return slots

    @cached_property
    def slots(self) -> dict[int, Fact]:
        """What each slot of a variable can hold."""
        return SlotFacts(self.program).facts

    @cached_property
    def locations(self) -> frozenset[int]:
        """The slots that say where pieces lie."""
        kinds = [kind for kind in self.program.kinds if kind.location is not None]
        return frozenset(
            slot for kind in kinds for slot in range(kind.location or 0, (kind.location or 0) + len(kind.members))
        )

    @cached_property
    def homes(self) -> dict[int, frozenset[int]]:
        """For each kind of pieces the slots where such a piece can lie."""
        found: dict[int, set[int]] = {kind.index: set() for kind in self.program.kinds}
        for zone in self.program.zones:
            if not zone.counts:
                found[zone.kind].update(range(zone.base, zone.base + zone.size))
        return {kind: frozenset(slots) for kind, slots in found.items()}

    @cached_property
    def sites(self) -> frozenset[str]:
        """The names of all questions."""
        return frozenset(site.name for site in self.program.sites)

    @cached_property
    def draws(self) -> frozenset[str]:
        """The names of all draws."""
        codes = (procedure.code for procedure in self.program.procedures)
        return frozenset(i.name for code in codes for i in code if isinstance(i, ir.Draw))


KNOWN: WeakKeyDictionary[Setup, Known] = WeakKeyDictionary()


def known(setup: Setup) -> Known:
    """What is known of a setup's positions."""
    found = KNOWN.get(setup)
    if found is None:
        found = KNOWN[setup] = Known(setup)
    return found

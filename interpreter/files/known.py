"""The facts of a program by which saves are validated, computed once for each game."""

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
    """Facts that hold in all positions of a program."""

    def __init__(self, setup: Setup) -> None:
        self.program = setup.program
        self.locals = LocalFacts(setup)
        self.flows = Flows(setup.program)
        self.begins: dict[int, Slots] = {}

    def begin(self, setup: Setup, main: int) -> Slots:
        """The slots at the first decision, chance included, of a game that begins with a procedure; raises Fault."""
        slots = self.begins.get(main)
        if slots is None:
            start = SlotPosition.start(setup, chance="explicit", undo=False, main=main, record=False)
            slots = self.begins[main] = start.slots
        return slots

    @cached_property
    def slots(self) -> dict[int, Fact]:
        """For each slot of a variable, the values that it can hold."""
        return SlotFacts(self.program).facts

    @cached_property
    def locations(self) -> frozenset[int]:
        """The slots of the locations of pieces."""
        kinds = [kind for kind in self.program.kinds if kind.location is not None]
        return frozenset(
            slot for kind in kinds for slot in range(kind.location or 0, (kind.location or 0) + len(kind.members))
        )

    @cached_property
    def homes(self) -> dict[int, frozenset[int]]:
        """For each kind of pieces the slots where such a piece can lie."""
        places: dict[int, set[int]] = {kind.index: set() for kind in self.program.kinds}
        for zone in self.program.zones:
            if not zone.counts:
                places[zone.kind].update(range(zone.base, zone.base + zone.size))
        return {kind: frozenset(slots) for kind, slots in places.items()}

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
    """The facts of a setup's program."""
    facts = KNOWN.get(setup)
    if facts is None:
        facts = KNOWN[setup] = Known(setup)
    return facts

"""The facts of a program by which saves are validated, computed once for each game."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any

from interpreter.files.conserved import Flows
from interpreter.position import SlotPosition
from interpreter.runtime.limits import TEXT_LIMIT
from interpreter.runtime.values import Slots
from interpreter.setup import Setup, once_for_each
from rulespec import ir
from rulespec.ir.inhabits import Values
from rulespec.ir.walk import within
from rulespec.library import texts
from rulespec.library.errors import DomainError

CONSTANTS = (ir.Const, ir.Column)


class Known:
    """Facts that hold in all positions of a program."""

    def __init__(self, setup: Setup) -> None:
        self.program = setup.program
        self.values = SavedValues(self)
        self.flows = Flows(setup.program)
        self.begins: dict[int, Slots] = {}

    def begin(self, setup: Setup, main: int) -> Slots:
        """The slots at the first decision, chance included, of a game that begins with a procedure; raises Fault."""
        slots = self.begins.get(main)
        if slots is None:
            start = SlotPosition.start(setup, chance="explicit", undo=False, main=main, record=False)
            slots = self.begins[main] = start.slots
        return slots

    def spelled(self, words: str) -> bool:
        """Whether the program can make these words: no longer than any, and with no character that shows nothing but its own."""
        return len(words) <= self.longest and all(not control(letter) or letter in self.letters for letter in words)

    @cached_property
    def longest(self) -> int:
        """The characters of its longest text."""
        return max(map(len, self.words), default=0) + TEXT_LIMIT

    @cached_property
    def letters(self) -> frozenset[str]:
        """The characters of its texts that show nothing, such as the end of a line."""
        return frozenset(c for words in self.words for c in words if control(c))

    @cached_property
    def words(self) -> frozenset[str]:
        """All texts that are written in it, whatever they are for."""
        program = self.program
        parts = (program.functions, program.procedures, program.sites, program.rules)
        values = [e.value if isinstance(e, ir.Const) else e.values for e in within(parts) if isinstance(e, CONSTANTS)]
        return frozenset(texts_of([*values, *(kind.labels for kind in program.kinds), program.initial]))

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


class SavedValues(Values):
    """Which values a type has in a save: texts are only those that the program can make."""

    def __init__(self, known: Known) -> None:
        super().__init__(known.program)
        self.known = known

    def has_text(self, v: Any) -> bool:
        """Whether it is words, or words and values as `library.texts` puts them together."""
        if isinstance(v, str):
            return self.known.spelled(v)
        if not isinstance(v, tuple) or all(isinstance(part, str) for part in v) or "" in v:
            return False
        if any(isinstance(a, str) and isinstance(b, str) for a, b in pairwise(v)):
            return False
        try:
            texts.size(v, 0, 0)
        except DomainError:
            return False
        return all(self.known.spelled(part) if isinstance(part, str) else self.is_filled_in(part) for part in v)


def control(letter: str) -> bool:
    """Whether a character shows nothing: those of Unicode's categories for control, and halves of characters."""
    return unicodedata.category(letter) in ("Cc", "Cs")


def texts_of(values: Iterable[Any]) -> Iterator[str]:
    """The texts in values."""
    todo = list(values)
    while todo:
        value = todo.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple):
            todo += value


known = once_for_each(Known)  # the facts of a setup's program

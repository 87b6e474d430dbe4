"""Where control may come to while nobody is asked: which frames surely wait on, whatever happened that a seat did not see."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

from interpreter.views.definitions import EARLIER, Definitions, Written, met, wrote
from rulespec import ir


class Unasked:
    """The positions of each procedure that control may come to from others without asking a player.

    Chance may be asked on the way, a sealed choice may be put to nobody, and a rule may not apply.
    """

    def __init__(self, program: ir.Program, definitions: Sequence[Definitions]) -> None:
        self.program = program
        self.definitions = definitions
        self.passing: set[int] = set()  # the procedures that may run to their end
        before = -1
        while before != len(self.passing):
            before = len(self.passing)
            for number, one in enumerate(definitions):
                if number in self.passing:
                    continue
                come = self.from_beginning(number)
                if any(one.ends[at] and self.passes(number, at) for at, known in enumerate(come) if known is not None):
                    self.passing.add(number)
        self.begun = cache(self.from_beginning)
        self.gone_on = cache(self.from_point)

    def passes(self, procedure: int, at: int) -> bool:
        """Whether control may pass an instruction without a player's answer."""
        match self.program.procedures[procedure].code[at]:
            case ir.Ask():
                return False
            case ir.Call(called):
                return called in self.passing
        return True

    def from_beginning(self, procedure: int) -> list[Written | None]:
        """Where control may come to from the beginning of a procedure, and where each local may then have been written last."""
        one = self.definitions[procedure]
        return one.reach({0: one.arguments}, partial(self.passes, procedure))

    def from_point(self, point: int) -> list[Written | None]:
        """The same from where a frame waits, once it has what it waits for."""
        place = self.program.points[point]
        one = self.definitions[place.procedure]
        earlier: Written = dict.fromkeys(place.kept, frozenset({EARLIER}))
        roots: dict[int, Written] = {}
        for target, written in one.ways[place.position]:
            roots[target] = met(roots.get(target), wrote(earlier, place.position, written))
        return one.reach(roots, partial(self.passes, place.procedure))

    def resumed(self, before: Sequence[int], after: Sequence[int]) -> int:
        """The depth of the lowest frame that may have run between two stacks of points (the lowest first) with no question between.

        The frames below it surely are the same; it is the same one, gone on; those above it may be others.
        """
        for depth in range(min(len(before), len(after))):
            if self.may_resume(before[depth], after[depth:]):
                return depth
            if before[depth] != after[depth]:
                break
        return 0

    def may_resume(self, point: int, after: Sequence[int]) -> bool:
        """Whether a frame that waits at a point may, going on, come to wait as the first of some points, the others above it."""
        places = [self.program.points[number] for number in after]
        if (
            places[0].procedure != self.program.points[point].procedure
            or self.gone_on(point)[places[0].position] is None
        ):
            return False
        return all(self.begun(place.procedure)[place.position] is not None for place in places[1:])

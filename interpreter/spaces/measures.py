"""What can be asked of a game before it is played: who moves when, how long it lasts, what it pays, how many outcomes chance has.

What the program says holds for every game: bounds of the returns, of what chance draws, of what questions are answered with.  Where a
game has few positions they are all looked at once, and the measures are exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

from interpreter.native.emitter.inference import Types
from interpreter.position import SlotPosition
from interpreter.runtime.faults import Fault
from interpreter.runtime.values import Number
from interpreter.setup import Setup, once_for_each
from interpreter.spaces.lengths import longest
from interpreter.views.observation import lines
from rulespec import ir
from rulespec.analysis.domain import Fact
from rulespec.ir.sums import sums_of
from rulespec.language import operators
from rulespec.system.records import dataclass

MOST_POSITIONS = 6_000  # of a game that are all looked at
DIGEST = 64  # characters of a digest of a spec
MOST_FOUND = 64  # setups whose ranges are kept
HIGHEST = 2**63 - 1  # of any number
NOBODY = ir.Op(operators.IS_NONE, (ir.Load(ir.WINNERS),))  # is named as a winner

Span = tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
class Ranges:
    """What the types of a program say: between which numbers questions are answered, by site, and the returns lie, in parts of 1."""

    answers: dict[int, Span]
    returns: tuple[int, int]


def ranges_of(setup: Setup) -> Ranges:
    """The ranges of a program; of a spec that was set up alike before, those that were found then."""
    program = setup.program
    key = setup.identity()
    if len(program.digest) != DIGEST:  # it comes of no spec
        return found(program)
    if key not in FOUND:
        if len(FOUND) >= MOST_FOUND:
            FOUND.clear()
        FOUND[key] = found(program)
    return FOUND[key]


def found(program: ir.Program) -> Ranges:
    """The ranges of a program, from its types."""
    types = Types(program)
    answers: dict[int, Span] = {}
    returns: list[Span] = []
    reached = [[p.code[at] for at in ats] for p, ats in zip(program.procedures, types.reached, strict=True)]
    named = any(isinstance(i, ir.Store) and i.base == ir.WINNERS for code in reached for i in code)
    for number, procedure in enumerate(program.procedures):
        for at in types.reached[number]:
            i = procedure.code[at]
            if isinstance(i, ir.Ask) and program.sites[i.site].type.what == "int":
                fact = types.some(program.sites[i.site].items, types.env(number, at))
                item = None if fact is None else fact.item
                if item is not None and item.what == "int":
                    answers[i.site] = both(answers.get(i.site), (item.low, item.high))
            elif isinstance(i, ir.Finish):
                returns += [span(types.some(e, types.env(number, at))) for e in given(i.returns, named)]
            elif isinstance(i, ir.Store) and i.base == ir.RETURNS:
                returns += [span(types.some(e, types.env(number, at))) for e in given(i.value, named)]
    lows, highs = [low for low, _ in returns], [high for _, high in returns]
    low = min((-HIGHEST if n is None else n for n in lows), default=0)
    high = max((HIGHEST if n is None else n for n in highs), default=0)
    return Ranges(answers, (min(low, 0), max(high, 0)))


FOUND: dict[Any, Ranges] = {}
ranges = once_for_each(ranges_of)


def both(one: Span | None, other: Span) -> Span:
    """The numbers of either."""
    if one is None:
        return other
    low = None if one[0] is None or other[0] is None else min(one[0], other[0])
    return low, None if one[1] is None or other[1] is None else max(one[1], other[1])


def given(e: ir.Expr, named: bool) -> Iterator[ir.Expr]:
    """What returns are given by: the branches of conditions, without those that take what is stored, which is looked at where it is.

    Where steps have `named` no winners, none is what they are.
    """
    if isinstance(e, ir.Cond):
        yield from given(e.then, named)
        if named or e.test != NOBODY:
            yield from given(e.other, named)
    elif not (isinstance(e, ir.Load) and e.base == ir.RETURNS):
        yield e


def span(fact: Fact | None) -> Span:
    """The numbers in a tuple of a type."""
    if fact is None or fact.item is None or fact.item.what != "int":
        return None, None
    return fact.item.low, fact.item.high


@dataclass(frozen=True, slots=True)
class Census:
    """All positions of a game: the longest game in decisions of players and of chance, and what it can pay."""

    decisions: int
    draws: int
    again: int  # lines of the log that were said again: see `again`
    outcomes: int  # of one draw, at most
    payments: frozenset[tuple[Number, ...]]


class Visit:
    """A position that is looked at: its answers that are left, and the longest games after it."""

    __slots__ = ("again", "chance", "decisions", "draws", "key", "left", "position", "said")

    def __init__(self, position: SlotPosition, key: object) -> None:
        self.position, self.key = position, key
        self.chance = position.is_chance_node()
        self.left = iter(position.legal_actions())
        self.decisions = self.draws = self.again = 0
        self.said = 0  # lines that were said again by the answer that is looked at

    def child(self, action: int) -> SlotPosition:
        """The position after an answer, without its log."""
        child = self.position.child(action)
        self.said = again(child.log)
        child.log = child.history = None
        return child

    def after(self, depth: tuple[int, int, int]) -> None:
        """The answer that is looked at leads to a game of this length."""
        self.decisions = max(self.decisions, depth[0] + (not self.chance))
        self.draws = max(self.draws, depth[1] + self.chance)
        self.again = max(self.again, depth[2] + self.said)

    @property
    def depth(self) -> tuple[int, int, int]:
        """How long games are from here on: decisions, draws, lines that are said again."""
        return self.decisions, self.draws, self.again


def again(log: Any) -> int:
    """How many lines of a log stand at no later place of the program than the one before, as where a loop says them."""
    places = [line[:2] for line in lines(log)]
    return sum(one >= two for one, two in pairwise(places))


def census_of(setup: Setup) -> Census | None:
    """The census of a game; None where it has more than `MOST_POSITIONS`, comes back to one, or has faults."""
    longest: dict[object, tuple[int, int, int] | None] = {}  # None while it is on the way there
    payments: set[tuple[Number, ...]] = set()
    outcomes = 1
    try:
        first = SlotPosition.start(setup, chance="explicit", undo=False, record=bool(setup.machine.says))
        begun = again(first.log)
        first.log = None
        way = [Visit(first, first.key())]
        longest[way[0].key] = None
        while way:
            visit = way[-1]
            action = next(visit.left, None)
            if action is None:
                longest[visit.key] = visit.depth
                if visit.position.is_terminal():
                    payments.add(tuple(visit.position.returns()))
                elif visit.chance:
                    outcomes = max(outcomes, len(visit.position.legal_actions()))
                way.pop()
                if way:
                    way[-1].after(visit.depth)
                continue
            child = visit.child(action)
            key = child.key()
            if key not in longest:
                if len(longest) >= MOST_POSITIONS:
                    return None
                longest[key] = None
                way.append(Visit(child, key))
            elif (depth := longest[key]) is None:
                return None
            else:
                visit.after(depth)
    except Fault:
        return None
    return Census(visit.decisions, visit.draws, begun + visit.again, outcomes, frozenset(payments))


census = once_for_each(census_of)


def paid(setup: Setup) -> frozenset[Number]:
    """The sums that the returns may have by the program; nothing where nobody knows."""
    parts = (Fraction(total, setup.program.unit) for total in sums_of(setup.program) or ())
    return frozenset(total.numerator if total.denominator == 1 else total for total in parts)


sums_paid = once_for_each(paid)
longest_of = once_for_each(lambda setup: longest(setup.program))

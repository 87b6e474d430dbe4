"""What all seats get together, worked out of how a program gives returns: where each end has one sum, that is the game's."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulespec import ir
from rulespec.ir.flow import reachable
from rulespec.ir.roles import set_by
from rulespec.language import operators
from rulespec.language.facts import CForm, Result
from rulespec.language.registry import facts

Sizes = frozenset[int] | None  # of a set of players; None: nobody knows
Sums = frozenset[int] | None  # of returns, in parts of 1; None: nobody knows
NEITHER: frozenset[int] = frozenset()


class Code:
    """The instructions of a procedure that can be come to."""

    def __init__(self, procedure: ir.Procedure) -> None:
        self.parameters = procedure.parameters
        self.instructions = [procedure.code[at] for at in sorted(reachable(procedure))]

    def values(self, local: int) -> list[ir.Expr] | None:
        """What a local may be; None where it is given, or set by something else than `Let`."""
        setting = [i for i in self.instructions if set_by(i) >> local & 1]
        values = [i.value for i in setting if isinstance(i, ir.Let)]
        return values if local >= self.parameters and len(values) == len(setting) else None


def sums_of(program: ir.Program) -> Sums:
    """The sums that the returns of a game may have; more than there are, and None where nobody knows."""
    return Ends(program).sums()


class Ends:
    """The instructions of a program that name winners and give returns."""

    def __init__(self, program: ir.Program) -> None:
        self.players = program.players
        self.code = [Code(p) for p in program.procedures]
        self.looking: set[tuple[int, int]] = set()  # locals, by their code
        self.winners: Sizes = None  # until it is worked out
        self.winners = self.sizes_of_winners()

    def sums(self) -> Sums:
        """The sums at all ends."""
        return joined(
            self.paid(i.returns, code) for code in self.code for i in code.instructions if isinstance(i, ir.Finish)
        )

    def sizes_of_winners(self) -> Sizes:
        """How many winners the steps name."""
        named = [
            (branch, code)
            for code in self.code
            for i in code.instructions
            if isinstance(i, ir.Store) and i.base == ir.WINNERS
            for branch in branches(i.value)
        ]
        return joined(self.size(value, code) for value, code in named if value != ir.Load(ir.WINNERS))

    def local(
        self, index: int, code: Code, measure: Callable[[ir.Expr, Code], frozenset[int] | None]
    ) -> frozenset[int] | None:
        """What is known of all values of a local; nothing of one that follows from itself."""
        place, values = (id(code), index), code.values(index)
        if values is None or place in self.looking:
            return None
        self.looking.add(place)
        known = joined(measure(value, code) for value in values)
        self.looking.remove(place)
        return known

    def size(self, e: ir.Expr, code: Code) -> Sizes:
        """How many players a set holds."""
        match e:
            case ir.Local(index):
                return self.local(index, code, self.size)
            case ir.Op(operators.WITHOUT, (ir.Const(tuple() as seats), ir.Local() as some)) if (
                len(seats) == self.players
            ):
                sizes = self.size(some, code)
                return None if sizes is None else frozenset(self.players - n for n in sizes)
            case ir.Const(tuple() as members):
                return frozenset({len(set(members))})
            case ir.Op(operators.PACK, (_,)):
                return frozenset({1})
            case ir.Load(ir.WINNERS):
                return self.winners
        return None

    def paid(self, e: ir.Expr, code: Code) -> Sums:
        """The sums of returns that are given by an expression."""
        match e:
            case ir.Cond(_, then, other):
                return joined((self.paid(then, code), self.paid(other, code)))
            case ir.Const(tuple() as numbers):
                return frozenset({sum(n for n in numbers if isinstance(n, int))})
            case ir.Op(name, (winners, _)) if facts(name).c.form is CForm.BY_WINNERS:
                sizes = joined(self.size(branch, code) for branch in branches(winners))
                if sizes is None:
                    sizes = frozenset(range(self.players + 1))
                return frozenset(2 * n - self.players if n else 0 for n in sizes)
            case ir.Op(name, (ir.Op(groups, (ir.Comp(value=None),)), _)) if (
                self.players == 2 and facts(name).c.form is CForm.BY_RANK and facts(groups).result is Result.GROUPS
            ):
                return frozenset({0})  # groups have no player in common
            case ir.Local(index):
                return self.local(index, code, self.paid)
            case ir.Load(ir.RETURNS):
                return joined(self.stored(code) for code in self.code)
        return None

    def stored(self, code: Code) -> Sums:
        """The sums of what a procedure puts into the slot of returns."""
        return joined(
            self.defeat(code, position)
            for position, i in enumerate(code.instructions)
            if isinstance(i, ir.Store) and i.base == ir.RETURNS
        )

    def defeat(self, code: Code, position: int) -> Sums:
        """The sums where some lose and all others, named just before, have won."""
        store = code.instructions[position]
        before = code.instructions[position - 1] if position else None
        if not isinstance(store, ir.Store) or not isinstance(before, ir.Store) or before.base != ir.WINNERS:
            return None
        match store.value, before.value:
            case (
                ir.Op(name, (ir.Load(ir.WINNERS), ir.Local(lost), _)),
                ir.Op(operators.WITHOUT, (ir.Const(tuple() as seats), ir.Local(others))),
            ) if facts(name).c.form is CForm.BY_SIDES and lost == others and len(seats) == self.players:
                sizes = self.size(ir.Local(lost), code)
                return None if sizes is None else frozenset(self.players - 2 * n for n in sizes)
        return None


def branches(e: ir.Expr) -> Iterator[ir.Expr]:
    """What an expression may give: the branches of its conditions."""
    if isinstance(e, ir.Cond):
        yield from branches(e.then)
        yield from branches(e.other)
    else:
        yield e


def joined(some: Iterator[frozenset[int] | None] | tuple[frozenset[int] | None, ...]) -> frozenset[int] | None:
    """All that is in any of them; None where one is not known."""
    found: frozenset[int] = NEITHER
    for one in some:
        if one is None:
            return None
        found |= one
    return found

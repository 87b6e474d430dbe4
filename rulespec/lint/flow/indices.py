"""The parts of an index of something that each member of two kinds has its own of.

    slot: {of: Card, per: [Player, Side], seen by: none}

`slot(p, s)` has the index `p * 2 + s`, of which constants are worked out.  Once a loop over all of `Side` has revealed `slot(p, s)`,
`Across(p, ANY, 2)` says that those of `p` are known, whichever side they are of.
"""

from __future__ import annotations

from typing import Any

from rulespec.language import operators
from rulespec.lint.flow.terms import ANY, Across, Constant, Each, Made, Merged, Named, Operation, Slot, Term


def parts(index: Any, stride: int) -> tuple[Any, Any] | None:
    """The two parts of an index, None where they cannot be told apart; `stride` is how many the second kind has."""
    match index:
        case _ if stride < 2:
            return None
        case Across(first, second, of) if of == stride:
            return first, second
        case Constant(int() as value):
            return Constant(value // stride), Constant(value % stride)
        case Operation(operators.MULTIPLY, (first, Constant(of))) if of == stride:
            return first, Constant(0)
        case Operation(operators.ADD, (Operation(operators.MULTIPLY, (first, Constant(of))), second)) if of == stride:
            return first, second
        case Operation(operators.ADD, (Constant(int() as value), second)) if value % stride == 0:
            return Constant(value // stride), second
        case Named() | Slot() | Each():  # that of the first member is nothing
            return Constant(0), index
    return None


def across(first: Term, second: Term, stride: int) -> Any:
    """Those of which the parts are these, `ANY` of them whichever it is."""
    return ANY if first == ANY == second else Across(first, second, stride)


def crosses(shown: Across, index: Any) -> bool:
    """Whether something is among those that have been shown."""
    of = parts(index, shown.stride)
    return of is not None and all(part in (ANY, other) for part, other in zip(shown[:2], of, strict=True))


def stays(term: Any, procedure: int, start: int, end: int) -> bool:
    """Whether a term stands for the same value on each way round a loop, whose instructions are those between two places."""
    if isinstance(term, Slot):
        return False
    if isinstance(term, Made | Merged) and term.procedure == procedure and start <= term.pc < end:
        return False
    return not isinstance(term, tuple) or all(stays(part, procedure, start, end) for part in term)

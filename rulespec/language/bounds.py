"""Bounds of numbers, and what operations make of them: the transfer functions of interval arithmetic.

A span (low, high) stands for the numbers low..high; None on either side: no bound is known.  A transfer function takes the
span of each argument and gives one that holds every result: `minus((1, 3), (0, None))` is `(None, 3)`.  A condition is a
number, 0 or 1.  Checker, lint and code generator read the same functions, each with spans of its own making.
"""

from __future__ import annotations

from collections.abc import Callable

Bound = int | None
Span = tuple[Bound, Bound]
Bounds = Callable[..., Span]

ANY: Span = (None, None)
NATURAL: Span = (0, None)
NO, YES, EITHER = (0, 0), (1, 1), (0, 1)


def sum_of(a: Bound, b: Bound) -> Bound:
    """The sum of two bounds; None if one is not known."""
    return None if a is None or b is None else a + b


def difference_of(a: Bound, b: Bound) -> Bound:
    """The difference of two bounds; None if one is not known."""
    return None if a is None or b is None else a - b


def plus(a: Span, b: Span) -> Span:
    """a + b."""
    return sum_of(a[0], b[0]), sum_of(a[1], b[1])


def minus(a: Span, b: Span) -> Span:
    """a - b."""
    return difference_of(a[0], b[1]), difference_of(a[1], b[0])


def negated(a: Span) -> Span:
    """-a."""
    return minus((0, 0), a)


def times(a: Span, b: Span) -> Span:
    """a * b; of numbers without an upper bound only that both are natural is looked at."""
    if a[0] is None or a[1] is None or b[0] is None or b[1] is None:
        return NATURAL if a[0] is not None and b[0] is not None and min(a[0], b[0]) >= 0 else ANY
    ends = [x * y for x in (a[0], a[1]) for y in (b[0], b[1])]
    return min(ends), max(ends)


def divided(a: Span, b: Span) -> Span:
    """a divided by b and rounded down, where b is positive."""
    if b[0] is None or b[0] <= 0:
        return ANY
    return quotient(a[0], b, 0), quotient(a[1], b, -1)


def quotient(end: Bound, b: Span, endless: int) -> Bound:
    """What an end of a span becomes by a division by b: the far end of b brings it next to 0, `endless` if b has none."""
    assert b[0] is not None
    if end is None:
        return None
    lowest = endless == 0
    if (end >= 0) != lowest:
        return end // b[0]
    return endless if b[1] is None else end // b[1]


def remainder(_a: Span, b: Span) -> Span:
    """What a division by a positive b leaves over."""
    return (0, difference_of(b[1], 1)) if b[0] is not None and b[0] > 0 else ANY


def magnitude(a: Span) -> Span:
    """The number without its sign."""
    if a[0] is not None and a[0] >= 0:
        return a
    if a[1] is not None and a[1] <= 0:
        return negated(a)
    return 0, None if a[0] is None or a[1] is None else max(-a[0], a[1])


def least(*spans: Span) -> Span:
    """The smallest of the numbers."""
    lows, highs = [low for low, _ in spans if low is not None], [high for _, high in spans if high is not None]
    return min(lows) if len(lows) == len(spans) else None, min(highs) if highs else None


def greatest(*spans: Span) -> Span:
    """The largest of the numbers."""
    lows, highs = [low for low, _ in spans if low is not None], [high for _, high in spans if high is not None]
    return max(lows) if lows else None, max(highs) if len(highs) == len(spans) else None


def clamped(a: Span, low: Span, high: Span) -> Span:
    """The number, or the nearest end of low..high."""
    return greatest(low, least(high, a))


def hull(a: Span, b: Span) -> Span:
    """The numbers of both (the join of two spans)."""
    return (
        None if a[0] is None or b[0] is None else min(a[0], b[0]),
        None if a[1] is None or b[1] is None else max(a[1], b[1]),
    )


def meet(a: Span, b: Span) -> Span:
    """The numbers that are in both."""
    return (
        b[0] if a[0] is None else a[0] if b[0] is None else max(a[0], b[0]),
        b[1] if a[1] is None else a[1] if b[1] is None else min(a[1], b[1]),
    )


def held_to(a: Span, b: Span) -> Span:
    """The numbers of a that are in b; those of b, if none is."""
    low, high = meet(a, b)
    return b if low is not None and high is not None and low > high else (low, high)


def if_so(a: Span, holds: Span) -> Span:
    """The number if the condition holds, otherwise 0."""
    return a if holds == YES else NO if holds == NO else hull(a, (0, 0))


def less(a: Span, b: Span) -> Span:
    """Whether a < b."""
    if a[1] is not None and b[0] is not None and a[1] < b[0]:
        return YES
    return NO if a[0] is not None and b[1] is not None and a[0] >= b[1] else EITHER


def at_most(a: Span, b: Span) -> Span:
    """Whether a <= b."""
    return minus(YES, less(b, a))


def compared(a: Span, b: Span) -> Span:
    """0 if a < b, 1 if they are equal, 2 if a > b."""
    below, above = less(a, b), less(b, a)
    if below == YES:
        return 0, 0
    return (2, 2) if above == YES else (1 if below == NO else 0, 1 if above == NO else 2)


def natural(*_: Span) -> Span:
    """A count."""
    return NATURAL


def yes_or_no(*_: Span) -> Span:
    """A condition of which nothing is known."""
    return EITHER


def member(*spans: Span) -> Span:
    """A member of a kind that has as many members as the last argument says."""
    return 0, difference_of(spans[-1][1], 1)


def successor(a: Span) -> Span:
    """a + 1."""
    return plus(a, (1, 1))

"""Functions of numbers."""

from __future__ import annotations

from rulespec.language import bounds
from rulespec.language.facts import C, Facts, Python
from rulespec.language.registry import function
from rulespec.library.errors import DomainError


@function(
    "min(numbers: Number ...) -> Number",
    examples={"min(3, 1, 2)": "1"},
    facts=Facts(result=bounds.least, total=True, python=Python("min($a, $b)"), c=C("min_($a,$b)")),
)
def least_number(*numbers: int) -> int:
    """The smallest of the numbers."""
    return min(numbers)


@function(
    "max(numbers: Number ...) -> Number",
    examples={"max(3, 1, 2)": "3"},
    facts=Facts(result=bounds.greatest, total=True, python=Python("max($a, $b)"), c=C("max_($a,$b)")),
)
def greatest_number(*numbers: int) -> int:
    """The largest of the numbers."""
    return max(numbers)


@function(
    "abs(number: Number) -> 0..",
    examples={"abs(0 - 3)": "3"},
    facts=Facts(result=bounds.magnitude, total=True, python=Python("abs($a)"), c=C("abs_($a)", tested="abs_($a)")),
)
def absolute(number: int) -> int:
    """The number without its sign."""
    return abs(number)


@function(
    "div(number: Number, by: Number) -> Number",
    examples={"div(7, 2)": "3", "div(0 - 7, 2)": "0 - 4"},
    facts=Facts(result=bounds.divided, python=Python("$a // $b"), c=C("div_(S,$a,$b)")),
)
def divide(number: int, by: int) -> int:
    """The number divided, rounded down."""
    if by == 0:
        raise DomainError("division by 0")
    return number // by


@function(
    "mod(number: Number, by: Number) -> Number",
    examples={"mod(7, 2)": "1", "mod(0 - 1, 5)": "4"},
    facts=Facts(result=bounds.remainder, python=Python("$a % $b"), c=C("mod_(S,$a,$b)")),
)
def modulo(number: int, by: int) -> int:
    """What `div` leaves over; it has the sign of `by`."""
    if by == 0:
        raise DomainError("division by 0")
    return number % by


@function(
    "clamp(number: Number, low: Number, high: Number) -> Number",
    examples={"clamp(9, 2, 6)": "6"},
    facts=Facts(result=bounds.clamped, total=True, c=C("max_($b,min_($c,$a))")),
)
def clamp(number: int, low: int, high: int) -> int:
    """The number, or the nearest end of low..high if it lies outside."""
    return max(low, min(high, number))


@function(
    "points(number: Number, if: Yes or no) -> Number",
    examples={"points(5, 1 < 2)": "5", "points(5, 2 < 1)": "0"},
    facts=Facts(result=bounds.if_so, total=True, python=Python("$a * $b"), c=C("points_($a,$b)")),
)
def points(number: int, when: bool) -> int:
    """The number if the condition holds, otherwise 0."""
    return number if when else 0


@function(
    "compare(a: Number, b: Number) -> Comparison",
    examples={"compare(2, 3)": "fewer", "compare(3, 3)": "equal"},
    facts=Facts(result=bounds.compared, total=True, c=C("compare_($a,$b)")),
)
def compare(a: int, b: int) -> int:
    """Whether a is `fewer` than, `equal` to or `more` than b."""
    return 0 if a < b else 2 if a > b else 1

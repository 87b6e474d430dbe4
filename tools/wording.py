"""Small pieces of text that several commands print."""

from collections.abc import Sequence
from fractions import Fraction


def players_text(counts: Sequence[int]) -> str:
    """`2 players`, `2 to 5 players`, `2, 4 or 6 players`."""
    numbers = sorted(counts)
    if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        text = f"{numbers[0]} to {numbers[-1]}"
    else:
        text = alternatives([str(n) for n in numbers])
    return f"{text} {'player' if numbers == [1] else 'players'}"


def alternatives(words: Sequence[str], last: str = "or") -> str:
    """`a`, `a or b`, `a, b or c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def decimal_text(value: Fraction, digits: int = 10) -> str:
    """An exact number rounded to a fixed number of digits, the same on every machine."""
    scaled = round(value * 10**digits)
    sign = "-" if scaled < 0 else ""
    integer, rest = divmod(abs(scaled), 10**digits)
    return f"{sign}{integer}.{rest:0{digits}d}"


def rate_text(number: int, seconds: float) -> str:
    """How fast it was: `1,204 a second`, `0.31 a second`, `one in 14 s`."""
    rate = number / max(seconds, 1e-9)
    if rate >= 10:
        return f"{rate:,.0f} a second"
    return f"{rate:.2g} a second" if rate >= 0.1 else f"one in {seconds / number:.0f} s"

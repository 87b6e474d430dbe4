"""Numbers as the pages show them: three digits and a unit."""

from __future__ import annotations

from collections.abc import Callable

from .results import Spread


def digits(value: float) -> str:
    """Three digits, with commas."""
    if value >= 999.5:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:#.3g}".rstrip(".")


def exact(value: float) -> str:
    """As short as it can be said, with commas."""
    return f"{value:,g}" if value < 1000 else f"{value:,.0f}"


def number(value: float | None, unit: str, say: Callable[[float], str] = digits) -> str:
    """A number with its unit: `×`, `/s`, `s` or `B` for bytes."""
    if value is None:
        return "–"
    match unit:
        case "×" | "/s":
            return f"{say(value)}{unit}"
        case "s":
            for factor, word in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
                if value >= factor:
                    return f"{say(value / factor)} {word}"
            return f"{say(value * 1e9)} ns"
        case "B":
            return f"{say(value / 1e6)} MB"
    raise ValueError(f"there is no unit {unit}")


def with_spread(spread: Spread | None, unit: str) -> str:
    """A median with its range."""
    if spread is None:
        return "–"
    return f"{number(spread.median, unit)} ({number(spread.low, unit)} to {number(spread.high, unit)})"

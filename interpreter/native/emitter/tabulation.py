"""Functions of constants and of a few numbers of small ranges: all their results, worked out by the registry's own bodies."""

from __future__ import annotations

from itertools import product
from typing import Any

from interpreter.native.emitter.types import join
from rulespec import ir
from rulespec.analysis.domain import Fact, of_value
from rulespec.language.facts import Result
from rulespec.language.registry import body as registered
from rulespec.language.registry import facts as facts_of

MOST_RESULTS, MOST_NUMBERS = 8192, 1 << 17  # of one table: collections, and numbers
FAULT = object()  # stands for no result


class Tabulation:
    """The results of a function, in the order of the product of its arguments' values."""

    def __init__(self, name: str, domains: list[tuple[Any, ...]]) -> None:
        self.domains = domains
        self.results = [result(name, args) for args in product(*domains)]
        self.good = [r for r in self.results if r is not FAULT]
        self.fact: Fact | None = join(*map(of_value, self.good)) if self.good else None


def result(name: str, args: tuple[Any, ...]) -> Any:
    """What a function gives for constants, FAULT where it has no result."""
    try:
        return registered(name)(*args)
    except Exception:  # whatever a function raises for a value that the rules never give it
        return FAULT


class Tables:
    """The tabulations of a program, each made once."""

    def __init__(self) -> None:
        self.made: dict[tuple[Any, ...], Tabulation] = {}
        self.kept: list[Any] = []  # constants that are known by their id

    def of(self, name: str, args: tuple[ir.Expr, ...], facts: list[Fact]) -> Tabulation | None:
        """The tabulation of a call; None where an argument is neither a constant nor a number of a small range."""
        if facts_of(name).result is Result.TEXT:  # what is filled in is no number
            return None
        most = MOST_RESULTS if facts_of(name).result is Result.COLLECTION else MOST_NUMBERS
        domains: list[tuple[Any, ...]] = []
        key: list[Any] = [name]
        size = 1
        for arg, fact in zip(args, facts, strict=True):
            if isinstance(arg, ir.Const):
                domains.append((arg.value,))
                key.append(("const", id(arg.value) if isinstance(arg.value, tuple) else arg.value))
                self.kept.append(arg.value)
            elif fact.what == "int" and fact.low is not None and fact.high is not None:
                size *= fact.high - fact.low + 1 + fact.none
                if size > most:
                    return None
                domains.append((*([None] if fact.none else []), *range(fact.low, fact.high + 1)))
                key.append((fact.low, fact.high, fact.none))
            else:
                return None
        known = tuple(key)
        if known not in self.made:
            self.made[known] = Tabulation(name, domains)
        return self.made[known]

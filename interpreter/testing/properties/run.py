"""Many games of a setup, and what they add up to."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field

from interpreter.runtime.values import Number
from interpreter.testing.properties.trial import Bench, Budget, Counts, Failure, Trial
from rulespec.system.records import dataclass

NUMBERS = re.compile(r"`[^`]*`|\d+")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One game: what was looked at, what it gave where it ended, and what failed."""

    counts: Counts
    returns: tuple[Number, ...] | None
    failure: Failure | None


def play(bench: Bench, seed: int, budget: Budget) -> Outcome:
    """Play one game by chance and look at every property."""
    trial = Trial(bench, seed, budget)
    failure = trial.at_random()
    over = failure is None and trial.state.is_terminal()
    return Outcome(trial.counts, tuple(trial.state.returns()) if over else None, failure)


@dataclass(slots=True)
class Total:
    """What the games of a setup add up to."""

    games: int = 0
    answers: int = 0
    checked: int = 0
    natively: int = 0
    twins: int = 0
    compared: int = 0
    lengths: list[int] = field(default_factory=list)
    returns: list[tuple[Number, ...]] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        """Count in one game."""
        counts = outcome.counts
        self.games += 1
        self.answers += counts.answers
        self.checked += counts.checked
        self.natively += counts.natively
        self.twins += counts.twins
        self.compared += counts.compared
        if outcome.returns is not None:
            self.lengths.append(counts.answers)
            self.returns.append(outcome.returns)
        if outcome.failure is not None:
            self.failures.append(outcome.failure)

    @property
    def bounds(self) -> tuple[Number, Number] | None:
        """The least and the most that a seat got; None where no game ended."""
        numbers = [n for one in self.returns for n in one]
        return (min(numbers), max(numbers)) if numbers else None

    @property
    def sums(self) -> tuple[Number, Number] | None:
        """The least and the most that all seats got together: the same where the game has a constant sum."""
        numbers = [sum(one) for one in self.returns]
        return (min(numbers), max(numbers)) if numbers else None


def kinds(failures: Iterable[Failure]) -> list[list[Failure]]:
    """Failures that are alike but for names and numbers together, each kind with the shortest first."""
    alike: dict[tuple[str, str], list[Failure]] = {}
    for one in failures:
        first = one.message.partition("\n")[0]
        alike.setdefault((one.property, NUMBERS.sub("*", first)), []).append(one)
    return [sorted(group, key=lambda one: len(one.script)) for group in alike.values()]

"""Preferences of bots as plain data: which options at which questions, by which expressions."""

from __future__ import annotations

from collections.abc import Mapping

from rulespec.system.records import dataclass
from rulespec.text.source import Span


@dataclass(frozen=True, slots=True)
class Formula:
    """An expression as a function of the program: its parameters are the seat that is asked, what a menu takes, then locals of the
    steps that ask, then the values of an option.

    `about`: whether it reads the option; it then has no value for options that are only words, such as `done`.
    `locals`: the numbers of the locals that it reads of the procedure that asks.
    """

    text: str
    function: int
    about: bool
    span: Span
    locals: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Wish:
    """A preference compiled for the options of one kind at one question."""

    test: Formula | None = None
    score: Formula | None = None
    weight: Formula | None = None
    count: Formula | None = None


@dataclass(frozen=True, slots=True)
class Preference:
    """One preference of a bot.

    `at` has, for each site that it is about, the wish for the site's own options (under None) and for those that a rule adds to
    its menu (under the number of the rule).  `within` are procedures of which one must be running; none named: any.
    """

    span: Span
    within: tuple[str, ...]
    choose: tuple[str, ...]
    avoid: tuple[str, ...]
    at: Mapping[int, Mapping[int | None, Wish]]


@dataclass(frozen=True, slots=True)
class Policy:
    """A bot as its file says it.  `playouts` None: it does not search; `depth` None: playouts go on to the end.

    With `seconds`, a search makes as many playouts as it can in that time.  One that `solves` looks at all lines instead, to the end, to
    `depth`, or as deep as it can in `seconds`, and at no more than so many `positions` for a decision; None: as many as the search says.
    """

    name: str
    title: str
    about: str
    preferences: tuple[Preference, ...] = ()
    playouts: int | None = None
    depth: int | None = None
    value: Formula | None = None
    seconds: float | None = None
    solves: bool = False
    positions: int | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """An expression that is worked out at the end of a game: a function without parameters."""

    text: str
    function: int
    span: Span

"""Cases as plain data: which procedure runs, the answers, and what must hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from fractions import Fraction
from typing import Any, Literal

from rulespec import ir
from rulespec.ir.gamedef import Roots
from rulespec.system.records import dataclass
from rulespec.text.source import Span


def not_running(scopes: tuple[tuple[str, int], ...], slots: Any) -> str | None:
    """The first of these scopes that is not running, if there is one."""
    return next((name for name, alive in scopes if not slots[alive]), None)


@dataclass(frozen=True, slots=True)
class CaseFact:
    """A fact that must hold: a function of the program without parameters, and its text.

    `sides` are subexpressions with their texts, functions and printers: their values are shown where the fact fails.  `scopes` are
    those whose state it reads, each with the slot that counts how often it is running.
    """

    text: str
    function: int
    span: Span
    sides: tuple[tuple[str, int, ir.Type], ...] = ()
    scopes: tuple[tuple[str, int], ...] = ()

    def over(self, slots: Any) -> str | None:
        """A scope whose state it reads and that is not running, if there is one: the fact has no value then."""
        return not_running(self.scopes, slots)


def roots_of(facts: Iterable[CaseFact]) -> Roots:
    """The functions of facts and of what explains them."""
    facts = tuple(facts)
    sides = (function for fact in facts for _, function, _ in fact.sides)
    return Roots(functions=frozenset((*(fact.function for fact in facts), *sides)))


@dataclass(frozen=True, slots=True)
class Laid:
    """Steps between two answers: a procedure of the program, and the scopes whose state it is about, as of a fact."""

    procedure: int
    scopes: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class ScriptEntry:
    """One entry of `play`."""

    what: Literal[
        "answer", "chance", "given", "refuse", "offers", "asks", "expect", "sees", "take back", "cannot take back"
    ]
    player: str = ""
    words: tuple[str, ...] = ()
    why: str = ""
    facts: tuple[CaseFact, ...] = ()
    view: tuple[tuple[str, Any], ...] = ()
    laid: Laid | None = None
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Case:
    """A case of a game."""

    name: str
    span: Span
    players: int | None
    options: tuple[tuple[str, str], ...]
    seed: int
    procedure: int
    script: tuple[ScriptEntry, ...]
    facts: tuple[CaseFact, ...]
    invariants: tuple[CaseFact, ...]
    returns: tuple[Fraction, ...] | None
    winners: tuple[str, ...] | None  # players, or `all` or `nobody` alone
    fault: str | None
    finish: bool
    cites: tuple[str, ...]
    about: str
    laid: Span | None = field(default=None, compare=False)  # what lays the position that it begins with

    def checks(self) -> bool:
        """Whether anything of this case can fail other than that an answer is not legal.

        A random game to its end can: it must end, and without a fault.
        """
        ended = self.returns is not None or self.winners is not None or self.fault is not None
        said = self.facts or self.invariants or ended or self.finish
        return bool(said) or any(entry.what not in ("answer", "chance", "given") for entry in self.script)

    def roots(self) -> Roots:
        """What is run of the case."""
        laid = (entry.laid.procedure for entry in self.script if entry.laid is not None)
        asked = roots_of((*self.facts, *self.invariants, *(fact for entry in self.script for fact in entry.facts)))
        return Roots(frozenset((self.procedure, *laid)), asked.functions)


@dataclass(frozen=True, slots=True)
class Suite:
    """The cases of a game and its program, which has their procedures, for each setup."""

    game: Any  # rulespec.GameDef
    cases: tuple[Case, ...]
    invariants: tuple[CaseFact, ...] = ()  # invariants of every case and every random game
    faulty: tuple[tuple[str, Span], ...] = ()  # cases left out because of faults: their names and where those are
    positions: tuple[str, ...] = ()
    # The invariants for each other size of boards, by the identity of the game of that size: functions have other numbers there.
    sized: Mapping[int, tuple[CaseFact, ...]] = field(default_factory=dict)

    def always(self, options: Mapping[str, Any]) -> tuple[CaseFact, ...]:
        """The invariants, as functions of the program with these options."""
        return self.sized.get(id(self.game.at(options)), self.invariants)

    def program(self, case: Case, optimise: bool = True) -> ir.Program:
        """The program that a case runs on; raises RulespecError for a setup that the game refuses."""
        options = dict(case.options)
        program: ir.Program = self.game.program(
            players=case.players, options=options, cases=self.roots(case), optimise=optimise
        )
        return program

    def roots(self, case: Case) -> Roots:
        """What is run of all cases with the setup of this one, and of the invariants."""
        setup = self.setup(case)
        run = [one.roots() for one in self.cases if one is not case and self.setup(one) == setup]
        return roots_of(self.always(dict(case.options))).union(case.roots(), *run)

    def setup(self, case: Case) -> tuple[int, dict[str, str]]:
        """The number of players of a case, and the word for every option, whether the game is for them or not."""
        usual = {option.name: option.default for option in self.game.options}
        return self.game.players[0] if case.players is None else case.players, {**usual, **dict(case.options)}

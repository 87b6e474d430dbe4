"""Compares two games: the differences of their rules, and which cases of the first end differently in the second."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from interpreter.testing.cases import Games, run_case
from interpreter.testing.coverage import Recorder, WatchedGame
from rulespec.cases.data import Case, Suite
from rulespec.checker.program import CheckedGame
from rulespec.text.diagnostics import Diagnostic, Diagnostics, RulespecError
from rulespec.text.yaml_tree import MapNode, ScalarNode
from rulespec.variants.difference import Difference, differences

Outcome = Literal["passes", "fails", "does not apply"]


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """How a case of the first game goes in either: `message` is the first thing that does not hold in the second."""

    name: str
    file: str
    line: int
    before: Outcome
    after: Outcome
    message: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two games and their differences."""

    old: CheckedGame
    new: CheckedGame
    differences: tuple[Difference, ...]
    cases: tuple[CaseOutcome, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """A game by its file, with the variants applied to it."""

    file: Path
    variants: tuple[str, ...] = ()


def named(base: str, other: str) -> tuple[Named, Named]:
    """The two that are meant: `other` is a variant of `base`, or a game.  Raises RulespecError."""
    from rulespec.text.locate import find, variants_of

    diagnostics = Diagnostics()
    file = find(base, diagnostics)
    if file is None:
        raise RulespecError(diagnostics)
    known = {path.stem for path in variants_of(file)}
    if other in known:
        return Named(file), Named(file, (other,))
    second = find(other, diagnostics)
    if second is None:
        from rulespec.text.diagnostics import nearest

        close = nearest(other, known)
        hint = (
            f"did you mean `{close}`?"
            if close
            else f"variants: {', '.join(sorted(known))}"
            if known
            else "it has no variants"
        )
        message = f"`{other}` is neither a variant of {base} nor a game"
        raise RulespecError([Diagnostic("P012", message, origin=str(base), help=(hint,))])
    return Named(file), Named(second)


def compare(base: str, other: str, cases: bool = True) -> Comparison:
    """Two games, or a game and a variant of it, with or without their cases.  Raises RulespecError where either has faults."""
    first, second = named(base, other)
    old, new = checked(first), checked(second)
    changes = tuple(differences(resolved(first), resolved(second)))
    return Comparison(old, new, changes, tuple(outcomes(first, old, new)) if changes and cases else ())


def checked(game: Named) -> CheckedGame:
    """The game.  Raises RulespecError."""
    from rulespec.loading.reading import read

    diagnostics = Diagnostics()
    result = read(game.file, diagnostics, None, game.variants)
    if result is None:
        raise RulespecError(diagnostics)
    return result


def resolved(game: Named) -> MapNode:
    """Its tree, as it was checked."""
    from rulespec.loading.reading import read_resolved

    tree = read_resolved(game.file, Diagnostics(), game.variants)
    assert tree is not None  # it has been checked
    return tree[1]


def outcomes(first: Named, old: CheckedGame, new: CheckedGame) -> list[CaseOutcome]:
    """Every case of the first game in both."""
    from rulespec.cases.compiler import compile_apart, roots

    trees = roots(old, first.file, Diagnostics())
    before, after = compile_apart(old, trees), compile_apart(new, trees)
    sides = Side.of(old, before), Side.of(new, after)
    compared = []
    for (key, case, _), (_, other, faults) in zip(before, after, strict=True):
        was = sides[0].outcome(case)[0]
        now, message = sides[1].outcome(other)
        if other is None:
            message = f"{faults[0].message} ({faults[0].code})" if faults else ""
        compared.append(CaseOutcome(key.value, key.span.source.name, key.span.line, was, now, message))
    return compared


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two games with the cases that apply to it; each setup of them is made ready once."""

    suite: Suite
    games: Games = field(default_factory=dict)
    refused: dict[tuple[Any, ...], str] = field(default_factory=dict)  # by setup: why the game refuses it

    @classmethod
    def of(cls, game: CheckedGame, compiled: list[tuple[ScalarNode, Case | None, tuple[Diagnostic, ...]]]) -> Side:
        """The side of a game; cases that have faults there are left out."""
        return cls(Suite(game, tuple(case for _, case, _ in compiled if case is not None)))

    def outcome(self, case: Case | None) -> tuple[Outcome, str]:
        """How a case goes, and what does not hold."""
        if case is None:
            return "does not apply", ""
        setup = (case.players, case.options)
        if setup not in self.games and setup not in self.refused:
            try:
                program = self.suite.program(case, optimise=False)
            except RulespecError as error:
                self.refused[setup] = error.diagnostics[0].message
            else:  # to optimise a program takes longer than its few cases do without
                game = WatchedGame.watched(program, Recorder())
                self.games[setup] = (game, game)
        if setup in self.refused:
            return "does not apply", self.refused[setup]
        result = run_case(self.suite, case, games=self.games)
        return ("passes", "") if result.passed else ("fails", result.message)

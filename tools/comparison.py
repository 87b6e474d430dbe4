"""Compares two games: the differences of their rules, and which cases of the first end differently in the second."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from interpreter.testing.cases import Games, run_case
from rulespec.cases.data import Case, Suite
from rulespec.checker.program import CheckedGame
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostic, Diagnostics, RulespecError
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode, ScalarNode
from rulespec.variants.difference import Difference, differences

if TYPE_CHECKING:
    from rulespec.variants.stack import Overlay

Outcome = Literal["passes", "fails", "does not apply"]
DETAIL = re.compile(
    r"^.*?:\d+:\d+: |`[^`]*`|\[[^\]]*\]|-?\d+"
)  # what differs in messages with one cause: places, names, values


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """How a case of the first game goes in either: `message` is the first thing that does not hold in the second."""

    name: str
    file: str
    line: int
    before: Outcome
    after: Outcome
    message: str
    meant: bool = False  # whether the variant says that it changes this case

    @property
    def news(self) -> bool:
        """Whether it goes otherwise than the variant says."""
        return (self.before != self.after) != self.meant

    @property
    def cause(self) -> tuple[bool, Outcome, str]:
        """What cases have in common that go otherwise for one reason: the first line of the message, without names and values."""
        return self.meant, self.after, DETAIL.sub("…", self.message.partition("\n")[0])


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two games and their differences."""

    old: CheckedGame
    new: CheckedGame
    differences: tuple[Difference, ...]
    cases: tuple[CaseOutcome, ...]
    unknown: tuple[ScalarNode, ...] = ()  # cases that the variant says it changes, and the game has not
    overlays: tuple[Overlay, ...] = ()  # the variants that are laid over the second, with all that they extend

    def groups(self) -> Iterator[list[CaseOutcome]]:
        """The cases that are news, those of one cause together, the largest groups first."""
        groups: dict[tuple[bool, Outcome, str], list[CaseOutcome]] = {}
        for case in self.cases:
            if case.news:
                groups.setdefault(case.cause, []).append(case)
        yield from sorted(groups.values(), key=len, reverse=True)


@dataclass(frozen=True, slots=True)
class Named:
    """A game by its file, with the variants applied to it."""

    file: Path
    variants: tuple[str, ...] = ()


def named(base: str, other: str) -> tuple[Named, Named]:
    """The two that are meant: `other` is a variant of `base`, or a game.  Raises RulespecError."""
    from rulespec.loading.reading import read_root
    from rulespec.text.locate import find, general, variants_of
    from rulespec.variants.stack import ANY

    diagnostics = Diagnostics()
    file = find(base, diagnostics)
    if file is None:
        raise RulespecError(diagnostics)
    known = {path.stem for path in (*variants_of(file), *general())}
    if other in known:
        return Named(file), Named(file, (other,))
    second = find(other, diagnostics)
    if second is None:
        from rulespec.text.diagnostics import nearest

        close = nearest(other, known)
        hint = (
            f"did you mean {ticked(close)}?"
            if close
            else f"variants: {', '.join(sorted(known))}"
            if known
            else "it has no variants"
        )
        message = f"{ticked(other)} is neither a variant of {base} nor a game"
        raise RulespecError([Diagnostic("P012", message, origin=str(base), help=(hint,))])
    if read_root(second).get("extends") == ANY:
        return Named(file), Named(file, (other,))
    return Named(file), Named(second)


def compare(base: str, other: str, cases: bool = True, progress: Callable[[int], None] = lambda _: None) -> Comparison:
    """Two games, or a game and a variant of it, with or without their cases.  Raises RulespecError where either has faults.

    `progress` is told how many cases were run.
    """
    first, second = named(base, other)
    old, new = checked(first), checked(second)
    changes = tuple(differences(resolved(first), resolved(second)))
    overlays = overlays_of(second)
    meant = meant_by(overlays)
    found = tuple(outcomes(first, old, new, frozenset(meant), progress)) if changes and cases else ()
    names = {case.name for case in found}
    return Comparison(
        old, new, changes, found, tuple(word for name, word in meant.items() if found and name not in names), overlays
    )


def meant_by(overlays: tuple[Overlay, ...]) -> dict[str, ScalarNode]:
    """The cases of the game that variants of it say they change, each with where that is said."""
    listed = [overlay.root.get("changed cases") for overlay in overlays]
    words = [word for node in listed if isinstance(node, ListNode) for word in node.items]
    return {word.value: word for word in words if isinstance(word, ScalarNode)}


def overlays_of(game: Named) -> tuple[Overlay, ...]:
    """The variants that are laid over a game, with all that they extend."""
    from rulespec.variants.stack import line_of, read_stack

    stack = read_stack(game.file, game.variants, Diagnostics(), [])
    return () if stack is None else tuple(line_of(stack.leaves))


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


def outcomes(
    first: Named, old: CheckedGame, new: CheckedGame, meant: frozenset[str], progress: Callable[[int], None]
) -> Iterator[CaseOutcome]:
    """Every case of the first game in both."""
    from rulespec.cases.compiler import compile_apart, roots

    trees = roots(old, first.file, Diagnostics())
    before, after = compile_apart(old, trees), compile_apart(new, trees)
    sides = Side.of(old, before), Side.of(new, after)
    for done, ((key, case, _), (_, other, faults)) in enumerate(zip(before, after, strict=True)):
        progress(done)
        was = sides[0].outcome(case)[0]
        now, message = sides[1].outcome(other)
        if other is None:
            message = f"{faults[0].message} ({faults[0].code})" if faults else ""
        yield CaseOutcome(key.value, key.span.source.name, key.span.line, was, now, message, key.value in meant)


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two games with the cases that apply to it; each setup of them is made ready once."""

    suite: Suite
    games: Games = field(default_factory=dict)
    refused: dict[tuple[Any, ...], str] = field(default_factory=dict)  # by setup: why the game refuses it, if it does

    @classmethod
    def of(cls, game: CheckedGame, compiled: list[tuple[ScalarNode, Case | None, tuple[Diagnostic, ...]]]) -> Side:
        """The side of a game; cases that have faults there are left out."""
        return cls(Suite(game, tuple(case for _, case, _ in compiled if case is not None)))

    def outcome(self, case: Case | None) -> tuple[Outcome, str]:
        """How a case goes, and what does not hold."""
        if case is None:
            return "does not apply", ""
        setup = (case.players, case.options)
        if setup not in self.refused:
            try:
                self.suite.program(case)
            except RulespecError as error:
                self.refused[setup] = error.diagnostics[0].message
            else:
                self.refused[setup] = ""
        if self.refused[setup]:
            return "does not apply", self.refused[setup]
        result = run_case(self.suite, case, games=self.games)
        return ("passes", "") if result.passed else ("fails", result.message)

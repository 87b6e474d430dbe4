"""What users see of a game: who may play it, its options, and its program for each setup."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from os import PathLike, fspath
from typing import Any

from rulespec import ir
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostic, Diagnostics, RulespecError, nearest
from rulespec.text.numbers import whole
from rulespec.text.quoting import ticked


@dataclass(frozen=True, slots=True)
class OptionDef:
    """An option as users see it."""

    name: str
    values: tuple[str, ...]
    default: str
    about: str
    players: tuple[int, ...]  # for how many players it is; with others it has its default

    @property
    def allowed(self) -> str:
        """What it can be set to, in words: `1 to 9`, `yes or no`, `slow, fast or furious`."""
        return in_words(self.values)


def in_words(values: tuple[str, ...]) -> str:
    """Alternatives as people say them."""
    if values == ("no", "yes"):
        return "yes or no"
    if len(values) < 2:
        return "".join(values)
    low, high = values[0], values[-1]
    first = whole(low)
    if len(values) > 2 and first is not None and values == tuple(map(str, range(first, first + len(values)))):
        return f"{low} to {high}"
    return f"{', '.join(values[:-1])} or {high}"


@dataclass(frozen=True, slots=True)
class Roots:
    """What cases run of their own: procedures and functions of a program, beside those of its game."""

    procedures: frozenset[int] = frozenset()
    functions: frozenset[int] = frozenset()

    def union(self, *others: Roots) -> Roots:
        """These with those of others."""
        procedures = self.procedures.union(*(other.procedures for other in others))
        return Roots(procedures, self.functions.union(*(other.functions for other in others)))


@dataclass(slots=True)
class GameDef(ABC):
    """A game that has been read and checked: what it is, and its program for each setup.

    `variants` are the ids of those that are laid over it; `opener` reads it again with more of them.
    """

    id: str
    title: str
    about: str
    players: tuple[int, ...]
    options: tuple[OptionDef, ...]
    digest: str
    variants: tuple[str, ...] = field(default=(), kw_only=True)
    opener: Callable[[tuple[str, ...]], GameDef] | None = field(default=None, kw_only=True, repr=False, compare=False)

    def varied(self, variant: Any) -> GameDef:
        """The game with a variant more, or several: their names, or paths of their files.  Raises RulespecError: P012, V codes."""
        several = isinstance(variant, Iterable) and not isinstance(variant, str)
        names = tuple(variant) if several else (variant,)
        if not names:
            return self
        if self.opener is None or not all(isinstance(name, str | PathLike) for name in names):
            text = ", ".join(str(name) for name in names)
            raise RulespecError([Diagnostic("P012", f"{self.title} has no variant {ticked(text)}", origin=self.id)])
        return self.opener(tuple(fspath(name) for name in names))

    @abstractmethod
    def program(
        self,
        *,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        variant: Any = None,
        cases: bool | Roots = False,
        optimise: bool = True,
    ) -> ir.Program:
        """The program for so many players and such options.

        `variant` is the name or path of a variant, or several.

        `players` None: the least number.  Options are given as words or as Python bools and ints; those left out have their
        default.  `cases` adds what cases compiled since run: all of it, or what these come to.  Without `optimise` it is the
        program as the checker made it, with every instruction and expression that somebody wrote.  Raises RulespecError with P
        codes.
        """

    def setup(self, players: int | None, options: Mapping[str, Any] | None) -> tuple[int, dict[str, str]]:
        """The number of players, and every option with the word chosen.  Raises RulespecError: P010, P011."""
        faults = Diagnostics()
        count = self.players[0] if players is None else players
        if isinstance(count, bool) or not isinstance(count, int) or count not in self.players:
            text = f"{self.players[0]}" if len(self.players) == 1 else f"{self.players[0]} to {self.players[-1]}"
            faults.add(
                "P010",
                f"{self.title} is for {text} players, not {count}",
                origin=self.id,
                expected=text,
                found=str(count),
            )
        chosen = {option.name: option.default for option in self.options}
        for name, value in (options or {}).items():
            word = ("yes" if value else "no") if isinstance(value, bool) else str(value)
            known = next((option for option in self.options if option.name == name), None)
            if known is None:
                close = nearest(str(name), chosen)
                faults.add(
                    "P011",
                    f"there is no option named {ticked(name)}",
                    origin=self.id,
                    help=(f"did you mean {ticked(close)}?",)
                    if close
                    else (f"options: {', '.join(chosen)}" if chosen else "the game has no options",),
                )
            elif word not in known.values:
                close = nearest(word, known.values)
                faults.add(
                    "P011",
                    f"the option {name} has no value {ticked(word)}",
                    origin=self.id,
                    expected=known.allowed,
                    help=(f"did you mean {ticked(close)}?",) if close else (),
                )
            elif word != known.default and count in self.players and count not in known.players:
                text = in_words(tuple(map(str, known.players)))
                faults.add(
                    "P011",
                    f"the option {name} is for {text} players, not {count}",
                    origin=self.id,
                    expected=known.default,
                    found=word,
                )
            else:
                chosen[name] = word
        if faults.has_errors:
            raise RulespecError(faults.errors)
        return count, chosen

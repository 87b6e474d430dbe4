"""What users see of a game: who may play it, its options, and its program for each setup."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulespec import ir
from rulespec.diagnostics import Diagnostics, RulespecError, nearest


@dataclass(frozen=True, slots=True)
class OptionDef:
    """An option as users see it."""

    name: str
    values: tuple[str, ...]
    default: str
    about: str


@dataclass(slots=True)
class GameDef(ABC):
    """A game that has been read and checked: what it is, and its program for each setup."""

    id: str
    title: str
    about: str
    players: tuple[int, ...]
    options: tuple[OptionDef, ...]
    digest: str

    @abstractmethod
    def program(
        self,
        *,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        variant: Any = None,
        cases: bool = False,
        optimise: bool = True,
    ) -> ir.Program:
        """The program for so many players and such options.

        `players` None: the least number.  Options are given as words or as Python bools and ints; those left out have their
        default.  `cases` adds the procedures of cases compiled since.  Without `optimise` it is the program as the checker
        made it, with every instruction and expression that somebody wrote.  Raises RulespecError with P codes.
        """

    def setup(self, players: int | None, options: Mapping[str, Any] | None, variant: Any) -> tuple[int, dict[str, str]]:
        """The number of players, and every option with the word chosen.  Raises RulespecError: P010, P011, P012."""
        faults = Diagnostics()
        count = self.players[0] if players is None else players
        if isinstance(count, bool) or not isinstance(count, int) or count not in self.players:
            text = f"{self.players[0]}" if len(self.players) == 1 else f"{self.players[0]} to {self.players[-1]}"
            faults.add("P010", f"{self.title} is for {text} players, not {count}", origin=self.id, expected=text,
                       found=str(count))  # fmt: skip
        if variant is not None:
            faults.add("P012", f"{self.title} has no variant `{variant}`", origin=self.id)
        chosen = {own.name: own.default for own in self.options}
        for name, value in (options or {}).items():
            word = ("yes" if value else "no") if isinstance(value, bool) else str(value)
            known = next((own for own in self.options if own.name == name), None)
            if known is None:
                close = nearest(str(name), chosen)
                faults.add("P011", f"there is no option named `{name}`", origin=self.id,
                           help=(f"did you mean `{close}`?",) if close else
                           (f"options: {', '.join(chosen)}" if chosen else "the game has no options",))  # fmt: skip
            elif word not in known.values:
                close = nearest(word, known.values)
                faults.add("P011", f"the option {name} has no value `{word}`", origin=self.id, expected=" or ".join(known.values),
                           help=(f"did you mean `{close}`?",) if close else ())  # fmt: skip
            else:
                chosen[name] = word
        if faults.has_errors:
            raise RulespecError(faults.errors)
        return count, chosen

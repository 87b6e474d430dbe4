"""Drafts of cases, tried on a game: how a procedure may be called, where a draft ends, whether it holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from itertools import product
from typing import Any

import yaml

from interpreter import Fault, Game, State
from interpreter.runtime.faults import IllegalAction
from interpreter.testing.cases import Failure, Run, run_case
from rulespec.cases.compiler import compile_apart
from rulespec.cases.data import Case, Suite
from rulespec.checker import symbols
from rulespec.checker.program import CheckedGame
from rulespec.language.types import BoolType, EntityType, IntType, OptionType, Type
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostics, RulespecError
from rulespec.text.source import Source
from rulespec.text.yaml_tree import MapNode, parse

from .moment import Entry
from .position import Step

WIDEST = 50  # members of a range that are tried as an argument


@dataclass(frozen=True, slots=True)
class Draft:
    """A case before it is written: the keys that it may have."""

    players: int | None = None
    options: dict[str, str] = field(default_factory=dict)
    within: str | None = None
    given: tuple[Step, ...] = ()
    run: Any = None
    play: tuple[Entry, ...] = ()
    expect: tuple[str, ...] = ()
    returns: tuple[Any, ...] = ()

    def data(self) -> dict[str, Any]:
        """The case as data, without what it does not say."""
        pairs: dict[str, Any] = {
            "players": self.players,
            "options": self.options,
            "within": self.within,
            "given": list(self.given),
            "run": None if self.run is None else [self.run],
            "play": list(self.play),
            "expect": list(self.expect),
            "returns": list(self.returns),
        }
        return {key: value for key, value in pairs.items() if value}


class Trials:
    """A game that was checked for this alone: each draft that is tried leaves procedures in it."""

    def __init__(self, checked: CheckedGame, game: Game, first_seats: tuple[int, ...] = ()) -> None:
        self.checked = checked
        self.game = game
        self.tried = 0  # drafts that were played
        self.first_seats = first_seats  # players that are tried as an argument before others

    def calls(self, procedure: symbols.Procedure) -> Iterator[Any]:
        """A procedure as a step, with each of the arguments that it may have; those with a default are left out."""
        first = next((one.name for one in procedure.parameters if one.name != "me"), "")
        needed = [one for one in procedure.parameters if one.default is None]
        for values in product(*(self.arguments(one.type) for one in needed)):
            named = {one.name: value for one, value in zip(needed, values, strict=True)}
            lead = named.pop(first, None)
            named = {"by" if name == "me" else name: value for name, value in named.items()}
            yield {procedure.name: lead, **named} if lead is not None or named else procedure.name

    def arguments(self, t: Type) -> list[str]:
        """What an argument may be; who is asked first."""
        match t:
            case EntityType(kind=name):
                kind = self.checked.context.kinds[name]
                members = kind.members
                if kind.what == "player":
                    pending = [seat for seat in self.first_seats if seat >= 0]
                    seats = range(self.game.num_players)
                    members = [self.game.seats[seat] for seat in (*pending, *(s for s in seats if s not in pending))]
                return members[:WIDEST]
            case IntType(low=int(low), high=int(high)):
                return [str(number) for number in range(low, min(high, low + WIDEST) + 1)]
            case BoolType():
                return ["yes", "no"]
            case OptionType(item=item):
                return [*self.arguments(item), "none"]
        return []

    def compiled(self, draft: Draft) -> Case | None:
        """The draft as a case; None where it has faults."""
        text = yaml.safe_dump({"cases": {"draft": draft.data()}}, sort_keys=False, allow_unicode=True)
        root = parse(Source("draft", text), Diagnostics())
        assert isinstance(root, MapNode)
        ((_, case, _),) = compile_apart(self.checked, [root])
        return case

    def played(self, draft: Draft) -> State | None:
        """The position where a draft ends; None where it fails on the way."""
        self.tried += 1
        case = self.compiled(draft)
        if case is None:
            return None
        try:
            game = self.game_of(case)
            run = Run(game, game, case, "straight")
            run.run()
        except (Failure, RulespecError, Fault, IllegalAction):
            return None
        return run.state

    def passes(self, draft: Draft) -> bool:
        """Whether a draft holds."""
        case = self.compiled(draft)
        if case is None:
            return False
        try:
            game = self.game_of(case)
        except RulespecError:
            return False
        key = (case.players, case.options)
        return run_case(Suite(self.checked, (case,)), case, games={key: (game, game)}).passed

    def game_of(self, case: Case) -> Game:
        """The game of a case, on the reference machine."""
        program = Suite(self.checked, (case,)).program(case, optimise=False)
        return Game.from_program(program, backend="reference")

"""Finds the smallest case that holds: a procedure run on a table that is laid, or the game from its beginning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import Any

import yaml

from interpreter import CHANCE, Fault, Game, State
from interpreter.runtime.faults import IllegalAction
from interpreter.testing.cases import Failure, Run, run_case
from rulespec import ir
from rulespec.cases.compiler import compile_apart
from rulespec.cases.data import Case, Suite
from rulespec.checker import symbols
from rulespec.checker.program import CheckedGame
from rulespec.language.types import BoolType, EntityType, IntType, OptionType, Type
from rulespec.text.diagnostics import Diagnostics, RulespecError
from rulespec.text.source import Source
from rulespec.text.yaml_tree import MapNode, parse

from .moment import Entry, Moment, asked, entries
from .position import Step, facts, steps

MOST_CALLS = 60  # ways to call a procedure that are tried
MOST_FACTS = 12
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


class NoCase(Exception):
    """No case can be made of a stretch of a game; says why."""


class Writer:
    """Tries drafts of a case on a game that was checked for this alone: each draft leaves procedures in it."""

    def __init__(self, checked: CheckedGame, moment: Moment) -> None:
        self.checked = checked
        self.moment = moment
        self.game = moment.game
        program = self.game.program
        self.bare = Draft(
            None if program.players == checked.players[0] else program.players,
            {name: value for name, value in program.settings if value != default(checked, name)},
        )

    def draft(self) -> Draft:
        """The smallest case that holds; raises NoCase."""
        for candidate in self.candidates():
            found = self.whole(candidate)
            if found is not None:
                return self.smaller(found)
        found = self.from_the_beginning()
        if found is None:
            raise NoCase("what happened does not come out the same when it is played again from the beginning")
        return found

    # --- what may be run ----------------------------------------------------------------------------------------------
    def candidates(self) -> Iterator[Draft]:
        """The procedures that were running, the innermost first, then the whole game; within the scopes that were going on."""
        context, S = self.checked.context, self.moment.start.slots
        alive = [scope.name for scope in context.scopes.values() if S[scope.alive]]
        running = [context.procedures[name] for name in self.running() if name in context.procedures]
        for within in (*reversed(alive), None):
            laid = self.laid(replace(self.bare, within=within))
            if laid is None:
                continue
            for procedure in running:
                for call in islice(self.calls(procedure), MOST_CALLS):
                    yield replace(laid, run=call)
            if within is None:
                yield laid

    def running(self) -> list[str]:
        """The procedures that wait for the answer, the innermost first."""
        frame = self.moment.start.slots[ir.CONTROL]
        try:
            stack = self.game.machine.stack(frame)
        except (TypeError, LookupError, AttributeError):  # sealed choices have no single stack
            return []
        return list(dict.fromkeys(caller.name for caller in stack if caller.what == "procedure"))

    def calls(self, procedure: symbols.Procedure) -> Iterator[Any]:
        """A procedure as a step, with each of the arguments that it may have."""
        parameters = procedure.parameters
        if not parameters:
            yield procedure.name
            return
        choices = [self.arguments(parameter.type) for parameter in parameters]
        first = next((n for n, one in enumerate(parameters) if one.name != "me"), 0)
        for values in product(*choices):
            named = {"by" if one.name == "me" else one.name: v for one, v in zip(parameters, values, strict=True)}
            lead = "by" if parameters[first].name == "me" else parameters[first].name
            if lead == "by":
                yield {procedure.name: {"by": named["by"]}}
            else:
                yield {procedure.name: named.pop(lead), **named}

    def arguments(self, t: Type) -> list[str]:
        """What an argument may be; who is asked first."""
        match t:
            case EntityType(kind=name):
                kind = self.checked.context.kinds[name]
                members = kind.members
                if kind.what == "player":
                    pending = [seat for seat in self.moment.start.pending_players() if seat >= 0]
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

    def laid(self, draft: Draft) -> Draft | None:
        """The draft with the position where the stretch begins; None where a table cannot be set up so."""
        empty = self.played(replace(draft, run={"log": "set up"}))
        if empty is None:
            return None
        return replace(draft, given=tuple(steps(self.game, empty.slots, self.moment.start.slots)))

    # --- whether it holds ---------------------------------------------------------------------------------------------
    def whole(self, draft: Draft) -> Draft | None:
        """The draft with what is asked, the answers, and what they changed; None where it does not come to the same."""
        moment = self.moment
        before = self.played(replace(draft, play=tuple(asked(moment.start))))
        if before is None:
            return None
        told = [*asked(moment.start)[:2], *entries(self.game.seats, moment.answers)]
        after = self.played(replace(draft, play=tuple(told)))
        if after is None:
            return None
        return self.holding(replace(draft, play=tuple(told)), before, after)

    def holding(self, draft: Draft, before: State, after: State) -> Draft | None:
        """The draft with what is asked at its end and what changed; None where that does not hold."""
        moment = self.moment
        real = moment.end
        over = after.is_terminal()
        if not over and sites(after) != sites(real):
            return None
        last: Entry = {"asks": "nobody"}
        if not over:
            seat = next(seat for seat in after.pending_players() if seat >= 0)
            last = {"asks": {self.game.seats[seat]: after.decision(seat).site}}
        told = tuple(facts(self.game, before.slots, after.slots, real.slots)[:MOST_FACTS])
        returns: tuple[Any, ...] = ()
        if over and draft.run is None and real.is_terminal() and after.returns() == real.returns():
            returns = tuple(share if isinstance(share, int) else str(share) for share in after.returns())
        done = replace(draft, play=(*draft.play, last), expect=told, returns=returns)
        return done if self.passes(done) else None

    def from_the_beginning(self) -> Draft | None:
        """The game as it was played, chance included, from its first decision on."""
        moment = self.moment
        played = [*entries(self.game.seats, moment.earlier)]
        question = asked(moment.start) if any(seat >= 0 for seat in moment.start.pending_players()) else []
        here = replace(self.bare, play=(*played, *question))
        before = self.played(here)
        told = (*played, *question[:2], *entries(self.game.seats, moment.answers))
        after = None if before is None else self.played(replace(here, play=told))
        if before is None or after is None:
            return None
        return self.holding(replace(here, play=told), before, after)

    def smaller(self, draft: Draft) -> Draft:
        """The draft with only those of its `given` that it needs: halves are left out, then quarters, then single steps."""
        size = len(draft.given)
        while size:
            at = 0
            while at < len(draft.given):
                less = replace(draft, given=draft.given[:at] + draft.given[at + size :])
                if self.passes(less):
                    draft = less
                else:
                    at += size
            size //= 2
        return draft

    # --- trying -------------------------------------------------------------------------------------------------------
    def compiled(self, draft: Draft) -> Case | None:
        """The draft as a case; None where it has faults."""
        text = yaml.safe_dump({"cases": {"draft": draft.data()}}, sort_keys=False, allow_unicode=True)
        root = parse(Source("draft", text), Diagnostics())
        assert isinstance(root, MapNode)
        ((_, case, _),) = compile_apart(self.checked, [root])
        return case

    def played(self, draft: Draft) -> State | None:
        """The position where a draft ends; None where it fails on the way."""
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


def sites(state: State) -> list[tuple[int, str]]:
    """Who is asked by which question."""
    if state.is_terminal():
        return []
    seats = [seat for seat in state.pending_players() if seat >= 0]
    return [(seat, state.decision(seat).site) for seat in seats] or [(CHANCE, "")]


def default(checked: CheckedGame, name: str) -> str:
    """The default of an option."""
    return next(option.default for option in checked.options if option.name == name)

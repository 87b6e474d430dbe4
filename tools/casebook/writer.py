"""Finds the smallest case that holds: a procedure run on a table that is laid, or the game from its beginning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from interpreter import CHANCE, Game, State
from rulespec import ir
from rulespec.checker.program import CheckedGame

from .moment import Entry, Moment, asked, entries, moment
from .position import facts, steps
from .trials import Draft, Trials

MOST_CALLS = 60  # ways to call a procedure that are tried
MOST_FACTS = 12
MOST_BEFORE = 12  # answers before the first with which a case may begin
MOST_TRIED = 50  # drafts, after which it is tried with none earlier


class NoCase(Exception):
    """No case can be made of a stretch of a game; says why."""


def drafted(checked: CheckedGame, game: Game, state: State, first: int, count: int) -> Draft:
    """The smallest case of `count` answers of a game after its first ones; raises NoCase.

    Where nothing that may be run begins with the first of them, it begins with one before, and where that is far, with the game.
    """
    actors = [actor for actor, *_ in list(state.answers())[::-1]]
    here = Writer(checked, moment(game, state, first, count))
    found = here.draft()
    tried = here.tried
    for start in range(first - 1, max(-1, first - 1 - MOST_BEFORE), -1):
        if found is not None or tried >= MOST_TRIED:
            break
        if actors[start] != CHANCE:
            more = sum(actor != CHANCE for actor in actors[start:first])
            writer = Writer(checked, moment(game, state, start, count + more))
            found = writer.draft()
            tried += writer.tried
    if found is None:
        found = here.from_the_beginning()
    if found is None:
        raise NoCase("what happened does not come out the same when it is played again from the beginning")
    return found


class Writer(Trials):
    """Tries drafts of a case of one stretch of a game."""

    def __init__(self, checked: CheckedGame, moment: Moment) -> None:
        super().__init__(checked, moment.game, tuple(moment.start.pending_players()))
        self.moment = moment
        program = self.game.program
        self.bare = Draft(
            None if program.players == checked.players[0] else program.players,
            {name: value for name, value in program.settings if value != default(checked, name)},
        )

    def draft(self) -> Draft | None:
        """The smallest case of a table that is laid; None where none comes to the same."""
        for candidate in self.candidates():
            found = self.whole(candidate)
            if found is not None:
                return self.smaller(found)
        return None

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


def sites(state: State) -> list[tuple[int, str]]:
    """Who is asked by which question."""
    if state.is_terminal():
        return []
    seats = [seat for seat in state.pending_players() if seat >= 0]
    return [(seat, state.decision(seat).site) for seat in seats] or [(CHANCE, "")]


def default(checked: CheckedGame, name: str) -> str:
    """The default of an option."""
    return next(option.default for option in checked.options if option.name == name)

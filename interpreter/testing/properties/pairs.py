"""Two games that a seat cannot tell apart: whatever is hidden in them, it is shown the same in both.

A *twin* begins as a copy of the game, in which chance or somebody else then answers otherwise.  From there on it is given the same
answers, with those pieces exchanged that were, as long as there is a seat that has seen and done the same in both: the two have
one information state for that seat.  Both can be played, so that what differs is never a position that cannot come about.

Of such a seat it is demanded:

- what it is shown of its question, of the map and of others is the same (`shown`);
- an answer that is the same in both tells it the same, unless the rules show it something by what they declare: a piece in
  an open zone, a look, a variable that all see, an ending;
- an answer of its own that tells it anything cannot be taken back, and whether one can be is the same.

The last two are judged where the positions differ in nothing but slots that the author declared hidden from the seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from interpreter.bots.basics import Chance
from interpreter.bots.guess import renamed
from interpreter.game import Game, State
from interpreter.runtime.values import CHANCE
from interpreter.runtime.visibility import sees
from interpreter.testing.properties import shown
from interpreter.testing.properties.script import Given, given
from interpreter.testing.properties.witness import Witness
from rulespec import ir

Moved = dict[int, dict[int, int]]  # for each kind which piece of the twin stands for which of the game


@dataclass(frozen=True, slots=True)
class Leak:
    """What a seat is shown that it may not know."""

    seat: int
    message: str
    undo: bool = False  # it is about taking back


@dataclass(slots=True)
class Round:
    """From a position where no chance is asked to the next such, with the answers between."""

    start: State
    end: State
    answers: list[Given]
    observations: dict[int, dict[str, Any]] = field(default_factory=dict)

    def observation(self, seat: int) -> dict[str, Any]:
        """What a seat sees at the end; worked out once for all twins."""
        if seat not in self.observations:
            self.observations[seat] = self.end.observation(seat)
        return self.observations[seat]


class Pairing:
    """What the twins of one game need to know of its program."""

    def __init__(self, game: Game) -> None:
        self.program = program = game.program
        self.sight = game.machine.sight
        self.public = shown.public_variables(program, self.sight)
        self.plain = plain_slots(program)

    @cached_property
    def witness(self) -> Witness:
        """The watched game, made where something has to be explained."""
        return Witness.from_program(self.program, backend="reference")  # type: ignore[return-value]

    @property
    def hides(self) -> bool:
        """Whether there is anything that seats may see differently."""
        program = self.program
        viewers = [seen for zone in program.zones for seen in (zone.seen, zone.counted)]
        return any(seen.who != "all" for seen in (*viewers, *(v.seen for v in program.variables)))

    def hidden_alike(self, one: State, two: State, seat: int, sealed: bool) -> bool:
        """Whether positions that a seat sees alike differ only in slots that are declared hidden from it.

        With `sealed`, what others have sealed so far counts as hidden.
        """
        S, T = one.slots, two.slots
        if any(S[slot] != T[slot] for slot in self.plain):
            return False
        if S[ir.CONTROL] == T[ir.CONTROL]:
            return True
        return sealed and sealed_for(one, seat) == sealed_for(two, seat) is not None

    def hidden(self, S: list[Any], kind: int, piece: int, seat: int) -> bool:
        """Whether a seat does not see a piece that lies somewhere."""
        location = self.program.kinds[kind].location
        return (
            location is not None and S[location + piece] >= 0 and not sees(self.sight.piece(S, kind, piece), 1 << seat)
        )


def plain_slots(program: ir.Program) -> tuple[int, ...]:
    """The slots that belong to no variable, zone or piece: no seat has them hidden from it."""
    covered = {ir.CONTROL, ir.RANDOM, ir.KNOWN}
    parts: list[ir.Variable | ir.Zone] = [*program.variables, *program.zones]
    for part in parts:
        covered.update(range(part.base, part.base + part.size))
    for kind in program.kinds:
        if kind.location is not None:
            covered.update(range(kind.location, kind.location + len(kind.members)))
    return tuple(slot for slot in range(len(program.initial)) if slot not in covered)


def sealed_for(state: State, seat: int) -> Any:
    """The control stack without what others than the seat have sealed; None where nothing is sealed."""
    frame = state.slots[ir.CONTROL]
    if not state.pending().participants:
        return None
    return (*frame[:-1], tuple(child for child in frame[-1] if child[0] == seat))


class Twin:
    """A twin of a game; `seats` cannot tell the two apart."""

    def __init__(self, pairing: Pairing, state: State, seed: int) -> None:
        self.pairing = pairing
        self.state = state.clone()
        self.chance = Chance(seed)
        self.begun = Chance(seed ^ 1)
        self.seats = set(range(state.game.num_players))
        self.moved: Moved = {}
        self.age = 0

    def follow(
        self, round_: Round, instead: int | None = None, name: str | None = None
    ) -> tuple[str | None, list[Leak]]:
        """Give the answers of a round, that of number `instead` otherwise: as `name`, or by chance.

        The name of what was answered instead, None where nothing else was possible, and what leaks.  Raises Fault.
        """
        self.age += 1
        before = self.state.clone()
        still = self.same_fork(round_)
        alike = {seat: self.pairing.hidden_alike(round_.start, before, seat, still) for seat in self.seats}
        mine: list[Given] = []
        changed: str | None = None
        for number, answer in enumerate(round_.answers):
            action = self.other(answer, name) if number == instead else self.coupled(answer)
            if action is None:
                self.seats.clear()
                return None, []
            one = given(self.state, answer.actor, action)
            if number == instead:
                changed = one.name
                self.exchange(one.printer, answer.value, one.value)
            if answer.actor >= 0 and (one.site, one.name) != (answer.site, answer.name):
                self.seats.discard(answer.actor)
            mine.append(one)
            self.state.apply_action(action, answer.actor)
        while self.state.is_chance_node():
            mine.append(given(self.state, CHANCE, self.chance.below(len(self.state.legal_actions()))))
            self.state.apply_action(mine[-1].action)
        leaks = [leak for seat in sorted(self.seats) for leak in self.judged(seat, round_, before, mine, alike[seat])]
        return changed, leaks

    # --- the answers of the twin ------------------------------------------------------------------------------------
    def coupled(self, answer: Given) -> int | None:
        """The action that stands for an answer of the game; None where nobody can be asked for one."""
        state, actor = self.state, answer.actor
        if actor == CHANCE:
            if not state.is_chance_node():
                return None
            values = dict(enumerate(state.pending().chance.values))  # type: ignore[union-attr]
        else:
            while state.is_chance_node():
                state.apply_action(self.chance.below(len(state.legal_actions())))
            question = state.pending().of(actor)
            if question is None:
                return None
            values = state.legal(question)
            if actor in self.seats and question.site.name == answer.site and answer.action in values:
                return answer.action
        wanted = [renamed(answer.printer, answer.value, self.moved), answer.value]
        actions = {value: action for action, value in values.items()}
        for value in wanted:
            if value in actions:
                return actions[value]
        action = self.chance.one_of(list(values))
        self.exchange(answer.printer, answer.value, values[action])
        return action

    def other(self, answer: Given, name: str | None) -> int | None:
        """Another action than the answer of the game: that of a name, or any."""
        state, actor = self.state, answer.actor
        if (state.is_chance_node() if actor == CHANCE else state.pending().of(actor) is not None) is False:
            return None
        names = {action: state.action_to_string(action, actor) for action in state.legal_actions(actor)}
        others = [action for action, text in names.items() if text not in ("", answer.name) and name in (None, text)]
        return self.begun.one_of(others) if others else None

    def exchange(self, printer: ir.Printer, value: Any, other: Any) -> None:
        """From here on two pieces stand for each other."""
        if printer.what != "entity" or printer.kind is None or value == other or None in (value, other):
            return
        if self.pairing.program.kinds[printer.kind].location is None:
            return
        moved = self.moved.setdefault(printer.kind, {})
        back = {piece: stands for stands, piece in moved.items()}
        first, second = moved.get(value, value), back.get(other, other)
        moved[value], moved[second] = other, first

    def same_fork(self, round_: Round) -> bool:
        """Whether the same sealed choices are open before and after a round."""
        if not round_.start.pending().participants or not round_.end.pending().participants:
            return False
        start, end = round_.start.slots[ir.CONTROL], round_.end.slots[ir.CONTROL]
        return bool(start[:-1] == end[:-1])

    # --- judging ----------------------------------------------------------------------------------------------------
    def judged(self, seat: int, round_: Round, before: State, mine: list[Given], alike: bool) -> Iterator[Leak]:
        """What leaks to a seat by a round; the seat leaves the pair where it can tell the games apart."""
        state = self.state
        one, two = round_.observation(seat), state.observation(seat)
        told = self.told(round_.start, round_.end, seat), self.told(before, state, seat)
        same = len(mine) == len(round_.answers) and all(
            (a.actor, a.value) == (b.actor, b.value) for a, b in zip(mine, round_.answers, strict=True)
        )
        mine_alone = same and len(mine) == 1 and mine[0].actor == seat
        judged = alike and (same or self.secretly(seat, round_, before, mine))
        if one != two:
            self.seats.discard(seat)
        if one == two and told[0] == told[1]:
            if alike and mine_alone and round_.end.can_take_back(seat) != state.can_take_back(seat):
                yield Leak(seat, "whether the last answer can be taken back tells something that is hidden", True)
            yield from self.compared(seat, round_)
            return
        parts = shown.split(one, self.pairing.public), shown.split(two, self.pairing.public)
        what = (
            shown.difference({"the log": told[0]}, {"the log": told[1]})
            if told[0] != told[1]
            else shown.difference(parts[0].declared | parts[0].rest, parts[1].declared | parts[1].rest)
        )
        if judged and parts[0].declared == parts[1].declared and not self.explained(seat, round_, before, mine):
            yield Leak(seat, f"something hidden shows: {what}")
        elif (
            mine_alone
            and self.pairing.hidden_alike(round_.start, before, seat, sealed=True)
            and (round_.end.can_take_back(seat) or state.can_take_back(seat))
        ):
            yield Leak(seat, f"an answer that told something hidden can be taken back: {what}", True)

    def told(self, before: State, after: State, seat: int) -> list[str]:
        """The lines of the log since a position, as a seat reads them."""
        return after.log_lines(seat, since=len(before.log_lines(seat)))

    def compared(self, seat: int, round_: Round) -> Iterator[Leak]:
        """What a seat that cannot tell the positions apart is shown of them otherwise."""
        one, two = round_.end, self.state
        if not self.pairing.hidden_alike(one, two, seat, sealed=True):
            return
        for part in (shown.question, shown.by_itself, shown.picture):
            seen = part(one, seat), part(two, seat)
            if seen[0] != seen[1]:
                yield Leak(seat, f"something hidden shows: {shown.difference(*seen)}")
                return

    def secretly(self, seat: int, round_: Round, before: State, mine: list[Given]) -> bool:
        """Whether the answers differ only in pieces that the seat sees neither before nor after them."""
        if len(mine) != len(round_.answers):
            return False
        states = (round_.start, round_.end, before, self.state)
        for one, two in zip(round_.answers, mine, strict=True):
            if one.value == two.value and one.actor == two.actor:
                continue
            if one.actor != two.actor or one.printer != two.printer:
                return False
            pieces = [*pieces_of(one.printer, one.value), *pieces_of(two.printer, two.value)]
            if not pieces or not all(
                self.pairing.hidden(state.slots, kind, piece, seat) for state in states for kind, piece in pieces
            ):
                return False
        return True

    def explained(self, seat: int, round_: Round, before: State, mine: list[Given]) -> bool:
        """Whether the rules showed the seat something else in between."""
        witness = self.pairing.witness
        return witness.shows(round_.start, round_.answers, seat) != witness.shows(before, mine, seat)


def pieces_of(printer: ir.Printer, value: Any) -> Iterable[tuple[int, int]]:
    """(kind, piece) of each piece in a value; nothing where it holds anything else."""
    match printer.what:
        case "entity" if value is not None and printer.kind is not None:
            return ((printer.kind, value),)
        case "option" if value is not None:
            return pieces_of(printer.parts[0], value)
        case "set" | "list":
            return tuple(pair for item in value for pair in pieces_of(printer.parts[0], item))
    return ()

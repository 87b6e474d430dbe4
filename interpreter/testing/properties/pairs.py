"""Two games that a seat cannot tell apart: whatever is hidden in them, it is shown the same in both.

A *twin* begins as a copy of the game, in which chance or somebody else then answers otherwise.  From there on it is given the same
answers, with those pieces exchanged that were, as long as there is a seat that has seen and done the same in both: the two have
one information state for that seat.  Both can be played, so that what differs is never a position that cannot come about.

Of such a seat it is demanded:

- what it is shown of its question, of the map and of others is the same (`shown`);
- an answer that is the same in both tells it the same, unless the rules show it something by what they declare: a piece in
  an open zone, a look, a variable that all see, an ending;
- an answer of its own that tells it anything cannot be taken back, and whether one can be is the same.

The second is judged where the positions differ in nothing but slots that the author declared hidden from the seat.  Where a line of the log
has told the seat otherwise in the two, it can tell them apart from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from functools import cached_property
from typing import Any, TypeVar, cast

from interpreter.bots.basics import Chance
from interpreter.game import Game, State
from interpreter.runtime.renaming import renamed
from interpreter.runtime.values import CHANCE
from interpreter.runtime.visibility import sees
from interpreter.testing.properties import shown
from interpreter.testing.properties.script import Given, given
from interpreter.testing.properties.witness import Witness
from interpreter.views.observation import log_lines, observe
from rulespec import ir
from rulespec.system.records import dataclass

MAPS = 4  # at one in so many positions the map is compared, which is painted of what a seat sees
TABLES = 2  # at one in so many positions the table that front ends show is compared
T = TypeVar("T")
Moved = dict[int, dict[int, int]]  # for each kind which piece of the twin stands for which of the game


@dataclass(frozen=True, slots=True)
class Leak:
    """What a seat is shown that it may not know."""

    seat: int
    message: str
    undo: bool = False  # it is about taking back


@dataclass(slots=True)
class Glance:
    """A position with what seats see of it, each part worked out once: of the game for all twins, of a twin for all seats."""

    state: State
    seen: dict[tuple[Any, ...], Any] = field(default_factory=dict)

    def shown(self, part: Callable[..., T], *of: Any) -> T:
        """A part of what is shown, a function of the state and of what else it takes; the same object whenever it is asked for."""
        key = (part, *of)
        if key not in self.seen:
            self.seen[key] = part(self.state, *of)
        return cast("T", self.seen[key])

    def observation(self, seat: int) -> dict[str, Any]:
        """What a seat sees, each copy under its own name: answers of twins are the same by these."""
        return self.shown(named_observation, seat)

    def can_take_back(self, seat: int) -> bool:
        """Whether a seat may take the last answer back."""
        return self.shown(State.can_take_back, seat)


def named_observation(state: State, seat: int) -> dict[str, Any]:
    """What a seat sees, each copy under its own name."""
    return observe(state, seat, tells_copies=True)


@dataclass(slots=True)
class Stretch:
    """What a game and its twin went through since both were last at the same: positions before, and the answers of each."""

    game: State
    twin: State
    alike: dict[int, bool]  # for each seat whether they differed only in what is hidden from it
    answers: list[Given] = field(default_factory=list)
    mine: list[Given] = field(default_factory=list)

    @property
    def same(self) -> bool:
        """Whether the answers were the same in both."""
        return len(self.mine) == len(self.answers) and all(
            (a.actor, a.value) == (b.actor, b.value) for a, b in zip(self.mine, self.answers, strict=True)
        )


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
        return self.program.hides

    def hidden_alike(self, one: State, two: State, seat: int, sealed: bool, derived: bool = False) -> bool:
        """Whether positions that a seat sees alike differ only in slots that are declared hidden from it.

        With `sealed`, what others have sealed so far counts as hidden; with `derived`, what is kept in the locals of frames.
        """
        S, T = one.slots, two.slots
        if any(S[slot] != T[slot] for slot in self.plain):
            return False
        if S[ir.CONTROL] == T[ir.CONTROL] or (derived and same_places(S[ir.CONTROL], T[ir.CONTROL])):
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


def same_places(a: Any, b: Any) -> bool:
    """Whether two control stacks wait at the same points, whatever their frames keep."""
    while a is not None and b is not None:
        if a[0] != b[0] or len(a) != len(b):
            return False
        a, b = a[1], b[1]
    return a is b


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
        # those from whom all is hidden that the locals of frames differ in: it was made of what is hidden, by the same answers
        self.derived = set(self.seats)
        self.moved: Moved = {}
        self.age = 0
        self.stretch: Stretch | None = None

    def begin(self, before: State, answer: Given, after: Glance, name: str | None) -> tuple[str | None, list[Leak]]:
        """Give an answer otherwise, as `name` or by chance: its name, None where no other is possible, and what leaks."""
        action = self.other(answer, name)
        if action is None:
            self.seats.clear()
            return None, []
        changed = self.state.action_to_string(action, answer.actor)
        return changed, self.given(before, answer, action, after)

    def follow(self, before: State, answer: Given, after: Glance) -> list[Leak]:
        """Give the same answer, as far as it is there; what leaks.  Raises Fault."""
        self.age += 1
        if answer.actor == CHANCE and not self.state.is_chance_node():
            self.open(before, after.state).answers.append(answer)  # something is drawn that the twin does not draw
            return self.settled(after)
        while answer.actor != CHANCE and self.state.is_chance_node():
            self.draw(before, after.state)
        action = self.coupled(answer)
        if action is None:
            self.seats.clear()
            return []
        return self.given(before, answer, action, after)

    def given(self, before: State, answer: Given, action: int, after: Glance) -> list[Leak]:
        """Give an answer for that of the game."""
        stretch = self.open(before, after.state)
        one = given(self.state, answer.actor, action)
        if one.value != answer.value:
            self.exchange(one.type, answer.value, one.value)
        if answer.actor >= 0 and (one.site, one.name) != (answer.site, answer.name):
            self.seats.discard(answer.actor)
        stretch.answers.append(answer)
        stretch.mine.append(one)
        self.state.apply_action(action, answer.actor)
        return self.settled(after)

    def open(self, before: State, after: State) -> Stretch:
        """What has been since both were at the same."""
        if self.stretch is None:
            still = same_fork(before, after)
            alike = {
                seat: self.pairing.hidden_alike(before, self.state, seat, still, seat in self.derived)
                for seat in self.seats
            }
            self.stretch = Stretch(before, self.state.clone(), alike)
        return self.stretch

    def draw(self, before: State, after: State) -> None:
        """Let chance answer what it is not asked in the game."""
        stretch = self.open(before, after)
        stretch.mine.append(given(self.state, CHANCE, self.chance.below(len(self.state.legal_actions()))))
        self.state.apply_action(stretch.mine[-1].action)

    def settled(self, after: Glance) -> list[Leak]:
        """What leaks, where both are asked the like; before that the one whose chance has more to draw goes on."""
        stretch = self.stretch
        assert stretch is not None
        if after.state.is_chance_node():
            if not self.state.is_chance_node():
                return []
        else:
            while self.state.is_chance_node():
                self.draw(stretch.game, after.state)
        self.stretch = None
        mine = Glance(self.state)
        return [leak for seat in sorted(self.seats) for leak in self.judged(seat, stretch, after, mine)]

    # --- the answers of the twin ------------------------------------------------------------------------------------
    def coupled(self, answer: Given) -> int | None:
        """The action that stands for an answer of the game; None where nobody can be asked for one."""
        state, actor = self.state, answer.actor
        if actor == CHANCE:
            lottery = state.pending().chance
            assert lottery is not None
            values = dict(enumerate(lottery.values))
        else:
            question = state.pending().of(actor)
            if question is None:
                return None
            values = state.legal(question)
            if actor in self.seats and question.site.name == answer.site and answer.action in values:
                return answer.action
        actions = {value: action for action, value in values.items()}
        for value in (renamed(self.pairing.program, answer.type, answer.value, self.moved), answer.value):
            if value in actions:
                return actions[value]
        return self.chance.one_of(list(values))

    def other(self, answer: Given, name: str | None) -> int | None:
        """Another action than the answer of the game: that of a name, or any."""
        state, actor = self.state, answer.actor
        if (state.is_chance_node() if actor == CHANCE else state.pending().of(actor) is not None) is False:
            return None
        names = {action: state.action_to_string(action, actor) for action in state.legal_actions(actor)}
        others = [action for action, text in names.items() if text not in ("", answer.name) and name in (None, text)]
        return self.begun.one_of(others) if others else None

    def exchange(self, printer: ir.Type, value: Any, other: Any) -> None:
        """From here on two pieces stand for each other."""
        if printer.what != "entity" or printer.kind is None or value == other or None in (value, other):
            return
        if self.pairing.program.kinds[printer.kind].location is None:
            return
        moved = self.moved.setdefault(printer.kind, {})
        back = {piece: stands for stands, piece in moved.items()}
        first, second = moved.get(value, value), back.get(other, other)
        moved[value], moved[second] = other, first

    # --- judging ----------------------------------------------------------------------------------------------------
    def judged(self, seat: int, stretch: Stretch, after: Glance, mine: Glance) -> Iterator[Leak]:
        """What leaks to a seat by a stretch to two positions; the seat leaves the pair where it can tell the games apart."""
        state, end = mine.state, after.state
        one, two = after.observation(seat), mine.observation(seat)
        told = self.told(stretch.game, end, seat), self.told(stretch.twin, state, seat)
        mine_alone = stretch.same and len(stretch.mine) == 1 and stretch.mine[0].actor == seat
        alike = stretch.alike[seat]
        judged = alike and (stretch.same or self.secretly(seat, stretch, end))
        if end.slots[ir.CONTROL] == state.slots[ir.CONTROL]:
            self.derived.add(seat)
        elif not (alike and stretch.same):  # what others have answered otherwise is told in its time
            self.derived.discard(seat)
        if one == two and told[0] == told[1]:
            if mine_alone and after.can_take_back(seat) != mine.can_take_back(seat):
                yield Leak(seat, "whether the last answer can be taken back tells something that is hidden", True)
            yield from self.compared(seat, after, mine)
            return
        self.seats.discard(seat)
        parts = shown.split(one, self.pairing.public), shown.split(two, self.pairing.public)
        what = (
            shown.difference({"the log": told[0]}, {"the log": told[1]})
            if told[0] != told[1]
            else shown.difference(parts[0].declared | parts[0].rest, parts[1].declared | parts[1].rest)
        )
        if one != two and bool(end.pending().participants) != bool(state.pending().participants):
            return  # others have sealed all in the one and not yet in the other: that they are waited for tells nothing new
        if judged and parts[0].declared == parts[1].declared and not self.explained(seat, stretch):
            yield Leak(seat, f"something hidden shows: {what}")
        elif mine_alone and (after.can_take_back(seat) or mine.can_take_back(seat)):
            yield Leak(seat, f"an answer that told something hidden can be taken back: {what}", True)

    def told(self, before: State, after: State, seat: int) -> list[str]:
        """The lines of the log since a position, as a seat reads them."""
        return log_lines(after, seat, before.log)

    def compared(self, seat: int, one: Glance, two: Glance) -> Iterator[Leak]:
        """What a seat that cannot tell the positions apart is shown of them otherwise."""
        if not self.pairing.hidden_alike(one.state, two.state, seat, sealed=True, derived=seat in self.derived):
            return
        for part in (shown.question, shown.by_itself, shown.vector):
            seen = one.shown(part, seat), two.shown(part, seat)
            if seen[0] != seen[1]:
                yield Leak(seat, f"something hidden shows: {shown.difference(*seen)}")
                return
        for viewer in (seat, None) if self.age % TABLES == 0 else ():
            if one.shown(shown.table_text, viewer) != two.shown(shown.table_text, viewer):
                tables = (shown.table_of(glance.state, viewer) for glance in (one, two))
                what = f"something hidden shows: {shown.first_difference(*tables)}"
                yield Leak(seat, what if viewer is not None else f"a spectator can: {what}")
                return
        if self.age % MAPS == 1 and one.shown(State.ahead, seat) != two.shown(State.ahead, seat):
            yield Leak(seat, "something hidden shows: what verbs ask next")
            return
        drawings = (State.picture, State.boards) if self.age % MAPS == 0 else ()
        if any(one.shown(drawing, seat) != two.shown(drawing, seat) for drawing in drawings):
            maps = (shown.map_of(glance.state, seat) for glance in (one, two))
            yield Leak(seat, f"something hidden shows: {shown.difference(*maps)}")

    def secretly(self, seat: int, stretch: Stretch, end: State) -> bool:
        """Whether the answers differ only in pieces that the seat sees neither before nor after them."""
        if len(stretch.mine) != len(stretch.answers):
            return False
        states = (stretch.game, end, stretch.twin, self.state)
        for one, two in zip(stretch.answers, stretch.mine, strict=True):
            if one.value == two.value and one.actor == two.actor:
                continue
            if one.actor != two.actor or one.type != two.type:
                return False
            program = self.pairing.program
            first, second = [*pieces_of(program, one.type, one.value)], [*pieces_of(program, two.type, two.value)]
            pieces = first + second
            if not pieces or len(first) != len(
                second
            ):  # with none, or one more, something else differs than which piece it is
                return False
            if not all(
                self.pairing.hidden(state.slots, kind, piece, seat) for state in states for kind, piece in pieces
            ):
                return False
        return True

    def explained(self, seat: int, stretch: Stretch) -> bool:
        """Whether the rules showed the seat something else in between."""
        witness = self.pairing.witness
        return witness.shows(stretch.game, stretch.answers, seat) != witness.shows(stretch.twin, stretch.mine, seat)


def same_fork(before: State, after: State) -> bool:
    """Whether the same sealed choices are open on two positions."""
    if not before.pending().participants or not after.pending().participants:
        return False
    return bool(before.slots[ir.CONTROL][:-1] == after.slots[ir.CONTROL][:-1])


def pieces_of(program: ir.Program, printer: ir.Type, value: Any) -> Iterable[tuple[int, int]]:
    """(kind, piece) of each piece in a value; nothing where it holds anything else."""
    match printer.what:
        case "entity" if value is not None and printer.kind is not None:
            return ((printer.kind, value),)
        case "option" if value is not None:
            return pieces_of(program, printer.parts[0], value)
        case "set" | "list":
            return tuple(pair for item in value for pair in pieces_of(program, printer.parts[0], item))
        case "text" if value.__class__ is tuple:
            filled = [part for part in value if part.__class__ is tuple]
            return tuple(pair for n, item in filled for pair in pieces_of(program, program.printers[n], item))
    return ()

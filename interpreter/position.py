"""A position of a game: who is asked, what may be answered, answering, and going back.

Names follow OpenSpiel where it has them.  Where it differs: `apply_action` and `legal_actions` take
a player while sealed choices are open, as any of those asked may answer first; `current_player`
then is the lowest seat that has not answered.  Probabilities are exact `Fraction`s.  `returns` is
all zeros before the end.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, ClassVar, Literal, NamedTuple, Self

from interpreter.copies import standing_for
from interpreter.questions import OVER, Choice, Decision, Pending, Question, pending
from interpreter.runtime import endless
from interpreter.runtime.faults import Fault, IllegalAction, UnknownAction
from interpreter.runtime.renaming import NO_OTHERS, Renaming
from interpreter.runtime.values import CHANCE, TERMINAL, Journal, Number, Slots
from interpreter.setup import Setup
from rulespec import ir
from rulespec.text.diagnostics import Diagnostic, nearest
from rulespec.text.quoting import ticked

MOST_NAMED = 8  # options that a refusal names
MOST_ASKED = 4  # questions of a game without end that are named


class Outcome(NamedTuple):
    """How a game ended: `some` seats have won, or `all` together; all have `lost`; or it is a `draw`."""

    kind: Literal["some", "all", "lost", "draw"]
    winners: tuple[int, ...]


class Position(ABC):
    """A position, whatever keeps it: who is asked what, what may be answered, how it ended.

    `history` and `log` are linked pairs (newest entry, the rest) or None; a state that does not record has neither.  The
    values in slots are never changed in place and neither is the list, so that copies share them.
    """

    __slots__ = ()
    called: ClassVar[str] = "Position"  # in its repr, whatever keeps it

    setup: Setup
    slots: Slots
    main: int  # the procedure that it began with
    keeps: bool  # what can be undone
    records: bool  # a log and a history
    decisions: int  # how many of them players have answered
    log: Any
    history: Any
    past: Any  # linked pairs of what there was before: (slots, log, history, decisions)

    @abstractmethod
    def pending(self) -> Pending:
        """The pending decision.  Raises Fault."""

    @abstractmethod
    def apply_action(self, action: int, player: int | None = None) -> None:
        """Answer the pending decision and go on to the next one.

        Raises IllegalAction (P001 to P004) or Fault; the position is then as it was.  A state that can be undone also finds a
        question that nobody can answer here and now; another one when the options are asked for.
        """

    @abstractmethod
    def undo(self) -> None:
        """Take back the last answered decision; raises IllegalAction P007 if none is kept."""

    @abstractmethod
    def lay(self, procedure: int) -> bool:
        """Run a procedure beside the pending decision, for tests that lay the table; whether it ran to its end.

        One that asks somebody, or chance, does nothing.  Nothing of it is in the log, and it is no decision that can be taken back.
        Raises Fault.
        """

    @abstractmethod
    def clone(self) -> Self:
        """An independent copy."""

    @abstractmethod
    def stand_in(self) -> SlotPosition:
        """The position as slots, itself if it is kept so: what is worked out of its history is kept with that.  Raises Fault."""

    @property
    def backend(self) -> str:
        """What plays it: `native` (C), `python` (generated Python) or `reference` (the reference machine)."""
        return "reference" if self.setup.library is None else "python"

    # --- who is asked ------------------------------------------------------------------------------
    def current_player(self) -> int:
        """The seat asked (the lowest where several are), CHANCE (-1) or TERMINAL (-4)."""
        if self.slots[ir.CONTROL] is None:
            return TERMINAL
        questions = self.pending().questions
        return questions[0].seat if questions else CHANCE

    def pending_players(self) -> tuple[int, ...]:
        """All seats that have a question to answer now."""
        return tuple(question.seat for question in self.pending().questions)

    def is_terminal(self) -> bool:
        """Whether nobody has anything to answer any more."""
        return self.slots[ir.CONTROL] is None

    def is_chance_node(self) -> bool:
        """Whether chance is to answer."""
        return self.pending().chance is not None

    def is_simultaneous(self) -> bool:
        """Whether sealed choices are open."""
        return bool(self.pending().participants)

    def returns(self) -> list[Number]:
        """One number a seat, `Fraction`s where the rules divide them; all zeros while the game runs."""
        numbers = self.slots[ir.RETURNS] if self.is_terminal() else None
        if numbers is None:
            return [0] * self.setup.num_players
        unit = self.setup.program.unit
        return list(numbers) if unit == 1 else [Fraction(number, unit) for number in numbers]

    @property
    def seed(self) -> int | None:
        """The seed that chance is drawn from; None where chance is a player."""
        random = self.slots[ir.RANDOM]
        return random[0] if random else None

    def winners(self) -> tuple[int, ...] | None:
        """The seats that the rules named winners; None where they named none."""
        winners: tuple[int, ...] | None = self.slots[ir.WINNERS]
        return winners

    def outcome(self) -> Outcome:
        """How a game that is over has ended: who won, and whether all won or lost together or nobody did."""
        returns = self.returns()
        best = max(returns)
        if len(returns) > 1 and min(returns) < best:
            named = self.winners()
            first = tuple(seat for seat, number in enumerate(returns) if number == best)
            return Outcome("some", first if named is None else named)
        if best > 0:
            return Outcome("all", tuple(range(len(returns))))
        return Outcome("lost" if best < 0 else "draw", ())

    # --- what may be answered ------------------------------------------------------------------------
    def question(self, player: int | None = None) -> Question | None:
        """The question of a seat, or of the current player; None if there is none."""
        pending = self.pending()
        if player is None:
            return pending.questions[0] if pending.questions else None
        return pending.of(player)

    def legal_actions(self, player: int | None = None) -> list[int]:
        """What a player (by default the current one) may answer, ascending; empty if nothing."""
        pending = self.pending()
        if pending.chance is not None and player in (None, CHANCE):
            return list(range(len(pending.chance.values)))
        question = self.question(player)
        return [] if question is None else list(self.legal(question))

    def legal(self, question: Question) -> dict[int, Any]:
        """The legal actions of a question, and what each answers; raises Fault."""
        try:
            return question.legal
        except Fault as fault:
            raise self.explained(fault) from fault.__cause__

    def chance_outcomes(self) -> list[tuple[int, Fraction]]:
        """(action, exact probability) of each distinct outcome; empty unless chance is asked."""
        lottery = self.pending().chance
        return [] if lottery is None else lottery.outcomes()

    def decision(self, player: int | None = None) -> Decision:
        """What a player is asked, with every candidate; raises IllegalAction P003 if nothing, and Fault."""
        question = self.asked(player)
        self.legal(question)
        try:
            return question.decision(question.seat)
        except Fault as fault:
            raise self.explained(fault) from fault.__cause__

    def goes_on(self, before: Position) -> bool:
        """Whether what is asked now is a further stage of the move that was asked for before (`stages: one move`)."""
        now = self.pending().questions
        then = before.pending().questions
        return (
            len(now) == len(then) == 1
            and now[0].seat == then[0].seat
            and now[0].site.move is not None
            and now[0].site.move == then[0].site.move
        )

    def asked(self, player: int | None) -> Question:
        question = self.question(player)
        if question is None:
            if self.is_terminal():
                raise IllegalAction("P004", "the game is over")
            who = "nobody" if player is None else self.seat_name(player)
            raise IllegalAction("P003", f"{who} has nothing to decide now")
        return question

    def seat_name(self, player: int) -> str:
        """The id of a seat, `chance` for chance."""
        if player == CHANCE:
            return "chance"
        return self.setup.seats[player] if 0 <= player < self.setup.num_players else f"seat {player}"

    def action_to_string(self, action: int, player: int | None = None, renaming: Renaming = NO_OTHERS) -> str:
        """The canonical name of an action, as far as pieces stand for others; raises UnknownAction P001 if it is no candidate."""
        pending = self.worded()
        if pending.chance is not None and player in (None, CHANCE):
            if not 0 <= action < len(pending.chance.values):
                raise UnknownAction("P001", f"{action} is not the number of an outcome that chance can have here")
            assert pending.draw is not None
            return self.setup.machine.printing.name(pending.draw.type, pending.chance.values[action])
        question = (pending.questions or (None,))[0] if player is None else pending.of(player)
        if question is None:
            question = self.asked(player)
        if action in question.values:
            return question.name(question.values[action], renaming)
        raise UnknownAction(
            "P001", f"{action} is not the number of an answer that {self.seat_name(question.seat)} can give here"
        )

    def worded(self) -> Pending:
        """The pending decision, for texts of what may be answered."""
        return self.pending()

    def string_to_action(self, text: str, player: int | None = None) -> int:
        """The legal action with a name or, failing that, a label; of chance the first of copies of one piece that can be drawn.

        Raises UnknownAction (P005, P006 where a label fits several) or IllegalAction P002.
        """
        pending = self.pending()
        text = text.strip()
        if pending.chance is not None and player in (None, CHANCE):
            names = {self.action_to_string(a): a for a in range(len(pending.chance.values))}
            if text in names:
                return names[text]
            assert pending.draw is not None
            copies = copies_called(self.setup.program, pending.draw.type, text)
            drawn = [action for action, value in enumerate(pending.chance.values) if value in copies]
            if not drawn:
                raise unknown(text, names)
            return drawn[0]
        question = self.asked(player)
        for action, value in self.legal(question).items():
            if question.name(value) == text:
                return action
        options = self.decision(question.seat).options
        return matched(text, options, standing_for(question, options)).action

    # --- answering -----------------------------------------------------------------------------------
    def check_end(self, question: Question, forced: bool) -> None:
        """Raise Fault R017 before a decision that is too many, R018 where the position comes back and nobody has a choice."""
        setup, decisions = self.setup, self.decisions
        if decisions >= setup.most_decisions:
            asked = endless.asked_ahead(setup.program, setup.backend, self.slots)
            raise self.without_end(
                question, "R017", f"no end after {decisions:,} decision{'' if decisions == 1 else 's'}", asked
            )
        if forced and decisions and decisions % endless.EVERY == 0:
            asked = endless.cycle(setup.program, setup.backend, self.slots, decisions)
            if asked:
                told = f"the position comes back every {len(asked)} answers, and nobody has a choice"
                raise self.without_end(question, "R018", told, asked)

    def without_end(self, question: Question, code: str, told: str, asked: tuple[endless.Asked, ...]) -> Fault:
        """The fault of a game that does not end, with the questions that are asked most."""
        most = Counter((one.seat, one.name) for one in asked).most_common(MOST_ASKED)
        names = ", ".join(f"{name} of {self.seat_name(seat)}" for (seat, name), _ in most)
        fault = Fault(Diagnostic(code, f"{told}; asked again and again: {names}", question.site.where))
        fault.stack = self.setup.machine.stack(question.frame)
        return self.explained(fault)

    def refusal(self, question: Question, action: int) -> IllegalAction:
        for candidate, value in question.candidates():
            if candidate == action:
                return illegal(question.name(value), question.why(value, question.seat))
        return UnknownAction(
            "P001", f"{action} is not the number of an answer that {self.seat_name(question.seat)} can give here"
        )

    def explained(self, fault: Fault) -> Fault:
        """The fault, with how to get there."""
        fault.seed = self.seed
        fault.answers = sum(1 for _ in self.answers()) if self.records else self.decisions
        return fault

    def child(self, action: int, player: int | None = None) -> Self:
        """A copy on which an action has been applied."""
        new = self.clone()
        new.apply_action(action, player)
        return new

    def answers(self) -> Iterator[tuple[int, str, int, Any]]:
        """(actor, site, action, value) of every answered decision, the newest first."""
        at = self.history
        while at is not None:
            yield at[0]
            at = at[1]

    def recorded(self, what: str) -> None:
        """Raise IllegalAction P009 where the history is not kept that something is worked out of."""
        if not self.records:
            raise IllegalAction("P009", f"this position keeps no history, so that it has no {what}")

    # --- as a value ----------------------------------------------------------------------------------
    def key(self) -> tuple[Any, ...]:
        """Hashable: equal for positions that differ at most in the random numbers to come."""
        return (self.slots[ir.CONTROL], *self.slots[ir.RANDOM + 1 :])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.slots == other.slots and (
            self.setup.program is other.setup.program or self.setup.identity() == other.setup.identity()
        )

    __hash__ = None  # type: ignore[assignment]  # a position changes; `key` is for tables

    def __repr__(self) -> str:
        answered = sum(1 for _ in self.answers())
        player = self.current_player()
        parts = [f"{self.called} of {self.setup.id}"]
        parts[0] += f" after {answered} answers" if self.records else f" after {self.decisions} decisions"
        parts.append("over" if player == TERMINAL else f"{self.seat_name(player)} to act")
        if not self.records:
            parts.append("no log, no history")
        if not self.keeps:
            parts.append("no undo")
        return f"<{', '.join(parts)}>"


class SlotPosition(Position):
    """A position that is kept as its slots, and played by the back end of its setup."""

    __slots__ = (
        "_pending",
        "decisions",
        "followed",
        "history",
        "keeps",
        "log",
        "main",
        "past",
        "records",
        "setup",
        "slots",
    )

    def __init__(self, setup: Setup, slots: Slots, main: int, keeps: bool = True, records: bool = True) -> None:
        self.setup = setup
        self.slots = slots
        self.main = main
        self.keeps = keeps
        self.records = records
        self.decisions = 0  # how many of them players have answered
        self.log: Any = None
        self.history: Any = None
        self.past: Any = None
        self.followed: dict[Any, Any] = {}  # what seats have seen and done: see `views.following`
        self._pending: Pending | None = None

    @classmethod
    def start(
        cls,
        setup: Setup,
        seed: int | None = None,
        chance: str = "seeded",
        undo: bool = True,
        main: int | None = None,
        record: bool = True,
    ) -> Self:
        """A position at the first decision.

        With chance "seeded", chance answers inline from `seed` (0 to 2**64 - 1; without one, a seed
        of the system's, which `seed` tells); with "explicit" chance is a player.  `undo` False
        keeps nothing to take back and works options out when they are asked for, `record` False keeps neither log nor history,
        which is faster.  `main` runs another procedure than the game's own.  Raises IllegalAction P008 for a bad argument, and
        Fault.
        """
        program = setup.program
        slots = setup.slots(seed, chance)
        procedure = program.main if main is None else main
        if not 0 <= procedure < len(program.procedures):
            raise IllegalAction("P008", f"there is no procedure {procedure}")
        position = cls(setup, slots, procedure, undo, record)
        journal = Journal(None, None)
        try:
            position.slots = setup.backend.start(slots, journal, procedure)
            if undo:
                position._pending = position.asks(position.slots)
        except Fault as fault:
            raise position.explained(fault) from fault.__cause__
        if record:
            position.log, position.history = journal.log, journal.history
        return position

    def pending(self) -> Pending:
        """The pending decision, worked out at most once."""
        current = self._pending
        if current is None:
            try:
                current = self._pending = pending(self.setup, self.slots)
            except Fault as fault:
                raise self.explained(fault) from fault.__cause__
        return current

    def apply_action(self, action: int, player: int | None = None) -> None:
        """See `Position.apply_action`."""
        asked = self._pending or self.pending()
        child: int | None = None
        if asked.chance is not None and player in (None, CHANCE):
            if not 0 <= action < len(asked.chance.values):
                raise UnknownAction("P001", f"{action} is not the number of an outcome that chance can have here")
            assert asked.draw is not None
            value = asked.chance.values[action]
            actor = CHANCE
        else:
            question = asked.questions[0] if player is None and asked.questions else self.asked(player)
            legal = question._legal or self.legal(question)
            if action not in legal:
                raise self.refusal(question, action)
            value = legal[action]
            decisions = self.decisions
            if decisions >= self.setup.most_decisions or not decisions % endless.EVERY:
                self.check_end(question, len(legal) == 1)
            actor, child = question.seat, question.child
        journal: Journal | None = None
        if self.records:
            name = question.site.name if asked.draw is None else asked.draw.name
            journal = Journal(self.log, ((actor, name, action, value), self.history), turn=self.turn(asked, actor))
        following: Pending | None = None
        try:
            slots = self.setup.workshop.backend.answer(self.slots, journal, child, value)
            if self.keeps or asked.participants:
                following = self.asks(slots, asked)
        except Fault as fault:
            raise self.explained(fault) from fault.__cause__
        if self.keeps:
            self.past = ((self.slots, self.log, self.history, self.decisions), self.past)
        if journal is not None:
            self.log, self.history = journal.log, journal.history
        self.slots, self._pending = slots, following
        if actor != CHANCE:
            self.decisions += 1

    def turn(self, asked: Pending, actor: int) -> tuple[int, int]:
        """What lines of the log keep that an answer writes: see `Journal`."""
        return self.decisions + (actor != CHANCE), CHANCE if asked.participants else actor

    def asks(self, slots: Slots, before: Pending = OVER) -> Pending:
        """What is asked on these slots; of a state that keeps what can be undone, with what is legal; raises Fault."""
        following = pending(self.setup, slots, before)
        if self.keeps:
            for question in following.questions:
                _ = question.legal
        return following

    def lay(self, procedure: int) -> bool:
        """See `Position.lay`."""
        slots, control = self.slots.copy(), self.slots[ir.CONTROL]
        slots[ir.CONTROL] = None
        try:
            slots = self.setup.backend.start(slots, Journal(None, None), procedure)
        except Fault as fault:
            raise self.explained(fault) from fault.__cause__
        if slots[ir.CONTROL] is not None:
            return False
        slots[ir.CONTROL] = control
        self.slots, self._pending = slots, None
        return True

    def undo(self) -> None:
        """Take back the last answered decision; raises IllegalAction P007 if none is kept."""
        if self.past is None:
            raise IllegalAction("P007", "there is nothing to take back")
        (self.slots, self.log, self.history, self.decisions), self.past = self.past
        self._pending = None

    def clone(self) -> Self:
        """An independent copy."""
        new = self.__class__.__new__(self.__class__)
        new.setup, new.slots, new.main = self.setup, self.slots, self.main
        new.keeps, new.records = self.keeps, self.records
        new.log, new.history, new.past = self.log, self.history, self.past
        new.decisions, new.followed = self.decisions, self.followed
        new._pending = self._pending
        return new

    def forget_question(self) -> None:
        """Let go what is asked, for memory; it is worked out again when it is needed."""
        self._pending = None

    def stand_in(self) -> SlotPosition:
        """See `Position.stand_in`."""
        return self


def copies_called(program: ir.Program, drawn: ir.Type, text: str) -> frozenset[int]:
    """The pieces with a label, if that is what is drawn and no rule speaks of one of them by its name."""
    if drawn.what != "entity" or drawn.kind is None:
        return frozenset()
    kind = program.kinds[drawn.kind]
    pieces = frozenset(n for n, label in enumerate(kind.labels) if label.casefold() == text.casefold())
    return pieces if pieces.isdisjoint(kind.named) else frozenset()


def matched(text: str, options: tuple[Choice, ...], alike: Mapping[int, int]) -> Choice:
    """The legal option with a name or, failing that, a label; of options that are `alike` (see `standing_for`) the first.

    Raises UnknownAction (P005, P006 where a label fits several) or IllegalAction P002.
    """
    matching = [o for o in options if o.name == text] or [
        o for o in options if text.casefold() in (o.name.casefold(), o.text.casefold())
    ]
    legal = [option for option in matching if option.legal]
    if len({alike.get(option.action, option.action) for option in legal}) == 1:
        return legal[0]
    if legal:
        names = ", ".join(option.name for option in legal)
        raise UnknownAction("P006", f"{ticked(text)} could be any of {names}")
    if matching:
        raise illegal(matching[0].name, matching[0].why)
    raise unknown(text, {option.name: option.action for option in options})


def illegal(name: str, why: str | None) -> IllegalAction:
    """The refusal of a candidate."""
    return IllegalAction("P002", f"{ticked(name)} is not allowed: {why or 'the rules forbid it'}")


def unknown(text: str, names: dict[str, int]) -> UnknownAction:
    """The refusal of a name."""
    member = text[:80].rpartition(".")[2]  # `Colour.red` in an expression is `red` among answers
    close = member if member in names else nearest(text[:80], names)
    some = ", ".join(list(names)[:MOST_NAMED]) + (" ..." if len(names) > MOST_NAMED else "")
    more = f"; did you mean {ticked(close)}?" if close else f"; there are {some}" if some else ""
    return UnknownAction("P005", f"{ticked(text[:80])} is not one of the options{more}")

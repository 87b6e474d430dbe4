"""A table: a game with its seats.  Who sits where, what is answered, and what is taken back.  It knows no network.

Each method runs in the thread of its table.  What it changes is saved before it returns; where that fails, nothing has changed.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import rulespec
from interpreter import Fault, Game, IllegalAction, State
from interpreter.files import transcript
from interpreter.selection import Selection
from interpreter.views import sealed
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import RulespecError

from .. import view
from ..session import Session
from ..steps import positions
from ..walk import hides_something
from . import journal, tokens
from .feeds import Shown, following
from .messages import Message
from .storage import Home, Record
from .tokens import Pass

if TYPE_CHECKING:
    from ..bots import Seating

KEPT = 64  # replies of each seat that are given again
Reply = dict[str, Any]
NOT_YET = "The game has not begun"
OPEN = "Somebody wants to take an answer back: that is settled first"
NOTHING = "There is nothing of yours to take back, or something was learnt since"


@dataclass
class Ask:
    """A seat wants to take its last answer back, which others have seen: they are `waiting`."""

    number: int
    seat: int
    back: State
    waiting: set[int]
    concerned: set[int] = field(default_factory=set)


class Table(Session):
    """A game with its seats."""

    def __init__(self, game: Game, state: State, record: Record, home: Home, seating: Seating | None = None) -> None:
        people = {seat for seat, by in enumerate(record.by) if by == "person"}
        super().__init__(game, state, people, secrets.randbits(60), seating=seating)
        self.record = record
        self.home = home
        self.version = 0  # how often its state has changed
        self.shown: dict[int | None, tuple[int, Shown]] = {}  # by viewer: of which version, and what
        self.ahead: dict[int, tuple[int, dict[str, Any]]] = {}  # by seat: of which version, and what
        self.asked: Ask | None = None
        self.asks = 0
        self.steps: tuple[int, list[State]] = (
            -1,
            [],
        )  # of a game that is over: of which version, and all its positions
        self.replies: dict[int, OrderedDict[str, Reply]] = {seat: OrderedDict() for seat in range(game.num_players)}

    @cached_property
    def secrets(self) -> bool:
        """Whether players may know different things."""
        return hides_something(self.game.program)

    @cached_property
    def rules(self) -> dict[str, Any]:
        """What the game says of itself, and its rulings: read once, however often it is asked for.  Raises RulespecError."""
        said = rulespec.load(self.record.game, variant=self.record.variants or None, cache=True).about
        texts = [" ".join(said.split())] if said else []
        return {"about": view.about(self.game, texts), "rulings": [list(one) for one in view.rulings(self.game)]}

    def keep(self) -> None:
        """`changing` saves."""

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Whatever is done to the state within is saved at the end, or not done.  Raises OSError."""
        before = self.state
        self.state = before.clone()
        try:
            yield
            self.home.keep_game(self.state)
        except BaseException:
            self.state = before
            raise
        self.version += 1

    def keep_record(self) -> None:
        """Save what the table is; raises OSError."""
        self.home.keep(self.record)

    # --- who may come in --------------------------------------------------------------------------------
    def passes(self) -> dict[str, Pass]:
        """What each token of the table is for."""
        out = {self.record.tokens[f"seat.{name}"]: Pass("seat", (seat,)) for seat, name in enumerate(self.game.seats)}
        out[self.record.tokens["spectator"]] = Pass("spectator")
        out[self.record.tokens["host"]] = Pass("host")
        if self.record.together:
            out[self.record.tokens["machine"]] = Pass("machine", tuple(self.record.together))
        return out

    def sit(self, seat: int, by: str) -> None:
        """Give a seat to a `person`, a `bot` or nobody (`empty`); raises OSError."""
        self.record.by[seat] = by
        self.keep_record()
        if by == "person":
            self.people.add(seat)
        else:
            self.people.discard(seat)
        if self.asked is not None:
            self.asked.waiting.intersection_update(self.people)

    def begin(self) -> None:
        """From now on it is played; raises OSError."""
        self.record.begun = True
        self.keep_record()
        self.advance()

    # --- what a viewer is shown ---------------------------------------------------------------------------
    def show(self, viewer: int | None) -> Shown:
        """The newest view of a viewer (a seat, or None for spectators); raises Fault."""
        version, before = self.shown.get(viewer, (-1, None))
        if before is not None and version == self.version:
            return before
        if viewer is None:
            shown = following(before, None, self.table(None), 0, False)
        else:
            answers = sum(1 for actor, *_ in self.state.answers() if actor == viewer)
            can_undo = self.record.begun and self.before(viewer) is not None
            shown = following(before, self.game.seats[viewer], self.table(viewer), answers, can_undo)
        self.shown[viewer] = self.version, shown
        return shown

    # --- answers --------------------------------------------------------------------------------------------
    def reply(self, seat: int, message: Message) -> Reply:
        """What comes of `answer` or `undo` of a seat.  The same message again gets the same reply."""
        known = self.replies[seat]
        if message.id in known:
            return known[message.id]
        known[message.id] = reply = self.replied(seat, message)
        while len(known) > KEPT:
            known.popitem(last=False)
        return reply

    def stale(self, seat: int, at: str) -> Reply | None:
        """The reply to what was meant for another view than the seat's newest; raises Fault."""
        newest = self.show(seat).at
        return None if at == newest else {"type": "stale", "at": newest}

    def replied(self, seat: int, message: Message) -> Reply:
        """See `reply`."""
        if (why := self.barred(seat)) is not None:
            return illegal(why)
        try:
            if (stale := self.stale(seat, message.data.get("at", ""))) is not None:
                return stale
            if message.type == "undo":
                return self.take_back(seat)
            with self.changing():
                if "several" in message.data:
                    self.give_several(seat, message.data["several"])
                else:
                    for action in message.data.get("actions") or [-1]:
                        self.state.apply_action(action, seat)
                self.settle()
        except IllegalAction as problem:
            return illegal(problem.diagnostic.message)
        except Fault as fault:
            journal.fault(f"table {self.home.name}", fault)
            return illegal(fault_text(fault))
        except (OSError, RulespecError) as problem:
            journal.fault(f"table {self.home.name}", problem)
            return illegal("The server cannot save the game now, so that nothing is changed; try again")
        return {"type": "ok"}

    def barred(self, seat: int) -> str | None:
        """Why a seat may not answer at all."""
        if not self.record.begun:
            return NOT_YET
        if self.asked is not None:
            return OPEN
        return None if seat in self.people else "A bot has this seat"

    def give_several(self, seat: int, actions: list[int]) -> None:
        """Answer a choice of several with items in any order; raises IllegalAction and Fault."""
        selection = self.selected(seat, actions)
        if not selection.over:
            raise IllegalAction("P002", "more must be chosen")
        selection.give(self.state, lambda action: self.state.apply_action(action, seat))

    def selected(self, seat: int, actions: list[int]) -> Selection:
        """The selection of a seat with these items; raises IllegalAction and Fault."""
        selection = Selection.of(self.state, seat)
        if selection is None:
            raise IllegalAction("P003", "this is no choice of several in any order")
        for action in actions:
            option = next((option for option in selection.decision.options if option.action == action), None)
            if option is None or selection.enough:
                raise IllegalAction("P001", f"there is no action {action} here")
            selection = selection.adding(option)
        return selection

    def selection_of(self, seat: int, actions: list[int]) -> Reply:
        """What may be added to what is picked."""
        try:
            selection = self.selected(seat, actions)
            options: list[dict[str, Any]] = []
            for option in selection.decision.options:
                data: dict[str, Any] = {"action": option.action}
                if not option.legal:
                    data["legal"] = False
                if option.why is not None:
                    data["why"] = option.why
                options.append(data)
            return {"type": "selection", "picked": actions, "whole": selection.over, "options": options}
        except IllegalAction as problem:
            return illegal(problem.diagnostic.message)
        except Fault as fault:
            journal.fault(f"table {self.home.name}", fault)
            return illegal(fault_text(fault))

    def why(self, seat: int, action: int) -> Reply:
        """Why an option is not legal."""
        if self.state.question(seat) is None:
            return illegal("You are not asked")
        for option in self.decision(seat).options:
            if option.action == action:
                return {"type": "why", "text": option.why or ""}
        return illegal("There is no such option")

    def looked_ahead(self, seat: int, action: int | None = None) -> Reply:
        """The verbs that can be meant by a thing, worked out once for each position, or what may follow one action; raises Fault."""
        if action is not None:
            return {"type": "ahead", "things": self.state.ahead(seat, action)}
        version, things = self.ahead.get(seat, (-1, {}))
        if version != self.version:
            things = self.state.ahead(seat)
            self.ahead[seat] = self.version, things
        return {"type": "ahead", "things": things}

    # --- what goes on by itself -----------------------------------------------------------------------------
    def advance(self) -> None:
        """Give the answers that nobody has to be asked for; raises OSError and Fault."""
        with self.changing():
            self.settle()

    def settle(self) -> None:
        """Give answers where there is one only, and being asked tells nothing."""
        while not self.state.is_terminal() and not self.state.is_chance_node() and not self.state.is_simultaneous():
            seat = self.state.current_player()
            choice = self.forced(seat)
            if choice is None:
                return
            self.state.apply_action(choice.action, seat)

    def playing(self) -> int | None:
        """The bot that is to answer now; None where it is nobody's or a person's turn."""
        return None if self.asked is not None or not self.record.begun else self.mover()

    def hurried(self) -> bool:
        """Whether a bot need not wait: people have not answered either, and nobody sees what it seals."""
        return self.state.is_simultaneous() and bool(self.waiting())

    def choose(self, seat: int) -> int:
        """The answer of a bot, who is not shown what others have sealed; raises Fault."""
        return self.crew.bots[seat].choose(sealed.alone(self.state, seat), seat)

    def play_bot(self) -> bool:
        """Give the answer of a bot; whether there was one.  Raises OSError and Fault."""
        seat = self.playing()
        if seat is None:
            return False
        with self.changing():
            self.state.apply_action(self.choose(seat), seat)
            self.settle()
        return True

    # --- taking back ------------------------------------------------------------------------------------------
    def take_back(self, seat: int) -> Reply:
        """Take back the last answer of a seat, or ask those who have seen it; raises OSError and Fault."""
        back = self.before(seat)
        if back is None:
            return illegal(NOTHING)
        saw = {other for other in self.people if other != seat and self.differs(other, back)}
        if not saw:
            self.adopt(back)
            return {"type": "ok"}
        self.asks += 1
        self.asked = Ask(self.asks, seat, back, set(saw), {seat, *saw})
        return {"type": "asking", "seats": [self.game.seats[other] for other in sorted(saw)]}

    def differs(self, viewer: int, other: State) -> bool:
        """Whether a viewer sees another table there."""
        return bool(self.state.table(viewer)["at"] != other.table(viewer)["at"])

    def adopt(self, state: State) -> None:
        """Go on from another position; raises OSError."""
        with self.changing():
            self.state = state

    def agreed(self, seat: int, number: int, yes: bool) -> bool | None:
        """Hear one who was asked; how it is settled, None while it is not.  Raises OSError."""
        asked = self.asked
        if asked is None or asked.number != number or seat not in asked.waiting:
            return None
        asked.waiting.discard(seat)
        if not yes:
            self.asked = None
            return False
        return self.settled()

    def settled(self) -> bool | None:
        """Take back what nobody who was asked is against; None while somebody has not said.  Raises OSError."""
        asked = self.asked
        if asked is None or asked.waiting & self.people:
            return None
        self.asked = None
        self.adopt(asked.back)
        return True

    # --- the end --------------------------------------------------------------------------------------------
    def told(self) -> Reply:
        """The record of a game that is over; raises Fault and RulespecError."""
        if not self.state.is_terminal():
            return illegal("The game is not over")
        return {"type": "record", "seed": self.state.seed, "transcript": transcript.write(self.state)}

    def walked(self, viewer: int | None, step: int) -> Reply:
        """A game that is over as a viewer saw it after so many steps; what he was asked then is left out.  Raises Fault."""
        if not self.state.is_terminal():
            return illegal("The game is not over")
        version, states = self.steps
        if version != self.version:
            states = positions(self.state)
            self.steps = self.version, states
        number = min(step, len(states) - 1)
        view = {**states[number].table(viewer), "decision": None}
        return {"type": "step", "step": number, "steps": len(states) - 1, "view": view}

    def again(self) -> Reply:
        """Another game, with the same seats; raises OSError, Fault and RulespecError."""
        if not self.state.is_terminal():
            return illegal("The game is not over")
        self.home.keep_round(self.state, self.record.rounds)
        self.adopt(self.game.new_state(secrets.randbelow(2**32)))
        self.record.rounds += 1
        self.keep_record()
        for known in self.replies.values():
            known.clear()
        self.steps = -1, []
        self.advance()
        return {"type": "ok"}


def illegal(why: str) -> Reply:
    """The refusal of a request."""
    return {"type": "illegal", "why": why}


def fault_text(fault: Fault) -> str:
    """A fault of the rules, for players: what it says in full may tell what they must not know."""
    return f"The rules of this game fail here ({fault.diagnostic.code}); nothing is changed"


def fresh_tokens(game: Game) -> dict[str, str]:
    """The tokens of a new table."""
    names = [*(f"seat.{name}" for name in game.seats), "spectator", "host", "machine"]
    return {name: tokens.new() for name in names}

"""The API: `Game`, which makes states, and `State`, a position with what each seat may see of it, saves and transcripts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Protocol, Self, cast
from weakref import WeakValueDictionary

from interpreter.files import saves, transfer
from interpreter.native import building
from interpreter.native.kit import Exchange
from interpreter.native.switch import Loaded, Switch
from interpreter.native_position import NativePosition
from interpreter.opening import Opening
from interpreter.position import Position, SlotPosition
from interpreter.runtime import rng
from interpreter.runtime.faults import IllegalAction
from interpreter.runtime.values import Bodies
from interpreter.runtime.visibility import EVERYTHING, Viewer
from interpreter.selection import Selection
from interpreter.setup import Setup, checked_seed
from interpreter.spaces.game_type import GameType
from interpreter.views import boards, observation, pictures, sealed
from interpreter.views.boards import BoardView
from interpreter.views.determined import determined
from interpreter.views.information import information_state
from interpreter.views.learnt import learnt
from interpreter.views.pictures import Picture
from rulespec import ir
from rulespec.language.registry import body as registered
from rulespec.text.source import Span

if TYPE_CHECKING:
    from interpreter.spaces.numbered import Numbered

Policy = Callable[["State"], int]

FEW, OFTEN = 8, 3  # answers after which C hands over again, and how often running until a playout is left to Python


class GameDef(Protocol):
    """What a game that has been read and checked must offer."""

    def program(
        self,
        *,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        variant: Any = None,
    ) -> ir.Program:
        """The program for so many players and such options; raises RulespecError."""
        ...


class Game(Opening, GameType, Setup):
    """A program, ready to be played.  Raises RulespecError where the game refuses the setup.

    `variant` is the name of a variant of the game, the path of one, or several.  `backend` says how it is played, by the same rules:
    "auto" in Python at once, and as compiled C from the first position or playout on that is asked for when the object is there, which is
    made in the background where there is a C compiler; "native" as compiled C from the beginning, which waits until it is made, and
    raises IllegalAction P013 where it cannot be; "python" and "reference" as for `Setup`.  `handed_over` counts what C left to Python,
    `handed_for` its answers by where they were asked for, and why.
    """

    switch: Switch | None = None  # the way to its object; None where it is played in Python alone
    loaded: Loaded | None = None  # its object, when somebody has played with it
    most: int
    handed_over = 0

    def __init__(
        self,
        gamedef: GameDef,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        variant: Any = None,
        backend: str = "auto",
    ) -> None:
        self.set_up(gamedef.program(players=players, options=options, variant=variant), backend, registered)

    @cached_property
    def handed_for(self) -> Counter[tuple[Span | None, str]]:
        """How many answers C left to Python, by where they were asked for and why; not those of whole games."""
        return Counter()

    def hand_over(self, before: Position, why: str) -> None:
        """C leaves the answer to a position to Python: that is counted."""
        self.handed_over += 1
        self.handed_for[before.pending().where, why] += 1

    @classmethod
    def from_program(cls, program: ir.Program, bodies: Bodies = registered, backend: str = "auto") -> Game:
        """A game from a program that is there already; `bodies` as for `Machine`."""
        game = cls.__new__(cls)
        game.set_up(program, backend, bodies)
        return game

    def set_up(self, program: ir.Program, backend: str, bodies: Bodies) -> None:
        """Make it ready."""
        super().__init__(program, backend, bodies)
        if self.played_as in ("auto", "native") and bodies is registered:
            self.switch = Switch(program, lambda: (self.packed.anywhere, self.packed.data))
        if self.played_as == "native" and (self.switch is None or self.switch.ask(wait=True) is None):
            problem = "it has functions of its own" if self.switch is None else self.switch.problem
            raise IllegalAction("P013", f"{program.id} cannot be played natively: {problem}")

    # --- compiled C ------------------------------------------------------------------------------------
    def native(self) -> Loaded | None:
        """Its object, if it is there; the first who asks has it made."""
        loaded = self.loaded
        if loaded is None:
            if self.switch is None:
                return None
            loaded = self.switch.loaded or self.switch.ask()
            if loaded is None:
                return None
            self.loaded = loaded
            loaded.program.most_decisions = self.most
            self._opened(loaded.program, NativeState)
        return loaded

    @property
    def most_decisions(self) -> int:
        """How many decisions a game may take: what its rules say, unless it is set to another number."""
        return self.most

    @most_decisions.setter
    def most_decisions(self, most: int) -> None:
        self.most = most
        if self.loaded is not None:
            self.loaded.program.most_decisions = most

    @property
    def exchange(self) -> Exchange:
        """The way between the positions of its object and slots."""
        loaded = self.native()
        assert loaded is not None
        return loaded.exchange

    def in_c(self, state: SlotState) -> State:
        """The state, played natively from now on if it can be."""
        loaded = self.native()
        numbers = None if loaded is None else loaded.exchange.encode(state.slots)
        if loaded is None or numbers is None:
            return state
        kept = loaded.program.position(NativeState, self, numbers, state.keeps, state.records, state.decisions, state)
        return kept or state

    # --- between one's own processes -------------------------------------------------------------------
    def __copy__(self) -> Game:
        """Itself: nothing of a game changes."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self

    @cached_property
    def packed(self) -> transfer.Packed:
        """The program as other processes get it."""
        return transfer.packed_program(self.program)

    def __reduce__(self) -> tuple[Any, ...]:
        """What opens the game in another process, once; raises TypeError for one that has functions of its own."""
        if self.bodies is not registered or type(self) is not Game:
            raise TypeError("a game with functions of its own stays in its process")
        digest, packed, _ = self.packed
        OPENED[digest, self.played_as] = self
        return opened, (digest, self.played_as, packed)

    # --- positions -------------------------------------------------------------------------------------
    if TYPE_CHECKING:  # `Opening` has them, which leaves to the two below what does not begin in C

        def new_state(
            self,
            seed: int | None = None,
            chance: str = "seeded",
            undo: bool = True,
            main: int | None = None,
            record: bool = True,
        ) -> State: ...
        def playout(self, seed: int | None = None, policy: Policy | None = None, record: bool = False) -> State: ...

    def _new_state(
        self,
        seed: int | None = None,
        chance: str = "seeded",
        undo: bool = True,
        main: int | None = None,
        record: bool = True,
    ) -> State:
        """A position at the first decision: see `SlotPosition.start`.  Raises IllegalAction P008 for a bad argument, and Fault."""
        loaded = self.native()
        if loaded is not None and (main is None or main == self.program.main):
            if chance == "seeded":
                seed = checked_seed(seed)
            if chance == "seeded" or (chance == "explicit" and seed is None):
                state: State | None = loaded.program.new_state(NativeState, self, seed, undo, record)
                if state is not None:
                    return state
                self.handed_over += 1
        return SlotState.start(self, seed, chance, undo, main, record)

    def position(self, slots: list[Any], main: int, undo: bool = True, record: bool = True) -> State:
        """A position of slots that have been checked; it has no log and no history yet."""
        return self.in_c(SlotState(self, slots, main, undo, record))

    def state_from_json(self, text: str) -> State:
        """The position that `State.to_json` wrote; raises RulespecError with T codes."""
        return self.in_c(saves.from_json(self, text, SlotState))

    def replay(self, text: str, name: str = "transcript") -> State:
        """The position at the end of a transcript, which is called `name` in errors; raises RulespecError with T codes."""
        from interpreter.files import transcript  # noqa: PLC0415 - who plays replays nothing should not wait for it

        return self.in_c(transcript.replay(self, text, SlotState, name))

    def _playout(self, seed: int | None = None, policy: Policy | None = None, record: bool = False) -> State:
        """A game played to its end, by default by uniformly random choices; raises IllegalAction P008 for a bad seed, and Fault.

        With `record` it has its log and history; without, nothing is made that the end does not need.
        """
        seed = checked_seed(seed)
        state: State | None
        if policy is None and not record:
            loaded, left = self.native(), self.handed_over
            if loaded is not None:
                state = loaded.program.playout(NativeState, self, seed)
                if state is not None:
                    return state
                state = play_in_turns(self, self.new_state(seed, undo=False, record=False), seed)
                if state is not None:
                    return state
            end = self.backend.playout(seed, self.most_decisions)
            if end is not None:
                state = SlotState(self, end[0], self.program.main, False, False)
                state.decisions = end[1]
                if loaded is not None:
                    self.handed_over = max(self.handed_over, left + end[1])
                return state
        state = self.new_state(seed, undo=False, record=record)
        if policy is None:
            play_on(state, seed)
            return state
        while not state.is_terminal():
            state.apply_action(policy(state))
        return state

    def about(self, view: dict[str, Any], thing: str = "") -> dict[str, Any] | None:
        """What can be read about a thing of a table's view, or about its question: see `docs/table.md`.

        None where that view does not show the thing: whoever may not see it reads nothing about it.
        """
        from interpreter.views.table import reading  # noqa: PLC0415 - who plays without a table should not wait for it

        return reading.about(self, view, thing)


class Choices:
    """Uniformly random answers; chance, where it is a player, answers by its probabilities."""

    def __init__(self, seed: int) -> None:
        self.key, self.counter = rng.mix(seed ^ rng.GAMMA), 0

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        number, self.counter = rng.below(self.key, self.counter, n)
        return number

    def answer(self, state: State) -> None:
        """Give the next answer to a state that is not over."""
        legal: list[int] = state.legal_actions()
        if state.is_chance_node():
            weights = [probability for _, probability in state.chance_outcomes()]
            unit = math.lcm(*(weight.denominator for weight in weights))
            n = self.below(unit)
            shares = accumulate(int(weight * unit) for weight in weights)
            state.apply_action(next(action for action, share in zip(legal, shares, strict=True) if n < share))
        else:
            state.apply_action(legal[self.below(len(legal)) if len(legal) > 1 else 0])


def play_on(state: State, seed: int) -> None:
    """Answer by uniformly random choices to the end."""
    choices = Choices(seed)
    while not state.is_terminal():
        choices.answer(state)


def play_in_turns(game: Game, state: State, seed: int) -> State | None:
    """The end of the same where C cannot do all of it: what it hands over is answered in Python, and C goes on from there.

    A change takes as long as a dozen answers in Python: None where C hands over again and again after a few answers, or cannot
    hold the state.
    """
    choices, soon = Choices(seed), 0
    if isinstance(state, SlotState):
        state = game.in_c(state)
    if not isinstance(state, NativeState):
        return None
    while not state.is_terminal():
        left, first = game.handed_over, state.decisions
        while game.handed_over == left and not state.is_terminal():
            choices.answer(state)
        soon = soon + 1 if state.decisions - first < FEW else 0
        if soon == OFTEN and not state.is_terminal():
            return None
    return state


class State(Position):
    """A `Position` of a `Game`, with what each seat may see of it, and with files; `Game` makes them."""

    __slots__ = ()
    called = "State"

    @property
    def game(self) -> Game:
        """The game that it is a position of."""
        return cast(Game, self.setup)

    def observation(self, seat: Viewer) -> dict[str, Any]:
        """What a seat (None: a spectator) may see, as JSON data."""
        return observation.observe(self, seat)

    def selection(self, seat: int | None = None) -> Selection | None:
        """The pending choice of several items as a seat answers it, in any order; None where it chooses one."""
        return Selection.of(self, seat)

    def playout(self, seed: int) -> State:
        """The end of this game, played on from here by uniformly random choices: a copy without history.

        Chance falls as it falls in this state; where it is a player here, it is drawn by the same seed.  Raises IllegalAction P008 for
        a bad seed, and Fault.
        """
        seed = checked_seed(seed)
        ended: State | None = self._played_on(seed)
        if ended is not None:
            return ended
        here = SlotState(self.game, list(self.slots), self.main, False, False)
        here.decisions = self.decisions
        if isinstance(self, NativeState) and self.seed is not None:
            ended = play_in_turns(self.game, here.clone(), seed)
            if ended is not None:
                return ended
        play_on(here, seed)
        return here

    def _played_on(self, seed: int, /) -> State | None:  # noqa: ARG002
        """The same by compiled C; None where that cannot do it."""
        return None

    def numbered(self) -> Numbered:
        """This state, to be played by the fixed numbers of `Game.actions`: both go on together."""
        from interpreter.spaces.numbered import Numbered  # noqa: PLC0415 - who plays by legal actions should not wait for it

        return Numbered(self)

    def picture(self, seat: Viewer) -> Picture | None:
        """The map as a seat (None: a spectator) sees it; None where the game has none.  Raises Fault."""
        return pictures.picture(self, seat)

    def boards(self, seat: Viewer) -> tuple[BoardView, ...]:
        """The boards as a seat (None: a spectator) sees them, with the cells that it may choose now.  Raises Fault."""
        return boards.boards(self, seat)

    def table(self, seat: Viewer) -> dict[str, Any]:
        """The table as a seat (None: a spectator) sees it, for front ends: JSON data, see `docs/table.md`.  Raises Fault."""
        from interpreter.views.table import view as table  # noqa: PLC0415 - who plays without a table should not wait for it

        shown = self if seat == EVERYTHING else sealed.alone(self, seat)
        return table.view(shown, seat, seat is not None and seat >= 0 and shown.can_take_back(seat))

    def ahead(self, seat: int, action: int | None = None) -> dict[str, Any]:
        """For front ends: by thing, the verbs of the question that can be meant by it, as far as they can be taken back.

        With an `action` only what may follow that answer: where a piece that is lifted may be put down.  Raises Fault.
        """
        from interpreter.views.table import ahead  # noqa: PLC0415 - who plays without a table should not wait for it

        return ahead.ahead(sealed.alone(self, seat), seat, State.can_take_back, action)

    def information_state(self, seat: Viewer) -> str:
        """All that a seat has seen and done since the start, as canonical JSON.  Raises IllegalAction P009 with `record=False`."""
        return information_state(self, seat)

    def sees_all(self, seat: int) -> bool:
        """Whether what a seat sees settles the position: nothing is hidden from it, or what is can lie in one way only."""
        return self.game.information == "perfect_information" or determined(self, seat)

    def log_lines(self, seat: Viewer, since: int = 0) -> list[str]:
        """The lines of the log that a seat may read, from the line `since` of them on."""
        return observation.log_lines(self, seat)[since:]

    # --- going back -----------------------------------------------------------------------------------
    def can_take_back(self, seat: int) -> bool:
        """Whether the last decision was this seat's and nothing was learnt through it.

        Chance that answered, a look, and whatever the seat did not see and could know by what followed are barriers.  While choices
        are sealed, what others have answered since is none: it must not be told.
        """
        state = sealed.alone(self, seat)
        if state.past is None:
            return False
        slots, _, history, _ = state.past[0]
        (actor, *_), rest = state.history
        if actor != seat or rest is not history:
            return False
        if not set(state.slots[ir.KNOWN]) <= set(slots[ir.KNOWN]):
            return False
        return not learnt(state, seat)

    def before_last(self, seat: int) -> Self:
        """The state without the last answer of a seat that `can_take_back`; see `sealed.without_last`.  Raises IllegalAction P007."""
        return sealed.without_last(self, seat)

    # --- copies ----------------------------------------------------------------------------------------
    def explicit(self) -> SlotState:
        """A copy with chance as a player, in Python, that keeps no log and no history: what follows of it is looked at, and not played."""
        slots = list(self.slots)
        slots[ir.RANDOM] = None
        copy = SlotState(self.game, slots, self.main, False, False)
        copy.decisions = self.decisions
        return copy

    def __copy__(self) -> State:
        """The same as `clone`."""
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        """The same as `clone`: no value of a position changes."""
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        """What a process of one's own makes the state of: its game, and its slots with what goes with them."""
        return restored, (self.setup, transfer.packed_position(self))

    # --- files ----------------------------------------------------------------------------------------
    def to_json(self) -> str:
        """The position, its log and its history as text; `Game.state_from_json` reads it."""
        return saves.to_json(self)

    def save_to(self, path: Any) -> None:
        """Write `to_json` to a file so that it is there whole or not at all; raises OSError."""
        saves.write(path, self.to_json())


class SlotState(SlotPosition, State):
    """A state that is played in Python."""

    __slots__ = ()


class NativeState(NativePosition, State):
    """A state that is played by compiled C."""

    __slots__ = ()


if building.core is not None:
    building.core.adopt_position(NativeState)
    building.core.adopt_game(Game)

# The games that this process has handed on or got, by the digest of their program and by their back end.
OPENED: WeakValueDictionary[tuple[str, str], Game] = WeakValueDictionary()


def opened(digest: str, backend: str, packed: bytes) -> Game:
    """The game that another process has handed on."""
    game = OPENED.get((digest, backend))
    if game is None:
        game = Game.from_program(transfer.unpacked_program(packed), backend=backend)
        game = OPENED.setdefault((digest, backend), game)
    return game


def restored(game: Game, parts: tuple[Any, ...]) -> State:
    """The state that another process has handed on."""
    return game.in_c(transfer.unpacked_position(SlotState, game, parts))

"""A position that compiled C keeps and plays; what C cannot do, an equal position kept as slots does for it.

The part that has to be fast is `Core` of the extension module (`interpreter/native/module.c`): who is asked, what is legal, answering,
copies, returns.  All else is asked of a *stand-in*, a `SlotPosition` that is made when somebody looks and kept until the position
changes.  A position that records or can be undone makes it by giving its answers again from where it began, so its log, its history and
what can be undone are exactly those of Python; any other reads the slots from C.

Where C cannot tell what comes of an answer (a fault of the rules, a bound of its own), the stand-in is answered in its place: that
raises what is to be raised, or goes on, and then C goes on from its slots, if it can hold them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from interpreter.native.reasons import reason
from interpreter.position import Position, SlotPosition
from interpreter.questions import Pending, pending
from interpreter.runtime.faults import Fault
from interpreter.runtime.values import Slots

WORDED = "the decision that was put into words last"  # what a thread keeps: its numbers, and itself

if TYPE_CHECKING:
    from interpreter.native._core import Core
else:
    try:
        from interpreter.native._core import Core
    except ImportError:  # it was not built: there is no position of this kind then

        class Core:
            """Stands where there is no extension module."""

            __slots__ = ()


class NativePosition(Core, Position):
    """A position that C plays; made by `Program` of the extension module only."""

    __slots__ = ()

    # --- the stand-in ---------------------------------------------------------------------------------
    def _python(self) -> SlotPosition:
        """An equal position kept as slots, which nobody is to change.  Raises Fault."""
        stand_in: SlotPosition | None
        stand_in, answers = self._stale()
        if stand_in is not None and not answers:
            return stand_in
        if self.keeps or self.records:
            stand_in = self._beginning() if stand_in is None else stand_in.clone()
            for seat, action in answers:
                stand_in.apply_action(action, seat)
        else:
            numbers = self._numbers()
            assert numbers is not None  # one that C does not keep has a stand-in
            setup = self.setup
            stand_in = SlotPosition(setup, setup.exchange.decode(numbers), setup.program.main, False, False)
            stand_in.decisions = self.decisions
        self._keep_stand_in(stand_in)
        return stand_in

    def _beginning(self) -> SlotPosition:
        """Where the answers begin: at the game's beginning, or at a position that was handed in."""
        origin = self.origin
        if isinstance(origin, SlotPosition):
            return origin.clone()
        chance = "explicit" if origin is None else "seeded"
        return SlotPosition.start(self.setup, origin, chance, self.keeps, None, self.records)

    def _answer(self, action: Any, player: int | None) -> None:
        """Give an answer to the stand-in and go on from there; raises as `apply_action` does, and nothing has changed then."""
        why = reason(self.why)
        before = self._python()
        after = before.clone()
        try:
            after.apply_action(action, player)
        except Fault:
            self.setup.hand_over(before, why)
            raise
        self.setup.hand_over(before, why)
        seat = before.current_player() if player is None else player
        self._resume(after, self.setup.exchange.encode(after.slots), seat, int(action), after.decisions)

    def _undone(self) -> SlotPosition:
        """The stand-in before its last answer."""
        earlier = self._python().clone()
        earlier.undo()
        return earlier

    def stand_in(self) -> SlotPosition:
        """See `Position.stand_in`."""
        return self._python()

    def undo(self) -> None:
        """See `Position.undo`."""
        if not self._go_back():
            self._becomes(self._undone())

    def lay(self, procedure: int) -> bool:
        """See `Position.lay`."""
        other = self._python().clone()
        laid = other.lay(procedure)
        if laid:
            self._becomes(other)
        return laid

    def _becomes(self, other: SlotPosition) -> None:
        """Be another position, with its log, its history, and what can be undone there."""
        self._resume(other, self.setup.exchange.encode(other.slots), None, 0, other.decisions)

    def _changed(self, name: str, value: Any) -> None:
        other = self._python().clone()
        setattr(other, name, value)
        other._pending = None
        self._becomes(other)

    @property
    def backend(self) -> str:
        """See `Position.backend`: Python, while C cannot hold it."""
        return "native" if self.is_native else super().backend

    # --- what the stand-in has -------------------------------------------------------------------------
    def pending(self) -> Pending:
        """The pending decision, worked out in Python.  Raises Fault."""
        return self._python().pending()

    def worded(self) -> Pending:
        """See `Position.worded`: read from C once for each decision, without the way that led there."""
        numbers = self._numbers()
        if numbers is None:  # C does not keep it
            return self.pending()
        setup, kept = self.setup, self.setup.workshop.kept
        known: bytes | None
        told: Pending | None
        known, told = kept.get(WORDED, (None, None))
        if told is None or known != numbers:
            told = pending(setup, setup.exchange.decode(numbers))
            kept[WORDED] = numbers, told
        return told

    @property
    def main(self) -> int:  # type: ignore[override]  # it is never set
        """The procedure that it began with: the game's own, or what a position had that was handed in."""
        origin = self.origin
        return origin.main if isinstance(origin, SlotPosition) else self.setup.program.main

    @property
    def slots(self) -> Slots:
        """Its values, read when they are asked for."""
        return self._python().slots

    @slots.setter
    def slots(self, slots: Slots) -> None:
        self._changed("slots", slots)

    @property
    def log(self) -> Any:
        """See `Position`."""
        return self._python().log

    @log.setter
    def log(self, log: Any) -> None:
        self._changed("log", log)

    @property
    def history(self) -> Any:
        """See `Position`."""
        return self._python().history

    @history.setter
    def history(self, history: Any) -> None:
        self._changed("history", history)

    @property
    def past(self) -> Any:
        """See `Position`."""
        return self._python().past

    if TYPE_CHECKING:  # the extension module has them

        def clone(self) -> Self: ...
        def child(self, action: int, player: int | None = None) -> Self: ...

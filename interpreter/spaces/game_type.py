"""What a game tells of itself, by OpenSpiel's names."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Literal, cast

from interpreter.runtime.values import Number
from interpreter.setup import Setup
from rulespec import ir
from rulespec.ir.flow import reachable

if TYPE_CHECKING:
    from interpreter.spaces.actions import ActionSpace
    from interpreter.spaces.measures import Census
    from interpreter.spaces.tensors import InformationLayout, Layout

MOST_ITEMS = 100_000  # of a collection, so that chance has at most so many outcomes
Utility = Literal["zero_sum", "constant_sum", "identical", "general_sum"]


class GameType:
    """What can be asked of a game before it is played.

    Bounds hold for every game.  They are exact where a game has so few positions that all are looked at (`measures`), else what
    follows from its rules (`rulespec.ir.sums`, `lengths`) or is stated there (`utility`, `most decisions`).  `utility_sum` is None and
    `utility` "general_sum" where nothing else is known.
    """

    if TYPE_CHECKING:
        program: ir.Program
        most_decisions: int

    @property
    def actions(self) -> ActionSpace:
        """The fixed numbering of all that players may do, for the numbers of `State.numbered`."""
        from interpreter.spaces.actions import action_space  # noqa: PLC0415 - who only plays should not wait for it

        return action_space(cast(Setup, self))

    @property
    def observation_layout(self) -> Layout:
        """The entries of what `Numbered.observation_tensor` gives."""
        from interpreter.spaces.tensors import layout  # noqa: PLC0415 - who only plays should not wait for it

        return layout(cast(Setup, self))

    @property
    def information_layout(self) -> InformationLayout:
        """The entries of what `Numbered.information_state_tensor` gives."""
        from interpreter.spaces.tensors import information_layout  # noqa: PLC0415 - who only plays should not wait for it

        return information_layout(cast(Setup, self))

    @property
    def num_distinct_actions(self) -> int:
        """How many numbers there are for what players do: 0 to one less."""
        return len(self.actions)

    @property
    def census(self) -> Census | None:
        """What a look at all positions told; None where there are too many."""
        from interpreter.spaces.measures import census  # noqa: PLC0415 - who only plays should not wait for it

        return census(cast(Setup, self))

    @cached_property
    def _instructions(self) -> tuple[ir.Instruction, ...]:
        return tuple(p.code[at] for p in self.program.procedures for at in sorted(reachable(p)))

    @property
    def max_chance_outcomes(self) -> int:
        """How many outcomes a draw of chance has at most; 0 where chance is never asked."""
        if self.chance_mode == "deterministic":
            return 0
        known = self.census
        if known is not None:
            return known.outcomes
        return max(outcomes(self.program, i.type) for i in self._instructions if isinstance(i, ir.Draw))

    @property
    def max_game_length(self) -> int:
        """How many decisions of players a game has at most: a game with more is a fault of its rules."""
        from interpreter.spaces.measures import longest_of  # noqa: PLC0415 - who only plays should not wait for it

        known = self.census
        if known is not None:
            return known.decisions
        length = longest_of(cast(Setup, self))
        return self.most_decisions if length is None else min(length, self.most_decisions)

    @property
    def max_chance_nodes(self) -> int | None:
        """How many draws of chance a game has at most; None where nobody knows."""
        known = self.census
        return None if known is None else known.draws

    def _payments(self) -> Iterator[Number]:
        known = self.census
        if known is not None:
            for payment in known.payments:
                yield from payment
        else:
            from interpreter.spaces.measures import ranges  # noqa: PLC0415 - who only plays should not wait for it

            low, high = ranges(cast(Setup, self)).returns
            least, most = self._stated("least"), self._stated("most")
            yield self._whole(low if least is None else max(low, least))
            yield self._whole(high if most is None else min(high, most))

    def _stated(self, name: Literal["together", "least", "most"]) -> int | None:
        """What the rules state of the returns, and hold each end to."""
        return None if self.program.utility is None else self.program.utility.number(name)

    def _whole(self, number: int) -> Number:
        """A number of returns, of parts of 1."""
        parts = Fraction(number, self.program.unit)
        return parts.numerator if parts.denominator == 1 else parts

    @property
    def min_utility(self) -> Number:
        """The lowest that a seat can get at the end."""
        return min(self._payments())

    @property
    def max_utility(self) -> Number:
        """The highest that a seat can get at the end."""
        return max(self._payments())

    @property
    def utility_sum(self) -> Number | None:
        """What all seats get together, where it is always the same as far as is known."""
        from interpreter.spaces.measures import sums_paid  # noqa: PLC0415 - who only plays should not wait for it

        known = self.census
        if known is not None:
            sums: frozenset[Number] = frozenset(sum(payment) for payment in known.payments)
        else:
            stated = self._stated("together")
            sums = sums_paid(cast(Setup, self)) if stated is None else frozenset({self._whole(stated)})
        if len(sums) != 1:
            return None
        (total,) = sums
        return total

    @property
    def utility(self) -> Utility:
        """Whether seats share a sum: as OpenSpiel's `utility`, in small letters."""
        known = self.census
        stated = self.program.utility is not None and self.program.utility.identical
        found = known is not None and all(len(set(payment)) == 1 for payment in known.payments)
        if (stated or found) and self.program.players > 1:
            return "identical"
        total = self.utility_sum
        return "general_sum" if total is None else "constant_sum" if total else "zero_sum"

    @property
    def dynamics(self) -> Literal["sequential", "simultaneous"]:
        """Whether several seats are ever asked at once."""
        return "simultaneous" if any(isinstance(i, ir.Fork) for i in self._instructions) else "sequential"

    @property
    def chance_mode(self) -> Literal["deterministic", "explicit_stochastic"]:
        """Whether chance is ever asked."""
        return "explicit_stochastic" if any(isinstance(i, ir.Draw) for i in self._instructions) else "deterministic"

    @property
    def information(self) -> Literal["perfect_information", "imperfect_information"]:
        """Whether anything is ever hidden from a seat."""
        hidden = self.program.hides or self.dynamics == "simultaneous"
        return "imperfect_information" if hidden else "perfect_information"


def outcomes(program: ir.Program, t: ir.Type) -> int:
    """How many values of a type chance may draw from at most."""
    match t.what:
        case "entity":
            return len(program.kinds[t.kind or 0].members)
        case "bool":
            return 2
        case "int" if t.low is not None and t.high is not None:
            return min(t.high - t.low + 1, MOST_ITEMS)
    return MOST_ITEMS

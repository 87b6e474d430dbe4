"""Counted things chosen by name: `2 captains, contessa` for a question that asks kind by kind how many."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.position import Position, illegal
from interpreter.questions import Question
from interpreter.runtime.faults import UnknownAction
from rulespec import ir
from rulespec.ir.counts import counted_kind, counts_named
from rulespec.ir.walk import within
from rulespec.text.diagnostics import nearest
from rulespec.text.quoting import ticked

Apply = Callable[[int], None]


class Counting:
    """A pending choice of so many of each kind, and what a player says of it."""

    __slots__ = ("have", "kind", "kinds", "left", "position", "question", "seat")

    def __init__(self, position: Position, question: Question, kinds: ir.Kind) -> None:
        self.position = position
        self.question = question
        self.seat = question.seat
        self.kinds = kinds
        self.have, self.left, self.kind, *_ = asked(question)

    @classmethod
    def of(cls, position: Position, player: int | None = None) -> Counting | None:
        """That of a player, by default the current one; None where something else is asked."""
        question = position.question(player)
        kind = None if question is None else counted_kind(question.site)
        return None if question is None or kind is None else cls(position, question, question.setup.program.kinds[kind])

    def named(self, text: str) -> dict[int, int] | None:
        """How many of each kind a text names; None where a part of it names no kind."""
        return counts_named(text, self.kinds)

    def words(self) -> list[str]:
        """What may be counted, by name."""
        return [member for member, n in zip(self.kinds.members, self.left, strict=True) if n]

    def give(self, wanted: dict[int, int], position: Position, apply: Apply) -> None:
        """Answer kind by kind, with none of what is not named; raises IllegalAction P002, and Fault."""
        self.check(wanted)
        rest = {kind: number for kind, number in wanted.items() if number}
        chosen = self.have
        question: Question | None = self.question
        last = -1
        while question is not None and question.site.index == self.question.site.index:
            have, _, kind, *_ = asked(question)
            settled = all(have[k] == n for k, n in enumerate(chosen) if k <= last)
            if kind <= last or not settled:
                break  # another choice of the same place
            number = rest.get(kind, 0)
            action = next((a for a, value in position.legal(question).items() if value == number), None)
            if action is None:
                against = question.why(number, self.seat) if number in dict(question.candidates()).values() else None
                raise illegal(self.called(wanted), against or f"not {self.kinds.counted(number, kind)}")
            chosen = (*have[:kind], have[kind] + number, *have[kind + 1 :])
            last = kind
            apply(action)
            question = position.question(self.seat)

    def check(self, wanted: dict[int, int]) -> None:
        """Whether this is a whole answer; raises IllegalAction P002."""
        question, kinds = self.question, self.kinds
        _, _, _, low, high = asked(question)
        for kind, number in wanted.items():
            there = self.left[kind] if kind >= self.kind else 0
            if number > there:
                said = kinds.counted(there, kind) if kinds.plurals else f"{there} of {kinds.labels[kind]}"
                raise illegal(self.called(wanted), f"{said} may be chosen")
        full = tuple(have + wanted.get(kind, 0) for kind, have in enumerate(self.have))
        if not low <= sum(full) <= high:
            wants = str(low) if low == high else f"{low} to {high}"
            raise illegal(self.called(wanted), f"{wants} are chosen, not {sum(full)}")
        for reason, (_, why) in zip(question.site.reasons, question.code.tests, strict=True):
            L = question.locals()
            L[question.site.item] = wanted.get(self.kind, 0)
            ways = next((e for e in within(reason.test) if isinstance(e, ir.Comp) and e.where is not None), None)
            if ways is not None and full not in question.machine.compiler.expr(ways)(question.slots, L):
                raise illegal(self.called(wanted), why.render(question.slots, L, self.seat))

    def called(self, counts: dict[int, int]) -> str:
        """Counts as text."""
        return " + ".join(f"{n} {self.kinds.members[k]}" for k, n in sorted(counts.items()))

    def unknown(self, text: str) -> UnknownAction:
        """The refusal of a text that names no kind."""
        close = nearest(text[:80], self.words())
        hint = f"did you mean {ticked(close)}?" if close else f"there are {', '.join(self.words())}"
        return UnknownAction("P005", f"{ticked(text[:80])} is not one of the options; {hint}")


def asked(question: Question) -> tuple[tuple[int, ...], tuple[int, ...], int, int, int]:
    """What is chosen so far, all that may be, the kind at hand, and from how many to how many are wanted."""
    items = question.site.items
    assert isinstance(items, ir.Op)
    compiler = question.machine.compiler
    L = question.locals()
    have, everything, kind, low, high = (compiler.expr(part)(question.slots, L) for part in items.args)
    return have, everything, kind, low, high

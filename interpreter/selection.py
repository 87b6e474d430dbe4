"""Choosing several in any order: what has been picked so far, and all that may still be part of an answer.

The rules ask for one item after another in canonical order, and for counted things kind by kind, so that each answer has one way to
it.  People name items in the order in which they think of them.  A `Selection` keeps what they have picked beside the position; when it
is whole, `give` answers the rules' questions with it.  An item is legal in it if some whole answer that the rules allow holds it
together with all that is picked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from interpreter.copies import standing_for
from interpreter.position import Position, illegal, matched
from interpreter.questions import Choice, Decision, Question
from interpreter.reference.expressions import too_much
from interpreter.reference.sites import first
from interpreter.runtime.faults import Fault
from rulespec import ir

Apply = Callable[[int], None]
PICKED = "It is chosen already"
ENOUGH = "No more may be chosen"
NOT_TOGETHER = "Not together with what is chosen"


class Selection:
    """What a player has picked of a pending choice of several items; it does not change, and nothing of it is in the position.

    `picked` are items in the order in which they were picked.  It is `over` where nothing more can be picked or the player has said
    that it is enough.
    """

    __slots__ = ("_decision", "code", "enough", "part", "picked", "position", "question", "seat")

    def __init__(
        self,
        position: Position,
        question: Question,
        part: ir.Completable,
        picked: tuple[Any, ...] = (),
        enough: bool = False,
    ) -> None:
        self.position = position
        self.question = question
        self.seat = question.seat
        self.code = question.code
        self.part = part
        self.picked = picked
        self.enough = enough
        self._decision: Decision | None = None

    @classmethod
    def of(
        cls, position: Position, player: int | None = None, picked: tuple[Any, ...] = (), equal: bool = False
    ) -> Selection | None:
        """That of a player, by default the current one; None where several are not chosen.  `picked` as of another one.

        Of lists that may hold equal items it is given where somebody can pick the same item again (`equal`).
        """
        question = position.question(player)
        part = None if question is None else part_of(question.site)
        if question is None or part is None or (not equal and of_list(question.site)):
            return None
        return cls(position, question, part, picked)

    @property
    def decision(self) -> Decision:
        """The question with every item, as the player may read it; the actions are those of the first question.  Raises Fault."""
        if self._decision is None:
            try:
                self._decision = self.worked_out()
            except Fault as fault:
                raise self.position.explained(fault) from fault.__cause__
        return self._decision

    @property
    def over(self) -> bool:
        """Whether it is whole, so that it may be given."""
        return self.enough or (
            bool(self.picked) and not any(o.legal for o in self.decision.options if not self.is_done(o))
        )

    def is_done(self, option: Choice) -> bool:
        """Whether an option says that it is enough."""
        return self.code.none is not None and option.name == self.code.none.name

    def adding(self, option: Choice) -> Selection:
        """With one more item, or with the word that it is enough; raises IllegalAction P002."""
        if not option.legal:
            raise illegal(option.name, option.why)
        if self.is_done(option):
            return Selection(self.position, self.question, self.part, self.picked, True)
        value = dict(self.question.candidates())[option.action]
        return Selection(self.position, self.question, self.part, (*self.picked, value))

    def called(self, text: str) -> Choice:
        """The legal option of this name or text; raises UnknownAction and IllegalAction as `Position.string_to_action` does."""
        options = self.decision.options
        return matched(text, options, standing_for(self.question, options))

    def give(self, position: Position, apply: Apply) -> None:
        """Answer the rules' questions with what is picked, one after another; raises IllegalAction and Fault."""
        for value in sorted(self.picked):
            question = position.question(self.seat)
            assert question is not None
            action = next((action for action, answer in position.legal(question).items() if answer == value), None)
            if action is None:
                raise illegal(question.name(value), question.why(value, self.seat))
            apply(action)
        now = position.question(self.seat)
        if now is None or now.site.index != self.question.site.index or not self.over:
            return
        done = [action for action, answer in position.legal(now).items() if answer is None]
        if done and taken(now, self.part) == self.all(self.picked):
            apply(done[0])

    # --- what is possible ---------------------------------------------------------------------------------------------
    def all(self, picked: tuple[Any, ...]) -> tuple[Any, ...]:
        """What the rules have been answered already, with these."""
        return tuple(sorted((*taken(self.question, self.part), *picked)))

    def worked_out(self) -> Decision:
        """See `decision`."""
        question, code, part = self.question, self.code, self.part
        chosen = self.all(self.picked)
        candidates = question.candidates()
        there = Counter(question.machine.items(question.slots, question.frame))
        last = next(n for n, reason in enumerate(question.site.reasons) if reason.test == part)
        options: list[Choice] = []
        with question.machine.asking(question.frame):
            L, now = question.locals(), question.locals()
            now[chosen_local(part)] = chosen
            texts = [question.text(now if value is None else L, value, question.seat) for _, value in candidates]
            L = question.locals()
            failing = [self.failing(L, value, last) for _, value in candidates]
            fit = [v for (_, v), reason in zip(candidates, failing, strict=True) if v is not None and reason is None]
            left = Counter({value: there[value] for value in fit})
            left.subtract(self.picked)
            search = Search(question, part, left, L)
            for (action, value), text, reason in zip(candidates, texts, failing, strict=True):
                why: str | None = None
                if value is None:
                    against = first(question.slots, now, code.none_tests)
                    why = None if against is None else against[0].render(question.slots, against[1], question.seat)
                elif self.picked.count(value) >= there[value]:
                    why = PICKED
                elif reason is not None:
                    why = reason
                elif len(chosen) >= search.most:
                    why = ENOUGH
                elif not search.holds(chosen, value):
                    why = self.together(L, last, value) if not self.picked else NOT_TOGETHER
                options.append(Choice(action, question.name(value), text, why is None, why))
            prompt = code.prompt.render(question.slots, now, question.seat)
        site = question.site
        return Decision(question.seat, site.name, prompt, tuple(options), site.secret, site.move)

    def failing(self, L: Any, value: Any, last: int) -> str | None:
        """What is said against an item whatever else is chosen; None if nothing is."""
        question = self.question
        L[question.site.item] = value
        tests = [test for n, test in enumerate(self.code.tests) if n != last]
        against = None if value is None else first(question.slots, L, tests)
        return None if against is None else against[0].render(question.slots, against[1], question.seat)

    def together(self, L: Any, last: int, value: Any) -> str:
        """Why no answer holds an item."""
        L[self.question.site.item] = value
        return self.code.tests[last][1].render(self.question.slots, L, self.question.seat)


class Search:
    """Looks for whole answers that hold some items, and others of those that are `left`: so many of each."""

    def __init__(self, question: Question, part: ir.Completable, left: Counter[Any], L: Any) -> None:
        compiler = question.machine.compiler
        self.S, self.L = question.slots, list(L)
        self.index = part.index
        self.least = compiler.expr(part.low)(self.S, L)
        self.most = compiler.expr(part.high)(self.S, L)
        self.whole = compiler.optional(part.whole)
        self.left = left
        self.fuel, self.cost = compiler.fuel, compiler.weights.item(part.whole)

    def holds(self, before: tuple[Any, ...], value: Any) -> bool:
        """Whether an answer holds what is chosen and a value; raises Problem R014 where that takes too long."""
        chosen = (*before, value)
        rest = sorted((self.left - Counter([value])).elements())
        if len(chosen) > self.most or len(chosen) + len(rest) < self.least:
            return False
        return self.whole is None or self.completed(chosen, rest, 0)

    def completed(self, have: tuple[Any, ...], rest: list[Any], at: int) -> bool:
        """Whether these, with some of the rest from a place of it on, are a whole answer."""
        assert self.whole is not None
        self.fuel[0] -= self.cost
        if self.fuel[0] < 0:
            raise too_much()
        if len(have) >= self.least:
            self.L[self.index] = tuple(sorted(have))
            if self.whole(self.S, self.L):
                return True
        if len(have) == self.most:
            return False
        return any(
            self.completed((*have, rest[i]), rest, i + 1)
            for i in range(at, len(rest))
            if len(have) + len(rest) - i >= self.least
        )


def part_of(site: ir.Site) -> ir.Completable | None:
    """What a question for one more of several asks whether it can be completed; None where one alone is chosen."""
    part = next((reason.test for reason in site.reasons if isinstance(reason.test, ir.Completable)), None)
    before = None if part is None else part.chosen
    return part if isinstance(before, ir.Op) and isinstance(before.args[0], ir.Local) else None


def of_list(site: ir.Site) -> bool:
    """Whether several are chosen of a list in which some may be equal."""
    return site.tray is not None and site.tray.type.what == "list"


def chosen_local(part: ir.Completable) -> int:
    """The local that holds what the rules have been answered so far: the part is `concat(it, pack(item))`."""
    assert isinstance(part.chosen, ir.Op)
    so_far = part.chosen.args[0]
    assert isinstance(so_far, ir.Local)
    return so_far.index


def taken(question: Question, part: ir.Completable) -> tuple[Any, ...]:
    """What the rules have been answered so far."""
    answered: tuple[Any, ...] = question.locals()[chosen_local(part)]
    return answered

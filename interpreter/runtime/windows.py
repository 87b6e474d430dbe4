"""Windows of events: which rules react, in which order, and how often they may."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.runtime.values import Functions, Slots
from rulespec import ir

Entry = tuple[int, tuple[Any, ...]]  # a rule and its instance's arguments
Call = Callable[..., Any]


def instance(piece: Any) -> tuple[Any, ...]:
    """An instance's arguments, which a menu's candidate writes as a piece or None."""
    if piece is None:
        return ()
    return piece if isinstance(piece, tuple) else (piece,)


class RuleCode:
    """A rule with its functions compiled."""

    def __init__(self, rule: ir.Rule, compiler: Functions) -> None:
        def function(index: int | None) -> Call | None:
            return None if index is None else compiler.function(index)

        self.rule = rule
        self.alive = function(rule.alive)
        self.test = function(rule.test)
        self.player = function(rule.player)
        self.rank = rule.rank
        self.limit = rule.limit
        pieces = tuple(sorted(rule.pieces))
        self.fixed: tuple[tuple[Any, ...], ...] | None = None
        if rule.source == "plain":
            self.fixed = ((),)
        elif rule.source == "pieces":
            self.fixed = tuple((piece,) for piece in pieces)
        self.offsets = {piece: i for i, piece in enumerate(rule.pieces)}
        if self.limit is not None and rule.counter is None:
            raise ValueError(f"rule {rule.name} has a limit and no counter")

    def counter(self, args: tuple[Any, ...]) -> int:
        """The slot that counts an instance."""
        base = self.rule.counter or 0
        return base + self.offsets[args[0]] if self.rule.source == "pieces" else base


class Windows:
    """The rules of a program."""

    def __init__(self, program: ir.Program, compiler: Functions) -> None:
        self.codes = tuple(RuleCode(rule, compiler) for rule in program.rules)

    def collect(
        self, S: Slots, rules: tuple[int, ...], values: tuple[Any, ...], order: tuple[int, ...] | None
    ) -> tuple[Entry, ...]:
        """The queue of a window: what is alive, sorted; `values` are the event's."""
        queue: list[tuple[int, int, Entry]] = []
        for index in sorted(rules):
            code = self.codes[index]
            instances = code.fixed
            if instances is None:
                lasting_rule = code.rule.lasting
                instances = tuple(args for lasting, args, _ in S[ir.LASTING] if lasting == lasting_rule)
            alive = code.alive
            for args in instances:
                if alive is None or alive(S, *args):
                    place = -1
                    if order is not None and code.player is not None:
                        player = code.player(S, *args, *values)
                        place = order.index(player) if player in order else -1
                    queue.append((place, code.rank, (index, args)))
        queue.sort(key=lambda one: one[:2])
        return tuple(entry for _, _, entry in queue)

    def passes(self, S: Slots, entry: Entry, args: tuple[Any, ...]) -> bool:
        """Whether a rule's test holds now and its limit is not used up."""
        code = self.codes[entry[0]]
        instance_args = instance(entry[1])
        if code.limit is not None and S[code.counter(instance_args)] >= code.limit:
            return False
        return code.test is None or bool(code.test(S, *instance_args, *args))

    def use(self, S: Slots, entry: Entry) -> None:
        """Count a rule that is about to run, so that it cannot set itself off beyond its limit."""
        code = self.codes[entry[0]]
        if code.limit is not None:
            S[code.counter(instance(entry[1]))] += 1

    def give_back(self, S: Slots, entry: Entry) -> None:
        """A rule was declined: it does not count."""
        code = self.codes[entry[0]]
        if code.limit is not None:
            slot = code.counter(instance(entry[1]))
            S[slot] = max(0, S[slot] - 1)

    def player(self, S: Slots, entry: Entry, values: tuple[Any, ...]) -> int | None:
        """Whose rule it is, at an event with these values."""
        code = self.codes[entry[0]]
        return None if code.player is None else code.player(S, *instance(entry[1]), *values)

    def tied(self, S: Slots, queue: tuple[Entry, ...], args: tuple[Any, ...]) -> tuple[int | None, tuple[int, ...]]:
        """The player of the head, and the positions of entries of the same player and rank, at the
        head of the queue, that pass their tests."""
        player = self.player(S, queue[0], args)
        rank = self.codes[queue[0][0]].rank
        passing: list[int] = []
        for at, entry in enumerate(queue):
            if self.codes[entry[0]].rank != rank or self.player(S, entry, args) != player:
                break
            if self.passes(S, entry, args):
                passing.append(at)
        return player, tuple(passing)

"""What an expression that looks ahead depends on: on what it reads, and on what decides what it would find there.

    only:
      - after(discard(card), size(p2.hand)) == 0     # whoever sees which cards are legal may learn what lies in `p2.hand`

A procedure that is looked ahead at shows nothing, so that no order of its steps matters: all of them are looked at together until
nothing changes.  What decides its branches is told by whatever is read afterwards; what it writes is told where it is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any, Protocol, assert_never

from rulespec import ir
from rulespec.ir.walk import within
from rulespec.lint.flow.labels import NONE, PUBLIC, Atom, Label, Secret, Val, joined
from rulespec.lint.flow.secrecy import Secrecy
from rulespec.lint.flow.terms import ANY, Carrier, Constant, Depth
from rulespec.system.records import dataclass

ROUNDS = 20  # until nothing changes: labels only grow, and there are few


class Evaluator(Protocol):
    """Who says what expressions depend on."""

    secrecy: Secrecy

    def of(self, e: ir.Expr, L: Mapping[int, Val], depth: Depth) -> Val:
        """What an expression's value depends on, with what its locals depend on."""

    def invoke(self, function: int, args: tuple[Val, ...]) -> Val:
        """The same of a function of the game."""


@dataclass(slots=True)
class Left:
    """What a procedure leaves: what decides about it, what is written into the slots from a base on, and its result."""

    decides: Label = NONE
    written: dict[int, Label] = field(default_factory=dict)
    result: Val = PUBLIC

    def note(self, base: int, label: Label) -> None:
        """Something is written."""
        self.written[base] = self.written.get(base, NONE) | label


class LookingAhead:
    """What expressions of a program that look ahead depend on."""

    def __init__(self, values: Evaluator) -> None:
        self.values = values
        self.secrecy = values.secrecy
        self.program = values.secrecy.program
        self.active: list[int] = []  # procedures that are being looked at

    def value(self, e: ir.After, L: Mapping[int, Val], depth: Depth) -> Val:
        """What the value depends on."""
        left = Left()
        self.run(left, e.procedure, tuple(self.values.of(arg, L, depth) for arg in e.args))
        label = self.values.of(e.value, L, depth).label | self.read_again(left, e.value) | left.decides
        return Val(ANY, label, NONE, label)

    def run(self, left: Left, procedure: int, args: tuple[Val, ...]) -> Val:
        """Look at a procedure and all that it runs; what it gives."""
        if procedure in self.active:  # rules that set each other off
            left.decides |= self.everything()
            return Val(ANY, left.decides, NONE, left.decides)
        self.active.append(procedure)
        env = dict(enumerate(args))
        result = PUBLIC
        for _ in range(ROUNDS):
            before = dict(env), left.decides, dict(left.written), result
            for i in self.program.procedures[procedure].code:
                if isinstance(i, ir.Return) and i.value is not None:
                    result = joined(result, self.read(left, i.value, env, procedure), ANY)
                self.step(left, i, env, procedure)
            if before == (env, left.decides, left.written, result):
                break
        self.active.pop()
        return result

    def step(self, left: Left, i: ir.Instruction, env: dict[int, Val], procedure: int) -> None:
        """One instruction: what it puts into locals and slots, and what decides where it leads."""

        def of(*exprs: ir.Expr | None) -> list[Val]:
            return [PUBLIC if e is None else self.read(left, e, env, procedure) for e in exprs]

        match i:
            case ir.Let(index, value):
                put(env, index, of(value)[0])
            case ir.Next(index):
                items = env.get(index, PUBLIC)
                left.decides |= items.size
                put(env, index + 2, Val(ANY, items.label, items.ident, items.label))
            case ir.Unless(test) | ir.Claim(test):
                left.decides |= of(test)[0].label
            case ir.Store():
                left.note(self.whole(i.base), labels(of(i.value, i.index)))
            case ir.Call(called, args, live):
                put(env, live, self.run(left, called, tuple(of(*args))))
            case ir.Move():
                self.move(left, i, *of(i.pieces, i.index))
            case ir.MoveCounts():
                label = labels(of(i.bag, i.source_index, i.index))
                for number in (i.source, i.zone):
                    if number is not None:
                        left.note(self.program.zones[number].base, label)
            case ir.Collect(rules, args):
                self.rules(left, rules, tuple(of(*args)))
            case ir.Begin(_, args):
                left.note(ir.LASTING, labels(of(*args)))
            case ir.Cease():
                put(env, i.live, Val(ANY, left.written.get(ir.LASTING, NONE) | self.everything()))
            case ir.Jump() | ir.Return() | ir.Learn() | ir.Say() | ir.NextRule() | ir.CallRule() | ir.Enter():
                pass
            case ir.Leave() | ir.Unwind() | ir.Resume() | ir.Reset() | ir.Finish():
                pass
            case ir.Ask() | ir.Draw() | ir.Fork():  # the checker lets nobody look ahead at these
                pass
            case _:
                assert_never(i)

    def move(self, left: Left, i: ir.Move, pieces: Val, index: Val) -> None:
        """Pieces leave where they lie, which tells where that was, unless they were found there."""
        kind = self.program.zones[i.zone].kind
        label = pieces.label | pieces.size | index.label
        if not pieces.ident and kind in self.secrecy.hidden_kinds and not isinstance(pieces.term, Carrier):
            label |= {Atom(Secret("place", kind))}
        for zone in self.program.zones:
            if zone.kind == kind:
                left.note(zone.base, label)
        location = self.program.kinds[kind].location
        if location is not None:
            left.note(location, label)

    def rules(self, left: Left, rules: tuple[int, ...], event: tuple[Val, ...]) -> None:
        """Rules that an event sets off: which of them are alive decides, and what they do is done."""
        for rule in (self.program.rules[number] for number in rules):
            if rule.arguments:  # it began with something that nobody remembers here
                left.decides |= self.everything()
            count = max(self.program.procedures[rule.procedure].parameters - len(event), 0)
            instance = (Val(ANY),) * count
            for function, args in ((rule.alive, instance), (rule.test, (*instance, *event)), (rule.player, instance)):
                if function is not None:
                    given = (*args, *event)[: self.program.functions[function].parameters]
                    body = self.program.functions[function].body
                    left.decides |= self.values.invoke(function, given).label | self.read_again(left, body)
            self.run(left, rule.procedure, (*instance, *event))

    # --- what is read -------------------------------------------------------------------------------------------------
    def read(self, left: Left, e: ir.Expr, env: Mapping[int, Val], procedure: int) -> Val:
        """What an expression in a procedure depends on."""
        value = self.values.of(e, env, Depth(-1 - procedure))
        again = self.read_again(left, e)
        return Val(value.term, value.label | again, value.ident, value.size | again) if again else value

    def read_again(self, left: Left, node: Any) -> Label:
        """What was written into slots that something reads."""
        if not left.written:
            return NONE
        label = NONE
        for e in within(node):
            match e:
                case ir.Load(base):
                    label |= left.written.get(self.whole(base), NONE)
                case ir.Invoke(function):
                    label |= self.read_again(left, self.program.functions[function].body)
                case ir.After(procedure):
                    label |= self.read_again(left, self.program.procedures[procedure].code)
        return label

    def whole(self, slot: int) -> int:
        """Where the slots of the zone, the variable or the places begin of which a slot is one."""
        place = self.secrecy.zones.get(slot) or self.secrecy.variables.get(slot)
        if place is not None:
            return place[0].base
        kind = self.secrecy.locations.get(slot)
        return slot if kind is None or kind.location is None else kind.location

    def everything(self) -> Label:
        """All that is hidden."""
        secrecy = self.secrecy
        hidden = [Secret("zone", part.index, ANY) for part in self.program.zones if part.seen.who != "all"]
        hidden += [Secret("var", part.index, ANY) for part in self.program.variables if part.seen.who != "all"]
        hidden += [Secret("place", kind) for kind in sorted(secrecy.hidden_kinds)]
        return frozenset(map(Atom, hidden))


def put(env: dict[int, Val], index: int, value: Val) -> None:
    """A local becomes a value, or another one."""
    if index in env:
        env[index] = joined(env[index], value, ANY)
    else:
        env[index] = value._replace(term=value.term if isinstance(value.term, Constant) else ANY)


def labels(values: Iterable[Val]) -> Label:
    """All secrets of some values."""
    return frozenset().union(*(value.label | value.size for value in values))

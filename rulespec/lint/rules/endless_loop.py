"""A loop that never ends once it has begun."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.lint.evaluate import World
from rulespec.lint.finding import Finding, Rule
from rulespec.lint.game import LintGame
from rulespec.lint.ways import ANYTHING, Ways, onward
from rulespec.source import Span

RULE = Rule("L041", "error")


def check(game: LintGame) -> Iterator[Finding]:
    """Loops with `while` or `until` that nothing leaves, and in which nothing changes what their condition reads."""
    ways = game.ways
    for procedure, _ in game.steps():
        for position, i in enumerate(procedure.code):
            if not isinstance(i, ir.Unless) or (place := written(game, i.test)) is None:
                continue
            end = last_jump(procedure, position)
            if end is None or not isinstance(procedure.code[end], ir.Jump):
                continue
            body = range(position + 1, end + 1)
            if any(leaves(ways, procedure, p, position, end) for p in body):
                continue
            if not literal(i.test) and changed(game.ranges.world, ways, procedure, body, i.test):
                continue
            yield Finding(RULE, "this loop never ends once it has begun", place,
                          help=("nothing in it changes what the condition reads, and nothing leaves it",))  # fmt: skip


def written(game: LintGame, test: ir.Expr) -> Span | None:
    """Where the condition of a loop is written; None for a test that the checker made."""
    while True:
        own = game.game.conditions.get(id(test))
        if own is not None and own[0] is test:
            return own[1].at(own[2], own[3])
        if not (isinstance(test, ir.Op) and test.name == "not_"):
            return None
        test = test.args[0]


def literal(test: ir.Expr) -> bool:
    """Whether a condition is `yes` or `no`."""
    while isinstance(test, ir.Op) and test.name == "not_":
        test = test.args[0]
    return isinstance(test, ir.Const)


def last_jump(procedure: ir.Procedure, head: int) -> int | None:
    """The last jump back to a loop's head."""
    jumps = [p for p, i in enumerate(procedure.code) if p > head and isinstance(i, ir.Jump) and i.target == head]
    return jumps[-1] if jumps else None


def leaves(ways: Ways, procedure: ir.Procedure, position: int, head: int, end: int) -> bool:
    """Whether an instruction of a loop may lead out of it."""
    i = procedure.code[position]
    match i:
        case ir.Return() | ir.Finish():
            return True
        case ir.Unwind(target):
            gone = {target}
        case ir.Call(called):
            gone = ways.escapes[called]
        case ir.CallRule():
            gone = ways.escapes[-1]
        case ir.Resume():
            return False
        case _:
            return any(not head <= target <= end for target in onward(procedure, position))
    caught = {r.name for r in procedure.regions if head <= r.start and r.start <= position < r.end and r.handler <= end}
    return bool(gone - caught)


def changed(world: World, ways: Ways, procedure: ir.Procedure, body: range, test: ir.Expr) -> bool:
    """Whether a loop may change what its condition reads."""
    slots, bits = world.slots_of(test), world.locals_of(test)
    for position in body:
        i = procedure.code[position]
        touched = set(ways.written(i))
        if touched & slots or (ANYTHING in touched and slots):
            return True
        match i:
            case ir.Let(index) | ir.Ask(live=index) | ir.Draw(live=index) | ir.Fork(live=index) | ir.Call(live=index):
                if bits >> index & 1:
                    return True
            case ir.CallRule(live=index) | ir.Collect(live=index) | ir.Cease(live=index) | ir.Enter(live=index):
                if bits >> index & 1:
                    return True
            case ir.Next(index) | ir.NextRule(index):
                if bits >> index & 0b111:
                    return True
    return False

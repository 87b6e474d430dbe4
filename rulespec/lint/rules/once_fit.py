"""Players whom a loop asks though its condition holds for them no longer: it is looked at once, before the first of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec import ir
from rulespec.ir.walk import conjuncts, unnegated, within
from rulespec.language import bounds, operators
from rulespec.language.facts import CForm
from rulespec.language.registry import body, facts, verbs
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.procedure_summaries import onward, reachable_from
from rulespec.lint.stages import Step, called, steps
from rulespec.system.records import dataclass
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import MapNode, ScalarNode

RULE = LintRule("L131")
EACH = re.compile(r"\b(any|count)\(|^\s*\w+ in ")  # a condition on single players


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the condition of a loop: a test of a slot of the one that is looked at, and how it is spelled out."""

    base: int
    test: ir.Expr
    load: ir.Load

    def broken_by(self, store: ir.Store) -> bool:
        """Whether a value that is written may be one with which the test does not hold."""
        test, wanted = unnegated(self.test)
        if test == self.load:
            return not isinstance(store.value, ir.Const) or bool(store.value.value) != wanted
        assert isinstance(test, ir.Op)
        left, right = test.args
        if isinstance(store.value, ir.Const):
            known = [store.value if side == self.load else side for side in (left, right)]
            values = [side.value for side in known if isinstance(side, ir.Const)]
            if len(values) == 2:
                return bool(body(test.name)(values[0], values[1])) != wanted
        change = store.value.name if isinstance(store.value, ir.Op) else ""
        if test.name in (operators.LESS, operators.AT_MOST) and change in (operators.ADD, operators.SUBTRACT):
            return change == (operators.SUBTRACT if (right == self.load) == wanted else operators.ADD)
        return True


def compares(name: str) -> bool:
    """Whether a function tells how two values compare."""
    known = facts(name)
    return known.c.form is CForm.EQUALITY or known.result in (bounds.less, bounds.at_most)


def check(game: LintGame) -> Iterator[Finding]:
    """Loops over players with a condition of which a step for one of them may break a part for another, who is then asked.

    It is silent where a test of the same stands before the question, where such a change ends the game, and on what rules change.
    """
    if game.context.counts[-1] < 3:  # between two, whoever drops out ends the game
        return
    loops = {step.node.span: step for step in steps(game) if step.traits.loops == "items"}
    for procedure, _ in game.steps():
        for head, i in enumerate(procedure.code):
            step = loops.get(i.where) if isinstance(i, ir.Next) and i.where is not None else None
            if step is None or not isinstance(i, ir.Next):
                continue
            filled = procedure.code[head - 2]
            if isinstance(filled, ir.Let) and isinstance(filled.value, ir.Comp):
                parts = [part for part in parts_of(game, filled.value) if not ends_for_one(game, part.base)]
                yield from found(game, procedure, head, i, step, parts)


def found(
    game: LintGame, procedure: ir.Procedure, head: int, loop: ir.Next, step: Step, parts: list[Part]
) -> Iterator[Finding]:
    """What is found in one loop: the first change that breaks a part of its condition for another."""
    own = frozenset({loop.index + 2})
    body = range(head + 1, loop.target)
    for part in parts:
        changes = [
            store
            for position in body
            if head in reachable_from(procedure, position)
            for store in written(game, procedure, position, own, set())
            if store.base == part.base and part.broken_by(store)
        ]
        if not changes or not asked(game, procedure, head + 1, own, part.base, {head}, set())[0]:
            continue
        header = step.operand
        assert isinstance(header, ScalarNode)
        where, condition = changes[0].where, header.value.partition(" where ")[2].strip()
        yield Finding(
            RULE,
            f"{ticked(condition)} is looked at once, before the first step: who does not fit any more is asked all the same",
            header.span,
            help=(f"test again before the question: {ticked(f'if: {condition}')} with the steps in `then:`",),
            related=() if where is None else ((game.line_of(where), "it may change here for another"),),
        )
        return


def parts_of(game: LintGame, items: ir.Comp) -> Iterator[Part]:
    """The parts of the condition of a loop that are understood: tests of one slot of a player who is looked at."""
    if items.where is None:
        return
    for test in conjuncts(items.where):
        bare, _ = unnegated(test)
        sides = bare.args if isinstance(bare, ir.Op) and compares(bare.name) else (bare,)
        loads = [side for side in sides if isinstance(side, ir.Load) and side.index == ir.Local(items.index)]
        if len(loads) == 1 and of_players(game, loads[0].base):
            yield Part(loads[0].base, test, loads[0])


def of_players(game: LintGame, base: int) -> bool:
    """Whether a slot is the first of a variable that every player has."""
    return any(v.base == base and list(v.per) == [game.context.kinds["Player"]] for v in game.context.variables)


def ends_for_one(game: LintGame, base: int) -> bool:
    """Whether a rule that is always true ends the game as soon as something is so of one player."""
    name = next(v.name for v in game.context.variables if v.base == base)
    for _, rule in game.section("rules"):
        always = rule.get("always") if isinstance(rule, MapNode) else None
        if isinstance(always, ScalarNode) and EACH.search(always.value) and re.search(rf"\b{name}\b", always.value):
            assert isinstance(rule, MapNode)
            body = rule.get("do")
            if body is not None and any(
                verb.traits.ends for word in called(body) if (verb := verbs().get(word)) is not None
            ):
                return True
    return False


def aliases(procedure: ir.Procedure, own: frozenset[int]) -> frozenset[int]:
    """The locals that hold the item of the loop."""
    named = {i.index for i in procedure.code if isinstance(i, ir.Let) and i.value in {ir.Local(index) for index in own}}
    return own | named


def passed(i: ir.Call, own: frozenset[int]) -> frozenset[int]:
    """The parameters of a procedure that get the item of the loop."""
    return frozenset(k for k, arg in enumerate(i.args) if isinstance(arg, ir.Local) and arg.index in own)


def written(
    game: LintGame, procedure: ir.Procedure, position: int, own: frozenset[int], seen: set[int]
) -> Iterator[ir.Store]:
    """What an instruction and the procedures that it runs write of others than the item, unless a test behind it ends the game."""
    i = procedure.code[position]
    own = aliases(procedure, own)
    match i:
        case ir.Store(index=ir.Local() | ir.Op() as index):
            mine = isinstance(index, ir.Local) and index.index in own
            if not mine and not ends_behind(game, procedure, position, i):
                yield i
        case ir.Call(number) if number not in seen:
            seen.add(number)
            inner = game.program.procedures[number]
            for place in sorted(reachable_from(inner)):
                yield from written(game, inner, place, passed(i, own), seen)
        case _:
            pass


def ends_behind(game: LintGame, procedure: ir.Procedure, position: int, store: ir.Store) -> bool:
    """Whether a test of what was written follows in the same procedure, and something is left or won where it holds."""
    for later in range(position + 1, len(procedure.code)):
        test = procedure.code[later]
        if isinstance(test, ir.Unless) and reads(game, test.test, store.base):
            branch = procedure.code[later + 1 : test.target] if test.target > later else ()
            leaving = (isinstance(i, ir.Unwind | ir.Finish) or is_win(i) for i in branch)
            if any(leaving) and any(e == store.index for e in within(test.test)):
                return True
    return False


def is_win(i: ir.Instruction) -> bool:
    """Whether an instruction names who has won."""
    return isinstance(i, ir.Store) and i.base == ir.WINNERS


def reads(game: LintGame, e: ir.Expr, base: int) -> bool:
    """Whether an expression may depend on a slot."""
    return base in game.ranges.world.slots_of(e)


def asked(
    game: LintGame,
    procedure: ir.Procedure,
    start: int,
    own: frozenset[int],
    base: int,
    stops: set[int],
    seen: set[int],
) -> tuple[bool, bool]:
    """Whether the item of the loop is asked with no test of a slot before; and whether the procedure may end with none."""
    own = aliases(procedure, own)
    todo, known, through = [start], set(stops), False
    while todo:
        position = todo.pop()
        if position in known or position >= len(procedure.code):
            continue
        known.add(position)
        i = procedure.code[position]
        match i:
            case ir.Unless(test) if reads(game, test, base):
                continue
            case ir.Ask(site):
                player = game.program.sites[site].player
                if isinstance(player, ir.Local) and player.index in own:
                    return True, False
            case ir.Return():
                through = True
            case ir.Call(number) if number not in seen:
                inner = game.program.procedures[number]
                hit, ends = asked(game, inner, 0, passed(i, own), base, set(), seen | {number})
                if hit:
                    return True, False
                if not ends:
                    continue
            case _:
                pass
        todo += onward(procedure, position)
    return False, through

"""Sealed choices: several players answer on the same state, and then all is opened."""

from __future__ import annotations

import re
from dataclasses import replace

from rulespec import ir
from rulespec.checker.body import Body
from rulespec.checker.env import ASKED, HOLDS, WHO, Env, Frame, LocalVar, Sealed, looping
from rulespec.checker.inference import article
from rulespec.checker.verbs.control import loop
from rulespec.expr import parser, printer, syntax
from rulespec.language.registry import Traits, VerbKey, verb
from rulespec.language.types import (
    PLAYER,
    EntityType,
    ListType,
    OptionType,
    RecordType,
    UnknownType,
)  # fmt: skip
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode


@verb(
    "together",
    VerbKey("binder", "who: a name in a set of players", required=True),
    {
        "do": VerbKey("steps", "choices only, each on the same state", required=True),
        "then": VerbKey("steps", "what follows for each player, with all answers known"),
    },
    group="choices",
    example=(
        "- together: p in players\n"
        "  do:\n"
        "    - choose: bid\n"
        "      by: p\n"
        "      from: p.hand\n"
        "  then:\n"
        "    - move: p.bid\n"
        "      to: p.shown"
    ),
    traits=Traits(seals=True),
)
def together(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Sealed choices: each player answers unseen by the others, all on the same state; then all are opened.

    Afterwards `q.name` is what player q chose under that name.  Where not all are asked, it is none for those who were not: test it
    with `is known`, or go through the players with the same condition, as long as nothing has changed what it reads.
    """
    context = body.context
    if not isinstance(value, ScalarNode):
        return env
    if body.sealed:
        context.error("E502", "`together` cannot stand in `together`", node.entries[0][0].span)
        return env
    reads = env.frame.reads
    env.frame.reads = set()
    inner, index, items, where, t = body.expressions.binder(value, env)
    deciding = frozenset(env.frame.reads)
    env.frame.reads |= reads
    if not isinstance(t, EntityType | UnknownType) or (isinstance(t, EntityType) and t.kind != "Player"):
        context.error(
            "E201", f"players choose together, and this is {article(t)}", value.span, expected="a set of Player"
        )
        return env
    if where is not None:
        items = ir.Comp(index, items, where)
    names = {v.index: n for n, v in inner.locals.items()}
    player_name = names.get(index, "")
    child = Body(context, body.expressions, f"{body.name}: together", node.span)
    child.sealed, child.move, child.batch, child.owner = True, body.move, body.batch, body.owner
    body.asks = True
    given = sorted({*(v.index for v in env.locals.values()), *(answer.results for answer in env.sealed.values())})
    place = {local: position for position, local in enumerate(given, 1)}
    shifted = {name: LocalVar(place[v.index], v.type) for name, v in env.locals.items()}
    shifted[player_name] = LocalVar(0, PLAYER)
    shifted.setdefault("me", LocalVar(0, PLAYER))
    sealed = {name: replace(answer, results=place[answer.results]) for name, answer in env.sealed.items()}
    frame = Frame([PLAYER, *(env.frame.types[local] for local in given)])
    child_env = Env(frame, shifted, len(frame.types), env.known, sealed)
    child.gives = RecordType("answers", ())
    child.scopes = list(body.scopes)
    end = child.block(node.get("do"), child_env)
    answers = [(name, v) for name, v in end.locals.items() if name not in shifted]
    child.gives = RecordType("answers", tuple((name, v.type) for name, v in answers))
    child.emit(ir.Return(ir.Op("pack", tuple(ir.Local(v.index) for _, v in answers)), node.span))
    number = len(context.out_procedures)
    context.out_procedures.append(child.finish(1 + len(given), end))
    env.frame.reads |= child_env.frame.reads
    env.frame.scopes |= child_env.frame.scopes
    env.frame.ahead |= child_env.frame.ahead
    args = tuple(ir.Local(local) for local in given)
    after, results = env.fresh(ListType(OptionType(child.gives)))
    body.emit(ir.Fork(items, number, args, results, node.span))
    body.expressions.opened = True
    asked = conditions(body, value)
    opened = {name: Sealed(results, position, v.type, asked, deciding) for position, (name, v) in enumerate(answers)}
    for name in opened:
        after = after.forgetting(name)
    after = replace(after, sealed={**after.sealed, **opened})
    after = after.knowing(frozenset(f"{ASKED}{who}.{name}" for who in listed(value) for name in opened))
    steps = node.get("then")
    if steps is not None:
        within, first = after.fresh(*looping(ListType(PLAYER)))
        within = within.called(player_name, first + 2, PLAYER)
        within = within.knowing(frozenset(f"{ASKED}{player_name}.{name}" for name in opened))
        again = ir.Op("present", (ir.Local(results),))
        if where is None and isinstance(t, EntityType):
            again = ir.Op("in_order", (items, ir.Local(results)))
        loop(body, steps, first + 2, within, again, node.span)
    return after


def conditions(body: Body, header: ScalarNode) -> tuple[str, ...]:
    """The conditions by which a player is asked, with `WHO` where the name of the player stands; none if all are."""
    tree = parser.binder(header, Diagnostics())
    if tree is None:
        return ()
    everybody = tree.coll.func if isinstance(tree.coll, syntax.Call) else tree.coll
    every = isinstance(everybody, syntax.Name) and everybody.id in ("players", "seats_from", "Player")
    holding = body.expressions.parts_that_hold(tree.where, True)
    if not every:
        holding = holding | {f"{HOLDS}{tree.var} in {printer.to_text(tree.coll)}"}
    return tuple(sorted(re.sub(rf"(?<![\w.]){tree.var}\b", WHO, condition) for condition in holding))


def listed(header: ScalarNode) -> list[str]:
    """The names of players that are listed one by one, all of whom are asked."""
    tree = parser.binder(header, Diagnostics())
    if tree is None or tree.where is not None or not isinstance(tree.coll, syntax.Call):
        return []
    func = tree.coll.func
    if not isinstance(func, syntax.Name) or func.id not in ("list", "set"):
        return []
    return [part.id for part in tree.coll.args if isinstance(part, syntax.Name)]

"""Sealed choices: several players answer on the same state, and then all is opened."""

from __future__ import annotations

from dataclasses import replace

from rulespec import ir
from rulespec.checker.body import Body
from rulespec.checker.env import Env, Frame, LocalVar
from rulespec.checker.inference import article
from rulespec.checker.verbs.control import loop
from rulespec.language.registry import VerbKey, verb
from rulespec.language.types import (
    PLAYER,
    EntityType,
    RecordType,
    UnknownType,
)  # fmt: skip
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
)
def together(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Sealed choices: each player answers unseen by the others, all on the same state; then all are opened.

    Afterwards `q.name` is what player q chose under that name.
    """
    context = body.context
    if not isinstance(value, ScalarNode):
        return env
    if body.sealed:
        context.error("E502", "`together` cannot stand in `together`", node.entries[0][0].span)
        return env
    inner, index, items, where, t = body.expressions.binder(value, env)
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
    shifted = {name: LocalVar(v.index + 1, v.type) for name, v in env.locals.items()}
    shifted[player_name] = LocalVar(0, PLAYER)
    shifted.setdefault("me", LocalVar(0, PLAYER))
    sealed = {name: (local + 1, position, part) for name, (local, position, part) in env.sealed.items()}
    child_env = Env(Frame(env.depth + 1), shifted, env.depth + 1, env.known, sealed)
    child.gives = RecordType("answers", ())
    child.scopes = list(body.scopes)
    end = child.block(node.get("do"), child_env)
    answers = [(name, v) for name, v in end.locals.items() if name not in shifted]
    child.emit(ir.Return(ir.Op("pack", tuple(ir.Local(v.index) for _, v in answers)), node.span))
    number = len(context.out_procedures)
    context.out_procedures.append(child.finish(env.depth + 1, end))
    env.frame.reads |= child_env.frame.reads
    env.frame.scopes |= child_env.frame.scopes
    env.frame.ahead |= child_env.frame.ahead
    args = tuple(ir.Local(i) for i in range(env.depth))
    body.emit(ir.Fork(items, number, args, env.depth, node.span))
    results = env.depth
    after = env.skip(1)
    opened = {name: (results, position, v.type) for position, (name, v) in enumerate(answers)}
    after = replace(after, sealed={**after.sealed, **opened})
    steps = node.get("then")
    if steps is not None:
        within = after.skip(2).bind(player_name, PLAYER)[0]
        again = ir.Op("present", (ir.Local(results),))
        if where is None and isinstance(t, EntityType):
            again = ir.Op("in_order", (items, ir.Local(results)))
        loop(body, steps, after, within, again, node.span)
    return after

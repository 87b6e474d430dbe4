"""Verbs of control: branches, loops, names."""

from __future__ import annotations

from rulespec import ir
from rulespec.checker import lookahead
from rulespec.checker.body import Body, OpenLoop
from rulespec.checker.context import listed
from rulespec.checker.env import Env, Told, looping
from rulespec.checker.inference import unwrap
from rulespec.checker.publishing import publish, until_the_end
from rulespec.checker.sentences import taken, unlike
from rulespec.checker.steps import again, joined
from rulespec.language.facts import Result
from rulespec.language.registry import Traits, VerbKey, facts, verb
from rulespec.language.types import (
    BOOL,
    INT,
    PLAYERS,
    UNKNOWN,
    EmptyType,
    EntityType,
    IntType,
    ListType,
    NoneType,
    OptionType,
    Type,
    UnknownType,
)
from rulespec.text.quoting import ticked
from rulespec.text.source import Span
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode


@verb(
    "if",
    VerbKey("expr", "a yes or no", required=True, role="test"),
    {"then": VerbKey("steps", "steps if it holds", required=True), "else": VerbKey("steps", "steps if it does not")},
    group="control",
    example="- if: p.coins > 0\n  then:\n    - lose: 1\n      from: p.coins",
    traits=Traits(sealed=True, branches=("then", "else")),
    ahead=lookahead.branches,
)
def if_(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Run `then` if the condition holds, otherwise `else`."""
    test = body.expressions.of(value, env, BOOL)[0]
    skip = body.unless(test, node.span, "if")
    ends = [(node.get("then"), body.block(node.get("then"), env.knowing(body.facts(value, True))))]
    other, otherwise = node.get("else"), env.knowing(body.facts(value, False))
    if other is not None:
        end = body.jump()
        body.aim(skip)
        otherwise = body.block(other, otherwise)
        body.aim(end)
    else:
        body.aim(skip)
    return joined(env, [*ends, (other, otherwise)])


@verb(
    "match",
    VerbKey("expr", "a value of a type with members", required=True),
    {"with": VerbKey("arms", "steps for each member, or `else`", required=True)},
    group="control",
    example=("- match: compare(a.coins, b.coins)\n  with:\n    more: [{win: a}]\n    fewer: [{win: b}]\n    equal: []"),
    traits=Traits(sealed=True),
)
def match_(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Run the steps under the member that the value is; every member has its steps, or `else` stands for the rest."""
    expr, t = body.expressions.of(value, env)
    inner, index = env.hold(t)
    body.emit(ir.Let(index, expr, node.span))
    arms = node.get("with")
    if isinstance(t, UnknownType) or not isinstance(arms, MapNode):
        return env
    members = members_of(body, t)
    if not isinstance(unwrap(t), EntityType | IntType) and unwrap(t) != BOOL:
        body.context.error("E201", unlike(value.span.text, t, "a value of a closed list"), value.span)
        return env
    seen: set[str] = set()
    some = frozenset({body.path(value)} if isinstance(t, OptionType) else ())
    ends: list[int] = []
    after: list[tuple[Node | None, Env]] = []
    for key, steps in arms.entries:
        test = None if key.value == "else" else arm_test(body, key, index, unwrap(t) or t, members)
        if test is None:
            continue
        seen.add(key.value)
        skip = body.unless(test, key.span, "arm")
        after.append((steps, body.block(steps, inner if key.value == "none" else inner.knowing(some))))
        ends.append(body.jump())
        body.aim(skip)
    odd = len(seen) < sum(key.value != "else" for key, _ in arms.entries)  # what it stands for is reported
    missing = [] if odd else [member for member in members if member not in seen]
    if "else" in arms:
        otherwise = arms.get("else")
        after.append((otherwise, body.block(otherwise, inner.knowing(some) if "none" in seen else inner)))
    elif isinstance(unwrap(t), IntType):
        body.context.error("E507", "`match` on a number has an `else`", arms.span)
    elif missing:
        message = "`match` leaves out " + ", ".join(missing)
        body.context.error("E507", message, arms.span, help=["add them, or `else:` for the rest"])
    for end in ends:
        body.aim(end)
    return joined(env, after)


def members_of(body: Body, t: Type) -> list[str]:
    """What a value of a type may be, as the arms of a `match` say it; nothing for numbers and what has no members."""
    inner = unwrap(t)
    members = list(body.context.kinds[inner.kind].members) if isinstance(inner, EntityType) else []
    if inner == BOOL:
        members = ["yes", "no"]
    return [*members, "none"] if isinstance(t, OptionType) else members


def arm_test(body: Body, key: ScalarNode, index: int, t: Type, members: list[str]) -> ir.Expr | None:
    """Whether the value in a local is what the arm says; None where it says nothing that it can be, which is reported."""
    value = ir.Local(index)
    if isinstance(t, IntType):
        number = key.resolve()
        if isinstance(number, int):
            return ir.Op("eq", (value, ir.Const(number)))
        body.context.error("E201", f"{ticked(key.value)} is no number, as the value is", key.span)
        return None
    if key.value not in members:
        body.context.unknown(
            "E104",
            f"member of {t}",
            key.value,
            key.span,
            [*members, "else"],
            hint=f"{t} has {listed(members)}; `else` stands for the rest",
        )
        return None
    if key.value == "none":
        return ir.Op("is_none", (value,))
    return ir.Op("eq", (value, ir.Const(key.value == "yes" if t == BOOL else members.index(key.value))))


@verb(
    "for",
    VerbKey("binder", "a name in a collection, with `where`", required=True),
    {"do": VerbKey("steps", "steps for each", required=True)},
    group="control",
    example=("- for: p in players where p.coins == 0\n  do:\n    - add: 1\n      to: p.coins"),
    traits=Traits(sealed=True, loops="items"),
)
def for_(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Run the steps once for each item.  The list is taken once, before the first."""
    if not isinstance(value, ScalarNode):
        return env
    inner, index, items, where, _ = body.expressions.binder(value, env)
    if where is not None:
        items = ir.Comp(index, items, where)
    loop(body, node.get("do"), index, inner, items, node.span)
    return env


def loop(body: Body, steps: Node | None, index: int, inner: Env, items: ir.Expr, span: Span) -> None:
    """A loop over items, of which one at a time is in the local `index`, the last of the loop's three (see ir.Next)."""
    k = index - 2
    body.emit(ir.Let(k, items, span))
    body.emit(ir.Let(k + 1, ir.Const(0), span))
    head = body.emit(ir.Next(k, -1, span))
    body.loops.append(OpenLoop(regions=len(body.open)))
    body.block(steps, again(inner, steps))
    body.emit(ir.Jump(head, span))
    body.aim(head)
    for position in body.loops.pop().breaks:
        body.aim(position)


@verb(
    "repeat",
    VerbKey("expr", "how often", required=True, role="amount"),
    {"do": VerbKey("steps", "steps", required=True)},
    group="control",
    example="- repeat: 2\n  do:\n    - draw: 1\n      from: deck\n      to: p.hand",
    traits=Traits(sealed=True, loops="rounds"),
)
def repeat(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Run the steps so many times; `stop` leaves early."""
    number = body.expressions.of(value, env, INT)[0]
    items = ir.Op("interval", (ir.Const(1), number))
    inner, first = env.fresh(*looping(ListType(INT)))
    loop(body, node.get("do"), first + 2, inner, items, node.span)
    return env


@verb(
    "while",
    VerbKey("expr", "a yes or no", required=True, role="test"),
    {"do": VerbKey("steps", "steps", required=True)},
    group="control",
    example="- while: size(deck) > 0\n  do:\n    - turn",
    traits=Traits(loops="rounds"),
)
def while_(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Run the steps as long as the condition holds before them."""
    return condition_loop(body, node, value, env, True)


@verb(
    "until",
    VerbKey("expr", "a yes or no", required=True, role="exit"),
    {"do": VerbKey("steps", "steps", required=True)},
    group="control",
    example="- until: deck is empty\n  do:\n    - turn",
    traits=Traits(loops="rounds"),
)
def until(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Run the steps until the condition holds; it is looked at before each time."""
    return condition_loop(body, node, value, env, False)


def condition_loop(body: Body, node: MapNode, value: Node, env: Env, holds: bool) -> Env:
    """A loop with a condition at its head."""
    head = body.here()
    env = again(env, node.get("do"))
    test = body.expressions.of(value, env, BOOL)[0]
    skip = body.unless(test if holds else ir.Op("not_", (test,)), node.span, "loop")
    body.loops.append(OpenLoop(regions=len(body.open)))
    body.block(node.get("do"), env.knowing(body.facts(value, holds)))
    body.emit(ir.Jump(head, node.span))
    body.aim(skip)
    breaks = body.loops.pop().breaks
    for position in breaks:
        body.aim(position)
    return env if breaks else env.knowing(body.facts(value, not holds))


@verb(
    "let",
    VerbKey("new name", "a new name", required=True),
    {
        "be": VerbKey("expr", "its value", required=True, role="value"),
        "is": VerbKey("type", "its type, where the value does not tell"),
        "seen by": VerbKey(
            "expr",
            "`all` or some players, where the rules tell them, whatever it is worked out of; seen until the next answer after these steps",
        ),
    },
    group="control",
    example="- let: poorest\n  be: least(p in players by p.coins)",
    traits=Traits(binds=True, sealed=True),
    ahead=lookahead.let,
)
def let(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Give a value a name, up to the end of these steps; `set` may change it.

    With `seen by`, those players are shown the value, and know from then on that it was so.
    """
    if not isinstance(value, ScalarNode):
        return env
    declared = body.expressions.type(node.get("is")) if "is" in node else None
    expr, t = body.expressions.of(node.get("be"), env, declared)
    if declared is None and isinstance(t, EmptyType | NoneType):
        body.context.error(
            "E508",
            f"the type of {ticked(value.value)} is not known",
            value.span,
            expected="is: a type",
            help=["write `is: set of ...` or the like next to it"],
        )
        t = UNKNOWN
    if isinstance(t, IntType) and declared is None:
        t = IntType()  # it may be set to any number later
    if value.value in env.locals or value.value in body.context.names:
        taken(body.context, value)
    told = None
    if (readers := node.get("seen by")) is not None:
        seats, env = told_to(body, readers, node, env)
        told = Told(body.context.told(value, t, seats is not None), seats)
    after, index = env.bind(value.value, t, settable=True, told=told)
    body.emit(ir.Let(index, expr, node.span))
    publish(body, value, after, node.span)
    return after if told is None else until_the_end(body, told.variable, after, node.span)


def told_to(body: Body, readers: Node, node: MapNode, env: Env) -> tuple[int | None, Env]:
    """The local of the players who are told something, None where all are."""
    if isinstance(readers, ScalarNode) and readers.value in ("owner", "none"):
        body.context.error(
            "E401",
            f"a name that steps make is shown to players, and {ticked(readers.value)} is none",
            readers.span,
            expected="all, or players",
            help=["name them: `seen by: set(p1)`; without `seen by` nobody is shown it"],
        )
        return None, env
    expr = body.expressions.players(readers, env)
    if isinstance(expr, ir.Op) and facts(expr.name).result is Result.SEATS:
        return None, env
    inner, seats = env.hold(PLAYERS)
    body.emit(ir.Let(seats, expr, node.span))
    return seats, inner

"""Verbs of control: branches, loops, names, leaving, scopes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rulespec import ir
from rulespec.checker import lookahead, symbols
from rulespec.checker.body import Body, OpenLoop, OpenRegion
from rulespec.checker.context import listed
from rulespec.checker.env import Env
from rulespec.checker.inference import article
from rulespec.checker.verbs.pieces import give_back
from rulespec.language.registry import Traits, VerbDef, VerbKey, verb, verbs
from rulespec.language.types import (
    BOOL,
    INT,
    PLAYERS,
    UNKNOWN,
    EmptyType,
    EntityType,
    IntType,
    NoneType,
    OptionType,
    UnknownType,
)
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

STEPS = VerbKey("steps", "steps", required=True)


@verb(
    "if",
    VerbKey("expr", "a yes or no", required=True),
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


def joined(env: Env, ends: list[tuple[Node | None, Env]]) -> Env:
    """What is known after branches: what is known at the end of each that does not leave."""
    facts = [own.known for steps, own in ends if not leaves(steps)]
    return replace(env, known=frozenset.intersection(*facts)) if facts else env


def verb_of(step: Node) -> VerbDef | None:
    """The verb of a step, or the verb that a bare word is; None for a call."""
    if isinstance(step, ScalarNode):
        return verbs().get(step.value)
    return verbs().get(step.entries[0][0].value) if isinstance(step, MapNode) and step.entries else None


def changed(node: Node | None) -> set[str]:
    """The names of variables that steps assign to: where the steps may run again, none of them is known to hold something."""
    if isinstance(node, ListNode):
        return {name for item in node for name in changed(item)}
    if not isinstance(node, MapNode):
        return set()
    names = {name for _, value in node.entries for name in changed(value)}
    verb = verb_of(node)
    for key in () if verb is None else verb.traits.assigns:
        if isinstance(variable := node.get(key), ScalarNode):
            names.add(variable.value.rpartition(".")[2])
    return names


def again(env: Env, steps: Node | None) -> Env:
    """The environment of steps that may run again."""
    for name in sorted(changed(steps)) if env.known else ():
        env = env.forgetting(name)
    return env


def leaves(node: Node | None) -> bool:
    """Whether steps surely leave, so that what follows runs only where they did not."""
    steps = list(node.items) if isinstance(node, ListNode) else [node] if node is not None else []
    if not steps:
        return False
    last = steps[-1]
    verb = verb_of(last)
    if verb is None:
        return False
    if not isinstance(last, MapNode):
        return verb.bare and verb.traits.leaves
    if verb.traits.branches:
        return all(leaves(last.get(key)) for key in verb.traits.branches)
    return verb.traits.leaves and "if" not in last


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
    inner, index = env.bind("", t)
    body.emit(ir.Let(index, expr, node.span))
    cases = node.get("with")
    if isinstance(t, UnknownType) or not isinstance(cases, MapNode):
        return env
    own = t.item if isinstance(t, OptionType) else t
    kind = body.context.kinds[own.kind] if isinstance(own, EntityType) else None
    members = list(kind.members) if kind else ["yes", "no"] if own == BOOL else []
    if isinstance(t, OptionType):
        members.append("none")
    if kind is None and own != BOOL and not isinstance(own, IntType):
        body.context.error("E201", f"this is {article(t)}, and a value with members is expected", value.span)
        return env
    seen: set[str] = set()
    some = frozenset({body.path(value)} if isinstance(t, OptionType) else ())
    ends: list[int] = []
    after: list[tuple[Node | None, Env]] = []
    otherwise: Node | None = None
    for key, steps in cases.entries:
        if key.value == "else":
            otherwise = steps
            continue
        test: ir.Expr
        if isinstance(own, IntType):
            number = key.resolve()
            if not isinstance(number, int):
                body.context.error("E201", "a number is expected here", key.span)
                continue
            test = ir.Op("eq", (ir.Local(index), ir.Const(number)))
        elif key.value not in members:
            body.context.unknown(
                "E104",
                f"member of {own}",
                key.value,
                key.span,
                [*members, "else"],
                hint=f"{own} has {listed(members)}; `else` stands for the rest",
            )
            continue
        elif key.value == "none":
            test = ir.Op("is_none", (ir.Local(index),))
        elif own == BOOL:
            test = ir.Op("eq", (ir.Local(index), ir.Const(key.value == "yes")))
        else:
            test = ir.Op("eq", (ir.Local(index), ir.Const(members.index(key.value))))
        seen.add(key.value)
        skip = body.unless(test, key.span, "arm")
        after.append((steps, body.block(steps, inner if key.value == "none" else inner.knowing(some))))
        ends.append(body.jump())
        body.aim(skip)
    if otherwise is not None:
        after.append((otherwise, body.block(otherwise, inner.knowing(some) if "none" in seen else inner)))
    elif isinstance(own, IntType):
        body.context.error("E507", "`match` on a number has an `else`", cases.span)
    elif missing := [m for m in members if m not in seen]:
        body.context.error(
            "E507", "`match` leaves out " + ", ".join(missing), cases.span, help=["add them, or `else:` for the rest"]
        )
    for end in ends:
        body.aim(end)
    return joined(env, after)


@verb(
    "for",
    VerbKey("binder", "a name in a collection, with `where`", required=True),
    {"do": VerbKey("steps", "steps for each", required=True)},
    group="control",
    example=("- for: p in players where p.coins == 0\n  do:\n    - add: 1\n      to: p.coins"),
    traits=Traits(sealed=True),
)
def for_(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Run the steps once for each item.  The list is taken once, before the first."""
    if not isinstance(value, ScalarNode):
        return env
    inner, index, items, where, _ = body.expressions.binder(value, env)
    if where is not None:
        items = ir.Comp(index, items, where)
    loop(body, node.get("do"), env, inner, items, node.span)
    return env


def loop(body: Body, steps: Node | None, env: Env, inner: Env, items: ir.Expr, span: Span) -> None:
    """A loop over items: three locals from the first free one (see ir.Next)."""
    k = env.depth
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
    VerbKey("expr", "how often", required=True),
    {"do": VerbKey("steps", "steps", required=True)},
    group="control",
    example="- repeat: 2\n  do:\n    - draw: 1\n      from: deck\n      to: p.hand",
    traits=Traits(sealed=True),
)
def repeat(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Run the steps so many times; `stop` leaves early."""
    number = body.expressions.of(value, env, INT)[0]
    items = ir.Op("interval", (ir.Const(1), number))
    inner = env.skip(2)
    inner, _ = inner.bind("", INT)
    loop(body, node.get("do"), env, inner, items, node.span)
    return env


@verb(
    "while",
    VerbKey("expr", "a yes or no", required=True),
    {"do": VerbKey("steps", "steps", required=True)},
    group="control",
    example="- while: size(deck) > 0\n  do:\n    - turn",
)
def while_(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Run the steps as long as the condition holds before them."""
    return condition_loop(body, node, value, env, True)


@verb(
    "until",
    VerbKey("expr", "a yes or no", required=True),
    {"do": VerbKey("steps", "steps", required=True)},
    group="control",
    example="- until: deck is empty\n  do:\n    - turn",
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
        "be": VerbKey("expr", "its value", required=True),
        "is": VerbKey("type", "its type, where the value does not tell"),
        "seen by": VerbKey(
            "word", "`all`, where the rules make it known, whatever it is worked out of", words=("all",)
        ),
    },
    group="control",
    example="- let: poorest\n  be: least(p in players by p.coins)",
    traits=Traits(binds=True, sealed=True),
    ahead=lookahead.let,
)
def let(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Give a value a name, up to the end of these steps; `set` may change it."""
    if not isinstance(value, ScalarNode):
        return env
    declared = body.expressions.type(node.get("is")) if "is" in node else None
    expr, t = body.expressions.of(node.get("be"), env, declared)
    if declared is None and isinstance(t, EmptyType | NoneType):
        body.context.error(
            "E508",
            f"the type of `{value.value}` is not known",
            value.span,
            expected="is: a type",
            help=["write `is: set of ...` or the like beside it"],
        )
        t = UNKNOWN
    if isinstance(t, IntType) and declared is None:
        t = IntType()  # it may be set to any number later
    if value.value in env.locals or value.value in body.context.names:
        body.context.error("E113", f"there is something named `{value.value}` already", value.span)
    told = body.context.told(value, t) if "seen by" in node else None
    after, index = env.bind(value.value, t, settable=True, told=told)
    body.emit(ir.Let(index, expr, node.span))
    body.publish(value, after, node.span)
    return after


@verb(
    "give",
    VerbKey("expr", "the result", required=True),
    {},
    group="control",
    example="- give: first(most(p in players by p.coins))",
    traits=Traits(leaves=True, inside="result"),
)
def give(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Leave the procedure with a result."""
    if body.gives is None:
        body.context.error(
            "E503", f"`{body.name}` gives nothing", value.span, help=["declare the result with `gives:`"]
        )
        expr = body.expressions.of(value, env)[0]
    else:
        expr = body.expressions.of(value, env, body.gives)[0]
    if body.open:
        kept = env.skip(1)
        body.emit(ir.Let(env.depth, expr, node.span))
        body.live = kept.depth
        body.clean_down_to(0)
        expr = ir.Local(env.depth)
    body.emit(ir.Return(expr, node.span))
    return env


def leave_loop(body: Body, span: Span) -> None:
    """Jump out of the innermost loop."""
    if not body.loops:
        body.context.error(
            "E509",
            "there is no loop to stop here",
            span,
            help=["`end:` leaves a phase, `give:` a procedure with a result"],
        )
        return
    innermost = body.loops[-1]
    body.clean_down_to(innermost.regions)
    innermost.breaks.append(body.jump(span))


@verb(
    "stop",
    VerbKey("expr", "nothing"),
    {},
    group="control",
    example="- stop",
    traits=Traits(sealed=True, leaves=True, inside="loop"),
)
def stop(body: Body, node: MapNode, _value: Node, env: Env) -> Env:
    """Leave the innermost loop."""
    body.live = env.depth
    leave_loop(body, node.span)
    return env


@verb(
    "stop when",
    VerbKey("expr", "a yes or no", required=True),
    {},
    group="control",
    example="- stop when: deck is empty",
    traits=Traits(sealed=True, inside="loop"),
)
def stop_when(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Leave the innermost loop if the condition holds."""
    skip = body.unless(body.expressions.of(value, env, BOOL)[0], node.span, "if")
    body.live = env.depth
    leave_loop(body, node.span)
    body.aim(skip)
    return env.knowing(body.facts(value, False))


@verb("return", VerbKey("expr", "nothing"), {}, group="control", example="- return", traits=Traits(leaves=True))
def return_(body: Body, node: MapNode, _value: Node, env: Env) -> Env:
    """Leave the procedure, which gives no result, or the rule."""
    if body.gives is not None and not body.rule:
        body.context.error("E503", f"`{body.name}` gives {article(body.gives)}", node.span, help=["use `give:`"])
    body.live = env.depth
    body.clean_down_to(0)
    body.emit(ir.Return(ir.Const(True) if body.rule else None, node.span))
    return env


@verb(
    "end",
    VerbKey("name", "a phase, a scope, or `game`", required=True, offers=("phases", "scopes")),
    {},
    group="control",
    example="- end: turn",
    traits=Traits(leaves=True),
)
def end(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Leave a phase or scope that is going on, however deep inside it; `end: game` ends the game at once."""
    if not isinstance(value, ScalarNode):
        return env
    phases = {name for name, p in body.context.procedures.items() if p.phase}
    if value.value not in {*phases, *body.context.scopes, "game"}:
        known = [*phases, *body.context.scopes, "game"]
        meant = next((name for name in known if name in value.value.split()), "")
        hint = f"write `end: {meant}`" if meant else ""
        body.context.unknown("E114", "phase or scope", value.value, value.span, () if hint else known, hint=hint)
        return env
    body.context.used.add(value.value)
    body.emit(ir.Unwind(body.context.target(value.value if value.value != "game" else "the game"), node.span))
    return env


@verb(
    "win",
    VerbKey("expr", "a player, several, or `all`", required=True),
    {},
    group="control",
    example="- win: p",
    traits=Traits(leaves=True),
)
def win(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """End the game at once; these players have won, the others have lost."""
    body.assign(ir.WINNERS, body.expressions.players(value, env), "winners", node.span)
    body.emit(ir.Unwind(body.context.target("the game"), node.span))
    return env


@verb(
    "lose game",
    VerbKey("expr", "a player, several, or `all`", required=True),
    {},
    group="control",
    example="- lose game: p",
    traits=Traits(leaves=True),
)
def lose_game(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """End the game at once; these players have lost, the others have won.  `all`: the players have lost to the game."""
    body.context.defeats = True
    losers = env.depth
    body.emit(ir.Let(losers, body.expressions.players(value, env), node.span))
    everyone = ir.Setting("players")
    others = ir.Op("minus", (ir.Op("seats", (everyone,)), ir.Local(losers)))
    body.assign(ir.WINNERS, others, "winners", node.span)
    returns = ir.Op("by_sides", (ir.Load(ir.WINNERS), ir.Local(losers), everyone))
    body.assign(ir.RETURNS, returns, "returns", node.span)
    body.emit(ir.Unwind(body.context.target("the game"), node.span))
    env.skip(1)
    return env


@verb(
    "scope",
    VerbKey("name", "a scope", required=True, offers=("scopes",)),
    {
        "do": VerbKey("steps", "what happens in it", required=True),
        "with": VerbKey("map", "what its variables hold at its beginning"),
    },
    group="control",
    example="- scope: Combat\n  with:\n    attacker: active\n  do:\n    - combat_round",
)
def scope(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """Begin a stretch of the game with a memory, run the steps, and end it however it is left."""
    context = body.context
    own = body.declared(value, context.scopes, "E109", "scope")
    if own is None:
        return env
    starts = node.get("with")
    inner = env
    stores = []
    for key, start in starts.entries if isinstance(starts, MapNode) else ():
        variable = own.names.get(key.value)
        if variable is None or not isinstance(variable, symbols.Variable) or variable.per:
            plain = [n for n, v in own.names.items() if isinstance(v, symbols.Variable) and not v.per]
            context.unknown("E104", f"plain variable of {own.name}", key.value, key.span, plain)
            continue
        expr = body.expressions.of(start, inner, variable.type)[0]
        inner, index = inner.bind("", variable.type)
        body.emit(ir.Let(index, expr, start.span))
        stores.append((variable, index, start.span))
    saved, unwinding, inside = enter(body, own, inner, node.span)
    counters = context.limits.get(own.name, ())
    start_at = body.here()
    for variable, index, span in stores:
        body.store((variable, None), ir.Local(index), span)
    zones = [part for part in own.names.values() if isinstance(part, symbols.Zone)]
    places = {z.kind.location for z in zones if z.kind.location is not None}
    bases = [own.alive, *(v.base for v in own.names.values()), *places]
    for base in bases:
        body.wrote(base)
    body.live = inside.depth
    body.settle(node.span)

    def clean() -> None:
        end_lasting(body, own.name, body.live, node.span)
        for zone in zones:
            give_back(body, zone, unwinding, Env(env.frame, {}, body.live), node.span)
        for number, (low, _) in enumerate(counters, saved + 1):
            body.emit(ir.Leave(low, number, node.span))
        body.emit(ir.Leave(own.low, saved, node.span))
        for base in bases:
            body.wrote(base)

    body.open.append(OpenRegion(clean))
    body.scopes.append(own.name)
    outer = set(env.frame.scopes)
    env.frame.scopes.clear()
    body.block(node.get("do"), inside)
    env.frame.scopes.discard(own.name)
    env.frame.scopes.update(outer)
    if own.within is not None and own.within not in body.scopes:
        env.frame.scopes.add(own.within)
    body.scopes.pop()
    body.open.pop()
    body.emit(ir.Let(unwinding, ir.Const(None), node.span))
    stop_at = body.here()
    body.live = inside.depth
    clean()
    body.emit(ir.Resume(unwinding, node.span))
    body.regions.append(ir.Region(start_at, stop_at, stop_at, unwinding, own.target))
    return env


def enter(body: Body, own: symbols.Scope, env: Env, span: Span) -> tuple[int, int, Env]:
    """A scope begins: the locals that keep what was before and whither it is being left, and the environment inside."""
    saved = env.depth
    counters = body.context.limits.get(own.name, ())  # what rules may do during it, put aside like its state
    unwinding = saved + 1 + len(counters)
    values = (1, *body.context.initial[own.low + 1 : own.high])
    body.emit(ir.Let(unwinding, ir.Const(None), span))
    body.emit(ir.Enter(own.low, own.high, values, saved, span))
    outside = ir.Op("get", (ir.Local(saved), ir.Const(0)))
    deeper = ir.Op("add", (outside, ir.Const(1)))
    body.assign(own.alive, deeper, f"{own.name} alive", span)
    for number, (low, high) in enumerate(counters, saved + 1):
        body.emit(ir.Enter(low, high, (0,) * (high - low), number, span))
    return saved, unwinding, env.skip(2 + len(counters))


def end_lasting(body: Body, tag: str, live: int, span: Span) -> None:
    """Take out what lasts until the end of `tag`, and reset the limits that count during it."""
    context = body.context
    for low, high in context.limits.get(tag, ()):
        body.emit(ir.Reset(low, high, span))
    if tag not in context.end_tags:
        return
    body.wrote(ir.LASTING)
    number = context.target(tag)
    depth = context.scopes[tag].alive if tag in context.scopes else None
    for lasting in context.lastings.values():
        head = body.emit(ir.Cease(lasting.index, number, None, live, span, depth))
        skip = body.unless(ir.Op("not_", (ir.Op("is_none", (ir.Local(live),)),)), span)
        if lasting.at_end is not None:
            args = tuple(ir.Op("get", (ir.Local(live), ir.Const(i))) for i in range(len(lasting.parameters)))
            body.emit(ir.Call(lasting.at_end, args, live, span))
        body.emit(ir.Jump(head, span))
        body.aim(skip)


@verb(
    "at once",
    VerbKey("steps", "steps without choices", required=True),
    {},
    group="control",
    example=(
        "- at once:\n    - move: all\n      from: a.stock\n      to: b.stock\n    - set: b.coins\n      to: a.coins"
    ),
)
def at_once(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """One batch: rules that are always true look only after the last step."""
    body.batch += 1
    batch(body, node.span, env, lambda inner: body.block(value, inner))
    body.batch -= 1
    body.written = set()
    return env


def batch(body: Body, span: Span, env: Env, steps: Callable[[Env], Env]) -> None:
    """Steps during which rules that are always true wait; they look when the batch is over, however it is left."""
    always = None if body.batch > 1 else body.context.always_procedure
    inner, unwinding = env.bind("", BOOL)

    def clean() -> None:
        body.nest("sub", span)
        if always is not None:
            body.emit(ir.Call(always, (), body.live, span))

    body.emit(ir.Let(unwinding, ir.Const(None), span))
    body.nest("add", span)
    start = body.here()
    body.open.append(OpenRegion(clean))
    steps(inner)
    body.open.pop()
    body.emit(ir.Let(unwinding, ir.Const(None), span))
    stop = body.here()
    inner.skip(1)
    body.live = inner.depth
    clean()
    body.emit(ir.Resume(unwinding, span))
    body.regions.append(ir.Region(start, stop, stop, unwinding, None))


@verb(
    "log",
    VerbKey("text", "a text with expressions in braces", required=True),
    {"to": VerbKey("expr", "players who read it")},
    group="control",
    example='- log: "{p} has {p.coins} coins"',
)
def log(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """A line of the game's log; a piece that a reader may not know is shown as what it is called."""
    to = node.get("to")
    seats: ir.Expr | None = None
    if to is not None:
        expr, t = body.expressions.of(to, env)
        seats = ir.Op("pack", (expr,)) if isinstance(t, EntityType) else body.expressions.of(to, env, PLAYERS)[0]
    body.emit(ir.Say(body.expressions.text(value, env), seats, node.span))
    return env


@verb(
    "check",
    VerbKey("expr", "a yes or no", required=True),
    {"why": VerbKey("text", "what is said if it does not hold", required=True)},
    group="control",
    example="- check: size(p.hand) <= 7\n  why: A hand holds at most 7 cards",
)
def check(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """A claim about the state: a fault with its reason where it does not hold."""
    body.emit(
        ir.Claim(body.expressions.of(value, env, BOOL)[0], body.expressions.text(node.get("why"), env), node.span)
    )
    return env

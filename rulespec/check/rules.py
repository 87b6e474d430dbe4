"""Rules: when they are alive, whose they are, and the procedures that run them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from rulespec import ir, model
from rulespec.check.body import Body
from rulespec.check.context import Game
from rulespec.check.env import Env, call_frame
from rulespec.check.expressions import Expressions
from rulespec.check.scoping import during, record
from rulespec.types import BOOL, PLAYER, EntityType, SetType, Type
from rulespec.yamltree import Mapping, Node, Scalar, Sequence

LIMIT = re.compile(r"(once|twice|(\d+) times) per (\w+)\Z")
ME = re.compile(r"\bme\b")
ASKING = ("choose", "offer", "may", "arrange")
Wrap = Callable[[ir.Expr], ir.Expr]


def instance(rule: model.Rule) -> list[tuple[str, Type]]:
    """The arguments of a rule's instance: the piece that carries it, or those of the lasting effect."""
    if rule.lasting is not None:
        return [(p.name, p.type) for p in rule.lasting.parameters]
    return [] if rule.kind is None else [("this", rule.kind.type)]


def speaks_of_me(node: Node) -> bool:
    """Whether a rule needs to know whose it is."""
    if isinstance(node, Scalar):
        return bool(ME.search(node.value))
    if isinstance(node, Sequence):
        return any(speaks_of_me(item) for item in node)
    asks = any(key.value in ASKING for key, _ in node.entries) and "by" not in node
    return asks or any(speaks_of_me(value) for _, value in node.entries)


def owner_of(game: Game, expressions: Expressions, rule: model.Rule, env: Env) -> ir.Expr | None:
    """Whose rule it is: what `me:` says, or the owner of the zone that the piece lies in."""
    written = rule.node.get("me")
    if written is not None:
        return expressions.of(written, env, PLAYER)[0]
    kind = rule.kind
    if kind is None or kind.location is None:
        return None
    rows: list[tuple[ir.Value, ir.Value]] = []
    for zone in game.zones:
        if zone.kind is kind and zone.per and zone.per[0] is game.kinds["Player"]:
            stride = zone.size // len(game.kinds["Player"].members)
            rows.extend((zone.base + i, i // stride) for i in range(zone.size))
    if not rows:
        return None
    env.frame.reads.add(kind.location)
    location = ir.Load(kind.location, ir.Local(env.locals["this"].index), len(kind.members))
    return ir.Op("row_or_none", (ir.Const(tuple(rows)), location))


def with_me(game: Game, expressions: Expressions, rule: model.Rule, env: Env) -> tuple[Env, Wrap, ir.Expr | None]:
    """The environment with `me`, how to bind it around an expression, and the expression itself."""
    if "me" in env.locals or not speaks_of_me(rule.node):
        return nobody(env)
    owner = owner_of(game, expressions, rule, env)
    if owner is None:
        return nobody(env)
    inner, index = env.bind("me", PLAYER)
    return inner, lambda expr: ir.Bind(index, owner, expr), owner


def unbound(expr: ir.Expr) -> ir.Expr:
    """Nothing is bound around the expression."""
    return expr


def nobody(env: Env) -> tuple[Env, Wrap, ir.Expr | None]:
    """The environment without `me`, with nothing to bind around an expression."""
    return env, unbound, None


def conjunction(parts: list[ir.Expr]) -> ir.Expr | None:
    """All of the parts, or None for no part."""
    made: ir.Expr | None = None
    for part in reversed(parts):
        made = part if made is None else ir.Cond(part, made, ir.Const(False))
    return made


def tests(game: Game, expressions: Expressions, rule: model.Rule, env: Env, keys: tuple[str, ...]) -> ir.Expr | None:
    """The conditions of a rule under some of `during`, `live`, `where`, with `me` bound around them."""
    parts: list[ir.Expr] = []
    during = rule.node.get("during")
    if "during" in keys and isinstance(during, Scalar):
        scope = game.scopes.get(during.value)
        if scope is None:
            game.unknown("E109", "scope", during.value, during.span, game.scopes)
        else:
            game.used.add(scope.name)
            env.frame.reads.add(scope.alive)
            parts.append(ir.Op("lt", (ir.Const(0), ir.Load(scope.alive))))
    written = [rule.node.get(key) for key in keys if key != "during"]
    if rule.node.get("me") is not None and not any(speaks_of_me(node) for node in written if node is not None):
        inner, wrap, owner = nobody(env)  # whose it is may depend on the event, and does not matter here
    else:
        inner, wrap, owner = with_me(game, expressions, rule, env)
    own: list[ir.Expr] = []
    if owner is not None and rule.node.get("me") is None:
        own.append(ir.Op("not_", (ir.Op("is_none", (ir.Local(inner.locals["me"].index),)),)))
    for key in keys:
        if key in ("live", "where") and (node := rule.node.get(key)) is not None:
            own.append(expressions.of(node, inner, BOOL)[0])
    if own:
        parts.append(wrap(conjunction(own) or ir.Const(True)))
    return conjunction(parts)


def additions(game: Game, expressions: Expressions, rule: model.Rule, env: Env, index: int,
              legal: bool = False) -> ir.Expr:  # fmt: skip
    """What a rule adds to a menu now: its instances (in the local `index`) that are alive and not used up.

    With `legal`, only those that may be chosen.  `env` has the menu's parameters alone.
    """
    if rule.lasting is not None:
        bound, wrap = bind_arguments(rule.lasting, env, index)
        items: ir.Expr = ir.Op("lasting_of", (ir.Load(ir.LASTING), ir.Const(rule.lasting.index)))
    elif rule.kind is not None:
        bound, this = env.bind("this", rule.kind.type)
        items, wrap = ir.Const(rule.pieces), lambda expr: ir.Bind(this, ir.Local(index), expr)
    else:
        bound, items, wrap = env, ir.Const((None,)), unbound
    parts = [test for test in (tests(game, expressions, rule, bound, ("during", "live", "where")),) if test is not None]
    if legal:
        parts.extend(reason.test for reason in option_of(game, expressions, rule, bound).reasons)
    test = conjunction(parts)
    return within_limit(game, rule, index, items, None if test is None else wrap(test))


def option_of(game: Game, expressions: Expressions, rule: model.Rule, env: Env) -> ir.Branch:
    """The option that a rule adds to a menu, in an environment with its instance and the menu's parameters."""
    from rulespec.check.verbs_choice import branch

    helper = Body(game, expressions, rule.name, rule.span)
    inner, wrap, _ = with_me(game, expressions, rule, env)
    made = branch(helper, rule.name.rpartition(".")[2], rule.node, inner)

    def text(own: ir.Text) -> ir.Text:
        return ir.Text(tuple(p if isinstance(p, str) else (wrap(p[0]), p[1]) for p in own.parts))

    return ir.Branch(made.name, text(made.text), tuple(ir.Reason(wrap(r.test), text(r.why)) for r in made.reasons))


def new_function(game: Game, name: str, parameters: int, env: Env, body: ir.Expr, rule: model.Rule) -> int:
    """A function of the program made from a rule."""
    game.out_functions.append(ir.Function(name, parameters, env.frame.locals, body, rule.span))
    return len(game.out_functions) - 1


def reserve_procedure(game: Game, rule: model.Rule) -> int:
    """The number of the procedure that runs a rule; it is compiled later."""
    if full_name(rule) not in game.reserved:
        game.reserved[full_name(rule)] = len(game.out_procedures)
        game.out_procedures.append(None)
    return game.reserved[full_name(rule)]


def full_name(rule: model.Rule) -> str:
    """A name that no other rule has."""
    owner = "lasting" if rule.lasting is not None else "" if rule.kind is None else rule.kind.name
    return f"{owner}.{rule.name}" if owner else rule.name


def parameters_of(game: Game, rule: model.Rule) -> list[tuple[str, Type]]:
    """What the procedure of a rule gets after the instance's arguments."""
    for timing in ("before", "instead of", "after"):
        event = rule.node.get(timing)
        if isinstance(event, Scalar) and event.value in game.events:
            return [(p.name, p.type) for p in game.events[event.value].parameters]
    menu = rule.node.get("adds to")
    if isinstance(menu, Scalar) and menu.value in game.menus:
        return [(p.name, p.type) for p in game.menus[menu.value].parameters]
    return []


def compile_rule(game: Game, expressions: Expressions, rule: model.Rule) -> None:
    """A rule of a window or menu: its functions and its procedure."""
    if rule.index is None:
        return
    own, more = instance(rule), parameters_of(game, rule)
    env = call_frame(own)
    alive = tests(game, expressions, rule, env, ("during", "live"))
    alive_number = None if alive is None else new_function(game, f"{rule.name} alive", len(own), env, alive, rule)
    env = call_frame([*own, *more])
    test = tests(game, expressions, rule, env, ("during", "live", "where"))
    test_number = None if test is None else new_function(game, f"{rule.name} test", len(own) + len(more), env, test, rule)
    note(game, rule, env)
    player = None
    env = call_frame([*own, *more])
    if rule.node.get("me") is None and "me" in env.locals:
        player = new_function(game, f"{rule.name} player", len(own) + len(more), env, ir.Local(env.locals["me"].index), rule)
    elif (owner := owner_of(game, expressions, rule, env)) is not None:
        player = new_function(game, f"{rule.name} player", len(own) + len(more), env, owner, rule)
    procedure = compile_procedure(game, expressions, rule, own, more)
    rank = rule.node.get("order rank")
    ranks = {"first": -1, "last": 1}
    limit, counter = compile_limit(game, rule)
    source = "lasting" if rule.lasting is not None else "plain" if rule.kind is None else "pieces"
    option = None
    if "adds to" in rule.node:
        option = option_of(game, expressions, rule, call_frame([*own, *more]))
    game.out_rules[rule.index] = ir.Rule(
        rule.index, rule.name, source, rule.pieces, None if rule.lasting is None else rule.lasting.index, alive_number,  # type: ignore[arg-type]
        test_number, player, procedure, ranks.get(rank.value, 0) if isinstance(rank, Scalar) else 0, limit, counter, None if rule.kind is None else rule.kind.index, option, rule.span,
        () if rule.lasting is None else tuple(game.printer(p.type) for p in rule.lasting.parameters),
    )  # fmt: skip


def compile_procedure(game: Game, expressions: Expressions, rule: model.Rule, own: list[tuple[str, Type]],
                      more: list[tuple[str, Type]]) -> int:  # fmt: skip
    """What a rule does; it gives whether it was applied."""
    number = reserve_procedure(game, rule)
    body = Body(game, expressions, rule.name, rule.span)
    body.gives, body.rule = BOOL, True
    env = call_frame([*own, *more])
    inner, _, owner = with_me(game, expressions, rule, env)
    if owner is not None:
        body.emit(ir.Let(inner.locals["me"].index, ir.Known(owner, "me"), rule.span))
    may = rule.node.get("may")
    if may is not None:
        from rulespec.check.verbs_choice import literal, new_site

        live = inner.depth
        inner.skip(1)
        branches = (ir.Branch("yes", literal("Yes")), ir.Branch("no", literal("No")))
        site = ir.Site(0, rule.name.rpartition(".")[2], body.player(rule.node, inner), ir.Const((0, 1)), live, ir.Printer("int"),
                       expressions.text(may, inner), (), None, branches, None, "value", 0, 2, False, None, (), rule.span)  # fmt: skip
        body.emit(ir.Ask(new_site(body, site), live, rule.span))
        yes = body.unless(ir.Op("eq", (ir.Local(live), ir.Const(1))), rule.span)
        body.emit(ir.Return(ir.Const(False), rule.span))
        body.aim(yes)
    body.block(rule.node.get("do"), inner)
    body.emit(ir.Return(ir.Const(True), rule.span))
    game.out_procedures[number] = body.finish(len(own) + len(more), env)
    note(game, rule, env, body)
    return number


def note(game: Game, rule: model.Rule, env: Env, body: Body | None = None) -> None:
    """Which scopes a rule uses, besides those it says it lives during; what announces its event sets it off."""
    given = during(game, game.scalar(rule.node.get("during")))
    record(game, f"rule {full_name(rule)}", rule.span, env.frame.scopes, set() if body is None else body.calls, given)
    for key in ("before", "instead of", "after", "adds to"):
        heard = rule.node.get(key)
        if isinstance(heard, Scalar):
            what = "menu" if key == "adds to" else "event"
            record(game, f"{what} {heard.value}", None, set(), {(f"rule {full_name(rule)}", frozenset())})


def compile_limit(game: Game, rule: model.Rule) -> tuple[int | None, int | None]:
    """`limit: once per turn`: how often, and where it is counted."""
    node = rule.node.get("limit")
    if not isinstance(node, Scalar):
        return None, None
    match = LIMIT.match(node.value)
    if match is None:
        return None, None
    times = {"once": 1, "twice": 2}.get(match[1]) or int(match[2])
    return times, rule.counter


def reserve_counters(game: Game) -> None:
    """Slots for the counters of limits, known before any procedure that resets them is compiled."""
    for rule in game.rules:
        node = rule.node.get("limit")
        if not isinstance(node, Scalar):
            continue
        match = LIMIT.match(node.value)
        if match is None:
            game.error("S012", "a limit is written `once per NAME`", node.span, expected="once per turn, twice per Combat, 3 times per game")
            continue
        span = match[3]
        phases = {name for name, p in game.procedures.items() if p.phase}
        if span not in {*phases, *game.scopes, *game.events, "game"}:
            game.unknown("E114", "phase, scope or event", span, node.span, [*phases, *game.scopes, *game.events, "game"])
            continue
        size = max(1, len(rule.pieces))
        rule.counter = game.allot(f"{rule.name} used", size, 0)
        game.limits.setdefault(span, []).append((rule.counter, rule.counter + size))


def find_end_tags(node: Node, found: set[str]) -> None:
    """What `until: end of NAME` names anywhere."""
    if isinstance(node, Mapping):
        until = node.get("until")
        if isinstance(until, Scalar) and until.value.startswith("end of "):
            found.add(until.value.removeprefix("end of ").strip())
        for _, value in node.entries:
            find_end_tags(value, found)
    elif isinstance(node, Sequence):
        for item in node:
            find_end_tags(item, found)


# --- rules that are always true ---------------------------------------------------------------------------------------
def prepare_always(game: Game, expressions: Expressions) -> None:
    """What rules that are always true read, so that steps which write it call them."""
    ends = [lasting for lasting in game.lastings.values() if "until" in lasting.node]
    if not game.always and not ends:
        return
    game.always_procedure = len(game.out_procedures)
    game.out_procedures.append(None)
    probe = Body(game, expressions, "always", None)
    quiet = len(game.diagnostics)
    env = call_frame([])
    for rule in game.always:
        always_items(game, expressions, rule, env)
    for lasting in ends:
        inner = call_frame([(p.name, p.type) for p in lasting.parameters])
        expressions.of(lasting.node.get("until"), inner, BOOL)
        env.frame.reads.update(inner.frame.reads)
        env.frame.reads.add(ir.LASTING)
    del probe, quiet
    game.always_reads = set(env.frame.reads)


def always_items(game: Game, expressions: Expressions, rule: model.Rule, env: Env) -> tuple[Env, int, ir.Expr]:
    """The cases in which a rule that is always true has something to do: the environment, the local of a case, all cases."""
    node = rule.node.get("always")
    assert isinstance(node, Scalar)
    from rulespec.expr import syntax
    from rulespec.expr.parser import ExprSyntaxError, parse_expr

    keys = ("during", "live", "where")
    if rule.kind is not None:
        inner, index = env.bind("this", rule.kind.type)
        parts = [t for t in (tests(game, expressions, rule, inner, keys),) if t is not None]
        parts.append(expressions.of(node, inner, BOOL)[0])
        return inner, index, within_limit(game, rule, index, ir.Const(rule.pieces), conjunction(parts))
    try:
        tree: object = parse_expr(node.value)
    except ExprSyntaxError:
        tree = None
    if isinstance(tree, syntax.Comp) and rule.lasting is None:
        items, t = expressions.of(node, env)
        inner, index = env.bind(tree.var, t.item if isinstance(t, SetType) else getattr(t, "item", PLAYER))
        return inner, index, within_limit(game, rule, index, items, tests(game, expressions, rule, inner, keys))
    inner, index = env.bind("", BOOL)
    if rule.lasting is not None:
        env.frame.reads.add(ir.LASTING)
        bound, wrap = bind_arguments(rule.lasting, inner, index)
        parts = [t for t in (tests(game, expressions, rule, bound, keys),) if t is not None]
        parts.append(expressions.of(node, bound, BOOL)[0])
        effects = ir.Op("lasting_of", (ir.Load(ir.LASTING), ir.Const(rule.lasting.index)))
        return inner, index, within_limit(game, rule, index, effects, wrap(conjunction(parts) or ir.Const(True)))
    parts = [t for t in (tests(game, expressions, rule, inner, keys),) if t is not None]
    parts.append(expressions.of(node, inner, BOOL)[0])
    return inner, index, within_limit(game, rule, index, ir.Const((0,)), conjunction(parts))


def limit_place(rule: model.Rule, case: ir.Expr) -> tuple[int, ir.Expr | None, int]:
    """Where the use of a rule is counted: for each piece that carries it by itself."""
    assert rule.counter is not None
    if rule.kind is None:
        return rule.counter, None, 1
    places = tuple((piece, number) for number, piece in enumerate(rule.pieces))
    return rule.counter, ir.Op("row", (ir.Const(places), case)), len(places)


def within_limit(game: Game, rule: model.Rule, index: int, items: ir.Expr, test: ir.Expr | None) -> ir.Expr:
    """The cases that pass a test and for which the limit of the rule is not used up."""
    limit, counter = compile_limit(game, rule)
    parts = [] if test is None else [test]
    if limit is not None and counter is not None:
        parts.insert(0, ir.Op("lt", (ir.Load(*limit_place(rule, ir.Local(index))), ir.Const(limit))))
    whole = conjunction(parts)
    return items if whole is None else ir.Comp(index, items, whole)


def always_arguments(game: Game, expressions: Expressions, rule: model.Rule) -> list[tuple[str, Type]]:
    """What the procedure of a rule that is always true gets: the piece that carries it, or the case it found."""
    if rule.kind is not None or rule.lasting is not None:
        return instance(rule)
    inner, index, _ = always_items(game, expressions, rule, call_frame([]))
    return [(name, local.type) for name, local in inner.locals.items() if local.index == index]


def compile_always(game: Game, expressions: Expressions) -> None:
    """One procedure: as long as a rule that is always true has something to do, do it, in the order of the file."""
    if game.always_procedure is None:
        return
    body = Body(game, expressions, "rules that are always true", None)
    outside, game.always_procedure = game.always_procedure, None  # inside, the loop itself looks again
    env = call_frame([])
    env, unwinding = env.bind("", BOOL)
    head = body.here()
    idle = ir.Op("eq", (ir.Load(ir.BATCH), ir.Const(0)))
    end = body.unless(idle, None)
    for lasting in game.lastings.values():
        if "until" in lasting.node:
            end_by_condition(game, expressions, lasting, body, env, head)
    for rule in game.always:
        number, own = reserve_procedure(game, rule), always_arguments(game, expressions, rule)
        outer, env.frame.scopes = env.frame.scopes, set()
        inner, index, items = always_items(game, expressions, rule, env)
        kept = env.depth
        some = body.unless(ir.Op("lt", (ir.Const(0), ir.Op("size", (items,)))), rule.span)
        body.emit(ir.Let(kept, ir.Op("first", (items,)), rule.span))
        if (limit := compile_limit(game, rule)[0]) is not None:
            counter = ir.Load(*limit_place(rule, ir.Local(kept)))
            body.emit(ir.Store(counter.base, counter.index, counter.size, ir.Op("add", (counter, ir.Const(1))), None, None, False,
                               f"limit of {limit}", rule.span))  # fmt: skip
        one = ir.Const(1)
        body.emit(ir.Store(ir.BATCH, None, 1, ir.Op("add", (ir.Load(ir.BATCH), one)), None, None, False, "batch", rule.span))
        start = body.here()
        args: tuple[ir.Expr, ...] = (ir.Local(kept),) if own else ()
        if rule.lasting is not None:
            args = tuple(ir.Op("get", (ir.Local(kept), ir.Const(i))) for i in range(len(own)))
        body.emit(ir.Call(number, args, kept, rule.span))
        body.emit(ir.Let(unwinding, ir.Const(None), rule.span))
        stop = body.here()
        body.emit(ir.Store(ir.BATCH, None, 1, ir.Op("sub", (ir.Load(ir.BATCH), one)), None, None, False, "batch", rule.span))
        body.emit(ir.Resume(unwinding, rule.span))
        body.emit(ir.Jump(head, rule.span))
        body.regions.append(ir.Region(start, stop, stop, unwinding, None))
        body.aim(some)
        note(game, rule, env)
        env.frame.scopes = outer
        compile_procedure(game, expressions, rule, own, [])
        record(game, "always", None, set(), {(f"rule {full_name(rule)}", frozenset())})
        del inner, index
    body.aim(end)
    game.always_procedure = outside
    game.out_procedures[outside] = body.finish(0, env)
    record(game, "always", None, set(), body.calls)


def end_by_condition(game: Game, expressions: Expressions, lasting: model.Lasting, body: Body, env: Env, head: int) -> None:
    """A lasting effect whose own `until` holds ends."""
    inner, index = env.bind("", PLAYER)
    bound, wrap = bind_arguments(lasting, inner, index)
    test = wrap(expressions.of(lasting.node.get("until"), bound, BOOL)[0])
    effects = ir.Op("lasting_of", (ir.Load(ir.LASTING), ir.Const(lasting.index)))
    due = ir.Comp(index, effects, test)
    k = env.depth
    env.skip(2)
    none = body.unless(ir.Op("lt", (ir.Const(0), ir.Op("size", (due,)))), lasting.span)
    body.emit(ir.Let(k, ir.Op("first", (due,)), lasting.span))
    args = tuple(ir.Op("get", (ir.Local(k), ir.Const(i))) for i in range(len(lasting.parameters)))
    body.emit(ir.Cease(lasting.index, None, args, k + 1, lasting.span))
    if lasting.at_end is not None:
        body.emit(ir.Call(lasting.at_end, args, k + 1, lasting.span))
    body.emit(ir.Jump(head, lasting.span))
    body.aim(none)


def bind_arguments(lasting: model.Lasting, env: Env, index: int) -> tuple[Env, Wrap]:
    """The parameters of a lasting effect as names for the parts of the tuple in a local."""
    inner = env
    bound: list[tuple[int, int]] = []
    for position, parameter in enumerate(lasting.parameters):
        inner, local = inner.bind(parameter.name, parameter.type)
        bound.append((local, position))

    def wrap(expr: ir.Expr) -> ir.Expr:
        for local, position in reversed(bound):
            expr = ir.Bind(local, ir.Op("get", (ir.Local(index), ir.Const(position))), expr)
        return expr

    return inner, wrap


def compile_lastings(game: Game, expressions: Expressions) -> None:
    """The steps at the end of lasting effects; their numbers are known before."""
    for lasting in game.lastings.values():
        if lasting.at_end is None:
            continue
        body = Body(game, expressions, f"end of {lasting.name}", lasting.span)
        env = call_frame([(p.name, p.type) for p in lasting.parameters])
        body.block(lasting.node.get("at end"), env)
        game.out_procedures[lasting.at_end] = body.finish(len(lasting.parameters), env)


def reserve_lastings(game: Game) -> None:
    """Numbers for the procedures that end lasting effects."""
    for lasting in game.lastings.values():
        if "at end" in lasting.node:
            lasting.at_end = len(game.out_procedures)
            game.out_procedures.append(None)


__all__ = ["EntityType", "replace"]

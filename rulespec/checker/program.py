"""The whole way from a tree to a game: declare, check every body, and put the program together."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rulespec import ir
from rulespec.checker import always, pictures, rules, symbols
from rulespec.checker.body import Body
from rulespec.checker.context import CheckContext
from rulespec.checker.declare.base import check_citations
from rulespec.checker.declare.declarations import Declarations
from rulespec.checker.declare.state import start_function, viewers_function
from rulespec.checker.env import call_frame
from rulespec.checker.expressions import Expressions
from rulespec.checker.kinds import Kinds
from rulespec.checker.layers import check_modifiers
from rulespec.checker.scoping import check_batches, check_scopes, note_questions, record
from rulespec.checker.verbs.control import batch, end_lasting
from rulespec.language.sections import BLOCKS
from rulespec.language.types import (
    BOOL,
    INT,
    PLAYER,
    PLAYERS,
    ListType,
)
from rulespec.loading.gamedef import GameDef, OptionDef
from rulespec.passes.fold import folded, settled
from rulespec.passes.liveness import liveness
from rulespec.passes.pipeline import optimise
from rulespec.system.gc_pause import without_collection
from rulespec.text.diagnostics import Diagnostics, nearest
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

LANGUAGE = "1"
NOT_THE_GAME = frozenset({"cases", "invariants", "about", "title"})  # sections that do not change what is played


@dataclass(slots=True)
class CheckedGame(GameDef):
    """A game with all that the checker knows of it."""

    context: CheckContext = field(repr=False)
    expressions: Expressions = field(repr=False)
    template: ir.Program = field(repr=False)
    _programs: dict[Any, ir.Program] = field(default_factory=dict, repr=False)

    @without_collection()
    def program(
        self,
        *,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        variant: Any = None,
        cases: bool = False,
        optimise: bool = True,
    ) -> ir.Program:
        """See `GameDef.program`."""
        if variant is not None:
            return self.varied(variant).program(players=players, options=options, cases=cases, optimise=optimise)
        count, chosen = self.setup(players, options)
        key = (count, tuple(chosen.items()), len(self.context.out_procedures) if cases else 0, optimise)
        if key not in self._programs:
            template = assemble(self.context, self.digest) if cases else self.template
            made = specialise(template, self.context, count, chosen, optimise)
            self._programs[key] = replace(made, variants=self.variants) if self.variants else made
        return self._programs[key]


def check(root: MapNode, files: dict[str, Node], diagnostics: Diagnostics) -> CheckedGame | None:
    """The game in a tree, or None where it has faults, which are reported."""
    context = CheckContext(diagnostics, root, files)
    head(context)
    expressions = Expressions(context)
    for name, size in (
        ("control", 1),
        ("random", 1),
        ("winners", 1),
        ("returns", 1),
        ("known", 1),
        ("lasting", 1),
        ("batch", 1),
    ):
        context.allot(name, size, () if name in ("known", "lasting") else 0 if name == "batch" else None)
    context.target("the game")
    kinds = Kinds(context, expressions)
    kinds.declare()
    declarations = Declarations(context, expressions, kinds)
    declarations.declare()
    declarations.procedure_parameters()
    bodies(context, expressions, declarations)
    if diagnostics.has_errors:
        return None
    context.in_play = frozenset(context.refs)
    digest = digest_of(root, files)
    options = tuple(OptionDef(o.name, o.words, o.default, o.about) for o in context.options.values())
    return CheckedGame(
        id=context.id,
        title=context.title,
        about=context.about,
        players=context.counts,
        options=options,
        digest=digest,
        context=context,
        expressions=expressions,
        template=assemble(context, digest),
    )


def head(context: CheckContext) -> None:
    """Id, title, language version, sources that may be cited."""
    root = context.root
    for name in ("id", "title", "about"):
        node = root.get(name)
        if isinstance(node, ScalarNode):
            setattr(context, name, node.value)
    context.title = context.title or context.id.replace("_", " ")
    version = root.get("rulespec")
    if isinstance(version, ScalarNode) and version.value != LANGUAGE:
        context.error(
            "S014", f"this game is written in version {version.value} of the language", version.span, expected=LANGUAGE
        )
    sources = root.get("sources")
    for key, node in sources.entries if isinstance(sources, MapNode) else ():
        lines = node.get("lines") if isinstance(node, MapNode) else None
        count = lines.resolve() if isinstance(lines, ScalarNode) else None
        if isinstance(count, int) and not isinstance(count, bool):
            context.citations[f"{key.value}*"] = count
        else:
            context.citations[key.value] = 0
    citations(context, root)


def citations(context: CheckContext, node: Node) -> None:
    """Every `cites` names what is there; rows are data, where a column may have that name."""
    if isinstance(node, MapNode):
        check_citations(context, node)
        for key, value in node.entries:
            if key.value != "rows":
                citations(context, value)
    elif isinstance(node, ListNode):
        for item in node.items:
            citations(context, item)


def bodies(context: CheckContext, expressions: Expressions, declarations: Declarations) -> None:
    """Check everything that was declared."""
    for symbol in [*context.names.values(), *(s for k in context.kinds.values() for s in k.attributes.values())]:
        if isinstance(symbol, symbols.Function):
            expressions.compile_function(symbol)
    for view in context.views.values():
        expressions.compile_function(view.test)
    check_modifiers(context)
    rules.reserve_counters(context)
    rules.find_end_tags(context.root, context.end_tags)
    rules.reserve_lastings(context)
    always.prepare_always(context, expressions)
    for zone in context.zones:
        for name in ("seen", "counted", "top"):
            setattr(zone, name, viewers_function(declarations.later, getattr(zone, name), expressions))
    for variable in context.variables:
        variable.seen = viewers_function(declarations.later, variable.seen, expressions)
    scoped(context, expressions)
    for procedure in context.procedures.values():
        compile_procedure(context, expressions, procedure)
    recursion(context)
    for rule in context.rules:
        rules.compile_rule(context, expressions, rule)
    rules.compile_lastings(context, expressions)
    always.compile_always(context, expressions)
    setup(context, expressions)
    context.picture = pictures.picture(context, expressions)
    check_scopes(context)
    check_batches(context)


def compile_procedure(context: CheckContext, expressions: Expressions, procedure: symbols.Procedure) -> None:
    """A procedure or phase."""
    body = Body(context, expressions, procedure.name, procedure.span)
    body.gives = procedure.gives
    body.move = procedure.index if procedure.stages else None
    env = call_frame([(p.name, p.type) for p in procedure.parameters])
    if procedure.phase:
        inner, unwinding = env.bind("", BOOL)
        body.emit(ir.Let(unwinding, ir.Const(None), procedure.span))
        start = body.here()

        def clean() -> None:
            end_lasting(body, procedure.name, body.live, procedure.span)

        from rulespec.checker.body import OpenRegion

        body.open.append(OpenRegion(clean))
        for low, high in context.limits.get(procedure.name, ()):
            body.emit(ir.Reset(low, high, procedure.span))
        body.block(procedure.node.get("do"), inner)
        body.open.pop()
        body.emit(ir.Let(unwinding, ir.Const(None), procedure.span))
        stop = body.here()
        body.live = inner.depth
        clean()
        body.emit(ir.Resume(unwinding, procedure.span))
        body.regions.append(ir.Region(start, stop, stop, unwinding, procedure.target))
        inner.skip(1)
    else:
        if procedure.stages and context.always_procedure is not None:
            batch(body, procedure.span, env, lambda inner: body.block(procedure.node.get("do"), inner))
        else:
            body.block(procedure.node.get("do"), env)
        if procedure.gives is not None and not any(isinstance(i, ir.Return) and i.value is not None for i in body.code):
            context.error(
                "E503",
                f"`{procedure.name}` never gives its result",
                procedure.span,
                expected=f"give: {procedure.gives}",
            )
        if procedure.gives is not None and body.falls_through():
            body.emit(
                ir.Claim(ir.Const(False), ir.Text((f"`{procedure.name}` ended without a result",)), procedure.span)
            )
    context.out_procedures[procedure.index] = body.finish(len(procedure.parameters), env)
    record(context, f"procedure {procedure.name}", procedure.span, env.frame.scopes, body.calls)
    note_questions(context, f"procedure {procedure.name}", body.asks, body.batched)


def recursion(context: CheckContext) -> None:
    """A procedure must not call itself, by any way."""
    calls = {
        name: {
            callee.removeprefix("procedure ")
            for callee, _ in context.needs[f"procedure {name}"].calls
            if callee.startswith("procedure ")
        }
        for name in context.procedures
    }
    state: dict[str, int] = {}
    for start in calls:
        stack = [(start, iter(sorted(calls[start])))] if start not in state else []
        state.setdefault(start, 1)
        while stack:
            name, rest = stack[-1]
            callee = next(rest, None)
            if callee is None:
                state[name] = 2
                stack.pop()
            elif state.get(callee) == 1:
                ring = [n for n, _ in stack]
                way = " -> ".join([*ring[ring.index(callee) :], callee])
                context.error(
                    "E511",
                    f"`{callee}` calls itself: {way}",
                    context.procedures[callee].span,
                    help=["use a loop: `while`, `until` or `repeat`"],
                )
            elif callee not in state:
                state[callee] = 1
                stack.append((callee, iter(sorted(calls.get(callee, ())))))


def without_beginning(context: CheckContext) -> None:
    """No phase is called `game`: nothing is said where the section itself is misspelt, which is told already."""
    sections = BLOCKS["game"].keys
    if any(key.value not in sections and nearest(key.value, sections) == "phases" for key, _ in context.root.entries):
        return
    phases = {key.value: key.span for key, _ in context.section("phases")}
    near = nearest("game", phases)
    context.error(
        "E117",
        "there is no phase named `game`: it is where play begins",
        phases.get(near or "", context.root.span),
        help=["declare it under `phases:`, without parameters" if near is None else "call this one `game`"],
    )


# --- beginning and end ------------------------------------------------------------------------------------------------
def setup(context: CheckContext, expressions: Expressions) -> None:
    """The main procedure: put the pieces where they start, set the variables, play, and score."""
    body = Body(context, expressions, "the game", context.root.span)
    env = call_frame([])
    env, unwinding = env.bind("", BOOL)
    beginning = Body(context, expressions, "set-up", context.root.span)
    frame = call_frame([])
    starts(context, expressions, beginning)
    context.set_up = len(context.out_procedures)
    context.out_procedures.append(beginning.finish(0, frame))
    body.emit(ir.Call(context.set_up, (), env.depth, context.root.span))
    main = context.procedures.get("game")
    if main is None or not main.phase or main.parameters:
        without_beginning(context)
        return
    body.emit(ir.Let(unwinding, ir.Const(None), main.span))
    begin = body.here()
    if context.always_procedure is not None:
        body.emit(ir.Call(context.always_procedure, (), env.depth, main.span))
    body.emit(ir.Call(main.index, (), env.depth, main.span))
    env.skip(1)
    body.emit(ir.Let(unwinding, ir.Const(None), main.span))
    stop = body.here()
    body.emit(ir.Resume(unwinding, main.span))  # what was to be left and does not run is a fault
    body.regions.append(ir.Region(begin, stop, stop, unwinding, context.target("the game")))
    ending(context, expressions, body, env)
    context.main = len(context.out_procedures)
    context.out_procedures.append(body.finish(0, env))
    sheet = end_of_game(context).get("score")
    for key, value in sheet.entries if isinstance(sheet, MapNode) else ():
        function = symbols.Function(
            key.value, "hidden", [symbols.Parameter("this", PLAYER, key.span)], value, key.span, INT
        )
        expressions.compile_function(function)
        context.score.append((key.value, function.index or 0))


def end_of_game(context: CheckContext) -> MapNode:
    """The section that says how a game ends."""
    node = context.root.get("end of game")
    return node if isinstance(node, MapNode) else MapNode((), context.root.span)


def ending(context: CheckContext, expressions: Expressions, body: Body, env: Any) -> None:
    """What follows when the game is over: last steps, then the returns."""
    node = end_of_game(context)
    body.block(node.get("before"), env)
    body.emit(ir.Finish(returns(expressions, node, env), node.span))


def returns(expressions: Expressions, node: MapNode, env: Any) -> ir.Expr:
    """What each player gets: `returns`, or from `winners` or `rank`; a `win` goes before."""
    players = ir.Setting("players")
    zero: ir.Expr = ir.Op("by_winners", (ir.Const(()), players))
    value = zero
    if (own := node.get("returns")) is not None:
        function = symbols.Function(
            "returns", "hidden", [symbols.Parameter("this", PLAYER, own.span)], own, own.span, INT
        )
        expressions.compile_function(function)
        inner, index = env.bind("", PLAYER)
        del inner
        value = ir.Comp(index, ir.Op("seats", (players,)), None, ir.Invoke(function.index or 0, (ir.Local(index),)))
    elif (own := node.get("winners")) is not None:
        value = ir.Op("by_winners", (expressions.of(own, env, PLAYERS)[0], players))
    elif (own := node.get("rank")) is not None:
        expr, _ = expressions.of(own, env, ListType(ListType(PLAYER)))
        value = ir.Op("by_rank", (expr, players))
    named = ir.Op("by_winners", (ir.Load(ir.WINNERS), players))
    return ir.Cond(ir.Op("is_none", (ir.Load(ir.WINNERS),)), value, named)


def starts(context: CheckContext, expressions: Expressions, body: Body) -> None:
    """Pieces into the zones they start in, and variables to what they start as."""
    started: set[str] = set()
    for zone in context.zones:
        if zone.start is None:
            continue
        started.add(zone.kind.name)
        span = zone.start.span
        everything = zone.start.value == "all"
        function = start_function(zone)
        if function is not None:
            expressions.compile_function(function)
        for index, offset in cells(zone.per) if not context.diagnostics.has_errors else ():
            if everything:
                pieces: ir.Expr = context.members_of(zone.kind)
            else:
                assert function is not None
                pieces = ir.Invoke(function.index or 0, tuple(ir.Const(i) for i in index[: len(function.parameters)]))
            place = ir.Const(offset) if zone.per else None
            skip = absent(context, body, zone.per, index, span)
            if zone.counts:
                body.emit(ir.MoveCounts(pieces, None, None, zone.index, place, span))
            else:
                body.emit(ir.Move(pieces, zone.index, place, False, span))
            if skip is not None:
                body.aim(skip)
        if everything and (zone.counts or zone.per):
            context.error(
                "E410",
                "`starts with: all` is for one zone of pieces with identity",
                span,
                help=["give a bag or a set, which may speak of `this`"],
            )
    for kind in context.kinds.values():
        if (
            kind.what == "piece"
            and kind.name not in started
            and kind.members
            and any(z.kind is kind for z in context.zones)
        ):
            context.error(
                "E411",
                f"no zone says that {kind.name} pieces start there",
                kind.span,
                expected="starts with: all, in a zone",
            )
    for variable in context.variables:
        if variable.initial is None or variable.scope is not None:
            continue
        names = ["this", "that"]
        parameters = [
            symbols.Parameter(names[i], symbols.index_type(x), variable.span) for i, x in enumerate(variable.per[:2])
        ]
        function = symbols.Function(
            f"start of {variable.name}", "hidden", parameters, variable.initial, variable.initial.span, variable.type
        )
        expressions.compile_function(function)
        for index, offset in cells(variable.per) if not context.diagnostics.has_errors else ():
            value = ir.Invoke(function.index or 0, tuple(ir.Const(i) for i in index[: len(parameters)]))
            skip = absent(context, body, variable.per, index, variable.initial.span)
            body.store((variable, ir.Const(offset) if variable.per else None), value, variable.initial.span)
            if skip is not None:
                body.aim(skip)


def scoped(context: CheckContext, expressions: Expressions) -> None:
    """What variables of scopes start as must be plain values, which the scope is entered with."""
    for variable in context.variables:
        if variable.initial is None or variable.scope is None:
            continue
        expr, _ = expressions.of(variable.initial, call_frame([]), variable.type)
        value = folded(expr)
        if not isinstance(value, ir.Const):
            context.error(
                "E412",
                "a variable of a scope starts with a plain value",
                variable.initial.span,
                help=["give the scope its start by `with:`"],
            )
            continue
        for offset in range(variable.size):
            context.initial[variable.base + offset] = value.value


def absent(
    context: CheckContext, body: Body, per: tuple[symbols.Index, ...], index: tuple[int, ...], span: Any
) -> int | None:
    """A jump past what belongs to a player who is not in the game."""
    for own, value in zip(per, index, strict=True):
        if isinstance(own, symbols.Kind) and own.what == "player" and value >= context.counts[0]:
            return body.unless(ir.Op("lt", (ir.Const(value), ir.Setting("players"))), span)
    return None


def cells(per: tuple[symbols.Index, ...]) -> list[tuple[tuple[int, ...], int]]:
    """Every combination of indices, with its offset."""
    made: list[tuple[int, ...]] = [()]
    for index in per:
        values = range(len(index.members)) if isinstance(index, symbols.Kind) else range(index.low, index.high + 1)
        made = [(*m, v) for m in made for v in values]
    return [(m, offset) for offset, m in enumerate(made)]


# --- the program ------------------------------------------------------------------------------------------------------
def assemble(context: CheckContext, digest: str) -> ir.Program:
    """All parts together, not yet specialised; it has no points yet."""
    kinds = [
        ir.Kind(
            index=k.index,
            name=k.name,
            what=k.what,
            members=tuple(k.members),
            labels=tuple(k.labels),
            location=k.location,
            noun=f"a {k.noun}" if k.noun[:1] not in "aeiou" else f"an {k.noun}",
        )
        for k in context.kinds.values()
    ]
    numbers: dict[symbols.Numbers, int] = {}

    def index(own: symbols.Index) -> int:
        if isinstance(own, symbols.Kind):
            return own.index
        if own not in numbers:
            numbers[own] = len(kinds)
            names = tuple(str(n) for n in range(own.low, own.high + 1))
            kinds.append(ir.Kind(len(kinds), f"{own.low}..{own.high}", "enum", names, names))
        return numbers[own]

    zones = tuple(
        ir.Zone(
            index=z.index,
            name=z.name,
            kind=z.kind.index,
            base=z.base,
            size=z.size,
            per=tuple(index(i) for i in z.per),
            order=z.order,
            counts=z.counts,
            seen=z.seen,
            counted=z.counted,
            top=z.top,
            scope=None if z.scope is None else z.scope.alive,
        )
        for z in context.zones
    )
    variables = tuple(
        ir.Variable(
            index=n,
            name=v.name,
            base=v.base,
            size=v.size,
            per=tuple(index(i) for i in v.per),
            printer=context.printer(v.type),
            seen=v.seen,
            scope=None if v.scope is None else v.scope.alive,
            shown=v.shown,
        )
        for n, v in enumerate(context.variables)
    )
    functions = tuple(f for f in context.out_functions if f is not None)
    procedures = tuple(p or ir.Procedure("nothing", 0, 0, (ir.Return(),)) for p in context.out_procedures)
    views = tuple(
        (name, s.index)
        for name, s in context.names.items()
        if isinstance(s, symbols.Function) and not s.parameters and s.index is not None
    )
    return ir.Program(
        id=context.id,
        title=context.title,
        digest=digest,
        players=0,
        settings=(),
        kinds=tuple(kinds),
        player_kind=context.kinds["Player"].index,
        zones=zones,
        variables=variables,
        initial=tuple(context.initial),
        slot_names=tuple(context.slot_names),
        functions=functions,
        procedures=procedures,
        main=context.main,
        sites=tuple(s for s in context.out_sites if s is not None),
        rules=tuple(r for r in context.out_rules if r is not None),
        points=(),
        targets=tuple(context.targets),
        score=tuple(context.score),
        views=views,
        picture=context.picture,
    )


def specialise(
    template: ir.Program, context: CheckContext, players: int, chosen: dict[str, str], optimised: bool
) -> ir.Program:
    """The program for one setup: settings are constants now, and the passes have been made, or only that which makes points."""
    passes = optimise if optimised else liveness
    settings = settings_of(context, players, chosen)
    functions = settled(template.functions, settings)
    procedures, sites = settled(template.procedures, settings), settled(template.sites, settings)
    return passes(
        replace(
            template,
            players=players,
            settings=tuple(chosen.items()),
            functions=functions,
            procedures=procedures,
            sites=sites,
            rules=settled(template.rules, settings),
            picture=settled(template.picture, settings),
        )
    )


def settings_of(context: CheckContext, players: int, chosen: Mapping[str, str]) -> dict[str, ir.Value]:
    """The values of a setup's settings."""
    settings: dict[str, ir.Value] = {"players": players}
    for name, word in chosen.items():
        option = context.options[name]
        settings[name] = option.values[option.words.index(word)]
    return settings


def plain(node: Node) -> Any:
    """A tree as plain data: what the digest is made of."""
    if isinstance(node, MapNode):
        return {key.value: plain(value) for key, value in node.entries}
    if isinstance(node, ListNode):
        return [plain(item) for item in node]
    return node.value


def digest_of(root: MapNode, files: Mapping[str, Node]) -> str:
    """The digest of the resolved spec: what is written in it, without layout, comments and cases."""
    data = {key.value: plain(value) for key, value in root.entries if key.value not in NOT_THE_GAME}
    if isinstance(data.get("map"), dict):
        data["map"].pop("picture", None)
    tables = {name: plain(node) for name, node in sorted(files.items())}
    text = json.dumps([LANGUAGE, data, tables], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()

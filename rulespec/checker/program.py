"""The whole way from a tree to a game: declare, check every body, and put the program together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from itertools import pairwise, product
from math import prod
from typing import Any

from rulespec import ir
from rulespec.checker import always, faces, pictures, rows, rules, symbols, table, titles
from rulespec.checker.ahead import check_looks, open_memory
from rulespec.checker.assemble import LANGUAGE, assemble, digest_of, specialise
from rulespec.checker.beginning import scoped, starts
from rulespec.checker.body import Body, OpenRegion
from rulespec.checker.context import CheckContext
from rulespec.checker.declare import boards
from rulespec.checker.declare.base import check_citations
from rulespec.checker.declare.declarations import Declarations
from rulespec.checker.declare.state import viewers_function
from rulespec.checker.ending import end_of_game, ending
from rulespec.checker.env import call_frame
from rulespec.checker.expressions import Expressions
from rulespec.checker.kinds import Kinds
from rulespec.checker.layers import check_modifiers
from rulespec.checker.mentions import Mentions
from rulespec.checker.options import Options
from rulespec.checker.recording import Recording
from rulespec.checker.scoping import ENDING, check_batches, check_scopes, note_questions, record
from rulespec.checker.verbs.scopes import batch, end_lasting
from rulespec.checker.wanted import wanted
from rulespec.checker.wording import effects
from rulespec.ir.gamedef import GameDef, OptionDef, Roots
from rulespec.language.foreign_steps import gives_elsewhere
from rulespec.language.sections import BLOCKS
from rulespec.language.types import (
    INT,
    PLAYER,
    OptionType,
)
from rulespec.passes.checks import checks
from rulespec.system.gc_pause import without_collection
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostic, Diagnostics, nearest
from rulespec.text.quoting import ticked
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

SYSTEM: tuple[tuple[int, str, ir.Value], ...] = (  # the slots that every program has first, with what they hold at first
    (ir.CONTROL, "control", None),
    (ir.RANDOM, "random", None),
    (ir.WINNERS, "winners", None),
    (ir.RETURNS, "returns", None),
    (ir.KNOWN, "known", ()),
    (ir.LASTING, "lasting", ()),
    (ir.BATCH, "batch", 0),
)  # fmt: skip


MOST_SIZES = 100  # combinations of options by which boards have their size
MOST_READ = 20_000  # expressions, in all sizes together; fewer sizes than that are allowed in any case:
FEW_SIZES = 4
TOO_MANY = "E216"


@dataclass(slots=True)
class CheckedGame(GameDef):
    """A game with all that the checker knows of it.

    Where options say how large boards are, it is checked for each size: this one is the game as it is by default, and `at` gives
    the others.  They have the same digest, and cells, fields and slots of their own.
    """

    context: CheckContext = field(repr=False)
    expressions: Expressions = field(repr=False)
    template: ir.Program = field(repr=False)
    sizes: dict[tuple[str, ...], CheckedGame] = field(default_factory=dict, repr=False)  # by words of `context.sizing`
    _programs: dict[Any, ir.Program] = field(default_factory=dict, repr=False)
    _with_cases: dict[tuple[int, int, bool], ir.Program] = field(
        default_factory=dict, repr=False
    )  # the last that was wanted
    _unspecialised: ir.Program | None = field(
        default=None, repr=False
    )  # the template without idle checks, once it is wanted

    def at(self, options: Mapping[str, Any]) -> CheckedGame:
        """The game as it was checked for the boards that there are with such options; those left out have their default."""
        known = self.context.options
        words = tuple(str(options.get(name, known[name].default)) for name in self.context.sizing)
        return self.sizes.get(words, self)

    @without_collection()
    def program(
        self,
        *,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        variant: Any = None,
        cases: bool | Roots = False,
        optimise: bool = True,
    ) -> ir.Program:
        """See `GameDef.program`."""
        if variant is not None:
            return self.varied(variant).program(players=players, options=options, cases=cases, optimise=optimise)
        count, chosen = self.setup(players, options)
        game = self.at(chosen)
        key = (count, tuple(chosen.items()), len(game.context.out_procedures) if cases else 0, cases, optimise)
        if key not in self._programs:
            template = game.with_cases(optimise) if cases else game.without_idle_checks() if optimise else game.template
            if isinstance(cases, Roots):
                template = wanted(template, game.template, cases)
            specialised = specialise(template, game.context, count, chosen, optimise)
            self._programs[key] = replace(specialised, variants=self.variants) if self.variants else specialised
        return self._programs[key]

    def with_cases(self, optimise: bool) -> ir.Program:
        """The template with all cases that were compiled so far; with `optimise`, without checks that hold in every setup."""
        key = (len(self.context.out_procedures), len(self.context.out_functions), optimise)
        if key not in self._with_cases:
            template = assemble(self.context, self.digest)
            self._with_cases = {key: checks(template) if optimise else template}
        return self._with_cases[key]

    def without_idle_checks(self) -> ir.Program:
        """The template without checks that hold in every setup."""
        if self._unspecialised is None:
            self._unspecialised = checks(self.template)
        return self._unspecialised


def check(
    root: MapNode, files: dict[str, Node], diagnostics: Diagnostics, mentions: Mentions | None = None
) -> CheckedGame | None:
    """The game in a tree, or None where it has faults, which are reported: those of several sizes of boards once.

    With `mentions`, what its names stand for is kept there.
    """
    game = check_size(CheckContext(diagnostics, root, files, mentions=mentions))
    if game is not None and game.context.sizing:
        other_sizes(game)
    return None if diagnostics.has_errors else game


def other_sizes(game: CheckedGame) -> None:
    """Check a game for each size that boards have by options but the usual one, and report what is wrong there alone."""
    context = game.context
    options = [context.options[name] for name in context.sizing]
    usual = tuple(option.default for option in options)
    count = prod(len(option.words) for option in options)
    most = max(FEW_SIZES, min(MOST_SIZES, MOST_READ // max(context.expressions, 1)))
    if count > most:
        message = f"options make {count} sizes of boards, and at most {most} can be checked in a game of this length"
        context.error("E607", message, options[0].span, help=["let the options have fewer values"])
        return
    sizes = [words for words in product(*(option.words for option in options)) if words != usual]
    found: dict[tuple[str, ...], list[Diagnostic]] = {}
    made: dict[tuple[str, ...], CheckedGame] = {}
    too_many = False  # of the largest size first, so that it is known before all rows of all others are worked out
    for words in reversed(sizes):
        chosen, findings = dict(zip(context.sizing, words, strict=True)), Diagnostics()
        other = CheckContext(findings, context.root, context.files, chosen=chosen, few_rows=too_many)
        other.used, other.refs, other.wholes = context.used, context.refs, context.wholes  # used in one size is used
        other.reads, other.tells = context.reads, context.tells
        other.counted = context.counted
        checked = check_size(other)
        if checked is not None:
            made[words] = checked
        found[words] = [fault for fault in findings if not other.few_rows or fault.code == TOO_MANY]
        too_many = too_many or any(fault.code == TOO_MANY for fault in findings)
    game.sizes.update((words, made[words]) for words in sizes if words in made)
    for words in sizes:
        setting = ", ".join(f"{name} = {word}" for name, word in zip(context.sizing, words, strict=True))
        for fault in found[words]:
            context.diagnostics.keep(replace(fault, help=(*fault.help, f"so it is with {setting}")))


def check_size(context: CheckContext) -> CheckedGame | None:
    """The game in a tree with boards of one size, or None where it has faults, which are reported."""
    diagnostics, root, files = context.diagnostics, context.root, context.files
    head(context)
    if context.mentions is not None:
        context.mentions.context = context
    expressions = Expressions(context) if context.mentions is None else Recording(context, context.mentions)
    for slot, name, value in SYSTEM:
        assert context.allot(name, 1, value) == slot
    context.target("the game")
    kinds = Kinds(context, expressions)
    kinds.declare()
    Options(context).declare()
    boards.declare(context)
    titles.name_words(context)
    rows.declare(kinds)
    faces.declare(kinds)
    kinds.declare_fields()
    faces.declare_fields(kinds)
    titles.name_others(context)
    declarations = Declarations(context, expressions, kinds)
    declarations.declare()
    declarations.procedure_parameters()
    bodies(context, expressions, declarations)
    diagnostics.unsilenced()
    if diagnostics.has_errors:
        return None
    context.in_play, context.read_in_play = frozenset(context.refs), frozenset(context.reads)
    context.table = effects.with_effects(context)
    digest = digest_of(root, files)
    options = tuple(OptionDef(o.name, o.words, o.default, o.about, o.counts) for o in context.options.values())
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
    """Id, title, language version, how long a game may be, sources that may be cited."""
    root = context.root
    for name in ("id", "title", "about"):
        node = root.get(name)
        if isinstance(node, ScalarNode):
            setattr(context, name, node.value)
    context.title = context.title or context.id.replace("_", " ")
    for key, node in context.section("plurals"):
        if isinstance(node, ScalarNode):
            context.plurals[key.value] = node.value
    version = root.get("rulespec")
    if isinstance(version, ScalarNode) and version.value != LANGUAGE:
        context.error(
            "S014", f"this game is written in version {version.value} of the language", version.span, expected=LANGUAGE
        )
    most = root.get("most decisions")
    number = most.resolve() if isinstance(most, ScalarNode) else None
    if isinstance(number, int):
        context.most_decisions = number
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
    """Every `cites` names what is there; rows are data, where a column may have that name, and cases are looked at when they are read."""
    if isinstance(node, MapNode):
        check_citations(context, node)
        for key, value in node.entries:
            if key.value != "rows" and not (node is context.root and key.value in ("cases", "positions")):
                citations(context, value)
    elif isinstance(node, ListNode):
        for item in node.items:
            citations(context, item)


def bodies(context: CheckContext, expressions: Expressions, declarations: Declarations) -> None:
    """Check everything that was declared."""
    for symbol in [*context.names.values(), *(s for k in context.kinds.values() for s in k.attributes.values())]:
        if isinstance(symbol, symbols.Function):
            expressions.compile_function(symbol)
    with context.telling():
        titles.Titles(context, expressions).declare()
    for view in context.views.values():
        expressions.compile_function(view.test)
    check_modifiers(context)
    rules.reserve_counters(context)
    rules.find_end_tags(context.root, context.end_tags)
    rules.reserve_lastings(context)
    always.prepare_always(context, expressions)
    for zone in context.zones:
        for name in ("seen", "counted", "top"):
            setattr(zone, name, viewers_function(declarations.later, getattr(zone, name), zone.per, expressions))
    for variable in context.variables:
        variable.seen = viewers_function(declarations.later, variable.seen, variable.per, expressions)
    scoped(context, expressions)
    for procedure in context.procedures.values():
        compile_procedure(context, expressions, procedure)
    recursion(context)
    for rule in context.rules:
        rules.compile_rule(context, expressions, rule)
    rules.compile_lastings(context, expressions)
    always.compile_always(context, expressions)
    setup(context, expressions)
    with context.telling():
        context.picture = pictures.picture(context, expressions)
        pictures.boards(context, expressions)
        context.table = table.shown_table(context, expressions)
    check_scopes(context)
    check_batches(context)
    check_looks(context)
    open_memory(context)


def compile_procedure(context: CheckContext, expressions: Expressions, procedure: symbols.Procedure) -> None:
    """A procedure or phase."""
    body = Body(context, expressions, procedure.name, procedure.span)
    body.gives = procedure.gives
    body.move = procedure.index if procedure.stages else None
    env = call_frame([(p.name, p.type) for p in procedure.parameters])
    if procedure.phase:
        inner, unwinding = env.hold(ir.types.TARGET)
        body.emit(ir.Let(unwinding, ir.Const(None), procedure.span))
        start = body.here()

        def clean() -> None:
            end_lasting(body, procedure.name, procedure.span)

        body.open.append(OpenRegion(clean))
        for low, high in context.limits.get(procedure.name, ()):
            body.emit(ir.Reset(low, high, procedure.span))
        body.block(procedure.node.get("do"), inner)
        body.open.pop()
        body.close_region(start, unwinding, inner, clean, procedure.target, procedure.span)
    else:
        if procedure.stages and context.always_procedure is not None:
            batch(body, procedure.span, env, lambda inner: body.block(procedure.node.get("do"), inner))
        else:
            body.block(procedure.node.get("do"), env)
        given = any(isinstance(i, ir.Return) and i.value is not None for i in body.code)
        if procedure.gives is not None and not given and not gives_elsewhere(procedure.node.get("do")):
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
    record(context, f"procedure {procedure.name}", procedure.span, env.frame.scopes, body.calls | env.frame.ahead)
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
                names = [n for n, _ in stack]
                ring = [*names[names.index(callee) :], callee]
                context.error(
                    "E511",
                    f"{ticked(callee)} calls itself: {' -> '.join(ring)}",
                    context.procedures[callee].span,
                    help=[
                        "put what is done again into a loop, and its steps under `do:`: `while: CONDITION`, `repeat: NUMBER`"
                    ],
                    related=list(calls_along(context, ring)),
                )
            elif callee not in state:
                state[callee] = 1
                stack.append((callee, iter(sorted(calls.get(callee, ())))))


def calls_along(context: CheckContext, ring: list[str]) -> Iterator[tuple[Span, str]]:
    """Where each procedure of a ring runs the next."""
    for one, other in pairwise(ring):
        if (span := call_in(context.procedures[one].node, other)) is not None:
            yield span, f"{ticked(one)} runs {ticked(other)} here"


def call_in(node: Node, name: str) -> Span | None:
    """The first step in a node that runs a procedure by its name."""
    match node:
        case MapNode():
            for key, value in node.entries:
                if key.value == name:
                    return key.span
                if (span := call_in(value, name)) is not None:
                    return span
        case ListNode():
            for item in node.items:
                if isinstance(item, ScalarNode) and item.value == name:
                    return item.span
                if (span := call_in(item, name)) is not None:
                    return span
        case _:
            pass
    return None


BEGIN_WITH = "a game needs at least:\nphases:\n  game:\n    do:\n      - ..."


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
        help=[BEGIN_WITH if near is None else "call this one `game`"],
    )


# --- beginning and end ------------------------------------------------------------------------------------------------
def setup(context: CheckContext, expressions: Expressions) -> None:
    """The main procedure: put the pieces where they start, set the variables, play, and score."""
    body = Body(context, expressions, "the game", context.root.span)
    env = call_frame([])
    env, unwinding = env.hold(ir.types.TARGET)
    beginning = Body(context, expressions, "set-up", context.root.span)
    frame = call_frame([])
    starts(context, expressions, beginning)
    context.set_up = len(context.out_procedures)
    context.out_procedures.append(beginning.finish(0, frame))
    body.run_procedure(context.set_up, (), env, context.root.span)
    main = context.procedures.get("game")
    if main is None or not main.phase or main.parameters:
        without_beginning(context)
        return
    body.emit(ir.Let(unwinding, ir.Const(None), main.span))
    begin = body.here()
    if context.always_procedure is not None:
        body.run_procedure(context.always_procedure, (), env, main.span)
    body.run_procedure(main.index, (), env, main.span)
    # What is to be left there and does not run is a fault.
    body.close_region(begin, unwinding, body.at, lambda: None, context.target("the game"), main.span)
    ending(context, expressions, body, env)
    context.main = len(context.out_procedures)
    context.out_procedures.append(body.finish(0, env))
    sheet = end_of_game(context).get("score")
    for key, value in sheet.entries if isinstance(sheet, MapNode) else ():
        function = symbols.Function(
            key.value, "hidden", [symbols.Parameter("this", PLAYER, key.span)], value, key.span, OptionType(INT)
        )
        expressions.compile_function(function)
        record(context, f"{ENDING}score of {key.value}", value.span, function.scopes, function.ahead)
        context.score.append((key.value, function.index or 0))

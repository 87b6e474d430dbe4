"""A procedure being compiled: instructions, loops to leave, regions to clean up, and the steps common to all verbs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Literal, TypeVar

from rulespec import ir
from rulespec.checker import missing, symbols
from rulespec.checker.context import CheckContext, listed
from rulespec.checker.env import Env, LocalType, call_frame
from rulespec.checker.expressions import Expressions
from rulespec.checker.mentions import LOCAL
from rulespec.checker.reader import each_held_to
from rulespec.checker.sentences import taken, unlike
from rulespec.expr.parser import ExprSyntaxError, parse_expr
from rulespec.expr.printer import to_text
from rulespec.language import foreign_steps, foreign_words, whole_steps
from rulespec.language.registry import VerbDef, verbs
from rulespec.language.types import (
    BOOL,
    NONE,
    PLAYER,
    UNKNOWN,
    EntityType,
    IntType,
    OptionType,
    Type,
    is_many,
)  # fmt: skip
from rulespec.system.records import dataclass
from rulespec.text.numbers import whole
from rulespec.text.quoting import ticked
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

T = TypeVar("T", symbols.Scope, symbols.Event, symbols.Lasting)
COMMON = ("if", "cites", "log")


@dataclass(slots=True)
class OpenLoop:
    """A loop around the steps: its jumps out, and how many regions were open where it began."""

    breaks: list[int] = field(default_factory=list)
    regions: int = 0


@dataclass(slots=True)
class OpenRegion:
    """A region around the steps: what must be done when it is left from inside, and how it is closed where the steps end with it."""

    clean: Callable[[], None]
    close: Callable[[], None] | None = None


class Body:
    """Compiles the steps of one procedure."""

    def __init__(self, context: CheckContext, expressions: Expressions, name: str, span: Span | None) -> None:
        self.context = context
        self.expressions = expressions
        self.name = name
        self.owner = f"procedure {name}"
        self.span = span
        self.code: list[ir.Instruction] = []
        self.regions: list[ir.Region] = []
        self.loops: list[OpenLoop] = []
        self.open: list[OpenRegion] = []
        self.gives: Type | None = None
        self.rule = False  # what a rule does: it gives whether it was applied
        self.sealed = False  # inside `together`: choices only
        self.batch = 0  # inside `at once`
        self.move: int | None = None  # the move of several stages that this is part of
        self.calls: set[tuple[str, frozenset[str]]] = set()  # what is set off, and which scopes are open around it
        self.scopes: list[str] = []
        self.asks = False  # somebody is asked here
        self.batched: list[tuple[str, Span]] = []  # what is set off inside `at once`, and where
        self.written: set[int] = set()
        self.wrote_since: list[int] = []  # all that was written in this body, in order
        self.at = call_frame([])  # the environment at the end of the step being compiled

    # --- emitting -----------------------------------------------------------------------------------------------------
    def emit(self, instruction: ir.Instruction) -> int:
        """Add an instruction; its position."""
        self.code.append(instruction)
        return len(self.code) - 1

    def here(self) -> int:
        return len(self.code)

    def unless(self, test: ir.Expr, span: Span | None, what: Literal["", "if", "loop", "arm", "option"] = "") -> int:
        """A jump that is aimed later; `what` as in `ir.Unless`."""
        return self.emit(ir.Unless(test, -1, span, what))

    def jump(self, span: Span | None = None) -> int:
        return self.emit(ir.Jump(-1, span))

    def aim(self, position: int, target: int | None = None) -> None:
        """Give a jump its target: here, if none is given."""
        goal = len(self.code) if target is None else target
        match self.code[position]:
            case ir.Unless(test=test, where=where, what=what):
                self.code[position] = ir.Unless(test, goal, where, what)
            case ir.Jump(where=where):
                self.code[position] = ir.Jump(goal, where)
            case ir.Next(index=index, where=where):
                self.code[position] = ir.Next(index, goal, where)
            case ir.NextRule(live=live, args=args, arrange=arrange, where=where):
                self.code[position] = ir.NextRule(live, args, goal, arrange, where)
            case other:
                raise AssertionError(other)

    def falls_through(self) -> bool:
        """Whether the end of the code can be reached: past the last instruction, or by a jump."""
        if not self.code or not isinstance(self.code[-1], ir.Return | ir.Finish):
            return True
        end = len(self.code)
        return any(isinstance(i, ir.Unless | ir.Jump | ir.Next | ir.NextRule) and i.target == end for i in self.code)

    def finish(self, parameters: int, env: Env) -> ir.Procedure:
        """The procedure as compiled."""
        if self.falls_through():
            self.emit(ir.Return(None, self.span))
        return ir.Procedure(
            self.name,
            parameters,
            self.context.local_types(env),
            tuple(self.code),
            tuple(sorted(self.regions, key=lambda r: (r.start, -r.end))),
            self.span,
            self.context.type_of(self.gives or NONE),
        )

    # --- steps --------------------------------------------------------------------------------------------------------
    def block(self, node: Node | None, env: Env) -> Env:
        """Steps one after another; the environment after the last, whose locals end with the block."""
        env.frame.steps = env.frame.steps or node
        if isinstance(node, ScalarNode):
            if node.value in ("skip", ""):
                return env
            return self.word(node, env, alone=True)
        if isinstance(node, MapNode):
            return self.step(node, env)
        opened = len(self.open)
        for step in node.items if isinstance(node, ListNode) else ():
            code, written = len(self.code), len(self.wrote_since)
            env = self.step(step, env)
            if env.sealed:
                env = self.doubting(env, code, written)
        while len(self.open) > opened:
            region = self.open.pop()
            if region.close is not None:
                region.close()
        return env

    def doubting(self, env: Env, code: int, written: int) -> Env:
        """What is known after the code and the writes since then: who was asked is not, where what decided it may be different now."""
        runs = any(isinstance(i, ir.Call | ir.CallRule | ir.NextRule) for i in self.code[code:])
        touched = frozenset(self.wrote_since[written:])
        return env.unsure(lambda answer: runs or bool(answer.reads & touched))

    def assigned(self, place: str, value: Node) -> str:
        """A variable that stands where a verb should, with its new value: how it is changed; empty if it is none."""
        name = place.rpartition(".")[2].partition("(")[0]
        owned = [kind.attributes.get(name) for kind in self.context.kinds.values()]
        known = any(isinstance(symbol, symbols.Variable) for symbol in (self.context.names.get(name), *owned))
        return foreign_words.assignment(f"{place} = {value.value}") if known and isinstance(value, ScalarNode) else ""

    def called(self, text: str) -> str:
        """A procedure that is called as a function is, `earn(p, 2)`, or without a colon: the whole step; empty if it is none."""
        name, _, rest = text.partition(" ")
        if name in self.context.procedures and rest:
            return f"a colon follows the name of a procedure: {ticked(f'{name}: {rest}')}"
        known = self.context.procedures.get(text.partition("(")[0])
        return "" if known is None else foreign_steps.called(text, [p.name for p in known.parameters if p.name != "me"])

    def step(self, node: Node, env: Env) -> Env:
        """One step: a verb with its value and keys, or a bare word."""
        if isinstance(node, ScalarNode):
            return self.word(node, env)
        if not isinstance(node, MapNode) or not node.entries:
            self.context.error("S001", "this is no step", node.span, expected="a verb with its keys")
            return env
        key, value = node.entries[0]
        verb = verbs().get(key.value)
        skip: int | None = None
        inner = env
        guard = node.get("if")
        if guard is not None and (verb is None or verb.shares("if")):
            skip = self.unless(self.expressions.of(guard, env, BOOL)[0], node.span, "if")
            inner = env.knowing(self.facts(guard, True))
        if verb is not None:
            after = self.run(verb, node, value, inner)
        elif key.value in self.context.procedures:
            after = self.call(self.context.procedures[key.value], key, value, node, inner)
        else:
            said = (
                beside(key.value)
                or whole_steps.foreign(node)
                or foreign_words.verb(key.value)
                or self.assigned(key.value, value)
            )
            said = said or whole_steps.sentence(key.value)
            names = [*(verbs() if not said else ()), *self.context.procedures]
            self.context.unknown("E500", "verb or procedure", key.value, key.span, names, hint=said)
            if isinstance(value, ScalarNode) and value.value.isidentifier() and value.value not in self.context.names:
                self.context.diagnostics.refused.add(value.value)  # a name that such a step may make
            after = inner
            name = node.get("as")
            if isinstance(name, ScalarNode):
                after, _ = after.bind(name.value, UNKNOWN)
        if (log := node.get("log")) is not None and (verb is None or verb.shares("log")):
            text = self.expressions.text(log, after)
            if self.in_the_open("log", log.span, "log: ..."):
                self.emit(ir.Say(text, None, log.span))
        if skip is not None:
            named = after.depth != env.depth and verb is not None and verb.traits.binds
            if named:
                cures = ["put the steps that need it under an `if:` step"]
                if self.sealed:
                    cures = ["in `together` only those are asked who may choose: `together: p in players where ...`"]
                self.context.error(
                    "E501",
                    f"{ticked(key.value)} makes a name, which would have no value where the `if` does not hold",
                    key.span,
                    help=cures,
                )
            self.aim(skip)
            after = after if named else env  # that the name is not known behind follows from what is reported
        self.settle(node.span)
        return after

    def in_the_open(self, what: str, span: Span, instead: str) -> bool:
        """Whether something may be set or told here; inside `together`, where it may not, it is reported."""
        if self.sealed:
            self.context.error(
                "E502",
                f"{ticked(what)} cannot stand in `together`: nobody's answer is known before all have answered",
                span,
                expected=f"under `then`, for each player: {ticked(f'- {instead}')}",
            )
        return not self.sealed

    def settle(self, span: Span) -> None:
        """Rules that are always true look after a step that may have touched what they read."""
        context = self.context
        if context.always_procedure is not None and not self.batch and self.written & context.always_reads:
            self.run_procedure(context.always_procedure, (), self.at, span)
            self.written = set()

    def run(self, verb: VerbDef, node: MapNode, value: Node, env: Env) -> Env:
        """A verb of the language."""
        if self.sealed and not verb.traits.sealed:
            self.context.error(
                "E502",
                f"`{verb.name}` cannot stand in `together`",
                node.entries[0][0].span,
                expected="choices only; what follows from them stands in `then`",
            )
        lacks = any(about.required and node.get(key) is None for key, about in verb.keys.items())
        if lacks and isinstance(value, ScalarNode) and whole_steps.assigned(verb.name, value.value):
            return env  # the schema has said what is missing and how the whole is written
        after: Env = verb.compile(self, node, value, env)
        self.at = after
        return after

    def word(self, node: ScalarNode, env: Env, alone: bool = False) -> Env:
        """A bare word: a procedure without arguments, or a verb without a value; `alone` if it stands where a list of steps may."""
        if node.value in self.context.procedures:
            empty = ScalarNode("", "plain", node.span)
            mapping = MapNode(((node, empty),), node.span)
            after = self.call(self.context.procedures[node.value], node, empty, mapping, env)
        elif node.value == "skip":
            return env
        elif node.value in verbs() and verbs()[node.value].bare:
            empty = ScalarNode("", "plain", node.span)
            after = self.run(verbs()[node.value], MapNode(((node, empty),), node.span), empty, env)
        elif not node.value.strip():
            self.context.error(
                "E500", "a step is missing here", node.span, help=["`skip` is the step that does nothing"]
            )
            return env
        elif hint := whole_steps.sentence(node.value, alone):
            self.context.error("E500", f"there is no procedure named {ticked(node.value)}", node.span, help=[hint])
            return env
        else:
            hint = (
                foreign_steps.stray_dash(node.value) or foreign_steps.quoted_list(node.value) or self.called(node.value)
            )
            names = [] if hint else [*self.context.procedures, "skip"]
            hint = hint or foreign_steps.said(node.value)
            names += [name for name, verb in verbs().items() if verb.bare and not hint]
            hint = hint or "a step begins with a verb and a colon, such as `win: p1`"
            self.context.unknown("E500", "procedure", node.value, node.span, names, hint=hint)
            return env
        self.settle(node.span)
        return after

    def sets_off(self, what: str, span: Span) -> None:
        """Something else runs here."""
        self.calls.add((what, frozenset(self.scopes)))
        if self.batch:
            self.batched.append((what, span))

    # --- calls --------------------------------------------------------------------------------------------------------
    def call(self, procedure: symbols.Procedure, key: ScalarNode, value: Node, node: MapNode, env: Env) -> Env:
        """`procedure: first argument`, its other parameters as keys, its result by `as`."""
        context = self.context
        context.refer("procedure", procedure.name, key.span, procedure.span)
        self.sets_off(f"procedure {procedure.name}", key.span)
        if self.sealed:
            context.error("E502", f"`{procedure.name}` cannot stand in `together`", key.span, expected="choices only")
        args = self.arguments(procedure, key, value, node, env)
        name = node.get("as")
        live = self.run_procedure(procedure.index, tuple(args), env, node.span, procedure.gives or NONE)
        self.at = env
        if isinstance(name, ScalarNode):
            if procedure.gives is None:
                context.error("E503", f"`{procedure.name}` gives no result", name.span)
            return self.result(name, procedure.gives or UNKNOWN, env, live, node.span)
        return env

    def run_procedure(
        self, number: int, args: tuple[ir.Expr, ...], env: Env, span: Span | None, gives: LocalType = NONE
    ) -> int:
        """Call a procedure of the program; the local of its result."""
        _, live = env.hold(gives)
        self.emit(ir.Call(number, args, live, span))
        return live

    def result(self, name: ScalarNode, t: Type, env: Env, live: int, span: Span) -> Env:
        """The value in a local gets a name: a new one, or an existing local that may be set."""
        old = env.locals.get(name.value)
        if old is not None:
            if old.settable:
                self.emit(ir.Let(old.index, ir.Local(live), span))
                return env
            taken(self.context, name)
        elif name.value in self.context.names:
            taken(self.context, name)
        after = env.called(name.value, live, t)
        self.at = after
        return after

    def arguments(
        self, procedure: symbols.Procedure, key: ScalarNode, value: Node, node: MapNode, env: Env
    ) -> list[ir.Expr]:
        """The arguments of a call in the order of the parameters."""
        context = self.context
        parameters = procedure.parameters
        given: dict[str, Node] = {}
        first = next((p.name for p in parameters if p.name != "me"), parameters[0].name if parameters else None)
        blank = isinstance(value, ScalarNode) and value.value == "" and value.style == "plain"
        if not blank:
            if first is None:
                self.not_taken(procedure, value, env)
            else:
                given[first] = value
        names = [p.name for p in parameters]
        if first is not None and not isinstance(value, ScalarNode):
            cure = foreign_steps.with_keys(procedure.name, [name for name in names if name != "me"], value)
            context.error("S001", f"`{procedure.name}` is called by keys, each with one value", value.span, help=[cure])
            return [ir.Const(context.default_of(p.type)) for p in parameters]
        for word, part in node.entries[1:]:
            if word.value in names:
                given[word.value] = part
            elif word.value == "by" and "me" in names:
                given["me"] = part
            elif word.value not in (*COMMON, "as", *context.diagnostics.refused):
                context.unknown(
                    "S002", f"parameter of `{procedure.name}`", word.value, word.span, [*names, "as", *COMMON]
                )
        args: list[ir.Expr] = []
        for parameter in parameters:
            if parameter.name in given:
                args.append(self.expressions.given(given[parameter.name], env, parameter))
            elif parameter.name == "me" and "me" in env.locals:
                args.append(ir.Local(env.locals["me"].index))
            elif parameter.default is not None:
                args.append(self.expressions.default(parameter, env))
            else:
                context.error(
                    "E301",
                    f"`{procedure.name}` needs {ticked('by' if parameter.name == 'me' else parameter.name)}",
                    key.span,
                    expected=f"{'by' if parameter.name == 'me' else parameter.name}: {parameter.type}",
                    help=missing.handed(procedure, parameter, first, context, env),
                )
                args.append(ir.Const(context.default_of(parameter.type)))
        return args

    def not_taken(self, procedure: symbols.Procedure, value: Node, env: Env) -> None:
        """Report an argument of a procedure that takes none."""
        help: tuple[str, ...] = ()
        if isinstance(value, ScalarNode):
            _, t = self.expressions.of(value, env)
            name = value.value if value.value.isidentifier() else "NAME"
            self.context.diagnostics.refused.add(value.value)  # its steps speak of it by that name
            help = (
                f"let it take one, in its declaration: {ticked(f'takes: {{{name}: {t}}}')}; or leave the argument out",
            )
        self.context.error("E301", f"`{procedure.name}` takes no argument", value.span, help=help)

    # --- leaving ------------------------------------------------------------------------------------------------------
    def clean_down_to(self, depth: int) -> None:
        """Clean up the regions inside `depth`, innermost first, before a jump or return out of them."""
        for region in reversed(self.open[depth:]):
            region.clean()

    # --- parts of steps -----------------------------------------------------------------------------------------------
    def close_region(
        self, start: int, unwinding: int, inside: Env, clean: Callable[[], None], target: int | None, span: Span
    ) -> None:
        """End a region that began at `start`: however it is left, `clean` runs, and what was on its way to leave goes on.

        The local `unwinding` says what that is; `target` is what leaves towards this region and no further.
        """
        self.emit(ir.Let(unwinding, ir.Const(None), span))
        stop = self.here()
        self.at = inside
        clean()
        self.emit(ir.Resume(unwinding, span))
        self.regions.append(ir.Region(start, stop, stop, unwinding, target))

    def leave_loop(self, span: Span) -> None:
        """Jump out of the innermost loop."""
        if not self.loops:
            self.context.error(
                "E509",
                "there is no loop to stop here",
                span,
                help=["`return` leaves a procedure, `give:` one with a result, `end:` a phase"],
            )
            return
        innermost = self.loops[-1]
        self.clean_down_to(innermost.regions)
        innermost.breaks.append(self.jump(span))

    def path(self, node: Node | None) -> str:
        """The text by which facts about an expression are kept."""
        try:
            return to_text(parse_expr(node.value)) if isinstance(node, ScalarNode) else ""
        except ExprSyntaxError:
            return ""

    def facts(self, node: Node | None, holds: bool) -> frozenset[str]:
        """What a condition in a scalar tells."""
        return self.expressions.learned(node, holds)

    def player(self, node: MapNode, env: Env, key: str = "by") -> ir.Expr:
        """Who: `by`, or `me` where there is one."""
        by = node.get(key)
        if by is not None:
            return self.expressions.of(by, env, PLAYER)[0]
        if "me" in env.locals:
            value, t = ir.Local(env.locals["me"].index), env.locals["me"].type
            return ir.Known(value, "me") if isinstance(t, OptionType) else value
        self.context.error(
            "E504",
            f"{ticked(node.entries[0][0].value)} does not say who: there is no {ticked(f'{key}:')} and no `me` here",
            node.entries[0][0].span,
            expected=f"{key}: a player",
            help=[f"add the player, such as `{key}: active` or `{key}: p`"],
        )
        return ir.Const(0)

    def declared(self, value: Node, table: Mapping[str, T], code: str, what: str) -> T | None:
        """What a name in a scalar was declared as; reported if it was not."""
        if not isinstance(value, ScalarNode):
            return None
        symbol = table.get(value.value)
        if symbol is None:
            self.context.unknown(code, what, value.value, value.span, table)
        else:
            self.context.refer(what, value.value, value.span, symbol.span)
        return symbol

    def zone(self, node: Node | None, env: Env) -> tuple[symbols.Zone, ir.Expr | None] | None:
        """A zone by its name and indices."""
        if not isinstance(node, ScalarNode):
            return None
        value, t = self.expressions.of(node, env)
        zone = self.zone_of(value)
        if zone is None and not isinstance(t, type(UNKNOWN)):
            self.context.error("E405", unlike(node.value, t, "a zone"), node.span, expected="a zone", found=str(t))
        return zone

    def zone_of(self, value: ir.Expr) -> tuple[symbols.Zone, ir.Expr | None] | None:
        """The zone that an expression reads, with its index."""
        if isinstance(value, ir.Load):
            for zone in self.context.zones:
                if zone.base == value.base:
                    return zone, value.index
        return None

    def variable_of(self, value: ir.Expr) -> tuple[symbols.Variable, ir.Expr | None] | None:
        """The variable of the state that an expression reads, with its index."""
        if isinstance(value, ir.Load):
            for variable in self.context.variables:
                if variable.base == value.base:
                    return variable, value.index
        return None

    def pieces(self, value: ir.Expr, t: Type) -> tuple[ir.Expr, symbols.Kind] | None:
        """A piece or several, as a tuple, with their kind."""
        if isinstance(t, EntityType):
            return ir.Op("pack", (value,)), self.context.kinds[t.kind]
        if is_many(t) and isinstance(t.item, EntityType):
            return value, self.context.kinds[t.item.kind]
        return None

    def assign(self, base: int, value: ir.Expr, name: str, span: Span | None) -> None:
        """Set a slot of the machine's own, which has no bounds."""
        self.emit(
            ir.Store(
                base=base, index=None, size=1, value=value, low=None, high=None, stops=False, name=name, where=span
            )
        )

    def nest(self, op: Literal["add", "sub"], span: Span | None) -> None:
        """One batch more, or one less, is going on around what follows."""
        self.assign(ir.BATCH, ir.Op(op, (ir.Load(ir.BATCH), ir.Const(1))), "batch", span)

    def wrote(self, base: int) -> None:
        """A slot group has been written."""
        self.wrote_since.append(base)
        self.written.add(base)

    def settable(self, node: Node | None, env: Env) -> tuple[symbols.Variable, ir.Expr | None] | int | None:
        """What can be set: a variable of the state with its index, or the number of a local."""
        if not isinstance(node, ScalarNode):
            return None
        if node.value in env.locals:
            local = env.locals[node.value]
            if not local.settable:
                self.context.error(
                    "E505",
                    f"{ticked(node.value)} cannot be set",
                    node.span,
                    help=["only names made by `let` and variables of the state change"],
                )
                return None
            self.context.mention(LOCAL, node.value, node.span)
            return local.index
        value, t = self.expressions.of(node, env.unknowing(self.path(node)))
        if variable := self.variable_of(value):
            return variable
        if self.zone_of(value):
            self.context.error(
                "E506",
                "a zone is not set: pieces are moved",
                node.span,
                help=[
                    f"write the step {ticked(f'{{move: ..., to: {node.value}}}')}",
                    f"or, to empty it, {ticked(f'{{move: all, from: {node.value}, to: ...}}')}",
                ],
            )
            return None
        if not isinstance(t, type(UNKNOWN)):
            self.context.error(
                "E505",
                f"{ticked(node.value)} cannot be set",
                node.span,
                expected="a variable of the state",
                help=[
                    "what changes is written here, and by how much behind the verb"
                    if whole(node.value) is not None
                    else "what a row or a function says stays as it is: keep what changes in a variable under `state:`"
                ],
            )
        return None

    def store(self, target: tuple[symbols.Variable, ir.Expr | None] | int, value: ir.Expr, span: Span) -> None:
        """Set a local or a variable of the state."""
        if isinstance(target, int):
            self.emit(ir.Let(target, value, span))
            return
        variable, index = target
        t = variable.type.item if isinstance(variable.type, OptionType) else variable.type
        low, high = (t.low, t.high) if isinstance(t, IntType) else (None, None)
        if is_many(t):
            value = each_held_to(value, t, variable.name)
        self.emit(
            ir.Store(
                base=variable.base,
                index=index,
                size=variable.size,
                value=value,
                low=low,
                high=high,
                stops=variable.stops,
                name=variable.name,
                where=span,
            )
        )
        self.wrote(variable.base)


def beside(word: str) -> str:
    """Where a word stands that begins no step: beside which verbs."""
    names = [ticked(name) for name, verb in verbs().items() if word in verb.keys]
    return f"{ticked(word)} is a key of a step, without a dash of its own: of {listed(names, 5)}" if names else ""

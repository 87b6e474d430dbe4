"""Looking ahead: what an expression would be after a procedure, which is run on a copy of the position.

    condition: not after(put(king, c), is_attacked(me))

A procedure that is looked ahead at asks no player and draws no chance; neither does any rule that it sets off.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulespec import ir
from rulespec.checker import sentences, symbols
from rulespec.checker.assemble import assemble
from rulespec.checker.context import CheckContext
from rulespec.checker.env import Env, Typed
from rulespec.checker.reader import BAD, Reader
from rulespec.expr import syntax
from rulespec.ir.ahead import Ahead
from rulespec.ir.flow import asks
from rulespec.ir.walk import reachable_from, within
from rulespec.language.types import Type
from rulespec.passes.secret import HiddenSlots
from rulespec.system.records import dataclass
from rulespec.text.quoting import ticked
from rulespec.text.source import Span

AFTER = "after"
Part = tuple[str, int]  # "procedure" or "function", and its number


@dataclass(frozen=True, slots=True)
class Look:
    """A place where something is looked ahead at."""

    procedure: symbols.Procedure
    span: Span


def after(x: Reader, node: syntax.Call, env: Env, want: Type | None) -> Typed:
    """`after(procedure(arguments), expression)`."""
    if len(node.args) != 2:
        return x.bad(
            "E301",
            f"`{AFTER}` needs 2 arguments and has {len(node.args)}",
            node,
            expected=f"{AFTER}(procedure(arguments), expression)",
        )
    done, asked = node.args
    procedure, written = named(x, done)
    if procedure is None:
        return BAD
    args = arguments(x, procedure, written, done, env)
    context = x.context
    context.used.add(procedure.name)
    env.frame.ahead.add((f"procedure {procedure.name}", frozenset()))
    env.frame.reads |= {v.base for v in context.variables} | {z.base for z in context.zones} | {ir.LASTING}
    kept = frozenset(path for path in env.known if path in env.locals)  # of the state nothing is known there
    value, t = x.expr(asked, Env(env.frame, env.locals, env.depth, kept, env.sealed).unsure(), want)
    span = None if x.scalar is None else x.scalar.at(node.start, node.end)
    if span is not None:
        context.looks.append(Look(procedure, span))
    return ir.After(procedure.index, args, value, span), t


def named(x: Reader, done: syntax.Expr) -> tuple[symbols.Procedure | None, tuple[syntax.Expr, ...]]:
    """The procedure that is named, with or without arguments; reported if there is none."""
    func, written = (done.func, done.args) if isinstance(done, syntax.Call) else (done, ())
    if not isinstance(func, syntax.Name):
        x.bad("E500", f"`{AFTER}` begins with a procedure", done, expected=f"{AFTER}(procedure(arguments), expression)")
        return None, ()
    procedure = x.context.procedures.get(func.id)
    if procedure is None and x.scalar is not None:
        span = x.scalar.at(func.start, func.end)
        x.context.unknown("E500", "procedure", func.id, span, x.context.procedures)
    return procedure, written


def arguments(
    x: Reader, procedure: symbols.Procedure, written: tuple[syntax.Expr, ...], node: syntax.Expr, env: Env
) -> tuple[ir.Expr, ...]:
    """What the procedure is run with, in the order of its parameters; `me` may be left out where there is one."""
    left = list(written)
    implied = len(written) < len(procedure.parameters) and "me" in env.locals
    args: list[ir.Expr] = []
    for parameter in procedure.parameters:
        if parameter.name == "me" and implied:
            args.append(ir.Local(env.locals["me"].index))
        elif left:
            arg = left.pop(0)
            args.append(x.argument(x.expr(arg, env, parameter.type), parameter, arg))
        elif parameter.default is not None:
            args.append(x.default(parameter, env))
        else:
            left = [node]
            break
    if left:
        takes = ", ".join(map(symbols.signed, procedure.parameters))
        x.bad(
            "E301",
            f"{ticked(procedure.name)} needs {sentences.arguments(len(procedure.parameters))} and has {len(written)}",
            node,
            expected=f"{procedure.name}({takes})",
        )
    return tuple(args)


# --- what may be looked ahead at ----------------------------------------------------------------------------------------
def check_looks(context: CheckContext) -> None:
    """Report what is looked ahead at and asks somebody or chance, or would look ahead at itself; what is new since the last time."""
    if not context.looks:
        return
    looks, context.looks = list(context.looks), []
    if context.diagnostics.has_errors:
        return
    program = assemble(context, "")
    ahead = Ahead(program)
    told: set[Span] = set()
    for look in looks:
        if look.span in told:
            continue
        step = next((i for i in ahead.code(look.procedure.index) if asks(i)), None)
        if step is not None:
            told.add(look.span)
            context.error(
                "E514",
                f"`after` cannot look past `{look.procedure.name}`, which "
                f"{'draws by chance' if isinstance(step, ir.Draw) else 'asks somebody'}",
                look.span,
                related=[] if step.where is None else [(step.where, "here")],
                help=["look ahead at a procedure that only does what follows from its arguments"],
            )
    for look in looks:
        if look.span not in told and within_itself(program, ahead, look):
            told.add(look.span)
            context.error(
                "E515",
                f"`{look.procedure.name}` would look ahead at itself",
                look.span,
                help=["what it does, or sets off, asks this again: give it a procedure that does less"],
            )


def open_memory(context: CheckContext) -> None:
    """Let all know what is remembered of positions if nothing hidden is read for it; before, `after` stood for all that there is."""
    memory = context.repetition
    if memory is None or memory.variable.seen is not symbols.NOBODY or memory.position.index is None:
        return
    if not context.diagnostics.has_errors and not HiddenSlots(assemble(context, "")).function(memory.position.index):
        memory.variable.seen = symbols.ALL


def within_itself(program: ir.Program, ahead: Ahead, look: Look) -> bool:
    """Whether what a procedure does leads to this very place again."""

    def expressions(part: Part) -> Iterator[Any]:
        kind, number = part
        yield from ahead.parts(number) if kind == "procedure" else (program.functions[number].body,)

    def following(part: Part) -> Iterator[Part]:
        for node in expressions(part):
            for e in within(node):
                if isinstance(e, ir.After):
                    yield "procedure", e.procedure
                elif isinstance(e, ir.Invoke):
                    yield "function", e.function

    reached = reachable_from([("procedure", look.procedure.index)], following)
    return any(
        isinstance(e, ir.After) and e.where == look.span
        for part in reached
        for node in expressions(part)
        for e in within(node)
    )

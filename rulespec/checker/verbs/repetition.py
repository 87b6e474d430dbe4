"""The verb that remembers positions."""

from __future__ import annotations

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.body import Body
from rulespec.checker.env import Env
from rulespec.language.registry import VerbKey, verb
from rulespec.text.yaml_tree import MapNode, Node


@verb("remember position", VerbKey("expr", "nothing"), {}, group="state", example="- remember position")
def remember_position(body: Body, node: MapNode, value: Node, env: Env) -> Env:  # noqa: ARG001
    """Count the position as one that has been, for `times_before`; `repetition` says what makes a position.

    Where what it says under `forgets` holds, those before are forgotten first.
    """
    memory = body.context.repetition
    if memory is None:
        message = "it is not said what makes a position"
        body.context.error("E119", message, node.span, expected=symbols.POSITION_WANTED)
        return env
    base, name = memory.variable.base, memory.variable.name
    past = ir.Load(base)

    def store(value: ir.Expr) -> None:
        body.emit(ir.Store(base, None, 1, value, None, None, False, name, node.span))
        body.wrote(base)

    for function in (memory.position, memory.forgets):
        if function is not None:
            body.expressions.compile_function(function)
            env.using(function)
    if memory.forgets is not None:
        skip = body.unless(ir.Invoke(memory.forgets.index or 0, ()), node.span, "if")
        store(ir.Const(()))
        body.aim(skip)
    store(ir.Op("concat", (past, ir.Op("pack", (ir.Invoke(memory.position.index or 0, ()),)))))
    return env

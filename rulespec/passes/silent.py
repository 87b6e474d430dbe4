"""Windows that nobody listens at: rules that can never be alive in this setup.

L1 := collect (2, 5) with ()     # nothing begins the lasting effect of rule 5: collect (2,)
"""

from __future__ import annotations

from dataclasses import replace

from rulespec import ir
from rulespec.passes.fold import same_value
from rulespec.passes.total import total

NOTHING = ir.Const(())


def silent_windows(program: ir.Program) -> ir.Program:
    """The program whose windows collect only rules that may be alive; a window with none is not opened."""
    rules = tuple(unconditional(rule, program.functions) for rule in program.rules)
    begun = {i.lasting for p in program.procedures for i in p.code if isinstance(i, ir.Begin)}
    dead = {rule.index for rule in rules if never_alive(rule, program.functions, begun)}
    idle = dead | {rule.index for rule in rules if never_run(rule, program.functions)}
    procedures = tuple(quiet(p, dead, idle) for p in program.procedures)
    return replace(program, rules=rules, procedures=procedures)


def unconditional(rule: ir.Rule, functions: tuple[ir.Function, ...]) -> ir.Rule:
    """A rule without the conditions that always hold."""
    always = {
        name: None
        for name, index in (("alive", rule.alive), ("test", rule.test))
        if index is not None and same_value(functions[index].body, True)
    }
    return replace(rule, **always) if always else rule  # type: ignore[arg-type]


def never_alive(rule: ir.Rule, functions: tuple[ir.Function, ...], begun: set[int]) -> bool:
    """Whether no window collects a rule: its condition never holds, no piece carries it, or its effect never begins."""
    if rule.alive is not None and same_value(functions[rule.alive].body, False):
        return True
    return (rule.source == "pieces" and not rule.pieces) or (rule.source == "lasting" and rule.lasting not in begun)


def never_run(rule: ir.Rule, functions: tuple[ir.Function, ...]) -> bool:
    """Whether a rule that is collected is never run."""
    alive = rule.alive is None or total(functions[rule.alive].body)
    return alive and rule.test is not None and same_value(functions[rule.test].body, False)


def quiet(procedure: ir.Procedure, dead: set[int], idle: set[int]) -> ir.Procedure:
    """A procedure whose windows leave out what is `dead`, and what is `idle` where nobody arranges."""
    code = list(procedure.code)
    for pc, i in enumerate(procedure.code):
        if not isinstance(i, ir.Collect):
            continue
        # With an order, a rule that never runs may still stand between two rules of a player, who then arranges neither.
        rules = tuple(rule for rule in i.rules if rule not in (idle if i.order is None else dead))
        if rules:
            code[pc] = i if rules == i.rules else replace(i, rules=rules)
        elif all(map(total, i.args)) and total(i.order):
            code[pc] = ir.Let(i.live, NOTHING, i.where)
    return replace(procedure, code=tuple(code)) if tuple(code) != procedure.code else procedure

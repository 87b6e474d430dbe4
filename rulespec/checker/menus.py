"""What rules add to menus."""

from __future__ import annotations

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.alive import (
    bind_arguments,
    not_used_up,
    tests,
    unbound,
    with_me,
)
from rulespec.checker.body import Body
from rulespec.checker.context import CheckContext
from rulespec.checker.env import Env
from rulespec.checker.expressions import Expressions
from rulespec.checker.sites import branch
from rulespec.ir.walk import conjunction
from rulespec.language.types import NONE, Type
from rulespec.text.yaml_tree import ScalarNode


def case_of(rule: symbols.Rule) -> Type:
    """The type of an instance of a rule as a menu has it: a piece, the arguments of what lasts, or none."""
    if rule.lasting is not None:
        return rule.lasting.arguments
    return NONE if rule.kind is None else rule.kind.type


def additions(
    context: CheckContext, expressions: Expressions, rule: symbols.Rule, env: Env, index: int, legal: bool = False
) -> ir.Expr:
    """What a rule adds to a menu now: its instances (in the local `index`) that are alive, those too that are used up.

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
    parts = [
        test for test in (tests(context, expressions, rule, bound, ("during", "live", "where")),) if test is not None
    ]
    if legal:
        parts.extend(reason.test for reason in option_of(context, expressions, rule, bound).reasons)
    test = conjunction(parts)
    return items if test is None else ir.Comp(index, items, wrap(test))


def option_of(context: CheckContext, expressions: Expressions, rule: symbols.Rule, env: Env) -> ir.Branch:
    """The option that a rule adds to a menu, in an environment with its instance and the menu's parameters.

    Where the rule's limit is used up, the option stays, and the limit is the reason why it may not be taken.
    """
    helper = Body(context, expressions, rule.name, rule.span)
    inner, wrap, _ = with_me(context, expressions, rule, env)
    option = branch(helper, rule.name.rpartition(".")[2], rule.node, inner)

    def text(written: ir.Text) -> ir.Text:
        return ir.Text(tuple(p if isinstance(p, str) else (wrap(p[0]), p[1]) for p in written.parts))

    tests = tuple(ir.Reason(wrap(r.test), text(r.why), r.where) for r in option.reasons)
    written = rule.node.get("limit")
    unused = not_used_up(rule, ir.Local(env.locals["this"].index) if rule.kind is not None else ir.Const(None))
    if unused is not None and isinstance(written, ScalarNode):
        why = ir.Text((f"This can be done {written.value} and no more",))
        tests = (ir.Reason(unused, why, written.span), *tests)
    return ir.Branch(option.name, text(option.text), tests, option.where)

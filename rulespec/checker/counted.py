"""A number with its word in the singular or plural, as a text.

plurals: {coin: coins}
log: "{p} has {counted(p.coins, coin)}"    # 1 coin, 2 coins
"""

from __future__ import annotations

from rulespec import ir
from rulespec.checker.env import Env, Typed
from rulespec.checker.reader import BAD, Reader
from rulespec.expr import syntax
from rulespec.language.types import INT, TEXT, UnknownType

COUNTED = "counted"
FORM = f"{COUNTED}(NUMBER, WORD), where WORD stands under `plurals`"


def counted(x: Reader, node: syntax.Call, env: Env) -> Typed:
    """`counted(number, word)`: a text."""
    match node.args:
        case (number, (syntax.Name() | syntax.Text()) as word):
            pass
        case _:
            return x.bad("E301", f"`{COUNTED}` needs a number and a word", node, expected=FORM)
    given = x.expr(number, env, INT)
    if isinstance(given[1], UnknownType):
        return BAD
    value = x.convert(given, INT, number)
    singular = word.id.replace("_", " ") if isinstance(word, syntax.Name) else word.value
    context = x.context
    if singular not in context.plurals:
        if x.scalar is not None:
            span = x.scalar.at(word.start, word.end)
            context.unknown(
                "E104",
                "word",
                singular,
                span,
                context.plurals,
                hint=f"declare its plural: `plurals: {{{singular}: ...}}`",
            )
        return BAD
    context.counted.add(singular)
    _, index = env.fresh(INT)
    one, several = (
        context.text_value(ir.Text(((ir.Local(index), ir.types.INT), f" {noun}")))
        for noun in (singular, context.plurals[singular])
    )
    return ir.Bind(index, value, ir.Cond(ir.Op("eq", (ir.Local(index), ir.Const(1))), one, several)), TEXT

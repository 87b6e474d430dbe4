"""What is said where a value or a number of arguments does not fit: the sentences that many messages share."""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.checker import symbols
from rulespec.checker.context import CheckContext
from rulespec.checker.inference import article
from rulespec.language.signatures import Signature
from rulespec.language.types import (
    BoolType,
    EmptyType,
    EntityType,
    IntType,
    NoneType,
    OptionType,
    TextType,
    Type,
    fits,
    is_many,
    item_of,
)
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ScalarNode

NAMED = 40  # letters of an expression that is repeated in a message


def arguments(count: int) -> str:
    """So many arguments, in words."""
    return f"{count} argument{'' if count == 1 else 's'}"


def given(name: str, signatures: Sequence[Signature], count: int) -> str:
    """The message where a function has a number of arguments that none of its signatures takes."""
    wanted = sorted(
        {
            len(signature.parameters)
            for signature in signatures
            if not signature.parameters[-1:] or not signature.parameters[-1].rest
        }
    )
    if len(wanted) == 1 and len(signatures) == 1:
        return f"{ticked(name)} needs {arguments(wanted[0])} and has {count}"
    return f"{ticked(name)} does not take {arguments(count)}"


def tested(text: str) -> str:
    """The cure where something that may be none is used as if it were there, written as `text`."""
    return f"test it before, `if: {text} is known`, or give a substitute: {ticked(f'{text} otherwise ...')}"


def unlike(text: str, t: Type, wanted: str, verb: str = "is") -> str:
    """The message where a value, written as `text`, is of another type than is needed.

    "`p.coins` is a number in 0..9, but a zone is needed here".
    """
    obvious = isinstance(t, NoneType | EmptyType) or (isinstance(t, IntType) and t.low is not None and t.low == t.high)
    name = "this" if obvious or len(text) > NAMED or "\n" in text else ticked(text)
    return f"{name} is {article(t)}, but {wanted} {verb} needed here"


def remedy(text: str, t: Type, want: Type) -> tuple[str, ...]:
    """What to write in place of a value, written as `text`, of another type: the whole of it, where that is likely meant."""
    if len(text) > NAMED:
        return ()
    if isinstance(want, BoolType):
        if isinstance(t, TextType) and text.startswith('"'):
            return (f"without the quotes it is an expression: {ticked(text[1:-1])}",)
        if isinstance(t, IntType) and (t.low is None or t.low != t.high):
            return (f"compare it with something: {ticked(f'{text} > 0')}",)
        if isinstance(t, OptionType):
            return (f"ask whether there is one: {ticked(f'{text} is known')}",)
        if isinstance(t, EntityType):
            return (f"compare it with something: {ticked(f'{text} == ...')}",)
        return (f"ask whether there are any: {ticked(f'{text} is not empty')}",) if is_many(t) else ()
    if is_many(t) and fits(item_of(t), want):
        return (f"take one of them, such as {ticked(f'first({text})')}",)
    return ()


def taken(context: CheckContext, name: ScalarNode, steps: bool = True) -> None:
    """Report that a new name is in use already, by the game or before it; in `steps` the old one may be changed in its place."""
    symbol = context.names.get(name.value)
    changes = steps and (symbol is None or (isinstance(symbol, symbols.Variable) and not symbol.per))
    owner = "a name of the game" if symbol is not None else f"a name of {'these steps' if steps else 'this function'}"
    context.error(
        "E113",
        f"{ticked(name.value)} is {owner} already",
        name.span,
        related=[] if symbol is None else [(symbol.span, "here")],
        help=[
            f"choose another name, or change the old one: `set: {name.value}`, and `to:`"
            if changes
            else "choose another name"
        ],
    )

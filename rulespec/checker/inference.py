"""Which type comes out: signatures and their variables, the bounds of numbers, and types in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from rulespec.language import bounds
from rulespec.language.bounds import Span
from rulespec.language.facts import Result
from rulespec.language.registry import facts
from rulespec.language.signatures import Signature
from rulespec.language.types import (
    INT,
    BagType,
    BoolType,
    EmptyType,
    EntityType,
    IntType,
    ListType,
    ManyType,
    NoneType,
    OptionType,
    RankedType,
    RecordType,
    SetType,
    TextType,
    Type,
    UnknownType,
    VarType,
    fits,
    item_of,
    join,
)  # fmt: skip
from rulespec.text.quoting import ticked


def unwrap(t: Type | None) -> Type | None:
    """The type inside `or none`."""
    return t.item if isinstance(t, OptionType) else t


def accepts(signature: Signature, count: int) -> bool:
    """Whether the signature can be called with so many arguments."""
    parameters = signature.parameters
    return count >= 1 if parameters and parameters[-1].rest else count == len(parameters)


def hint_of(candidates: list[Signature], want: Type | None) -> Type | None:
    """The type to expect of the first argument of a call with one of these signatures, where `want` is expected of its result."""
    if len(candidates) > 1:
        item = UnknownType() if want is None else item_of(want)
        rest = any(signature.parameters[-1].rest for signature in candidates)
        return item if rest and not isinstance(item, UnknownType) else None
    binding: dict[str, Type] = {}
    if want is not None:
        unify(candidates[0].result, want, binding)
    t = substitute(candidates[0].parameters[0].type, binding)
    return None if isinstance(t, VarType) else t


def unify(wanted: Type, given: Type, binding: dict[str, Type]) -> bool:
    """Whether a given type is an instance of a wanted one; binds its variables."""
    match wanted, given:
        case VarType(name=name), UnknownType():
            binding.setdefault(name, given)  # what comes of it is not known either
            return True
        case _, UnknownType():
            return True
        case VarType(name=name), _:
            bound = binding.get(name)
            if bound is None:
                binding[name] = given
                return True
            both = join(bound, given)
            if both is None:
                return False
            binding[name] = both
            return True
        case BagType(kind=kind), BagType(kind=part) if len(kind) == 1:
            return unify(VarType(kind), EntityType(part), binding)
        case ManyType(item=item), (ListType(item=part) | SetType(item=part)):
            return unify(item, part, binding)
        case ((ManyType() | ListType() | SetType()), EmptyType()):
            return True
        case ListType(item=item), (ListType(item=part) | SetType(item=part)):
            return unify(item, part, binding)
        case SetType(item=item), SetType(item=part):
            return unify(item, part, binding)
        case RankedType(item=item), RankedType(item=part):
            return unify(item, part, binding)
        case OptionType(item=item), OptionType(item=part):
            return unify(item, part, binding)
        case OptionType(item=item), _:
            return isinstance(given, NoneType) or unify(item, given, binding)
    return fits(given, wanted)


def substitute(t: Type, binding: dict[str, Type]) -> Type:
    """A type of a signature with its variables replaced."""
    match t:
        case VarType(name=name):
            return binding.get(name, t)
        case ManyType(item=item):
            return ListType(substitute(item, binding))
        case ListType(item=item):
            return ListType(substitute(item, binding))
        case SetType(item=item):
            return SetType(substitute(item, binding))
        case OptionType(item=item):
            return OptionType(substitute(item, binding))
        case BagType(kind=kind) if len(kind) == 1:
            inner = binding.get(kind)
            return BagType(inner.kind) if isinstance(inner, EntityType) else t
        case (
            BagType()
            | BoolType()
            | TextType()
            | IntType()
            | EntityType()
            | RecordType()
            | NoneType()
            | EmptyType()
            | RankedType()
            | UnknownType()
        ):
            return t
        case _:
            assert_never(t)


def low_of(t: Type) -> int | None:
    """The lower bound of a number."""
    return t.low if isinstance(t, IntType) else None


def high_of(t: Type) -> int | None:
    """The upper bound of a number."""
    return t.high if isinstance(t, IntType) else None


def span(t: Type | None) -> Span:
    """The bounds of a number; none are known of any other type."""
    return (t.low, t.high) if isinstance(t, IntType) else (None, None)


def within(a: Span, b: Span) -> bool:
    """Whether all numbers between some bounds are between others."""
    (low, high), (least, most) = a, b
    return (least is None or (low is not None and low >= least)) and (
        most is None or (high is not None and high <= most)
    )


def never_in(t: Type, range_: Type) -> bool:
    """Whether every number of one type is outside the bounds of the other."""
    (low, high), (least, most) = span(t), span(range_)
    return (most is not None and low is not None and low > most) or (
        least is not None and high is not None and high < least
    )


def number_type(body: str, declared: Type, types: list[Type]) -> Type:
    """The type of what a function of the library gives: a number within the bounds that its arguments leave it.

    `declared` is the result of its signature, and comes out unchanged if that is no number.
    """
    if not isinstance(declared, IntType):
        return declared
    transfer = facts(body).result
    if not isinstance(transfer, Result):
        low, high = transfer(*map(span, types))
    elif transfer is Result.NUMBER:
        low, high = span(item_of(types[0]))
    elif transfer is Result.TOTAL:
        low, high = span(item_of(types[0]))[0], None
        low = 0 if low is not None and low >= 0 else None
    else:
        return declared
    return IntType(*bounds.meet((low, high), span(declared)))


def with_names(t: Type, types: Mapping[str, Type]) -> Type:
    """A type of a signature in which some names stand for types of the game."""
    match t:
        case EntityType(kind=name):
            return types.get(name, t)
        case ListType(item=item):
            return ListType(with_names(item, types))
        case SetType(item=item):
            return SetType(with_names(item, types))
        case OptionType(item=item):
            return OptionType(with_names(item, types))
    return t


def article(t: Type) -> str:
    """A type in a sentence."""
    text = str(t)
    if isinstance(t, BoolType):
        return "yes or no"
    if isinstance(t, NoneType | EmptyType):
        return ticked(text)
    if isinstance(t, IntType):
        if t.low is not None and t.low == t.high:
            return f"the number {t.low}"
        return "a number" if t == INT else f"a number in {text}"
    return f"{'an' if text[0] in 'AEIOUaeiou' else 'a'} {text}"

"""Which type comes out: signatures and their variables, the bounds of numbers, and types in a sentence."""

from __future__ import annotations

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
    SetType,
    Type,
    UnknownType,
    VarType,
    fits,
    item_of,
    join,
)  # fmt: skip


def unwrap(t: Type | None) -> Type | None:
    """The type inside `or none`."""
    return t.item if isinstance(t, OptionType) else t


def accepts(signature: Signature, count: int) -> bool:
    """Whether the signature can be called with so many arguments."""
    parameters = signature.parameters
    return count >= 1 if parameters and parameters[-1].rest else count == len(parameters)


def argument_want(signature: Signature, position: int, binding: dict[str, Type], want: Type | None) -> Type | None:
    """What is expected of an argument, as far as the expected result tells."""
    if not signature.parameters:
        return None
    if want is not None:
        unify(signature.result, want, binding)
    t = substitute(signature.parameters[min(position, len(signature.parameters) - 1)].type, binding)
    return None if isinstance(t, VarType) else t


def unify(wanted: Type, given: Type, binding: dict[str, Type]) -> bool:
    """Whether a given type is an instance of a wanted one; binds its variables."""
    match wanted, given:
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
        case BagType(kind=kind), BagType(kind=own) if len(kind) == 1:
            return unify(VarType(kind), EntityType(own), binding)
        case ManyType(item=item), (ListType(item=own) | SetType(item=own)):
            return unify(item, own, binding)
        case ((ManyType() | ListType() | SetType()), EmptyType()):
            return True
        case ListType(item=item), (ListType(item=own) | SetType(item=own)):
            return unify(item, own, binding)
        case SetType(item=item), SetType(item=own):
            return unify(item, own, binding)
        case RankedType(item=item), RankedType(item=own):
            return unify(item, own, binding)
        case OptionType(item=item), OptionType(item=own):
            return unify(item, own, binding)
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
    return t


def low_of(t: Type) -> int | None:
    """The lower bound of a number."""
    return t.low if isinstance(t, IntType) else None


def high_of(t: Type) -> int | None:
    """The upper bound of a number."""
    return t.high if isinstance(t, IntType) else None


def arithmetic(op: str, a: IntType, b: IntType) -> IntType:
    """The bounds of a sum, difference or product."""
    if op == "+":
        return IntType(plus(a.low, b.low), plus(a.high, b.high))
    if op == "-":
        return IntType(
            plus(a.low, None if b.high is None else -b.high), plus(a.high, None if b.low is None else -b.low)
        )
    if None in (a.low, a.high, b.low, b.high):
        return IntType(0, None) if (a.low or -1) >= 0 <= (b.low or -1) else INT
    ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high) if x is not None and y is not None]
    return IntType(min(ends), max(ends))


def plus(a: int | None, b: int | None) -> int | None:
    """The sum of two bounds."""
    return None if a is None or b is None else a + b


def number_result(name: str, types: list[Type]) -> Type:
    """The bounds of what a function of numbers gives."""
    bounds = [t if isinstance(t, IntType) else item_of(t) for t in types]
    numbers = [b for b in bounds if isinstance(b, IntType)]
    lows, highs = [b.low for b in numbers], [b.high for b in numbers]
    known_lows, known_highs = [x for x in lows if x is not None], [x for x in highs if x is not None]
    match name:
        case "min":
            low = min(known_lows) if len(known_lows) == len(lows) else None
            return IntType(low, min(known_highs) if known_highs else None)
        case "max":
            high = max(known_highs) if len(known_highs) == len(highs) else None
            return IntType(max(known_lows) if known_lows else None, high)
        case "clamp":
            return IntType(lows[1], highs[2])
        case "sum":
            return IntType(0 if lows and lows[0] is not None and lows[0] >= 0 else None, None)
        case "abs":
            return IntType(0, None)
    return IntType(lows[0], highs[0]) if numbers else INT


def division(name: str, number: Type, by: IntType) -> Type:
    """The bounds of div and mod."""
    if name == "mod" and by.low is not None and by.low > 0:
        return IntType(0, None if by.high is None else by.high - 1)
    if name == "div" and by.low is not None and by.low > 0 and isinstance(number, IntType):
        low = 0 if number.low is not None and number.low >= 0 else number.low
        return IntType(low, number.high)
    return INT


def article(t: Type) -> str:
    """A type in a sentence."""
    text = str(t)
    if isinstance(t, BoolType):
        return "a yes or no"
    if isinstance(t, NoneType | EmptyType):
        return f"`{text}`"
    if isinstance(t, IntType):
        if t.low is not None and t.low == t.high:
            return f"the number {t.low}"
        return "a number" if t == INT else f"a number in {text}"
    return f"{'an' if text[0] in 'AEIOUaeiou' else 'a'} {text}"

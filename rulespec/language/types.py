"""The types of the language, how they are written, and which fits where.

A type describes plain immutable values (see `rulespec.ir`).  `fits` says whether a value of one type may stand where another
is expected without any change of the value; what needs a change (a list where a set is wanted) the checker converts.
"""

from __future__ import annotations

from typing import TypeGuard

from rulespec.system.records import dataclass


@dataclass(frozen=True, slots=True)
class BoolType:
    def __str__(self) -> str:
        return "Yes or no"


@dataclass(frozen=True, slots=True)
class TextType:
    def __str__(self) -> str:
        return "Text"


@dataclass(frozen=True, slots=True)
class IntType:
    """Whole numbers from `low` to `high`; None: no bound is known."""

    low: int | None = None
    high: int | None = None

    def __str__(self) -> str:
        if self.low is None and self.high is None:
            return "Number"
        if self.low == self.high:
            return str(self.low)
        return f"{'' if self.low is None else self.low}..{'' if self.high is None else self.high}"


@dataclass(frozen=True, slots=True)
class EntityType:
    """A member of a kind; `view` narrows it to the members of a named view."""

    kind: str
    view: str | None = None

    def __str__(self) -> str:
        return self.view or self.kind


@dataclass(frozen=True, slots=True)
class SetType:
    item: Type

    def __str__(self) -> str:
        return f"set of {self.item}"


@dataclass(frozen=True, slots=True)
class ListType:
    item: Type

    def __str__(self) -> str:
        return f"list of {self.item}"


@dataclass(frozen=True, slots=True)
class BagType:
    """How many of each member of a kind."""

    kind: str

    def __str__(self) -> str:
        return f"bag of {self.kind}"


@dataclass(frozen=True, slots=True)
class OptionType:
    item: Type

    def __str__(self) -> str:
        return f"{self.item} or none"


@dataclass(frozen=True, slots=True)
class RecordType:
    name: str
    fields: tuple[tuple[str, Type], ...]

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class NoneType:
    def __str__(self) -> str:
        return "none"


@dataclass(frozen=True, slots=True)
class EmptyType:
    def __str__(self) -> str:
        return "empty"


@dataclass(frozen=True, slots=True)
class RankedType:
    """Pairs (item, key): what `x in items by key` gives to the functions that rank."""

    item: Type

    def __str__(self) -> str:
        return f"{self.item} by a number"


@dataclass(frozen=True, slots=True)
class VarType:
    """A type variable of a signature."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class ManyType:
    """In a signature: a list or a set."""

    item: Type

    def __str__(self) -> str:
        return f"many {self.item}"


@dataclass(frozen=True, slots=True)
class UnknownType:
    """The type of what has been reported already: fits everything, so that one fault is one message."""

    def __str__(self) -> str:
        return "unknown"


Type = (
    BoolType | TextType | IntType | EntityType | SetType | ListType | BagType | OptionType | RecordType | NoneType
    | EmptyType | RankedType | VarType | ManyType | UnknownType
)  # fmt: skip

BOOL, TEXT, INT, NONE, EMPTY, UNKNOWN = BoolType(), TextType(), IntType(), NoneType(), EmptyType(), UnknownType()
NATURAL = IntType(0, None)
PLAYER = EntityType("Player")
PLAYERS = SetType(PLAYER)


def is_many(t: Type) -> TypeGuard[ListType | SetType]:
    """Whether a value of the type is a tuple of items."""
    return isinstance(t, ListType | SetType)


def item_of(t: Type) -> Type:
    """The type of the items of a list, set or bag."""
    if isinstance(t, ListType | SetType | ManyType):
        return t.item
    if isinstance(t, BagType):
        return EntityType(t.kind)
    return UNKNOWN


def has_text(t: Type) -> bool:
    """Whether a value of the type is a text, or has one in it."""
    match t:
        case TextType():
            return True
        case OptionType(item=item) | ListType(item=item) | SetType(item=item):
            return has_text(item)
        case RecordType(fields=parts):
            return any(has_text(part) for _, part in parts)
    return False


def fits(given: Type, wanted: Type) -> bool:
    """Whether a value of type `given` may stand where `wanted` is expected, as it is."""
    match given, wanted:
        case (UnknownType(), _) | (_, UnknownType()):
            return True
        case IntType(), IntType():
            return True  # ranges are held by stores, at run time
        case EntityType(kind=a), EntityType(kind=b, view=None):
            return a == b
        case EntityType(), EntityType():
            return given == wanted
        case (NoneType(), OptionType()) | (EmptyType(), SetType() | ListType()):
            return True
        case OptionType(item=a), OptionType(item=b):
            return fits(a, b)
        case _, OptionType(item=b):
            return fits(given, b)
        case (SetType(item=a), SetType(item=b)) | (ListType(item=a), ListType(item=b)):
            return fits(a, b)
        case ((SetType(item=a) | ListType(item=a)), ManyType(item=b)):
            return fits(a, b)
        case SetType(item=a), ListType(item=b):
            return fits(a, b)
    return given == wanted


def join(a: Type, b: Type) -> Type | None:
    """The least type that both fit, or None."""
    if isinstance(a, UnknownType) or isinstance(b, UnknownType):
        return UNKNOWN
    if isinstance(a, IntType) and isinstance(b, IntType):
        low = None if a.low is None or b.low is None else min(a.low, b.low)
        high = None if a.high is None or b.high is None else max(a.high, b.high)
        return IntType(low, high)
    if isinstance(a, NoneType) or isinstance(b, NoneType):
        other = b if isinstance(a, NoneType) else a
        return other if isinstance(other, OptionType | NoneType) else OptionType(other)
    if isinstance(a, OptionType) or isinstance(b, OptionType):
        inner = join(a.item if isinstance(a, OptionType) else a, b.item if isinstance(b, OptionType) else b)
        return None if inner is None else OptionType(inner)
    if isinstance(a, EntityType) and isinstance(b, EntityType) and a.kind == b.kind:
        return a if a == b else EntityType(a.kind)
    if isinstance(a, EmptyType):
        return b if isinstance(b, SetType | ListType | BagType | EmptyType) else None
    if isinstance(b, EmptyType):
        return join(b, a)
    if is_many(a) and is_many(b):
        inner = join(a.item, b.item)
        if inner is None:
            return None
        return SetType(inner) if isinstance(a, SetType) and isinstance(b, SetType) else ListType(inner)
    return a if a == b else None

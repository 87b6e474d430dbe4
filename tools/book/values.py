"""Values of fields and tables, as people read them."""

from __future__ import annotations

from typing import Any

from rulespec.checker.wording.ink import plain
from rulespec.checker.wording.names import Names, article
from rulespec.ir.wording import joined
from rulespec.language.types import BagType, BoolType, EntityType, IntType, ListType, OptionType, SetType, Type

NOTHING = "–"


def shown(value: Any, t: Type, names: Names) -> str:
    """A value as a cell of a table has it."""
    match t:
        case OptionType(item):
            return NOTHING if value is None else shown(value, item, names)
        case BoolType():
            return "yes" if value else "no"
        case EntityType(kind):
            return plain(names.context.kinds[kind].labels[value])
        case BagType(kind):
            labels = names.context.kinds[kind].labels
            return joined([f"{n} {plain(label)}" for n, label in zip(value, labels, strict=True) if n]) or NOTHING
        case ListType(item) | SetType(item):
            return joined([shown(part, item, names) for part in value]) or NOTHING
        case _:
            return plain(str(value)) or NOTHING


def typed(t: Type, names: Names) -> str:
    """A type in words: `a player or nobody`, `0 to 9`, `cells`."""
    match t:
        case OptionType(item):
            return f"{typed(item, names)}, or none"
        case BoolType():
            return "yes or no"
        case IntType(low, high):
            if low is None or high is None:
                return f"{low} or more" if low is not None else f"at most {high}" if high is not None else "a number"
            return f"{low} to {high}"
        case EntityType(kind):
            return article(names.noun(names.context.kinds[kind]))
        case BagType(kind):
            return f"so many {names.plural(names.noun(names.context.kinds[kind]))} of each sort"
        case ListType(item) | SetType(item):
            inner = typed(item, names)
            many = names.plural(inner.partition(" ")[2]) if inner.startswith(("a ", "an ")) else f"({inner})"
            return f"{many} in an order" if isinstance(t, ListType) else many
        case _:
            return str(t)

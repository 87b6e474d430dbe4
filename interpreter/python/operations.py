"""What calls of the library give in generated code, and where their templates cannot fail."""

from __future__ import annotations

from typing import assert_never

from rulespec.analysis.domain import Fact
from rulespec.language.facts import Needs
from rulespec.language.registry import facts as facts_of


def cannot_fail(op: str, args: list[Fact]) -> bool:
    """Whether a template never fails for such values, apart from the size of its result."""
    needs = facts_of(op).python.needs
    match needs:
        case Needs.NEVER:
            return False
        case Needs.ANYTHING:
            return True
        case Needs.ITEMS_FIRST:
            return is_items(args[0])
        case Needs.ITEMS:
            return all(map(is_items, args))
        case Needs.SORTABLE:
            return all(is_items(f) and f.item is not None and f.item.what == "int" and not f.item.none for f in args)
        case Needs.NUMBERS:
            return all(f.what == "int" and not f.none for f in args)
        case Needs.BOUNDED:
            return all(f.bounded for f in args)
        case Needs.PARTS:
            return bool(args[0].parts) and is_items(args[0])
    assert_never(needs)


def is_items(fact: Fact) -> bool:
    """Whether a value is a collection and never None."""
    return fact.what == "items" and not fact.none


def comparable(fact: Fact) -> bool:
    """Whether a value can be compared with others of its fact: it is not None, and no part of it is."""
    return not fact.none and (fact.item is None or comparable(fact.item))

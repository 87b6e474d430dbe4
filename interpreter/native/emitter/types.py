"""The types that C needs: what every slot, local, parameter and result may hold.  `Types` is the one interface to them.

A type is a `Fact` (a range, a number of items, what they are), with more sorts: "entry", one of a queue of
rules; "pick", the answer to a menu that has branches and options of rules, a number, or a pair of a rule and what it is about, its
parts being (branch, rule, piece, arguments); and "case", what a rule is about before it is known which, (piece, arguments).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rulespec.analysis import domain, transfer
from rulespec.analysis.domain import ANY, NONE, Fact, either_item, join_items, lowest, of_value, widened
from rulespec.language import operators
from rulespec.language.facts import CForm
from rulespec.language.registry import facts as facts_of

MOST_COUNT = 16_000  # of a kind in a zone of counts here; beyond it the reference machine goes on
MOST_WAYS = 512  # of the bags that may be made of a bag, or to pay
TEXT = 1 << 40  # texts are numbers from here on


class Unsupported(Exception):
    """What C has no code for: the place hands over to the reference machine."""


class Unreached(Unsupported):
    """Nothing has come here yet."""


def join(*facts: Fact) -> Fact:
    """What holds whichever of them holds."""
    if not facts:
        return ANY
    first = facts[0]
    for other in facts[1:]:
        first = join_two(first, other)
    return first


def join_two(a: Fact, b: Fact) -> Fact:
    """The least type of both."""
    if a == b:
        return a
    if "any" in (a.what, b.what):
        return ANY
    if "never" in (a.what, b.what) or a.what == b.what in ("int", "text"):
        return domain.join_two(a, b)
    none = a.none or b.none
    if a.what == b.what == "items":
        both = join_items(a, b, join_two)
        return replace(both, item=join(*both.parts)) if both.parts else both
    one, two = as_pick(a), as_pick(b)
    if "pick" in (a.what, b.what) or a.what != b.what:
        if one.what == two.what == "pick" and one.parts and two.parts:
            return Fact("pick", none=none, parts=tuple(map(join_two, one.parts, two.parts)))
        return ANY
    if a.what == b.what == "case" and a.parts and b.parts:
        return Fact("case", none=none, parts=tuple(map(join_two, a.parts, b.parts)))
    if a.what == b.what == "entry":
        return replace(a, none=none, size=max(a.size or 0, b.size or 0))
    return ANY


def whole(*parts: Fact) -> Fact:
    """A collection of just these parts."""
    item = join(*parts) if parts else None
    return Fact("items", size=len(parts), item=item, parts=parts, least=len(parts))


def as_pick(a: Fact) -> Fact:
    """A number, or a pair of a number and what a rule is about, as the answer to a menu: (branch, rule, piece, arguments)."""
    if a.what == "int" and not a.none:
        return Fact("pick", parts=(a, NONE, NONE, NONE))
    if a.what == "items" and a.parts is not None and len(a.parts) == 2 and a.parts[0].what == "int":
        rule, case = a.parts
        if case.what in ("int", "never"):
            return Fact("pick", none=a.none, parts=(NONE, rule, case, NONE))
        if case.what == "items" and all(x.what in ("int", "never") for x in case.parts or (case.item or ANY,)):
            return Fact("pick", none=a.none, parts=(NONE, rule, NONE, case))
    return a


def of_constant(value: Any) -> Fact:
    """The type of a constant; of the options of a menu, branches and options of rules, what joins them here."""
    fact = of_value(value)
    if fact.what == "items" and fact.item is not None and fact.item.what == "any":
        return replace(fact, item=join(*map(of_value, value)))
    return fact


def widen(old: Fact | None, new: Fact, late: bool) -> Fact:
    """`old` joined with `new`; bounds that still grow when it is late are given up."""
    if old is None:
        return new
    return widened(old, new, join_two) if late else join_two(old, new)


# --- what operations give, where C has sorts of its own, or room for so many alone -----------------------------------
def few_ways(known: Fact, _: list[Fact]) -> Fact:
    """Bags or payments: no more than there is room for."""
    return replace(known, size=lowest(known.size, MOST_WAYS)) if known.what == "items" else known


def concatenated(known: Fact, facts: list[Fact]) -> Fact:
    """The items of both, which may be answers to a menu."""
    return replace(known, item=either_item(facts[0], facts[1], join_two)) if known.what == "items" else known


def packed(known: Fact, facts: list[Fact]) -> Fact:
    """A record or a list of the values given, which may be answers to a menu."""
    return replace(known, item=join(*facts)) if facts and known.what == "items" else known


RESULTS: dict[CForm, Callable[[Fact, list[Fact]], Fact]] = {
    CForm.PACK: packed,
    CForm.BAG_WAYS: few_ways,
    CForm.PAYMENTS: few_ways,
    CForm.CONCATENATION: concatenated,
    CForm.PART: lambda _, f: part(*f),
}


def part(a: Fact, index: Fact) -> Fact:
    """A part of a record, an item of a list, or a part of what an option of a menu answers."""
    if a.what == "never":
        raise Unreached
    if a.what == "case" and a.parts:
        return part(a.parts[1], index)
    if a.what == "pick" and a.parts and index.low == index.high and index.low in (0, 1):
        _, rule, piece, args = a.parts
        return rule if not index.low else piece if args.what == "never" else Fact("case", parts=(piece, args))
    return transfer.part(a, index)


def completed(chosen: Fact, items: Fact) -> Fact:
    """What a choice of several may come to: a set, or where some of the items may be equal a list."""
    return op_result(operators.UNION if items.ordered else operators.CONCAT, [chosen, items])


def op_result(name: str, facts: list[Fact]) -> Fact:
    """What an operation gives; raises Unreached where it surely is a fault, such as the first of a list that nothing was put into yet."""
    special = RESULTS.get(facts_of(name).c.form)
    known = transfer.result(name, [ANY if fact.empty else fact for fact in facts])
    if known.empty:
        raise Unreached
    return known if special is None else special(known, facts)


def within(a: Fact, b: Fact) -> bool:
    """Whether every value of the first type is one of the second."""
    return join_two(b, a) == b

"""The types that C needs: what every slot, local, parameter and result may hold.  `Types` is the one interface to them.

A type is a `Fact` of the generated Python (a range, a number of items, what they are), with more sorts: "entry", one of a queue of
rules; "pick", the answer to a menu that has branches and options of rules, a number, or a pair of a rule and what it is about, its
parts being (branch, rule, piece, arguments); and "case", what a rule is about before it is known which, (piece, arguments).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from interpreter.python import operations
from interpreter.python.facts import ANY, BOOL, INT, NONE, Fact, below, items, join_items, join_numbers, of_value
from rulespec import ir
from rulespec.language.facts import CForm, Result, Size
from rulespec.language.registry import facts as facts_of

MOST_COUNT = 16_000  # of a kind in a zone of counts here; beyond it the reference machine goes on
MOST_WAYS = 512  # of the bags that may be made of a bag, or to pay
TEXT = 1 << 40  # texts are numbers from here on
Parts = tuple[ir.Expr, ...]


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
    none = a.none or b.none
    if a.what == "never" or b.what == "never":
        return replace(b if a.what == "never" else a, none=none)
    if "any" in (a.what, b.what):
        return ANY
    if a.what == b.what == "int":
        return join_numbers(a, b)
    if a.what == b.what == "text":
        return Fact("text", none=none)
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
    return Fact("items", size=len(parts), item=join(*parts) if parts else None, parts=parts)


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
    if fact.what == "items" and fact.item == ANY:
        return replace(fact, item=join(*map(of_value, value)))
    return fact


def widen(old: Fact | None, new: Fact, late: bool) -> Fact:
    """`old` joined with `new`; bounds that still grow when it is late are given up."""
    if old is None:
        return new
    both = join_two(old, new)
    if both == old or not late:
        return both
    if both.what == "int" and old.what == "int":
        low = both.low if both.low == old.low else None
        high = both.high if both.high == old.high else None
        return replace(both, low=low, high=high)
    if both.what == "items" and old.what == "items":
        return widen_items(old, both)
    return both


def widen_items(old: Fact, both: Fact) -> Fact:
    """The join of collections without what still grows."""
    if both.size != old.size:
        return replace(both, size=None, parts=None)
    parts = both.parts
    if parts is not None and old.parts is not None:
        parts = tuple(widen(a, b, True) for a, b in zip(old.parts, parts, strict=True))
    item = both.item
    if item is not None and old.item is not None:
        item = widen(old.item, item, True)
    return replace(both, parts=parts, item=item)


# --- what operations give, where more is known than `operations.result` says -----------------------------------------
def packed(_: Parts, facts: list[Fact]) -> Fact:
    """A record or a list of the values given."""
    scalar = all(f.what == "int" and not f.none for f in facts)
    return replace(whole(*facts), ordered=len(facts) <= 1 and scalar)


def set_of(_: Parts, facts: list[Fact]) -> Fact:
    """A set of the values given."""
    return Fact("items", size=len(facts), item=join(*facts) if facts else None, ordered=True)


def counts(size: int | None, high: int | None) -> Fact:
    """A bag of so many kinds."""
    return items(Fact("int", 0, high), size)


def highest_count(bag: Fact) -> int | None:
    """The most of a kind that a bag may hold."""
    return bag.item.high if bag.what == "items" and bag.item is not None and bag.item.what == "int" else None


def bag_add(_: Parts, facts: list[Fact]) -> Fact:
    """Both bags together."""
    highs = [highest_count(f) for f in facts]
    high = None if highs[0] is None or highs[1] is None else highs[0] + highs[1]
    return counts(facts[0].size if facts[0].size is not None else facts[1].size, high)


def some_of_bag(_: Parts, facts: list[Fact]) -> Fact:
    """Part of the first bag."""
    return counts(facts[0].size, highest_count(facts[0]))


def table_row(args: Parts, _: list[Fact]) -> Fact:
    """A row of a table that is a constant."""
    rows = args[0].value if isinstance(args[0], ir.Const) else ()
    return join(*(of_value(v) for _, v in rows)) if rows else ANY


def ways(_: Parts, facts: list[Fact]) -> Fact:
    """Lists of bags."""
    one = bag_add((), facts[:2])
    return items(one, MOST_WAYS)


def payments(_: Parts, facts: list[Fact]) -> Fact:
    """Lists of (pieces of the stock, cards, needs that were converted)."""
    gems = counts(facts[1].size, highest_count(facts[1]))
    cards = replace(facts[2], ordered=True, parts=None, none=False)
    return items(Fact("items", size=3, parts=(gems, cards, Fact("int", 0, None)), item=ANY), MOST_WAYS)


def numbered(args: Parts) -> int | None:
    """The last argument, where it is a number that the program gives."""
    last = args[-1]
    return last.value if isinstance(last, ir.Const) and isinstance(last.value, int) else None


def all_seats(args: Parts, _: list[Fact]) -> Fact:
    """All players, in their order or in turn order."""
    n = numbered(args)
    return ANY if n is None else items(below(n), n, len(args) == 1)


def bag_of_so_many(args: Parts, facts: list[Fact]) -> Fact:
    """A bag whose last argument says of how many kinds."""
    number = facts[1] if len(facts) == 3 else facts[0]
    high = number.high if number.what == "int" else facts[0].size
    return counts(numbered(args), high)


def ranked_groups(_: Parts, facts: list[Fact]) -> Fact:
    """Lists of the first parts of pairs."""
    pair = facts[0].item
    one = pair.parts[0] if pair is not None and pair.parts else ANY
    return items(items(one, facts[0].size), facts[0].size)


def present(_: Parts, facts: list[Fact]) -> Fact:
    """The seats that took part."""
    n = facts[0].size or 64
    return items(below(n), n, True)


def sorted_items(_: Parts, facts: list[Fact]) -> Fact:
    """The items, ascending; equal ones stay, so that only a set is one afterwards."""
    return replace(operations.selected(facts[0]), ordered=facts[0].ordered, parts=None)


def by_rank(args: Parts, _: list[Fact]) -> Fact:
    """A number for each player."""
    return items(Fact("int", -1, 1), numbered(args))


def board_set(args: Parts, _: list[Fact]) -> Fact:
    """Cells of the board that is the last argument."""
    board = args[-1].value if isinstance(args[-1], ir.Const) else None
    return items(below(len(board[5])), len(board[5]), True) if board else ANY


def cells_between(args: Parts, _: list[Fact]) -> Fact:
    """Cells of a line of the board that is the last argument."""
    board = args[-1].value if isinstance(args[-1], ir.Const) else None
    if not board:
        return ANY
    _, columns, rows, wide, high, places, _ = board
    return items(below(len(places)), len(places) if wide or high else max(columns, rows))


def adjacency(args: Parts, _: list[Fact]) -> Fact:
    """For each place of a map the places next to it."""
    places = numbered(args) or 0
    return items(items(below(places), places, True), places)


def places_of(_: Parts, facts: list[Fact]) -> Fact:
    """Places of a graph."""
    places = facts[-1].size or 0
    return items(below(places), places, True)


RESULTS: dict[CForm, Callable[[Parts, list[Fact]], Fact]] = {
    CForm.PACK: packed,
    CForm.SET: set_of,
    CForm.SORTED: sorted_items,
    CForm.SEATS: all_seats,
    CForm.BAG_SUM: bag_add,
    CForm.BAG_ONLY: some_of_bag,
    CForm.BAG_AFTER: some_of_bag,
    CForm.BAG_TIMES: lambda _, f: counts(f[0].size, None),
    CForm.BAG_ONE: lambda a, f: counts(numbered(a), f[0].high),
    CForm.BAG_ALL: bag_of_so_many,
    CForm.BAG_FROM: bag_of_so_many,
    CForm.BAG_WAYS: ways,
    CForm.PAYMENTS: payments,
    CForm.BAG_ITEMS: lambda _, f: items(below(f[0].size) if f[0].size else INT, None),
    CForm.BAG_WEIGHTS: lambda _, f: items(Fact("int", 1, highest_count(f[0])), f[0].size),
    CForm.ROW: table_row,
    CForm.RANKING: ranked_groups,
    CForm.BY_RANK: by_rank,
    CForm.BY_WINNERS: by_rank,
    CForm.BY_SIDES: by_rank,
    CForm.PRESENT: present,
    CForm.CONCATENATION: lambda _, f: concatenated(*f),
    CForm.PART: lambda _, f: part(*f),
    CForm.ADDITION: lambda *_: BOOL,
    CForm.GROUP: board_set,
    CForm.NEIGHBOURS_IN: board_set,
    CForm.BETWEEN: cells_between,
    CForm.ADJACENCY: adjacency,
    CForm.NEIGHBOURS: places_of,
    CForm.REACH: places_of,
    CForm.DISTANCE: lambda _, f: Fact("int", 0, f[2].size, none=True),
    CForm.PATH: lambda _, f: items(below(f[2].size or 0), f[2].size),
    CForm.PAIRS: lambda _, f: items(items(f[0].item, 2), None),
}


def concatenated(a: Fact, b: Fact) -> Fact:
    """The items of both."""
    if a.what != "items" or b.what != "items":
        return ANY
    both = join_items(a, b, join_two)
    return items(both.item, None if a.size is None or b.size is None else a.size + b.size)


def part(a: Fact, index: Fact) -> Fact:
    """A part of a record, an item of a list, or a part of what an option of a menu answers."""
    if a.what == "never":
        raise Unreached
    if a.what == "case" and a.parts:
        return part(a.parts[1], index)
    if a.what == "pick" and a.parts and index.low == index.high and index.low in (0, 1):
        _, rule, piece, args = a.parts
        return rule if not index.low else piece if args.what == "never" else Fact("case", parts=(piece, args))
    return operations.part(a, index)


def completed(chosen: Fact, items: Fact) -> Fact:
    """What a choice of several may come to: a set, or where some of the items may be equal a list."""
    return op_result("union" if items.ordered else "concat", (), [chosen, items])


def op_result(name: str, args: Parts, facts: list[Fact]) -> Fact:
    """What an operation gives."""
    known = facts_of(name)
    special = RESULTS.get(known.c.form)
    if special is None:
        return operations.result(name, facts)
    if known.result is Result.ROW_OR_NONE:
        return replace(special(args, facts), none=True)
    return (
        some_of_bag(args, facts) if known.size is Size.TAKEN and known.c.form is CForm.BAG_SUM else special(args, facts)
    )


def within(a: Fact, b: Fact) -> bool:
    """Whether every value of the first type is one of the second."""
    return join_two(b, a) == b

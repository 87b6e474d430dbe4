"""Functions of lists and sets.  Those that bind take `x in items where ...` as their argument."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from rulespec.language.facts import (
    C,
    CForm,
    Extreme,
    Facts,
    Form,
    Needs,
    Origin,
    Python,
    Reduction,
    Result,
    Size,
    Tells,
)
from rulespec.language.registry import function
from rulespec.library.errors import DomainError, bounded
from rulespec.library.order import ascending

Items = tuple[Any, ...]
Pairs = tuple[tuple[Any, Any], ...]


@function(
    "size(items: many T) -> 0..",
    examples={"size(list(4, 5))": "2"},
    facts=Facts(
        instant=True,
        result=Result.SIZE,
        total=True,
        grows=False,
        reduces=Reduction.COUNT,
        python=Python("len($a)", needs=Needs.ITEMS_FIRST),
        tells=Tells.NUMBER,
        c=C(form=CForm.SIZE),
    ),
)
def size(items: Items) -> int:
    """How many items there are; of a bag, how many pieces."""
    return len(items)


@function(
    "count(items: many T) -> 0..",
    binds="where",
    nests="sum",
    examples={"count(n in list(1, 2, 3) where n > 1)": "2"},
    facts=Facts(
        instant=True,
        result=Result.SIZE,
        total=True,
        grows=False,
        reduces=Reduction.COUNT,
        python=Python("len($a)", needs=Needs.ITEMS_FIRST),
        tells=Tells.NUMBER,
        c=C(form=CForm.SIZE),
    ),
)
def count(items: Items) -> int:
    """How many items there are (and pass the `where`); with a second argument, how many are equal to it."""
    return len(items)


@function(
    "count(items: many T, item: T) -> 0..",
    examples={"count(list(1, 2, 1), 1)": "2"},
    facts=Facts(
        result=Result.OCCURRENCES,
        total=True,
        python=Python("$a.count($b)", needs=Needs.ITEMS_FIRST),
        c=C(form=CForm.OCCURRENCES),
    ),
)
def count_of(items: Items, item: Any) -> int:
    """How many items are equal to the one given."""
    return items.count(item)


@function(
    "sum(items: many Number) -> Number",
    binds="where",
    nests="sum",
    examples={"sum(n * 2 for n in list(1, 2, 3))": "12"},
    facts=Facts(result=Result.TOTAL, reduces=Reduction.TOTAL, python=Python("sum($a)"), c=C(form=CForm.SUM)),
)
def total(items: Items) -> int:
    """The sum of the numbers."""
    return sum(items)


@function(
    "any(items: many T) -> Yes or no",
    binds="where",
    nests="any",
    examples={"any(n in list(1, 2) where n > 1)": "yes"},
    facts=Facts(
        instant=True,
        result=Result.SOME,
        total=True,
        grows=False,
        reduces=Reduction.SOME,
        python=Python("len($a) > 0", needs=Needs.ITEMS_FIRST),
        tells=Tells.NUMBER,
        c=C(form=CForm.EXISTENCE),
    ),
)
def any_item(items: Items) -> bool:
    """Whether there is at least one item (that passes the `where`); it looks no further than the first."""
    return len(items) > 0


@function(
    "all(items: many T) -> Yes or no",
    binds="have",
    nests="all",
    examples={"all(n in list(1, 2) have n > 1)": "no"},
    facts=Facts(
        instant=True,
        result=Result.NO_ITEM,
        total=True,
        grows=False,
        reduces=Reduction.NO_ITEM,
        python=Python("not $a", needs=Needs.ITEMS_FIRST),
        tells=Tells.NUMBER,
        c=C(form=CForm.EXISTENCE),
    ),
)
def no_item(items: Items) -> bool:
    """Whether every item has what stands after `have`; it looks no further than the first that has not."""
    return len(items) == 0  # the checker keeps the items that have it not


@function(
    "those(items: many T) -> many T",
    binds="where",
    examples={"those(n in list(1, 2, 3) where n > 1)": "list(2, 3)"},
    facts=Facts(
        instant=True,
        result=Result.SAME,
        total=True,
        grows=False,
        identity=True,
        python=Python("$a", needs=Needs.ITEMS_FIRST),
        origin=Origin.FIRST,
        size=Size.FIRST,
    ),
)
def those(items: Items) -> Items:
    """The items that pass the `where`: a set of a set, a list of a list."""
    return items


@function(
    "each(items: many T) -> list of T",
    binds="where",
    examples={"each(n + 1 for n in list(1, 2))": "list(2, 3)"},
    facts=Facts(
        instant=True,
        result=Result.LISTED,
        total=True,
        grows=False,
        identity=True,
        python=Python("$a", needs=Needs.ITEMS_FIRST),
        origin=Origin.FIRST,
        size=Size.FIRST,
    ),
)
def each(items: Items) -> Items:
    """What stands before `for`, of each item, as a list."""
    return items


@function(
    "the(items: many T) -> T",
    binds="where",
    examples={"the(n in list(1, 2) where n > 1)": "2"},
    facts=Facts(instant=True, result=Result.ITEM, grows=False, origin=Origin.FIRST, c=C(form=CForm.ONLY)),
)
def only_one(items: Items) -> Any:
    """The one item (that passes the `where`); an error in play if there is none or more than one."""
    if len(items) != 1:
        raise DomainError(f"`the` needs exactly one item and there are {len(items)}")
    return items[0]


@function(
    "first(items: many T) -> T",
    binds="where",
    examples={"first(list(4, 5))": "4"},
    facts=Facts(
        instant=True,
        result=Result.ITEM,
        grows=False,
        python=Python("$a[0]"),
        origin=Origin.FIRST,
        c=C(form=CForm.FIRST),
    ),
)
def first(items: Items) -> Any:
    """The first item; an error in play if there is none."""
    if not items:
        raise DomainError("`first` of nothing")
    return items[0]


@function(
    "last(items: many T) -> T",
    binds="where",
    examples={"last(list(4, 5))": "5"},
    facts=Facts(
        instant=True,
        result=Result.ITEM,
        grows=False,
        python=Python("$a[-1]"),
        origin=Origin.FIRST,
        tells=Tells.TOP,
        c=C(form=CForm.LAST),
    ),
)
def last(items: Items) -> Any:
    """The last item; an error in play if there is none."""
    if not items:
        raise DomainError("`last` of nothing")
    return items[-1]


@function(
    "top(pile: list of T) -> T",
    examples={"top(list(4, 5))": "5"},
    facts=Facts(
        instant=True,
        result=Result.ITEM,
        grows=False,
        python=Python("$a[-1]"),
        origin=Origin.FIRST,
        tells=Tells.TOP,
        c=C(form=CForm.LAST),
    ),
)
def top(pile: Items) -> Any:
    """The piece on top of a pile, the one laid last; an error in play if the pile is empty."""
    if not pile:
        raise DomainError("`top` of an empty pile")
    return pile[-1]


@function(
    "bottom(pile: list of T) -> T",
    examples={"bottom(list(4, 5))": "4"},
    facts=Facts(
        instant=True,
        result=Result.ITEM,
        grows=False,
        python=Python("$a[0]"),
        origin=Origin.FIRST,
        c=C(form=CForm.FIRST),
    ),
)
def bottom(pile: Items) -> Any:
    """The lowest piece of a pile; an error in play if the pile is empty."""
    if not pile:
        raise DomainError("`bottom` of an empty pile")
    return pile[0]


@function(
    "top(pile: list of T, number: Number) -> list of T",
    examples={"top(list(4, 5, 6), 2)": "list(6, 5)"},
    facts=Facts(result=Result.PREFIX, total=True, origin=Origin.FIRST, size=Size.PREFIX, c=C(form=CForm.PREFIX)),
)
def top_of(pile: Items, number: int) -> Items:
    """The uppermost pieces of a pile, the top one first, as many as there are."""
    return pile[::-1][: max(0, number)]


@function(
    "first(items: many T, number: Number) -> list of T",
    examples={"first(list(4, 5, 6), 2)": "list(4, 5)"},
    facts=Facts(result=Result.PREFIX, total=True, origin=Origin.FIRST, size=Size.PREFIX, c=C(form=CForm.PREFIX)),
)
def first_of(items: Items, number: int) -> Items:
    """The first items, as many as there are."""
    return items[: max(0, number)]


@function(
    "item(items: many T, position: 1..) -> T",
    examples={"item(list(4, 5), 2)": "5"},
    facts=Facts(
        instant=True,
        result=Result.ITEM,
        grows=False,
        python=Python("$a[$b - 1]", form=Form.FROM_ONE),
        origin=Origin.FIRST,
        c=C(form=CForm.ITEM_AT),
    ),
)
def item_at(items: Items, position: int) -> Any:
    """The item at a position, counted from 1; an error in play outside."""
    if not 1 <= position <= len(items):
        raise DomainError(f"there is no item {position} of {len(items)}")
    return items[position - 1]


@function(
    "position(items: many T, item: T) -> 0..",
    examples={"position(list(4, 5), 5)": "2", "position(list(4, 5), 6)": "0"},
    facts=Facts(result=Result.PLACE, total=True, grows=False, c=C(form=CForm.OCCURRENCES)),
)
def position(items: Items, item: Any) -> int:
    """Where the item first stands, counted from 1; 0 if it does not."""
    return items.index(item) + 1 if item in items else 0


@function(
    "list(items: T ...) -> list of T",
    examples={"list(2, 1, 2)": "list(2, 1, 2)"},
    facts=Facts(
        instant=True,
        result=Result.RECORD,
        total=True,
        python=Python(form=Form.TUPLE),
        origin=Origin.ARGUMENTS,
        size=Size.FIXED,
        c=C(form=CForm.PACK),
    ),
)
def list_of(*items: Any) -> Items:
    """A list of the values given, in their order."""
    return items


@function(
    "set(items: many T) -> set of T",
    binds="where",
    examples={"set(list(2, 1, 2))": "set(1, 2)"},
    facts=Facts(
        result=Result.AS_SET,
        total=True,
        python=Python("tuple(sorted(set($a)))", needs=Needs.SORTABLE),
        origin=Origin.ALL,
        size=Size.DISTINCT,
        c=C(form=CForm.AS_SET),
    ),
)
def to_set(items: Items) -> Items:
    """The items of a list, or the values given, as a set: without repeats, in no order."""
    return ascending(set(items))


@function(
    "set(items: T ...) -> set of T",
    examples={"set(2, 1, 2)": "set(1, 2)"},
    facts=Facts(result=Result.SET, origin=Origin.ARGUMENTS, c=C(form=CForm.SET)),
)
def set_of(*items: Any) -> Items:
    """A set of the values given."""
    return ascending(set(items))


@function(
    "pairs(items: many T) -> list of list of T",
    examples={"pairs(list(4, 5, 6))": "list(list(4, 5), list(4, 6), list(5, 6))", "size(pairs(list(4)))": "0"},
    facts=Facts(
        result=Result.PAIRS,
        total=True,
        heavy=True,
        memo=True,
        origin=Origin.OTHER_SHAPE,
        size=Size.FIRST,
        c=C(form=CForm.PAIRS),
    ),
)
def pairs_of(items: Items) -> Items:
    """Every two of the items as a list of two, each two once, in the order of the items."""
    bounded(len(items) * (len(items) - 1) // 2)
    return tuple(combinations(items, 2))


@function(
    "reversed(items: many T) -> list of T",
    examples={"reversed(list(4, 5))": "list(5, 4)"},
    facts=Facts(
        result=Result.LISTED,
        total=True,
        python=Python("$a[::-1]", needs=Needs.ITEMS_FIRST),
        origin=Origin.FIRST,
        size=Size.FIRST,
        c=C(form=CForm.REVERSED),
    ),
)
def backwards(items: Items) -> Items:
    """The items from the last to the first."""
    return items[::-1]


@function(
    "highest(items: many Number) -> Number",
    binds="where",
    examples={"highest(list(1, 3, 2))": "3"},
    facts=Facts(result=Result.NUMBER, python=Python("max($a)"), extreme=Extreme.MOST, c=C(form=CForm.EXTREME)),
)
def highest(items: Items) -> int:
    """The largest number; an error in play if there is none."""
    if not items:
        raise DomainError("`highest` of nothing")
    return int(max(items))


@function(
    "lowest(items: many Number) -> Number",
    binds="where",
    examples={"lowest(list(3, 1, 2))": "1"},
    facts=Facts(result=Result.NUMBER, python=Python("min($a)"), extreme=Extreme.LEAST, c=C(form=CForm.EXTREME)),
)
def lowest(items: Items) -> int:
    """The smallest number; an error in play if there is none."""
    if not items:
        raise DomainError("`lowest` of nothing")
    return int(min(items))


@function(
    "most(items: ranked T) -> list of T",
    binds="by",
    examples={"most(n in list(1, 5, 6) by mod(n, 5))": "list(1, 6)"},
    facts=Facts(
        result=Result.BEST,
        total=True,
        reduces=Reduction.HIGHEST,
        extreme=Extreme.MOST,
        origin=Origin.OTHER_SHAPE,
        c=C(form=CForm.BEST),
    ),
)
def most(pairs: Pairs) -> Items:
    """All items with the highest number after `by`: everyone who is tied."""
    if not pairs:
        return ()
    best = max(key for _, key in pairs)
    return tuple(item for item, key in pairs if key == best)


@function(
    "least(items: ranked T) -> list of T",
    binds="by",
    examples={"least(n in list(1, 5, 6) by mod(n, 5))": "list(5)"},
    facts=Facts(
        result=Result.BEST,
        total=True,
        reduces=Reduction.LOWEST,
        extreme=Extreme.LEAST,
        origin=Origin.OTHER_SHAPE,
        c=C(form=CForm.BEST),
    ),
)
def least(pairs: Pairs) -> Items:
    """All items with the lowest number after `by`: everyone who is tied."""
    if not pairs:
        return ()
    best = min(key for _, key in pairs)
    return tuple(item for item, key in pairs if key == best)


@function(
    "sorted(items: ranked T) -> list of T",
    binds="by",
    examples={"sorted(n in list(3, 1, 2) by n)": "list(1, 2, 3)"},
    facts=Facts(result=Result.BY_KEY, origin=Origin.OTHER_SHAPE, size=Size.FIRST, c=C(form=CForm.SORTED_BY)),
)
def sorted_by(pairs: Pairs) -> Items:
    """The items from the lowest number after `by` to the highest; equal ones keep their order."""
    return tuple(item for item, _ in sorted(pairs, key=lambda pair: pair[1]))


@function(
    "ranking(items: ranked T) -> list of list of T",
    binds="by",
    examples={"size(ranking(n in list(1, 5, 6) by mod(n, 5)))": "2"},
    facts=Facts(result=Result.GROUPS, origin=Origin.OTHER_SHAPE, c=C(form=CForm.RANKING)),
)
def ranking(pairs: Pairs) -> Items:
    """The items in groups, those with the highest number after `by` first; equal ones share a group."""
    groups: dict[Any, list[Any]] = {}
    for item, key in pairs:
        groups.setdefault(key, []).append(item)
    return tuple(tuple(groups[key]) for key in sorted(groups, reverse=True))

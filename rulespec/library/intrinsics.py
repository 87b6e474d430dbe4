"""What operators and core steps compute: bodies that only the checker names."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any

from rulespec.language import bounds
from rulespec.language.facts import C, CForm, Facts, Form, Needs, Neutral, Origin, Python, Result, Size, Tells
from rulespec.language.registry import intrinsic
from rulespec.library.errors import DomainError, bounded
from rulespec.library.order import ascending, rank

Items = tuple[Any, ...]
Set = tuple[Any, ...]  # items that are distinct and ascend
Counts = tuple[int, ...]


@intrinsic(
    Facts(
        result=bounds.plus,
        neutral=Neutral(0, both=True),
        python=Python("$a + $b", needs=Needs.BOUNDED),
        c=C("((V)$a+$b)", tested="add_(S,$a,$b)"),
    )
)
def add(a: int, b: int) -> int:
    """a + b."""
    return a + b


@intrinsic(
    Facts(
        result=bounds.minus,
        neutral=Neutral(0),
        python=Python("$a - $b", needs=Needs.BOUNDED),
        c=C("((V)$a-$b)", tested="sub_(S,$a,$b)"),
    )
)
def sub(a: int, b: int) -> int:
    """a - b."""
    return a - b


@intrinsic(
    Facts(
        result=bounds.times,
        neutral=Neutral(1),
        python=Python("$a * $b", needs=Needs.BOUNDED),
        c=C("((V)$a*$b)", tested="mul_(S,$a,$b)"),
    )
)
def mul(a: int, b: int) -> int:
    """a * b."""
    return a * b


@intrinsic(
    Facts(
        result=bounds.negated,
        total=True,
        python=Python("-$a", needs=Needs.BOUNDED),
        c=C("(-(V)$a)", tested="sub_(S,0,$a)"),
    )
)
def neg(a: int) -> int:
    """-a."""
    return -a


@intrinsic(
    Facts(
        result=Result.EQUAL,
        total=True,
        grows=False,
        python=Python("$a == $b", needs=Needs.ANYTHING),
        c=C(form=CForm.EQUALITY),
    )
)
def eq(a: Any, b: Any) -> bool:
    """Whether both are the same value."""
    return bool(a == b)


@intrinsic(
    Facts(
        result=Result.DIFFERENT,
        total=True,
        grows=False,
        python=Python("$a != $b", needs=Needs.ANYTHING),
        c=C(form=CForm.EQUALITY),
    )
)
def ne(a: Any, b: Any) -> bool:
    """Whether they differ."""
    return bool(a != b)


@intrinsic(
    Facts(result=bounds.less, total=True, grows=False, python=Python("$a < $b", needs=Needs.NUMBERS), c=C("($a<$b)"))
)
def lt(a: int, b: int) -> bool:
    """a < b."""
    return a < b


@intrinsic(
    Facts(
        result=bounds.at_most, total=True, grows=False, python=Python("$a <= $b", needs=Needs.NUMBERS), c=C("($a<=$b)")
    )
)
def le(a: int, b: int) -> bool:
    """a <= b."""
    return a <= b


@intrinsic(
    Facts(result=Result.OPPOSITE, total=True, grows=False, python=Python("not $a", needs=Needs.ANYTHING), c=C("(!$a)"))
)
def not_(a: bool) -> bool:
    """The opposite."""
    return not a


@intrinsic(
    Facts(
        instant=True,
        result=Result.ABSENT,
        total=True,
        grows=False,
        python=Python("$a is None", needs=Needs.ANYTHING),
        tells=Tells.NUMBER,
        c=C(form=CForm.ABSENCE),
    )
)
def is_none(a: Any) -> bool:
    """Whether there is nothing."""
    return a is None


@intrinsic(
    Facts(
        result=Result.AMONG,
        total=True,
        grows=False,
        python=Python("$b in $a", needs=Needs.ITEMS_FIRST),
        c=C(form=CForm.MEMBERSHIP),
    )
)
def contains(items: Items, item: Any) -> bool:
    """Whether the item is among the items."""
    return item in items


FEW = 256  # comparisons that take less time than making a set


@intrinsic(
    Facts(result=bounds.yes_or_no, total=True, grows=False, python=Python(needs=Needs.ITEMS), c=C(form=CForm.INCLUSION))
)
def includes(items: Items, others: Items) -> bool:
    """Whether all of the others are among the items."""
    among = items if len(items) * len(others) <= FEW else frozenset(items)
    return all(other in among for other in others)


@intrinsic(
    Facts(
        result=Result.UNION,
        heavy=True,
        python=Python("tuple(sorted({*$a, *$b}))", needs=Needs.SORTABLE),
        origin=Origin.ALL,
        size=Size.BOTH,
        c=C(form=CForm.UNION),
    )
)
def union(a: Set, b: Items) -> Set:
    """What is in a or b, as a set."""
    return ascending({*a, *b})


@intrinsic(
    Facts(
        result=Result.REMAINDER,
        total=True,
        heavy=True,
        grows=False,
        neutral=Neutral(()),
        python=Python(needs=Needs.ITEMS),
        origin=Origin.FIRST,
        size=Size.TAKEN,
        c=C(form=CForm.REMAINDER),
    )
)
def minus(a: Items, b: Items) -> Items:
    """The items of a without one for each item of b: the first that is equal; what a has not, nothing takes away."""
    gone: dict[Any, int] = {}
    for x in b:
        gone[x] = gone.get(x, 0) + 1
    rest = []
    for x in a:
        if gone.get(x, 0):
            gone[x] -= 1
        else:
            rest.append(x)
    return tuple(rest)


@intrinsic(
    Facts(
        result=Result.JOINED,
        total=True,
        neutral=Neutral((), both=True),
        python=Python("$a + $b", needs=Needs.ITEMS),
        origin=Origin.ALL,
        size=Size.BOTH,
        c=C(form=CForm.CONCATENATION),
    )
)
def concat(a: Items, b: Items) -> Items:
    """The items of a, then those of b."""
    bounded(len(a) + len(b))
    return a + b


@intrinsic(Facts(result=Result.INTERVAL, heavy=True, c=C(form=CForm.INTERVAL)))
def interval(low: int, high: int) -> Items:
    """The numbers from low to high."""
    bounded(high - low + 1)
    return tuple(range(low, high + 1))


@intrinsic(
    Facts(result=Result.SEATS, total=True, grows=False, python=Python(needs=Needs.ANYTHING), c=C(form=CForm.SEATS))
)
def seats(players: int) -> Items:
    """All players."""
    return tuple(range(players))


@intrinsic(
    Facts(
        instant=True,
        result=Result.PART,
        grows=False,
        python=Python("$a[$b]", needs=Needs.PARTS),
        origin=Origin.OTHER_SHAPE,
        c=C(form=CForm.PART),
    )
)
def get(items: Items, index: int) -> Any:
    """The item at an index that the compiler made."""
    return items[index]


@intrinsic(
    Facts(
        instant=True,
        result=Result.RECORD,
        total=True,
        python=Python(form=Form.TUPLE, needs=Needs.ANYTHING),
        origin=Origin.ARGUMENTS,
        size=Size.FIXED,
        c=C(form=CForm.PACK),
    )
)
def pack(*items: Any) -> Items:
    """A record, or a list, of its parts."""
    return items


@intrinsic(Facts(result=Result.ROW, grows=False, python=Python("$a[$b]", Form.TABLE), c=C(form=CForm.ROW)))
def row(rows: tuple[tuple[Any, Any], ...], key: Any) -> Any:
    """The row of a table under a key; a fault if it has none."""
    for row_key, value in rows:
        if row_key == key:
            return value
    raise DomainError("the table has no row for this key")


@intrinsic(
    Facts(
        result=Result.BAG,
        memo=True,
        held=True,
        python=Python(form=Form.BAG_OF_ONE),
        origin=Origin.OTHER_SHAPE,
        size=Size.NUMBER,
        c=C(form=CForm.BAG_ONE),
    )
)
def bag_one(number: int, kind: int, members: int) -> Counts:
    """So many pieces of one kind, as a bag."""
    if number < 0:
        raise DomainError(f"a bag cannot hold {number} pieces")
    return tuple(number if k == kind else 0 for k in range(members))


@intrinsic(
    Facts(
        result=Result.BAG_SUM,
        total=True,
        memo=True,
        held=True,
        python=Python("$a[$k] + $b[$k]", Form.EACH_KIND),
        origin=Origin.OTHER_SHAPE,
        size=Size.BOTH,
        c=C(form=CForm.BAG_SUM),
    )
)
def bag_add(a: Counts, b: Counts) -> Counts:
    """Both bags together."""
    return tuple(x + y for x, y in zip(a, b, strict=True))


@intrinsic(
    Facts(
        result=Result.BAG_PART,
        total=True,
        memo=True,
        held=True,
        python=Python("$a[$k] - $b[$k] if $a[$k] > $b[$k] else 0", Form.EACH_KIND),
        origin=Origin.OTHER_SHAPE,
        size=Size.TAKEN,
        c=C(form=CForm.BAG_SUM),
    )
)
def bag_sub(a: Counts, b: Counts) -> Counts:
    """What is left of a without b, at least nothing of each kind."""
    return tuple(max(0, x - y) for x, y in zip(a, b, strict=True))


@intrinsic(Facts(result=Result.BAG_MULTIPLE, memo=True, held=True, c=C(form=CForm.BAG_TIMES)))
def bag_mul(a: Counts, n: int) -> Counts:
    """The bag n times."""
    if n < 0:
        raise DomainError(f"a bag cannot be taken {n} times")
    return tuple(x * n for x in a)


@intrinsic(
    Facts(
        result=bounds.yes_or_no,
        total=True,
        memo=True,
        held=True,
        python=Python("$a[$k] >= $b[$k]", Form.EVERY_KIND),
        c=C(form=CForm.BAG_INCLUDES),
    )
)
def bag_includes(a: Counts, b: Counts) -> bool:
    """Whether a holds at least what b holds of each kind."""
    return all(x >= y for x, y in zip(a, b, strict=True))


@intrinsic(Facts(result=Result.WEIGHTS, total=True, memo=True, c=C(form=CForm.BAG_WEIGHTS)))
def bag_weights(bag: Counts) -> Counts:
    """The counts of the kinds that the bag holds."""
    return tuple(x for x in bag if x > 0)


@intrinsic(Facts(result=Result.LATER, heavy=True, origin=Origin.FIRST, size=Size.BOTH, c=C(form=CForm.LATER)))
def legal_after(items: Items, chosen: Items) -> Items:
    """The items that stand after those chosen, in canonical order; of equal ones so many as are not chosen."""
    ordered = ascending(items)
    return ordered[behind(chosen, ordered) :]


def behind(chosen: Items, ordered: Sequence[Any]) -> int:
    """Where, in ascending items, those begin that stand after the ones chosen, which ascend too."""
    if not chosen:
        return 0
    try:
        return beyond(chosen, ordered)
    except TypeError:  # none beside others
        return beyond([*map(rank, chosen)], [*map(rank, ordered)])


def beyond(chosen: Sequence[Any], ordered: Sequence[Any]) -> int:
    """See `behind`, of values that can be compared."""
    last = chosen[-1]
    taken = len(chosen) - bisect_left(chosen, last)
    return min(bisect_left(ordered, last) + taken, bisect_right(ordered, last))


@intrinsic(Facts(result=Result.RETURNS, total=True, c=C(form=CForm.BY_RANK)))
def by_rank(groups: tuple[Items, ...], players: int) -> Items:
    """Returns of a ranking: 1 for the first group, -1 for the others, 0 for all if there is but one."""
    if len(groups) <= 1:
        return (0,) * players
    return tuple(1 if player in groups[0] else -1 for player in range(players))


@intrinsic(Facts(result=bounds.divided, c=C("parts_(S,$a,$b)")))
def parts_of(unit: int, by: int) -> int:
    """How many of the parts that make 1 are in 1 divided by a number."""
    if by < 1 or unit % by:
        raise DomainError(f"returns cannot be divided by {by} here")
    return unit // by


@intrinsic(Facts(result=Result.RETURNS, total=True, c=C(form=CForm.BY_SIDES)))
def by_sides(winners: Items, losers: Items, players: int) -> Items:
    """Returns of who has won and who has lost: 1 for the first, -1 for the others; 0 for who is in neither."""
    return tuple(-1 if player in losers else int(player in winners) for player in range(players))


@intrinsic(Facts(result=Result.RETURNS, total=True, c=C(form=CForm.BY_WINNERS)))
def by_winners(winners: Items, players: int) -> Items:
    """Returns of a set of winners: 1 for them and -1 for the others; 0 for all if nobody wins."""
    if not winners:
        return (0,) * players
    return tuple(1 if player in winners else -1 for player in range(players))


@intrinsic(Facts(result=Result.ROW_OR_NONE, total=True, python=Python("$a.get($b)", Form.TABLE), c=C(form=CForm.ROW)))
def row_or_none(rows: tuple[tuple[Any, Any], ...], key: Any) -> Any:
    """The row under a key, or None."""
    for row_key, value in rows:
        if row_key == key:
            return value
    return None


@intrinsic(Facts(instant=True, result=Result.FIRST, origin=Origin.OTHER_SHAPE, c=C(form=CForm.NARROWING)))
def narrow(member: int, holds: bool) -> int:
    """The member, which must be in the view; a fault otherwise."""
    if not holds:
        raise DomainError("this is not in the view that is wanted", "R003")
    return member


@intrinsic(
    Facts(instant=True, result=Result.WITHIN, grows=False, python=Python(form=Form.TEST), c=C(form=CForm.BOUNDING))
)
def in_range(number: int | None, low: int, high: int, wanted: str) -> int | None:
    """A number of low..high, or none where that is given; a fault otherwise, which says what was wanted."""
    if number is not None and not low <= number <= high:
        raise DomainError(f"{number} is outside {wanted}", "R004")
    return number


@intrinsic(Facts(result=Result.FIRST, grows=False, size=Size.FIRST, origin=Origin.FIRST, c=C(form=CForm.HOLDING)))
def each_in_range(numbers: Items, low: int, high: int, wanted: str) -> Items:
    """Numbers of low..high; a fault if one is not, which says what was wanted."""
    for number in numbers:
        if not low <= number <= high:
            raise DomainError(f"{number} is outside {wanted}", "R004")
    return numbers


@intrinsic(
    Facts(
        instant=True,
        result=Result.OCCURRENCES,
        total=True,
        python=Python("$a.count($b)", needs=Needs.ITEMS_FIRST),
        c=C(form=CForm.OCCURRENCES),
    )
)
def times_among(past: Items, now: Items) -> int:
    """How often a record is among those remembered.

    It counts as one look: C compares numbers, and Python the records up to where they differ.
    """
    return past.count(now)


@intrinsic(Facts(result=Result.PRESENT, total=True, tells=Tells.PRESENCE, c=C(form=CForm.PRESENT)))
def present(results: Items) -> Items:
    """The players that took part in sealed choices."""
    return tuple(player for player, answer in enumerate(results) if answer is not None)


@intrinsic(Facts(result=Result.SOME_LISTED, total=True, tells=Tells.PRESENCE, c=C(form=CForm.IN_ORDER)))
def in_order(players: Items, results: Items) -> Items:
    """The players that took part in sealed choices, in the order they were named."""
    return tuple(player for player in players if results[player] is not None)


@intrinsic(
    Facts(
        instant=True,
        result=bounds.yes_or_no,
        total=True,
        python=Python("$a.__class__ is tuple and $a[0] == $b"),
        c=C(form=CForm.ADDITION),
    )
)
def is_addition(answer: Any, rule: int) -> bool:
    """Whether the answer to a menu is the option that a rule added."""
    return isinstance(answer, tuple) and answer[0] == rule


@intrinsic(
    Facts(result=Result.BAG_PART, total=True, memo=True, held=True, origin=Origin.OTHER_SHAPE, c=C(form=CForm.BAG_ONLY))
)
def bag_only(bag: Counts, kinds: Items) -> Counts:
    """The part of a bag that is of these kinds."""
    return tuple(number if kind in kinds else 0 for kind, number in enumerate(bag))


@intrinsic(Facts(result=Result.BAG_OF_EACH, memo=True, held=True, c=C(form=CForm.BAG_ALL)))
def bag_all(kinds: Items, number: int, members: int) -> Counts:
    """So many of each of these kinds."""
    return tuple(number if kind in kinds else 0 for kind in range(members))


@intrinsic(
    Facts(
        result=Result.BAG_PART, total=True, memo=True, held=True, origin=Origin.OTHER_SHAPE, c=C(form=CForm.BAG_AFTER)
    )
)
def bag_after(bag: Counts, kind: int) -> Counts:
    """The part of a bag that stands after a kind in the order of the rows."""
    return tuple(0 if k <= kind else number for k, number in enumerate(bag))


@intrinsic(Facts(result=Result.NUMBERS, memo=True, held=True, c=C(form=CForm.BAG_AMOUNTS)))
def bag_amounts(chosen: Counts, bag: Counts, kind: int, low: int, high: int) -> Items:
    """How many of a kind can be added to what is chosen so that low..high can be reached with the kinds after it."""
    have, rest = sum(chosen), sum(bag_after(bag, kind))
    least, most = max(0, low - have - rest), min(bag[kind], high - have)
    bounded(most - least + 1)
    return tuple(range(least, most + 1))


AMOUNTS = 32  # a bag of so many kinds counts as one item where many bags are made


@intrinsic(Facts(result=Result.WAYS, heavy=True, memo=True, held=True, c=C(form=CForm.BAG_WAYS)))
def bag_ways(chosen: Counts, rest: Counts, low: int, high: int) -> tuple[Counts, ...]:
    """Every bag of low..high pieces that adds some of the rest to what is chosen; bounded."""
    ways: list[Counts] = [chosen]
    for kind, number in enumerate(rest):
        if number:
            bounded(len(ways) * (number + 1))
            bounded(len(ways) * (number + 1) * len(rest) // AMOUNTS)
            ways = [(*w[:kind], w[kind] + n, *w[kind + 1 :]) for w in ways for n in range(number + 1)]
    return tuple(w for w in ways if low <= sum(w) <= high)


@intrinsic(
    Facts(
        result=Result.SORTED,
        total=True,
        python=Python("tuple(sorted($a))", needs=Needs.SORTABLE),
        origin=Origin.FIRST,
        size=Size.FIRST,
        c=C(form=CForm.SORTED),
    )
)
def sort_items(items: Items) -> Items:
    """The items from the smallest to the largest."""
    return ascending(items)


@intrinsic(Facts(result=Result.INSTANCES, total=True, heavy=True, c=C(form=CForm.LASTING)))
def lasting_of(effects: Items, lasting: int) -> Items:
    """The arguments of each effect of one lasting rule that is going on."""
    return tuple([args for rule, args, _ in effects if rule == lasting])


@intrinsic(Facts(result=Result.FIRST, grows=False, origin=Origin.FIRST, size=Size.FIRST, c=C(form=CForm.SETTLING)))
def settled(known: Items, edge: Items) -> Items:
    """What a closure has come to, if its last round came to nothing new."""
    if edge:
        raise DomainError("a step of `closure` leads on after a hundred rounds", "R002")
    return known

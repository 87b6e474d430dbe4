"""What operators and core steps compute: bodies that only the checker names."""

from __future__ import annotations

from typing import Any

from rulespec.language.registry import intrinsic
from rulespec.library.errors import DomainError, bounded

Items = tuple[Any, ...]
Counts = tuple[int, ...]


@intrinsic
def add(a: int, b: int) -> int:
    """a + b."""
    return a + b


@intrinsic
def sub(a: int, b: int) -> int:
    """a - b."""
    return a - b


@intrinsic
def mul(a: int, b: int) -> int:
    """a * b."""
    return a * b


@intrinsic
def neg(a: int) -> int:
    """-a."""
    return -a


@intrinsic
def eq(a: Any, b: Any) -> bool:
    """Whether both are the same value."""
    return bool(a == b)


@intrinsic
def ne(a: Any, b: Any) -> bool:
    """Whether they differ."""
    return bool(a != b)


@intrinsic
def lt(a: int, b: int) -> bool:
    """a < b."""
    return a < b


@intrinsic
def le(a: int, b: int) -> bool:
    """a <= b."""
    return a <= b


@intrinsic
def not_(a: bool) -> bool:
    """The opposite."""
    return not a


@intrinsic
def is_none(a: Any) -> bool:
    """Whether there is nothing."""
    return a is None


@intrinsic
def contains(items: Items, item: Any) -> bool:
    """Whether the item is among the items."""
    return item in items


@intrinsic
def includes(items: Items, others: Items) -> bool:
    """Whether all of the others are among the items."""
    return all(other in items for other in others)


@intrinsic
def union(a: Items, b: Items) -> Items:
    """What is in a or b, as a set."""
    return tuple(sorted({*a, *b}))


@intrinsic
def minus(a: Items, b: Items) -> Items:
    """What is in a and not in b, in the order of a."""
    return tuple(x for x in a if x not in b)


@intrinsic
def concat(a: Items, b: Items) -> Items:
    """The items of a, then those of b."""
    bounded(len(a) + len(b))
    return a + b


@intrinsic
def interval(low: int, high: int) -> Items:
    """The numbers from low to high."""
    bounded(high - low + 1)
    return tuple(range(low, high + 1))


@intrinsic
def seats(players: int) -> Items:
    """All players."""
    return tuple(range(players))


@intrinsic
def get(items: Items, index: int) -> Any:
    """The item at an index that the compiler made."""
    return items[index]


@intrinsic
def pack(*items: Any) -> Items:
    """A record, or a list, of its parts."""
    return items


@intrinsic
def row(rows: tuple[tuple[Any, Any], ...], key: Any) -> Any:
    """The row of a table under a key; a fault if it has none."""
    for own, value in rows:
        if own == key:
            return value
    raise DomainError("the table has no row for this key")


@intrinsic
def bag_one(number: int, kind: int, members: int) -> Counts:
    """So many pieces of one kind, as a bag."""
    if number < 0:
        raise DomainError(f"a bag cannot hold {number} pieces")
    return tuple(number if k == kind else 0 for k in range(members))


@intrinsic
def bag_add(a: Counts, b: Counts) -> Counts:
    """Both bags together."""
    return tuple(x + y for x, y in zip(a, b, strict=True))


@intrinsic
def bag_sub(a: Counts, b: Counts) -> Counts:
    """What is left of a without b, at least nothing of each kind."""
    return tuple(max(0, x - y) for x, y in zip(a, b, strict=True))


@intrinsic
def bag_mul(a: Counts, n: int) -> Counts:
    """The bag n times."""
    if n < 0:
        raise DomainError(f"a bag cannot be taken {n} times")
    return tuple(x * n for x in a)


@intrinsic
def bag_includes(a: Counts, b: Counts) -> bool:
    """Whether a holds at least what b holds of each kind."""
    return all(x >= y for x, y in zip(a, b, strict=True))


@intrinsic
def bag_weights(bag: Counts) -> Counts:
    """The counts of the kinds that the bag holds."""
    return tuple(x for x in bag if x > 0)


@intrinsic
def legal_after(items: Items, chosen: Items) -> Items:
    """The items that stand after the last one chosen, in canonical order."""
    ordered = tuple(sorted(items))
    return tuple(x for x in ordered if x > chosen[-1]) if chosen else ordered


@intrinsic
def by_rank(groups: tuple[Items, ...], players: int) -> Items:
    """Returns of a ranking: 1 for the first group, -1 for the others, 0 for all if there is but one."""
    if len(groups) <= 1:
        return (0,) * players
    return tuple(1 if player in groups[0] else -1 for player in range(players))


@intrinsic
def by_winners(winners: Items, players: int) -> Items:
    """Returns of a set of winners: 1 for them and -1 for the others; 0 for all if nobody wins."""
    if not winners:
        return (0,) * players
    return tuple(1 if player in winners else -1 for player in range(players))


@intrinsic
def row_or_none(rows: tuple[tuple[Any, Any], ...], key: Any) -> Any:
    """The row under a key, or None."""
    for own, value in rows:
        if own == key:
            return value
    return None


@intrinsic
def narrow(member: int, holds: bool) -> int:
    """The member, which must be in the view; a fault otherwise."""
    if not holds:
        raise DomainError("this is not in the view that is wanted", "R003")
    return member


@intrinsic
def present(results: Items) -> Items:
    """The players that took part in sealed choices."""
    return tuple(player for player, answer in enumerate(results) if answer is not None)


@intrinsic
def in_order(players: Items, results: Items) -> Items:
    """The players that took part in sealed choices, in the order they were named."""
    return tuple(player for player in players if results[player] is not None)


@intrinsic
def is_addition(answer: Any, rule: int) -> bool:
    """Whether the answer to a menu is the option that a rule added."""
    return isinstance(answer, tuple) and answer[0] == rule


@intrinsic
def bag_only(bag: Counts, kinds: Items) -> Counts:
    """The part of a bag that is of these kinds."""
    return tuple(number if kind in kinds else 0 for kind, number in enumerate(bag))


@intrinsic
def bag_all(kinds: Items, number: int, members: int) -> Counts:
    """So many of each of these kinds."""
    return tuple(number if kind in kinds else 0 for kind in range(members))


@intrinsic
def bag_after(bag: Counts, kind: int) -> Counts:
    """The part of a bag that stands after a kind in the order of the rows."""
    return tuple(0 if own <= kind else number for own, number in enumerate(bag))


@intrinsic
def bag_amounts(chosen: Counts, bag: Counts, kind: int, low: int, high: int) -> Items:
    """How many of a kind can be added to what is chosen so that low..high can be reached with the kinds after it."""
    have, rest = sum(chosen), sum(bag_after(bag, kind))
    return tuple(n for n in range(bag[kind] + 1) if have + n <= high and have + n + rest >= low)


@intrinsic
def bag_ways(chosen: Counts, rest: Counts, low: int, high: int) -> tuple[Counts, ...]:
    """Every bag of low..high pieces that adds some of the rest to what is chosen; bounded."""
    ways: list[Counts] = [chosen]
    for kind, number in enumerate(rest):
        if number:
            ways = [(*w[:kind], w[kind] + n, *w[kind + 1 :]) for w in ways for n in range(number + 1)]
            bounded(len(ways))
    return tuple(w for w in ways if low <= sum(w) <= high)


@intrinsic
def sort_items(items: Items) -> Items:
    """The items from the smallest to the largest."""
    return tuple(sorted(items))


@intrinsic
def lasting_of(effects: Items, lasting: int) -> Items:
    """The arguments of each effect of one lasting rule that is going on."""
    return tuple([args for own, args, _ in effects if own == lasting])

"""Functions of the registry as Python expressions, what their results are, and which of them cannot fail.

A function that is not named here is called: its body is the same for every back end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from interpreter.python.facts import ANY, BOOL, INT, ITEMS, Fact, items, join

# Each argument stands once, in its order, so that it is worked out once and in its turn.
TEMPLATES: dict[str, str] = {
    "add": "$a + $b",
    "sub": "$a - $b",
    "mul": "$a * $b",
    "neg": "-$a",
    "eq": "$a == $b",
    "ne": "$a != $b",
    "lt": "$a < $b",
    "le": "$a <= $b",
    "not_": "not $a",
    "is_none": "$a is None",
    "get": "$a[$b]",
    "size": "len($a)",
    "count": "len($a)",
    "any_item": "len($a) > 0",
    "no_item": "not $a",
    "those": "$a",
    "each": "$a",
    "first": "$a[0]",
    "last": "$a[-1]",
    "top": "$a[-1]",
    "bottom": "$a[0]",
    "total": "sum($a)",
    "highest": "max($a)",
    "lowest": "min($a)",
    "least_number": "min($a, $b)",
    "greatest_number": "max($a, $b)",
    "absolute": "abs($a)",
    "divide": "$a // $b",
    "modulo": "$a % $b",
    "count_of": "$a.count($b)",
    "backwards": "$a[::-1]",
    "concat": "$a + $b",
    "to_set": "tuple(sorted(set($a)))",
    "sort_items": "tuple(sorted($a))",
    "union": "tuple(sorted({*$a, *$b}))",
    "left_of": "($a + 1) % $b",
    "right_of": "($a - 1) % $b",
    "next_member": "($a + 1) % $b",
    "previous_member": "($a - 1) % $b",
    "member_number": "$a + 1",
    "bag_size": "sum($a)",
}

# Those that never fail for values of these forms, apart from a result that is too large.
PLAIN = frozenset({"eq", "ne", "not_", "is_none", "pack", "seats"})  # any values
OF_ITEMS = frozenset({"each", "those", "size", "count", "any_item", "no_item", "contains", "backwards", "count_of"})
OF_TWO = frozenset({"minus", "concat", "includes"})
SORTING = frozenset({"to_set", "sort_items", "union"})
COMPARING = frozenset({"lt", "le"})
ADDING = frozenset({"add", "sub", "mul", "neg", "member_number"})

Result = Callable[..., Fact]


def _added(a: Fact, b: Fact) -> Fact:
    return _numbers(a, b, lambda x, y: x + y, lambda x, y: x + y)


def _subtracted(a: Fact, b: Fact) -> Fact:
    if not (a.bounded and b.bounded):
        return INT
    return Fact("int", a.low - b.high, a.high - b.low)  # type: ignore[operator]


def _numbers(a: Fact, b: Fact, low: Callable[[int, int], int], high: Callable[[int, int], int]) -> Fact:
    if not (a.bounded and b.bounded):
        return INT
    return Fact("int", low(a.low, b.low), high(a.high, b.high))  # type: ignore[arg-type]


def _multiplied(a: Fact, b: Fact) -> Fact:
    if not (a.bounded and b.bounded):
        return INT
    ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]  # type: ignore[operator]
    return Fact("int", min(ends), max(ends))


def _item(a: Fact) -> Fact:
    return a.item if a.what == "items" and a.item is not None else ANY


def _any_int(a: Fact) -> Fact:
    item = _item(a)
    return replace(item, none=False) if item.what == "int" else INT


def _count(a: Fact, *_: Fact) -> Fact:
    return Fact("int", 0, a.size if a.what == "items" and a.size is not None else 1 << 40)


def _total(a: Fact) -> Fact:
    item = _item(a)
    if a.size is None or not item.bounded:
        return INT
    return Fact("int", min(0, a.size * item.low), max(0, a.size * item.high))  # type: ignore[operator]


def _same(a: Fact, *_: Fact) -> Fact:
    return replace(a, none=False, parts=None) if a.what == "items" else ITEMS


def _unordered(a: Fact, *_: Fact) -> Fact:
    return replace(_same(a), ordered=False)


def _set(a: Fact) -> Fact:
    return replace(_same(a), ordered=True)


def _union(a: Fact, b: Fact) -> Fact:
    size = None if a.size is None or b.size is None else a.size + b.size
    item = _joined(a, b)
    if item is not None and item.within(0, 5000) and item.high is not None:
        size = item.high + 1 if size is None else min(size, item.high + 1)
    return items(item, size, True)


def _joined(a: Fact, b: Fact) -> Fact | None:
    if a.what != "items" or b.what != "items":
        return None
    if a.size == 0:
        return b.item
    if b.size == 0:
        return a.item
    return None if a.item is None or b.item is None else join(a.item, b.item)


def _concat(a: Fact, b: Fact) -> Fact:
    return items(_joined(a, b), None if a.size is None or b.size is None else a.size + b.size)


def _interval(a: Fact, b: Fact) -> Fact:
    if not (a.bounded and b.bounded):
        return items(INT, None, True)
    return items(Fact("int", a.low, b.high), max(0, b.high - a.low + 1), True)  # type: ignore[operator]


def _seats(n: Fact) -> Fact:
    return items(Fact("int", 0, n.high - 1), n.high, True) if n.bounded and n.high is not None else ITEMS


def _seats_from(_: Fact, n: Fact) -> Fact:
    return replace(_seats(n), ordered=False)


def _modulo(_: Fact, n: Fact) -> Fact:
    return Fact("int", 0, n.high - 1) if n.within(1, 1 << 62) and n.high is not None else INT


def _extreme(*facts: Fact) -> Fact:
    return join(*(replace(f, none=False) for f in facts)) if all(f.what == "int" for f in facts) else INT


def _bag(members: Fact) -> Fact:
    return items(Fact("int", 0, None), members.high)


def _bags(a: Fact, b: Fact) -> Fact:
    return items(Fact("int", 0, None), a.size if a.size is not None else b.size)


def _most(a: Fact) -> Fact:
    item = _item(a)
    return items(item.parts[0] if item.parts else None, a.size if a.what == "items" else None)


RESULTS: dict[str, Result] = {
    **dict.fromkeys(
        ("eq", "ne", "lt", "le", "not_", "is_none", "contains", "includes", "any_item", "no_item"), lambda *_: BOOL
    ),
    **dict.fromkeys(("bag_includes", "is_addition", "payable"), lambda *_: BOOL),
    **dict.fromkeys(("bag_size", "bag_count"), lambda *_: Fact("int", 0, None)),
    **dict.fromkeys(("by_winners", "by_rank"), lambda a, n: items(Fact("int", -1, 1), n.high)),
    **dict.fromkeys(("first", "last", "top", "bottom", "only_one"), _item),
    **dict.fromkeys(("count", "size", "count_of", "position"), _count),
    **dict.fromkeys(("left_of", "right_of", "next_member", "previous_member"), _modulo),
    **dict.fromkeys(("least_number", "greatest_number"), _extreme),
    **dict.fromkeys(("those", "minus"), _same),
    **dict.fromkeys(("each", "backwards"), _unordered),
    **dict.fromkeys(("to_set", "sort_items"), _set),
    "add": _added,
    "sub": _subtracted,
    "mul": _multiplied,
    "neg": lambda a: Fact("int", -a.high, -a.low) if a.bounded else INT,
    "total": _total,
    "highest": _any_int,
    "lowest": _any_int,
    "item_at": lambda a, b: _item(a),
    "top_of": lambda a, b: _unordered(a),
    "first_of": lambda a, b: _unordered(a),
    "union": _union,
    "concat": _concat,
    "interval": _interval,
    "seats": _seats,
    "seats_from": _seats_from,
    "rival": lambda *_: Fact("int", 0, 1),
    "member_number": lambda a: Fact("int", a.low + 1, a.high + 1) if a.bounded else INT,
    "legal_after": lambda a, b: _set(a),
    "narrow": lambda a, b: a,
    "get": lambda a, b: (
        a.parts[b.low] if a.parts and b.low == b.high and b.low is not None and 0 <= b.low < len(a.parts) else _item(a)
    ),
    "pack": lambda *parts: Fact("items", size=len(parts), item=join(*parts) if parts else None, parts=parts),
    "row": lambda a, b: _row(a),
    "row_or_none": lambda a, b: replace(_row(a), none=True),
    "most": _most,
    "least": _most,
    "sorted_by": _most,
    "points": lambda a, b: Fact("int", min(0, a.low), max(0, a.high)) if a.bounded else INT,
    "lasting_of": lambda a, b: items(None, None),
    "bag_one": lambda a, b, n: _bag(n),
    "bag_add": _bags,
    "bag_sub": _bags,
    "bag_amounts": lambda *_: items(INT, None, True),
    "in_order": lambda a, b: _unordered(a),
    "bag_any": lambda a: Fact("int", 0, a.size - 1) if a.size else Fact("int", 0, 1 << 40),
    "link_between": lambda a, b, links, ends: _item(links),
    "bag_kinds": lambda a: items(Fact("int", 0, a.size - 1), a.size, True) if a.size else ITEMS,
    "bag_weights": lambda a: items(Fact("int", 1, None), a.size),
    "bag_only": lambda a, b: _unordered(a),
    "bag_after": lambda a, b: _unordered(a),
    "bag_mul": lambda a, b: _unordered(a),
    "present": lambda a: items(Fact("int", 0, (a.size or 64) - 1), a.size, True),
}


def _row(a: Fact) -> Fact:
    """The values of a table that is a constant: pairs (key, value)."""
    item = a.item if a.what == "items" else None
    return item.parts[1] if item is not None and item.parts is not None and len(item.parts) == 2 else ANY


def result(op: str, facts: list[Fact]) -> Fact:
    """What an operation of such values gives."""
    found = RESULTS.get(op)
    return ANY if found is None else found(*facts)


def cannot_fail(op: str, facts: list[Fact]) -> bool:
    """Whether it always has a result for such values, if that is not too large."""
    if op in PLAIN:
        return True
    if op in OF_ITEMS:
        return is_items(facts[0])
    if op in OF_TWO:
        return all(map(is_items, facts))
    if op in SORTING:
        return all(is_items(f) and f.item is not None and f.item.what == "int" and not f.item.none for f in facts)
    if op in COMPARING:
        return all(f.what == "int" and not f.none for f in facts)
    if op in ADDING:
        return all(f.bounded for f in facts)
    return op == "get" and bool(facts[0].parts) and is_items(facts[0])


def is_items(fact: Fact) -> bool:
    """Whether it is a collection and never None."""
    return fact.what == "items" and not fact.none

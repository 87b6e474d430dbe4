"""Which slots all see, and which expressions look at others: of a small table of secrets, slot by slot and question by question."""

from __future__ import annotations

from dataclasses import replace

import pytest

from interpreter.runtime.closed import Closed, open_slots
from rulespec import ir
from tests.helpers.programs import ALL, NONE, OWNER, Build, c, finish, op, set_, x

SEATS = 3
OPEN = {"winners", "returns", "lasting", "batch", "coin.at", "row", "purse", "score", "scope", "last"}
# Of other slots all see how many items there are, or the top one.
COUNTED = {"deck", "hand", "flat"}
TOPPED = {"deck", "heap"}


def laid_out() -> Build:
    """Cards that may lie hidden, coins that never do, and what there is for each of some."""
    b = Build(SEATS)
    card, coin = b.pieces("card", tuple("abcd")), b.pieces("coin", ("x", "y"))
    b.zone("row", card, (0,), "pile", ALL)
    b.zone("deck", card, (0,), "pile", NONE, ALL, ALL)
    b.zone("hand", card, (0,), "set", OWNER, ALL)
    b.zone("flat", card, (0,), "set", NONE, ALL, ALL)
    b.zone("heap", card, (0,), "pile", NONE, NONE, ALL)
    b.zone("box", card, (), "pile", NONE, OWNER, OWNER)
    b.zone("purse", coin, (0,), "set", ALL)
    b.zone("under", coin, (card,), "set", ALL)
    b.variable("score", *[0] * SEATS, per=(0,))
    b.variable("own", *[0] * SEATS, per=(0,), seen=OWNER)
    b.variable("mark", *[0] * 4, per=(card,))
    b.variable("linked", *[0] * 12, per=(0, card))
    b.variable("list", *[()] * 2, per=(coin,), printer=ir.types.list_of(ir.types.entity(card)))
    b.slot("scope", 0)
    b.slot("last", 0)
    return b


def at(b: Build, name: str) -> range:
    """The slots of a name."""
    slots = [n for n, own in enumerate(b.names) if own.rstrip("0123456789") == name]
    assert slots and slots == [*range(slots[0], slots[-1] + 1)], name
    return range(slots[0], slots[-1] + 1)


def test_which_slots_all_see() -> None:
    b = laid_out()
    names = {name.rstrip("0123456789") for name in b.names}
    assert names >= OPEN | COUNTED | TOPPED
    b.procedure("main", 0, finish(*range(SEATS)))
    closed = Closed(b.program())
    for name in names:
        slots = {*at(b, name)}
        for found, wanted in ((closed.open, OPEN), (closed.counted, OPEN | COUNTED), (closed.topped, OPEN | TOPPED)):
            assert slots & found == (slots if name in wanted else set()), name


def test_where_nothing_is_hidden_all_see_all() -> None:
    """But for what nobody is shown as such; a variable that one seat sees is not for all, whatever lies hidden."""
    b = laid_out()
    b.zones = [replace(zone, seen=ALL) for zone in b.zones]
    b.procedure("main", 0, finish(*range(SEATS)))
    assert {*range(len(b.slots))} - open_slots(b.program()) == {ir.CONTROL, ir.RANDOM, ir.KNOWN, *at(b, "own")}


def load(b: Build, name: str, index: ir.Expr | None = None, size: int | None = None) -> ir.Load:
    """What stands in the slots of a name."""
    slots = at(b, name)
    return ir.Load(slots.start, index, len(slots) if size is None else size)


@pytest.mark.parametrize("inside", ["expression", "function", "called function", "procedure", "list of parts"])
def test_what_looks_at_more_than_all_see(inside: str) -> None:
    b = laid_out()
    one, secret = load(b, "row", x(0)), load(b, "hand", x(0))
    rows: list[tuple[ir.Expr, bool]] = [
        (c(1), False),
        (one, False),
        (secret, True),
        *[
            (load(b, name, x(0)), name not in OPEN)
            for name in ("box", "under", "own", "mark", "score", "purse", "deck")
        ],
        (op("size", secret), False),
        (op("size", load(b, "heap", x(0))), True),
        (op("size", load(b, "hand", secret)), True),
        (op("size", load(b, "hand", one)), False),
        (op("size", load(b, "hand", x(0), 3 * SEATS)), True),  # the slots behind are of others
        (op("any_item", load(b, "flat", x(0))), False),
        (op("top", load(b, "deck", x(0))), False),
        (op("top", load(b, "heap", x(0))), False),
        (op("top", load(b, "flat", x(0))), True),
        (op("top", secret), True),
        (op("first", load(b, "deck", x(0))), True),
        (op("add", c(1), op("size", secret)), False),
        (op("add", c(1), op("highest", secret)), True),
        (ir.Cond(c(True), one, c(2)), False),
        (ir.Cond(c(True), one, secret), True),
        (ir.Cond(op("lt", secret, c(1)), c(1), c(2)), True),
    ]
    main = b.procedure("main", 0, finish(*range(SEATS)))
    for number, (e, wanted) in enumerate(rows):
        function = b.function(f"f{number}", 1, e)
        caller = b.function(f"g{number}", 1, ir.Cond(c(True), ir.Invoke(function, (x(0),)), c(1)))
        step = b.procedure(f"step{number}", 1, ir.Let(1, e), ir.Return(None))
        closed = Closed(b.program(main))
        found = {
            "expression": lambda e=e, of=closed: of.reads(e),
            "function": lambda n=function, of=closed: of.function(n),
            "called function": lambda n=caller, of=closed: of.function(n),
            "procedure": lambda n=step, of=closed: of.reads(ir.After(n, (c(0),), c(1))),
            "list of parts": lambda e=e, of=closed: of.reads((c(1), e, c(2))),
        }[inside]()
        assert found == wanted, (number, e)


def test_what_looks_ahead() -> None:
    """A procedure that changes what not all see depends on it, by moving pieces that may come from anywhere, too."""
    b = laid_out()
    main = b.procedure("main", 0, finish(*range(SEATS)))
    number = {zone.name: n for n, zone in enumerate(b.zones)}
    scored = b.procedure("scored", 0, set_(at(b, "score").start, c(1)), ir.Return(None))
    told = b.procedure("told", 0, ir.Call(scored, (), 1), ir.Return(None))
    moved = b.procedure("moved", 0, ir.Move(c((0,)), number["row"], c(0)), ir.Return(None))
    coined = b.procedure("coined", 0, ir.Call(moved, (), 1), ir.Return(None))
    paid = b.procedure("paid", 0, ir.Move(c((0,)), number["purse"], c(0)), ir.Return(None))
    closed = Closed(b.program(main))
    assert [closed.procedure(n) for n in (scored, told, moved, coined)] == [False, False, True, True]
    assert closed.procedure(paid), "a coin may come from under a card"
    assert not closed.function(None)


def test_what_calls_itself_looks_at_more_than_all_see_as_far_as_is_known() -> None:
    b = laid_out()
    main = b.procedure("main", 0, finish(*range(SEATS)))
    again = b.function("again", 1, ir.Cond(op("lt", x(0), c(3)), ir.Invoke(0, (op("add", x(0), c(1)),)), c(1)))
    assert again == 0 and Closed(b.program(main)).function(again)

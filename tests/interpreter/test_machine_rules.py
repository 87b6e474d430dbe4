"""Windows, lasting rules, menus and questions of the machine, on programs built by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from interpreter import Fault, IllegalAction, UnknownAction
from rulespec import ir
from rulespec.text.source import Source, Span
from tests.helpers.programs import INT, Build, c, finish, op, run, set_, simple, text, x


def test_lasting_rules_begin_and_cease() -> None:
    _, state = simple(
        ir.Begin(0, (c(1),), 5),
        ir.Begin(1, (c(2),), None),
        ir.Begin(0, (c(3),), 5),
        ir.Begin(0, (c(4),), 6),
        ir.Cease(None, 5, None, 0),
        set_(7, x(0)),
        ir.Cease(0, None, (c(4),), 0),
        set_(8, x(0)),
        ir.Cease(2, None, None, 0),
        set_(9, x(0)),
    )
    assert state.slots[7:10] == [(1,), (4,), None]
    assert state.slots[ir.LASTING] == ((1, (2,), None), (0, (3,), 5))


def window(order: Any = None) -> Build:
    """Rules of pieces, of a lasting effect and of nobody; each adds a digit to slot 8."""
    b = Build()
    b.slot("v", 0, 0)
    b.slot("limits", 0, 0, 0)
    card = b.pieces("Card", ("a", "b", "c"))
    b.put(card, b.zone("field", card))
    note = b.procedure(
        "note",
        1,
        set_(8, op("add", op("mul", ir.Load(8), c(10)), op("add", x(0), c(1)))),
        ir.Return(op("lt", x(0), c(5))),
    )
    nobody = b.procedure("nobody", 0, set_(8, op("add", op("mul", ir.Load(8), c(10)), c(9))), ir.Return(c(True)))
    alive = b.function("alive", 1, op("lt", x(0), c(2)))
    owner = b.function("owner", 1, op("mod", x(0), c(2)))
    mine = b.function("mine", 1, c(0))
    b.rules = [
        ir.Rule(0, "late", "pieces", (0, 1, 2), None, alive, None, owner, note, 1, 1, 9, card),
        ir.Rule(1, "free", "plain", (), None, None, None, None, nobody, 0),
        ir.Rule(2, "lasts", "lasting", (), 0, None, None, mine, note, 0),
    ]
    b.procedure(
        "main",
        0,
        ir.Begin(0, (c(4),), None),
        ir.Begin(0, (c(3),), None),
        ir.Let(0, c((0, 1))),
        ir.Let(1, c(0)),
        "twice",
        ir.Next(0, "end"),
        ir.Collect((2, 0, 1), (), order, 3),
        "next",
        ir.NextRule(3, (), "twice", None),
        ir.CallRule((), 5),
        ir.Jump("next"),
        "end",
        finish(0, 0),
    )
    return b


def test_a_window_is_sorted_by_order_rank_and_file_and_keeps_limits() -> None:
    state = run(window(order=c((1, 0))))
    # of nobody, then player 1 (late b), then player 0: lasting 4 and 3, then late a; once more
    # without the late ones, whose limit is used up
    assert state.slots[8] == 9_2_5_4_1_9_5_4
    assert state.slots[9:12] == [1, 1, 0]
    state = run(window())
    assert state.slots[8] == 9_5_4_1_2_9_5_4


def test_a_player_arranges_what_ties() -> None:
    b = Build()
    b.slot("v", 0)
    note = b.procedure("note", 1, set_(7, op("add", op("mul", ir.Load(7), c(10)), x(0))), ir.Return(c(True)))
    mine = b.function("mine", 1, c(1))
    passes = b.function("passes", 1, op("not_", op("eq", x(0), ir.Load(7))))
    card = b.pieces("Card", ("a", "b", "c", "d"))
    b.put(card, b.zone("field", card))
    b.rules = [
        ir.Rule(0, "react", "pieces", (1, 2, 3), None, None, passes, mine, note, 0, kind=card),
    ]
    site = b.site("order", c(()), c(0), type=INT)
    b.procedure(
        "main",
        0,
        ir.Collect((0,), (), c((0, 1)), 0),
        "next",
        ir.NextRule(0, (), "end", site),
        ir.CallRule((), 2),
        ir.Jump("next"),
        "end",
        finish(0, 0),
    )
    state = run(b)
    assert state.current_player() == 1
    assert [o.name for o in state.decision().options] == ["react.b", "react.c", "react.d"]
    assert state.decision().options[0].text == "react (B)"
    state.apply_action(state.string_to_action("react.c"))
    assert state.slots[7] == 2 and state.legal_actions() == [0, 1]
    assert state.action_to_string(1) == "react.d"
    again = b.game().state_from_json(state.to_json())
    assert again == state
    again.apply_action(1)
    assert again.is_terminal() and again.slots[7] == 2_3_1


def test_a_declined_rule_does_not_use_its_limit() -> None:
    b = Build()
    b.slot("v", 0, 0)
    site = b.site("may", c((0, 1)))
    rule = b.procedure("rule", 0, ir.Ask(site, 0), ir.Return(op("eq", x(0), c(1))))
    b.rules = [ir.Rule(0, "rule", "plain", (), None, None, None, None, rule, 0, 1, 7)]
    b.procedure(
        "main",
        0,
        ir.Let(0, c((0, 1, 2))),
        ir.Let(1, c(0)),
        "again",
        ir.Next(0, "end"),
        ir.Let(3, c((0, ()))),
        ir.CallRule((), 4),
        ir.Unless(x(4), "again"),
        set_(8, op("add", ir.Load(8), c(1))),
        ir.Jump("again"),
        "end",
        ir.Reset(7, 8),
        finish(0, 0),
    )
    state = run(b)
    for answer, used in ((0, 1), (1, 1)):
        assert state.slots[7] == used  # it counts while it runs
        state.apply_action(answer)
    assert state.is_terminal() and state.slots[7:9] == [0, 1]


def menu() -> tuple[Build, ir.Branch]:
    """A question with two options of its own, and two rules that add to it; and the option of the first of them."""
    b = Build()
    b.slot("v", None)
    card = b.pieces("Card", ("bats", "wolf"))
    b.put(card, b.zone("field", card))
    shown = ir.types.entity(card)
    fly = ir.Branch(
        "fly",
        text("Fly with ", (x(0), shown), " at ", (x(1), INT)),
        (ir.Reason(op("eq", x(0), c(0)), text((x(0), shown), " has no wings")),),
    )
    skip = b.procedure("none", 0, ir.Return(c(True)))
    b.rules = [
        ir.Rule(0, "fly", "pieces", (0, 1), None, None, None, None, skip, 0, kind=card, option=fly),
        ir.Rule(
            1,
            "rest",
            "plain",
            (),
            None,
            None,
            None,
            None,
            skip,
            0,
            option=ir.Branch("rest", text("Rest at ", (x(0), INT))),
        ),
    ]
    site = b.site(
        "act",
        c((0, 1, (0, 0), (0, 1), (1, None))),
        type=INT,
        code="index",
        branches=(
            ir.Branch("walk", text("Walk")),
            ir.Branch("run", text("Run"), (ir.Reason(c(False), text("too tired")),)),
        ),
        arguments=(c(6),),
        none=ir.NoneOption("stay", text("Stay")),
    )
    b.procedure("main", 0, ir.Ask(site, 0), set_(7, x(0)), finish(0, 0))
    return b, fly


def test_a_menu_has_branches_and_what_rules_add() -> None:
    b, _ = menu()
    state = run(b)
    options = state.decision().options
    assert [(o.name, o.text, o.why) for o in options] == [
        ("walk", "Walk", None),
        ("run", "Run", "too tired"),
        ("fly.bats", "Fly with Bats at 6", None),
        ("fly.wolf", "Fly with Wolf at 6", "Wolf has no wings"),
        ("rest", "Rest at 6", None),
        ("stay", "Stay", None),
    ]
    assert state.legal_actions() == [0, 2, 4, 5]
    for action, value in ((0, 0), (2, (0, 0)), (4, (1, None)), (5, None)):
        assert state.child(action).slots[7] == value
    with pytest.raises(IllegalAction, match="not allowed: Wolf has no wings") as e:
        state.string_to_action("fly.wolf")
    assert e.value.diagnostic.code == "P002"
    with pytest.raises(IllegalAction, match="too tired"):
        state.apply_action(1)
    with pytest.raises(UnknownAction, match="did you mean"):
        state.string_to_action("fly.bat")
    assert state.string_to_action("fly with bats AT 6") == 2
    with pytest.raises(UnknownAction):
        state.apply_action(6)
    with pytest.raises(IllegalAction) as e:
        state.apply_action(0, 1)
    assert e.value.diagnostic.code == "P003"
    state.apply_action(0)
    with pytest.raises(IllegalAction) as e:
        state.apply_action(0)
    assert e.value.diagnostic.code == "P004"


def test_a_menu_of_what_rules_add_alone() -> None:
    b, fly = menu()
    bare = b.site("all", c(((0, 0), (0, 1), (1, None))), code="index")  # nothing of its own
    b.rules[1] = replace(b.rules[1], option=ir.Branch("rest", text("Rest")))
    b.rules[0] = replace(b.rules[0], option=replace(fly, text=text("Fly")))
    b.procedure("main", 0, ir.Ask(bare, 0), set_(7, x(0)), finish(0, 0))
    state = run(b)
    assert state.legal_actions() == [0, 2] and state.action_to_string(2) == "rest"


def test_nothing_to_choose_is_a_fault_at_the_question() -> None:
    span = Span(Source("toy.yaml", "choose: it"), 0, 6)
    b = Build()
    first = b.site("first", c((1, 2)))
    never = b.site("never", c((1, 2)), reasons=(ir.Reason(c(False), text("no")),))
    b.procedure("main", 0, ir.Ask(first, 0), ir.Ask(never, 0, span), finish(0, 0))
    state = run(b)
    with pytest.raises(Fault) as caught:
        state.apply_action(1)
    assert caught.value.diagnostic.code == "R008" and caught.value.diagnostic.span == span
    assert "p1 has nothing to choose for `never`" in str(caught.value)
    assert caught.value.diagnostic.help == ("`1` is refused: no", "`2` is refused: no")
    assert state.legal_actions() == [1, 2]

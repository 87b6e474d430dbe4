"""The machine's instructions, on programs built by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from interpreter import CHANCE, TERMINAL, Fault, Game, State, UnknownAction
from interpreter.reference.expressions import nobody_runs
from interpreter.reference.machine import Machine
from interpreter.runtime.faults import ASTRAY, REPORT, Problem
from rulespec import ir
from rulespec.text.source import Source, Span
from tests.helpers.places import ROOT
from tests.helpers.programs import INT, PLAYER, Build, c, cards, finish, nested, op, run, set_, simple, text, x


def expression(e: ir.Expr, functions: tuple[tuple[int, ir.Expr], ...] = ()) -> Any:
    b = Build()
    for parameters, body in functions:
        b.function("f", parameters, body)
    b.slot("v", 10, 11, 12)
    b.slot("out", None)
    b.procedure("main", 0, set_(10, e), finish(0, 0))
    return run(b).slots[10]


FOLD = ir.Fold(0, c(0), 1, c((1, 2, 3)), op("add", x(0), x(1)))


@pytest.mark.parametrize(
    "e, value",
    [
        (c(5), 5),
        (ir.Load(7), 10),
        (ir.Load(7, c(2), 3), 12),
        (ir.Column((4, 5), c(1)), 5),
        (ir.Cond(c(True), c(1), c(2)), 1),
        (ir.Cond(c(False), c(1), c(2)), 2),
        (ir.Bind(0, c(3), op("add", x(0), x(0))), 6),
        (ir.Comp(0, c((1, 2, 3))), (1, 2, 3)),
        (ir.Comp(0, c((1, 2, 3)), op("lt", x(0), c(3))), (1, 2)),
        (ir.Comp(0, c((1, 2)), None, op("add", x(0), c(1))), (2, 3)),
        (ir.Comp(0, c((1, 2)), None, None, op("mod", x(0), c(2))), ((1, 1), (2, 0))),
        (FOLD, 6),
        (ir.Invoke(0, (c(4),)), 8),
        (ir.Known(c(1), "it"), 1),
        (op("pack", c(1), c(2), c(3), c(4)), (1, 2, 3, 4)),
        (op("pack"), ()),
        (ir.Comp(0, c((1, 2, 3)), None, op("eq", op("add", x(0), x(0)), op("add", x(0), c(2)))), (False, True, False)),
        (ir.Comp(0, c((1, 2, 3)), op("lt", x(0), c(3)), op("add", x(0), c(1))), (2, 3)),
    ],
)
def test_expressions(e: ir.Expr, value: Any) -> None:
    assert expression(e, ((1, op("add", x(0), x(0))),)) == value


def test_a_whole_set_can_be_completed_or_not() -> None:
    sum_is_7 = op("eq", op("sum", x(0)), c(7))

    def can(chosen: tuple[int, ...], low: int, high: int, whole: ir.Expr | None) -> Any:
        return expression(ir.Completable(c(chosen), c((1, 2, 3, 5)), c(low), c(high), 0, whole))

    assert can((), 2, 2, sum_is_7)
    assert can((2,), 2, 2, sum_is_7)
    assert not can((3,), 2, 2, sum_is_7)  # only what stands after 3 may be added
    assert not can((), 1, 1, sum_is_7)
    assert can((1,), 0, 9, None)
    assert not can((5,), 2, 9, None)
    assert not can((1, 2), 0, 1, None)


@pytest.mark.parametrize(
    "e, code",
    [
        (ir.Load(7, c(3), 3), "R003"),
        (ir.Load(7, c(-1), 3), "R003"),
        (ir.Column((4, 5), c(2)), "R003"),
        (ir.Known(c(None), "the leader"), "R010"),
        (op("mul", c(2**62), c(4)), "R007"),
        (op("mod", c(1), c(0)), "R020"),
        (op("add", c(1), c(None)), "R020"),
        (
            ir.Fold(
                0, c(0), 1, ir.Column((tuple(range(90_000)),), c(0)),
                ir.Bind(2, ir.Comp(3, c(tuple(range(1000)))), x(0)),
            ),
            "R014",
        ),
    ],
)  # fmt: skip
def test_expressions_without_a_value_are_faults(e: ir.Expr, code: str) -> None:
    with pytest.raises(Fault) as caught:
        expression(e)
    assert caught.value.diagnostic.code == code


def test_faults_of_ours_are_told_as_such() -> None:
    """In words for a player, with what to do; what it is in the words of the machine is their cause."""
    b = Build()
    b.procedure("inner", 0, ir.Ask(b.site("it", c((1, 2)), c(0)), 0), ir.Return())
    b.procedure("main", 0, ir.Call(0, (), 0), finish(0, 0))
    machine = b.game().machine
    assert isinstance(machine, Machine)
    calls = [n for n in range(len(machine.program.points)) if machine.program.site_of(n) is None]
    for astray in (lambda: nobody_runs([], 0, []), lambda: machine.site(calls[0])):
        with pytest.raises(Problem) as caught:
            astray()
        assert (caught.value.code, str(caught.value), caught.value.help) == ("R020", ASTRAY, (REPORT,))
        assert caught.value.__cause__ is not None
    files = [file for file in (ROOT / "interpreter").rglob("*.py") if '"R020"' in file.read_text(encoding="utf-8")]
    assert [file.name for file in files] == ["faults.py"]


def test_store_holds_its_range() -> None:
    _, state = simple(
        ir.Store(7, None, 1, c(9), 0, 6, True, "level"),
        ir.Store(8, None, 1, c(-1), 0, 6, True, "level"),
        ir.Store(7, c(2), 3, c(4), 0, 6, False, "level"),
    )
    assert state.slots[7:10] == [6, 0, 4]
    for value, index in ((7, 0), (-1, 0), (1, 3), (1, -1)):
        with pytest.raises(Fault) as caught:
            simple(ir.Store(7, c(index), 3, c(value), 0, 6, False, "level"))
        assert caught.value.diagnostic.code == ("R003" if index else "R004")
        assert "level" in caught.value.diagnostic.message


def test_calls_give_results_and_loops_go_on() -> None:
    b = Build()
    b.slot("v", 0)
    double = b.procedure("double", 1, ir.Return(op("add", x(0), x(0))))
    nothing = b.procedure("nothing", 0, ir.Return())
    b.procedure(
        "main",
        0,
        ir.Let(0, c((1, 2, 3))),
        ir.Let(1, c(0)),
        "again",
        ir.Next(0, "end"),
        ir.Call(double, (x(2),), 3),
        set_(7, op("add", ir.Load(7), x(3))),
        ir.Call(nothing, (), 4),
        ir.Unless(op("is_none", x(4)), "end"),
        ir.Jump("again"),
        "end",
        finish(3, 4),
    )
    state = run(b)
    assert state.slots[7] == 12
    assert state.is_terminal() and state.returns() == [3, 4]
    assert state.current_player() == TERMINAL and state.legal_actions() == []


def test_endless_loops_and_endless_calls_are_faults() -> None:
    for body, code in (("loop", "R005"), ("call", "R006")):
        b = Build()
        if body == "loop":
            b.procedure("main", 0, "a", ir.Jump("a"))
        else:
            b.procedure("main", 0, ir.Call(0, (), 0), ir.Return())
        with pytest.raises(Fault) as caught:
            run(b)
        assert caught.value.diagnostic.code == code


def test_calls_that_wait_deeper_and_deeper_are_a_fault() -> None:
    b = Build()
    site = b.site("go", c((0,)))
    b.procedure("main", 0, ir.Ask(site, 0), ir.Call(0, (), 0), ir.Return())
    state = run(b)
    with pytest.raises(Fault) as caught:
        for _ in range(600):
            state.apply_action(0)
    assert caught.value.diagnostic.code == "R006"
    assert caught.value.answers > 400
    state.clone().legal_actions()


def test_a_fault_has_place_stack_seed_and_leaves_the_position() -> None:
    source = Source("toy.yaml", "one\ntwo\nthree\n")
    span = Span(source, 4, 7)
    b = Build()
    b.slot("v", 0)
    site = b.site("go", c((0, 1)))
    inner = b.procedure("inner", 1, ir.Claim(op("eq", x(0), c(0)), text("not ", (x(0), INT)), span), ir.Return())
    b.procedure(
        "main",
        0,
        ir.Ask(site, 0),
        set_(7, c(5)),
        ir.Call(inner, (x(0),), 1, Span(source, 8, 13)),
        finish(0, 0),
    )
    state = run(b)
    before = list(state.slots)
    with pytest.raises(Fault) as caught:
        state.apply_action(1)
    fault = caught.value
    assert fault.diagnostic.code == "R011" and fault.diagnostic.message == "not 1"
    assert fault.diagnostic.span == span
    assert [caller.name for caller in fault.stack] == ["inner", "main"]
    assert " in inner < main (seed " in str(fault)
    assert fault.diagnostic.related[0][0].line == 3
    assert (fault.seed, fault.answers) == (1, 0)
    assert "toy.yaml:2:1" in str(fault) and "seed 1" in str(fault)
    assert state.slots == before and state.legal_actions() == [0, 1]
    state.apply_action(0)
    assert state.is_terminal()


def test_pieces_and_counts_are_moved() -> None:
    b = Build()
    card = b.pieces("Card", ("a", "b", "c"))
    left = b.zone("left", card)
    pile = b.zone("pile", card, order="pile")
    hand = b.zone("hand", card, (0,))
    b.put(card, left)
    gem = len(b.kinds)
    b.kinds.append(ir.Kind(gem, "Gem", "rows", ("red", "blue"), ("Red", "Blue")))
    bank = b.zone("bank", gem, counts=True)
    own = b.zone("own", gem, (0,), counts=True)
    b.procedure(
        "main",
        0,
        ir.Learn(c((0, 1)), card, c((1,))),
        ir.Move(c((2, 0)), pile, None),
        ir.Move(c((1,)), pile, None, True),
        ir.Move(c((0,)), hand, c(1)),
        ir.Learn(c((2,)), card, c((0, 1))),
        ir.Learn(c((1,)), card, c((0,))),
        ir.Learn(c((1,)), card, c(()), True),
        ir.MoveCounts(c((2, 3)), None, None, bank, None),
        ir.MoveCounts(c((1, 1)), bank, None, own, c(1)),
        ir.MoveCounts(c((0, 1)), bank, None, None, None),
        finish(0, 0),
    )
    state = run(b)
    S, zones = state.slots, b.zones
    assert S[zones[left].base] == ()
    assert S[zones[pile].base] == (1, 2)
    assert S[zones[hand].base + 1] == (0,)
    location = b.kinds[card].location or 0
    assert S[location : location + 3] == [zones[hand].base + 1, zones[pile].base, zones[pile].base]
    assert S[ir.KNOWN] == ((location + 2, 0), (location + 2, 1))
    assert S[zones[bank].base] == (1, 1) and S[zones[own].base + 1] == (1, 1)
    seen = state.observation(0)
    assert seen["zones"]["pile"] == ["b", "c"] and seen["zones"]["own.p2"] == {"red": 1, "blue": 1}
    for bad in (
        ir.MoveCounts(c((9, 0)), bank, None, None, None),
        ir.MoveCounts(c((-1, 0)), None, None, bank, None),
        ir.Move(c((3,)), pile, None),
        ir.Move(c((0,)), hand, c(2)),
    ):
        b.procedure("bad", 0, bad, finish(0, 0))
        with pytest.raises(Fault):
            run(b, main=len(b.procedures) - 1)


def test_regions_are_passed_through_and_left_at_their_name() -> None:
    b = Build()
    b.slot("v", 0, 0, 0)
    site = b.site("leave", c((0, 1)))
    inner = b.procedure(
        "inner",
        0,
        "a",
        ir.Enter(8, 9, (7,), 0),
        ir.Ask(site, 1),
        ir.Unless(op("eq", x(1), c(1)), "b"),
        ir.Unwind(0),
        "b",
        ir.Let(1, c(None)),
        "close",
        ir.Leave(8, 0),
        ir.Resume(1),
        ir.Return(),
        regions=(("a", "b", "close", 1, None),),
    )
    b.procedure(
        "main",
        0,
        set_(8, c(1)),
        "a",
        ir.Call(inner, (), 0),
        set_(7, op("add", ir.Load(7), c(1))),
        ir.Call(inner, (), 0),
        set_(7, op("add", ir.Load(7), c(10))),
        "b",
        ir.Let(0, c(None)),
        "close",
        ir.Resume(0),
        set_(9, c(1)),
        finish(0, 0),
        regions=(("a", "b", "close", 0, 0),),
    )
    for answers, left in (((1,), 0), ((0, 1), 1), ((0, 0), 11)):
        state = run(b)
        for answer in answers:
            assert state.slots[8] == 7
            state.apply_action(answer)
        assert state.is_terminal()
        assert state.slots[7:10] == [left, 1, 1]
    b.procedure("lost", 0, ir.Unwind(1), ir.Return())
    with pytest.raises(Fault) as caught:
        run(b, main=2)
    assert caught.value.diagnostic.code == "R013"


def test_chance_is_exact() -> None:
    def lottery(items: Any, weights: Any) -> State:
        b = Build()
        b.slot("v", None)
        b.procedure(
            "main",
            0,
            ir.Draw(c(items), None if weights is None else c(weights), 0, INT, "die"),
            set_(7, x(0)),
            finish(0, 0),
        )
        return b.game().new_state(chance="explicit")

    state = lottery((4, 5, 4, 6), None)
    assert state.current_player() == CHANCE and state.is_chance_node()
    assert state.chance_outcomes() == [(0, Fraction(1, 2)), (1, Fraction(1, 4)), (2, Fraction(1, 4))]
    assert state.legal_actions() == [0, 1, 2]
    assert [state.action_to_string(a) for a in range(3)] == ["4", "5", "6"]
    assert state.child(2).slots[7] == 6
    assert state.string_to_action("5") == 1
    with pytest.raises(UnknownAction):
        state.apply_action(3)
    state = lottery((4, 5, 6, 5), (3, 0, 2, 1))
    assert state.chance_outcomes() == [(0, Fraction(1, 2)), (1, Fraction(1, 3)), (2, Fraction(1, 6))]
    assert state.action_to_string(1) == "6"
    assert lottery((4, 4), None).is_terminal()
    assert lottery((4, 5), (0, 1)).is_terminal()
    for items, weights in (((), None), ((1,), (0,)), ((1, 2), (1, -1)), ((1, 2), (1,))):
        with pytest.raises(Fault) as caught:
            lottery(items, weights)
        assert caught.value.diagnostic.code == "R009"


def explore(game: Game, state: State, found: dict[Any, Fraction], p: Fraction) -> None:
    if state.is_terminal():
        found[state.key()] = found.get(state.key(), Fraction(0)) + p
    elif state.is_chance_node():
        for action, q in state.chance_outcomes():
            explore(game, state.child(action), found, p * q)
    else:
        legal = state.legal_actions()
        for action in legal:
            explore(game, state.child(action), found, p / len(legal))


def test_a_choice_in_two_loops_in_a_rule_that_sets_off_chance() -> None:
    game = nested()
    found: dict[Any, Fraction] = {}
    state = game.new_state(chance="explicit")
    for action in (0, 1, 2, 0, 0):
        state.apply_action(action)
    explore(game, state, found, Fraction(1))
    assert sum(found.values()) == 1
    seeded = game.new_state(3)
    assert seeded.current_player() == 1 and seeded.decision().site == "number"


def test_sealed_choices_are_equal_in_any_order() -> None:
    game = cards()
    start = game.new_state(5)
    assert start.is_simultaneous() and start.pending_players() == (0, 1, 2)

    def results(state: State, found: dict[Any, int], depth: int = 0) -> None:
        if not state.is_simultaneous():
            found[state.key()] = found.get(state.key(), 0) + 1
            return
        for player in state.pending_players():
            for action in state.legal_actions(player)[:2]:
                results(state.child(action, player), found, depth + 1)

    any_order: dict[Any, int] = {}
    results(start, any_order)

    def in_order(state: State, found: set[Any]) -> None:
        if not state.is_simultaneous():
            found.add(state.key())
            return
        for action in state.legal_actions()[:2]:
            in_order(state.child(action), found)

    wanted: set[Any] = set()
    in_order(start, wanted)
    assert set(any_order) == wanted
    assert max(any_order.values()) > 6


def test_a_fork_of_nobody_and_of_some() -> None:
    b = Build(3)
    b.slot("v", None)
    site = b.site("n", c((0, 1)), x(0))
    sealed = b.procedure("sealed", 2, ir.Ask(site, 2), ir.Return(op("pack", x(1), x(2))))
    quick = b.procedure("quick", 1, ir.Return(op("pack", x(0))))
    for seats, procedure, args in (((), sealed, (c(8),)), ((2, 0), sealed, (c(8),)), ((1,), quick, ())):
        b.procedure("main", 0, ir.Fork(c(seats), procedure, args, 0), set_(7, x(0)), finish(0, 0, 0))
    game = b.game()
    assert game.new_state(1, main=2).slots[7] == (None, None, None)
    state = game.new_state(1, main=3)
    assert state.pending_players() == (0, 2) and state.current_player() == 0
    state.apply_action(1, 2)
    assert state.pending_players() == (0,)
    state.apply_action(0)
    assert state.slots[7] == ((8, 0), None, (8, 1))
    assert game.new_state(1, main=4).slots[7] == (None, (1,), None)


def test_programs_that_contradict_themselves_are_refused() -> None:
    b = Build()
    b.slot("v", 0)
    bad = b.procedure("bad", 1, set_(7, c(1)), ir.Return())
    b.procedure("main", 0, ir.Fork(c((0,)), bad, (), 0), finish(0, 0))
    with pytest.raises(ValueError, match="Store in a sealed choice"):
        b.game(backend="reference")
    b = Build()
    b.procedure("main", 0, set_(0, ir.Setting("players")), finish(0, 0))
    with pytest.raises(ValueError, match="setting"):
        b.game(backend="reference")


def test_a_player_that_is_not_there_is_a_fault() -> None:
    for player in (2, -1):
        b = Build()
        site = b.site("it", c((1,)), c(player))
        b.procedure("main", 0, ir.Ask(site, 0), finish(0, 0))
        with pytest.raises(Fault) as caught:
            run(b)
        assert caught.value.diagnostic.code == "R016"


def test_names_of_sets_bags_and_records() -> None:
    b = Build()
    card = b.pieces("Card", ("red_7", "blue_2"))
    b.put(card, b.zone("field", card))
    one = ir.types.entity(card)
    many = ir.Type("set", parts=(one,))
    bag = ir.Type("bag", card)
    record = ir.Type("record", parts=(bag, many), names=("gems", "cards"))
    option = ir.Type("option", parts=(PLAYER,))
    names = b.game().machine.printing.name
    assert names(many, (0, 1)) == "red_7+blue_2"
    assert names(many, ()) == "nothing"
    assert names(bag, (2, 1)) == "2 red_7 + 1 blue_2"
    assert names(record, ((2, 1), (0,))) == "gems: (2 red_7 + 1 blue_2), cards: (red_7)"
    assert (names(option, None), names(option, 1)) == ("none", "p2")
    assert names(ir.types.BOOL, True) == "yes"
    assert names(INT, -3) == "-3"


class Alarm(Exception):
    """What a signal handler may raise wherever the program stands."""


@pytest.mark.parametrize("backend", ["generated", "reference"])
def test_what_the_rules_cannot_raise_comes_through(backend: str) -> None:
    """An exception of somebody else's is no fault, and no reason to do the answer again on the other back end."""
    calls: list[int] = []

    def interrupted(*_: object) -> bool:
        calls.append(1)
        raise Alarm

    b = Build()
    items = b.slot("items", (1, 2))
    site = b.site("it", c((1,)), c(0))
    b.procedure(
        "main", 0, ir.Ask(site, 0), ir.Let(1, op("top_of", ir.Load(items), c(1))), set_(items, x(1)), finish(0, 0)
    )
    state = Game.from_program(b.program(), lambda name: {"top_of": interrupted}[name], backend).new_state(seed=1)
    with pytest.raises(Alarm):
        state.apply_action(state.legal_actions()[0])
    assert len(calls) == 1


def test_a_text_that_cannot_be_made_is_a_fault_at_its_question() -> None:
    b = Build()
    items = b.slot("items", ())
    site = b.site("it", c((1, 2)), c(0))
    b.procedure("main", 0, ir.Ask(site, 0), finish(0, 0))
    b.sites[site] = replace(b.sites[site], prompt=text("of ", (op("last", ir.Load(items)), INT)))
    state = b.game().new_state(seed=4)
    for asked in (state.decision, lambda: state.observation(0)):
        with pytest.raises(Fault) as caught:
            asked()
        assert caught.value.diagnostic.code == "R020"

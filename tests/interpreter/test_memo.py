"""What generated code keeps, shares and leaves out: the results are those of the reference machine's expressions."""

from __future__ import annotations

import ast
import random
from dataclasses import replace

import pytest

from interpreter.python.backend import Generated
from interpreter.python.library import Library
from interpreter.python.memo_cost import WIDEST, MemoCost
from interpreter.python.runtime import Stop, completable, completable_in_order
from interpreter.python.value_numbers import NEVER, ValueNumbers
from interpreter.reference.expressions import Compiler
from interpreter.runtime.effects import move_counts
from interpreter.runtime.faults import Problem
from rulespec import ir
from rulespec.language.registry import body
from tests.helpers.assembler import EMPTY

BASE, PLACES = 10, 30
EVERY = ir.Const(tuple(range(PLACES)))
YES, NO = ir.Const(True), ir.Const(False)


def op(name: str, *args: ir.Expr) -> ir.Op:
    return ir.Op(name, args)


def both(*tests: ir.Expr) -> ir.Expr:
    first, *rest = tests
    return ir.Cond(first, both(*rest), NO) if rest else first


def at(index: int) -> ir.Load:
    """What lies at the place of a local."""
    return ir.Load(BASE, ir.Local(index), PLACES)


def more_than(index: int) -> ir.Comp:
    """The places, as local `index`, where more lies than local 0."""
    return ir.Comp(index, EVERY, op("lt", ir.Local(0), at(index)))


def backend(*functions: tuple[int, ir.Expr]) -> Generated:
    """A program of functions only: the parameters and the body of each."""

    def never():
        raise AssertionError("left to the reference machine")

    made = tuple(
        ir.Function(f"f{k}", parameters, (ir.types.ANY,) * 9, e) for k, (parameters, e) in enumerate(functions)
    )
    return Generated(Library(replace(EMPTY, functions=made), body), never)


def tables(found: Generated) -> list[str]:
    return [name for name in found.names if name.startswith("kept")]


@pytest.mark.parametrize("parameters, e", [
    (1, more_than(1)),
    (1, op("any_item", more_than(1))),
    (0, op("size", ir.Comp(1, EVERY, op("lt", ir.Const(2), at(1))))),
    (0, ir.Bind(2, op("total", ir.Comp(1, EVERY, None, at(1))), op("add", ir.Local(2), ir.Load(3)))),
])  # fmt: skip
def test_what_is_kept_follows_the_slots(parameters, e):
    found = backend((parameters, e))
    reference = Compiler(found.program.functions).function(0)
    run, dice, S = found.load("f0"), random.Random(1), [0] * 50
    costs: dict[str, set[int]] = {}
    for _ in range(300):
        if dice.random() < 0.5:  # otherwise nothing changed since, or only what is not read
            S = S.copy()
            S[dice.choice([3, 5, BASE, BASE + 7, BASE + PLACES - 1, BASE + PLACES])] = dice.randrange(4)
        args = [dice.randrange(4) for _ in range(parameters)]
        found.fuel[0] = 1000
        assert run(S, *args) == reference(S, *args)
        costs.setdefault(repr((S[3:], args)), set()).add(1000 - found.fuel[0])
    assert tables(found), "nothing is kept"
    assert all(own == {PLACES + 1} for own in costs.values()), "kept results are counted as well"


def test_a_kept_result_may_exceed_the_bound():
    found = backend((1, more_than(1)))
    run, S = found.load("f0"), [1] * 50
    found.fuel[0] = 100
    run(S, 0), run(S, 0), run(S, 0)
    with pytest.raises(Stop):
        run(S, 0)


def test_after_a_fault_nothing_is_kept():
    e = op("total", ir.Comp(1, EVERY, None, op("divide", ir.Const(12), at(1))))
    found = backend((0, e))
    run, fine, broken = found.load("f0"), [1] * 50, [1] * 45
    broken[BASE + 4] = 0
    for S in (fine, broken, broken, fine, broken):
        found.fuel[0] = 1000
        if S is fine:
            assert run(S) == 12 * PLACES
        else:
            with pytest.raises(ZeroDivisionError):
                run(S)
    assert tables(found)


def test_what_reads_too_much_or_calls_itself_is_not_kept():
    wide = ir.Comp(1, EVERY, op("lt", ir.Const(0), ir.Load(BASE, ir.Local(1), WIDEST + 1)))
    again = ir.Comp(1, EVERY, op("lt", at(1), op("size", ir.Invoke(0, ()))))
    reach = MemoCost((ir.Function("again", 0, (ir.types.ANY,) * 2, again),))
    assert not reach.pays(wide) and not reach.pays(again)
    assert reach.pays(op("any_item", more_than(1)), given=1) and not reach.pays(more_than(1))
    assert not reach.pays(op("lt", ir.Load(3), ir.Load(4))), "too little work"
    assert not reach.pays(op("any_item", ir.Comp(1, EVERY, op("lt", at(1), ir.Once(7, ir.Load(4)))))), (
        "the local is not its own"
    )
    assert reach.slots(op("add", ir.Load(3), ir.Load(5, ir.Local(0), 2))) == {3, 5, 6}


def test_equal_expressions_have_one_number_unless_their_types_differ():
    numbering = ValueNumbers()
    e = op("any_item", more_than(1))
    assert numbering.of(e) == numbering.of(op("any_item", more_than(1))) and numbering.of(e)[1] == (0,)
    assert numbering.of(ir.Const(1))[0] != numbering.of(ir.Const(True))[0]
    assert numbering.of(op("pack", ir.Const((0,))))[0] != numbering.of(op("pack", ir.Const((False,))))[0]
    assert numbering.of(op("not_", ir.Once(1, e)))[0] == NEVER


def test_what_was_worked_out_is_not_worked_out_again_where_it_still_holds():
    loop = ir.Comp(1, op("interval", ir.Const(1), ir.Local(0)), op("lt", ir.Const(1), ir.Local(1)))
    once = backend((1, op("add", op("size", op("backwards", loop)), op("total", op("backwards", loop)))))
    assert once.load("f0")([], 3) == 2 + 5
    text = ast.unparse(ast.fix_missing_locations(once.library.write("f0")))
    assert text.count("b_interval(") == text.count(".append(") == 2, "what counts does so each time"
    # what only one branch worked out is not there in the other, nor behind it
    apart = ir.Cond(
        op("lt", ir.Local(0), ir.Const(3)), op("size", op("backwards", loop)), op("total", op("backwards", loop))
    )
    run = backend((1, op("add", apart, op("total", op("backwards", loop))))).load("f0")
    assert [run([], n) for n in (2, 4)] == [1 + 2, 9 + 9]


@pytest.mark.parametrize("pile", [False, True])
def test_a_row_of_tests_of_one_collection_keeps_its_order(pile):
    hand = (
        op("interval", ir.Local(0), ir.Const(40))
        if not pile
        else op("backwards", op("interval", ir.Local(0), ir.Const(40)))
    )
    parts = [
        ir.Cond(op("contains", hand, ir.Const(k)), ir.Const(((100 + k, k),)), ir.Const(())) for k in range(3, 60, 4)
    ]
    e = ir.Const((7, 8))
    for part in (*parts, ir.Const((9,))):
        e = op("concat", e, part)
    found = backend((1, e))
    reference = Compiler(found.program.functions).function(0)
    for low in (0, 5, 20, 39, 41):
        assert found.load("f0")([], low) == reference([], low)


def test_a_loop_over_one_item_is_no_loop():
    e = ir.Fold(1, ir.Local(0), 2, ir.Const((5,)), op("add", ir.Local(1), ir.Local(2)))
    run = backend((1, e)).load("f0")
    assert run([], 3) == 8 and "F" not in run.__code__.co_names


def test_what_can_be_completed_in_order():
    for have in ((), (2,), (2, 5)):
        for items in ((), (2,), (2, 3, 5, 8), tuple(range(9))):
            for least in range(4):
                for most in range(4):
                    assert completable(have, items, least, most) == completable_in_order(have, items, least, most)


def test_bags_of_different_kinds_are_not_moved():
    with pytest.raises(ValueError, match="different kinds"):
        move_counts([(1, 2)], (1,), 0, None, "box")
    with pytest.raises(Problem):
        move_counts([(1, 2)], (1, 3), 0, None, "box")
    S = [(3, 2), (0, 1)]
    move_counts(S, (1, 2), 0, 1, "box")
    assert S == [(2, 0), (1, 3)]

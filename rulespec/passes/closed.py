"""Loops over constants that read nothing else are worked out before play; functions of a constant map or board become tables.

count(c in Card where c.value > 4)     # with the columns of `Card` known: 3
neighbours(place)                      # of a map whose links do not change: {(1, 3), (0, 2), ...}[place]
step(cell, n)                          # of a board: {1, 2, none, ...}[cell]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache, reduce
from itertools import takewhile
from math import prod

from rulespec import ir
from rulespec.ir.reads import reads
from rulespec.ir.walk import conjuncts, within
from rulespec.language import operators
from rulespec.language.registry import body, facts, functions
from rulespec.library.boards import Board, every
from rulespec.passes.evaluation import NO_VALUE, Evaluation, limited

MOST_ROWS = 20_000  # of a table that a function of a board becomes
OPEN = (ir.Load, ir.Setting, ir.Invoke, ir.Completable, ir.Once, ir.Known, ir.After)


def worked_out(expr: ir.Comp | ir.Fold) -> ir.Expr:
    """The value of a loop that reads neither slots nor locals; unchanged if it would fault or is long."""
    if not isinstance(expr.source, ir.Const) or not reads_only(expr, 0):
        return expr
    try:
        return ir.Const(Evaluation().value(expr))
    except NO_VALUE:
        return expr


def chosen(expr: ir.Comp) -> ir.Comp:
    """A loop over constants without the items that fail the tests that come first and read nothing but the item."""
    if expr.where is None or not isinstance(expr.source, ir.Const):
        return expr
    tests = conjuncts(expr.where)
    prefix = list(takewhile(lambda test: reads_only(test, 1 << expr.index), tests))
    evaluation, kept, done = Evaluation(), expr.source, 0
    for test in prefix:
        try:
            kept = ir.Const(evaluation.value(ir.Comp(expr.index, kept, test)))
        except NO_VALUE:
            break
        done += 1
    rest = tests[done:]
    return replace(expr, source=kept, where=all_of(rest)) if done else expr


def all_of(tests: list[ir.Expr]) -> ir.Expr | None:
    """The test that all of some hold, asked in their order, without a `not`; None for none."""
    return reduce(both, reversed(tests)) if tests else None


def both(after: ir.Expr, test: ir.Expr) -> ir.Cond:
    """A test, and one that is looked at after it."""
    match test:
        case ir.Op(operators.NOT, (unless,)):
            return ir.Cond(unless, ir.Const(False), after)
    return ir.Cond(test, after, ir.Const(False))


def reads_only(e: ir.Expr, locals_: int) -> bool:
    """Whether an expression reads nothing but some locals, given as bits."""
    return not reads(e) & ~locals_ and not any(isinstance(node, OPEN) for node in within(e))


def of_map(expr: ir.Op) -> ir.Expr:
    """A function of a map whose links do not change, or of a board: a look-up in a table, with the place as its index."""
    match expr:
        case ir.Op(name, (*args, ir.Const(value=(str(), *_) as board))) if name in of_boards():
            return of_board(expr, tuple(args), board)
    table = facts(expr.name).table
    if table is None:
        return expr
    places, given = expr.args[: 2 if table.look_up else 1], expr.args[2 if table.look_up else 1 :]
    values = [arg.value for arg in given if isinstance(arg, ir.Const)]
    if len(values) < len(given) or (table.most is not None and len(values[-1]) > table.most):
        return expr
    column = ir.Column(table.made(*values), places[0])
    return ir.Op(table.look_up, (column, places[1])) if table.look_up else column


@cache
def of_boards() -> Mapping[str, tuple[str, ...]]:
    """The bodies of the functions of boards, with what their parameters are: a cell, a direction or something else."""
    kinds = {}
    for function in functions().values():
        for signature in function.signatures:
            if signature.hidden == ("board",):
                kinds[signature.body] = tuple(str(p.type) for p in signature.parameters)
    return kinds


def of_board(expr: ir.Op, args: tuple[ir.Expr, ...], board: Board) -> ir.Expr:
    """A function of a board: a look-up by its cells and directions, if the rest of what it is given is constant."""
    fixed = tuple((n, arg.value) for n, arg in enumerate(args) if isinstance(arg, ir.Const))
    free = [n for n, arg in enumerate(args) if not isinstance(arg, ir.Const)]
    rows = board_table(expr.name, len(args), fixed, board) if 1 <= len(free) <= 2 else None
    if rows is None:
        return expr
    column = ir.Column(rows, args[free[0]])
    return column if len(free) == 1 else ir.Op(operators.PART, (column, args[free[1]]))


@lru_cache(maxsize=256)
def board_table(
    name: str, count: int, fixed: tuple[tuple[int, ir.Value], ...], board: Board
) -> tuple[ir.Value, ...] | None:
    """What a function of a board gives for all cells and directions that its other arguments, one or two, may be.

    It is kept, as a game calls it in many places.  None where there is no value for some of them, or where they are too many.
    """
    sizes = {"Cell": len(board[5]), "Direction": len(every(board))}
    constants = dict(fixed)
    free = [n for n in range(count) if n not in constants]
    domains = [sizes.get(of_boards()[name][n], 0) for n in free]
    if not 0 < prod(domains) <= MOST_ROWS:
        return None

    def at(*numbers: int) -> ir.Value:
        given = constants | dict(zip(free, numbers, strict=True))
        return limited(body(name)(*(given[n] for n in range(count)), board))

    try:
        if len(free) == 1:
            return tuple(at(a) for a in range(domains[0]))
        return tuple(tuple(at(a, b) for b in range(domains[1])) for a in range(domains[0]))
    except NO_VALUE:
        return None

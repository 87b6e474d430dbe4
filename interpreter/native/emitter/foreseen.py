"""What looking ahead surely shows, for all candidates of a question at once.

A procedure that is looked ahead at for a cell often does little: it sets that cell and, for each cell next to it, would do more if a
test held.  Of most candidates it can be said from sets of cells alone that none of these tests holds, and that what is asked for then
holds; only for the others is the procedure run.  What surely holds is a set of candidates, empty where nothing can be said:

- a cell near the candidate is told by how far away it is, so that what is known of an array there is one of its bit boards, shifted;
- what the procedure has set is known at the candidate itself, and nowhere else is anything set;
- a group of cells surely holds the cell that it begins with.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from interpreter.native.emitter.counted import Counted
from interpreter.native.emitter.floods import rows_within
from interpreter.native.emitter.forms import NUMBER, SET, WIDE_SET, Val, word_of
from interpreter.native.emitter.masks import NoMask, distinct
from interpreter.native.emitter.reaching import ReachWriter
from interpreter.native.emitter.sets import constant
from interpreter.native.emitter.spreading import MOST_DISTANCES, distances
from interpreter.native.emitter.texts import Variable
from interpreter.native.emitter.types import Unreached, Unsupported
from interpreter.native.emitter.writer import Env
from rulespec import ir
from rulespec.analysis.domain import below
from rulespec.ir.reads import numbers, reads
from rulespec.ir.walk import conjuncts, within
from rulespec.language import operators
from rulespec.language.facts import CForm
from rulespec.language.registry import facts as facts_of
from rulespec.passes.fold import asked_items

MOST_TERMS = 200  # shifts of boards


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell so far away from each candidate, of those candidates (a set of bits) for which there is one."""

    offset: int
    there: int


@dataclass(frozen=True, slots=True)
class Rows:
    """The cells in a row of a table for a cell."""

    values: tuple[tuple[int, ...], ...]
    of: Cell


Known = Cell | Rows | Val
Locals = dict[int, Known]


@dataclass(slots=True)
class Position:
    """The position as a procedure has left it: arrays by what stands at the candidate, and slots of which nothing is known."""

    arrays: dict[int, Val] = field(default_factory=dict)
    lost: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Foreseen:
    """C of the candidates of whom all is sure, and what comes before it; what each of them counts, as steps and items."""

    head: str
    code: str
    steps: int
    items: int


class ForeseenWriter(ReachWriter):
    """Writes what looking ahead surely shows."""

    def foreseen(self, tests: list[ir.Expr], item: int, env: Env, of: Val) -> Foreseen | None:
        """The candidates, of a set, of whom all tests surely hold; None where nothing can be said, or nothing is looked ahead at."""
        high = None if of.fact.item is None else of.fact.item.high
        if high is None or of.form not in (SET, WIDE_SET) or not any(isinstance(test, ir.After) for test in tests):
            return None
        outer, self.there = self.there, frozenset()
        ahead = Foresight(self, high + 1)
        seen: Locals = {**env, item: Cell(0, ahead.full)}
        try:
            sure = [ahead.after(t, seen) if isinstance(t, ir.After) else ahead.sure(t, seen, True) for t in tests]
        except (NoMask, Unsupported, Unreached):
            return None
        finally:
            self.there = outer
        code = ahead.all(sure)
        if code is None or ahead.terms > MOST_TERMS:
            return None
        # This code has half of the items that there are to spend, and hands over where it has none left.
        return Foreseen(" ".join(ahead.lines), code, ahead.steps, ahead.items // 2)


class Foresight:
    """What is sure of the candidates of one question."""

    def __init__(self, writer: ForeseenWriter, size: int) -> None:
        self.w = writer
        self.counted = Counted(writer.program.functions, writer.weights, writer.recursive, size)
        self.size = size
        self.kind = word_of(size)
        self.full = (1 << size) - 1
        self.lines: list[str] = []
        self.names: dict[str, str] = {}
        self.terms = self.depth = self.steps = self.items = 0
        self.position = Position()

    # --- sets of candidates: C, or None for the empty set --------------------------------------------------------
    def set(self, bits: int) -> str | None:
        """A constant set."""
        return constant(bits, 1 if self.size <= 64 else 2) if bits else None

    def all(self, sets: list[str | None]) -> str | None:
        """The candidates in all of some sets."""
        codes = [code for code in sets if code is not None]
        return (
            None if len(codes) < len(sets) else f"({'&'.join(dict.fromkeys(codes))})" if codes else self.set(self.full)
        )

    def any(self, sets: list[str | None]) -> str | None:
        """The candidates in any of some sets."""
        codes = [code for code in sets if code is not None]
        return f"({'|'.join(dict.fromkeys(codes))})" if codes else None

    def named(self, code: str, kind: str) -> str:
        """A name for a value, which is worked out once."""
        if code not in self.names:
            self.names[code] = self.w.name("w")
            self.lines.append(f"{kind} {self.names[code]}={code};")
        return self.names[code]

    # --- what is looked ahead at -----------------------------------------------------------------------------------
    def after(self, e: ir.After, env: Locals) -> str | None:
        """The candidates of whom it is sure that a procedure does no more than it does for all, and that a test holds behind it."""
        code = self.w.program.procedures[e.procedure].code
        own: Locals = {k: self.given(a, env) for k, a in enumerate(e.args)}
        outer, self.position = self.position, Position()
        quiet: list[str | None] = []
        pc = 0
        self.steps += len(code) + 2
        try:
            while code[pc] != ir.Return():  # a result might be a fault
                pc = self.step(code, pc, own, quiet)
            self.items += self.counted.work(e.value)
            return self.all([*quiet, self.sure(e.value, env, True)])
        finally:
            self.position = outer

    def step(self, code: tuple[ir.Instruction, ...], pc: int, own: Locals, quiet: list[str | None]) -> int:
        """Where a procedure goes on behind an instruction; `quiet` are the candidates for whom it does.  Raises NoMask."""
        match code[pc]:
            case ir.Store() as i:
                self.store(i, own)
            case ir.Say():
                pass
            case ir.Jump(target) if target > pc:
                return target
            case ir.Let(index, ir.Column(values, ir.Local(of))) if isinstance(cell := own.get(of), Cell):
                own[index] = Rows(values, cell)
            case ir.Let(index, value):
                own[index] = self.value(value, own)
            case ir.Unless(test, target) if target > pc:
                self.skipped(test, code[pc + 1 : target], own)
                return target
            case ir.Next(index, target):
                rows, inside = own.get(index), code[pc + 1]
                if not isinstance(rows, Rows) or not isinstance(inside, ir.Unless) or inside.target != pc:
                    raise NoMask
                quiet.append(self.each_place(rows, inside.test, index + 2, own, False))
                return target
            case _:
                raise NoMask
        return pc + 1

    def store(self, i: ir.Store, own: Locals) -> None:
        """What a store leaves: only what is sure to be within its bounds, at the candidate or in a slot of its own.  Raises NoMask."""
        v = self.value(i.value, own)
        if self.w.bounds(i, "v", v.fact) or any(
            self.w.fit(v, fact) != v.code
            for fact in {self.w.types.slot[s] for s in range(i.base, i.base + i.size)}
            if fact is not None
        ):
            raise NoMask
        match i.index:
            case None:
                self.position.lost.add(self.w.slots.group(i.base).base)
            case ir.Local(at) if own.get(at) == Cell(0, self.full) and self.w.boarded(i.base, i.size):
                self.position.arrays[i.base] = v
            case _:
                raise NoMask

    def skipped(self, test: ir.Expr, body: tuple[ir.Instruction, ...], own: Locals) -> None:
        """What is done or not, whichever way a test goes, if it sets slots alone of which nobody asks.  Raises NoMask."""
        env: Env = {
            k: v if isinstance(v, Val) else Val(Variable("x"), NUMBER, below(self.size))
            for k, v in own.items()
            if not isinstance(v, Rows)
        }
        if self.w.faulty(self.w.test(test, env)):
            raise NoMask
        self.items += self.counted.work(test)
        for i in body:
            if not isinstance(i, ir.Store) or i.index is not None:
                raise NoMask
            self.store(i, own)

    # --- values ------------------------------------------------------------------------------------------------------
    def given(self, e: ir.Expr, env: Locals) -> Known:
        """An argument: a cell, or what is the same for all candidates."""
        if isinstance(e, ir.Local) and e.index in env:
            return env[e.index]
        return self.value(e, env)

    def value(self, e: ir.Expr, env: Locals) -> Val:
        """A number that is the same for all candidates, and surely there; raises NoMask."""
        if not all(isinstance(env.get(k), Val) for k in numbers(reads(e))):
            raise NoMask
        for part in within(e):
            if isinstance(part, ir.Invoke | ir.After | ir.Comp | ir.Fold | ir.Once):
                raise NoMask
            if isinstance(part, ir.Load) and self.changed(part.base):
                raise NoMask
        v = self.w.expr(e, {k: v for k, v in env.items() if isinstance(v, Val)})
        if v.form != NUMBER or self.w.faulty(v.code):
            raise NoMask
        return v if v.known else replace(v, code=self.named(v.code, "V"))

    def changed(self, slot: int) -> bool:
        """Whether a slot may be set where something is looked ahead at."""
        group = self.w.slots.of.get(slot)
        return group is not None and group.base in self.position.lost | self.position.arrays.keys()

    # --- what is sure --------------------------------------------------------------------------------------------------
    def sure(self, e: ir.Expr, env: Locals, yes: bool) -> str | None:
        """The candidates of whom a test surely holds, or (`yes`: no) surely does not hold; it is no fault for them."""
        try:
            return self.found(e, env, yes)
        except NoMask:
            return None

    def found(self, e: ir.Expr, env: Locals, yes: bool) -> str | None:
        """The same; raises NoMask where nothing can be said."""
        match e:
            case ir.Const(value):
                return self.set(self.full) if bool(value) == yes else None
            case ir.Op(operators.NOT, (inner,)):
                return self.sure(inner, env, not yes)
            case ir.Bind(index, value, body):
                return self.sure(body, env if value == ir.Const(None) else {**env, index: self.given(value, env)}, yes)
            case ir.Cond(a, b, ir.Const(False)) if yes:
                return self.all([self.sure(a, env, True), self.sure(b, env, True)])
            case ir.Cond(a, b, ir.Const(False)):
                first = self.sure(a, env, False)
                return self.any([first, self.all([self.told(a, env), self.sure(b, env, False)])])
            case ir.Cond(a, ir.Const(True), b) if not yes:
                return self.all([self.sure(a, env, False), self.sure(b, env, False)])
            case ir.Op(operators.EQUAL | operators.DIFFERENT as name, (ir.Local(i), other)) if isinstance(
                cell := env.get(i), Cell
            ):
                return self.itself(cell, self.value(other, env), yes == (name == operators.EQUAL))
            case ir.Op(
                operators.EQUAL | operators.DIFFERENT as name, (ir.Load(base, ir.Local(i)), ir.Load(other, ir.Local(j)))
            ) if base == other and env.get(i) == env.get(j):
                return self.set(self.full) if yes == (name == operators.EQUAL) else None
            case ir.Op(operators.EQUAL | operators.DIFFERENT as name, (ir.Load(base, ir.Local(i), size), other)) if (
                isinstance(cell := env.get(i), Cell)
            ):
                return self.stands(base, size, cell, self.value(other, env), yes == (name == operators.EQUAL))
            case ir.Op(operators.IS_NONE, (ir.Load(base, ir.Local(i), size),)) if isinstance(cell := env.get(i), Cell):
                return self.stands(base, size, cell, None, yes)
        asked = asked_items(e) if isinstance(e, ir.Op) else None
        if asked is not None:
            return self.some(asked[0], env, yes == asked[1])
        return None

    def told(self, e: ir.Expr, env: Locals) -> str | None:
        """The candidates of whom a test holds or not, but is no fault."""
        return self.any([self.sure(e, env, True), self.sure(e, env, False)])

    def itself(self, cell: Cell, v: Val, same: bool) -> str | None:
        """The candidates whose cell is one, or another."""
        if cell.offset:
            raise NoMask
        one = self.named(f"({{V v={v.code}; (uint64_t)v<{self.size}?({self.kind})1<<v:0;}})", self.kind)
        return one if same else f"(~{one})"

    def stands(self, base: int, size: int, cell: Cell, v: Val | None, same: bool) -> str | None:
        """The candidates at whose cell an array has a value (None: none), or another."""
        if not self.w.boarded(base, size) or word_of(size) != self.kind or base in self.position.lost:
            raise NoMask
        here = self.position.arrays.get(base)
        if here is not None and not cell.offset:
            equal = f"{here.code}=={self.w.none if v is None else v.code}"
            return f"(-({self.kind}){'' if same else '!'}({equal}))"
        board = f"S->b{base}[0]" if v is None else self.w.board(base, v)
        return self.moved(self.named(board, self.kind), cell, same)

    def moved(self, board: str, cell: Cell, same: bool = True) -> str:
        """The candidates whose cell is in a set of cells, or not in it."""
        self.terms += 1
        by = cell.offset
        code = f"({board}>>{by})" if by > 0 else f"({board}<<{-by})" if by else board
        return self.named(
            f"({'' if same else '~'}{code}&{constant(cell.there, 1 if self.size <= 64 else 2)})", self.kind
        )

    def each_place(self, rows: Rows, test: ir.Expr, item: int, env: Locals, yes: bool) -> str | None:
        """The candidates of whom a test surely holds for a cell of their row (`yes`), or surely holds for none."""
        self.items += max(map(len, rows.values)) * self.counted.work(test)
        found: list[str | None] = []
        for cell in self.places(rows.of, tuple(rows.values)):
            here = self.sure(test, {**env, item: cell}, yes)
            there, nowhere = self.set(cell.there), self.set(self.full & ~cell.there)
            found.append(self.all([here, there]) if yes else self.any([here, nowhere]))
        return self.any(found) if yes else self.all(found)

    def places(self, of: Cell, values: tuple[tuple[int, ...], ...]) -> list[Cell]:
        """The cells in the rows of a cell, one for each distance; raises NoMask where these are too many."""
        if len(values) < self.size or not all(isinstance(row, tuple) and distinct(row) for row in values):
            raise NoMask
        ways = distances(tuple(sum(1 << x for x in row) for row in values))
        if len(ways) > MOST_DISTANCES or max((max(row, default=0) for row in values), default=0) >= self.size:
            raise NoMask
        return [cell for by, start in ways.items() if (cell := beyond(of, by, start)).there]

    def some(self, e: ir.Expr, env: Locals, yes: bool) -> str | None:
        """The candidates of whom a collection surely has an item, or surely has none."""
        match e:
            case ir.Comp(index, ir.Column(values, ir.Local(i)), where, None, None) if where and isinstance(
                cell := env.get(i), Cell
            ):
                return self.each_place(Rows(values, cell), where, index, env, yes)
        if not yes:
            return None
        comp, own = self.inside(e, env)
        match comp:
            case ir.Comp(index, ir.Const(tuple() as cells), where, None, None) if where and cells == tuple(
                range(self.size)
            ):
                return self.witnessed(index, conjuncts(where), own)
        return None

    def witnessed(self, index: int, tests: list[ir.Expr], env: Locals) -> str | None:
        """The candidates of whom any cell surely passes all tests, of which one asks whether it is in a group, or next to one."""
        for k, test in enumerate(tests):
            near, asked = rows_within(test, index)
            seed = None if asked is None else self.seed(asked.args[0], env)
            if seed is None:
                continue
            cell, sure = seed
            witnesses = [cell]
            if near is not None:
                back = tuple(tuple(q for q, row in enumerate(near) if x in row) for x in range(self.size))
                witnesses = self.places(cell, back)
            rest = [*tests[:k], *tests[k + 1 :]]
            found = []
            for one in witnesses:
                holds = [self.sure(t, {**env, index: one}, True) for t in rest]
                found.append(self.all([*holds, self.set(one.there)]))
            return self.all([sure, self.any(found)])
        return None

    def seed(self, e: ir.Expr, env: Locals) -> tuple[Cell, str | None] | None:
        """The cell that a group begins with, and the candidates for whom it surely is in it; None for what is no group."""
        call, own = self.inside(e, env)
        if not isinstance(call, ir.Op) or facts_of(call.name).c.form is not CForm.GROUP:
            return None
        match call.args[:2]:
            case (ir.Local(i), ir.Comp(index, ir.Const(tuple() as cells), where, None, None)) if (
                where and isinstance(cell := own.get(i), Cell) and cells == tuple(range(self.size))
            ):
                return cell, self.sure(where, {**own, index: cell}, True)
        return None

    def inside(self, e: ir.Expr, env: Locals) -> tuple[ir.Expr, Locals]:
        """An expression without the calls around it, and its locals."""
        while True:
            match e:
                case ir.Once(_, value):
                    e = value
                case ir.Bind(_, ir.Const(None), body):
                    e = body
                case ir.Invoke(function, args) if function not in self.w.recursive:
                    e, env = (
                        self.w.program.functions[function].body,
                        {k: self.given(a, env) for k, a in enumerate(args)},
                    )
                case _:
                    return e, env


def beyond(cell: Cell, by: int, start: int) -> Cell:
    """The cell so far behind another; `start` are the cells behind which there is one."""
    at = start >> cell.offset if cell.offset >= 0 else start << -cell.offset
    return Cell(cell.offset + by, cell.there & at)

"""What can be come to by steps that a test allows: a set of cells that spreads by shifts, in each direction from where the test holds.

`any(s in closure(those(b in neighbours(a) where free(a, b)) for a in start) where s in goal)` asks only whether something is in a closure:
it spreads until that is so.  A way that leads there is then enough to know that it still holds when something else has changed: what the
tests of its steps have read is put into sets of cells, the traces.  What is counted is as if the closure were made as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from interpreter.native.emitter.closures import Closure, closure_in, items_of
from interpreter.native.emitter.conditions import shown_there
from interpreter.native.emitter.floods import FloodWriter, Opened
from interpreter.native.emitter.forms import NUMBER, SET, WIDE_SET, Bits, Val, word_of
from interpreter.native.emitter.masks import NoMask, Relative, distinct
from interpreter.native.emitter.opened import NotOpened
from interpreter.native.emitter.sets import constant, words_of
from interpreter.native.emitter.spreading import MOST_DISTANCES, distances
from interpreter.native.emitter.texts import Variable
from interpreter.native.emitter.types import Unreached, Unsupported
from interpreter.native.emitter.writer import Env
from interpreter.reference.expressions import Compiler
from rulespec import ir
from rulespec.analysis.domain import BOOL, below, items
from rulespec.ir.walk import conjuncts, held, reached, within
from rulespec.language import operators
from rulespec.passes.rewrite import rewrite

Read = tuple[int, int]  # of an array, by its first slot, the cell so far away


@dataclass(frozen=True, slots=True)
class Step:
    """Steps so far away: C of the cells from which the test allows one, and of which of these it reads a cell that may change."""

    by: int
    open: str
    reads: dict[Read, int]


@dataclass(frozen=True, slots=True)
class Among:
    """The cells below a size, the steps from one to another, the C that stands before these, and what trying those of a cell counts."""

    size: int
    steps: list[Step]
    head: str
    tried: int


@dataclass(slots=True)
class Traces:
    """The slots that may change, and for each array of these, by its first slot, the C variable of the cells that were read."""

    slots: frozenset[int]
    names: dict[int, str] = field(default_factory=dict)


class ReachWriter(FloodWriter):
    """Writes closures of cells, and whether something is in them."""

    def op(self, name: str, e: ir.Op, env: Env) -> Val:
        """A function of the registry."""
        code = None
        if name == operators.CONTAINS and isinstance(e.args[0], ir.Op):
            code = self.reached_one(e, env)
        elif name == operators.PART:
            return self.spread_closure(e, env) or super().op(name, e, env)
        return Val(code, NUMBER, BOOL) if code else super().op(name, e, env)

    def mask(self, e: ir.Expr, its: frozenset[int], env: Env, size: int) -> str:
        """C of the set of all items below `size` that pass a test; yes or no may stand beside the item, too."""
        match e:
            case ir.Load(base, ir.Local(i), extent) if i in its & self.relatives.keys() and self.boarded(base, extent):
                fact = self.slots.group(base).fact
                if fact.within(0, 1) and not fact.none and self.slots.boards[base] > 2:
                    return self.beside(f"S->b{base}[2]", i, extent, size)
            case ir.Cond(test, then, other):
                then = bared(then, shown_there(test, True))
                e = ir.Cond(test, then, bared(other, shown_there(test, False)))
        return super().mask(e, its, env, size)

    def spread_closure(self, e: ir.Expr, env: Env) -> Val | None:
        """A closure of cells as a whole; None where it is something else."""
        c = closure_in(e)
        if c is None:
            return None
        outer, self.there = self.there, frozenset()
        try:
            among, fact = self.steps_of(c, env, None), self.fact(e, env)
            kind = word_of(among.size)
            if self.form(fact) != (SET if among.size <= 64 else WIDE_SET):
                return None
            known, edge, turns = (self.name(x) for x in "cet")
            cell, turn = self.costs(c, among)
            spread = f"for(;{edge};{turns}++){{{edge}={ways(among.steps, edge)}&~{known}; {known}|={edge};}}"
            paid = f"FUEL(S,pop{kind}({known})*{cell}+{turns}*{turn}+1);"
            start = f"{kind} {known}={self.begun(c, env, among.size)},{edge}={known}; V {turns}=1;"
            return Val(f"({{{start} {among.head} {spread} {paid} {known};}})", self.form(fact), fact)
        except (NoMask, Unsupported, Unreached):
            return None
        finally:
            self.there = outer

    # --- what a closure is made of -------------------------------------------------------------------------------
    def steps_of(self, c: Closure, env: Env, traces: Traces | None) -> Among:
        """The cells of a closure, and its steps; raises NoMask, Unsupported."""
        try:
            opened, before = self.opener.written_out(c.found, frozenset([c.item]))
        except NotOpened:
            raise NoMask from None
        match items_of(opened):
            case ir.Comp(index, ir.Column(values, ir.Local(at)), where, None, None) if at == c.item and not before:
                pass
            case ir.Column(values, ir.Local(at)) if at == c.item and not before:
                index, where = -1, None
            case _:
                raise NoMask
        if not all(isinstance(row, tuple) and distinct(row) for row in values):
            raise NoMask
        size, directions = len(values), distances(tuple(sum(1 << x for x in row) for row in values))
        if len(directions) > MOST_DISTANCES or c.rounds < size - 1 or any(x >= size for row in values for x in row):
            raise NoMask
        words, head, steps = words_of(size - 1), "", []
        for by, there in sorted(directions.items()):
            open_, code = self.name("w"), constant(there, words)
            reads: dict[Read, int] = {}
            if where is not None:
                test, reads = self.beside_each(where, (c.item, index), by, there, size, env, traces)
                code = f"{test}&{code}"
            head += f"{word_of(size)} {open_}={code}; "
            steps.append(Step(by, open_, reads))
        return Among(size, steps, head, max(map(len, values)) * self.weights.item(where))

    def beside_each(
        self, test: ir.Expr, pair: tuple[int, int], by: int, there: int, size: int, env: Env, traces: Traces | None
    ) -> tuple[str, dict[Read, int]]:
        """C of the cells of which a test holds with the one so far away, and what it reads for them; raises NoMask."""
        cell, other = pair
        relative, key, place = (self.opener.fresh() for _ in range(3))
        one = self.replaced(test, ir.Local(other), ir.Local(relative))
        if any(isinstance(e, ir.Load) and e.index is not None and e.size < size for e in within(one)):
            raise NoMask  # an index might be a fault
        rows = tuple(((x + by if there >> x & 1 else 0,),) for x in range(size))
        self.relatives[relative] = Relative(rows, key, place, str(by))
        inner = {
            **env,
            cell: Val(Variable("x"), NUMBER, below(size)),
            key: Val("0", NUMBER, below(1)),
            place: Val("0", NUMBER, below(1)),
        }
        before, self.steps = self.steps, 0
        try:
            code = self.followed(one, frozenset([cell, relative]), inner, size)
        finally:
            self.steps = before
            del self.relatives[relative]
        found: dict[Read, int] = {}
        if traces is not None:
            if self.faulty(code):
                raise NoMask
            for read, cells in Reading(self.boarded, traces, cell, relative, by).of(one, there):
                found[read] = found.get(read, 0) | cells
        return code, found

    def begun(self, c: Closure, env: Env, size: int) -> str:
        """C of the cells that a closure begins with, all below a size; raises NoMask, Unsupported."""
        form = SET if size <= 64 else WIDE_SET
        out, add = self.name("o"), items(below(size), size, True)
        try:
            v = self.expr(c.start, env)
            if isinstance(v.form, Bits) and v.fact.item is not None and v.fact.item.within(0, size - 1):
                return self.as_form(v, form)
        except Unsupported:
            pass
        put = self.adder(out, form)

        def into(x: Val) -> str:
            if not x.fact.within(0, size - 1):
                raise NoMask
            return put(x)

        return f"({{{self.forms.fresh(out, self.form(add))} {self.each(c.start, env, into)} {out};}})"

    def costs(self, c: Closure, among: Among) -> tuple[int, int]:
        """What each cell of a closure counts at most, and each round."""
        return self.weights.item(c.inner) + among.tried + 1, self.weights.item(c.body) + 2

    # --- whether something is in it -----------------------------------------------------------------------------------
    def looked_for(self, o: Opened) -> str | None:
        """C of whether there is an item of a comprehension over a closure, or over a group; raises NoMask, Unsupported."""
        return self.arrived(o, None) or super().looked_for(o)

    def arrived(self, o: Opened, traces: Traces | None) -> str | None:
        """C of whether a closure has an item that passes a test; None where it is something else.  Raises NoMask, Unsupported."""
        match o.e:
            case ir.Comp(index, source, ir.Cond() | ir.Op() | ir.Invoke() | ir.Load() as where, None, None):
                pass
            case _:
                return None
        inner = self.laid_open(source, o.env, o.once)
        c = closure_in(inner.e)
        if c is None or (isinstance(source, ir.Once) and sum(x == source for x in within(o.e)) > 1):
            return None
        among = self.steps_of(c, inner.env, traces)
        size = among.size
        its, env = frozenset([index]), {**o.env, index: Val(Variable("x"), NUMBER, below(size))}
        wanted = "&".join(self.whole(test, its, env, size) for test in self.grouped(conjuncts(where), its))
        if traces is not None:
            self.unread((where, c.start), traces, wanted)
        paid = o.paid + inner.paid + size * self.weights.item(where) + 1
        return self.spread_until(c, among, f"{o.head} {inner.head}", wanted, inner.env, paid, traces)

    def reached_one(self, e: ir.Op, env: Env) -> str | None:
        """C of whether a cell is in a closure; None where it is something else."""
        outer, self.there = self.there, frozenset()
        try:
            return self.one_arrived(self.laid_open(e.args[0], env), e.args[1], env, None)
        except (NoMask, Unsupported, Unreached):
            return None
        finally:
            self.there = outer

    def one_arrived(self, inner: Opened, cell: ir.Expr, env: Env, traces: Traces | None) -> str | None:
        """The same; raises NoMask, Unsupported."""
        c = closure_in(inner.e)
        if c is None:
            return None
        among = self.steps_of(c, inner.env, traces)
        x, at = self.name(), self.test(cell, env)
        if traces is not None:
            self.unread((cell, c.start), traces, at)
        wanted = f"({{V {x}={at}; (uint64_t){x}<{among.size}?({word_of(among.size)})1<<{x}:0;}})"
        return self.spread_until(c, among, inner.head, wanted, inner.env, inner.paid, traces)

    def spread_until(
        self, c: Closure, among: Among, head: str, wanted: str, env: Env, paid: int, traces: Traces | None
    ) -> str:
        """C of whether a closure comes to one of some cells; what tells so for sure is put into the traces."""
        size, kind = among.size, word_of(among.size)
        known, edge, want, found, layers, turn = (self.name(x) for x in "cewrlt")
        cell, round_ = self.costs(c, among)
        paid += size * cell + (size + 1) * round_ + 1
        begun = self.begun(c, env, size)
        room = keep = back = ""
        if traces is not None:
            if self.faulty(begun):
                raise NoMask
            room, keep = f"{kind} {layers}[{size + 1}]; int {turn}=0;", f"{layers}[{turn}++]={edge};"
            back = f"if({found}){{{self.way_back(among.steps, kind, (edge, want, layers, turn), traces)}}}"
        look = f"if({edge}&{want}){{{found}=1; break;}} {keep}"
        spread = f"{edge}={ways(among.steps, edge)}&~{known}; if(!{edge})break; {known}|={edge};"
        start = f"{kind} {known}={begun},{edge}={known},{want}={wanted}; V {found}=0; {room} FUEL(S,{paid});"
        return f"({{{head} {among.head} {start} if({edge})for(;;){{{look} {spread}}} {back} {found};}})"

    def way_back(self, steps: list[Step], kind: str, names: tuple[str, str, str, str], traces: Traces) -> str:
        """C that follows a way back to where it began, and puts what its steps have read into the traces."""
        edge, want, layers, turn = names
        at, before, layer = (self.name(x) for x in "abl")
        choice, gone, text = "", "", ""
        for step in steps:
            path = self.name("p")
            back = f"({at}{'>>' if step.by >= 0 else '<<'}{abs(step.by)})&{step.open}&{layer}"
            choice += f"{'else ' if choice else ''}if(({before}={back})!=0){path}|={before}; "
            gone += f"{',' if gone else ''}{path}=0"
            for (base, by), cells in step.reads.items():
                name = traces.names.setdefault(base, self.name("read"))
                some = f"({path}&{constant(cells, 1 if kind == 'M' else 2)})"
                text += f"{name}|={some}{'<<' if by >= 0 else '>>'}{abs(by)}; "
        first = f"{kind} {at}={edge}&{want},{before},{gone}; {at}&=-{at};"
        return f"{first} while({turn}--){{{kind} {layer}={layers}[{turn}]; {choice} {at}={before};}} {text}"

    def unread(self, what: tuple[ir.Expr, ...], traces: Traces, code: str) -> None:
        """See to it that some expressions read nothing that may change, and are no fault; raises NoMask."""
        if self.faulty(code) or reads_any(self.program, what, traces.slots):
            raise NoMask


class Reading:
    """Which cells a test reads that may change, of two cells so far apart."""

    def __init__(self, boarded: Callable[[int, int], bool], traces: Traces, cell: int, other: int, by: int) -> None:
        self.boarded = boarded
        self.traces = traces
        self.places = {cell: 0, other: by}

    def of(self, e: ir.Expr, cells: int) -> Iterator[tuple[Read, int]]:
        """Each read, with the cells, of some, for which it may be made; raises NoMask where that cannot be told."""
        match e:
            case ir.Load(base, index, size) if not self.traces.slots.isdisjoint(range(base, base + size)):
                if not isinstance(index, ir.Local) or index.index not in self.places or not self.boarded(base, size):
                    raise NoMask
                yield (base, self.places[index.index]), cells
                return
            case ir.Invoke() | ir.After():
                raise NoMask
            case ir.Cond(test, then, other):
                yes = self.holds(test, cells)
                if yes is None:
                    yield from self.of(test, cells)
                    yield from self.of(then, cells)
                    yield from self.of(other, cells)
                else:
                    yield from self.of(then, yes) if yes else ()
                    yield from self.of(other, cells & ~yes) if cells & ~yes else ()
                return
        for inside in held(e):
            for one in inside if isinstance(inside, tuple) else () if inside is None else (inside,):
                yield from self.of(one, cells)

    def holds(self, test: ir.Expr, cells: int) -> int | None:
        """The cells of which a test holds that reads nothing but them; None for another test."""
        for e in within(test):
            if isinstance(e, ir.Load | ir.Invoke | ir.After) or (
                isinstance(e, ir.Local) and e.index not in self.places
            ):
                return None
        run = Compiler(()).expr(test)
        locals_ = [None] * (max(self.places) + 1)
        yes = 0
        for x in range(cells.bit_length()):
            if cells >> x & 1:
                for local, by in self.places.items():
                    locals_[local] = x + by  # type: ignore[call-overload]
                try:
                    yes |= bool(run([], locals_)) << x
                except Exception:  # whatever a test raises of what it is not asked for
                    return None
        return yes


def bared(e: ir.Expr, there: frozenset[ir.Expr]) -> ir.Expr:
    """An expression that is worked out where some values are not none: nothing has to see to that."""
    if not there:
        return e
    return rewrite(e, lambda part: part.value if isinstance(part, ir.Known) and part.value in there else part)


def reads_any(program: ir.Program, what: object, slots: frozenset[int]) -> bool:
    """Whether part of a program, or a function that it calls, reads any of some slots, or looks ahead."""
    for e in reached(program, what):
        if isinstance(e, ir.After):
            return True
        if isinstance(e, ir.Load) and not slots.isdisjoint(range(e.base, e.base + e.size)):
            return True
    return False


def ways(steps: list[Step], edge: str) -> str:
    """C of all cells that the steps lead to from some."""
    shifted = (f"(({edge}&{s.open}){'<<' if s.by >= 0 else '>>'}{abs(s.by)})" for s in steps)
    return f"({'|'.join(shifted) or '0'})"

"""What looking ahead shows for one candidate and so for many: which cells the answer rests on, and who leaves these alone.

`after(build(w), all(p in players have can_arrive(p)))` is worked out for one wall.  Where it holds, the ways that were found are enough
to say so, and it holds for every other wall that touches none of their cells: what a procedure may write of each array is known for each
candidate from constants alone.  So as many positions are looked at as there are walls in the way, not as there are walls.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

from interpreter.native.emitter.calls import may_fail
from interpreter.native.emitter.conditions import free_of
from interpreter.native.emitter.counted import Counted
from interpreter.native.emitter.foreseen import ForeseenWriter
from interpreter.native.emitter.forms import NUMBER, SET, WIDE_SET, Val, word_of
from interpreter.native.emitter.masks import NoMask
from interpreter.native.emitter.reaching import Traces, reads_any
from interpreter.native.emitter.sets import constant
from interpreter.native.emitter.types import Unreached, Unsupported
from interpreter.native.emitter.writer import Env
from interpreter.reference.expressions import Compiler
from rulespec import ir
from rulespec.analysis.domain import below, items
from rulespec.ir.reads import numbers, reads
from rulespec.ir.walk import conjuncts, reached
from rulespec.language import operators
from rulespec.passes.fold import asked_items

MOST_RUN = 2000  # instructions of a procedure that are gone through for a candidate


@dataclass(frozen=True, slots=True)
class Touched:
    """The cells of each group of slots, by the first of them, that a procedure may write for each candidate; all slots of these groups.

    `steps` and `items` are what running it counts at most.
    """

    cells: dict[int, tuple[int, ...]]
    slots: frozenset[int]
    steps: int
    items: int


class CertainWriter(ForeseenWriter):
    """Writes what looking ahead shows for many candidates at once."""

    @abstractmethod
    def instruction(self, number: int, pc: int, i: ir.Instruction) -> str:
        """The C of an instruction of a procedure; raises Unsupported."""

    def met(self, e: ir.Expr, env: Env) -> str | None:
        """C of whether a collection has items; None where they are looked at one by one."""
        found = super().met(e, env)
        if found is None and isinstance(e, ir.Comp) and (v := self.looked_ahead(e, env, some=True)) is not None:
            return f"(({v.code})!=0)"
        return found

    def masked(self, comp: ir.Comp, env: Env) -> Val | None:
        """The items of a comprehension as a set, where few of them say enough for all."""
        found = super().masked(comp, env)
        return self.looked_ahead(comp, env, some=False) if found is None else found

    def looked_ahead(self, comp: ir.Comp, env: Env, *, some: bool) -> Val | None:
        """The items of a comprehension whose test looks ahead; None of another, or where they are looked at one by one."""
        if comp.where is None or comp.value is not None or comp.key is not None or self.once_kept:
            return None
        tests = conjuncts(comp.where)
        if not isinstance(tests[-1], ir.After):
            return None
        left = self.filtered(comp.source, tests, comp.index, env) or self.all_of(comp.source, env, tests)
        return None if left is None else self.certain(*left, comp.index, env, some=some)

    def all_of(self, source: ir.Expr, env: Env, tests: list[ir.Expr]) -> tuple[Val, list[ir.Expr]] | None:
        """All members of a set, with the tests that are left of them; None where it is no set of at most 128."""
        start = self.members(source, env)
        if start is None:
            return None
        code, size = start
        fact, form = items(below(size), size, True), SET if size <= 64 else WIDE_SET
        return Val(code or constant((1 << size) - 1, form.words), form, fact), tests

    def certain(self, of: Val, tests: list[ir.Expr], item: int, env: Env, *, some: bool = False) -> Val | None:
        """The candidates of a set that pass tests of which the last looks ahead; None where they are looked at one by one.

        `some`: whether there is one is all that is asked; of the others it need not be right.
        """
        high = None if of.fact.item is None else of.fact.item.high
        if high is None or of.form not in (SET, WIDE_SET) or not tests or not isinstance(tests[-1], ir.After):
            return None
        before, ahead = tests[:-1], tests[-1]
        outer = self.there, self.once_kept
        try:
            return self.tried(of, before, ahead, item, env, some)
        except (NoMask, Unsupported, Unreached):
            return None
        finally:
            self.there, self.once_kept = outer

    def tried(self, of: Val, before: list[ir.Expr], e: ir.After, item: int, env: Env, some: bool) -> Val:
        """The same; raises NoMask, Unsupported, Unreached."""
        assert of.fact.item is not None and of.fact.item.high is not None
        size = of.fact.item.high + 1
        if not free_of(e.value, frozenset([item])) or any(
            isinstance(x, ir.After) for t in before for x in reached(self.program, t)
        ):
            raise NoMask
        touched = Running(self, e, item, size).touched()
        traces = Traces(touched.slots)
        x, left, whole, paid, good, sure = (self.name(letter) for letter in "xmovgs")
        one = {**env, item: Val(x, NUMBER, below(size))}
        facts = self.types.given[e.procedure]
        given = ["0" if f is None else self.fitted(a, one, f) for a, f in zip(e.args, facts, strict=True)]
        if any(map(self.faulty, given)):
            raise NoMask
        tests = "&&".join(self.test(test, one) for test in before)
        self.there, self.once_kept = frozenset(), False
        value = self.proved(e.value, env, traces)
        n, t = e.procedure, self.type(of.form)
        names = {base: name for base, name in traces.names.items() if any(touched.cells[base])}
        words = {base: word_of(self.slots.group(base).size) for base in traces.names}
        traced = "".join(f"{words[base]} {name}=0; " for base, name in traces.names.items())
        own = "|".join(f"(({name}&{self.masks(touched.cells[base])}[{x}])!=0)" for base, name in names.items()) or "0"
        hits = "".join(
            f"for(;{name};{name}&={name}-1){sure}&=~{self.masks(turned(touched.cells[base], self.slots.group(base).size))}"
            f"[low{words[base]}({name})]; "
            for base, name in names.items()
        )
        counted = f"FUEL(S,pop{t}({{0}})*({paid}+{touched.items})); STEP(S,pop{t}({{0}})*{touched.steps});"
        if some:
            proof = f"{whole}=({t})1<<{x}; {counted.format(left)} break;"
        else:
            for_all = f"{t} {sure}={left}; {hits} {counted.format(sure)} {whole}|={sure}; {left}&=~{sure};"
            proof = f"{whole}|=({t})1<<{x}; if(!({own})){{{for_all}}}"
        run = f"DEEPER(S); if(P{n}({','.join(['S', '0', *given])})==WAIT)fault(S); {traced} V {paid}=S->scratch.fuel; V {good}={value};"
        back = f"{paid}-=S->scratch.fuel; if(outer)back_again(S);else back{n}(S,&k_); SHALLOWER(S);"
        ahead = f"for(;{left};){{V {x}=low{t}({left}); {left}&={left}-1; {run} {back} if({good}){{{proof}}}}}"
        kept = f"Kept{n} k_; int outer=!S->looking; if(outer)keep_all(S);else keep{n}(S,&k_);"
        each = self.weights.item(*before, e)
        head = f"{t} {left}={of.code}; FUEL(S,pop{t}({left})*{each}+1);"
        if tests:
            m = self.name("m")
            passing = f"for(;{m};{m}&={m}-1){{V {x}=low{t}({m}); {left}|=({t})!!({tests})<<{x};}}"
            head = f"{t} {m}={of.code},{left}=0; FUEL(S,pop{t}({m})*{each}+1); {passing}"
        code = f"({{{head} {t} {whole}=0; if({left}){{{kept} {ahead} if(outer)S->looking=0;}} {whole};}})"
        return Val(code, of.form, of.fact)

    # --- values and what they rest on -------------------------------------------------------------------------------
    def proved(self, e: ir.Expr, env: Env, traces: Traces) -> str:
        """C of a test that leaves in the traces, where it holds, what has to stay as it is for that; raises NoMask, Unsupported."""
        if not reads_any(self.program, e, traces.slots):
            return f"({self.test(e, env)})"
        match e:
            case ir.Cond(test, then, ir.Const(False)):
                return f"({self.proved(test, env, traces)}&&{self.proved(then, env, traces)})"
            case ir.Bind(index, value, body) if value != ir.Const(None) and not reads_any(
                self.program, value, traces.slots
            ):
                head, v = self.bound(self.expr(value, env))
                return f"({{{head} {self.proved(body, {**env, index: v}, traces)};}})"
            case ir.Op(operators.CONTAINS, (of, cell)):
                code = self.one_arrived(self.laid_open(of, env), cell, env, traces)
                if code is not None:
                    return code
        asked = asked_items(e) if isinstance(e, ir.Op) else None
        if asked is not None:
            return self.proved_items(asked[0], asked[1], env, traces)
        o = self.laid_open(e, env)
        if o.e == e or o.once:
            raise NoMask
        paid = f"FUEL(S,{o.paid});" if o.paid else ""
        return f"({{{o.head} {paid} {self.proved(o.e, o.env, traces)};}})"

    def proved_items(self, e: ir.Expr, some: bool, env: Env, traces: Traces) -> str:
        """The same of whether a collection has an item (`some`), or none: each of its items then passes a test."""
        if some:
            code = self.arrived(self.laid_open(e, env), traces)
            if code is None:
                raise NoMask
            return code
        match e:
            case ir.Comp(index, source, ir.Op(operators.NOT, (test,)), None, None) if not reads_any(
                self.program, source, traces.slots
            ):
                r = self.name("r")

                def each(x: Val) -> str:
                    return f"if(!({self.proved(test, {**env, index: x}, traces)})){{{r}=0; break;}}"

                return f"({{V {r}=1; {self.each(source, env, each, self.weights.item(e.where))} {r};}})"
        raise NoMask


class Running:
    """What a procedure may write, for each candidate that it is looked ahead at for; it is seen to that it is no fault."""

    def __init__(self, writer: CertainWriter, e: ir.After, item: int, size: int) -> None:
        self.w = writer
        self.e = e
        self.item = item
        self.size = size
        self.number = e.procedure
        self.code = writer.program.procedures[e.procedure].code
        self.known: dict[int, int] = {}  # what instructions count, by where they stand
        self.closures: dict[int, Any] = {}  # what expressions become, by their ids: they are the program's
        self.counted = Counted(writer.program.functions, writer.weights, writer.recursive, size)

    def touched(self) -> Touched:
        """The cells; raises NoMask where the procedure does something else than to store, or may be a fault."""
        groups = {}
        for pc, i in enumerate(self.code):
            if pc in self.w.types.reached[self.number]:
                self.harmless(pc, i)
                if isinstance(i, ir.Store):
                    group = self.w.slots.group(i.base)
                    groups[group.base] = group.size
        if any(size > 128 for size in groups.values()):
            raise NoMask
        slots = frozenset(s for base, size in groups.items() for s in range(base, base + size))
        rows: dict[int, list[int]] = {base: [] for base in groups}
        steps = items_ = 0
        for x in range(self.size):
            found: dict[int, int] = dict.fromkeys(groups, 0)
            given = {k: self.value(a, {self.item: x}) for k, a in enumerate(self.e.args)}
            done, looked = self.run(given, found)
            steps, items_ = max(steps, done), max(items_, looked)
            for base, cells in found.items():
                rows[base].append(cells)
        return Touched({base: tuple(row) for base, row in rows.items()}, slots, steps + len(self.code) + 2, items_)

    def harmless(self, pc: int, i: ir.Instruction) -> None:
        """See to it that an instruction is none that asks, calls or leaves, and no fault; raises NoMask."""
        match i:
            case ir.Let() | ir.Store() | ir.Unless():
                if may_fail(self.w.instruction(self.number, pc, i), self.w.sure | {"STEP"}):
                    raise NoMask
            case ir.Next() | ir.Jump() | ir.Say():
                pass
            case ir.Return(None):
                pass
            case _:
                raise NoMask

    def run(self, given: dict[int, Any], found: dict[int, int]) -> tuple[int, int]:
        """Go through the instructions for a candidate, both ways where nobody knows which; what that counts at most."""
        todo, left, steps, looked = [(0, given)], MOST_RUN, 0, 0
        while todo:
            pc, known = todo.pop()
            while not isinstance(i := self.code[pc], ir.Return):
                left -= 1
                if left < 0:
                    raise NoMask
                steps, looked = steps + 1, looked + self.counts(pc, i)
                pc += 1
                match i:
                    case ir.Let(index, value):
                        known = {**known, index: self.value(value, known)}
                    case ir.Store(base, index, size):
                        at = () if index is None else self.value(index, known)
                        cells = 1 if index is None else (1 << size) - 1 if at is Unknown else self.cell(at, size)
                        group = self.w.slots.group(base)
                        found[group.base] |= cells << base - group.base
                    case ir.Jump(target):
                        pc = target
                    case ir.Unless(test, target):
                        holds = self.value(test, known)
                        if holds is Unknown:
                            todo.append((target, known))
                        elif not holds:
                            pc = target
                    case ir.Next(index, target):
                        source, done = known.get(index, Unknown), known.get(index + 1, Unknown)
                        if not isinstance(source, tuple) or not isinstance(done, int):
                            raise NoMask
                        if done < len(source):
                            known = {**known, index + 1: done + 1, index + 2: source[done]}
                        else:
                            pc = target
        return steps, looked

    def cell(self, at: Any, size: int) -> int:
        """The set of a cell; raises NoMask where it is none."""
        if not isinstance(at, int) or not 0 <= at < size:
            raise NoMask
        return 1 << at

    def counts(self, pc: int, i: ir.Instruction) -> int:
        """The items that an instruction looks at, at most; raises NoMask."""
        if pc not in self.known:
            match i:
                case ir.Let(value=e) | ir.Unless(test=e):
                    self.known[pc] = self.counted.work(e)
                case ir.Store(index=index, value=value):
                    self.known[pc] = self.counted.work(index, value)
                case _:
                    self.known[pc] = 0
        return self.known[pc]

    def value(self, e: ir.Expr, known: dict[int, Any]) -> Any:
        """What an expression is that reads nothing but locals that are known; Unknown for another.  Raises NoMask."""
        key = id(e)
        if key not in self.closures:
            plain = not any(isinstance(x, ir.Load | ir.After) for x in reached(self.w.program, e))
            compiler = Compiler(self.w.program.functions)
            self.closures[key] = (compiler.expr(e), compiler.top, numbers(reads(e))) if plain else None
        made = self.closures[key]
        if made is None or any(known.get(k, Unknown) is Unknown for k in made[2]):
            return Unknown
        run, top, read = made
        values = [None] * top
        for k in read:
            values[k] = known[k]
        try:
            return run([], values)
        except Exception:  # whatever it raises: it is left to who looks at candidates one by one
            raise NoMask from None


class Unknown:
    """What stands for a value that is not known before play."""


def turned(rows: tuple[int, ...], size: int) -> tuple[int, ...]:
    """For each cell the candidates in whose rows it is."""
    return tuple(sum(1 << x for x, row in enumerate(rows) if row >> cell & 1) for cell in range(size))

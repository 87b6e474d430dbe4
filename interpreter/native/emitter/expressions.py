"""Expressions as C: each becomes one C expression, loops within it GNU statement expressions.

Whatever an expression stumbles over is `fault(S)`, which hands the answer to the reference machine; so C may look at things that
the rules would not come to, and be wrong in no other way than to hand over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from interpreter.native.emitter import sets
from interpreter.native.emitter.calls import has_effect
from interpreter.native.emitter.closures import closure, toll_of
from interpreter.native.emitter.completions import completable
from interpreter.native.emitter.conditions import shown_there
from interpreter.native.emitter.equality import equal
from interpreter.native.emitter.forms import (
    MOST_ITEMS,
    NUMBER,
    Bits,
    Form,
    Maybe,
    Row,
    Val,
    is_long,
    outsized,
    roomy,
    unbounded,
)
from interpreter.native.emitter.functions import Function, Head
from interpreter.native.emitter.inference import Types
from interpreter.native.emitter.lengthy import made_here
from interpreter.native.emitter.lookahead import looked
from interpreter.native.emitter.memory import remembered, remembers
from interpreter.native.emitter.operations import operation
from interpreter.native.emitter.operations.bags import each_way
from interpreter.native.emitter.operations.call import Call
from interpreter.native.emitter.slots import APART, Slots
from interpreter.native.emitter.texts import Block, Part, Place, Variable
from interpreter.native.emitter.types import Unreached, Unsupported, join, op_result
from interpreter.native.emitter.writer import Body, Env, Writer, charge
from interpreter.python.facts import longest
from interpreter.python.patterns import settles
from rulespec import ir
from rulespec.analysis.domain import ANY, BOOL, NONE, Fact, below, of_value
from rulespec.ir.reads import appended, until
from rulespec.ir.walk import conjunction
from rulespec.ir.weight import TOLL
from rulespec.language import operators
from rulespec.language.facts import CForm, Reduction, Result
from rulespec.language.registry import facts as facts_of
from rulespec.text.source import Span

T = TypeVar("T")
MOST_WRITTEN = 500_000  # expressions, those counted again that are written again


class TooLong(Exception):
    """A program that is not written as C, since writing it would take too long."""


def given_back(code: str) -> str:
    """C that ends a function with a value; a large one is not copied on its way."""
    return f"{code.body} return {code.name};" if isinstance(code, Block) else f"return {code};"


class ExpressionWriter(Writer):
    """Writes expressions; `slots` says where the position keeps what."""

    def __init__(self, program: ir.Program, types: Types, wide: bool) -> None:
        super().__init__(program, types, wide)
        self.slots = Slots(program, types, self.forms)
        self.numbered: set[int] = set()  # functions of the game that are written, or about to be
        self.there: frozenset[ir.Expr] = frozenset()  # what a test around the place that is written says not to be None
        self.once_kept = False  # whether who looks ahead finds the position kept
        self.written = 0
        self.once: dict[str, Val | None] = {}

    # --- expressions -------------------------------------------------------------------------------------------
    def expr(self, e: ir.Expr, env: Env) -> Val:
        """The C of an expression; raises Unsupported."""
        self.written += 1
        if self.written > MOST_WRITTEN:
            raise TooLong("the C of the program would be too long")
        match e:
            case ir.Const(value):
                return self.constant(value)
            case ir.Local(index):
                if index not in env:
                    raise Unreached
                return env[index]
            case ir.Load(base, at, size):
                return self.load(base, at, size, env)
            case ir.Column(values, index):
                return self.column(values, self.expr(index, env))
            case ir.Op(name):
                return self.op(name, e, env)
            case ir.Cond():
                return self.cond(e, env)
            case ir.Bind(index, value, body):
                return closure(self, e, env) or self.bind(index, value, body, env)
            case ir.Once(index, value):
                return self.once_of(index, self.expr(value, env), env)
            case ir.Known(value):
                v = self.expr(value, env)
                return self.present(replace(v, fact=replace(v.fact, none=False)) if self.is_there(value, v) else v)
            case ir.Comp():
                return self.collect(e, env)
            case ir.Invoke(function, args):
                return self.invoke(function, args, env)
            case ir.Fold():
                return self.fold(e, env)
            case ir.Completable():
                return completable(self, e, env)
            case ir.After():
                return self.after(e, env)
        raise Unsupported(type(e).__name__)

    def column(self, values: tuple[Any, ...], index: Val) -> Val:
        """A row of a column."""
        if index.known and isinstance(index.const, int) and 0 <= index.const < len(values):
            return self.constant(values[index.const])
        fact = self.types.column(values)
        form = self.form(fact)
        name = self.table(values, form, fact)
        return Val(Place(f"{name}[{self.index(index, len(values))}]"), form, fact)

    def row_of_column(self, column: ir.Column, at: ir.Expr, env: Env) -> Val | None:
        """An item of a row of a column whose rows are all as long, as one of a flat table; None where they are not."""
        sizes = {len(row) if isinstance(row, tuple) else 0 for row in column.values}
        if len(sizes) != 1 or 0 in sizes:
            return None
        (size,) = sizes
        row, k = self.expr(column.index, env), self.expr(at, env)
        flat = tuple(item for one in column.values for item in one)
        fact = join(*map(of_value, flat))
        form = self.form(fact)
        place = f"{self.index(row, len(column.values))}*{size}+{self.index(k, size)}"
        return Val(Place(f"{self.table(flat, form, fact)}[{place}]"), form, fact)

    def load(self, base: int, at: ir.Expr | None, size: int, env: Env) -> Val:
        """A slot."""
        if base in APART:
            raise Unsupported("a slot of the system")
        group = self.slots.group(base)
        index = "0" if at is None else self.index(self.expr(at, env), size)
        cell = (Part if at is None else Place)(f"S->g{group.base}[{plus(base - group.base, index)}]")
        return Val(cell, group.form, self.types.load(base, size))

    def cond(self, e: ir.Cond, env: Env) -> Val:
        """One of two values."""
        test = self.expr(e.test, env)
        if isinstance(test.const, bool):
            return self.expr(e.then if test.const else e.other, env)
        branches: list[Val | None] = []
        outer = self.there
        for branch, holds in ((e.then, True), (e.other, False)):
            self.there = outer | shown_there(e.test, holds)
            try:
                branches.append(self.expr(branch, env))
            except Unreached:
                branches.append(None)
            finally:
                self.there = outer
        then, other = branches
        if then is None and other is None:
            raise Unreached
        fact = join(*(v.fact for v in branches if v is not None))
        form = self.form(fact)
        a, b = (f"({{fault(S); {self.forms.zero(form)};}})" if v is None else self.fit(v, fact) for v in branches)
        code = self.as_form(test, NUMBER)
        if form == NUMBER and fact.within(0, 1):
            if b == "0":
                return Val(f"({code}&&{a})", NUMBER, BOOL)
            if a == "1":
                return Val(f"({code}||{b})", NUMBER, BOOL)
        return Val(f"({code}?{a}:{b})", form, fact)

    def bind(self, index: int, value: ir.Expr, body: ir.Expr, env: Env) -> Val:
        """A value with a local of its own; one that is None waits for what is worked out once."""
        if isinstance(value, ir.Const) and value.value is None:
            name = self.name("once")
            self.once[name] = None
            inner = self.expr(body, {**env, index: Val(name, NUMBER, NONE)})
            return replace(inner, code=f"({{{self.declare_once(name)} {inner.code};}})", const=...)
        v = self.expr(value, env)
        if v.known or outsized(v.form):
            return self.expr(body, {**env, index: v})
        x = self.name()
        inner = self.expr(body, {**env, index: Val(x, v.form, v.fact)})
        if inner.known and not has_effect(v.code):
            return inner
        return replace(inner, code=f"({{{self.type(v.form)} {x}={v.code}; {inner.code};}})", const=...)

    def declare_once(self, name: str) -> str:
        """The C that declares what is worked out once."""
        v = self.once[name]
        return "" if v is None else f"{self.type(v.form)} {name}={self.forms.zero(v.form)}; int {name}_=0;"

    def once_of(self, index: int, v: Val, env: Env) -> Val:
        """A value that is worked out when it is first wanted."""
        slot = env.get(index)
        if slot is None or slot.code not in self.once or v.known or outsized(v.form):
            return v
        name = slot.code
        before = self.once[name]
        if before is not None and before.form != v.form:
            return v
        self.once[name] = v
        return replace(v, code=Block(f"if(!{name}_){{{name}={v.code};{name}_=1;}}", name))

    def is_there(self, e: ir.Expr, v: Val) -> bool:
        """Whether a number is known not to be None where it stands, as a test before it says so."""
        return e in self.there and v.form == NUMBER and v.fact.what == "int"

    def present(self, v: Val) -> Val:
        """A value that must not be None."""
        if not v.fact.none:
            return v
        fact = replace(v.fact, none=False)
        if fact.what == "never":
            raise Unreached
        if isinstance(v.form, Maybe):
            return Val(self.from_maybe(v, v.form, v.form.inner), v.form.inner, fact)
        if v.known:
            raise Unreached
        return Val(f"some_(S,{v.code},{self.none})", NUMBER, fact)

    def collect(self, e: ir.Expr, env: Env) -> Val:
        """A comprehension, or another source of items, as a collection."""
        if isinstance(e, ir.Comp) and e.key is not None:
            raise Unsupported("items with their keys as a value")
        fact = self.fact(e, env)
        form = self.form(fact)
        if isinstance(e, ir.Comp) and e.value is None and e.where is not None and isinstance(form, Bits):
            found = self.filtered(e.source, [e.where], e.index, env)
            if found is not None and not found[1]:
                return Val(self.as_form(found[0], form), form, found[0].fact)
            if (whole := whole_range(e.source)) and sets.is_vector(sets.letter(form.words)):
                return Val(self.word_by_word(whole, e.where, e.index, form, env), form, fact)
        if isinstance(e, ir.Comp) and (row := self.row_of_all(e, form, env)) is not None:
            return Val(row, form, fact)
        out = self.name("o")
        fill = self.each(e, env, self.adder(out, form))
        return Val(Block(f"{self.forms.fresh(out, form)} {fill}", out), form, fact)

    def row_of_all(self, e: ir.Comp, form: Form, env: Env) -> Block | None:
        """The C of a list of a number for each of 0, 1, ...; None for any other."""
        size = whole_range(e.source)
        if (
            size is None
            or e.where
            or e.value is None
            or not isinstance(form, Row)
            or form.item != NUMBER
            or size > form.most
        ):
            return None
        out, x = self.name("o"), self.name()
        one = self.expr(e.value, {**env, e.index: Val(x, NUMBER, below(size))})
        loop = f"for(V {x}=0;{x}<{size};{x}++){out}.a[{x}]={self.as_form(one, NUMBER)};"
        return Block(f"{self.type(form)} {out}; {out}.n={size}; {charge(size * self.weights.item(e.value))}{loop}", out)

    def word_by_word(self, size: int, where: ir.Expr, index: int, form: Bits, env: Env) -> str:
        """The C of those of the numbers below `size` that pass a test, as a vector: nobody can foretell which do, so without branches."""
        out, b, k, x = self.name("o"), self.name("b"), self.name("k"), self.name()
        test = self.test(where, {**env, index: Val(x, NUMBER, below(size))})
        inner = f"for(int {k}=0;{k}<64&&{x}<{size};{k}++,{x}++){b}|=(M)!!({test})<<{k};"
        loop = f"for(int {out}w=0;{x}<{size};{out}w++){{M {b}=0; {inner} {out}[{out}w]={b};}}"
        paid = charge(size * self.weights.item(where))
        return Block(f"{self.forms.fresh(out, form)} {paid}V {x}=0; {loop}", out)

    def fold(self, e: ir.Fold, env: Env, *, here: bool = False) -> Val:
        """A value that each item makes another.  `here`: its items are gone through where it is made."""
        fact = self.fact(e, env)
        form, acc = self.form(fact), self.name("a")
        longer = here and isinstance(form, Row) and unbounded(fact) and appended(e) is not None
        if longer and isinstance(form, Row):
            form = roomy(form)
        ends = form == NUMBER and settles(e) and self.fact(e.source, env).ordered
        cost, end = self.weights.item(e.body), until(e)

        def step(x: Val) -> str:
            inner = {**env, e.acc: Val(acc, form, fact), e.index: x}
            if end is not None:
                going = f"if({self.test(end.test, inner)})break; {acc}={self.fitted(end.other, inner, fact)};"
                return f"FUEL(S,{cost}); {going}"
            if isinstance(form, Row) and (more := appended(e)) is not None:  # put there at once
                item, add = fact.item or ANY, self.adder(acc, form)
                paid = f"FUEL(S,2*({acc}.n*{1 + (longest(item, MOST_ITEMS) or 0)}>>{TOLL})); "
                return paid + self.poured(more, inner, lambda y: add(Val(self.fit(y, item), form.item, item)))
            stop = f"if({x.code}>{acc})break; " if ends and x.form == NUMBER else ""
            return f"{stop}{acc}={self.fitted(e.body, inner, fact)};"

        start = self.expr(e.start, env)
        if not start.known:
            start = Val(self.fit(start, fact), self.form(fact), fact)
        begun = self.forms.declared(acc, self.as_form(start, form) if longer else self.fit(start, fact), form)
        loop = self.each(e.source, env, step, cost if end is None else 0)
        if ends and self.faulty(loop):  # what is left may be a fault
            ends = False
            loop = self.each(e.source, env, step, cost)
        toll = (
            f" FUEL(S,{toll_of(f'{acc}.n*{1 + (longest(fact.item or ANY, MOST_ITEMS) or 0)}', 1)});" if longer else ""
        )
        return Val(Block(f"{begun} {loop}{toll}", acc), form, fact)

    def poured(self, e: ir.Expr, env: Env, body: Body) -> str:
        """A loop over all items of an expression, without `break`: a list that is only put together to be gone through is not made."""
        match e:
            case ir.Op(name, (inner,)) if facts_of(name).identity:
                return self.poured(inner, env, body)
            case ir.Fold(start=ir.Const(())) if (more := appended(e)) is not None and until(e) is None:
                cost = self.weights.item(e.body)
                return self.each(e.source, env, lambda x: self.poured(more, {**env, e.index: x}, body), cost)
        return self.each(e, env, body)

    def invoke(self, function: int, args: tuple[ir.Expr, ...], env: Env) -> Val:
        """A call of a function of the game."""
        result, facts = self.types.results[function], self.types.parameters[function]
        known = [f for f in facts if f is not None]
        if result is None or len(known) < len(facts):
            raise Unreached
        self.function(function, known, result)
        given = [self.fitted(a, env, f) for a, f in zip(args, known, strict=True)]
        return Val(f"f{function}({','.join(['S', *given])})", self.form(result), result)

    def function(self, number: int, facts: list[Fact], result: Fact) -> None:
        """Write a function, unless it is written."""
        if number in self.numbered:
            return
        self.numbered.add(number)
        source = self.program.functions[number]
        forms, form = [self.form(f) for f in facts], self.form(result)
        parameters = ",".join(["RsState*S", *(f"{self.type(f)} p{k}" for k, f in enumerate(forms))])
        apart = (
            " __attribute__((noinline))" if is_long(form) else ""
        )  # it makes its result where it is wanted, without a copy
        head = Head(self.type(form), f"f{number}", parameters, apart)
        self.prototypes.append(head)
        env = {k: Val(Variable(f"p{k}"), form, fact) for k, (form, fact) in enumerate(zip(forms, facts, strict=True))}
        cost = self.weights.call(number)
        paid = f"FUEL(S,{cost}); " if cost else ""
        outer, self.there = self.there, frozenset()
        kept, self.once_kept = self.once_kept, False
        code = self.guarded(
            f"function {number}", lambda: given_back(self.fitted(source.body, env, result)), source.where
        )
        self.there, self.once_kept = outer, kept
        if code is None:
            code = "lacking(S);"
        elif number in self.recursive or remembers(source, forms, form):
            inner = Head(head.gives, f"f{number}_", parameters)
            self.prototypes.append(inner)
            self.functions.append(Function(inner, f"{paid}{code}"))
            call = f"f{number}_({','.join(['S', *(f'p{k}' for k in range(len(forms)))])})"
            if number in self.recursive:
                code = f"DEEPER(S); {self.type(form)} r={call}; SHALLOWER(S); return r;"
            else:
                code = remembered(self, call, list(zip(forms, facts, strict=True)), form)
            paid = ""
        self.functions.append(Function(head, f"{paid}{code}"))
        if number not in self.recursive and not self.faulty(code):
            self.sure.add(f"f{number}")

    def guarded(self, what: str, write: Callable[[], T], where: Span | None = None) -> T | None:
        """What a function writes; None where there is no C for it, which is noted with its line, or where nothing ever comes."""
        try:
            return write()
        except Unreached:
            return None
        except Unsupported as why:
            self.handed_over.append((where, what, str(why)))
            return None

    def equal(self, a: Val, b: Val, sign: str) -> str:
        """The C of a test whether two values are equal (`==`) or differ (`!=`)."""
        return equal(self, a, b, sign)

    def after(self, e: ir.After, env: Env) -> Val:
        """A value in the position that a procedure would leave: it is run, and the position put back."""
        facts = self.types.given[e.procedure]
        given = ["0" if f is None else self.fitted(a, env, f) for a, f in zip(e.args, facts, strict=True)]
        outer, self.there = self.there, frozenset()
        kept, self.once_kept = self.once_kept, False
        v = self.expr(e.value, env)
        self.there, self.once_kept = outer, kept
        if v.known:
            v = Val(self.as_form(v, self.form(v.fact)), self.form(v.fact), v.fact)
        run = f"if(P{e.procedure}({','.join(['S', '0', *given])})==WAIT)fault(S);"
        return replace(v, code=looked(e.procedure, run, v.code, self.type(v.form), self.name(), kept))

    # --- loops -------------------------------------------------------------------------------------------------
    def each(self, e: ir.Expr, env: Env, body: Body, cost: int = 1) -> str:
        """A loop over the items of an expression; `break` in the body leaves it."""
        match e:
            case ir.Const(tuple() as value):
                return self.each_constant(value, body, cost)
            case ir.Op(name, (inner,)) if facts_of(name).identity:
                return self.each(inner, env, body, cost)
            case ir.Comp(key=None):
                return self.each_comp(e, env, body)
            case ir.Op(operators.INTERVAL, (low, high)):
                return self.each_between(low, high, env, body, cost)
            case ir.Op(name, (player, ir.Const(int() as n))) if facts_of(name).result is Result.TURN_ORDER:
                p, x, k = self.index(self.expr(player, env), n), self.name(), self.name("k")
                turn = f"{k}++,{x}={x}+1>={n}?0:{x}+1"
                return f"{{V {x}={p}; for(int {k}=0;{k}<{n};{turn}){{{body(Val(x, NUMBER, below(n)))}}}}}"
            case ir.Op(name, (ir.Const(int() as n),)) if facts_of(name).result is Result.SEATS:
                x = self.name()
                return f"for(V {x}=0;{x}<{n};{x}++){{{body(Val(x, NUMBER, below(n)))}}}"
            case ir.Op(operators.CONCAT, (a, ir.Const(()))) | ir.Op(operators.CONCAT, (ir.Const(()), a)):
                return self.each(a, env, body, cost)
            case ir.Op(name) if facts_of(name).c.form is CForm.BAG_WAYS:
                return each_way(Call(self, name, e.args, env), body)
        return self.each_of(self.made_here(e, env), body, cost)

    def made_here(self, e: ir.Expr, env: Env) -> Val:
        """The C of an expression that is looked at where it is made."""
        return made_here(self, e, env)

    def each_between(self, low: ir.Expr, high: ir.Expr, env: Env, body: Body, cost: int) -> str:
        """A loop over the numbers from one to another."""
        a, b, x, h = self.expr(low, env), self.expr(high, env), self.name(), self.name("h")
        fact = op_result(operators.INTERVAL, [a.fact, b.fact]).item or ANY
        inside = body(Val(x, NUMBER, fact))
        bounds = f"V {x}={self.as_form(a, NUMBER)},{h}={self.as_form(b, NUMBER)};"
        return f"{{{bounds} SPAN(S,{x},{h},{cost}); for(;{x}<={h};{x}++){{{inside}}}}}"

    def each_comp(self, e: ir.Comp, env: Env, body: Body) -> str:
        """A loop over the items of a comprehension."""
        where = e.where
        cost = self.weights.item(e.where, e.value, e.key)

        def run(x: Val) -> str:
            inner = {**env, e.index: x}
            test = "" if where is None else f"if({self.test(where, inner)})"
            if e.value is None:
                return f"{test}{{{body(x)}}}"
            y = self.expr(e.value, inner)
            if y.known:
                return f"{test}{{{body(y)}}}"
            t = self.name()
            return f"{test}{{{self.type(y.form)} {t}={y.code}; {body(Val(t, y.form, y.fact))}}}"

        if where is not None:
            found = self.filtered(e.source, [where], e.index, env)
            if found is not None:
                where = conjunction(found[1])
                return self.each_of(found[0], run, cost)
        return self.each(e.source, env, run, cost)

    def keyed(self, comp: ir.Comp, env: Env, body: Callable[[Val, Val], str]) -> str:
        """A loop over items with their keys: `body(item, key)`, the key in a variable."""
        key = comp.key
        assert key is not None

        def run(x: Val) -> str:
            inner = {**env, comp.index: x}
            y = x if comp.value is None else self.expr(comp.value, inner)
            v, k = self.expr(key, inner), self.name("k")
            form = self.form(v.fact)
            code = f"{self.type(form)} {k}={self.as_form(v, form)}; {body(y, Val(k, form, v.fact))}"
            return code if comp.where is None else f"if({self.test(comp.where, inner)}){{{code}}}"

        return self.each(comp.source, env, run, self.weights.item(comp.where, comp.value, comp.key))

    def filtered(
        self, source: ir.Expr, tests: list[ir.Expr], index: int, env: Env, unordered: bool = False
    ) -> tuple[Val, list[ir.Expr]] | None:
        """The items that pass all tests that can be worked out for all of them at once, and the tests that are left.

        `unordered`: in what order they come does not matter.
        """
        _ = source, tests, index, env, unordered
        return None

    def lane(self, e: ir.Expr, env: Env) -> Val | None:
        """Some of a row of a table as a lane; None where it is none."""
        _ = e, env
        return None

    # --- operations ----------------------------------------------------------------------------------------------
    def op(self, name: str, e: ir.Op, env: Env) -> Val:
        """A function of the registry."""
        first = e.args[0] if e.args else None
        if name == operators.PART and isinstance(first, ir.Column):
            flat = self.row_of_column(first, e.args[1], env)
            if flat is not None:
                return flat
        if facts_of(name).identity:
            return self.expr(e.args[0], env)
        if isinstance(first, ir.Comp) and first.key is None and len(e.args) == 1:
            reduced = self.reduced(name, first, env)
            if reduced is not None:
                return reduced
        return operation(Call(self, name, e.args, env))

    def reduced(self, name: str, comp: ir.Comp, env: Env) -> Val | None:
        """What a function asks of a comprehension, answered by its loop; None where the collection is wanted."""
        if isinstance(comp.source, ir.Op) and comp.source.name == operators.CONCAT and comp.value is None:
            apart = [self.reduced(name, replace(comp, source=one), env) for one in comp.source.args]
            return self.put_together(name, [v for v in apart if v is not None])
        match facts_of(name).reduces:
            case Reduction.SOME | Reduction.NO_ITEM as wanted:
                yes = int(wanted is Reduction.SOME)
                some = self.some_masked(comp, env)
                if some is not None:
                    return Val(f"({'' if yes else '!'}({some}))", NUMBER, BOOL)
                r = self.name("r")
                loop = self.each(comp, env, lambda _: f"{r}={yes}; break;")
                return Val(f"({{V {r}={1 - yes}; {loop} {r};}})", NUMBER, BOOL)
            case Reduction.COUNT:
                masked = self.masked(comp, env)
                fact = op_result(name, [self.fact(comp, env)])
                if masked is not None and isinstance(masked.form, Bits):
                    return Val(f"pop{sets.letter(masked.form.words)}({masked.code})", NUMBER, fact)
                n = self.name("n")
                return Val(f"({{V {n}=0; {self.each(comp, env, lambda _: f'{n}++;')} {n};}})", NUMBER, fact)
        return None

    def put_together(self, name: str, parts: list[Val]) -> Val | None:
        """What a function asks of two collections, one behind the other, by what it asks of each; None where it asks something else."""
        codes = [v.code for v in parts]
        match facts_of(name).reduces:
            case Reduction.COUNT if codes:
                return Val(f"({'+'.join(codes)})", NUMBER, op_result(operators.ADD, [v.fact for v in parts]))
            case Reduction.SOME | Reduction.NO_ITEM as wanted if codes and not any(map(self.faulty, codes[1:])):
                return Val(f"({('||' if wanted is Reduction.SOME else '&&').join(codes)})", NUMBER, BOOL)
        return None

    def some_masked(self, comp: ir.Comp, env: Env) -> str | None:
        """C of whether a comprehension has items, where its tests can be worked out for all at once: of `or`, one after the other."""
        match comp.where:
            case ir.Cond(first, ir.Const(True), second):
                a = self.some_masked(replace(comp, where=first), env)
                b = None if a is None else self.some_masked(replace(comp, where=second), env)
                if a is not None and b is not None and not self.faulty(b):
                    return f"{a}||{b}"
        masked = self.masked(comp, env)
        return None if masked is None else sets.some(masked.code, self.type(masked.form))

    def masked(self, comp: ir.Comp, env: Env) -> Val | None:
        """The items of a comprehension as a set of one word, where its tests can be worked out for all of them at once."""
        if comp.where is None or comp.value is not None:
            return None
        found = self.filtered(comp.source, [comp.where], comp.index, env, unordered=True)
        return None if found is None or found[1] else found[0]


def whole_range(e: ir.Expr) -> int | None:
    """How many numbers a constant collection holds that are 0, 1, ...; None for any other."""
    value = e.value if isinstance(e, ir.Const) else None
    return len(value) if isinstance(value, tuple) and value and value == tuple(range(len(value))) else None


def plus(offset: int, index: str) -> str:
    """An index behind an offset."""
    return index if not offset else str(offset) if index == "0" else f"{offset}+{index}"

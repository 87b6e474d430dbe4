"""What all that writes C shares: names, tables of constants, and values in another form.

C is made of the numbers of the program and of templates of this package; nothing that an author wrote is in it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from interpreter.native.emitter import sets
from interpreter.native.emitter.calls import has_effect, may_fail
from interpreter.native.emitter.forms import (
    EMPTY,
    NUMBER,
    UNKNOWN,
    Bits,
    Empty,
    Entry,
    Form,
    Forms,
    Lane,
    Maybe,
    Number,
    Pick,
    Record,
    Row,
    Val,
    assigned,
    hashed,
    word_of,
)
from interpreter.native.emitter.functions import Function, Head
from interpreter.native.emitter.hashing import hash_of
from interpreter.native.emitter.inference import Types
from interpreter.native.emitter.spreading import spread
from interpreter.native.emitter.texts import Block, Place, Variable, part_of
from interpreter.native.emitter.types import Unsupported, as_pick, join, within
from rulespec import ir
from rulespec.analysis.domain import ANY, TEXT, Fact, below, holds, of_value
from rulespec.ir.walk import called, reachable_from
from rulespec.ir.weight import Weights
from rulespec.text.source import Span

Env = dict[int, Val]
FEW_COUNTED = 16  # a loop over a set that counts more at most counts the members that there are
Body = Callable[[Val], str]  # the C that is done with an item


class Writer(ABC):
    """Writes C for one program.  `handed_over` are the places that it has no code for: where, what, and why."""

    def __init__(self, program: ir.Program, types: Types, wide: bool) -> None:
        self.program = program
        self.types = types
        self.forms = Forms(types.texts, wide, types.short)
        self.none = self.forms.none
        self.weights = Weights(program.functions)
        self.tables: dict[Any, str] = {}
        self.prototypes: list[str | Head] = []
        self.functions: list[Function] = []
        self.small: list[str] = []  # functions that stand in all files, without a prototype
        self.handed_over: list[tuple[Span | None, str, str]] = []
        self.sure: set[str] = set()  # the functions of the game that are never a fault, as C calls them
        self.names = 0
        self.recursive = {
            k
            for k, f in enumerate(program.functions)
            if k in reachable_from(called(f.body), lambda n: called(program.functions[n].body))
        }

    # --- names and tables ------------------------------------------------------------------------------------
    def name(self, letter: str = "x") -> Variable:
        """A name that nothing else has."""
        self.names += 1
        return Variable(f"{letter}_{self.names}")

    def table(self, values: tuple[Any, ...], form: Form, fact: Fact) -> str:
        """The name of a constant array."""
        kept = self.forms.kept(fact, form)
        key = (repr(values), form, kept)
        if key not in self.tables:
            rows = ",".join(self.forms.braced(value, form) for value in values) or "0"
            self.tables[key] = f"T{len(self.tables)}"
            self.forms.declarations.append(f"static const {kept} {self.tables[key]}[{max(1, len(values))}]={{{rows}}};")
        return self.tables[key]

    def masks(self, rows: tuple[int, ...]) -> str:
        """The name of a constant array of sets, of one word or two."""
        words = 1 if max(rows, default=0) < 1 << 64 else 2
        key = ("masks", rows)
        if key not in self.tables:
            self.tables[key] = f"T{len(self.tables)}"
            inside = ",".join(sets.constant(row, words) for row in rows)
            self.forms.declarations.append(
                f"static const {word_of(64 * words)} {self.tables[key]}[{len(rows)}]={{{inside}}};"
            )
        return self.tables[key]

    def spread(self, rows: tuple[int, ...]) -> str | None:
        """The C function that gives all that is in the rows, sets of bits, of the numbers in a set; None where there is none."""
        key = ("spread", rows)
        if key not in self.tables:
            name = f"spread{len(self.tables)}"
            text = spread(name, rows)
            self.tables[key] = name if text else ""
            self.prototypes += [text] if text else []
        return self.tables[key] or None

    # --- values ------------------------------------------------------------------------------------------------
    def form(self, fact: Fact) -> Form:
        """The form of a type."""
        return self.forms.of(fact)

    def type(self, form: Form) -> str:
        """The C type of a form."""
        return self.forms.type(form)

    def number(self, code: str, fact: Fact) -> Val:
        """A number."""
        return Val(code, NUMBER, fact)

    def constant(self, value: Any) -> Val:
        """A constant, in the form of its own type if it has one."""
        if isinstance(value, str):
            number = self.types.texts.number(value)
            return Val(f"{number}LL", NUMBER, TEXT, value)
        fact = of_value(value)
        try:
            form = self.form(fact)
            return Val(self.forms.constant(value, form), form, fact, value)
        except Unsupported:
            return Val("?", UNKNOWN, fact, value)

    def as_form(self, v: Val, form: Form) -> str:
        """The C of a value in another form; raises Unsupported."""
        if v.known and (v.form != form or v.form == UNKNOWN):
            return self.forms.constant(v.const, form)
        if v.form == form:
            return v.code
        if isinstance(v.form, Maybe):
            return self.from_maybe(v, v.form, form)
        if isinstance(form, Maybe):
            if v.fact.what == "never":
                return self.forms.zero(form)
            return f"({self.type(form)}){{1,{self.as_form(v, form.inner)}}}"
        match v.form, form:
            case Bits(have), Bits(want):
                return sets.rewidened(v.code, have, want, self.name())
            case _, Pick():
                return self.as_pick(v)
            case ((Bits() | Lane() | Row() | Empty()), (Bits() | Row())):
                return self.refilled(v, form)
            case ((Row() | Record()), (Record() | Row())):
                return self.restructured(v, form)
            case Bits(), Record(parts):
                row = Row(len(parts), NUMBER, "int16_t")
                return self.restructured(Val(self.refilled(v, row), row, v.fact), form)
            case Entry(), Entry():
                return self.widened(v, form)
        if v.form == EMPTY:
            return self.worked_out([v], self.forms.constant((), form))
        if v.fact.what == "never":
            return f"({{fault(S); {self.forms.zero(form)};}})"
        raise Unsupported(f"{type(v.form).__name__} as {type(form).__name__}")

    def worked_out(self, vals: Sequence[Val], code: str) -> str:
        """C that is known without some values, which are worked out all the same where that may be a fault."""
        first = " ".join(f"(void){v.code};" for v in vals if not v.known and has_effect(v.code))
        return f"({{{first} {code};}})" if first else code

    def faulty(self, code: str) -> bool:
        """Whether C may be a fault."""
        return may_fail(code, self.sure)

    def from_maybe(self, v: Val, have: Maybe, form: Form) -> str:
        """A value that may be none in another form: one that has no room for None where it is known to be there."""
        x = self.name()
        head = f"{self.type(have)} {x}={v.code};"
        inner = Val(part_of(x, ".v"), have.inner, replace(v.fact, none=False))
        if isinstance(form, Maybe):
            to = self.type(form)
            some = f"({to}){{1,{self.as_form(inner, form.inner)}}}"
            return f"({{{head} {x}.some?{some}:({to}){{0}};}})"
        return f"({{{head} if(!{x}.some)fault(S); {self.as_form(inner, form)};}})"

    def as_pick(self, v: Val) -> str:
        """The answer to a menu."""
        if v.form == NUMBER:
            return f"(Pick){{-1,-1,{{{v.code}}}}}"
        x = self.name()
        head = f"{self.type(v.form)} {x}={v.code};"
        match v.form:
            case Row(_, Number(), _):
                return f"({{{head} if({x}.n!=2)fault(S); (Pick){{{x}.a[0],-1,{{{x}.a[1]}}}};}})"
            case Bits(words):  # a pair that ascends
                t = sets.letter(words)
                return f"({{{head} if(pop{t}({x})!=2)fault(S); (Pick){{low{t}({x}),-1,{{top{t}({x})}}}};}})"
            case Record(parts) if parts == (NUMBER, NUMBER):
                return f"({{{head} (Pick){{{x}.f0,-1,{{{x}.f1}}}};}})"
            case Record((Number(), _)):
                args, p = self.name("s"), self.name("p")
                row = Row(self.types.most_arguments(), NUMBER, "int64_t")
                copy = f"Pick {p}={{{x}.f0,{args}.n}}; for(int i=0;i<{args}.n;i++){p}.a[i]={args}.a[i];"
                return f"({{{head} {self.type(row)} {args}={self.as_form(self.parts_of(v, x)[1], row)}; {copy} {p};}})"
        raise Unsupported(f"{v.form} as the answer to a menu")

    def of_case(self, v: Val, form: Form) -> Val:
        """What an option is about: a piece where a number is wanted, otherwise the arguments of what lasts."""
        x, (piece, args) = self.name(), v.fact.parts or (ANY, ANY)
        head = f"Pick {x}={v.code};"
        if form == NUMBER:
            return Val(f"({{{head} if({x}.n>=0)fault(S); *{x}.a;}})", NUMBER, piece)
        o, row = self.name("o"), Row(self.types.most_arguments(), NUMBER, "int64_t")
        copy = f"{self.type(row)} {o}={{{x}.n}}; for(int i=0;i<{x}.n;i++){o}.a[i]={x}.a[i];"
        return Val(f"({{{head} if({x}.n<0)fault(S); {copy} {o};}})", row, replace(args, ordered=False))

    def refilled(self, v: Val, form: Form) -> str:
        """The items of a collection in a collection of another form."""
        out = self.name("o")
        fill = self.each_of(v, self.adder(out, form))
        return Block(f"{self.forms.fresh(out, form)} {fill}", out)

    def restructured(self, v: Val, form: Form) -> str:
        """The parts of a record in another form of record or list."""
        x = self.name()
        head = f"{self.type(v.form)} {x}={v.code};"
        parts = self.parts_of(v, x)
        match form:
            case Record(wanted):
                if len(parts) < len(wanted):
                    raise Unsupported("a record of more parts")
                test = f"if({x}.n!={len(wanted)})fault(S); " if isinstance(v.form, Row) else ""
                inside = ",".join(self.as_form(p, f) for p, f in zip(parts, wanted, strict=False))
                return f"({{{head} {test}({self.type(form)}){{{inside}}};}})"
            case Row(most, item) if isinstance(v.form, Record) and len(parts) <= most:
                inside = ",".join(self.as_form(p, item) for p in parts)
                return f"({{{head} ({self.type(form)}){{{len(parts)},{{{inside}}}}};}})"
        return self.refilled(v, form)

    def parts_of(self, v: Val, x: str) -> list[Val]:
        """The parts of a record, or of a list of so many items at most, that is in a C variable."""
        facts = v.fact.parts
        match v.form:
            case Record(parts):
                return [Val(part_of(x, f".f{k}"), f, facts[k] if facts else ANY) for k, f in enumerate(parts)]
            case Row(most, item):
                one = v.fact.item or ANY
                return [Val(part_of(x, f".a[{k}]"), item, facts[k] if facts else one) for k in range(most)]
        raise Unsupported("parts of something else")

    def widened(self, v: Val, form: Entry) -> str:
        """An entry of a queue with room for more arguments."""
        x, o = self.name(), self.name("o")
        head = f"{self.type(v.form)} {x}={v.code}; {self.type(form)} {o}={{{x}.rule,{x}.n}};"
        return f"({{{head} for(int i=0;i<{x}.n;i++){o}.a[i]={x}.a[i]; {o};}})"

    def index(self, v: Val, size: int) -> str:
        """A number as an index below a size, tested unless its type says so."""
        code = self.as_form(v, NUMBER)
        return code if v.fact.within(0, size - 1) else f"at_(S,{code},{size})"

    # --- values that must be of a type ---------------------------------------------------------------------------
    def fit(self, v: Val, fact: Fact) -> str:
        """The C of a value as one of a type, tested where that is not known: outside, the reference machine goes on."""
        form = self.form(fact)
        if v.known and fact.what in ("int", "items"):
            if not (isinstance(v.const, str) or holds(fact, v.const) or within(of_value(v.const), fact)):
                return f"({{fault(S); {self.forms.zero(form)};}})"
            return self.as_form(v, form)
        if v.fact.what == "case" and fact.what != "case":
            v = self.of_case(v, form)
        if within(v.fact, fact) or fact.what in ("pick", "case", "entry"):
            return self.as_form(v, form)
        return self.tested(v, fact, form)

    def tested(self, v: Val, fact: Fact, form: Form) -> str:
        """A value with a test of whether it is of a type."""
        match form:
            case Number():
                if fact.what == "never":
                    return f"none_(S,{self.as_form(v, NUMBER)},{self.none})"
                test = "ranged_or" if fact.none else "ranged"
                end = f",{self.none}" if fact.none else ""
                low = "INT64_MIN+1" if fact.low is None else f"{fact.low}LL"
                high = "INT64_MAX" if fact.high is None else f"{fact.high}LL"
                return f"{test}(S,{self.as_form(v, NUMBER)},{low},{high}{end})"
            case Bits(words):
                item = fact.item
                top = 64 * words if item is None or item.high is None else item.high + 1
                return f"subset{sets.letter(words)}(S,{self.as_form(v, form)},{sets.constant((1 << top) - 1, words)})"
            case Maybe():
                return self.tested_maybe(v, fact, form)
            case Row() if fact.item is not None and not isinstance(v.form, Record):
                return self.tested_row(v, fact, form)
            case Record() | Row() if fact.parts is not None:
                x = self.name()
                own = self.parts_of(v, x)
                inside = ",".join(self.fit(p, f) for p, f in zip(own, fact.parts, strict=False))
                head = f"{self.type(v.form)} {x}={v.code};"
                if isinstance(v.form, Row):
                    head += f" if({x}.n!={len(fact.parts)})fault(S);"
                made = f"{{{inside}}}" if isinstance(form, Record) else f"{{{len(fact.parts)},{{{inside}}}}}"
                return f"({{{head} ({self.type(form)}){made};}})"
        raise Unsupported("a value that might be of another type")

    def tested_maybe(self, v: Val, fact: Fact, form: Maybe) -> str:
        """A value that may be none, tested where it is there."""
        bare = replace(fact, none=False)
        if not isinstance(v.form, Maybe):
            return f"({self.type(form)}){{1,{self.fit(v, bare)}}}"
        x = self.name()
        there = Val(part_of(x, ".v"), v.form.inner, replace(v.fact, none=False))
        to = self.type(form)
        head = f"{self.type(v.form)} {x}={v.code};"
        return f"({{{head} {x}.some?({to}){{1,{self.fit(there, bare)}}}:({to}){{0}};}})"

    def tested_row(self, v: Val, fact: Fact, form: Row) -> str:
        """A list with each item tested."""
        out, one = self.name("o"), fact.item
        assert one is not None

        def put(x: Val) -> str:
            return f"if({out}.n>={form.most})full(S); {out}.a[{out}.n++]={self.fit(x, one)};"

        order = f" ASCENDING(S,{out});" if fact.ordered else ""
        head = f"{self.type(form)} {out}={self.forms.zero(form)};"
        return Block(f"{head} {self.each_of(v, put)}{order}", out)

    # --- collections ---------------------------------------------------------------------------------------------
    def adder(self, out: str, form: Form) -> Body:
        """What puts an item into a collection that is a C variable."""

        def add(x: Val) -> str:
            match form:
                case Bits(words):
                    letter = sets.letter(words)
                    if x.form == NUMBER and x.fact.within(0, 64 * words - 1):
                        return sets.put(out, x.code, letter)
                    return f"{out}|=bit{letter}(S,{self.as_form(x, NUMBER)});"
                case Row(most, item):
                    end = f"{out}.a[{out}.n-1]"
                    mixed = f" {end}.h={hash_of(item, end)};" if hashed(item) else ""
                    put = assigned(f"{out}.a[{out}.n]", self.as_form(x, item), item)
                    return f"if({out}.n>={most})full(S); {put} {out}.n++;{mixed}"
            if form == EMPTY:
                return "fault(S);"
            raise Unsupported("a collection of another form")

        return add

    def held(self, v: Val) -> tuple[str, str]:
        """C that keeps a value, and what it is called then: where it lies already, only its place is kept."""
        if isinstance(v.code, Variable):
            return "", v.code
        x = self.name()
        if isinstance(v.code, Place):
            return f"const {self.type(v.form)}*{x}=&{v.code};", Place(f"(*{x})")
        return self.forms.declared(x, v.code, v.form), x

    def bound(self, v: Val) -> tuple[str, Val]:
        """C that binds a value to a name, and the value by that name."""
        if v.known:
            return "", v
        x = self.name("ev")
        return self.forms.declared(x, v.code, v.form), Val(x, v.form, v.fact)

    def each_of(self, v: Val, body: Body, cost: int = 1) -> str:
        """A loop over the items of a collection; `break` in the body leaves it."""
        if v.known:
            return self.each_constant(v.const, body, cost)
        x, fact = self.name(), v.fact.item or ANY
        match v.form:
            case Bits(words):
                m, letter = self.name("m"), sets.letter(words)
                item = fact if fact.within(0, 64 * words - 1) else below(64 * words)
                inside = body(Val(x, NUMBER, item))
                most = min(64 * words, v.fact.size or 64 * words)
                head = f"{letter} {m}={v.code}; {charge_members(m, letter, most, cost)}"
                return f"{{{head}{sets.each(m, x, letter, inside)}}}"
            case Lane(words, down):
                m, letter, d = self.name("m"), sets.letter(words), self.name("d")
                inside = body(Val(x, NUMBER, fact))
                take = f"V {x}={d}?top{letter}({m}):low{letter}({m}); {m}&=~(({letter})1<<{x});"
                paid = charge_members(m, letter, v.fact.size or 64 * words, cost)
                return f"{{{letter} {m}={v.code}; {paid}int {d}={down}; for(;{m};){{{take} {inside}}}}}"
            case Row(_, item_form):
                k = self.name("k")
                hold, s = self.held(v)
                one = part_of(s, f".a[{k}]")
                if isinstance(item_form, Row | Record | Maybe):  # they may be long: they are looked at where they are
                    bind, inside = "", body(Val(one, item_form, fact))
                else:
                    bind, inside = f"{self.type(item_form)} {x}={one};", body(Val(x, item_form, fact))
                paid = f"FUEL(S,{s}.n*{cost}+1); "
                return f"{{{hold} {paid}for(int {k}=0;{k}<{s}.n;{k}++){{{bind} {inside}}}}}"
            case Record():
                s, left = self.name("s"), self.name("q")
                steps = [body(p) for p in self.parts_of(v, s)]
                # A step may leave the loop: what comes behind is left out.
                steps = [f"if(!{left}){{{left}=1; do {{{step} {left}=0;}} while(0);}}" for step in steps]
                return f"{{{self.type(v.form)} {s}={v.code}; int {left}=0; {' '.join(steps)}}}"
            case Maybe(inner):
                s = self.name("s")
                there = Val(part_of(s, ".v"), inner, replace(v.fact, none=False))
                return f"{{{self.type(v.form)} {s}={v.code}; if(!{s}.some)fault(S); {self.each_of(there, body, cost)}}}"
        if v.form == EMPTY:
            return f"{self.worked_out([v], '0')};"
        raise Unsupported(f"a loop over {type(v.form).__name__}")

    def each_constant(self, value: Any, body: Body, cost: int = 1) -> str:
        """A loop over the items of a constant."""
        if not isinstance(value, tuple):
            raise Unsupported("a loop over one value")
        if not value:
            return ";"
        x, k, fact = self.name(), self.name("k"), of_value(value).item or ANY
        if fact.what == "any":
            fact = self.common(value)
        form, paid = self.form(fact), charge(len(value) * cost)
        if (
            form == NUMBER
            and None not in value
            and list(value) == list(range(int(value[0]), int(value[0]) + len(value)))
        ):
            inside = body(Val(x, NUMBER, fact))
            return f"{paid}for(V {x}={int(value[0])};{x}<={int(value[-1])};{x}++){{{inside}}}"
        name = self.table(value, form, fact)
        inside = body(Val(x, form, fact))
        return f"{paid}for(int {k}=0;{k}<{len(value)};{k}++){{{self.type(form)} {x}={name}[{k}]; {inside}}}"

    def common(self, values: tuple[Any, ...]) -> Fact:
        """The type of the answers to a menu that are constants."""
        facts = [as_pick(of_value(value)) for value in values]
        if any(f.what != "pick" or f.parts is None for f in facts):
            raise Unsupported("constants of different types")
        return join(*facts)

    # --- what `ExpressionWriter` does ----------------------------------------------------------------------------
    @abstractmethod
    def expr(self, e: ir.Expr, env: Env) -> Val:
        """The C of an expression; raises Unsupported."""

    @abstractmethod
    def fold(self, e: ir.Fold, env: Env, *, here: bool = False) -> Val:
        """A value that each item makes another.  `here`: its items are gone through where it is made."""

    @abstractmethod
    def made_here(self, e: ir.Expr, env: Env) -> Val:
        """The C of an expression that is looked at where it is made."""

    @abstractmethod
    def each(self, e: ir.Expr, env: Env, body: Body) -> str:
        """A loop over the items of an expression."""

    @abstractmethod
    def equal(self, a: Val, b: Val, sign: str) -> str:
        """The C of a test whether two values are equal (`==`) or differ (`!=`)."""

    @abstractmethod
    def collect(self, e: ir.Expr, env: Env) -> Val:
        """An expression that makes a collection item by item."""

    @abstractmethod
    def lane(self, e: ir.Expr, env: Env) -> Val | None:
        """Some of a row of a table as a lane; None where it is none."""

    @abstractmethod
    def keyed(self, comp: ir.Comp, env: Env, body: Callable[[Val, Val], str]) -> str:
        """A loop over items with their keys."""

    def fact(self, e: ir.Expr, env: Env) -> Fact:
        """The type of an expression."""
        return self.types.fact(e, {k: v.fact for k, v in env.items()})

    def test(self, e: ir.Expr, env: Env) -> str:
        """The C of a number or a condition."""
        return self.as_form(self.expr(e, env), NUMBER)

    def fitted(self, e: ir.Expr, env: Env, fact: Fact) -> str:
        """The C of an expression as a value of a type."""
        return self.fit(self.expr(e, env), fact)


def charge(items: int) -> str:
    """C that counts the items of a loop."""
    return f"FUEL(S,{items + 1}); "


def charge_members(name: str, letter: str, most: int, cost: int) -> str:
    """C that counts the items of a loop over a set, `most` at most, that is a C variable."""
    return f"FUEL(S,pop{letter}({name})*{cost}+1); " if most * cost > FEW_COUNTED else charge(most * cost)

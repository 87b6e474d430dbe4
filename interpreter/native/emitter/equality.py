"""Whether two values are equal, whatever their forms."""

from __future__ import annotations

from dataclasses import replace

from interpreter.native.emitter.forms import (
    EMPTY,
    NUMBER,
    SMALL_NONE,
    Bits,
    Empty,
    Maybe,
    NeedsWide,
    Number,
    Pick,
    Record,
    Row,
    Val,
)
from interpreter.native.emitter.sets import same
from interpreter.native.emitter.texts import Comparison, part_of
from interpreter.native.emitter.types import Unsupported
from interpreter.native.emitter.writer import Writer
from rulespec.analysis.domain import ANY, Fact


def equal(w: Writer, a: Val, b: Val, sign: str) -> str:
    """The C of a test whether two values are equal (`==`) or differ (`!=`); raises Unsupported."""
    test = equality(w, a, b)
    if sign == "==":
        return test
    return test.negated if isinstance(test, Comparison) else f"!{test}"


def equality(w: Writer, a: Val, b: Val) -> str:
    """The C of a test whether two values are equal; raises Unsupported."""
    if a.known and b.known:
        return str(int(a.const == b.const))
    if a.known:
        a, b = b, a
    if b.known:
        b = like(w, a, b)
    if "case" in (a.fact.what, b.fact.what):
        raise Unsupported("whether what an option is about is equal to something")
    match a.form, b.form:
        case Number(), Number():
            if a.fact.none != b.fact.none and not w.forms.wide and (has_small(a.fact) or has_small(b.fact)):
                raise NeedsWide
            return Comparison(a.code, b.code)
        case Maybe(), Maybe():
            return of_maybes(w, a, b)
        case Maybe(), _:
            return with_maybe(w, a, b)
        case _, Maybe():
            return equality(w, b, a)
        case ((Bits() | Empty()), (Bits() | Empty())):
            form = Bits(max(f.words if isinstance(f, Bits) else 1 for f in (a.form, b.form)))
            return same(w.as_form(a, form), w.as_form(b, form), w.type(form))
        case Pick(), Number():
            x = w.name()
            return f"({{Pick {x}={a.code}; {x}.rule==-1&&*{x}.a=={b.code};}})"
        case Number(), Pick():
            return equality(w, b, a)
        case (Pick(), _) | (_, Pick()):
            x, y = w.name(), w.name()
            return f"({{Pick {x}={w.as_form(a, Pick())},{y}={w.as_form(b, Pick())}; same_pick(&{x},&{y});}})"
        case Record(parts), (Record() | Row()):
            wanted = Record(tuple(parts))
            other = b if b.form == wanted or isinstance(b.form, Record) else Val(w.as_form(b, wanted), wanted, b.fact)
            return of_records(w, a, other)
        case Row(), Record():
            return equality(w, b, a)
        case ((Row() | Bits() | Empty()), (Row() | Bits() | Empty())):
            return of_rows(w, a, b)
        case (Number(), _) | (_, Number()):
            return "0"
    raise Unsupported(f"whether {type(a.form).__name__} is {type(b.form).__name__}")


def has_small(fact: Fact) -> bool:
    """Whether a number may be the one that stands for None."""
    return fact.what == "int" and (fact.low is None or fact.low <= SMALL_NONE)


def like(w: Writer, a: Val, b: Val) -> Val:
    """A constant in a form that can be compared with a value."""
    if b.const is None:
        return Val(w.none, NUMBER, b.fact)
    for form in (a.form, a.form.inner if isinstance(a.form, Maybe) else a.form):
        try:
            return Val(w.forms.constant(b.const, form), form, b.fact)
        except Unsupported:
            continue
    return b


def with_maybe(w: Writer, a: Val, b: Val) -> str:
    """A value that may be none, and one of another form."""
    assert isinstance(a.form, Maybe)
    x, y = w.name(), w.name()
    head = f"{w.type(a.form)} {x}={a.code};"
    if b.fact.what == "never":
        return f"({{{head} !{x}.some;}})"
    there = Val(part_of(x, ".v"), a.form.inner, replace(a.fact, none=False))
    return f"({{{head} {w.type(b.form)} {y}={b.code}; {x}.some&&{equality(w, there, replace(b, code=y, const=...))};}})"


def of_maybes(w: Writer, a: Val, b: Val) -> str:
    """Two values that may be none."""
    assert isinstance(a.form, Maybe) and isinstance(b.form, Maybe)
    x, y = w.name(), w.name()
    one = Val(part_of(x, ".v"), a.form.inner, replace(a.fact, none=False))
    two = Val(part_of(y, ".v"), b.form.inner, replace(b.fact, none=False))
    head = f"{w.type(a.form)} {x}={a.code}; {w.type(b.form)} {y}={b.code};"
    return f"({{{head} {x}.some=={y}.some&&(!{x}.some||{equality(w, one, two)});}})"


def of_records(w: Writer, a: Val, b: Val) -> str:
    """Two records."""
    x, y = w.name(), w.name()
    ones, twos = w.parts_of(a, x), w.parts_of(b, y)
    if len(ones) != len(twos):
        return "0"
    tests = "&&".join(equality(w, p, q) for p, q in zip(ones, twos, strict=True)) or "1"
    return f"({{{w.type(a.form)} {x}={a.code}; {w.type(b.form)} {y}={b.code}; {tests};}})"


def of_rows(w: Writer, a: Val, b: Val) -> str:
    """Two lists, or a list and a set."""
    r = w.name("r")
    holds, lists, items = [], [], []
    for v in (a, b):
        if v.form == EMPTY:
            hold, x = w.held(b if v is a else a)
            return w.worked_out([v], f"({{{hold} {x}.n==0;}})")
        form = (
            v.form
            if isinstance(v.form, Row)
            else Row(64 * v.form.words if isinstance(v.form, Bits) else 1, NUMBER, "int16_t")
        )
        hold, x = w.held(Val(w.as_form(v, form), form, v.fact))
        holds.append(hold)
        lists.append(x)
        items.append(Val(part_of(x, ".a[i]"), form.item, v.fact.item or ANY))
    test = equality(w, items[0], items[1])
    if all(isinstance(v.form, Row) and v.form.item == NUMBER for v in (a, b)) and a.form == b.form:
        return f"({{{' '.join(holds)} SAME_ROWS({lists[0]},{lists[1]});}})"
    loop = f"V {r}={lists[0]}.n=={lists[1]}.n; for(int i=0;{r}&&i<{lists[0]}.n;i++){r}={test};"
    return f"({{{' '.join(holds)} {loop} {r};}})"

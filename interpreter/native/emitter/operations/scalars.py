"""Functions of numbers: the templates that stand at their definitions, and functions of few numbers as tables of results."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from interpreter.native.emitter.forms import NUMBER, Maybe, Val
from interpreter.native.emitter.operations.call import Call, Writers
from interpreter.native.emitter.tabulation import FAULT
from interpreter.native.emitter.texts import Block, Place, part_of
from interpreter.native.emitter.types import Unsupported
from rulespec import ir
from rulespec.analysis.domain import BOOL, Fact, of_value
from rulespec.analysis.transfer import bounded
from rulespec.language.facts import CForm
from rulespec.language.registry import facts as facts_of

HOLE = re.compile(r"\$([a-z])")


def template(call: Call) -> Val:
    """A call as its template says."""
    own = facts_of(call.name).c
    args = [call.number(k) for k in range(len(call.args))]
    text = own.template if call.fact.bounded or not own.tested else own.tested
    if own.sure and call.args[-1] == ir.Const(facts_of(call.name).total_for):
        text = own.sure
    if "$b" in text and len(args) != len(set(HOLE.findall(text))):  # of any number of arguments, one by one
        code = args[0]
        for other in args[1:]:
            code = HOLE.sub(lambda m, a=code, b=other: {"a": a, "b": b}[m[1]], text)  # type: ignore[misc]
        return call.gives_number(code)
    return call.gives_number(HOLE.sub(lambda m: args[ord(m[1]) - ord("a")], text))


def tabulated(call: Call) -> Val:
    """A call whose arguments are constants but for a few numbers of small ranges: a table of all results."""
    made = call.w.types.tables.of(call.name, call.args, [v.fact for v in call.vals])
    if made is None or made.fact is None:
        raise Unsupported(f"{call.name} of such values")
    form = call.w.form(made.fact)
    at = place(call, made.domains)
    filler = made.good[0]
    name = call.w.table(tuple(filler if r is FAULT else r for r in made.results), form, made.fact)
    if len(made.good) == len(made.results):
        return Val(Place(f"{name}[{at}]"), form, made.fact)
    bad = call.w.table(tuple(int(r is FAULT) for r in made.results), NUMBER, BOOL)
    k = call.w.name("k")
    return Val(f"({{int {k}={at}; if({bad}[{k}])fault(S); {name}[{k}];}})", form, made.fact)


def place(call: Call, domains: list[tuple[Any, ...]]) -> str:
    """The C of the place in a table of results."""
    at = "0"
    for v, domain in zip(call.vals, domains, strict=True):
        if len(domain) == 1:
            continue
        if isinstance(v.form, Maybe):
            raise Unsupported("a table of values that may be none")
        low = v.fact.low
        k = f"({{V k={v.code}; k=={call.w.none}?0:k-({low})+1;}})" if v.fact.none else f"({v.code}-({low}))"
        at = k if at == "0" else f"({at})*{len(domain)}+{k}"
    return at


def equal(call: Call) -> Val:
    """`eq` and `ne`."""
    a, b = call.vals
    return call.gives_test(same(call, a, b, "==" if call.name == "eq" else "!="))


def same(call: Call, a: Val, b: Val, sign: str) -> str:
    """Whether two values are equal, or differ."""
    return call.w.equal(a, b, sign)


def is_none(call: Call) -> Val:
    """Whether there is nothing."""
    v = call.vals[0]
    if isinstance(v.form, Maybe):
        return call.gives_test(f"(!({v.code}).some)")
    if v.fact.none:
        return call.gives_test(f"({v.code}=={call.w.none})")
    return call.gives_test(f"({v.code},0)" if not v.known else "0")


def narrow(call: Call) -> Val:
    """The first, if the second holds."""
    x = call.w.name()
    v = call.vals[0]
    return Val(f"({{V {x}={call.number(0)}; if(!{call.number(1)})fault(S); {x};}})", v.form, v.fact)


def in_range(call: Call) -> Val:
    """The first, if it lies between the second and the third, or is none."""
    v, low, high = call.w.expr(call.args[0], call.env), call.constant(1), call.constant(2)
    if v.fact.within(low, high) or v.fact.what == "never":
        return v
    x = call.w.name()
    fact = bounded(v.fact, of_value(low), of_value(high))
    some = f"{x}!={call.w.none}&&" if v.fact.none else ""
    return Val(
        f"({{V {x}={call.w.as_form(v, NUMBER)}; if({some}({x}<{low}||{x}>{high}))fault(S); {x};}})", NUMBER, fact
    )


def each_in_range(call: Call) -> Val:
    """The first, if each of its items lies between the second and the third."""
    v, low, high = call.w.expr(call.args[0], call.env), call.constant(1), call.constant(2)
    if v.fact.item is None or v.fact.item.within(low, high):
        return v
    x = call.w.name()
    test = call.w.each_of(replace(v, code=x, const=...), lambda y: f"if({y.code}<{low}||{y.code}>{high})fault(S);")
    item = bounded(v.fact.item, of_value(low), of_value(high))
    code = Block(f"{call.w.forms.declared(x, call.w.as_form(v, v.form), v.form)} {test}", x)
    return Val(code, v.form, replace(v.fact, item=item, parts=None))


def is_addition(call: Call) -> Val:
    """Whether the answer to a menu is the option of a rule."""
    v, rule = call.vals[0], call.number(1)
    x = call.w.name()
    return call.gives_test(f"({{{call.w.type(v.form)} {x}={v.code}; {rule_of(call, v, x)}=={rule};}})")


def rule_of(call: Call, v: Val, x: str) -> str:
    """The rule of a menu's answer that is in a C variable; -1 of a branch or of none."""
    match v.form:
        case Maybe(inner):
            return f"({x}.some?{rule_of(call, Val(part_of(x, '.v'), inner, v.fact), f'{x}.v')}:-1)"
    if v.fact.what in ("int", "never"):
        return "-1"
    if v.fact.what == "pick":
        return f"{x}.rule"
    return call.w.as_form(call.w.parts_of(v, x)[0], call.w.form(Fact("int", 0, 1)))


SCALARS: Writers = {
    CForm.EQUALITY: equal,
    CForm.ABSENCE: is_none,
    CForm.NARROWING: narrow,
    CForm.BOUNDING: in_range,
    CForm.HOLDING: each_in_range,
    CForm.ADDITION: is_addition,
}

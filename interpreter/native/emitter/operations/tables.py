"""Tables: a row under a key."""

from __future__ import annotations

from typing import Any

from interpreter.native.emitter.forms import NUMBER, Form, Val
from interpreter.native.emitter.operations.call import Call, Writers
from interpreter.native.emitter.texts import Place
from interpreter.native.emitter.types import Unsupported
from rulespec.analysis.domain import Fact
from rulespec.language.facts import CForm

MOST_KEYS = 1024  # of a table that is an array


def row(call: Call) -> Val:
    """The row under a key; without one a fault, or None."""
    rows, key, fact, form = call.constant(0), call.vals[1], call.fact, call.form
    if not rows:
        raise Unsupported("an empty table")
    lacking = call.w.forms.constant(None, form) if call.name == "row_or_none" else None
    if key.known:
        for k, value in rows:
            if k == key.const:
                return call.w.constant(value)
        if lacking is not None:
            return call.w.constant(None)
        raise Unsupported("a table without that row")
    if key.form == NUMBER:
        return of_numbers(call, rows, key, fact, form, lacking)
    missing = lacking or f"({{fault(S); {call.w.forms.zero(form)};}})"
    x = call.w.name()
    chain = missing
    for k, value in reversed(rows):
        test = call.w.equal(Val(x, key.form, key.fact), call.w.constant(k), "==")
        chain = f"{test}?{call.w.forms.constant(value, form)}:{chain}"
    return Val(f"({{{call.w.type(key.form)} {x}={key.code}; {chain};}})", form, fact)


def of_numbers(call: Call, rows: Any, key: Val, fact: Fact, form: Form, lacking: str | None) -> Val:
    """A table whose keys are numbers: an array where they lie close together."""
    table: dict[Any, Any] = {}
    for k, value in rows:
        table.setdefault(k, value)
    numbers = [int(k) for k in table if isinstance(k, int)]
    low, high = (min(numbers), max(numbers)) if numbers else (0, 0)
    x, i = call.w.name(), call.w.name("i")
    if len(numbers) < len(table) or high - low >= MOST_KEYS:
        chain = lacking or f"({{fault(S); {call.w.forms.zero(form)};}})"
        for k, value in reversed(table.items()):
            chain = f"{x}=={call.w.forms.number(k)}?{call.w.forms.constant(value, form)}:{chain}"
        return Val(f"({{V {x}={key.code}; {chain};}})", form, fact)
    anything = rows[0][1]
    full = tuple(table.get(k, None if lacking is not None else anything) for k in range(low, high + 1))
    name = call.w.table(full, form, fact)
    dense = len(numbers) == high - low + 1
    if dense and key.fact.within(low, high):
        return Val(Place(f"{name}[{key.code}-({low})]"), form, fact)
    if lacking is not None:
        test = f"({x}<{low}||{x}>{high})?{lacking}:{name}[{x}-({low})]"
        return Val(f"({{V {x}={key.code}; {test};}})", form, fact)
    head = f"V {x}={key.code}; V {i}=at_(S,{x}-({low}),{high - low + 1});"
    if dense:
        return Val(f"({{{head} {name}[{i}];}})", form, fact)
    there = Fact("int", 0, 1)
    known = call.w.table(tuple(int(k in table) for k in range(low, high + 1)), NUMBER, there)
    return Val(f"({{{head} if(!{known}[{i}])fault(S); {name}[{i}];}})", form, fact)


TABLES: Writers = {CForm.ROW: row}

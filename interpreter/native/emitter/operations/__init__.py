"""The functions of the registry as C, by name.

Functions of numbers have a template at their definition (`Facts.c`), those of few numbers and constants become tables of their
results; the others are written here.  What is in none of these is handed over to the reference machine.
"""

from __future__ import annotations

from dataclasses import replace

from interpreter.native.emitter.forms import MOST_ITEMS, SET, WIDE_SET, Val, outsized, unbounded
from interpreter.native.emitter.operations.bags import BAGS
from interpreter.native.emitter.operations.boards import BOARDS, size_of_group
from interpreter.native.emitter.operations.call import Call, Writers
from interpreter.native.emitter.operations.collections import COLLECTIONS
from interpreter.native.emitter.operations.maps import MAPS
from interpreter.native.emitter.operations.paying import PAYING
from interpreter.native.emitter.operations.ranked import RANKED
from interpreter.native.emitter.operations.scalars import SCALARS, tabulated, template
from interpreter.native.emitter.operations.tables import TABLES
from interpreter.native.emitter.slots import APART
from interpreter.native.emitter.texts import Block
from interpreter.python.facts import longest
from rulespec import ir
from rulespec.analysis.domain import Fact
from rulespec.ir.weight import FEW, TOLL, toll, tolled
from rulespec.language.facts import CForm
from rulespec.language.registry import builds
from rulespec.language.registry import facts as facts_of

WRITTEN: Writers = {**SCALARS, **COLLECTIONS, **RANKED, **BAGS, **TABLES, **BOARDS, **MAPS, **PAYING}


def operation(call: Call) -> Val:
    """The C of a call; raises Unsupported."""
    own, inner = facts_of(call.name).c, counted_group(call)
    if inner is not None:
        val = size_of_group(inner)
    elif own.form in WRITTEN:
        val = WRITTEN[own.form](call)
    else:
        val = template(call) if own.template else tabulated(call)
    cost = "+".join(filter(None, [tolls(call), tolls(inner) if inner else ""]))
    if val.known or not cost:
        return val
    code, fuel = val.code, f"FUEL(S,{cost});"
    paid = Block(f"{fuel} {code.body}", code.name) if isinstance(code, Block) else f"({{{fuel} {code};}})"
    return replace(val, code=paid)


def counted_group(call: Call) -> Call | None:
    """The call for cells that hang together, where only their number is asked for, of a board of many cells; None elsewhere."""
    e = call.args[0] if call.args else None
    if (
        facts_of(call.name).c.form is not CForm.SIZE
        or not isinstance(e, ir.Op)
        or facts_of(e.name).c.form is not CForm.GROUP
        or not isinstance(e.args[-1], ir.Const)
    ):
        return None
    inner = Call(call.w, e.name, e.args, call.env)
    return None if inner.form in (SET, WIDE_SET) else inner


def tolls(call: Call) -> str:
    """C of what a call counts for long collections that it goes through or makes, as many as they may have; "" for nothing.

    Of a variable with more room than that it counts the items that are there.
    """
    cost, counted = most(call.fact_of_loop()) if builds(call.name) else 0, []
    for n in tolled(call.name, call.args):
        arg = call.args[n]
        if isinstance(arg, ir.Const):
            cost += toll(arg.value)
            continue
        fact = call.w.fact(arg, call.env)
        if isinstance(arg, ir.Load) and arg.base not in APART and unbounded(fact):
            kept = call.w.expr(arg, call.env)
            if outsized(kept.form):
                within = longest(held(fact.item), MOST_ITEMS) if fact.item else 0
                counted.append(f"((V){kept.code}.n*{1 + (within or 0)}>>{TOLL})")
                continue
        cost += most(fact)
    return "+".join([*([str(cost)] if cost else []), *counted])


def most(fact: Fact) -> int:
    """What a value of a type counts at most."""
    items = longest(held(fact), MOST_ITEMS)
    return 0 if items is None or items <= FEW else items >> TOLL


def held(fact: Fact) -> Fact:
    """A type with the sizes that its lists have in C: those that may be long or of unknown size have few items."""
    if fact.what != "items":
        return fact
    size = MOST_ITEMS if unbounded(replace(fact, none=False)) else fact.size
    return replace(
        fact, size=size, item=fact.item and held(fact.item), parts=fact.parts and tuple(map(held, fact.parts))
    )

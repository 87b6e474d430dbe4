"""Closures of lists and of numbers without small bounds: `rulespec.checker.closure` makes a fold of each, whose pair of sets would be
copied at every step.  Written here is one loop instead, over what was new in the last round.  It counts what the fold would.
"""

from __future__ import annotations

from interpreter.native.emitter.forms import MOST_ITEMS, Number, Row, Val, assigned, roomy, unbounded
from interpreter.native.emitter.ordering import compared, sort
from interpreter.native.emitter.texts import Block, part_of
from interpreter.native.emitter.writer import Env, Writer
from interpreter.python.facts import longest
from rulespec import ir
from rulespec.analysis.domain import ANY, Fact
from rulespec.ir.weight import FEW, TOLL
from rulespec.language import operators
from rulespec.language.facts import CForm, Reduction, Result
from rulespec.language.registry import facts
from rulespec.system.records import dataclass


@dataclass(frozen=True, slots=True)
class Closure:
    """What a closure is made of: it begins with `start`; from local `item` a step leads to `found`; at most so many `rounds`.

    `body` is what the fold does in a round and `inner` what that does for an item: what is counted follows from these.
    """

    start: ir.Expr
    item: int
    found: ir.Expr
    rounds: int
    body: ir.Expr
    inner: ir.Expr


def closure_in(e: ir.Expr) -> Closure | None:
    """The closure that an expression is, in the shapes that the checker gives it; None where it is something else."""
    match e:
        case ir.Bind(state, ir.Fold() as fold, ir.Op(name, whole)) if facts(
            name
        ).c.form is CForm.SETTLING and whole == parts_of(state):
            return folded(fold)
        case ir.Op(
            operators.PART, (ir.Fold() as fold, ir.Const(0))
        ):  # of the members of a type there are rounds enough
            return folded(fold)
    return None


def folded(e: ir.Fold) -> Closure | None:
    """The closure whose known and new members a fold makes; None where it makes something else."""
    match e:
        case ir.Fold(acc, ir.Bind(begun, start, ir.Op(operators.PACK, pair)), _, ir.Const(tuple() as turns), body) if (
            pair == (ir.Local(begun),) * 2
        ):
            known, edge = parts_of(acc)
        case _:
            return None
    match body:
        case ir.Cond(
            ir.Op(name, (over,)),
            ir.Local(kept),
            ir.Bind(new, ir.Op(operators.WITHOUT, (ir.Fold(union, ir.Const(()), item, source, inner), before)), made),
        ) if (
            facts(name).reduces is Reduction.NO_ITEM
            and kept == acc
            and over == source == edge
            and before == known
            and made == ir.Op(operators.PACK, (ir.Op(operators.UNION, (known, ir.Local(new))), ir.Local(new)))
        ):
            pass
        case _:
            return None
    match inner:
        case ir.Op(operators.UNION, (ir.Local(joined), found)) if joined == union:
            return Closure(items_of(start), item, items_of(found), len(turns), body, inner)
    return None


def items_of(e: ir.Expr) -> ir.Expr:
    """What has the items of a set, in whatever order and however often."""
    return e.args[0] if isinstance(e, ir.Op) and facts(e.name).result is Result.AS_SET else e


def parts_of(local: int) -> tuple[ir.Expr, ir.Expr]:
    """The two parts of a pair that is a local."""
    first, second = (ir.Op(operators.PART, (ir.Local(local), ir.Const(part))) for part in (0, 1))
    return first, second


def closure(w: Writer, e: ir.Bind, env: Env, *, here: bool = False) -> Val | None:
    """What all can be come to, as a list; None where it is something else.  `here`: it is gone through where it is made."""
    found = closure_in(e)
    fact = None if found is None else w.fact(e, env)
    form = None if fact is None else w.form(fact)
    if not (found and fact and isinstance(form, Row)):
        return None
    return closed(w, found, roomy(form) if here and unbounded(fact) else form, fact, env)


def closed(w: Writer, c: Closure, form: Row, fact: Fact, env: Env) -> Val:
    """The C of a closure of a form and type."""
    known, edge, new, turn, k = (w.name(letter) for letter in "centk")
    paid, there = w.name("p"), w.name("h")  # the items of `new` and of all before, with those within them
    item = fact.item or ANY
    one, a, b = (Val(part_of(name, f".a[{at}]"), form.item, item) for name, at in ((edge, k), (known, "i"), (new, "j")))
    add = w.adder(new, form)

    def put(x: Val) -> str:
        return f"{add(Val(w.fit(x, item), form.item, item))} {paid}+={extent(form, item, f'{new}.a[{new}.n-1]')};"

    def copied(to: str, at: str, of: str, k: str) -> str:
        return assigned(f"{to}.a[{at}]", part_of(of, f".a[{k}]"), form.item)

    begun, steps = w.each(c.start, env, put), w.each(c.found, {**env, c.item: one}, put)
    order = sort(w, new, form, fact, True)
    # Both ascend: what is in `known` leaves `new`, and the rest is put among the others from behind.
    only = (
        f"int i=0,m=0; for(int j=0;j<{new}.n;j++){{int d=1; while(i<{known}.n&&(d={compared(w, a, b)})<0)i++; "
        f"if(i<{known}.n&&!d)continue; if(m!=j){{{copied(new, 'm', new, 'j')}}} m++;}} {new}.n=m;"
    )
    merge = (
        f"if({known}.n+{new}.n>{form.most})full(S); for(int i={known}.n-1,j={new}.n-1;j>=0;){{"
        f"if(i<0||{compared(w, a, b)}<0){{{copied(known, 'i+j+1', new, 'j')} j--;}}"
        f"else{{{copied(known, 'i+j+1', known, 'i')} i--;}}}} {known}.n+={new}.n;"
    )
    fuel, each = w.weights.item(c.body), w.weights.item(c.inner)
    around = f"for(int {k}=0;{k}<{edge}.n;{k}++){{{steps} FUEL(S,{toll_of(paid, 4)});}}"
    loop = (
        f"if({turn}>={c.rounds})fault(S); {there}+={paid}; {paid}=0; ROW({edge},{new}); {new}.n=0; "
        f"FUEL(S,{fuel}+{edge}.n*{each}+1); {around} FUEL(S,{toll_of(f'({there}+{paid})', 6)}); {order} {{{only}}} {merge}"
    )
    head = f"{w.type(form)} {known},{edge},{new}; V {paid}=0,{there}=0; {new}.n=0; {begun} {order} ROW({known},{new});"
    return Val(
        Block(f"{head} for(int {turn}=0;{new}.n;{turn}++){{{loop}}} FUEL(S,{fuel}+{toll_of(there, 1)});", known),
        form,
        fact,
    )


def extent(form: Row, item: Fact, code: str) -> str:
    """C of how many items an item of a list counts as, with those within it."""
    match form.item:
        case Row(_, Number()):
            return f"1+{code}.n"
        case Number():
            return "1"
    return f"{1 + (longest(item, MOST_ITEMS) or MOST_ITEMS)}"


def toll_of(items: str, times: int) -> str:
    """C of what going through so many items counts, so many times (see `ir.weight`)."""
    return f"{items}>{FEW}?{times}*({items}>>{TOLL}):0"

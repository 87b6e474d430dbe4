"""Functions of items with keys: the best, the items in order, groups, and returns that are made of them."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.native.emitter.forms import Bits, Form, Record, Row, Val
from interpreter.native.emitter.operations.call import Call, Writers
from interpreter.native.emitter.ordering import before
from interpreter.native.emitter.texts import Block, part_of
from interpreter.native.emitter.types import Unsupported
from rulespec import ir
from rulespec.analysis.domain import ANY, Fact
from rulespec.language.facts import CForm


def key_of(call: Call, comp: ir.Comp) -> tuple[Form, Fact]:
    """The form and type of the keys."""
    whole = call.w.fact(comp, call.env)
    parts = whole.item.parts if whole.item is not None else None
    if parts is None:
        raise Unsupported(f"{call.name} of pairs that are there")
    return call.w.form(parts[1]), parts[1]


def best(call: Call) -> Val:
    """All items with the highest or lowest key."""
    comp = call.args[0]
    if not isinstance(comp, ir.Comp):
        raise Unsupported(f"{call.name} of pairs that are there")
    fact = call.fact_of_loop()
    form, (key_form, key_fact) = call.w.form(fact), key_of(call, comp)
    o, some = call.w.name("o"), call.w.name("s")
    key = Val(call.w.name("b"), key_form, key_fact)
    zero = call.w.forms.zero(form)
    add = call.w.adder(o, form)

    def put(y: Val, k: Val) -> str:
        better = before(call.w, key, k) if call.name == "most" else before(call.w, k, key)
        start = f"if(!{some}||{better}){{{key.code}={call.w.as_form(k, key_form)};{some}=1;{o}={zero};{add(y)}}}"
        return f"{start}else if({call.w.equal(k, key, '==')}){{{add(y)}}}"

    loop = call.w.keyed(comp, call.env, put)
    head = f"{call.w.type(form)} {o}={zero}; {call.w.type(key_form)} {key.code}={call.w.forms.zero(key_form)}; int {some}=0;"
    return Val(f"({{{head} {loop} {o};}})", form, fact)


class Pairs:
    """A list of items with their keys, as C: `code` makes it under the name `q`."""

    def __init__(self, call: Call) -> None:
        comp = call.args[0]
        whole = call.w.fact(comp, call.env)
        parts = whole.item.parts if whole.item is not None else None
        if not isinstance(comp, ir.Comp) or parts is None:
            raise Unsupported(f"{call.name} of pairs that are there")
        self.call = call
        self.q = call.w.name("q")
        self.item, key = parts
        self.form = call.w.form(self.item)
        self.pair = Record((self.form, call.w.form(key)))
        self.key = key
        row = Row(max(1, min(whole.size or 64, 512)), self.pair, "")
        pair = call.w.type(self.pair)

        def put(y: Val, k: Val) -> str:
            given = f"{call.w.fit(y, self.item)},{call.w.as_form(k, self.pair.parts[1])}"
            return f"if({self.q}.n>={row.most})full(S); {self.q}.a[{self.q}.n++]=({pair}){{{given}}};"

        loop = call.w.keyed(comp, call.env, put)
        self.code = f"{call.w.type(row)} {self.q}={{0}}; {loop}"

    def key_at(self, place: str) -> Val:
        """The key of a pair."""
        return Val(part_of(place, ".f1"), self.pair.parts[1], self.key)

    def sorted(self, highest_first: bool) -> str:
        """C that sorts by the keys, equal ones as they are."""
        last, this = self.key_at(f"{self.q}.a[j-1]"), self.key_at("x")
        test = before(self.call.w, last, this) if highest_first else before(self.call.w, this, last)
        move = f"for(;j>0&&{test};j--){self.q}.a[j]={self.q}.a[j-1];"
        return f"for(int i=1;i<{self.q}.n;i++){{{self.call.w.type(self.pair)} x={self.q}.a[i]; int j=i; {move} {self.q}.a[j]=x;}}"


def sorted_by(call: Call) -> Val:
    """The items in the order of their keys."""
    pairs = Pairs(call)
    fact = call.fact_of_loop()
    result = call.w.form(fact)
    o = call.w.name("o")
    add = call.w.adder(o, result)(Val(part_of(pairs.q, ".a[i].f0"), pairs.form, pairs.item))
    head = f"{call.w.type(result)} {o}={call.w.forms.zero(result)};"
    body = f"{pairs.code} {pairs.sorted(False)} {head} for(int i=0;i<{pairs.q}.n;i++){{{add}}}"
    return Val(Block(body, o), result, fact)


def ranking(call: Call) -> Val:
    """The items in groups, those with the highest key first."""
    pairs = Pairs(call)
    fact = call.fact_of_loop()
    result = call.w.form(fact)
    if not isinstance(result, Row) or not isinstance(result.item, Row):
        raise Unsupported("a ranking of such items")
    o, q = call.w.name("o"), pairs.q
    item = Val(part_of(q, ".a[i].f0"), pairs.form, pairs.item)
    last = f"{o}.a[{o}.n-1]"
    same = call.w.equal(pairs.key_at(f"{q}.a[i-1]"), pairs.key_at(f"{q}.a[i]"), "==")
    fresh = f"if(!i||!{same}){{if({o}.n>={result.most})full(S); {o}.n++;}}"
    put = f"if({last}.n>={result.item.most})full(S); {last}.a[{last}.n++]={call.w.as_form(item, result.item.item)};"
    head = f"{call.w.type(result)} {o}={call.w.forms.zero(result)};"
    body = f"{pairs.code} {pairs.sorted(True)} {head} for(int i=0;i<{q}.n;i++){{{fresh} {put}}}"
    return Val(Block(body, o), result, fact)


def returns(call: Call, body: Callable[[str], str]) -> Val:
    """A number for each player, by statements that set those of a C variable."""
    fact = Fact("items", size=call.constant(-1), item=Fact("int", -1, 1))
    form = call.w.form(fact)
    m = call.w.name("m")
    start = f"{call.w.type(form)} {m}={call.w.forms.zero(form)}; {m}.n={fact.size};"
    return Val(f"({{{start} {body(m)} {m};}})", form, fact)


def mask(call: Call, v: Val) -> str:
    """A collection of players as a set."""
    return call.w.as_form(v, Bits(1))


def by_winners(call: Call) -> Val:
    """1 for the winners, -1 for the others; 0 for all if nobody wins."""
    w, n = mask(call, call.w.expr(call.args[0], call.env)), call.constant(-1)
    return returns(call, lambda m: f"M w={w}; if(w)for(int i=0;i<{n};i++){m}.a[i]=w>>i&1?1:-1;")


def by_sides(call: Call) -> Val:
    """1 for winners, -1 for losers."""
    w, x = (mask(call, call.w.expr(a, call.env)) for a in call.args[:2])
    n = call.constant(-1)
    return returns(call, lambda m: f"M w={w},l={x}; for(int i=0;i<{n};i++){m}.a[i]=l>>i&1?-1:(w>>i&1);")


def by_rank(call: Call) -> Val:
    """1 for the first group, -1 for the others, 0 for all if there is but one."""
    groups = call.w.expr(call.args[0], call.env)
    if not isinstance(groups.form, Row):
        raise Unsupported("returns of such groups")
    s = call.w.name("s")
    fact = groups.fact.item or ANY
    first = mask(call, Val(part_of(s, ".a[0]"), groups.form.item, fact))
    n, head = call.constant(-1), f"{call.w.type(groups.form)} {s}={groups.code};"
    each = f"for(int i=0;i<{n};i++)"
    return returns(call, lambda m: f"{head} if({s}.n>1){{M w={first}; {each}{m}.a[i]=w>>i&1?1:-1;}}")


RANKED: Writers = {
    CForm.BEST: best,
    CForm.SORTED_BY: sorted_by,
    CForm.RANKING: ranking,
    CForm.BY_RANK: by_rank,
    CForm.BY_WINNERS: by_winners,
    CForm.BY_SIDES: by_sides,
}

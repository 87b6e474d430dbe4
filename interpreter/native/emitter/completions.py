"""Whether a choice of several can be completed: by counting, or by a search where what is chosen must fulfil a condition as a whole."""

from __future__ import annotations

from interpreter.native.emitter.forms import NUMBER, Bits, Row, Val
from interpreter.native.emitter.ordering import sort
from interpreter.native.emitter.types import Unsupported, completed
from interpreter.native.emitter.writer import Env, Writer
from rulespec import ir
from rulespec.analysis.domain import BOOL


def completable(w: Writer, e: ir.Completable, env: Env) -> Val:
    """Whether a choice can be completed."""
    chosen, rest = w.expr(e.chosen, env), w.expr(e.items, env)
    low, high = w.test(e.low, env), w.test(e.high, env)
    if e.whole is not None:
        return search(w, e, env, chosen, rest, low, high)
    n, last, more, same = w.name("n"), w.name("l"), w.name("m"), w.name("s")
    head = f"V {n}=0,{last}=-1,{more}=0,{same}=0;"
    have = w.each_of(chosen, lambda y: f"{same}={n}&&{last}=={y.code}?{same}+1:1;{n}++;{last}={y.code};")
    count = w.each_of(rest, lambda y: f"if(!{n}||{y.code}>{last}||({y.code}=={last}&&{same}--<1)){more}++;")
    return Val(f"({{{head} {have} {count} !({n}>{high}||{n}+{more}<{low});}})", NUMBER, BOOL)


def search(w: Writer, e: ir.Completable, env: Env, chosen: Val, rest: Val, low: str, high: str) -> Val:
    """A search with a condition: depth first through the sets of what is left, each in ascending order."""
    item = rest.fact.item
    if not rest.fact.ordered:
        return search_of_list(w, e, env, chosen, rest, low, high)
    if item is None or item.what != "int" or item.low is None or item.high is None or item.low < 0 or item.high > 127:
        raise Unsupported("a search among other things than a set of few")
    assert e.whole is not None
    form = Bits(1 if item.high < 64 else 2)
    letter = w.type(form)
    fact = completed(chosen.fact, rest.fact)
    have, left, found, stack = w.name("h"), w.name("r"), w.name("f"), w.name("st")
    bounds = f"V {have}lo={low},{have}hi={high};"
    whole = w.fitted(e.whole, {**env, e.index: Val(have, form, fact)}, BOOL)
    cost = w.weights.item(e.whole)
    later = f"if({have}){left}=behind{letter}({left},top{letter}({have}));"
    start = f"{letter} {have}={w.as_form(chosen, form)},{left}={w.as_form(rest, form)}; {later}"
    most = 64 * form.words
    # Each level: the set so far, and what may still be added to it. The first of what is left is added, then left out.
    pop = f"pop{letter}"
    up = "{n--;fresh=0;continue;}"
    few = f"{pop}({have})+{pop}({left})"
    look = f"if({pop}({have})>={have}lo&&{whole}){{{found}=1;break;}} if({pop}({have})>={have}hi){up}"
    step = f"{letter} one={left}&-{left}; {stack}[n-1][1]={left}&~one; {stack}[n][0]={have}|one; {stack}[n][1]={left}&~one;"
    level = f"{have}={stack}[n-1][0]; {left}={stack}[n-1][1]; if(fresh){{FUEL(S,{cost}); {look}}} if(!{left}||{few}<{have}lo){up}"
    begin = f"{letter} {stack}[{most + 1}][2]; int n=0,fresh=1; {stack}[0][0]={have}; {stack}[0][1]={left};"
    some = f"if({pop}({have})<={have}hi&&{few}>={have}lo)n=1;"
    loop = f"while(n>0&&!{found}){{{level} {step} n++; fresh=1;}}"
    code = f"({{{bounds} {start} V {found}=0; {begin} {some} {loop} {found};}})"
    return Val(code, NUMBER, BOOL)


def search_of_list(w: Writer, e: ir.Completable, env: Env, chosen: Val, rest: Val, low: str, high: str) -> Val:
    """The same among items of which some may be equal."""
    fact = completed(chosen.fact, rest.fact)
    form = w.form(fact)
    assert e.whole is not None
    if not isinstance(form, Row) or form.item != NUMBER or not isinstance(rest.form, Row):
        raise Unsupported("a search among other things than a list of numbers")
    have, left, found, at = w.name("h"), w.name("r"), w.name("f"), w.name("i")
    bounds = f"V {have}lo={low},{have}hi={high};"
    whole = w.fitted(e.whole, {**env, e.index: Val(have, form, fact)}, BOOL)
    hold = w.forms.declared(have, w.as_form(chosen, form), form)
    keep = f"{w.forms.declared(left, rest.code, rest.form)} {sort(w, left, rest.form, rest.fact, False)}"
    last, same = f"{have}.a[{have}.n-1]", w.name("s")
    skip = (
        f"if({have}.n){{int {same}=0; for(int j=0;j<{have}.n;j++)if({have}.a[j]=={last}){same}++; "
        f"while({at}<{left}.n&&({left}.a[{at}]<{last}||({left}.a[{at}]=={last}&&{same}-->0))){at}++;}}"
    )
    begin = f"int {at}=0,n=0,fresh=1,from={have}.n,stack[{rest.form.most}+1]; {skip}"
    look = f"FUEL(S,{w.weights.item(e.whole)}); if({have}.n>={have}lo&&{whole}){{{found}=1;break;}}"
    back = f"if(!n)break; {at}=stack[--n]+1; {have}.n=from+n; fresh=0; continue;"
    ended = f"{have}.n>={have}hi||{at}>={left}.n||{have}.n+{left}.n-{at}<{have}lo"
    step = f"if({have}.n>={form.most})full(S); {have}.a[{have}.n++]={left}.a[{at}]; stack[n++]={at}++; fresh=1;"
    some = f"{have}.n<={have}hi&&{have}.n+{left}.n-{at}>={have}lo"
    loop = f"if({some})for(;;){{if(fresh){{{look}}} if({ended}){{{back}}} {step}}}"
    return Val(f"({{{bounds} {hold} {keep} V {found}=0; {begin} {loop} {found};}})", NUMBER, BOOL)

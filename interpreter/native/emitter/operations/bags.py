"""Functions of bags: lists of counts, as many as their kind has members."""

from __future__ import annotations

from interpreter.native.emitter.forms import BAG_STORE, EMPTY, NUMBER, Row, Val
from interpreter.native.emitter.operations.call import Call, Writers
from interpreter.native.emitter.types import Unsupported
from interpreter.native.emitter.writer import Body
from rulespec.language.facts import CForm


def members(v: Val) -> int:
    """Of how many kinds a bag is."""
    if v.known:
        return len(v.const)
    if v.fact.size is None:
        raise Unsupported("a bag of unknown kinds")
    return v.fact.size


def wide(size: int) -> Row:
    """The form in which bags are worked with."""
    return Row(max(1, size), NUMBER, BAG_STORE)


def as_bag(call: Call, k: int, size: int) -> str:
    """An argument as a bag of so many kinds."""
    v = call.vals[k]
    if v.form == EMPTY or (v.known and not v.const):
        raise Unsupported("a bag of no kinds")
    return call.w.as_form(v, wide(size))


def bag(call: Call, size: int, head: str, body: str) -> Val:
    """A bag of the name `o` that statements make; its counts are kept as its type wants them."""
    form = wide(size)
    t = call.w.type(form)
    return Val(f"({{{head} {t} o={{{size}}}; {body} o;}})", form, call.fact)


def let(call: Call, k: int, size: int, name: str) -> str:
    """C that binds an argument, a bag, to a name."""
    return f"{call.w.type(wide(size))} {name}={as_bag(call, k, size)};"


def names(call: Call) -> tuple[str, str]:
    """Two names of bags."""
    return call.w.name("a"), call.w.name("b")


def bag_size(call: Call) -> Val:
    """How many pieces there are."""
    n = call.w.name("n")
    loop = call.w.each_of(call.vals[0], lambda x: f"{n}=add_(S,{n},{x.code});")
    return call.gives_number(f"({{V {n}=0; {loop} {n};}})")


def bag_count(call: Call) -> Val:
    """How many of a kind."""
    v = call.vals[0]
    size, (a, _) = members(v), names(call)
    if isinstance(v.form, Row):
        return call.gives_number(f"({{{call.w.type(v.form)} {a}={v.code}; (V){a}.a[{index(call.vals[1], size)}];}})")
    return call.gives_number(f"({{{let(call, 0, size, a)} {a}.a[{index(call.vals[1], size)}];}})")


def index(v: Val, size: int) -> str:
    """A kind as an index, tested unless its type says that it is one."""
    return v.code if v.fact.within(0, size - 1) else f"at_(S,{v.code},{size})"


def bag_kinds(call: Call) -> Val:
    """The kinds of which there is at least one."""
    v = call.vals[0]
    out, k = call.w.name("o"), call.w.name("k")
    put = call.w.adder(out, call.form)(Val(k, NUMBER, call.fact.item or call.fact))
    loop = call.w.each_of(v, lambda x: f"if({x.code}>0){{{put}}} {k}++;")
    return call.filled(out, f"V {k}=0;", loop)


def bag_any(call: Call) -> Val:
    """The first kind of which there is at least one."""
    k, r = call.w.name("k"), call.w.name("r")
    loop = call.w.each_of(call.vals[0], lambda x: f"if({x.code}>0){{{r}={k};break;}} {k}++;")
    return call.gives_number(f"({{V {k}=0,{r}=-1; {loop} if({r}<0)fault(S); {r};}})")


def bag_one(call: Call) -> Val:
    """So many of one kind."""
    size = call.constant(2)
    number, kind = call.number(0), call.number(1)
    test = "" if call.vals[0].fact.low is not None and call.vals[0].fact.low >= 0 else "if(n<0)fault(S);"
    return bag(call, size, f"V n={number},k={kind}; {test}", f"if((uint64_t)k<{size})o.a[k]=n;")


def bag_add(call: Call) -> Val:
    """Both bags together, or what is left of the first."""
    size, (a, b) = members(call.vals[0]), names(call)
    if members(call.vals[1]) != size:
        raise Unsupported("bags of different kinds")
    head = let(call, 0, size, a) + let(call, 1, size, b)
    if call.name == "bag_sub":
        step = f"o.a[i]={a}.a[i]>{b}.a[i]?{a}.a[i]-{b}.a[i]:0"
    else:
        step = f"o.a[i]=add_(S,{a}.a[i],{b}.a[i])"
    return bag(call, size, head, f"for(int i=0;i<{size};i++){step};")


def bag_mul(call: Call) -> Val:
    """The bag so many times."""
    size, (a, _) = members(call.vals[0]), names(call)
    head = f"{let(call, 0, size, a)} V k={call.number(1)}; if(k<0)fault(S);"
    return bag(call, size, head, f"for(int i=0;i<{size};i++)o.a[i]=mul_(S,{a}.a[i],k);")


def bag_includes(call: Call) -> Val:
    """Whether the first holds all of the second."""
    size, (a, b) = members(call.vals[0]), names(call)
    if members(call.vals[1]) != size:
        raise Unsupported("bags of different kinds")
    head, r = let(call, 0, size, a) + let(call, 1, size, b), call.w.name("r")
    return call.gives_test(f"({{{head} V {r}=1; for(int i=0;i<{size};i++){r}&={a}.a[i]>={b}.a[i]; {r};}})")


def bag_only(call: Call) -> Val:
    """The part of a bag that is of some kinds."""
    size, (a, _) = members(call.vals[0]), names(call)
    body = call.w.each_of(call.vals[1], lambda x: f"if((uint64_t){x.code}<{size})o.a[{x.code}]={a}.a[{x.code}];")
    return bag(call, size, let(call, 0, size, a), body)


def bag_all(call: Call) -> Val:
    """So many of each of some kinds."""
    size, n = call.constant(2), call.w.name("n")
    body = call.w.each_of(call.vals[0], lambda x: f"if((uint64_t){x.code}<{size})o.a[{x.code}]={n};")
    return bag(call, size, f"V {n}={call.number(1)};", body)


def bag_from(call: Call) -> Val:
    """One piece for each time a kind stands there."""
    size, o = call.constant(1), call.w.name("o")
    form = wide(size)
    loop = call.w.each(call.args[0], call.env, lambda x: f"if((uint64_t){x.code}<{size}){o}.a[{x.code}]++;")
    return Val(f"({{{call.w.type(form)} {o}={{{size}}}; {loop} {o};}})", form, call.fact)


def bag_after(call: Call) -> Val:
    """The part of a bag behind a kind."""
    size, (a, _) = members(call.vals[0]), names(call)
    head = f"{let(call, 0, size, a)} V k={call.number(1)};"
    return bag(call, size, head, f"for(int i=0;i<{size};i++)o.a[i]=i<=k?0:{a}.a[i];")


def bag_weights(call: Call) -> Val:
    """The counts of the kinds that it holds."""
    if call.form == EMPTY:
        return call.empty()
    out = call.w.name("o")
    add = call.w.adder(out, call.form)
    return call.filled(out, "", call.w.each_of(call.vals[0], lambda x: f"if({x.code}>0){{{add(x)}}}"))


def bag_items(call: Call) -> Val:
    """The pieces one by one."""
    if call.form == EMPTY:
        return call.empty()
    out, k, j = call.w.name("o"), call.w.name("k"), call.w.name("j")
    item = call.fact.item
    assert item is not None
    put = call.w.adder(out, call.form)(Val(k, NUMBER, item))
    loop = call.w.each_of(call.vals[0], lambda x: f"for(V {j}=0;{j}<{x.code};{j}++){{{put}}} {k}++;")
    return call.filled(out, f"V {k}=0;", loop)


def bag_amounts(call: Call) -> Val:
    """How many of a kind can be added so that the bounds can be reached."""
    size, (a, b) = members(call.vals[1]), names(call)
    out, x = call.w.name("o"), call.w.name()
    head = let(call, 0, size, a) + let(call, 1, size, b)
    numbers = f"V k={index(call.vals[2], size)},lo={call.number(3)},hi={call.number(4)},h=0,r=0;"
    sums = f"for(int i=0;i<{size};i++){{h+={a}.a[i]; if(i>k)r+={b}.a[i];}}"
    put = call.w.adder(out, call.form)(Val(x, NUMBER, call.fact.item or call.fact))
    bounds = f"V {x}=max_(0,lo-h-r),most=min_({b}.a[k],hi-h);"
    loop = f"for(;{x}<=most;{x}++){{{put}}}"
    return call.filled(out, "", f"{{{head} {numbers} {sums} {bounds} {loop}}}")


def bag_ways(call: Call) -> Val:
    """Every bag that adds some of the rest to what is chosen and has so many pieces, as a list."""
    form = call.form
    if not isinstance(form, Row) or not isinstance(form.item, Row):
        raise Unsupported("ways as something else than bags")
    out = call.w.name("o")
    return call.filled(out, "", each_way(call, call.w.adder(out, form)))


def each_way(call: Call, body: Body) -> str:
    """A loop over the same, which needs no room for all of them.

    The same order as in the definition: for each kind in turn, every way so far with none, one, two, ... of it.  The numbers are
    counted up from the last kind, which so changes fastest.  What is counted keeps below the bound of the definition.
    """
    size, (a, b) = members(call.vals[0]), names(call)
    w, d, n, k, low, high = (call.w.name(letter) for letter in "wdnklh")
    head = let(call, 0, size, a) + let(call, 1, size, b) + f"V {low}={call.number(2)},{high}={call.number(3)};"
    one = Val(w, wide(size), call.fact.item or call.fact)
    more = f"while({k}>=0&&{d}[{k}]>={b}.a[{k}]){{{d}[{k}]=0;{k}--;}}"
    step = f"int {k}={size - 1}; {more} if({k}<0)break; {d}[{k}]++;"
    add = f"V {n}=0; for(int i=0;i<{size};i++){{{w}.a[i]+={d}[i]; {n}+={w}.a[i];}}"
    each = (
        f"FUEL(S,{max(16, size)}); {call.w.type(wide(size))} {w}={a}; {add} if({n}>={low}&&{n}<={high}){{{body(one)}}}"
    )
    return f"{{{head} V {d}[{size}]={{0}}; for(;;){{{each} {step}}}}}"


BAGS: Writers = {
    CForm.BAG_SIZE: bag_size,
    CForm.BAG_COUNT: bag_count,
    CForm.BAG_KINDS: bag_kinds,
    CForm.BAG_ANY: bag_any,
    CForm.BAG_ONE: bag_one,
    CForm.BAG_SUM: bag_add,
    CForm.BAG_TIMES: bag_mul,
    CForm.BAG_INCLUDES: bag_includes,
    CForm.BAG_ONLY: bag_only,
    CForm.BAG_ALL: bag_all,
    CForm.BAG_FROM: bag_from,
    CForm.BAG_AFTER: bag_after,
    CForm.BAG_WEIGHTS: bag_weights,
    CForm.BAG_ITEMS: bag_items,
    CForm.BAG_AMOUNTS: bag_amounts,
    CForm.BAG_WAYS: bag_ways,
}

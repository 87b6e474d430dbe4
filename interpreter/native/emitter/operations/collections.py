"""Functions of sets and lists: which items there are, and how many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from interpreter.native.emitter import sets
from interpreter.native.emitter.forms import (
    EMPTY,
    NUMBER,
    WIDE_SET,
    Bits,
    Empty,
    Form,
    Lane,
    Maybe,
    Pick,
    Record,
    Row,
    Val,
    hashed,
    plain,
)
from interpreter.native.emitter.hashing import hash_of
from interpreter.native.emitter.operations.call import Call, Writers
from interpreter.native.emitter.ordering import before, sort
from interpreter.native.emitter.texts import Block, Place, part_of
from interpreter.native.emitter.types import Unreached, Unsupported
from interpreter.native.emitter.writer import Body, Writer
from rulespec import ir
from rulespec.analysis.domain import ANY, Fact, below
from rulespec.language.facts import CForm
from rulespec.language.registry import facts as facts_of

FEW_LOOKS = 3  # items of a row among which one is found as soon as its bit
MOST_WORDS = 1 << 13  # of a table of bits


def letter(form: Form) -> str:
    """The C type of a set."""
    assert isinstance(form, Bits | Lane)
    return sets.letter(form.words)


def size(call: Call) -> Val:
    """How many items there are."""
    v = call.vals[0]
    if v.known:
        return call.w.constant(len(v.const))
    return call.gives_number(length(call, v))


def length(call: Call, v: Val) -> str:
    """The number of items of a collection."""
    match v.form:
        case Bits() | Lane():
            return f"pop{letter(v.form)}({v.code})"
        case Row():
            return f"(V)({v.code}).n"
        case Record(parts):
            return call.w.worked_out([v], f"{len(parts)}")
        case Maybe(inner):
            return length(call, Val(call.w.from_maybe(v, v.form, inner), inner, v.fact))
    if v.form == EMPTY:
        return call.w.worked_out([v], "0")
    raise Unsupported(f"the size of {type(v.form).__name__}")


def some(call: Call) -> Val:
    """Whether there is an item, or none."""
    v, yes = call.vals[0], call.name == "any_item"
    if v.known:
        return call.w.constant(bool(v.const) == yes)
    if isinstance(v.form, Bits | Lane):
        t = letter(v.form)
        return call.gives_test(f"({sets.some(v.code, t) if yes else sets.no(v.code, t)})")
    return call.gives_test(f"({length(call, v)}{'>' if yes else '=='}0)")


def total(call: Call) -> Val:
    """The sum of the items."""
    fact = call.fact_of_loop()
    n = call.w.name("n")
    if fact.bounded:
        loop = call.w.each(call.args[0], call.env, lambda x: f"{n}+={x.code};")
    else:
        loop = call.w.each(call.args[0], call.env, lambda x: f"{n}=add_(S,{n},{x.code});")
    return Val(f"({{V {n}=0; {loop} {n};}})", NUMBER, fact)


def extreme(call: Call) -> Val:
    """The highest or lowest item."""
    n, some_, sign = call.w.name("n"), call.w.name("s"), ">" if call.name == "highest" else "<"
    loop = call.w.each(call.args[0], call.env, lambda x: f"if(!{some_}||{x.code}{sign}{n}){{{n}={x.code};{some_}=1;}}")
    return Val(f"({{V {n}=0,{some_}=0; {loop} if(!{some_})fault(S); {n};}})", NUMBER, call.fact_of_loop())


def pick(call: Call) -> Val:
    """One of the items: the first, the last, the only one."""
    v = call.w.lane(call.args[0], call.env) if isinstance(call.args[0], ir.Comp) else call.vals[0]
    fact = call.fact_of_loop()
    end = facts_of(call.name).c.form
    last, only = end is CForm.LAST, end is CForm.ONLY
    x: str = call.w.name()
    if v is not None and isinstance(v.form, Bits | Lane):
        t = letter(v.form)
        bad = f"pop{t}({x})!=1" if only and sets.is_vector(t) else f"!{x}||{x}&({x}-1)" if only else sets.no(x, t)
        ends = [f"top{t}({x})", f"low{t}({x})"] if last else [f"low{t}({x})", f"top{t}({x})"]
        bit = ends[0] if not isinstance(v.form, Lane) or v.form.down == "0" else f"({v.form.down}?{ends[1]}:{ends[0]})"
        return Val(f"({{{t} {x}={v.code}; if({bad})fault(S); {bit};}})", NUMBER, fact)
    if v is not None and isinstance(v.form, Row):
        hold, x = call.w.held(v)
        bad = f"{x}.n!=1" if only else f"!{x}.n"
        at = f"{x}.n-1" if last else "0"
        return Val(f"({{{hold} if({bad})fault(S); {x}.a[{at}];}})", v.form.item, fact)
    form, s = call.w.form(fact), call.w.name("s")

    def put(y: Val, leaves: str = "break;") -> str:
        value = f"{x}={call.w.fit(y, fact)};"
        if only:
            return f"if({s})fault(S); {value}{s}=1;"
        return f"{value}{s}=1;" if last else f"if(!{s}){{{value}{s}=1;{leaves}}}"

    loop = call.w.each(call.args[0], call.env, put)
    if call.w.faulty(loop):  # items behind the first may be a fault
        loop = call.w.each(call.args[0], call.env, lambda y: put(y, ""))
    head = f"{call.w.type(form)} {x}={call.w.forms.zero(form)}; int {s}=0;"
    return Val(f"({{{head} {loop} if(!{s})fault(S); {x};}})", form, fact)


def contains(call: Call) -> Val:
    """Whether an item is among the items."""
    items, item = call.vals
    if items.known and not items.const:
        return call.gives_test(call.w.worked_out([item], "0"))
    if isinstance(items.form, Bits | Lane) and item.form == NUMBER:
        t = letter(items.form)
        if item.fact.within(0, 64 * items.form.words - 1):
            return call.gives_test(sets.has(items.code, item.code, t))
        return call.gives_test(f"has{t}({items.code},{item.code})")
    r, x = call.w.name("r"), call.w.name()
    one = Val(x, item.form, item.fact)
    bind = f"{call.w.type(item.form)} {x}={item.code};"
    if item.form == NUMBER and (row := row_of_bits(call, call.args[0], one)) is not None:
        return call.gives_test(f"({{{bind} {row};}})")
    loop = call.w.each_of(items, lambda y: f"if({call.w.equal(y, one, '==')}){{{r}=1;break;}}")
    return call.gives_test(f"({{V {r}=0; {bind} {loop} {r};}})")


def row_of_bits(call: Call, row: ir.Expr, item: Val) -> str | None:
    """C of whether a number, a variable, is in a row of a table of small numbers, each kept as bits; None for other rows."""
    if not isinstance(row, ir.Column) or not all(small(one) for one in row.values):
        return None
    size = 1 + max((number for one in row.values for number in one), default=0)
    words = sets.words_of(size - 1)
    longest = max(map(len, row.values), default=0)
    if longest < FEW_LOOKS or len(row.values) * words > MOST_WORDS:
        return None
    sums = [sum(1 << number for number in set(one)) for one in row.values]
    bits = call.w.masks(tuple(whole >> 64 * k & (1 << 64) - 1 for whole in sums for k in range(words)))
    place = call.w.index(call.w.expr(row.index, call.env), len(row.values))
    i, x = call.w.name("i"), item.code
    there = "" if item.fact.within(0, 64 * words - 1) else f"(uint64_t){x}<{64 * words}&&"
    at = f"{i}*{words}+({x}>>6)" if words > 1 else i
    # It is counted as if the whole row were looked at.  The place comes first: what is no place is a fault whatever the number.
    return f"V {i}={place}; FUEL(S,{longest + 1}); {there}({bits}[{at}]>>({x}&63)&1)"


def small(row: object) -> bool:
    """Whether this is a row of numbers that a set of bits has room for."""
    return isinstance(row, tuple) and all(type(x) is int and 0 <= x < sets.LARGEST_SET for x in row)


def counted(call: Call) -> Val:
    """How many items are equal to one, or where it stands first."""
    items, item = call.vals
    n, x, r = call.w.name("n"), call.w.name(), call.w.name("r")
    one = Val(x, item.form, item.fact)
    bind = f"{call.w.type(item.form)} {x}={item.code};"
    if call.name != "position":
        alike, cost = "", 1
        if isinstance(items.form, Row) and hashed(items.form.item) and plain(items.form.item) == item.form:
            h = call.w.name("h")
            bind += f" uint64_t {h}={hash_of(item.form, x)};"
            alike = f"{{}}.h=={h}&&"
        if facts_of(call.name).instant:
            cost = 0
        loop = call.w.each_of(items, lambda y: f"if({alike.format(y.code)}{call.w.equal(y, one, '==')}){n}++;", cost)
        return call.gives_number(f"({{V {n}=0; {bind} {loop} {n};}})")
    loop = call.w.each_of(items, lambda y: f"{n}++; if({call.w.equal(y, one, '==')}){{{r}={n};break;}}")
    return call.gives_number(f"({{V {n}=0,{r}=0; {bind} {loop} {r};}})")


def includes(call: Call) -> Val:
    """Whether all of the second are among the first."""
    a, b = call.vals
    forms = (a.form, b.form)
    if all(isinstance(f, Bits) or f == EMPTY for f in forms):
        form = Bits(max(f.words if isinstance(f, Bits) else 1 for f in forms))
        left = f"{call.w.as_form(b, form)}&~{call.w.as_form(a, form)}"
        return call.gives_test(sets.no(left, call.w.type(form)))
    r, h, s = call.w.name("r"), call.w.name("h"), call.w.name("s")
    head = f"V {r}=1; {call.w.type(a.form)} {s}={a.code};"
    these = Val(s, a.form, a.fact)

    def look(y: Val) -> str:
        inner = call.w.each_of(these, lambda z: f"if({call.w.equal(z, y, '==')}){{{h}=1;break;}}")
        return f"int {h}=0; {inner} if(!{h}){{{r}=0;break;}}"

    return call.gives_test(f"({{{head} {call.w.each_of(b, look)} {r};}})")


def union(call: Call) -> Val:
    """What is in either."""
    if isinstance(call.form, Bits):
        a, b = (call.w.as_form(v, call.form) for v in call.vals)
        return call.gives(f"({a}|{b})")
    if call.form == EMPTY:
        return call.empty()
    out = call.w.name("o")
    add = call.w.adder(out, call.form)
    body = " ".join(call.w.each_of(v, add) for v in call.vals)
    return sorted_set(call, call.filled(out, "", body), True)


def minus(call: Call) -> Val:
    """The items of the first without one for each item of the second."""
    a, b = call.vals
    if isinstance(call.form, Bits):
        return call.gives(f"({call.w.as_form(a, call.form)}&~{mask_of(call, b, call.form)})")
    s, form = call.w.name("s"), call.form
    if form == EMPTY:
        return call.empty()
    if not isinstance(form, Row):
        raise Unsupported(f"minus of {type(form).__name__}")
    start = call.w.forms.declared(s, call.w.as_form(a, form), form)
    return call.gives(Block(f"{start} {call.w.each_of(b, taker(call.w, s, form, call.fact.item or ANY))}", s))


def taker(w: Writer, out: str, form: Row, fact: Fact) -> Body:
    """What takes the first item that is equal to one out of a list that lies somewhere; `fact` is the type of its items."""
    here = Val(part_of(out, ".a[i]"), form.item, fact)

    def take(y: Val) -> str:
        rest = f"for({out}.n--;i<{out}.n;i++){out}.a[i]={out}.a[i+1];"
        return f"for(int i=0;i<{out}.n;i++)if({w.equal(here, y, '==')}){{{rest}break;}}"

    return take


def mask_of(call: Call, v: Val, form: Bits) -> str:
    """The items of a collection as a set, those left out that are no numbers of it."""
    if v.known or v.form == EMPTY or (isinstance(v.form, Bits) and v.form.words <= form.words):
        return call.w.as_form(v, form)
    if v.form == WIDE_SET:
        return f"(M)({v.code})"
    o = call.w.name("o")
    t = call.w.type(form)
    fill = call.w.each_of(v, lambda y: f"if((uint64_t){y.code}<{64 * form.words}){{{sets.put(o, y.code, t)}}}")
    return f"({{{t} {o}={call.w.forms.zero(form)}; {fill} {o};}})"


def concat(call: Call) -> Val:
    """The items of both, one behind the other; of concatenations within, all at once."""
    fact = call.fact_of_loop()
    form = call.w.form(fact)
    if form == EMPTY:
        return call.empty()
    out = call.w.name("o")
    add = call.w.adder(out, form)
    body = " ".join(call.w.each(a, call.env, add) for a in joined(call.name, call.args))
    return Val(Block(f"{call.w.forms.fresh(out, form)} {body}", out), form, fact)


def joined(name: str, args: tuple[ir.Expr, ...]) -> Iterator[ir.Expr]:
    """What is joined, of calls within calls too."""
    for arg in args:
        if isinstance(arg, ir.Op) and arg.name == name:
            yield from joined(name, arg.args)
        else:
            yield arg


def legal_after(call: Call) -> Val:
    """The items behind those chosen, ascending; of equal ones so many as are not chosen."""
    a, b = call.vals
    form, last, some_, x = call.form, call.w.name("l"), call.w.name("h"), call.w.name()
    count = call.w.each_of(b, lambda y: f"{some_}={some_}&&{last}=={y.code}?{some_}+1:1; {last}={y.code};")
    loop = f"V {last}=0; int {some_}=0; {count}"
    if isinstance(form, Bits):
        t = letter(form)
        head = f"{t} {x}={call.w.as_form(a, form)}; {loop}"
        return call.gives(f"({{{head} !{some_}?{x}:{last}<0?{x}:behind{t}({x},{last});}})")
    if form == EMPTY:
        return call.empty()
    if not isinstance(form, Row) or form.item != NUMBER:
        raise Unsupported(f"items behind others as {type(form).__name__}")
    out = call.w.name("o")
    item = Val(part_of(x, ".a[i]"), NUMBER, call.fact.item or ANY)
    later = before(call.w, Val(last, NUMBER, below(1)), item)
    keep = f"if(!{some_}||{later}||({item.code}=={last}&&{some_}--<1)){out}.a[{out}.n++]={x}.a[i];"
    order = sort(call.w, x, form, call.fact, False)
    body = f"{call.type} {x}={call.w.as_form(a, form)}; {loop} {order} for(int i=0;i<{x}.n;i++){{{keep}}}"
    return call.filled(out, "", f"{{{body}}}")


def as_set(call: Call) -> Val:
    """The items as a set, or sorted; the bits of what a loop gives are set in it."""
    loop = call.args[0]
    if (
        isinstance(loop, ir.Comp)
        and loop.key is None
        and isinstance(form := call.w.form(fact := call.fact_of_loop()), Bits)
    ):
        out = call.w.name("o")
        fill = call.w.each(loop, call.env, call.w.adder(out, form))
        return Val(Block(f"{call.w.forms.fresh(out, form)} {fill}", out), form, fact)
    v = call.vals[0]
    if isinstance(call.form, Bits):
        return call.gives(call.w.as_form(v, call.form))
    if call.form == EMPTY:
        return call.empty()
    return sorted_set(call, Val(call.w.as_form(v, call.form), call.form, call.fact), call.name == "to_set")


def settled(call: Call) -> Val:
    """The first, if the second has no items."""
    v, edge = call.vals
    hold, x = call.w.held(v)
    return replace(v, code=Block(f"{hold} if({length(call, edge)})fault(S);", x), const=...)


def sorted_set(call: Call, v: Val, distinct: bool) -> Val:
    """A list, ascending; each item once if `distinct`."""
    q, form = call.w.name("q"), v.form
    if not isinstance(form, Row):
        raise Unsupported(f"sorted items of {type(form).__name__}")
    return call.gives(Block(f"{call.w.forms.declared(q, v.code, form)} {sort(call.w, q, form, v.fact, distinct)}", q))


def set_of(call: Call) -> Val:
    """A set of the values given."""
    form = call.form
    out = call.w.name("o")
    add = call.w.adder(out, form)
    made = call.filled(out, "", " ".join(add(v) for v in call.vals))
    return made if isinstance(form, Bits) or form == EMPTY else sorted_set(call, made, True)


def packed(call: Call) -> Val:
    """A record or a list of the values given."""
    form, vals = call.form, call.vals
    if all(v.known for v in vals):
        return call.w.constant(tuple(v.const for v in vals))
    match form:
        case Bits():
            out = call.w.name("o")
            return call.filled(out, "", " ".join(map(call.w.adder(out, form), vals)))
        case Row(_, item):
            inside = ",".join(call.w.as_form(v, item) for v in vals)
            return call.gives(f"({call.type}){{{len(vals)},{{{inside}}}}}")
        case Record(parts):
            inside = ",".join(call.w.as_form(v, f) for v, f in zip(vals, parts, strict=True))
            return call.gives(f"({call.type}){{{inside}}}")
    raise Unsupported(f"a pack as {type(form).__name__}")


def get(call: Call) -> Val:
    """A part of a record, or an item of a list."""
    v, index = call.vals
    return part(call, v, index)


def part(call: Call, v: Val, index: Val) -> Val:
    """The part of a value at an index."""
    if v.fact.what == "never":
        raise Unreached
    if v.fact.what == "case":
        v = call.w.of_case(v, Row(1, NUMBER, ""))
    k = index.const
    if v.known:
        if isinstance(k, int):
            return call.w.constant(v.const[k])
        item = v.fact.item or ANY
        form = call.w.form(item)
        return Val(Place(f"{call.w.table(v.const, form, item)}[{index_of(index, len(v.const))}]"), form, call.fact)
    head, x = call.w.held(v)
    match v.form:
        case Record() if isinstance(k, int):
            one = call.w.parts_of(v, x)[k]
            return Val(f"({{{head} {one.code};}})", one.form, call.fact)
        case Record():
            wanted = call.w.form(call.fact)
            parts, i = call.w.parts_of(v, x), call.w.name("i")
            chain = f"({{fault(S); {call.w.forms.zero(wanted)};}})"
            for number, one in reversed(list(enumerate(parts))):
                chain = f"{i}=={number}?{call.w.fit(one, call.fact)}:{chain}"
            return Val(f"({{{head} V {i}={index.code}; {chain};}})", wanted, call.fact)
        case Pick() if k in (0, 1):
            bare = NUMBER if not k or call.fact.what != "case" else v.form
            taken = "rule" if not k else "a[0]"
            return Val(
                f"({{{head} if({x}.rule<0)fault(S); {x if bare != NUMBER else f'{x}.{taken}'};}})", bare, call.fact
            )
        case Row(_, item_form):
            return Val(f"({{{head} {x}.a[at_(S,{index.code},{x}.n)];}})", item_form, call.fact)
        case Bits():
            t = letter(v.form)
            return Val(f"({{{head} kth{t}({x},at_(S,{index.code},pop{t}({x})));}})", NUMBER, call.fact)
        case Maybe(inner):
            return part(call, Val(call.w.from_maybe(v, v.form, inner), inner, v.fact), index)
    raise Unsupported(f"a part of {type(v.form).__name__}")


def index_of(v: Val, size_: int) -> str:
    """An index, tested unless its type says that it is below a size."""
    return v.code if v.fact.within(0, size_ - 1) else f"at_(S,{v.code},{size_})"


def item_at(call: Call) -> Val:
    """The item at a position, counted from 1."""
    index = call.vals[1]
    return part(call, call.vals[0], Val(f"({index.code}-1)", NUMBER, ANY))


def prefix(call: Call) -> Val:
    """The first items, or the top ones."""
    if call.form == EMPTY:
        return call.empty()
    out, n, most = call.w.name("o"), call.w.name("n"), call.w.name("h")
    add = call.w.adder(out, call.form)
    head = f"V {n}=0,{most}={call.number(1)};"
    if call.name == "first_of":
        body = call.w.each_of(call.vals[0], lambda y: f"if({n}++>={most})break; {add(y)}")
        return call.filled(out, head, body)
    code, form = call.row(0)
    s = call.w.name("s")
    one = Val(part_of(s, ".a[i]"), form.item, call.vals[0].fact.item or ANY)
    loop = f"for(int i={s}.n-1;i>=0&&{n}++<{most};i--){{{add(one)}}}"
    return call.filled(out, f"{head} {call.w.type(form)} {s}={code};", loop)


def backwards(call: Call) -> Val:
    """The items from the last to the first."""
    if call.form == EMPTY:
        return call.empty()
    code, form = call.row(0)
    s, out = call.w.name("s"), call.w.name("o")
    one = Val(part_of(s, ".a[i]"), form.item, call.vals[0].fact.item or ANY)
    loop = f"for(int i={s}.n-1;i>=0;i--){{{call.w.adder(out, call.form)(one)}}}"
    return call.filled(out, f"{call.w.type(form)} {s}={code};", loop)


def gathered(call: Call) -> Val:
    """A collection that a loop makes."""
    return call.w.collect(ir.Op(call.name, call.args), call.env)


def present(call: Call) -> Val:
    """The seats that took part in sealed choices."""
    v = call.vals[0]
    match v.form:
        case Row(_, Maybe()):
            s, o = call.w.name("s"), call.w.name("o")
            loop = f"for(int i=0;i<{s}.n;i++)if({s}.a[i].some){o}|=(M)1<<i;"
            return Val(f"({{{call.w.type(v.form)} {s}={v.code}; M {o}=0; {loop} {o};}})", Bits(1), call.fact)
        case Row(_, item) if item == NUMBER:
            s, o = call.w.name("s"), call.w.name("o")
            loop = f"for(int i=0;i<{s}.n;i++)if({s}.a[i]!={call.w.none}){o}|=(M)1<<i;"
            return Val(f"({{{call.w.type(v.form)} {s}={v.code}; M {o}=0; {loop} {o};}})", Bits(1), call.fact)
    raise Unsupported(f"who took part, in {type(v.form).__name__}")


def in_order(call: Call) -> Val:
    """The seats that took part, in the order they were named."""
    answers, s, out = call.vals[1], call.w.name("s"), call.w.name("o")
    add = call.w.adder(out, call.form)
    match answers.form:
        case Row(_, Maybe()):
            there = ".some"
        case Row(_, item) if item == NUMBER:
            there = f"!={call.w.none}"
        case _:
            raise Unsupported(f"who took part, in {type(answers.form).__name__}")
    head = f"{call.w.type(answers.form)} {s}={answers.code};"
    body = call.w.each_of(call.vals[0], lambda y: f"if({s}.a[at_(S,{y.code},{s}.n)]{there}){{{add(y)}}}")
    return call.filled(out, head, body)


def pairs(call: Call) -> Val:
    """Every two of the items."""
    if call.form == EMPTY:
        return call.empty()
    if not isinstance(call.form, Row) or not isinstance(call.form.item, Row):
        raise Unsupported("pairs of such items")
    code, form = call.row(0)
    s, out = call.w.name("s"), call.w.name("o")
    fact = call.vals[0].fact.item or ANY
    one, two = (call.w.as_form(Val(part_of(s, f".a[{k}]"), form.item, fact), call.form.item.item) for k in "ij")
    put = f"if({out}.n>={call.form.most})full(S); {out}.a[{out}.n++]=({call.w.type(call.form.item)}){{2,{{{one},{two}}}}};"
    loop = f"for(int i=0;i<{s}.n;i++)for(int j=i+1;j<{s}.n;j++){{{put}}}"
    return call.filled(out, f"{call.w.type(form)} {s}={code};", loop)


def lasting(call: Call) -> Val:
    """The arguments of the effects of a lasting rule."""
    fact = call.fact_of_loop()
    form = call.w.form(fact)
    if not isinstance(form, Row):
        return call.w.constant(())
    if not isinstance(form.item, Row | Empty):
        raise Unsupported("a lasting rule about something else than numbers")
    o, one = call.w.name("o"), fact.item or ANY
    parts = [f"l->a[{k}]" for k in range(len(one.parts or ()))]
    made = f"({call.w.type(form.item)}){{{len(parts)},{{{','.join(parts)}}}}}" if parts else "(E0){0}"
    put = f"if({o}.n>={form.most})full(S); {o}.a[{o}.n++]={made};"
    loop = f"for(int z=0;z<S->lasts;z++){{Lasting*l=&S->lasting[z]; if(l->rule=={call.constant(1)}){{{put}}}}}"
    return Val(Block(f"{call.w.type(form)} {o}={{0}}; {loop}", o), form, fact)


COLLECTIONS: Writers = {
    CForm.SIZE: size,
    CForm.EXISTENCE: some,
    CForm.SUM: total,
    CForm.EXTREME: extreme,
    CForm.FIRST: pick,
    CForm.LAST: pick,
    CForm.ONLY: pick,
    CForm.MEMBERSHIP: contains,
    CForm.OCCURRENCES: counted,
    CForm.INCLUSION: includes,
    CForm.UNION: union,
    CForm.REMAINDER: minus,
    CForm.CONCATENATION: concat,
    CForm.LATER: legal_after,
    CForm.SETTLING: settled,
    CForm.AS_SET: as_set,
    CForm.SORTED: as_set,
    CForm.SET: set_of,
    CForm.PACK: packed,
    CForm.PART: get,
    CForm.ITEM_AT: item_at,
    CForm.PREFIX: prefix,
    CForm.REVERSED: backwards,
    CForm.INTERVAL: gathered,
    CForm.SEATS: gathered,
    CForm.PRESENT: present,
    CForm.IN_ORDER: in_order,
    CForm.PAIRS: pairs,
    CForm.LASTING: lasting,
}

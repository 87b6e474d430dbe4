"""Functions of graphs of a map: tables of their results where the graph is a constant, otherwise walks over sets of places."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.native.emitter.forms import NUMBER, SET, WIDE_SET, Bits, Row, Val
from interpreter.native.emitter.operations.call import Call, Writers
from interpreter.native.emitter.operations.scalars import tabulated
from interpreter.native.emitter.types import Unsupported
from rulespec import ir
from rulespec.analysis.domain import ANY, BOOL, Fact
from rulespec.language.facts import CForm


def adjacency(call: Call) -> Val:
    """For each place the places next to it, by the links of a set."""
    form = call.form
    if not isinstance(form, Row) or form.item not in (SET, WIDE_SET):
        raise Unsupported("a graph of so many places")
    ends, places, t = call.constant(1), call.constant(2), call.w.type(form.item)
    place = Fact("int", 0, places)
    a, b, one_way = (
        call.w.table(tuple(int(end[k]) for end in ends), NUMBER, place if k < 2 else BOOL) for k in range(3)
    )
    out, x = call.w.name("o"), call.w.name()
    join = f"{out}.a[{a}[{x}]]|=({t})1<<{b}[{x}]; if(!{one_way}[{x}]){out}.a[{b}[{x}]]|=({t})1<<{a}[{x}];"
    loop = call.w.each_of(call.vals[0], lambda y: f"{{V {x}={call.w.index(y, len(ends))}; {join}}}")
    return call.gives(f"({{{call.type} {out}={{{places}}}; {loop} {out};}})")


def graph(call: Call) -> tuple[str, str, Bits, int]:
    """The last argument, a graph, under a name, the name, the form of a set of its places, and how many there are."""
    v = call.vals[-1]
    if not isinstance(v.form, Row) or not isinstance(v.form.item, Bits) or v.form.item.words > 2 or not v.fact.size:
        raise Unsupported(f"{call.name} in a graph of so many places")
    return *call.w.held(v), v.form.item, v.fact.size


def neighbours(call: Call) -> Val:
    """The places next to a place."""
    head, g, form, places = graph(call)
    x = call.w.name()
    return Val(f"({{{head} V {x}={call.w.index(call.vals[0], places)}; {g}.a[{x}];}})", form, call.fact)


def adjacent(call: Call) -> Val:
    """Whether a place is next to another."""
    head, g, _, places = graph(call)
    x, y = call.w.name(), call.w.name()
    bind = f"V {x}={call.w.index(call.vals[0], places)},{y}={call.w.index(call.vals[1], places)};"
    return call.gives_test(f"({{{head} {bind} (V)({g}.a[{x}]>>{y}&1);}})")


class Walk:
    """A walk from a place, step by step: `seen` are the places so far, `last` those of the last step, `n` how many steps it took."""

    def __init__(self, call: Call) -> None:
        self.head, self.graph, self.form, self.places = graph(call)
        self.t = call.w.type(self.form)
        self.seen, self.last, self.n, self.on = (call.w.name(x) for x in "slnm")

    def steps(self, origin: str, goes_on: str) -> str:
        """C that walks from a place for as long as a test holds and there is somewhere to go."""
        t, more = self.t, self.on
        spread = f"for({t} w={self.last};w;w&=w-1){more}|={self.graph}.a[low{t}(w)]; {more}&=~{self.seen};"
        step = f"{t} {more}=0; {spread} {self.seen}|={more}; {self.last}={more}; {self.n}++;"
        start = f"{t} {self.seen}=({t})1<<{origin},{self.last}={self.seen}; V {self.n}=0;"
        return f"{start} FUEL(S,{self.places}); while({self.last}&&{goes_on}){{{step}}}"


def reach(call: Call) -> Val:
    """The places within so many steps."""
    walk, x, most = Walk(call), call.w.name(), call.w.name("h")
    bind = f"V {x}={call.w.index(call.vals[0], walk.places)},{most}={call.number(1)};"
    return Val(f"({{{walk.head} {bind} {walk.steps(x, f'{walk.n}<{most}')} {walk.seen};}})", walk.form, call.fact)


def steps_to(call: Call) -> tuple[str, str]:
    """C that walks until a place is come to, and C of the number of steps, -1 for none."""
    walk, x, y = Walk(call), call.w.name(), call.w.name()
    bind = f"V {x}={call.w.index(call.vals[0], walk.places)},{y}={call.w.index(call.vals[1], walk.places)};"
    there = f"({walk.seen}>>{y}&1)"
    return f"{walk.head} {bind} {walk.steps(x, f'!{there}')}", f"({there}?{walk.n}:-1)"


def distance(call: Call) -> Val:
    """How many steps lead from one place to another, or none."""
    walk, steps = steps_to(call)
    n = call.w.name("n")
    return call.gives_number(f"({{{walk} V {n}={steps}; {n}<0?{call.w.none}:{n};}})")


def connected(call: Call) -> Val:
    """Whether a way leads from one place to another."""
    walk, steps = steps_to(call)
    return call.gives_test(f"({{{walk} {steps}>=0;}})")


def path(call: Call) -> Val:
    """A shortest way: of the places a step nearer always the first."""
    head, g, form, places = graph(call)
    if not isinstance(call.form, Row):
        raise Unsupported("a way as something else than a list")
    t, x, y, back, to, out = call.w.type(form), *(call.w.name(z) for z in "xybdo")
    add = call.w.adder(out, call.form)(Val(x, NUMBER, call.fact.item or ANY))
    bind = f"V {x}={call.w.index(call.vals[0], places)},{y}={call.w.index(call.vals[1], places)};"
    # Who is how far from the end: against the links, from the end.
    turn = f"{t} {back}[{places}]={{0}}; for(int i=0;i<{places};i++)for({t} w={g}.a[i];w;w&=w-1){back}[low{t}(w)]|=({t})1<<i;"
    ring = f"{t} {to}[{places + 1}]={{({t})1<<{y}}},seen={to}[0]; int n=0;"
    spread = f"{t} m=0; for({t} w={to}[n];w;w&=w-1)m|={back}[low{t}(w)]; m&=~seen; seen|=m; {to}[++n]=m;"
    walk = f"while(!(seen>>{x}&1)&&{to}[n]){{{spread}}}"
    step = f"while(n-->0){{{x}=low{t}({g}.a[{x}]&{to}[n]); {add}}}"
    found = f"if(seen>>{x}&1){{{add} {step}}}"
    return call.filled(out, f"{head} {bind} {turn} {ring}", f"FUEL(S,{places * 2}); {walk} {found}")


def group(call: Call) -> Val:
    """The places of a set that hang together with a place of it."""
    head, g, form, places = graph(call)
    t, x, left, whole = call.w.type(form), *(call.w.name(z) for z in "xlg")
    bind = f"V {x}={call.w.index(call.vals[0], places)}; {t} {left}={call.w.as_form(call.vals[1], form)},{whole}=0;"
    step = f"{t} m={g}.a[low{t}(w)]&{left}; w&=w-1; {left}&=~m; {whole}|=m; w|=m;"
    walk = f"if({left}>>{x}&1){{{t} w={whole}=({t})1<<{x}; {left}&=~w; FUEL(S,{places}); while(w){{{step}}}}}"
    return Val(f"({{{head} {bind} {walk} {whole};}})", form, call.fact)


def of_graph(write: Callable[[Call], Val]) -> Callable[[Call], Val]:
    """What writes a call: as a table where its graph is a constant."""
    return lambda call: tabulated(call) if isinstance(call.args[-1], ir.Const) else write(call)


MAPS: Writers = {
    CForm.ADJACENCY: adjacency,
    CForm.NEIGHBOURS: of_graph(neighbours),
    CForm.ADJACENT: of_graph(adjacent),
    CForm.REACH: of_graph(reach),
    CForm.DISTANCE: of_graph(distance),
    CForm.PATH: of_graph(path),
    CForm.CONNECTED: of_graph(connected),
}

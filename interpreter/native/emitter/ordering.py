"""Whether one value comes before another: numbers, and collections by their first items that differ, as tuples compare."""

from __future__ import annotations

from interpreter.native.emitter.forms import NUMBER, Bits, Empty, Form, Maybe, Number, Record, Row, Val
from interpreter.native.emitter.sets import letter
from interpreter.native.emitter.texts import Part, Variable, part_of
from interpreter.native.emitter.types import Unsupported, join
from interpreter.native.emitter.writer import Writer
from rulespec.analysis.domain import ANY, Fact


def before(w: Writer, a: Val, b: Val) -> str:
    """The C of a test whether a value comes before another; raises Unsupported.  None has no order: it hands over."""
    if a.form == b.form == NUMBER:
        return ordered(w, a, b)
    fact = join(a.fact, b.fact)
    form = a.form if a.form == b.form else w.form(fact)
    x, y = w.name(), w.name()
    code = compared(w, Val(x, form, fact), Val(y, form, fact))
    return f"({{{w.type(form)} {x}={w.as_form(a, form)},{y}={w.as_form(b, form)}; {code}<0;}})"


def ordered(w: Writer, a: Val, b: Val) -> str:
    """The C of a test whether a number is below another."""
    if a.fact.none or b.fact.none:
        return f"less_(S,{a.code},{b.code},{w.none})"
    return f"({a.code}<{b.code})"


def compared(w: Writer, a: Val, b: Val) -> str:
    """The C of a number below 0, 0 or above 0, as the first of two variables of one form comes before, is equal or comes after."""
    match a.form:
        case Number():
            if a.fact.none or b.fact.none:
                return f"compared_(S,{a.code},{b.code},{w.none})"
            return f"(({a.code}>{b.code})-({a.code}<{b.code}))"
        case Bits(words):
            return f"compared{letter(words)}({a.code},{b.code})"
        case Empty():
            return "0"
        case Record() | Row() | Maybe():
            return f"{comparison(w, a.form, a.fact)}(S,&{a.code},&{b.code})"
    raise Unsupported(f"the order of {type(a.form).__name__}")


def comparison(w: Writer, form: Form, fact: Fact) -> str:
    """The name of the function that compares two values of a form."""
    key = ("comparison", form, fact)
    if key not in w.tables:
        t = w.type(form)
        body = steps(w, form, fact)
        name = w.tables[key] = f"compare{len(w.tables)}"
        w.small.append(f"static int {name}(RsState*S,const {t}*x,const {t}*y){{{body}}}")
    return w.tables[key]


def steps(w: Writer, form: Form, fact: Fact) -> str:
    """The body of such a function."""
    match form:
        case Row(_, item):
            one = fact.item or ANY
            code = compared(w, Val(Part("x->a[i]"), item, one), Val(Part("y->a[i]"), item, one))
            return f"for(int i=0;i<x->n&&i<y->n;i++){{int d={code}; if(d)return d;}} return (x->n>y->n)-(x->n<y->n);"
        case Record(parts):
            facts = fact.parts or (ANY,) * len(parts)
            tests = [
                f"{{int d={compared(w, Val(f'x->f{k}', part, one), Val(f'y->f{k}', part, one))}; if(d)return d;}}"
                for k, (part, one) in enumerate(zip(parts, facts, strict=True))
            ]
            return f"{' '.join(tests)} return 0;"
        case Maybe(inner):
            code = compared(w, Val(Part("x->v"), inner, fact), Val(Part("y->v"), inner, fact))
            return f"if(!x->some&&!y->some)return 0; if(!x->some||!y->some)fault(S); return {code};"
    raise Unsupported("the order of such values")


def sort(w: Writer, name: str, form: Row, fact: Fact, distinct: bool) -> str:
    """C that sorts the items of a list that is a C variable, ascending; with `distinct` each once."""
    item = fact.item or ANY
    if form.item == NUMBER and not item.none:
        return f"SORT({name});" + (f" DISTINCT({name});" if distinct else "")
    t = w.forms.kept(item, form.item)
    z = Val(Variable("z"), form.item, item)
    if distinct:  # each is put at its place among those before it, which halving finds, if it is not there
        test, last = (compared(w, Val(part_of(name, f".a[{at}]"), form.item, item), z) for at in ("j", "m-1"))
        find = f"while(l<h){{int j=l+(h-l)/2,d={test}; if(d<0)l=j+1; else if(d>0)h=j; else break;}} if(l<h)continue;"
        room = f"if(l<m)__builtin_memmove(&{name}.a[l+1],&{name}.a[l],(size_t)(m-l)*sizeof z);"
        each = f"const {t} z={name}.a[i]; int l=0,h=m; if(m&&{last}<0)l=m; {find} {room} if(l<i){name}.a[l]=z; m++;"
        return f"FUEL(S,{name}.n); {{int m=0; for(int i=0;i<{name}.n;i++){{{each}}} {name}.n=m;}}"
    test = compared(w, Val(part_of(name, ".a[j-1]"), form.item, item), z)
    move = f"for(;j>0&&{test}>0;j--){name}.a[j]={name}.a[j-1];"
    return f"FUEL(S,{name}.n); for(int i=1;i<{name}.n;i++){{{t} z={name}.a[i]; int j=i; {move} {name}.a[j]=z;}}"

"""C that writes values as numbers and reads them again, checked: the C side of `exchange`."""

from __future__ import annotations

from interpreter.native.emitter import sets
from interpreter.native.emitter.forms import Bits, Empty, Entry, Form, Maybe, Number, Pick, Record, Row
from interpreter.native.emitter.hashing import hash_of
from interpreter.native.emitter.types import Unsupported
from interpreter.native.emitter.writer import Writer
from rulespec.analysis.domain import ANY, Fact


def exported(w: Writer, form: Form, code: str, fact: Fact) -> str:
    """C that writes a value."""
    match form:
        case Number():
            if not fact.none and fact.what == "int":
                return f"PUT({code});"
            return f"PUT_OR_NONE({code});"
        case Bits(words):
            x, y, t = w.name(), w.name(), sets.letter(words)
            return f"{{{t} {x}={code}; PUT(pop{t}({x})); {sets.each(x, y, t, f'PUT({y});')}}}"
        case Row(_, item):
            k = w.name("k")
            inside = exported(w, item, f"{code}.a[{k}]", fact.item or ANY)
            return f"{{PUT({code}.n); for(int {k}=0;{k}<{code}.n;{k}++){{{inside}}}}}"
        case Record(parts):
            facts = fact.parts or (ANY,) * len(parts)
            return "".join(exported(w, part, f"{code}.f{k}", facts[k]) for k, part in enumerate(parts))
        case Maybe(inner):
            return f"{{PUT({code}.some!=0); if({code}.some){{{exported(w, inner, f'{code}.v', fact)}}}}}"
        case Pick():
            put = f"for(int i=0;i<({code}.n<0?1:{code}.n);i++)PUT({code}.a[i]=={w.none}?RS_NONE:{code}.a[i]);"
            return f"PUT({code}.rule); PUT({code}.n); {put}"
        case Entry():
            put = f"{code}.a[i]=={w.none}?RS_NONE:{code}.a[i]"
            return f"PUT({code}.rule); PUT({code}.n); for(int i=0;i<{code}.n;i++)PUT({put});"
        case Empty():
            return "PUT(0);"
    raise Unsupported("a value that is not exported")


def imported(w: Writer, form: Form, code: str, fact: Fact) -> str:
    """C that reads a value into a place; what does not fit goes to `return RS_HANDOVER`."""
    match form:
        case Number():
            return f"{{V x; NUMBER({number(fact)}); {code}=x;}}"
        case Bits(words):
            t = sets.letter(words)
            top = fact.item.high + 1 if fact.item is not None and fact.item.high is not None else 64 * words
            read = f"V y; GET(y); if(y<=last||y>={min(top, 64 * words)})return RS_HANDOVER; {sets.put('x', 'y', t)} last=y;"
            return f"{{V n; GET(n); {t} x={w.forms.zero(form)}; V last=-1; while(n-->0){{{read}}} {code}=x;}}"
        case Row(most, item):
            k, n = w.name("k"), w.name("n")
            inside = imported(w, item, f"{code}.a[{k}]", fact.item or ANY)
            order = (
                f" if({k}&&{code}.a[{k}-1]>={code}.a[{k}])return RS_HANDOVER;"
                if fact.ordered and item == Number()
                else ""
            )
            head = f"V {n}; GET({n}); if({n}<0||{n}>{most})return RS_HANDOVER; {code}.n={n};"
            return f"{{{head} for(int {k}=0;{k}<{n};{k}++){{{inside}{order}}}}}"
        case Record(parts, has_hash):
            facts = fact.parts or (ANY,) * len(parts)
            inside = "".join(imported(w, part, f"{code}.f{k}", facts[k]) for k, part in enumerate(parts))
            return inside + (f"{code}.h={hash_of(form, code)};" if has_hash else "")
        case Maybe(inner):
            y = w.name("y")
            inside = imported(w, inner, f"{code}.v", fact)
            return f"{{V {y}; GET({y}); {code}.some={y}!=0; if({y}){{{inside}}}}}"
        case Pick():
            head = "Pick p={0}; V x; GET(p.rule); GET(p.n); if(p.n<-1||p.n>MOST_ARGUMENTS)return RS_HANDOVER;"
            read = f"for(int i=0;i<(p.n<0?1:p.n);i++){{GET(x); p.a[i]=x==RS_NONE?{w.none}:x;}}"
            return f"{{{head} {read} if(!pick_ok(p.rule,p.n,p.a))return RS_HANDOVER; {code}=p;}}"
        case Entry(size):
            head = f"V r,n; GET(r); GET(n); if(r<0||n<0||n>{size})return RS_HANDOVER; {code}.rule=r; {code}.n=n;"
            one = f"V x; GET(x); {code}.a[i]=x==RS_NONE?{w.none}:x; if({code}.a[i]!=(x==RS_NONE?{w.none}:x))return RS_HANDOVER;"
            return f"{{{head} for(int i=0;i<n;i++){{{one}}} if(!entry_ok(r,n,{code}.a))return RS_HANDOVER;}}"
        case Empty():
            return "{V n; GET(n); if(n)return RS_HANDOVER;}"
    raise Unsupported("a value that is not imported")


def number(fact: Fact) -> str:
    """What a number that is read must be: the least, the greatest, and whether it may be none."""
    if fact.what == "never":
        return "1,0,1"
    low = "INT64_MIN" if fact.low is None else f"{fact.low}LL"
    high = "INT64_MAX" if fact.high is None else f"{fact.high}LL"
    return f"{low},{high},{int(fact.none or fact.what == 'any')}"


def ranged(w: Writer, fact: Fact, code: str) -> str:
    """C of whether a number, which may be the program's None, is of a type."""
    if fact.what == "never":
        return f"{code}=={w.none}"
    tests = [] if fact.low is None else [f"{code}>={fact.low}LL"]
    tests += [] if fact.high is None else [f"{code}<={fact.high}LL"]
    inside = "&&".join(tests) or "1"
    return f"({code}=={w.none}||({inside}))" if fact.none else f"({code}!={w.none}&&{inside})"

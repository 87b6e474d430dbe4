"""Functions that remember what they gave last: a question asks for its options, and its answer asks for them again.

It is done for functions that read nothing but their arguments and go through a closure, which are the dear ones.  Each thread remembers for
itself; what is counted is as if the function were worked out again.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.native.emitter.closures import closure_in
from interpreter.native.emitter.equality import equality
from interpreter.native.emitter.forms import Bits, Form, Number, Row, Val
from interpreter.native.emitter.texts import Member, Variable
from interpreter.native.emitter.writer import Writer
from rulespec import ir
from rulespec.analysis.domain import Fact
from rulespec.ir.walk import within

OUTSIDE = (ir.Load, ir.Setting, ir.Completable, ir.After, ir.Invoke)  # what may be something else the next time
PLAIN = (Number, Bits)


def remembers(function: ir.Function, forms: Sequence[Form], result: Form) -> bool:
    """Whether a function, whose parameters and result have these forms, remembers what it gave last."""
    if not forms or not isinstance(result, Row) or not all(map(plain, forms)):
        return False
    parts = list(within(function.body))
    return any(closure_in(e) is not None for e in parts) and not any(isinstance(e, OUTSIDE) for e in parts)


def plain(form: Form) -> bool:
    """Whether values of a form are quickly compared."""
    return isinstance(form, PLAIN) or (isinstance(form, Row) and isinstance(form.item, PLAIN))


def remembered(w: Writer, call: str, parameters: Sequence[tuple[Form, Fact]], result: Form) -> str:
    """The C of a function's body which makes a call, and gives its result as long as the arguments p0, p1 ... are the same."""
    given = w.type(result)
    fields = " ".join(f"{w.type(form)} p{k};" for k, (form, _) in enumerate(parameters))
    same = "&&".join(
        equality(w, Val(Member(f"last.p{k}"), form, fact), Val(Variable(f"p{k}"), form, fact))
        for k, (form, fact) in enumerate(parameters)
    )
    kept = " ".join(f"last.p{k}=p{k};" for k in range(len(parameters)))
    return (
        f"static _Thread_local struct{{int there; V paid; {fields} {given} r;}} last; {given} r; "
        f"if(last.there&&{same}){{FUEL(S,last.paid); ROW(r,last.r); return r;}} "
        f"V before=S->scratch.fuel; r={call}; last.paid=before-S->scratch.fuel; {kept} ROW(last.r,r); last.there=1; return r;"
    )

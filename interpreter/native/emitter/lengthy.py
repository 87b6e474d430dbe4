"""Lists of unknown size that are gone through where they are made: they have more room there than a value of their type."""

from __future__ import annotations

from interpreter.native.emitter.closures import closure
from interpreter.native.emitter.forms import Val
from interpreter.native.emitter.writer import Env, Writer
from rulespec import ir


def made_here(w: Writer, e: ir.Expr, env: Env) -> Val:
    """The C of an expression that is looked at where it is made; raises Unsupported."""
    match e:
        case ir.Bind() if (found := closure(w, e, env, here=True)) is not None:
            return found
        case ir.Fold():
            return w.fold(e, env, here=True)
    return w.expr(e, env)

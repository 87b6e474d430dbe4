"""Lists of unknown size that are gone through where they are made: they have more room there than a value of their type."""

from __future__ import annotations

from dataclasses import replace

from interpreter.native.emitter.closures import closure
from interpreter.native.emitter.forms import Block, Val, unbounded
from interpreter.native.emitter.writer import Env, Writer
from rulespec import ir


def made_here(w: Writer, e: ir.Expr, env: Env) -> Val:
    """The C of an expression that is looked at where it is made; raises Unsupported."""
    match e:
        case ir.Bind() if (found := closure(w, e, env, here=True)) is not None:
            return found
        case ir.Fold():
            return w.fold(e, env, here=True)
        case ir.Invoke(function, args) if unbounded(w.fact(e, env)):
            head, inner = arguments(w, args, env)
            v = made_here(w, w.program.functions[function].body, inner)
            if isinstance(v.code, Block):
                return replace(v, code=Block(f"{head} {v.code.body}", v.code.name))
            return v if v.known else replace(v, code=f"({{{head} {v.code};}})")
    return w.expr(e, env)


def arguments(w: Writer, args: tuple[ir.Expr, ...], env: Env) -> tuple[str, dict[int, Val]]:
    """C that binds the arguments of a function whose body is written out, and its locals; raises Unsupported."""
    vals = [w.expr(a, env) for a in args]
    held = [("", v.code) if v.known else w.held(v) for v in vals]
    inner = {n: replace(v, code=code) for n, (v, (_, code)) in enumerate(zip(vals, held, strict=True))}
    return " ".join(head for head, _ in held), inner

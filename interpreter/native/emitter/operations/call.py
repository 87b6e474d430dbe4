"""A call of a function of the registry, as those see it that write its C."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from interpreter.native.emitter.forms import NUMBER, Bits, Empty, Form, Row, Val
from interpreter.native.emitter.texts import Block
from interpreter.native.emitter.types import Unsupported
from interpreter.native.emitter.writer import Env, Writer
from rulespec import ir
from rulespec.analysis.domain import BOOL, Fact
from rulespec.language.facts import CForm


class Call:
    """A function's name, its arguments as expressions, and what is known where it is called."""

    def __init__(self, writer: Writer, name: str, args: tuple[ir.Expr, ...], env: Env) -> None:
        self.w = writer
        self.name = name
        self.args = args
        self.env = env

    @cached_property
    def vals(self) -> list[Val]:
        """The arguments as C; they are worked out whether they are wanted or not.  What gives a number keeps none of them."""
        made = any(isinstance(a, ir.Bind | ir.Fold) for a in self.args) and self.fact_of_loop().what == "int"
        return [(self.w.made_here if made else self.w.expr)(a, self.env) for a in self.args]

    @cached_property
    def fact(self) -> Fact:
        """The type of the result."""
        return self.w.types.op(self.name, self.args, [v.fact for v in self.vals])

    def fact_of_loop(self) -> Fact:
        """The type of the result, where the arguments are not to be made as C."""
        return self.w.types.op(self.name, self.args, [self.w.fact(a, self.env) for a in self.args])

    @cached_property
    def form(self) -> Form:
        """The form of the result."""
        return self.w.form(self.fact)

    @property
    def type(self) -> str:
        """The C type of the result."""
        return self.w.type(self.form)

    def number(self, k: int) -> str:
        """An argument that is a number, as C."""
        return self.w.as_form(self.vals[k], NUMBER)

    def constant(self, k: int) -> Any:
        """An argument that the program gives; raises Unsupported where it does not."""
        arg = self.args[k]
        if not isinstance(arg, ir.Const):
            raise Unsupported(f"{self.name} of a value that is no constant")
        return arg.value

    def gives(self, code: str) -> Val:
        """A result of the form and type that the call has."""
        return Val(code, self.form, self.fact)

    def gives_number(self, code: str) -> Val:
        """A result that is a number."""
        return Val(code, NUMBER, self.fact)

    def gives_test(self, code: str) -> Val:
        """A result that is yes or no."""
        return Val(code, NUMBER, BOOL)

    def empty(self) -> Val:
        """A result that is known to have no items; what may be a fault is worked out all the same."""
        nothing = self.w.constant(())
        code = self.w.worked_out(self.vals, nothing.code)
        return nothing if code == nothing.code else Val(code, nothing.form, nothing.fact)

    def filled(self, out: str, head: str, body: str) -> Val:
        """A collection that statements put items into, of the name `out`."""
        start = self.w.forms.fresh(out, self.form)
        return self.gives(Block(f"{start} {head} {body}", out))

    def row(self, k: int) -> tuple[str, Row]:
        """An argument as a list: C that is one, and its form."""
        v = self.vals[k]
        if isinstance(v.form, Row):
            return v.code, v.form
        item = v.fact.item
        if v.form == Empty() or item is None:
            form = Row(1, NUMBER, "int64_t")
        else:
            most = v.fact.size or 64
            most = min(most, 64 * v.form.words) if isinstance(v.form, Bits) else most
            form = Row(max(1, most), self.w.form(item), self.w.forms.kept(item, self.w.form(item)))
            if not isinstance(v.form, Bits) and not v.known:
                raise Unsupported(f"{self.name} of {type(v.form).__name__}")
        return self.w.as_form(v, form), form


Writers = dict[CForm, Callable[[Call], Val]]  # what writes the calls of each way

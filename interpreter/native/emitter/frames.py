"""Locals of procedures as C variables, and frames: what a point keeps, packed on the position's stack."""

from __future__ import annotations

from interpreter.native.emitter.expressions import ExpressionWriter
from interpreter.native.emitter.forms import EMPTY, NUMBER, Val, assigned
from interpreter.native.emitter.inference import Types
from interpreter.native.emitter.texts import Member, Variable
from interpreter.native.emitter.types import Unsupported
from interpreter.native.emitter.writer import Env
from rulespec import ir
from rulespec.ir.reads import numbers
from rulespec.ir.roles import set_by


class FrameWriter(ExpressionWriter):
    """Knows the variables and frames of procedures."""

    def __init__(self, program: ir.Program, types: Types, wide: bool) -> None:
        super().__init__(program, types, wide)
        self.variables: dict[tuple[int, int], Val | None] = {}
        self.frames: set[int] = set()
        self.point_of = {(q.procedure, q.position): k for k, q in enumerate(program.points)}
        self.sources = list(map(sources, program.procedures))

    def variable(self, number: int, local: int) -> Val | None:
        """The C variable of a local, or the constant that it always is; None where nothing comes to it or it has no form."""
        key = (number, local)
        if key not in self.variables:
            self.variables[key] = self.new_variable(number, local)
        return self.variables[key]

    def new_variable(self, number: int, local: int) -> Val | None:
        """The C variable of a local."""
        fact = self.types.local[number][local]
        if fact is None:
            return None
        values = self.sources[number].get(local, [None])
        first = values[0]
        if isinstance(first, ir.Const) and isinstance(first.value, tuple) and all(v == first for v in values):
            return self.constant(first.value)
        try:
            form = self.form(fact)
        except Unsupported:
            return None
        # Nothing ever lies in what is always empty.
        return self.constant(()) if form == EMPTY else Val(Variable(f"L{local}"), form, fact)

    def env(self, number: int, pc: int) -> Env:
        """The variables of the locals that are alive at a position."""
        return {k: v for k in self.types.alive[number][pc] if (v := self.variable(number, k)) is not None}

    def assign(self, number: int, local: int, v: Val) -> str:
        """C that sets a local."""
        to = self.variable(number, local)
        if to is None or to.known:
            return f"(void)({v.code});" if not v.known else ";"
        return assigned(to.code, self.fit(v, to.fact), to.form)

    # --- frames ----------------------------------------------------------------------------------------------
    def kept(self, point: int) -> list[tuple[int, Val]]:
        """The locals that the frame of a point keeps, with their variables; constants are left out."""
        q = self.program.points[point]
        env = self.env(q.procedure, q.position)
        if any(k not in env and self.types.local[q.procedure][k] is not None for k in q.kept):
            raise Unsupported("a frame that keeps a value of unknown type")
        return [(k, env[k]) for k in q.kept if k in env and not env[k].known]

    def frame(self, point: int) -> str:
        """The C type of the frame of a point."""
        if point not in self.frames:
            fields = " ".join(f"{self.forms.kept(v.fact, v.form)} l{k};" for k, v in self.kept(point))
            self.frames.add(point)
            self.forms.declarations.append(
                f"typedef struct __attribute__((packed)) {{ {fields} uint16_t point; }} F{point};"
            )
        return f"F{point}"

    def push(self, point: int) -> str:
        """C that puts a frame on the stack."""
        f = self.frame(point)
        puts = "".join(assigned(f"f->l{k}", v.code, v.form) for k, v in self.kept(point))
        head = f"if(S->sp+(int)sizeof({f})>STACK)handed(S,RS_WAITING); {f}*f=({f}*)(S->stack+S->sp);"
        return f"{{{head} {puts}f->point={point}; S->sp+=sizeof({f});}}"

    def pop(self, point: int) -> str:
        """C that takes the locals from the frame on top, and the frame away."""
        f = self.frame(point)
        gets = "".join(assigned(v.code, Member(f"f->l{k}"), v.form) for k, v in self.kept(point))
        return f"{{{f}*f=({f}*)(S->stack+S->sp-sizeof({f})); (void)f; {gets}S->sp-=sizeof({f});}}"

    def opened(self, point: int) -> str:
        """C that declares the locals of the frame whose top is `top`."""
        f = self.frame(point)
        gets = "".join(self.forms.declared(v.code, Member(f"f->l{k}"), v.form) for k, v in self.kept(point))
        return f"{f}*f=({f}*)(top-sizeof({f})); (void)f; {gets}"

    def waiting_env(self, point: int) -> Env:
        """The locals that a question may read: those that its frame keeps, and constants."""
        q = self.program.points[point]
        return {k: v for k, v in self.env(q.procedure, q.position).items() if k in q.kept or v.known}

    def result(self, number: int) -> Val:
        """Where a procedure leaves its result."""
        fact = self.types.returned[number]
        if fact is None:
            return Val(Member("S->val"), NUMBER)
        form = self.forms.known(fact)
        return Val(Member("S->val" if form == NUMBER else f"S->ret{number}"), form, fact)


def sources(procedure: ir.Procedure) -> dict[int, list[ir.Expr | None]]:
    """What each local may be set to: the value of an assignment, None for what is given or answered."""
    found: dict[int, list[ir.Expr | None]] = {k: [None] for k in range(procedure.parameters)}
    for i in procedure.code:
        for k in numbers(set_by(i)):
            found.setdefault(k, []).append(i.value if isinstance(i, ir.Let) else None)
    for region in procedure.regions:
        found.setdefault(region.index, []).append(None)
    return found

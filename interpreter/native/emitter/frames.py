"""Locals of procedures as C variables, and frames: what a point keeps, packed on the position's stack."""

from __future__ import annotations

from interpreter.native.emitter.expressions import ExpressionWriter
from interpreter.native.emitter.forms import EMPTY, NUMBER, Val
from interpreter.native.emitter.inference import Types
from interpreter.native.emitter.types import Unsupported
from interpreter.native.emitter.webs import HANDLER, PARAMETER, Definition, Webs, definitions
from interpreter.native.emitter.writer import Env
from rulespec import ir

STACK = 4096  # bytes of frames that wait for each other; beyond, the reference machine goes on


class FrameWriter(ExpressionWriter):
    """Knows the variables and frames of procedures."""

    def __init__(self, program: ir.Program, types: Types, wide: bool) -> None:
        super().__init__(program, types, wide)
        self.variables: dict[tuple[int, Definition], Val | None] = {}
        self.frames: set[int] = set()
        self.point_of = {(q.procedure, q.position): k for k, q in enumerate(program.points)}
        self.sources = [webs_of(p, types.webs[n]) for n, p in enumerate(program.procedures)]

    def variable(self, number: int, web: Definition) -> Val | None:
        """The C variable of a web, or the constant that it always is; None where nothing comes to it or it has no form."""
        key = (number, web)
        if key not in self.variables:
            self.variables[key] = self.new_variable(number, web)
        return self.variables[key]

    def new_variable(self, number: int, web: Definition) -> Val | None:
        """The C variable of a web."""
        fact = self.types.local[number].get(web)
        if fact is None:
            return None
        code = self.program.procedures[number].code
        values = []
        for pc, _ in self.sources[number].get(web, []):
            i = code[pc] if pc >= 0 else None
            values.append(i.value if isinstance(i, ir.Let) else None)
        first = values[0] if values else None
        if isinstance(first, ir.Const) and isinstance(first.value, tuple) and all(v == first for v in values):
            return self.constant(first.value)
        try:
            form = self.form(fact)
        except Unsupported:
            return None
        pc, local = web
        place = "p" if pc == PARAMETER else "h" if pc == HANDLER else str(pc)
        return Val(f"L{local}_{place}", form, fact)

    def defined(self, number: int, pc: int, local: int) -> Val | None:
        """The variable that an instruction sets."""
        return self.variable(number, self.types.webs[number].find((pc, local)))

    def env(self, number: int, pc: int) -> Env:
        """The variables of the locals that have a value at a position."""
        webs = self.types.webs[number].reaching(pc)
        return {k: v for k, web in webs.items() if (v := self.variable(number, web)) is not None}

    def assign(self, number: int, pc: int, local: int, v: Val) -> str:
        """C that sets a local."""
        to = self.defined(number, pc, local)
        if to is None or to.known or to.form == EMPTY:
            return f"(void)({v.code});" if not v.known else ";"
        return f"{to.code}={self.fit(v, to.fact)};"

    # --- frames ----------------------------------------------------------------------------------------------
    def kept(self, point: int) -> list[tuple[int, Val]]:
        """The locals that the frame of a point keeps, with their variables; constants are left out."""
        q = self.program.points[point]
        env = self.env(q.procedure, q.position)
        webs, facts = self.types.webs[q.procedure].reaching(q.position), self.types.local[q.procedure]
        if any(k not in env and k in webs and facts.get(webs[k]) is not None for k in q.kept):
            raise Unsupported("a frame that keeps a value of unknown type")
        return [(k, env[k]) for k in q.kept if k in env and not env[k].known and env[k].form != EMPTY]

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
        puts = "".join(f"f->l{k}={v.code};" for k, v in self.kept(point))
        head = f"if(S->sp+(int)sizeof({f})>STACK)fault(S); {f}*f=({f}*)(S->stack+S->sp);"
        return f"{{{head} {puts}f->point={point}; S->sp+=sizeof({f});}}"

    def pop(self, point: int) -> str:
        """C that takes the locals from the frame on top, and the frame away."""
        f = self.frame(point)
        gets = "".join(f"{v.code}=f->l{k};" for k, v in self.kept(point))
        return f"{{{f}*f=({f}*)(S->stack+S->sp-sizeof({f})); (void)f; {gets}S->sp-=sizeof({f});}}"

    def opened(self, point: int) -> str:
        """C that declares the locals of the frame whose top is `top`."""
        f = self.frame(point)
        gets = "".join(f"{self.type(v.form)} {v.code}=f->l{k};" for k, v in self.kept(point))
        return f"{f}*f=({f}*)(top-sizeof({f})); (void)f; {gets}"

    def waiting_env(self, point: int) -> Env:
        """The locals that a question may read: those that its frame keeps, and constants."""
        q = self.program.points[point]
        return {k: v for k, v in self.env(q.procedure, q.position).items() if k in q.kept or v.known}

    def result(self, number: int) -> Val:
        """Where a procedure leaves its result."""
        fact = self.types.returned[number]
        if fact is None:
            return Val("S->val", NUMBER)
        form = self.forms.known(fact)
        return Val("S->val" if form == NUMBER else f"S->ret{number}", form, fact)


def webs_of(procedure: ir.Procedure, webs: Webs) -> dict[Definition, list[Definition]]:
    """The definitions of each web."""
    table: dict[Definition, list[Definition]] = {}
    every: list[Definition] = [(PARAMETER, k) for k in range(procedure.parameters)]
    every += [(pc, k) for pc, i in enumerate(procedure.code) for k in definitions(i)]
    every += [(HANDLER, region.index) for region in procedure.regions]
    for d in every:
        table.setdefault(webs.find(d), []).append(d)
    return table

"""Procedures as C functions that can be resumed: `P7(S, entry, arguments)`.

A call that may wait puts the caller's frame on the stack first, as generated Python hands it down, so that whoever waits returns
WAIT through all C callers.  Entry 0 is the beginning, entry `point + 1` goes on behind a point.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from interpreter.native.emitter.conditions import free_of
from interpreter.native.emitter.forms import EMPTY, NUMBER, SET, WIDE_SET, Bits, Row, Val, assigned
from interpreter.native.emitter.functions import Function, Head
from interpreter.native.emitter.inference import Types
from interpreter.native.emitter.masks import WHOLE, NoMask
from interpreter.native.emitter.sets import letter, lowest_taken, no
from interpreter.native.emitter.texts import Member, Place, Variable, part_of
from interpreter.native.emitter.types import Unreached, Unsupported
from interpreter.native.emitter.windows import WindowWriter
from interpreter.native.emitter.writer import Env
from interpreter.runtime.limits import MAX_WAITING
from rulespec import ir
from rulespec.analysis.domain import ANY, BOOL, NONE, Fact, below, of_value
from rulespec.ir.flow import region_at
from rulespec.ir.reads import reads
from rulespec.ir.roles import set_by
from rulespec.ir.walk import conjuncts, reachable_from, within
from rulespec.language import operators

DEPTH = 200  # MOST_DEPTH of words.h
FEW_OUTCOMES, MOST_OUTCOMES = 256, 4096  # distinct ones for which a draw has room: at least, and at most


class ProcedureWriter(WindowWriter):
    """Writes procedures."""

    def __init__(self, program: ir.Program, types: Types, wide: bool) -> None:
        super().__init__(program, types, wide)
        self.waits = waiting(program)
        self.reached = reached(program)
        edges = [callees(program, n) for n in range(len(program.procedures))]
        self.circular = {n for n in self.reached if n in reachable_from(edges[n], lambda k: edges[k])}
        if len(self.reached) > MAX_WAITING - DEPTH:  # calls without a circle could come to the bounds of a run, too
            self.circular = set(self.reached)
        self.sealed = sorted(
            {i.procedure for n in self.reached for i in program.procedures[n].code if isinstance(i, ir.Fork)}
        )
        self.entries: list[str] = []
        self.left: list[str] = []  # declarations of what is left of the sets that loops go through
        self.most_outcomes = FEW_OUTCOMES

    # --- a procedure -----------------------------------------------------------------------------------------
    def head(self, number: int) -> Head:
        """The C head of a procedure."""
        given = enumerate(self.types.given[number])
        args = [f"{self.type(NUMBER if f is None else self.forms.known(f))} a{k}" for k, f in given]
        return Head("int", f"P{number}", ",".join(["RsState*S", "int entry", *args]))

    def procedure(self, number: int) -> Function:
        """The C of a procedure."""
        head = self.head(number)
        self.prototypes.append(head)
        self.entries, self.left = [], []
        source = self.program.procedures[number]
        body = []
        for pc, i in enumerate(source.code):
            if pc not in self.types.reached[number]:
                continue
            before = len(self.entries)
            write = partial(self.instruction, number, pc, i)
            code = self.guarded(f"{type(i).__name__} of {source.name}", write, i.where)
            if code is None:
                del self.entries[before:]  # nothing waits where nothing was begun
            body.append(f" I{pc}:; {'lacking(S);' if code is None else code}")
        size = len(source.code)
        deeper = "DEEPER(S);" if number in self.circular else ""
        text = "\n".join(
            [
                "",
                *self.declared(number),
                *self.left,
                f" STEP(S,{size}); {deeper} switch(entry){{ case 0:; {self.started(number)} goto I0;",
                *self.entries,
                " default: fault(S); }",
                *body,
                " return FIN; ",
            ]
        )
        return Function(head, text)

    def declared(self, number: int) -> list[str]:
        """The C declarations of a procedure's variables."""
        lines = {}
        for web in self.sources[number]:
            v = self.variable(number, web)
            if v is not None and not v.known:
                lines[v.code] = f" {self.forms.fresh(v.code, v.form)}"
        return list(lines.values())

    def started(self, number: int) -> str:
        """C that takes the arguments."""
        text = ""
        for k, fact in enumerate(self.types.given[number]):
            if fact is not None:
                v = self.variable(number, k)
                if v is not None and not v.known:
                    text += f"{v.code}={self.as_form(Val(f'a{k}', self.form(fact), fact), v.form)};"
        return text

    # --- control ---------------------------------------------------------------------------------------------
    def jump(self, pc: int, target: int) -> str:
        """C that goes on elsewhere; what goes back is counted."""
        if target <= pc:
            return f"{{STEP(S,{pc - target + 1}); goto I{target};}}"
        return f"goto I{target};"

    def leave(self, number: int, pc: int, target: str) -> str:
        """C that leaves towards a target."""
        region = region_at(self.program.procedures[number], pc)
        if region is None:
            deeper = "SHALLOWER(S); " if number in self.circular else ""
            return f"{{S->leaving={target}; {deeper}return LEAVE;}}"
        v = self.variable(number, region.index)
        name = -1 if region.name is None else region.name
        put = "" if v is None else f"V t={target}; {v.code}=t=={name}?{self.none}:t; "
        return f"{{{put}S->leaving=-1; goto I{region.handler};}}"

    def instruction(self, number: int, pc: int, i: ir.Instruction) -> str:
        """The C of an instruction; raises Unsupported."""
        env = self.env(number, pc)
        point = self.point_of.get((number, pc))
        match i:
            case ir.Let(index, value):
                return self.assign(number, index, self.expr(value, env))
            case ir.Jump(target):
                return self.jump(pc, target)
            case ir.Unless(test, target):
                v = self.expr(test, env)
                if v.known:
                    return ";" if v.const else self.jump(pc, target)
                return f"if(!{v.code}){self.jump(pc, target)}"
            case ir.Next():
                return self.next(number, pc, i, env)
            case ir.Return(value):
                return self.returned(number, value, env)
            case ir.Unwind(target):
                return self.leave(number, pc, str(target))
            case ir.Resume(index):
                kept = env.get(index)
                return (
                    ";"
                    if kept is None or kept.known
                    else f"if({kept.code}!={self.none}){self.leave(number, pc, kept.code)}"
                )
            case ir.Finish(returns):
                return self.finish(returns, env)
            case ir.Enter():
                return self.enter_scope(number, i)
            case ir.Cease():
                return self.cease(number, i, env)
            case ir.Collect():
                return self.collect_rules(number, i, env)
        if point is not None:
            return self.suspending(number, pc, i, env, point)
        match i:
            case ir.NextRule():
                return self.next_rule(number, pc, i, env, None, self.jump(pc, i.target))[0]
            case ir.Ask() | ir.Draw() | ir.Fork() | ir.Call() | ir.CallRule():
                raise Unsupported("an instruction without its point")
            case _:
                return self.effect(i, env)

    def suspending(self, number: int, pc: int, i: ir.Instruction, env: Env, point: int) -> str:
        """The C of an instruction that may wait."""
        match i:
            case ir.Ask():
                answer = self.answer_of(point)
                self.entries.append(
                    f" case {point + 1}: {self.pop(point)} {self.assign(number, i.live, answer)} goto A{pc};"
                )
                return f"{self.push(point)} return WAIT; A{pc}:;"
            case ir.Draw():
                return self.draw(number, pc, i, env, point)
            case ir.Call(args=args):
                return self.call(number, pc, i, [self.expr(a, env) for a in args], point)
            case ir.CallRule():
                return self.call_rule(number, pc, i, env, point)
            case ir.Fork():
                return self.fork(number, pc, i, env, point)
            case ir.NextRule():
                code, resumed = self.next_rule(number, pc, i, env, point, self.jump(pc, i.target))
                if resumed:
                    self.entries.append(f" case {point + 1}: {resumed} goto A{pc};")
                return code
        return self.effect(i, env)  # type: ignore[arg-type]

    def answer_of(self, point: int) -> Val:
        """Where the answer of a question is when its procedure goes on."""
        i = self.program.instruction(point)
        assert isinstance(i, ir.Ask)
        site = self.program.sites[i.site]
        if site.code == "value":
            return Val("S->val", NUMBER, Fact("int", site.low, site.low + site.size - 1, none=site.none is not None))
        fact = self.answer_fact(point)
        form = self.form(fact)
        return Val(Member("S->val" if form == NUMBER else f"S->answer{point}"), form, fact)

    def answer_fact(self, point: int) -> Fact:
        """The type of the answer of a question whose actions are places among the candidates."""
        q = self.program.points[point]
        fact = self.types.local[q.procedure][q.live]
        if fact is None:
            raise Unreached
        return fact

    def next(self, number: int, pc: int, i: ir.Next, env: Env) -> str:
        """`Next`."""
        if i.index not in env or i.index + 1 not in env:
            raise Unreached
        source, n = env[i.index], env[i.index + 1]
        count, exit_ = self.variable(number, i.index + 1), self.jump(pc, i.target)
        if count is None:
            raise Unreached
        fact = source.fact.item or ANY
        if source.known:
            if not source.const:
                return exit_
            form = self.form(of_value(source.const).item or ANY)
            table = self.table(source.const, form, of_value(source.const).item or ANY)
            item, size = Val(Place(f"{table}[{n.code}]"), form, fact), str(len(source.const))
        else:
            match source.form:
                case Row(_, inner):
                    item, size = Val(part_of(source.code, f".a[{n.code}]"), inner, fact), f"{source.code}.n"
                case Bits(words) if self.gone_through(number, pc, i):
                    return self.next_of_set(number, pc, i, source, n, exit_)
                case Bits(words):
                    t = letter(words)
                    item, size = Val(f"kth{t}({source.code},{n.code})", NUMBER, fact), f"pop{t}({source.code})"
                case _ if source.form == EMPTY:
                    return exit_
                case _:
                    raise Unsupported(f"a loop over {type(source.form).__name__}")
        take = self.assign(number, i.index + 2, item)
        return f"if((uint64_t){n.code}>=(uint64_t){size}){exit_} {take} {count.code}={n.code}+1;"

    def gone_through(self, number: int, pc: int, i: ir.Next) -> bool:
        """Whether a loop goes through a set from its beginning to its end, and never waits within."""
        if number in self.waits or pc < 2:
            return False
        code = self.program.procedures[number].code
        begun = [one.index - i.index for one in code[pc - 2 : pc] if isinstance(one, ir.Let)]
        again = {one.index - i.index for one in code[pc + 1 : i.target] if isinstance(one, ir.Let)}
        return begun == [0, 1] and getattr(code[pc - 1], "value", None) == ir.Const(0) and not again & {0, 1}

    def next_of_set(self, number: int, pc: int, i: ir.Next, source: Val, n: Val, exit_: str) -> str:
        """`Next` of a set: what is left of it is kept beside how many members were taken."""
        assert isinstance(source.form, Bits)
        t, left, x = letter(source.form.words), self.name("left"), self.name()
        self.left.append(f" {t} {left};")
        take = self.assign(number, i.index + 2, Val(x, NUMBER, source.fact.item or ANY))
        begin, only = f"{left}={source.code};", self.of_use(number, pc, i, source)
        if only is not None:  # the others are gone through as well, and nothing is done for them
            begin += f" STEP(S,2*pop{t}({left})); {left}&={only};"
        return (
            f"if(!{n.code}){{{begin}}} if({no(left, t)}){exit_} "
            f"{{V {x}=low{t}({left}); {lowest_taken(left, t)} {take}}} {n.code}={n.code}+1;"
        )

    def of_use(self, number: int, pc: int, i: ir.Next, source: Val) -> str | None:
        """C of those for which a loop over a set does something, if that begins with a test which it cannot make true; None for all."""
        code = self.program.procedures[number].code
        body, inside = code[pc + 2 : i.target], code[pc + 1]
        high = None if source.fact.item is None else source.fact.item.high
        if (
            not isinstance(inside, ir.Unless)
            or inside.target != pc
            or source.form not in (SET, WIDE_SET)
            or high is None
        ):
            return None
        test, item, env = conjuncts(inside.test)[0], i.index + 2, self.env(number, pc)
        if not all(self.cannot_make(test, one, env) for one in body):
            return None
        try:
            mask = self.whole(
                test, frozenset([item]), {**env, item: Val(Variable("x"), NUMBER, below(high + 1))}, high + 1
            )
        except (NoMask, Unsupported, Unreached):
            return None
        return None if self.faulty(mask) else mask

    def cannot_make(self, test: ir.Expr, i: ir.Instruction, env: Env) -> bool:
        """Whether an instruction cannot make a test true that was not."""
        match i:
            case ir.Jump() | ir.Unless():
                return True
            case ir.Let() | ir.Next():
                return not reads(test) & set_by(i)
            case ir.Store(base=base, value=value) if not any(isinstance(e, WHOLE) for e in within(test)):
                group = self.slots.group(base)
                read = [
                    e for e in within(test) if isinstance(e, ir.Load) and self.slots.of.get(e.base) in (group, None)
                ]
                match test:
                    case ir.Op(operators.EQUAL, (ir.Load(_, ir.Local(at)) as load, other)) if read == [load]:
                        return (
                            value == ir.Const(None)
                            and free_of(other, frozenset([at]))
                            and not self.fact(other, env).none
                        )
                return not read
        return False

    def returned(self, number: int, value: ir.Expr | None, env: Env) -> str:
        """`Return`."""
        deeper = "SHALLOWER(S); " if number in self.circular else ""
        to, fact = self.result(number), self.types.returned[number]
        if value is None or to.form == EMPTY or fact is None:
            none = self.as_form(Val(self.none, NUMBER, NONE, None), to.form) if to.form != EMPTY else ""
            made = "" if value is None else f"{self.worked_out([self.expr(value, env)], '0')}; "
            return f"{made}{f'{to.code}={none};' if none else ''} {deeper}return DONE;"
        return f"{assigned(to.code, self.fitted(value, env, fact), to.form)} {deeper}return DONE;"

    def finish(self, returns: ir.Expr, env: Env) -> str:
        """`Finish`."""
        cell = self.slots.group(ir.RETURNS)
        fact = cell.fact
        value = self.fit(self.expr(returns, env), replace(fact, none=False))
        inner = self.form(replace(fact, none=False))
        put = self.as_form(Val(value, inner, replace(fact, none=False)), cell.form)
        short = f"if({self.slots.cell(ir.RETURNS)}.v.n!={self.program.players})fault(S);"
        return f"{self.slots.cell(ir.RETURNS)}={put}; {short} S->sp=0; return FIN;"

    # --- calls -----------------------------------------------------------------------------------------------
    def call(self, number: int, pc: int, i: ir.Call, values: list[Val], point: int) -> str:
        """`Call`."""
        procedure = i.procedure
        facts = self.types.given[procedure]
        given = ["0" if f is None else self.fit(v, f) for v, f in zip(values, facts, strict=True)]
        result = self.result(procedure)
        fact = self.types.returned[procedure]
        put = ";" if fact is None else self.assign(number, i.live, replace(result, fact=fact))
        leave = self.leave(number, pc, "S->leaving")
        r, run = self.name("r"), f"P{procedure}({','.join(['S', '0', *given])})"
        if procedure not in self.waits:
            return f"{{int {r}={run}; if({r}==FIN)return FIN; if({r}==LEAVE){leave} {put}}}"
        self.entries.append(f" case {point + 1}: {self.pop(point)} if(S->leaving>=0){leave} {put} goto A{pc};")
        after = f"if({r}==WAIT||{r}==FIN)return {r}; S->sp-=sizeof({self.frame(point)}); if({r}==LEAVE){leave}"
        return f"{{{self.push(point)} int {r}={run}; {after} {put}}} A{pc}:;"

    def call_rule(self, number: int, pc: int, i: ir.CallRule, env: Env, point: int) -> str:
        """`CallRule`."""
        e = env.get(i.live - 1)
        if e is None:
            raise Unreached
        event = [self.bound(self.expr(a, env)) for a in i.args]
        values = [v for _, v in event]
        to = self.variable(number, i.live)
        applied = Val(f"(S->val!=0&&S->val!={self.none})", NUMBER, BOOL)
        put = "" if to is None else self.assign(number, i.live, applied)
        back = f"if(!{applied.code}){{{self.use(number, e.code, False)}}}"
        leave = self.leave(number, pc, "S->leaving")
        self.entries.append(f" case {point + 1}: {self.pop(point)} if(S->leaving>=0){leave} {back} {put} goto A{pc};")
        run = (
            f"{self.use(number, e.code, True)} {self.push(point)} int r; {self.dispatch(number, e.code, values)} "
            f"if(r==WAIT||r==FIN)return r; S->sp-=sizeof({self.frame(point)}); if(r==LEAVE){leave} {back} {put}"
        )
        no = "" if to is None or to.known else f"{to.code}=0;"
        test = f"int ok; {self.passes(number, e.code, values)}"
        return f"{{{''.join(text for text, _ in event)} {test} if(!ok){{{no}}} else {{{run}}}}} A{pc}:;"

    # --- chance ------------------------------------------------------------------------------------------------
    def draw(self, number: int, pc: int, i: ir.Draw, env: Env, point: int) -> str:
        """`Draw`."""
        to = self.variable(number, i.live)
        fact = to.fact if to is not None else ANY
        if self.forms.known(fact) != NUMBER or fact.what == "any":
            raise Unsupported("a draw of something else than numbers")
        drawn = self.assign(number, i.live, Val("S->val", NUMBER, fact))
        self.entries.append(f" case {point + 1}: {self.pop(point)} {drawn} goto A{pc};")
        wait = f"if(!S->seeded){{{self.push(point)} return WAIT;}}"
        d, k = self.name("d"), self.name("k")
        put = self.assign(number, i.live, Val(d, NUMBER, fact))
        v = self.expr(i.items, env)
        if i.weights is None and isinstance(v.form, Bits):
            t, m, n = self.type(v.form), self.name("m"), self.name("n")
            pick = f"V {k}=below(S->mixed,&S->counter,{n}); {d}=kth{t}({m},{k});"
            return (
                f"{{{t} {m}={v.code}; V {n}=pop{t}({m}),{d}; if(!{n})fault(S); if({n}==1){d}=low{t}({m}); "
                f"else {{{wait} {pick}}} {put}}} A{pc}:;"
            )
        if i.weights is None and isinstance(v.form, Row) and v.fact.ordered:
            hold, x = self.held(v)
            pick = f"V {k}=below(S->mixed,&S->counter,{x}.n); {d}={x}.a[{k}];"
            one = f"V {d}; if(!{x}.n)fault(S); if({x}.n==1){d}={x}.a[0]; else {{{wait} {pick}}}"
            return f"{{{hold} {one} {put}}} A{pc}:;"
        fill = self.lottery(i, env, v)
        pick = f"V {k}=fall(S,lot,S->mixed,&S->counter); {d}=lot->values[{k}];"
        one = f"V {d}; if(lot->n==1){d}=lot->values[0]; else {{{wait} {pick}}}"
        return f"{{Lottery lottery,*lot=&lottery; lot->n=0; {fill} {one} {put}}} A{pc}:;"

    def lottery(self, i: ir.Draw, env: Env, v: Val | None = None) -> str:
        """C that fills what `lot` points to with the distinct outcomes and their weights."""
        source = self.expr(i.items, env) if v is None else v
        self.most_outcomes = max(self.most_outcomes, min(MOST_OUTCOMES, source.fact.size or 0))
        if i.weights is None:
            add = "another(S,lot,{})" if source.fact.ordered else "outcome(S,lot,{},1)"
            return f"{self.each_of(source, lambda y: f'{add.format(self.as_form(y, NUMBER))};')} if(!lot->n)fault(S);"
        w, c = self.name("w"), self.name("c")
        weigh = self.each(
            i.weights, env, lambda y: f"if({c}>=MOST_OUTCOMES)handed(S,RS_OUTCOMES); {w}[{c}++]={y.code};"
        )
        fill = self.each_of(
            source, lambda y: f"if(j>={c}||{w}[j]<0)fault(S); outcome(S,lot,{self.as_form(y, NUMBER)},{w}[j++]);"
        )
        return f"{{V {w}[MOST_OUTCOMES]; int {c}=0,j=0; {weigh} {fill} if(j!={c})fault(S);}} if(!lot->n)fault(S);"

    # --- sealed choices ------------------------------------------------------------------------------------------
    def fork(self, number: int, pc: int, i: ir.Fork, env: Env, point: int) -> str:
        """`Fork`: a stack for each seat."""
        n, child = self.program.players, i.procedure
        facts = self.types.given[child]
        given = ["0" if f is None else self.fitted(a, env, f) for a, f in zip(i.args, facts[1:], strict=True)]
        to, result = self.variable(number, i.live), self.result(child)
        joined = self.joined(child, to, result)
        self.entries.append(f" case {point + 1}: {self.pop(point)} {joined} goto A{pc};")
        seats = self.each(i.seats, env, lambda x: f"m|=(M)1<<{self.index(x, n)};")
        run = f"int r=P{child}({','.join(['S', '0', 'k', *given])}); if(r==LEAVE||r==FIN)fault(S);"
        wait = "if(r==WAIT){S->child[k].at=extra; S->child[k].size=S->sp-floor-extra; extra=S->sp-floor; S->child[k].state=1; open=1;}"
        done = f"else {{S->child[k].size=0; S->child[k].state=2; S->sealed{child}[k]={result.code};}}"
        loop = f"for(;m;m&=m-1){{int k=lowM(m); S->sp=floor+extra; {run} {wait} {done}}}"
        end = f"S->sp=floor; S->extra=extra; if(open)return WAIT; S->sp-=sizeof({self.frame(point)});"
        return f"{{M m=0; {seats} {self.push(point)} int open=0,extra=0,floor=S->sp; {loop} {end} {joined}}} A{pc}:;"

    def joined(self, child: int, to: Val | None, result: Val) -> str:
        """C that makes one value of all sealed answers."""
        clear = "S->child[k].state=0;"
        n = self.program.players
        if to is None or to.known:
            return f"for(int k=0;k<{n};k++){clear}"
        if not isinstance(to.form, Row):
            raise Unsupported("sealed answers as something else than a list")
        fact = self.types.returned[child] or NONE
        there = self.as_form(Val(f"S->sealed{child}[k]", result.form, fact), to.form.item)
        none = self.as_form(Val(self.none, NUMBER, NONE, None), to.form.item)
        put = f"if(S->child[k].state){to.code}.a[k]={there}; else {to.code}.a[k]={none};"
        return f"{to.code}.n={n}; for(int k=0;k<{n};k++){{{put} {clear}}}"


def waiting(program: ir.Program) -> set[int]:
    """The procedures that may wait."""
    waits: set[int] = set()
    while True:
        new = {
            n
            for n, p in enumerate(program.procedures)
            if any(
                isinstance(i, ir.Ask | ir.Draw | ir.Fork | ir.NextRule | ir.CallRule)
                or (isinstance(i, ir.Call) and i.procedure in waits)
                for i in p.code
            )
        }
        if new == waits:
            return waits
        waits = new


def callees(program: ir.Program, number: int) -> list[int]:
    """The procedures that a procedure may run."""
    found: list[int] = []
    for i in program.procedures[number].code:
        if isinstance(i, ir.Call | ir.Fork):
            found.append(i.procedure)
        elif isinstance(i, ir.Collect):
            found += [program.rules[n].procedure for n in i.rules]
    return found


def reached(program: ir.Program) -> list[int]:
    """The procedures that main may run, or that are looked ahead at."""
    seen: set[int] = set()
    every = within((program.functions, program.procedures, program.sites, program.rules))
    work: list[Any] = [program.main, *(e.procedure for e in every if isinstance(e, ir.After))]
    while work:
        number = work.pop()
        if number not in seen:
            seen.add(number)
            work += callees(program, number)
    return sorted(seen)

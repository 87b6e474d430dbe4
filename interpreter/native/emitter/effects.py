"""What instructions do to the position: stores, moves, looks, scopes and lasting effects."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from interpreter.native.emitter import sets
from interpreter.native.emitter.forms import NUMBER, Bits, Form, Record, Row, Val, outsized, word_of
from interpreter.native.emitter.frames import FrameWriter
from interpreter.native.emitter.operations import tolls
from interpreter.native.emitter.operations.call import Call
from interpreter.native.emitter.operations.collections import taker
from interpreter.native.emitter.slots import Group
from interpreter.native.emitter.texts import Place, Variable
from interpreter.native.emitter.types import Unsupported
from interpreter.native.emitter.writer import Env
from interpreter.runtime.effects import DEEPER, everybody, places_within
from rulespec import ir
from rulespec.analysis.domain import NONE, Fact
from rulespec.ir.weight import TOLL
from rulespec.language import operators
from rulespec.language.bounds import meet

MOST_BITS = 62  # of a mask of who knows something

Effect = (
    ir.Store | ir.Move | ir.MoveCounts | ir.Learn | ir.Claim | ir.Say | ir.Reset | ir.Leave | ir.Begin
)  # fmt: skip


class EffectWriter(FrameWriter):
    """Writes the instructions that change the position and go on with the next."""

    def effect(self, i: Effect, env: Env) -> str:
        """The C of such an instruction; raises Unsupported."""
        match i:
            case ir.Store():
                return self.store(i, env)
            case ir.Move():
                return self.move(i, env)
            case ir.MoveCounts():
                return self.move_counts(i, env)
            case ir.Learn():
                return self.learn(i, env)
            case ir.Claim(test):
                return f"if(!{self.test(test, env)})fault(S);"
            case ir.Say():
                return ";"
            case ir.Reset(low, high):
                return "".join(f"{self.slots.cell(s)}=0;" for s in range(low, high)) + self.boards_within(low, high)
            case ir.Leave():
                return self.leave_scope(i, env)
            case ir.Begin():
                return self.begin(i, env)
            case _:
                assert_never(i)

    # --- stores ------------------------------------------------------------------------------------------------
    def store(self, i: ir.Store, env: Env) -> str:
        """`Store`."""
        group = self.slots.group(i.base)
        index = "0" if i.index is None else self.index(self.expr(i.index, env), i.size)
        place = f"{i.base - group.base}+{index}"
        facts = list(dict.fromkeys(self.types.slot[s] or NONE for s in range(i.base, i.base + i.size)))
        cell = Place(f"S->g{group.base}[{place}]")
        added = self.appended(i, env, cell)
        if added:
            return added
        taken = self.taken_out(i, env, cell)
        if taken:
            return taken
        v = self.expr(i.value, env)
        if v.known and v.const == () and isinstance(group.form, Row):
            return f"S->g{group.base}[{place}].n=0;"
        if group.form != NUMBER:
            if len(facts) > 1:
                raise Unsupported("slots of different types")
            if outsized(group.form):
                return self.filled_up(v, group, facts[0])
            value = Val(self.fit(v, facts[0]), self.form(facts[0]), facts[0])
            return f"{{int at={place}; S->g{group.base}[at]={self.as_form(value, group.form)};}}"
        t = self.name("v")
        text = f"V {t}={self.as_form(v, NUMBER)}; V at={place};"
        text += self.bounds(i, t, v.fact)
        value = Val(t, NUMBER, self.bounded(i, v.fact))
        for fact in facts:
            value = Val(self.fit(value, fact), NUMBER, fact)
        text += f" {t}={value.code};" if value.code != t else ""
        return f"{{{text} {self.stored(group.base, 'at', t)}}}"

    def filled_up(self, v: Val, group: Group, fact: Fact) -> str:
        """C that makes a list which has more room than other values of its type one of the items of `v`."""
        cell, item = f"S->g{group.base}[0]", fact.item
        assert isinstance(group.form, Row) and item is not None
        if v.code == cell:
            return ";"
        head, x = self.held(v)
        add = self.adder(cell, group.form)
        loop = self.each_of(Val(x, v.form, v.fact), lambda y: add(Val(self.fit(y, item), self.form(item), item)))
        return f"{{{head} {cell}.n=0; {loop}}}"

    def appended(self, i: ir.Store, env: Env, cell: str) -> str:
        """C of a store of a list with more items behind it, which are put there; "" where it is something else."""
        match i.value:
            case ir.Op(operators.CONCAT, (ir.Load(base, index, size), more)) if (base, index, size) == (
                i.base,
                i.index,
                i.size,
            ):
                form, fact = self.slots.group(base).form, self.types.load(base, size).item
                more_form = self.known_form(more, env)
                if (
                    index is not None
                    or not isinstance(form, Row)
                    or not isinstance(more_form, Row | Record | Bits)
                    or not fact
                ):
                    return ""
                v, x = self.expr(more, env), self.name()
                items = Val(x, v.form, v.fact)  # they are known before the first of them is put there
                add = self.adder(cell, form)
                loop = self.each_of(items, lambda y: add(Val(self.fit(y, fact), self.form(fact), fact)))
                toll = f"FUEL(S,{cell}.n>>{TOLL}); " if outsized(form) else ""
                return f"{{{toll}{self.type(v.form)} {x}={v.code}; {loop}}}"
        return ""

    def taken_out(self, i: ir.Store, env: Env, cell: str) -> str:
        """C of a store of a list without some of its items, which are taken out where it lies; "" where it is something else."""
        match i.value:
            case ir.Op(operators.WITHOUT, (ir.Load(base, None, size), less) as args) if (base, i.index, size) == (
                i.base,
                None,
                i.size,
            ):
                form, fact = self.slots.group(base).form, self.types.load(base, size).item
                v, x = self.expr(less, env), self.name()
                if not isinstance(form, Row) or not fact or not (v.known or isinstance(v.form, Row | Record | Bits)):
                    return ""
                items, keep = (v, "") if v.known else (Val(x, v.form, v.fact), f"{self.type(v.form)} {x}={v.code};")
                cost = tolls(Call(self, i.value.name, args, env))
                loop = self.each_of(items, taker(self, cell, form, fact))
                return f"{{{f'FUEL(S,{cost}); ' if cost else ''}{keep} {loop}}}"
        return ""

    def known_form(self, e: ir.Expr, env: Env) -> Form | None:
        """The form of an expression; None where it has none."""
        try:
            return self.form(self.fact(e, env))
        except Unsupported:
            return None

    def stored(self, base: int, at: str, value: str) -> str:
        """C that puts a number into a cell of a group, and keeps up its bit boards."""
        put = f"S->g{base}[{at}]={value};"
        if base not in self.slots.boards:
            return put
        cell, one = f"S->g{base}[{at}]", f"({word_of(self.slots.group(base).size)})1<<{at}"
        return f"S->b{base}[{self.row(cell)}]&=~({one}); {put} S->b{base}[{self.row(cell)}]|={one};"

    def row(self, cell: str) -> str:
        """Which bit board the value of a cell belongs to."""
        return f"{cell}=={self.none}?0:{cell}+1"

    def boards_of(self, base: int) -> str:
        """C that makes the bit boards of a group anew."""
        group = self.slots.group(base)
        each = f"S->b{base}[{self.row(f'S->g{base}[i]')}]|=({word_of(group.size)})1<<i;"
        return f"memset(S->b{base},0,sizeof S->b{base}); for(int i=0;i<{group.size};i++){each}"

    def bounds(self, i: ir.Store, t: str, fact: Fact) -> str:
        """C that keeps a number within the bounds of a store."""
        text = ""
        there = f"{t}!={self.none}&&" if fact.none else ""
        for bound, sign in ((i.low, "<"), (i.high, ">")):
            safe = fact.bounded and bound is not None and (fact.low if sign == "<" else fact.high) is not None
            if bound is None or (safe and (fact.low >= bound if sign == "<" else fact.high <= bound)):  # type: ignore[operator]
                continue
            outside = f"{t}={bound}" if i.stops else "fault(S)"
            text += f" if({there}{t}{sign}{bound}LL){outside};"
        return text

    def bounded(self, i: ir.Store, fact: Fact) -> Fact:
        """The type of a number within the bounds of a store."""
        if fact.what != "int":
            return fact
        low, high = meet((fact.low, fact.high), (i.low, i.high))
        if low is not None and high is not None and low > high:
            low, high = i.low, i.high
        return replace(fact, low=low, high=high)

    # --- pieces ------------------------------------------------------------------------------------------------
    def move(self, i: ir.Move, env: Env) -> str:
        """`Move`."""
        zone = self.program.zones[i.zone]
        kind = self.program.kinds[zone.kind]
        if kind.location is None:
            raise Unsupported("pieces that lie nowhere")
        places, group = self.slots.group(kind.location), self.slots.group(zone.base)
        index = "0" if i.index is None else self.index(self.expr(i.index, env), zone.size)
        to, s = self.name("t"), self.name("s")
        cell = f"S->g{group.base}[{to}-{group.base}]"
        size, offset = len(kind.members), kind.location - places.base

        def one(x: Val) -> str:
            p = self.name("p")
            put = self.laid(cell, group.form, p, zone.order != "pile", i.bottom)
            place = f"S->g{places.base}[{p}+{offset}]={to}; S->known{kind.index}[{p}]=0;"
            return f"{{V {p}={self.index(x, size)}; take{kind.index}(S,{p}); {put} {place}}}"

        v = self.expr(i.pieces, env)
        if v.known:
            loop = self.each_constant(v.const, one)
        else:  # the pieces are known before the first of them moves
            loop = f"{self.type(v.form)} {s}={v.code}; {self.each_of(replace(v, code=s), one)}"
        return f"{{V {to}={zone.base}+{index}; {loop}}}"

    def laid(self, cell: str, form: object, p: str, is_set: bool, bottom: bool) -> str:
        """C that puts a piece into a zone."""
        match form:
            case Bits(words):
                return sets.put(cell, p, sets.letter(words))
            case Row(most) if is_set:
                move = f"for(;i>0&&{cell}.a[i-1]>{p};i--){cell}.a[i]={cell}.a[i-1];"
                return f"{{if({cell}.n>={most})full(S); int i={cell}.n++; {move} {cell}.a[i]={p};}}"
            case Row(most) if bottom:
                return f"{{if({cell}.n>={most})full(S); for(int i={cell}.n++;i>0;i--){cell}.a[i]={cell}.a[i-1]; {cell}.a[0]={p};}}"
            case Row(most):
                return f"if({cell}.n>={most})full(S); {cell}.a[{cell}.n++]={p};"
        raise Unsupported("a zone of another form")

    def takers(self) -> list[str]:
        """For each kind of pieces, the function that takes one from where it lies."""
        out = []
        for kind in self.program.kinds:
            if kind.location is None:
                continue
            places = self.slots.group(kind.location)
            lines = []
            for zone in self.program.zones:
                if zone.kind == kind.index and not zone.counts:
                    group = self.slots.group(zone.base)
                    cell = f"S->g{group.base}[at-{group.base}]"
                    test = f"if(at>={zone.base}&&at<{zone.base + zone.size})"
                    lines.append(f"{test}{{{self.taken(cell, group.form)} return;}}")
            at = f"S->g{places.base}[p+{kind.location - places.base}]"
            head = f"static inline void take{kind.index}(RsState*S,V p){{V at={at}; if(at<0)return;"
            out.append(f"{head} {' '.join(lines)} fault(S);}}")
        return out

    def taken(self, cell: str, form: object) -> str:
        """C that takes piece `p` out of a zone."""
        match form:
            case Bits(words):
                return sets.taken(cell, "p", sets.letter(words))
            case Row():
                left = f"{cell}.n--; for(;i<{cell}.n;i++){cell}.a[i]={cell}.a[i+1];"
                return f"{{int i=0; while(i<{cell}.n&&{cell}.a[i]!=p)i++; if(i>={cell}.n)fault(S); {left}}}"
        raise Unsupported("a zone of another form")

    def move_counts(self, i: ir.MoveCounts, env: Env) -> str:
        """`MoveCounts`."""
        zone = i.source if i.source is not None else i.zone
        if zone is None:
            return ";"
        size = len(self.program.kinds[self.program.zones[zone].kind].members)
        form, b = Row(max(1, size), NUMBER, "int64_t"), self.name("b")
        bag = self.expr(i.bag, env)
        if (bag.fact.size if not bag.known else len(bag.const)) != size:
            raise Unsupported("a bag of other kinds")
        text = f"{self.type(form)} {b}={self.as_form(bag, form)}; for(int i=0;i<{size};i++)if({b}.a[i]<0)fault(S);"
        change = ""
        for number, index, sign in ((i.source, i.source_index, "sub_"), (i.zone, i.index, "add_")):
            if number is None:
                continue
            own = self.program.zones[number]
            group, at = self.slots.group(own.base), self.name("i")
            k = "0" if index is None else self.index(self.expr(index, env), own.size)
            text += f" V {at}={k}+{own.base - group.base};"
            cell = f"S->g{group.base}[{at}].a[i]"
            fact = self.types.load(own.base, own.size).item
            high = "INT64_MAX" if fact is None or fact.high is None else f"{fact.high}"
            left = f"V x={sign}(S,{cell},{b}.a[i]); if(x<0||x>{high})fault(S); {cell}=x;"
            change += f" for(int i=0;i<{size};i++){{{left}}}"
        text += change
        return f"{{{text}}}"

    def learn(self, i: ir.Learn, env: Env) -> str:
        """`Learn`."""
        known, size = f"S->known{i.kind}", len(self.program.kinds[i.kind].members)
        if i.forget:
            return self.each(i.pieces, env, lambda x: f"{known}[{self.index(x, size)}]=0;")
        s, players = self.name("s"), self.program.players
        if i.seats is None:
            if len(everybody(self.program)) > MOST_BITS:
                raise Unsupported("what more players know than there are bits")
            seats = f"{s}={(1 << players + 1) - 1};"
        else:
            seats = self.each(i.seats, env, lambda x: f"{s}|=(M)1<<{self.index(x, players)};")
        return f"{{M {s}=0; {seats} {self.each(i.pieces, env, lambda x: f'{known}[{self.index(x, size)}]|={s};')}}}"

    # --- scopes ------------------------------------------------------------------------------------------------
    def enter_scope(self, number: int, i: ir.Enter) -> str:
        """`Enter`."""
        kept = self.variable(number, i.live)
        text = ""
        if kept is not None and not kept.known:
            fields = self.parts_of(kept, kept.code)
            text += "".join(
                f"{field.code}={self.fitted_slot(s, field)};"
                for s, field in zip(range(i.low, i.high), fields, strict=False)
            )
            if isinstance(kept.form, Row):
                text += f"{kept.code}.n={i.high - i.low};"
        for slot, location in places_within(self.program, i.low, i.high):
            text += self.nowhere(slot, location)
        for slot, value in zip(range(i.low, i.high), i.values, strict=True):
            cell, form = self.slots.cell(slot), self.slots.group(slot).form
            text += f"{cell}.n=0;" if outsized(form) and value == () else f"{cell}={self.forms.constant(value, form)};"
        return text + self.boards_within(i.low, i.high)

    def boards_within(self, low: int, high: int) -> str:
        """C that makes the bit boards anew of slots that were set one by one."""
        return "".join(self.boards_of(b) for b in self.slots.boards if b < high and b + self.slots.group(b).size > low)

    def fitted_slot(self, slot: int, field: Val) -> str:
        """A slot's value as a part of what a scope puts aside."""
        v = Val(self.slots.cell(slot), self.slots.group(slot).form, self.types.load(slot, 1))
        return self.as_form(v, field.form)

    def cell_value(self, slot: int) -> Val:
        """A slot as a value."""
        return Val(self.slots.cell(slot), self.slots.group(slot).form, self.types.load(slot, 1))

    def nowhere(self, slot: int, location: int) -> str:
        """C after which the pieces of a zone lie nowhere."""
        places = self.slots.group(location)
        put = lambda x: f"S->g{places.base}[{x.code}+{location - places.base}]=-1;"  # noqa: E731
        return self.each_of(self.cell_value(slot), put)

    def leave_scope(self, i: ir.Leave, env: Env) -> str:
        """`Leave`."""
        kept = env.get(i.live)
        if kept is None or not isinstance(kept.form, Record | Row) or kept.fact.parts is None:
            raise Unsupported("a scope that was not begun")
        high = i.low + len(kept.fact.parts)
        fields = self.parts_of(kept, kept.code)
        places = [x for x in places_within(self.program, i.low, None) if x[0] < high]
        text = f"if({kept.code}.n!={len(kept.fact.parts)})fault(S);" if isinstance(kept.form, Row) else ""
        text += "".join(self.nowhere(slot, location) for slot, location in places)
        for slot, field in zip(range(i.low, high), fields, strict=False):
            group = self.slots.group(slot)
            value = Val(self.fit(field, self.types.load(slot, 1)), self.form(self.types.load(slot, 1)))
            text += f"{self.slots.cell(slot)}={self.as_form(value, group.form)};"
        for slot, location in places:
            text += self.back_again(slot, location)
        return text + self.boards_within(i.low, high)

    def back_again(self, slot: int, location: int) -> str:
        """C that keeps of a zone the pieces that lie nowhere, and puts them there."""
        v, places, z = self.cell_value(slot), self.slots.group(location), self.name("z")
        add = self.adder(z, v.form)

        def one(x: Val) -> str:
            place = f"S->g{places.base}[{x.code}+{location - places.base}]"
            return f"if({place}==-1){{{place}={slot}; {add(x)}}}"

        head = f"{self.type(v.form)} {z}={self.forms.zero(v.form)};"
        return f"{{{head} {self.each_of(v, one)} {v.code}={z};}}"

    # --- lasting effects ----------------------------------------------------------------------------------------
    def tag(self, end: int | None, depth: int | None) -> str:
        """C of the tag of what ends an effect."""
        if end is None:
            return "INT64_MIN"
        return f"{end}" if depth is None else f"({end}+{self.slots.cell(depth)}*{DEEPER}LL)"

    def begin(self, i: ir.Begin, env: Env) -> str:
        """`Begin`."""
        facts = self.types.lasting.get(i.lasting, [])
        values = []
        for a, fact in zip(i.args, facts, strict=True):
            if fact is None or fact.what not in ("int", "never"):
                raise Unsupported("a lasting rule about something else than numbers")
            values.append(self.fitted(a, env, fact))
        puts = "".join(f"e->a[{k}]={v};" for k, v in enumerate(values))
        head = "if(S->lasts>=MOST_LASTING)handed(S,RS_LASTINGS); Lasting*e=&S->lasting[S->lasts];"
        return (
            f"{{{head} e->rule={i.lasting}; e->n={len(values)}; e->tag={self.tag(i.end, i.depth)}; {puts} S->lasts++;}}"
        )

    def cease(self, number: int, i: ir.Cease, env: Env) -> str:
        """`Cease`."""
        tests = []
        if i.lasting is not None:
            tests.append(f"e->rule=={i.lasting}")
        if i.end is not None:
            tests.append(f"e->tag=={self.tag(i.end, i.depth)}")
        head = ""
        if i.args is not None:
            tests.append(f"e->n=={len(i.args)}")
            for k, a in enumerate(i.args):
                x = self.name()
                head += f"V {x}={self.test(a, env)};"
                tests.append(f"e->a[{k}]=={x}")
        to = self.variable(number, i.live)
        some = none = ""
        if to is not None and not to.known:
            fact = replace(to.fact, none=False)
            if fact.what == "items":
                size = len(fact.parts or ()) or self.types.most_arguments()
                row = Row(max(1, size), NUMBER, "int64_t")
                made = Val(Variable("ended"), row, replace(fact, ordered=False))
                copy = f"for(int i=0;i<e->n&&i<{row.most};i++)ended.a[i]=e->a[i];"
                some = f"{self.type(row)} ended={{e->n}}; {copy} {to.code}={self.fit(made, to.fact)};"
            none = f"{to.code}={self.as_form(Val(self.none, NUMBER, NONE, None), to.form)};"
        drop = "S->lasts--; for(;k<S->lasts;k++)S->lasting[k]=S->lasting[k+1];"
        one = "Lasting*e=&S->lasting[k];"
        find = f"int k=0; for(;k<S->lasts;k++){{{one} if({'&&'.join(tests) or '1'})break;}}"
        return f"{{{head} {find} if(k<S->lasts){{{one} {some} {drop}}} else {{{none}}}}}"

"""A whole program as C: the position, what was written for each of its parts, and the tables that the interface reads."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from importlib.resources import files

from interpreter.native.emitter.exchange import Code, Layout
from interpreter.native.emitter.forms import (
    EMPTY,
    NUMBER,
    Form,
    NeedsShort,
    NeedsWide,
    Row,
    room,
    word_of,
)
from interpreter.native.emitter.functions import Head, divided
from interpreter.native.emitter.inference import Types
from interpreter.native.emitter.layouts import Coder, most_numbers
from interpreter.native.emitter.lookahead import Lookahead
from interpreter.native.emitter.nesting import deepest
from interpreter.native.emitter.questions import QuestionWriter
from interpreter.native.emitter.slots import FEW_LISTS, Group
from interpreter.native.emitter.transport import exported, imported, ranged
from interpreter.native.emitter.types import TEXT
from interpreter.runtime.effects import everybody
from rulespec import ir
from rulespec.analysis.domain import NONE, Fact
from rulespec.system.records import dataclass
from rulespec.text.source import Span

# Bytes of frames that wait for each other where nobody knows how many can: room for many small ones and a few of the largest; beyond,
# the reference machine goes on.
STACK, LARGEST = 4096, 4
LONG = 512  # bytes of a list that is not copied with the rest of the position
MOST_CANDIDATES = 256  # distinct ones of a question whose actions count them
READER = "SELDOM static int32_t {}(RsState*S,{}const int64_t**at,const int64_t*end_)"
KINDS = ("NEVER", "ASKS", "DRAWS", "FORKS", "CALLS")  # what waits at a point
EMITTER = __name__.rpartition(".")[0]
NATIVE = EMITTER.rpartition(".")[0]
PARTS = ((NATIVE, "abi.h"), (EMITTER, "words.h"), (EMITTER, "runtime.h"), (EMITTER, "interface.h"))


@dataclass(frozen=True, slots=True)
class Source:
    """A program as C, what its positions look like as numbers, and what it hands over: (where, what, why)."""

    files: dict[str, str]
    layout: Layout
    handed_over: tuple[tuple[Span | None, str, str], ...]

    @property
    def text(self) -> str:
        """All of the C."""
        return "\n".join(self.files.values())


def source(program: ir.Program) -> Source:
    """The C of a program; raises Unsupported where its positions cannot be kept at all."""
    types, wide = Types(program), False
    while True:
        try:
            writer = ProgramWriter(program, types, wide)
            files = writer.source()
            return Source(files, writer.layout(), tuple(writer.handed_over))
        except NeedsWide:
            wide = True
        except NeedsShort:
            types.short = True


class ProgramWriter(QuestionWriter):
    """Writes a program."""

    def source(self) -> dict[str, str]:
        """The whole C, in one file or, where it is long, in several."""
        program = self.program
        points = [k for k, q in enumerate(program.points) if q.procedure in self.reached]
        instructions = {k: program.instruction(k) for k in points}
        procedures = [self.procedure(n) for n in self.reached]
        asks = [
            k
            for k, i in instructions.items()
            if isinstance(i, ir.Ask) or (isinstance(i, ir.NextRule) and i.arrange is not None)
        ]
        draws = [k for k, i in instructions.items() if isinstance(i, ir.Draw)]
        questions = [one for k in asks for one in self.question(k)] + [self.chance(k) for k in draws]
        tables = self.tables_of_points(asks, draws)
        state = self.state()
        head, words, runtime, interface = (files(package).joinpath(name).read_text("utf-8") for package, name in PARTS)
        common: list[str | Head] = [
            head,
            *self.constants(),
            words,
            *self.forms.declarations,
            *state,
            runtime,
            self.copying(),
            self.parts(),
        ]
        common += [*self.lookahead.functions(), *self.prototypes, *self.takers()]
        return divided(common, self.small, [*self.functions, *procedures, *questions], [*tables, interface])

    def constants(self) -> list[str]:
        """The numbers that the runtime and the interface ask for."""
        program = self.program
        actions = max(MOST_CANDIDATES, self.most_outcomes, self.most_answers)
        numbers = sum(group.size * most_numbers(group.form) for group in self.slots.groups)
        numbers += 64 * len(program.kinds) + 1024
        numbers += sum(len(kind.members) for kind in program.kinds)
        values = {
            "PLAYERS": program.players,
            "UNIT": program.unit,
            "STEP_LIMIT": program.step_limit,
            "MOST_ACTIONS": actions,
            "MOST_CANDIDATES": MOST_CANDIDATES,
            "MOST_OUTCOMES": self.most_outcomes,
            "STACK": self.stack(),
            "MOST_NUMBERS": f"({numbers}+9*STACK)",
            "POINTS": len(program.points),
            "MAIN": program.main,
            "MOST_ARGUMENTS": max(1, self.types.most_arguments()),
            "SEALED": int(bool(self.sealed)),
            "WIDE": int(self.wide_masks),
            "ANY_RULE": -2,
            "NOBODY": -1,
        }
        lines = [f"#define {name} {value}" for name, value in values.items()]
        return [*lines, f"#define NONE {self.none}", f"enum {{ {', '.join(KINDS)} }};"]

    def stack(self) -> str:
        """The bytes of frames that wait for each other: as many as there can be, where that is known and not more than is usual."""
        usual = f"((int)({STACK}+{LARGEST}*sizeof(Frames)))"
        depth = deepest(self.program, self.reached, self.waits)
        if depth is None:
            return usual
        most = f"((int)({depth}*sizeof(Frames)))"
        return f"({most}<{usual}?{most}:{usual})"

    # --- the position ------------------------------------------------------------------------------------------
    @cached_property
    def carried(self) -> dict[str, str]:
        """The members of the position that instructions write, by their names, as C declares them."""
        program = self.program
        declared = {"sp": "int32_t sp"}
        short = [g for g in self.slots.groups if g not in self.long]
        declared |= {f"g{g.base}": f"{g.store} g{g.base}[{g.size}]" for g in (*short, *self.long)}
        declared |= {
            f"b{base}": f"{word_of(self.slots.group(base).size)} b{base}[{boards}]"
            for base, boards in self.slots.boards.items()
        }
        bits = len(everybody(program))
        seats = "uint8_t" if bits <= 8 else "uint16_t" if bits <= 16 else "uint64_t"
        for kind in program.kinds:
            if kind.location is not None:
                declared[f"known{kind.index}"] = f"{seats} known{kind.index}[{len(kind.members)}]"
        if self.lasts:
            declared |= {"lasts": "int32_t lasts", "lasting": "Lasting lasting[MOST_LASTING]"}
        return declared

    @cached_property
    def long(self) -> list[Group]:
        """The slots that are long lists, of which only the items that there are need be copied."""
        few = [g for g in self.slots.groups if g.size <= FEW_LISTS]
        return [g for g in few if isinstance(g.form, Row) and room(g.form) >= LONG]

    def long_lists(self) -> Iterator[tuple[Row, str]]:
        """Each of these lists by itself: its form, and its place in a position."""
        for group in self.long:
            assert isinstance(group.form, Row)
            for k in range(group.size):
                yield group.form, f"g{group.base}[{k}]"

    def copying(self) -> str:
        """C that copies a position."""
        text, start = "", "0"
        for form, place in self.long_lists():
            at, name = f"offsetof(RsState,{place})", f"from->{place}"
            items = f"offsetof({self.type(form)},a)+{name}.n*sizeof {name}.a[0]"
            text += f" copied((char*)to+{start},(const char*)from+{start},{at}-{start}+{items});"
            start = f"({at}+sizeof {name})"
        rest = f"copied((char*)to+{start},(const char*)from+{start},used(from)-{start});"
        return f"static inline void copy(const RsState*from,RsState*to){{{text} {rest}}}"

    def parts(self) -> str:
        """The parts of a position `S` that mean something, in an order in which each can be found by those before, as calls of a macro."""
        text, start = "", "0"
        for form, place in self.long_lists():
            at, name, head = f"offsetof(RsState,{place})", f"S->{place}", f"offsetof({self.type(form)},a)"
            text += f" PART((char*)S+{start},{at}-{start}+{head});"
            if isinstance(form.item, Row):
                item, inner = f"{name}.a[k]", f"offsetof({self.type(form.item)},a)"
                text += f" for(int k=0;k<{name}.n;k++){{ PART(&{item},{inner}); PART({item}.a,{item}.n*sizeof {item}.a[0]);}}"
            else:
                text += f" PART({name}.a,{name}.n*sizeof {name}.a[0]);"
            start = f"({at}+sizeof {name})"
        stack = "offsetof(RsState,stack)"
        return f"#define PARTS {text} PART((char*)S+{start},{stack}-{start}); PART((char*)S+{stack},used(S)-{stack});"

    def state(self) -> list[str]:
        """The struct of the position, what carries it first."""
        program = self.program
        frames = " ".join(f"F{k} f{k};" for k in sorted(self.frames))
        lines = [
            "typedef struct { int32_t rule, n; V tag, a[MOST_ARGUMENTS]; } Lasting;",
            f"typedef union {{ {frames} char none; }} Frames;",
            "struct RsState {",
        ]
        lines.append(" uint64_t mixed, counter, seed; uint8_t seeded;")
        lines += [f" {member};" for member in self.carried.values()]
        if self.sealed:
            lines.append(f" int32_t extra; struct {{ int32_t at, size, state; }} child[{program.players}];")
            lines += [f" {self.type(self.result(n).form)} sealed{n}[{program.players}];" for n in self.sealed]
        lines.append(" uint8_t stack[STACK+CHUNK];")
        lines.append(" int32_t leaving; V val;")
        lines += self.lookahead.kept()
        lines += [f" {self.type(form)} {name};" for name, form in self.results().items()]
        lines.append(" struct RsScratch scratch;")
        lines.append("};")
        return lines

    @cached_property
    def lookahead(self) -> Lookahead:
        """What procedures that are looked ahead at may write."""
        return Lookahead(self.program, self.slots, self.carried, bool(self.sealed))

    @property
    def lasts(self) -> bool:
        """Whether anything can last."""
        code = (i for p in self.program.procedures for i in p.code)
        return bool(self.types.lasting) or any(isinstance(i, ir.Begin | ir.Cease | ir.Collect) for i in code)

    def results(self) -> dict[str, Form]:
        """The members of the position for results and answers that are no numbers, with their forms."""
        found = {f"ret{n}": form for n in self.reached if (form := self.result(n).form) not in (NUMBER, EMPTY)}
        return found | {f"answer{k}": form for k in self.answered if (form := self.answer_of(k).form) != NUMBER}

    @property
    def answered(self) -> list[int]:
        """The points whose answers have a form and a place."""
        out = []
        for point, q in enumerate(self.program.points):
            i = self.program.instruction(point)
            if isinstance(i, ir.Ask) and q.procedure in self.reached and self.program.sites[i.site].code == "index":
                fact = self.types.local[q.procedure][q.live]
                if fact is not None and self.has_form(fact):
                    out.append(point)
        return out

    def has_form(self, fact: Fact) -> bool:
        """Whether values of a type have a form."""
        return fact.what in ("int", "never") or self.forms.known(fact) != NUMBER

    # --- tables ------------------------------------------------------------------------------------------------
    def tables_of_points(self, asks: list[int], draws: list[int]) -> list[str]:
        """What the interface does at each point."""
        program = self.program
        points = [k for k in range(len(program.points)) if k in self.frames]
        given = {
            n: "".join(f",{self.forms.zero(self.forms.known(f)) if f else '0'}" for f in self.types.given[n])
            for n in self.reached
        }
        resume = [
            f"case {k}: return P{program.points[k].procedure}(S,{k + 1}{given[program.points[k].procedure]});"
            for k in points
        ]
        at = [k for k in asks if k in self.frames]
        chance = [k for k in draws if k in self.frames]
        return [
            table("uint8_t", "kind_of", [self.kind(k) for k in range(len(program.points))]),
            table(
                "uint16_t",
                "size_of",
                [f"sizeof(F{k})" if k in self.frames else "0" for k in range(len(program.points))],
            ),
            table("int16_t", "procedure_of", [str(q.procedure) for q in program.points]),
            table("int16_t", "callee_of", [self.callee(k) for k in range(len(program.points))]),
            table(
                "uint8_t",
                "runs_rule",
                [str(int(any(r.procedure == n for r in program.rules))) for n in range(len(program.procedures))],
            ),
            switch("int resume(RsState*S,int point)", resume),
            switch(
                "int legal_at(RsState*S,int point,uint8_t*top,int32_t*out,Mask*mask)",
                [f"case {k}: return legal{k}(S,top,out,mask);" for k in at],
            ),
            switch("V seat_at(RsState*S,int point,uint8_t*top)", [f"case {k}: return seat{k}(S,top);" for k in at]),
            switch(
                "int answer_at(RsState*S,int point,uint8_t*top,V action)",
                [f"case {k}: return answer{k}(S,top,action);" for k in at],
            ),
            switch(
                "void chance_at(RsState*S,int point,uint8_t*top,Lottery*lot)",
                [f"case {k}: chance{k}(S,top,lot); return;" for k in chance],
            ),
            *self.valid_entries(),
            self.export_slots(),
            self.import_slots(),
            self.export_frames(points),
            self.import_frames(points),
            *self.sealed_answers(points),
            self.filled(),
            f"static void first(RsState*S){{P{program.main}(S,0{given[program.main]});}}",
        ]

    def kind(self, point: int) -> str:
        """What waits at a point."""
        i = self.program.instruction(point)
        if point not in self.frames:
            return "NEVER"
        if isinstance(i, ir.Ask | ir.NextRule):
            return "ASKS"
        return "DRAWS" if isinstance(i, ir.Draw) else "FORKS" if isinstance(i, ir.Fork) else "CALLS"

    def callee(self, point: int) -> str:
        """The procedure that the frame above one of a point must be of."""
        i = self.program.instruction(point)
        if isinstance(i, ir.Call | ir.Fork):
            return str(i.procedure)
        return "ANY_RULE" if isinstance(i, ir.CallRule) else "NOBODY"

    def valid_entries(self) -> list[str]:
        """C that tells whether numbers are an entry of a queue, an effect that lasts, or an option of a menu."""
        entries, options, lasting = [], [], []
        for rule in self.program.rules:
            facts = [f for f in self.types.instance(rule) if f is not None]
            tests = [f"n=={len(facts)}", *(ranged(self, f, f"a[{k}]") for k, f in enumerate(facts))]
            entries.append(f"case {rule.index}: return {'&&'.join(tests)};")
            if rule.option is not None and rule.source == "lasting":
                options.append(f"case {rule.index}: return {'&&'.join(tests)};")
            elif rule.option is not None:
                one = ranged(self, facts[0], "*a") if facts else "0"
                options.append(f"case {rule.index}: return n<0&&(*a=={self.none}||({one}));")
        for number, known in self.types.lasting.items():
            facts = [f for f in known if f is not None]
            tests = [f"n=={len(facts)}", *(ranged(self, f, f"a[{k}]") for k, f in enumerate(facts))]
            lasting.append(f"case {number}: return {'&&'.join(tests)};")
        return [
            f"static inline int entry_ok(V rule,V n,const V*a){{switch(rule){{{' '.join(entries)}}} return 0;}}",
            f"static inline int lasting_ok(V rule,V n,const V*a){{switch(rule){{{' '.join(lasting)}}} return 0;}}",
            f"static inline int pick_ok(V rule,V n,const V*a){{"
            f"switch(rule){{case -1: return n<0&&*a!={self.none}; {' '.join(options)}}} return 0;}}",
        ]

    def export_slots(self) -> str:
        """C that writes all but the frames."""
        lines = [
            f"for(int s=0;s<{g.size};s++){{{exported(self, g.form, f'S->g{g.base}[s]', g.fact)}}}"
            for g in self.slots.groups
        ]
        for kind in self.program.kinds:
            if kind.location is not None:
                lines.append(f"for(int s=0;s<{len(kind.members)};s++)PUT(S->known{kind.index}[s]);")
        if self.lasts:
            one = "PUT(l->rule); PUT(l->n); PUT(l->tag==INT64_MIN?RS_NONE:l->tag);"
            arguments = f"for(int k=0;k<l->n;k++)PUT(l->a[k]=={self.none}?RS_NONE:l->a[k]);"
            lines.append(f"PUT(S->lasts); for(int s=0;s<S->lasts;s++){{Lasting*l=&S->lasting[s]; {one} {arguments}}}")
        else:
            lines.append("PUT(0);")
        return f"SELDOM static int64_t*export_slots(RsState*S,int64_t*o,int64_t*end){{{' '.join(lines)} return o;}}"

    def import_slots(self) -> str:
        """C that reads them."""
        bits = len(everybody(self.program))
        lines = [
            f"for(int s=0;s<{g.size};s++){{{imported(self, g.form, f'S->g{g.base}[s]', g.fact)}}}"
            for g in self.slots.groups
        ]
        for kind in self.program.kinds:
            if kind.location is not None:
                read = f"V x; GET(x); if(x<0||x>>{min(bits, 63)})return RS_HANDOVER; S->known{kind.index}[s]=x;"
                lines.append(f"for(int s=0;s<{len(kind.members)};s++){{{read}}}")
        lines.append("V n; GET(n);")
        if self.lasts:
            head = "V r,m,t; GET(r); GET(m); GET(t); if(m<0||m>MOST_ARGUMENTS)return RS_HANDOVER; Lasting*l=&S->lasting[s];"
            each = f"for(int k=0;k<m;k++){{V x; GET(x); l->a[k]=x==RS_NONE?{self.none}:x;}}"
            keep = "if(!lasting_ok(r,m,l->a))return RS_HANDOVER; l->rule=r; l->n=m; l->tag=t;"
            lines.append(
                f"if(n<0||n>MOST_LASTING)return RS_HANDOVER; S->lasts=n; for(int s=0;s<n;s++){{{head} {each} {keep}}}"
            )
        else:
            lines.append("if(n)return RS_HANDOVER;")
        lines += [self.boards_of(base) for base in self.slots.boards]
        head = READER.format("import_slots", "")
        return f"{head}{{const int64_t*i_=*at; {' '.join(lines)} *at=i_; return 0;}}"

    def export_frames(self, points: list[int]) -> str:
        """C that writes a frame."""
        cases = []
        for k in points:
            inside = "".join(exported(self, v.form, f"f->l{local}", v.fact) for local, v in self.kept(k))
            cases.append(f"case {k}: {{F{k}*f=(F{k}*)(top-sizeof(F{k})); (void)f; {inside} break;}}")
        head = "SELDOM static int64_t*export_frame(RsState*S,int point,uint8_t*top,int64_t*o,int64_t*end)"
        return f"{head}{{switch(point){{{' '.join(cases)}}} return o;}}"

    def import_frames(self, points: list[int]) -> str:
        """C that reads a frame; each local in a variable of its own first, as a frame is packed."""
        cases = []
        for k in points:
            inside = ""
            for local, v in self.kept(k):
                inside += f"{{{self.type(v.form)} l={self.forms.zero(v.form)}; {imported(self, v.form, 'l', v.fact)} f->l{local}=l;}}"
            cases.append(f"case {k}: {{F{k}*f=(F{k}*)to; {inside} f->point={k}; break;}}")
        head = READER.format("import_frame", "int point,uint8_t*to,")
        return f"{head}{{const int64_t*i_=*at; switch(point){{{' '.join(cases)}}} *at=i_; return 0;}}"

    def sealed_answers(self, points: list[int]) -> list[str]:
        """C that keeps, writes and reads what a seat has answered in sealed choices."""
        if not self.sealed:
            return []
        keep, write, read = [], [], []
        for k in points:
            i = self.program.instruction(k)
            if isinstance(i, ir.Fork):
                v = self.result(i.procedure)
                fact = self.types.returned[i.procedure] or NONE
                place = f"S->sealed{i.procedure}[seat]"
                keep.append(f"case {k}: {place}={v.code}; break;")
                write.append(f"case {k}: {{{exported(self, v.form, place, fact)} break;}}")
                read.append(f"case {k}: {{{imported(self, v.form, place, fact)} break;}}")
        return [
            f"static void seal(RsState*S,int fork,int seat){{switch(fork){{{' '.join(keep)} default: fault(S);}}}}",
            "SELDOM static int64_t*export_sealed(RsState*S,int fork,int seat,int64_t*o,int64_t*end)"
            f"{{switch(fork){{{' '.join(write)}}} return o;}}",
            READER.format("import_sealed", "int fork,int seat,")
            + f"{{const int64_t*i_=*at; switch(fork){{{' '.join(read)}}} *at=i_; return 0;}}",
        ]

    def filled(self) -> str:
        """C that sets the slots as they are before main runs."""
        lines = []
        for group in self.slots.groups:
            for slot in range(group.base, group.base + group.size):
                value = self.forms.constant(self.program.initial[slot], group.form)
                if value != "0":
                    lines.append(f"S->g{group.base}[{slot - group.base}]={value};")
        lines += [self.boards_of(base) for base in self.slots.boards]
        return f"SELDOM static void fill(RsState*S){{{' '.join(lines)}}}"

    # --- the layout ----------------------------------------------------------------------------------------------
    def layout(self) -> Layout:
        """What the numbers of a position mean."""
        program, coder = self.program, Coder(self.program)
        frames, constants = [], []
        sealed: list[Code | None] = []
        for k, q in enumerate(program.points):
            i = program.instruction(k)
            reached = k in self.frames
            kept = self.kept(k) if reached else []
            types = program.procedures[q.procedure].locals
            frames.append([(local, coder.of(v.form, types[local])) for local, v in kept] if reached else None)
            env = self.env(q.procedure, q.position) if reached else {}
            fixed = [(local, env[local]) for local in q.kept if local in env]
            constants.append([(local, v.const) for local, v in fixed if v.known])
            sealed.append(None)
            if reached and isinstance(i, ir.Fork):
                sealed[-1] = coder.of(self.result(i.procedure).form, program.procedures[i.procedure].result)
        return Layout(
            [row for group in self.slots.groups for row in coder.group(group)],
            [(kind.location, len(kind.members)) for kind in program.kinds if kind.location is not None],
            frames,
            constants,
            sealed,
            list(self.types.texts.texts),
            TEXT,
        )


def table(store: str, name: str, values: list[str]) -> str:
    """A constant array."""
    return f"static const {store} {name}[]={{{','.join(values) or '0'}}};"


def switch(head: str, cases: list[str]) -> str:
    """A function that does something else at each point."""
    return f"static {head}{{switch(point){{{' '.join(cases)}}} fault(S);}}"

"""Windows of events: the queue of rules that are alive, which of them is next, and running it."""

from __future__ import annotations

from interpreter.native.emitter.certain import CertainWriter
from interpreter.native.emitter.forms import NUMBER, Entry, Row, Val
from interpreter.native.emitter.texts import part_of
from interpreter.native.emitter.types import Unreached, Unsupported
from interpreter.native.emitter.writer import Env
from rulespec import ir
from rulespec.analysis.domain import Fact, of_value


class WindowWriter(CertainWriter):
    """Writes the instructions of windows."""

    def rules_of(self, number: int) -> list[ir.Rule]:
        """The rules that the windows of a procedure may hold."""
        code = self.program.procedures[number].code
        indices = sorted({n for i in code if isinstance(i, ir.Collect) for n in i.rules})
        return [self.program.rules[n] for n in indices]

    def entry(self) -> Entry:
        """The form of entries of queues."""
        return Entry(self.types.entry.size or 1)

    def called(self, function: int, given: list[Val]) -> Val:
        """A call of a rule's function with the first of some values."""
        result, facts = self.types.results[function], self.types.parameters[function]
        known = [f for f in facts if f is not None]
        if result is None or len(known) < len(facts):
            raise Unreached
        self.function(function, known, result)
        args = [self.fit(v, f) for v, f in zip(given, known, strict=False)]
        return Val(f"f{function}({','.join(['S', *args])})", self.form(result), result)

    def instance(self, rule: ir.Rule, e: str) -> list[Val]:
        """The arguments of an instance, of an entry that is a C variable."""
        facts = [f for f in self.types.instance(rule) if f is not None]
        if any(f.what not in ("int", "never") for f in facts):
            raise Unsupported("a rule about something else than numbers")
        return [Val(f"(V){e}.a[{k}]", NUMBER, f) for k, f in enumerate(facts)]

    # --- collecting -----------------------------------------------------------------------------------------
    def collect_rules(self, number: int, i: ir.Collect, env: Env) -> str:
        """`Collect`."""
        to = self.variable(number, i.live)
        if to is None or not isinstance(to.form, Row):
            raise Unsupported("a queue")
        event = [self.bound(self.expr(a, env)) for a in i.args]
        head = "".join(text for text, _ in event)
        values = [v for _, v in event]
        order = self.bound(self.expr(i.order, env)) if i.order is not None else None
        head += "" if order is None else order[0]
        text = "".join(self.collected(n, to, values, None if order is None else order[1]) for n in sorted(i.rules))
        t = self.type(self.entry())
        sort = (
            f"for(int i=1;i<n;i++){{{t} x={to.code}.a[i]; int y=key[i],j=i; "
            f"for(;j>0&&key[j-1]>y;j--){{{to.code}.a[j]={to.code}.a[j-1];key[j]=key[j-1];}} {to.code}.a[j]=x;key[j]=y;}}"
        )
        return f"{{{head} int n=0; int key[{to.form.most}]; {text} {sort} {to.code}.n=n;}}"

    def collected(self, number: int, to: Val, event: list[Val], order: Val | None) -> str:
        """C that puts the instances of a rule that are alive into a queue."""
        rule = self.program.rules[number]
        assert isinstance(to.form, Row)
        own = self.instance(rule, "e")
        alive = "1" if rule.alive is None else self.as_form(self.called(rule.alive, own), NUMBER)
        place = ""
        if order is not None and rule.player is not None:
            player = self.as_form(self.called(rule.player, [*own, *event]), NUMBER)
            find = self.each_of(order, lambda x: f"if({x.code}==w){{at=c;break;}} c++;")
            place = f"V w={player}; int c=0; {find}"
        key = f"(at+1)*4+{rule.rank + 1}"
        keep = f"if(n>={to.form.most})full(S); key[n]={key}; {to.code}.a[n++]=e;"
        put = f"if({alive}){{int at=-1; {place} {keep}}}"
        t = self.type(self.entry())
        match rule.source:
            case "plain":
                return f"{{{t} e={{{number},0}}; {put}}}"
            case "pieces":
                pieces = tuple(sorted(rule.pieces))
                name = self.table(pieces, NUMBER, of_value(pieces).item or Fact("int"))
                return f"for(int z=0;z<{len(pieces)};z++){{{t} e={{{number},1,{{{name}[z]}}}}; {put}}}"
            case _:
                fill = f"{t} e={{{number},l->n}}; for(int i=0;i<l->n;i++)e.a[i]=l->a[i];"
                test = f"if(l->rule!={rule.lasting})continue;"
                return f"for(int z=0;z<S->lasts;z++){{Lasting*l=&S->lasting[z]; {test} {fill} {put}}}"

    # --- which is next ---------------------------------------------------------------------------------------
    def limit(self, rule: ir.Rule, e: str) -> str | None:
        """The C of the counter of an instance; None where the rule has no limit."""
        if rule.limit is None or rule.counter is None:
            return None
        group = self.slots.group(rule.counter)
        offset = rule.counter - group.base
        if rule.source != "pieces":
            return f"S->g{group.base}[{offset}]"
        low, high = min(rule.pieces), max(rule.pieces)
        offsets = tuple(rule.pieces.index(p) if p in rule.pieces else 0 for p in range(low, high + 1))
        name = self.table(offsets, NUMBER, Fact("int", 0, len(rule.pieces)))
        return f"S->g{group.base}[{offset}+{name}[at_(S,{e}.a[0]-({low}),{high - low + 1})]]"

    def passes(self, number: int, e: str, event: list[Val]) -> str:
        """C that sets `ok`: whether the test of an entry's rule holds and its limit is not used up."""
        cases = []
        for rule in self.rules_of(number):
            counter = self.limit(rule, e)
            tests = [] if counter is None else [f"{counter}<{rule.limit}"]
            if rule.test is not None:
                tests.append(self.as_form(self.called(rule.test, [*self.instance(rule, e), *event]), NUMBER))
            cases.append(f"case {rule.index}: ok={'&&'.join(tests) or '1'}; break;")
        return f"switch({e}.rule){{{' '.join(cases)} default: fault(S);}}"

    def players(self, number: int, e: str, event: list[Val]) -> str:
        """C that sets `who` and `rank` of an entry."""
        cases = []
        for rule in self.rules_of(number):
            who = self.none
            if rule.player is not None:
                who = self.as_form(self.called(rule.player, [*self.instance(rule, e), *event]), NUMBER)
            cases.append(f"case {rule.index}: who={who}; rank={rule.rank}; break;")
        return f"switch({e}.rule){{{' '.join(cases)} default: fault(S);}}"

    def tied(self, number: int, i: ir.NextRule, env: Env) -> str:
        """C that sets `head` (the player of the first entry), `np` and `passing`: who is asked to arrange what."""
        queue = env.get(i.live)
        if queue is None or not isinstance(queue.form, Row):
            raise Unsupported("a queue")
        event = [self.bound(self.expr(a, env)) for a in i.args]
        values = [v for _, v in event]
        t = self.type(self.entry())
        loop = (
            f"for(int i=0;i<{queue.code}.n;i++){{{t} e={queue.code}.a[i]; V who; int rank,ok; {self.players(number, 'e', values)} "
            f"if(!i){{head=who;first=rank;}} else if(rank!=first||who!=head)break; "
            f"{self.passes(number, 'e', values)} if(ok)passing[np++]=i;}}"
        )
        return f"{''.join(text for text, _ in event)} V head={self.none}; int first=0,np=0; int passing[{queue.form.most}]; {loop}"

    def next_rule(
        self, number: int, pc: int, i: ir.NextRule, env: Env, point: int | None, jump: str
    ) -> tuple[str, str]:
        """`NextRule`: its C, and what is done where it goes on after an answer."""
        queue = env.get(i.live)
        if queue is None or not isinstance(queue.form, Row):
            raise Unsupported("a queue")
        entry = Val(part_of(queue.code, ".a[at]"), self.entry(), self.types.entry)
        shift = f"for(;at<{queue.code}.n;at++){queue.code}.a[at]={queue.code}.a[at+1];"
        take = f"{self.assign(number, i.live + 1, entry)} {queue.code}.n--; {shift}"
        head = f"if(!{queue.code}.n){jump}"
        if i.arrange is None or point is None:
            return f"{head} {{int at=0; {take}}}", ""
        wait = f"if(np>1&&head!={self.none}){{{self.push(point)} return WAIT;}}"
        arrange = f"if({queue.code}.n>1){{{self.tied(number, i, env)} {wait} if(np)at=passing[0];}}"
        resumed = f"{self.pop(point)} {{int at=at_(S,S->val,{queue.code}.n); {take}}}"
        return f"{head} {{int at=0; {arrange} {take}}} A{pc}:;", resumed

    # --- running ---------------------------------------------------------------------------------------------
    def use(self, number: int, e: str, more: bool) -> str:
        """C that counts a rule, or takes its count back."""
        cases = []
        for rule in self.rules_of(number):
            counter = self.limit(rule, e)
            if counter is not None:
                change = f"{counter}++;" if more else f"if({counter}>0){counter}--;"
                cases.append(f"case {rule.index}: {change} break;")
        return f"switch({e}.rule){{{' '.join(cases)}}}" if cases else ";"

    def dispatch(self, number: int, e: str, event: list[Val]) -> str:
        """C that runs the procedure of an entry's rule: its return code in `r`."""
        cases = []
        for rule in self.rules_of(number):
            facts = self.types.given[rule.procedure]
            given = [*self.instance(rule, e), *event]
            if any(f is None for f in facts):
                cases.append(f"case {rule.index}: fault(S);")
                continue
            args = [self.fit(v, f) for v, f in zip(given, facts, strict=False) if f is not None]
            cases.append(f"case {rule.index}: r=P{rule.procedure}({','.join(['S', '0', *args])}); break;")
        return f"switch({e}.rule){{{' '.join(cases)} default: fault(S);}}"

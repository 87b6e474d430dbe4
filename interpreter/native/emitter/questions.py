"""Questions as C: who is asked, what is legal, what an action answers, and what chance may do.

Every function is given the top of the frame that asks.  Legal actions are a mask where they are few, otherwise a list, ascending.
"""

from __future__ import annotations

from dataclasses import replace

from interpreter.native.emitter.foreseen import Foreseen
from interpreter.native.emitter.forms import MOST_PICKED, NUMBER, Pick, Val, word_of
from interpreter.native.emitter.functions import Function, Head
from interpreter.native.emitter.procedures import ProcedureWriter
from interpreter.native.emitter.texts import Variable, part_of
from interpreter.native.emitter.types import Unsupported
from interpreter.native.emitter.writer import Body, Env
from rulespec import ir
from rulespec.analysis.domain import ANY, NONE, Fact
from rulespec.ir.walk import within
from rulespec.language import operators

MASK = 128  # actions of a mask, of one word or two
MOST_ACTIONS = 1 << 16  # of a question; with more the reference machine goes on
MOST_UNKNOWN = 4096  # where nobody knows how many there may be
# Printers of tuples that are no pair (rule, piece) of a menu.
PLAIN = ("set", "list", "bag", "record", "option", "entity", "bool")


class QuestionWriter(ProcedureWriter):
    """Writes questions.  `wide_masks`: some have masks of two words; `most_answers` is what those without a mask have room for."""

    wide_masks = False
    most_answers = 0

    def question(self, point: int) -> list[Function]:
        """The C functions of a point where a player is asked."""
        i = self.program.instruction(point)
        write = self.arrange if isinstance(i, ir.NextRule) else self.ask
        what = f"question {point}"
        code = self.guarded(what, lambda: write(point), i.where)
        return code if code is not None else self.no_question(point)

    def no_question(self, point: int) -> list[Function]:
        """The functions of a question that the reference machine puts."""
        return self.asked(point, *("lacking(S);",) * 3)

    def asked(self, point: int, legal: str, seat: str, answer: str) -> list[Function]:
        """The three functions of a point, of their bodies."""
        top = "RsState*S,uint8_t*top"
        return [
            Function(Head("int", f"legal{point}", f"{top},int32_t*out,Mask*mask"), legal),
            Function(Head("V", f"seat{point}", top), seat),
            Function(Head("int", f"answer{point}", f"{top},V action"), answer),
        ]

    # --- asking --------------------------------------------------------------------------------------------------
    def ask(self, point: int) -> list[Function]:
        """The functions of an `Ask`."""
        i = self.program.instruction(point)
        assert isinstance(i, ir.Ask)
        site = self.program.sites[i.site]
        env = self.waiting_env(point)
        load = self.opened(point)
        seat = self.test(site.player, env)
        names = self.onces(site, env)
        inner = {**env, **{k: Val(name, NUMBER, NONE) for k, name in names.items()}}
        if site.code == "value":
            legal, answer = self.by_value(site, inner)
        else:
            legal, answer = self.by_place(site, inner, point)
        declare = "".join(self.declare_once(name) for name in names.values())
        return self.asked(
            point,
            f"{load} {declare} {legal}",
            f"{load} return {seat};",
            f"{load} {answer}",
        )

    def onces(self, site: ir.Site, env: Env) -> dict[int, str]:
        """Names for what a question works out once."""
        tests = [r.test for r in site.reasons] + [r.test for b in site.branches for r in b.reasons]
        tests += [r.test for r in site.none.reasons] if site.none else []
        names: dict[int, str] = {}
        for test in tests:
            bound = {x.index for x in within(test) if isinstance(x, ir.Bind)}
            for x in within(test):
                if isinstance(x, ir.Once) and x.index not in bound and x.index not in env:
                    names.setdefault(x.index, self.name("once"))
        for name in names.values():
            self.once[name] = None
        return names

    def tests(self, site: ir.Site, x: Val, env: Env, reasons: list[ir.Expr]) -> list[str]:
        """The C of what makes a candidate legal."""
        inner = {**env, site.item: x}
        found = [self.test(t, inner) for t in reasons]
        if x.form == NUMBER and site.branches:
            for number, branch in enumerate(site.branches):
                found += [f"({x.code}!={number}||{self.test(r.test, inner)})" for r in branch.reasons]
        elif self.is_menu(site, x):
            found.append(self.option_test(site, x, inner))
        return found

    def is_menu(self, site: ir.Site, x: Val) -> bool:
        """Whether a candidate may be an option that a rule adds."""
        if not any(rule.option is not None for rule in self.program.rules):
            return False
        pair = x.fact.what == "pick" or (x.fact.what == "items" and x.fact.parts is not None and len(x.fact.parts) == 2)
        return pair and (bool(site.branches or site.arguments) or site.type.what not in PLAIN)

    def option_test(self, site: ir.Site, x: Val, env: Env) -> str:
        """C that tests the reasons of a branch, or of a rule's option."""
        p, ok = self.name("p"), self.name("ok")
        cases = []
        arguments = [self.bound(self.expr(a, env)) for a in site.arguments]
        for rule in self.program.rules:
            if rule.option is None or not self.may_offer(rule, x.fact):
                continue
            own = [
                Val(part_of(p, f".a[{k}]"), NUMBER, f) for k, f in enumerate(self.types.instance(rule)) if f is not None
            ]
            if len(own) > MOST_PICKED or any(v.fact.what not in ("int", "never") for v in own):
                raise Unsupported("an option about so much")
            inner = dict(enumerate([*own, *(v for _, v in arguments)]))
            tests = "&&".join(self.test(r.test, inner) for r in rule.option.reasons) or "1"
            cases.append(f"case {rule.index}: {ok}={tests}; break;")
        branches = []
        for number, branch in enumerate(site.branches):
            tests = "&&".join(self.test(r.test, env) for r in branch.reasons) or "1"
            branches.append(f"case {number}: {ok}={tests}; break;")
        branch_code = f"case -1: switch(*{p}.a){{{' '.join(branches)} default: fault(S);}} break;"
        head = f"{''.join(text for text, _ in arguments)} Pick {p}={self.as_form(x, Pick())}; int {ok}=0;"
        return f"({{{head} switch({p}.rule){{{branch_code} {' '.join(cases)} default: fault(S);}} {ok};}})"

    def may_offer(self, rule: ir.Rule, fact: Fact) -> bool:
        """Whether the rule may be in such an answer."""
        own = fact.parts[1 if fact.what == "pick" else 0] if fact.parts else ANY
        low = own.low is None or rule.index >= own.low
        return low and (own.high is None or rule.index <= own.high)

    def willing(self, site: ir.Site, env: Env) -> str:
        """The C of whether the none option is legal."""
        assert site.none is not None
        return "&&".join(self.test(r.test, env) for r in site.none.reasons) or "1"

    # --- actions that are values --------------------------------------------------------------------------------
    def by_value(self, site: ir.Site, env: Env) -> tuple[str, str]:
        """The bodies for a question whose actions are numbers less `low`."""
        few, kind, _ = self.room(site.size, site.none is not None)
        top, source = Fact("int", site.low, site.low + site.size - 1), self.fact(site.items, env)

        def number(x: Val) -> str:
            return f"{self.fit(x, top)}-({site.low})" if site.low else self.fit(x, top)

        reasons = [r.test for r in site.reasons]

        def item(x: Val, left: list[ir.Expr] = reasons) -> str:
            tests = "&&".join(self.tests(site, x, env, left))
            foreseen = not tests or not x.fact.within(site.low, site.low + site.size - 1)
            if not few:
                room = "if(n>=MOST_ACTIONS)handed(S,RS_ACTIONS);"
                if not foreseen:
                    return f"{room} out[n]={number(x)}; n+=!!({tests});"  # nobody can foretell which pass: no branch
                put = f"{room} out[n++]={number(x)};"
            elif not foreseen:
                return f"m|=({kind})!!({tests})<<({number(x)});"
            else:
                put = f"m|=({kind})1<<({number(x)});"
            return f"if({tests}){{{put}}}" if tests else put

        found = self.filtered(site.items, reasons, site.item, env) if reasons else None
        ahead_at_last = reasons and isinstance(reasons[-1], ir.After)
        left = found or (self.all_of(site.items, env, reasons) if ahead_at_last else None)
        cost = self.weights.item(*reasons)
        ahead = None
        if left is not None and not site.branches:
            ahead = self.foreseen(left[1], site.item, env, left[0]) if found and few and not site.low else None
            if ahead is None and (sure := self.certain(*left, site.item, env)) is not None:
                found = sure, []
        if found is not None:
            direct = (
                few
                and not found[1]
                and not site.branches
                and not site.low
                and found[0].fact.item is not None
                and found[0].fact.item.within(0, site.size - 1)
            )
            rest = found[1]
            whole, known = found[0], ""
            if ahead is not None:
                known, whole = self.foretold(found[0], ahead, kind)
            loop = f"m|={whole.code};" if direct else known + self.kept_once(whole, lambda x: item(x, rest), rest, cost)
        elif not few and not reasons and not site.branches and (span := self.span(site.items, env)) is not None:
            ends = "".join(f"(void)({number(Val(end, NUMBER, source.item or ANY))});" for end in ("least", "most"))
            put = f"if(many){{{ends}}} n=(int)many; for(int i=0;i<n;i++)out[i]=(int32_t)(least-({site.low}))+i;"
            loop = f"{span} {put}"
        else:
            loop = self.each(site.items, env, item, cost)
        none = (
            ""
            if site.none is None
            else f"if({self.willing(site, env)}){{{f'm|=({kind})1<<{site.size};' if few else f'out[n++]={site.size};'}}}"
        )
        order = "" if source.ordered else "n=ascending(out,n); "
        if few:
            legal = f"{kind} m=0; {loop} {none} *mask=m; return pop{kind}(m);"
        else:
            legal = f"int n=0; {loop} {order}{none} *mask=0; return n;"
        low, size = site.low, site.size
        no = f"if(action=={size}){{S->val={self.none}; return 0;}}" if site.none is not None else ""
        answer = f"{no} if(action<0||action>={size})return RS_ILLEGAL; S->val=action+{low}; return 0;"
        return legal, answer

    def foretold(self, v: Val, ahead: Foreseen, kind: str) -> tuple[str, Val]:
        """C that puts the candidates into the mask that are known to be legal, and those that are left."""
        t, left, sure = self.type(v.form), self.name("s"), self.name("w")
        paid = f"STEP(S,pop{t}({sure})*{ahead.steps}); FUEL(S,pop{t}({sure})*{ahead.items});"
        code = f"{t} {left}={v.code}; {ahead.head} {t} {sure}={left}&{ahead.code}; {paid} m|=({kind}){sure}; {left}&=~{sure};"
        return code, replace(v, code=left)

    def kept_once(self, v: Val, body: Body, tests: list[ir.Expr], cost: int) -> str:
        """A loop over candidates; where tests look ahead, the position is kept once for all of them."""
        if not any(isinstance(test, ir.After) for test in tests):
            return self.each_of(v, body, cost)
        self.once_kept = True
        try:
            loop = self.each_of(v, body, cost)
        finally:
            self.once_kept = False
        return f"keep_all(S); {loop} S->looking=0;"

    # --- actions that are places among the candidates -------------------------------------------------------------
    def by_place(self, site: ir.Site, env: Env, point: int) -> tuple[str, str]:
        """The bodies for a question whose actions count the distinct candidates."""
        source = self.fact(site.items, env)
        fact = source.item or ANY
        form = self.form(fact)
        c, t, here = self.name("c"), self.type(form), Val(Variable("x"), form, fact)
        few, kind, most = self.room(source.size, site.none is not None)
        apart = distinct(site.items) or source.ordered
        seen = "int k=0;" if apart else f"{t} {c}[{most if few else 'MOST_CANDIDATES'}]; int k=0;"

        def candidates(do: str, x: Val) -> str:
            value = self.fit(x, fact)
            if apart:
                return f"{{{t} x={value}; {do} k++;}}"
            same = self.equal(Val(f"{c}[j]", form, fact), here, "==")
            keep = "" if few else "if(k>=MOST_CANDIDATES)handed(S,RS_ACTIONS); "
            return f"{{{t} x={value}; int j=0; while(j<k&&!{same})j++; if(j==k){{{keep}{c}[k]=x; {do} k++;}}}}"

        reasons = [r.test for r in site.reasons]
        tests = "&&".join(self.tests(site, here, env, reasons))
        put = "if(n>=MOST_ACTIONS)handed(S,RS_ACTIONS); out[n++]=k;"
        if few:
            put = f"m|=({kind}){f'!!({tests})' if tests else '1'}<<k;"
        elif tests:
            put = f"if({tests}){{{put}}}"
        to = self.answer_of(point)
        answers = f"{to.code}={self.fit(here, to.fact)}; return 0;"
        whole = None if few or tests else self.span(site.items, env)
        if whole is not None:
            legal_loop = f"{whole} k=n=(int)many; for(int i=0;i<n;i++)out[i]=i;"
            answer_loop = f"{whole} k=(int)many; if(action>=0&&action<many){{V x=least+action; {answers}}}"
        else:
            cost = self.weights.item(*reasons)
            legal_loop = self.each(site.items, env, lambda x: candidates(put, x), cost)
            answer_loop = self.each(site.items, env, lambda x: candidates(f"if(k==action){{{answers}}}", x))
        last = f"m|=({kind})1<<k;" if few else "out[n++]=k;"
        willing = "" if site.none is None else f"if({self.willing(site, env)}){last}"
        end = f"*mask=m; return pop{kind}(m);" if few else "*mask=0; return n;"
        legal = f"{f'{kind} m=0;' if few else 'int n=0;'} {seen} {legal_loop} {willing} {end}"
        none = self.as_form(Val(self.none, NUMBER, NONE, None), to.form) if site.none is not None else ""
        no = f"if(action==k){{{to.code}={none}; return 0;}}" if none else ""
        return legal, f"{seen} {answer_loop} {no} return RS_ILLEGAL;"

    def room(self, size: int | None, none: bool) -> tuple[bool, str, int]:
        """Whether so many candidates at most, and perhaps the answer none, are a mask; its C type; how many there are.

        There is room for as many where they are not.
        """
        most = (MOST_UNKNOWN if size is None else size) + none
        few = most <= MASK
        self.wide_masks |= few and most > MASK // 2
        self.most_answers = max(self.most_answers, 0 if few else min(most, MOST_ACTIONS))
        return few, word_of(most), max(1, most)

    def span(self, e: ir.Expr, env: Env) -> str | None:
        """C that finds the first of the numbers from one to another, `least`, and how many there are, `many`; None of other items."""
        match e:
            case ir.Op(operators.INTERVAL, (low, high)):
                a, b = (self.test(bound, env) for bound in (low, high))
                many = "SPAN(S,least,most,1); V many=most<least?0:most-least+1;"
                return f"V least={a},most={b}; {many} if(many>MOST_ACTIONS)handed(S,RS_ACTIONS);"
        return None

    # --- arranging rules -----------------------------------------------------------------------------------------
    def arrange(self, point: int) -> list[Function]:
        """The functions of a `NextRule` where a player may say which rule comes first."""
        i = self.program.instruction(point)
        q = self.program.points[point]
        assert isinstance(i, ir.NextRule)
        env = self.waiting_env(point)
        tied = self.tied(q.procedure, i, env)
        load = self.opened(point)
        know = f"{load} {tied} (void)first;"
        choose = "if(action<0||action>=np)return RS_ILLEGAL; S->val=passing[action]; return 0;"
        return self.asked(
            point,
            f"{know} *mask=0; for(int j=0;j<np;j++)out[j]=j; return np;",
            f"{know} return head;",
            f"{know} {choose}",
        )

    # --- chance ------------------------------------------------------------------------------------------------
    def chance(self, point: int) -> Function:
        """The function of a draw that waits."""
        i = self.program.instruction(point)
        assert isinstance(i, ir.Draw)
        head = Head("void", f"chance{point}", "RsState*S,uint8_t*top,Lottery*lot")
        fill = self.guarded(
            f"draw {point}",
            lambda: f"{self.opened(point)} lot->n=0; {self.lottery(i, self.waiting_env(point))}",
            i.where,
        )
        return Function(head, "lacking(S);" if fill is None else fill)


def distinct(e: ir.Expr) -> bool:
    """Whether no two of the items of a constant are equal."""
    return isinstance(e, ir.Const) and isinstance(e.value, tuple) and len(set(e.value)) == len(e.value)

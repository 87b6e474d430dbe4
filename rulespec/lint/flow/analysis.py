"""The way of secrets through a program: from where they are read to where somebody is shown something (an analysis of taint).

    - best_of: p2                     # `best_of` is looked at once for all players that it may be called with
      as: best                        # what it gives depends on `p2.hand`
    - log: "At least {best}"          # F004: not everybody may know `p2.hand`

Every procedure is looked at once for each way in which it is called that could matter (`contexts`): with the values of its
parameters, and with the secrets that decide whether it runs at all.  A call uses what is known so far of the procedure; where
more is found out later (rules that set each other off), the callers are looked at again.  When nothing changes any more,
each instruction that shows something is judged.

What the author has made public by a declared act is no secret any more: pieces that were taken out of a hidden zone are known
to all who see the zone they are moved to, and to all that they are revealed to; whatever decided such a move, a line of
the log or a question has been shown by it and is not reported a second time behind it.
"""

from __future__ import annotations

from rulespec import ir
from rulespec.lint.flow.contexts import Context, Names, canonical
from rulespec.lint.flow.control import ControlFlow, Ways
from rulespec.lint.flow.footprint import Footprints
from rulespec.lint.flow.labels import NONE, Label, Secret, Val
from rulespec.lint.flow.run import ProcedureRun
from rulespec.lint.flow.secrecy import Grants, Secrecy
from rulespec.lint.flow.shown import Shown
from rulespec.lint.flow.states import Summary
from rulespec.lint.flow.terms import ANY, EVERYBODY, Made
from rulespec.lint.flow.values import Values

MANY = 12  # ways of calling one procedure; beyond, numbers and composed values that are passed are not told apart
MOST_RUNS = 6000  # of procedures in all
MOST_CALLS = 40  # of procedures within procedures; what is deeper is looked at first thing afterwards
WITHIN_ITSELF = 2  # so often a procedure may be running already, by rules that set each other off


class TaintAnalysis:
    """Looks at all that a program may do from its beginning; `shown` gathers what tells a secret."""

    def __init__(self, program: ir.Program, secrecy: Secrecy, shown: Shown) -> None:
        self.program = program
        self.secrecy = secrecy
        self.values = Values(secrecy, shown.lasting)
        self.shown = shown
        self.footprints = Footprints(program)
        self.control = ControlFlow(program)
        self.runs: dict[Context, ProcedureRun] = {}
        self.lasting = shown.lasting
        self.lasting_readers: dict[int, set[Context]] = {}
        self.held: dict[int, set[Secret]] = {}  # variables that are found to hold hidden pieces, and where these lie
        self.users: dict[Context, set[Context]] = {}  # who looks again if more is known of a context
        self.entered: dict[Context, tuple[Context, Names]] = {}
        self.callers: dict[
            Context, dict[tuple[Context, int], Names]
        ] = {}  # from where each is called, and its names there
        self.count: dict[int, int] = {}
        self.active: list[int] = []
        self.again: dict[Context, None] = {}  # contexts to be looked at, in order
        self.judged: dict[Context, None] = {}
        self.asking: dict[int, bool] = {}
        self.left = MOST_RUNS
        self.whole = True  # whether nothing was left out

    def run(self) -> None:
        """Look at the whole game."""
        main = self.main()
        self.settle(main)
        while self.values.hold(self.held):  # values that were worked out are others now
            for known in (self.runs, self.users, self.entered, self.count, self.lasting_readers):
                known.clear()
            main = self.main()
            self.settle(main)
        self.judged[main] = None
        todo = [main]
        while todo:
            before = len(self.judged)
            self.runs[todo.pop()].judge()
            todo += list(self.judged)[before:]

    def main(self) -> Context:
        """The beginning of the game: no variable holds a piece yet."""
        nothing = frozenset({(Secret("held", number, ANY), EVERYBODY) for number in self.values.holding})
        return Context(self.program.main, (), NONE, NONE, nothing, False)

    def settle(self, main: Context) -> None:
        """Look at all contexts until nothing changes."""
        self.look(main)
        while self.again:
            context = next(iter(self.again))
            del self.again[context]
            self.look(context)

    def look(self, context: Context) -> None:
        """Look at a procedure called in one way; if more is found than was known, its callers are looked at again."""
        run = self.runs.get(context)
        if run is None:
            run = self.runs[context] = ProcedureRun(self, context)
        if self.left <= 0 or len(self.active) >= MOST_CALLS or self.active.count(context.procedure) >= WITHIN_ITSELF:
            if self.left <= 0:
                self.whole = False
            else:
                self.again[context] = None
            return
        self.left -= 1
        self.active.append(context.procedure)
        before = run.summary
        run.run()
        self.active.pop()
        if run.summary != before:
            self.again |= dict.fromkeys(user for user in self.users.get(context, ()) if user not in self.again)

    def call(self, context: Context, caller: Context, pc: int, judging: bool) -> tuple[Summary, Names]:
        """What a call leaves behind, in the names of within, and what these stand for."""
        key, names = self.enter(context)
        if judging:
            self.judged.setdefault(key)
            self.callers.setdefault(key, {})[caller, pc] = names
        elif key not in self.runs:
            self.look(key)
        self.users.setdefault(key, set()).add(caller)
        return self.runs[key].summary, names

    def enter(self, context: Context) -> tuple[Context, Names]:
        """The context that stands for a call."""
        if context not in self.entered:
            relevant = self.relevant(context)
            entry = canonical(relevant, False)
            if entry[0] not in self.runs:
                if self.count.get(context.procedure, 0) >= MANY:
                    entry = canonical(relevant, True)
                self.count[context.procedure] = self.count.get(context.procedure, 0) + 1
            self.entered[context] = entry
        return self.entered[context]

    def relevant(self, context: Context) -> Context:
        """A context without what cannot matter: secrets that all know, and what was shown of zones that nothing looks at."""
        zones = self.footprints.of(context.procedure) | self.values.told_by_effects
        labels = (context.hard, context.soft, *(arg.label | arg.ident | arg.size for arg in context.args))
        passed = {atom.base[:2] for label in labels for atom in label}
        passed |= {("zone", number) for what, number in passed if what in ("count", "top")}
        grants = frozenset(
            (what, to)
            for what, to in context.grants
            if not isinstance(what, Secret)
            or what.what == "held"
            or what[:2] in passed
            or (what.what == "zone" and what.number in zones)
        )
        return context._replace(
            hard=self.secret(context.hard, context.grants),
            soft=self.secret(context.soft, context.grants),
            grants=grants,
        )

    def secret(self, label: Label, grants: Grants) -> Label:
        """What of a label not everybody knows."""
        return self.secrecy.hidden(label, EVERYBODY, grants) if label else label

    def may_ask(self, procedure: int) -> bool:
        """Whether somebody may be asked before a procedure returns."""
        if procedure not in self.asking:
            self.asking[procedure] = False
            code = self.program.procedures[procedure].code
            self.asking[procedure] = any(
                isinstance(i, ir.Ask | ir.Fork | ir.CallRule | ir.NextRule)
                or (isinstance(i, ir.Call) and self.may_ask(i.procedure))
                for i in code
            )
        return self.asking[procedure]

    def ways(self, procedure: int) -> Ways:
        """The control flow of a procedure."""
        return self.control.of(procedure)

    def instance(self, rule: ir.Rule, at: Made, event: int, context: Context) -> tuple[Val, ...]:
        """The arguments of an instance of a rule; who asks is told when more is known of them."""
        if rule.lasting is not None:
            self.lasting_readers.setdefault(rule.lasting, set()).add(context)
        return self.lasting.instance(rule, at, max(self.program.procedures[rule.procedure].parameters - event, 0))

    def ended(self, lasting: int | None, at: Made, context: Context) -> Val:
        """The arguments of a lasting effect that ends."""
        for number in range(len(self.program.lastings)) if lasting is None else (lasting,):
            self.lasting_readers.setdefault(number, set()).add(context)
        return self.lasting.ended(lasting, at)

    def begin(self, lasting: int, args: tuple[Val, ...], decided: Label) -> Label:
        """A lasting effect begins, with all secrets of it; whoever runs its rules looks again if more is known of it now."""
        label, news = self.lasting.begin(lasting, args, decided)
        if news:
            users = self.lasting_readers.get(lasting, ())
            self.again |= dict.fromkeys(user for user in users if user not in self.again)
        return label

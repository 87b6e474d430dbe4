"""The types of a program, by a fixpoint over its expressions and instructions: what `types` is asked for.

The slots of variables, zones and places have the types that are declared, which every store keeps (a store that might not is
tested); all else is joined from what is put there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from interpreter.native.emitter.tabulation import Tables
from interpreter.native.emitter.totals import Totals
from interpreter.native.emitter.types import (
    MOST_COUNT,
    TEXT,
    Unreached,
    completed,
    join,
    of_constant,
    op_result,
    whole,
    widen,
)
from rulespec import ir
from rulespec.analysis.domain import ANY, BOOL, INT, NONE, Fact, SlotFacts, below, between, items, meet, of_value
from rulespec.ir.flow import live_before, reachable
from rulespec.ir.reads import appended, numbers
from rulespec.ir.roles import set_by
from rulespec.ir.walk import held
from rulespec.language.facts import CForm, Result
from rulespec.language.registry import facts as facts_of

MOST_ROUNDS = 60
LATE = 8  # rounds after which bounds that still grow are given up
MOST_QUEUED = 64  # entries of a queue of rules
Env = dict[int, Fact]


def as_one(fact: Fact, t: ir.Type) -> Fact:
    """What an option is about, as a local of a declared type holds it: the piece, or the arguments of what lasts."""
    if fact.what != "case" or fact.parts is None or t.what == "any":
        return fact
    return fact.parts[int(t.what in ("record", "pack", "list", "set"))]


class Texts:
    """The texts that expressions hold, as numbers."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def number(self, text: str) -> int:
        """The number of a text."""
        if text not in self.texts:
            self.texts.append(text)
        return TEXT + self.texts.index(text)

    def text(self, number: int) -> str:
        """The text of a number."""
        return self.texts[number - TEXT]


class Types:
    """The types of a program's slots, locals, parameters and results; None where nothing ever comes."""

    short = False  # whether lists of unknown size have no more room than in another value, see `forms.NeedsShort`

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.texts = Texts()
        self.late = False
        self.changed = True
        self.parameters: list[list[Fact | None]] = [[None] * f.parameters for f in program.functions]
        self.results: list[Fact | None] = [None] * len(program.functions)
        self.given: list[list[Fact | None]] = [[None] * p.parameters for p in program.procedures]
        self.returned: list[Fact | None] = [None] * len(program.procedures)
        self.reached = [reachable(p) for p in program.procedures]
        self.alive = [[numbers(mask) for mask in live_before(p, program.sites)] for p in program.procedures]
        self.local: list[list[Fact | None]] = [[None] * len(p.locals) for p in program.procedures]
        self.lasting: dict[int, list[Fact | None]] = {}
        self.columns: dict[int, Fact] = {}
        self.tables = Tables()
        self.totals = Totals(program)
        self.slot: dict[int, Fact | None] = {}
        self.declared: set[int] = set()
        self.collections: dict[int, Fact] = {}  # the declared types of slots of which what is stored there tells more
        self.declare()
        self.entry = Fact("entry", size=self.most_arguments())
        rounds = 0
        while self.changed:
            self.changed = False
            rounds += 1
            self.late = rounds > LATE
            if rounds > MOST_ROUNDS:
                raise RuntimeError("the types of the program do not settle")
            self.round()

    # --- slots ---------------------------------------------------------------------------------------------
    def declare(self) -> None:
        """The slots whose types are declared; the others, and lists of numbers without bounds, begin as their first values."""
        program = self.program
        known = SlotFacts(program).facts
        for zone in program.zones:
            self.declared.update(range(zone.base, zone.base + zone.size))
            if zone.counts:
                bag = items(Fact("int", 0, MOST_COUNT), len(program.kinds[zone.kind].members))
                for slot in range(zone.base, zone.base + zone.size):
                    known[slot] = bag
        for variable in program.variables:
            self.declared.update(range(variable.base, variable.base + variable.size))
        for kind in program.kinds:
            if kind.location is not None:
                for slot in range(kind.location, kind.location + len(kind.members)):
                    known[slot] = Fact("int", -1, len(program.initial))
                    self.declared.add(slot)
        for rule in program.rules:
            if rule.counter is not None and rule.limit is not None:
                for slot in range(rule.counter, rule.counter + (len(rule.pieces) if rule.source == "pieces" else 1)):
                    known[slot] = Fact("int", 0, rule.limit)
                    self.declared.add(slot)
        self.declared.add(ir.BATCH)
        for slot in range(ir.BATCH, len(program.initial)):
            typed = slot in self.declared and slot in known and not holds_any_number(known[slot])
            self.slot[slot] = self.settled(known[slot]) if typed else of_value(program.initial[slot])
            if not typed and slot in self.declared:
                self.declared.discard(slot)
                self.collections[slot] = known[slot]
        self.slot[ir.WINNERS] = replace(items(below(program.players), program.players, True), none=True)
        self.slot[ir.RETURNS] = replace(items(INT, program.players), none=True)
        self.declared |= {ir.WINNERS, ir.RETURNS}

    def settled(self, fact: Fact) -> Fact:
        """A declared type with bounds of what it holds: bags are held to so many of a kind."""
        if fact.what == "items" and fact.parts is not None:
            parts = tuple(map(self.settled, fact.parts))
            return replace(fact, parts=parts, item=join(*parts) if parts else None)
        return fact

    def most_arguments(self) -> int:
        """How many arguments an instance of a rule has at most."""
        lasting = [len(i.args) for p in self.program.procedures for i in p.code if isinstance(i, ir.Begin)]
        return max([1, *lasting])

    def load(self, base: int, size: int) -> Fact:
        """The type of any of some slots."""
        if base in (ir.LASTING, ir.KNOWN, ir.CONTROL, ir.RANDOM):
            return ANY
        known = [fact for s in range(base, base + size) if (fact := self.slot[s]) is not None]
        return join(*known)

    # --- a round over the program --------------------------------------------------------------------------
    def grow(
        self, table: list[Fact | None] | dict[int, Fact | None], key: int, fact: Fact, declared: ir.Type = ir.types.ANY
    ) -> None:
        """Join a type into a table; numbers whose bounds are given up are held to their declared type."""
        old = table[key] if isinstance(table, list) else table.get(key)
        new = widen(old, fact, self.late)
        if self.late and new.what == "int":
            new = held_to(new, declared)
        if new != old:
            table[key] = new
            self.changed = True

    def define(self, number: int, local: int, fact: Fact | None) -> None:
        """Join a type into a local of a procedure."""
        if fact is not None:
            declared = self.program.procedures[number].locals[local]
            self.grow(self.local[number], local, as_one(fact, declared), declared)

    def round(self) -> None:
        """Go once over all functions and instructions."""
        for number, function in enumerate(self.program.functions):
            fact = self.some(function.body, {k: f for k, f in enumerate(self.parameters[number]) if f is not None})
            if fact is not None:
                self.grow(self.results, number, fact)
        for number, procedure in enumerate(self.program.procedures):
            for k, fact in enumerate(self.given[number]):
                self.define(number, k, fact)
            for pc, i in enumerate(procedure.code):
                if pc in self.reached[number]:
                    self.instruction(number, pc, i)
            for region in procedure.regions:
                leaving = Fact("int", 0, len(self.program.targets), none=True)
                self.define(number, region.index, leaving)

    def env(self, number: int, pc: int) -> Env:
        """The types of the locals that are alive at a position."""
        known = self.local[number]
        return {k: fact for k in self.alive[number][pc] if (fact := known[k]) is not None}

    def some(self, e: ir.Expr | None, env: Env) -> Fact | None:
        """The type of an expression; None if it is missing or nothing comes there yet."""
        if e is None:
            return None
        try:
            return self.fact(e, env)
        except Unreached:
            return None

    def give(self, table: list[Fact | None], facts: Sequence[Fact | None], types: Sequence[ir.Type] = ()) -> None:
        """Join arguments into parameters, of these types where they are declared."""
        for k, fact in enumerate(facts[: len(table)]):
            if fact is not None:
                declared = types[k] if k < len(types) else ir.types.ANY
                self.grow(table, k, as_one(fact, declared), declared)

    def run(self, procedure: int, facts: list[Fact | None]) -> None:
        """Join arguments into the parameters of a procedure."""
        types = self.program.procedures[procedure].locals
        self.give(self.given[procedure], facts, types)

    def invoke(self, function: int, facts: Sequence[Fact | None]) -> None:
        """Join arguments into the parameters of a function."""
        types = self.program.functions[function].locals
        self.give(self.parameters[function], facts, types)

    def instruction(self, number: int, pc: int, i: ir.Instruction) -> None:
        """Join what an instruction makes of the types before it."""
        env = self.env(number, pc)
        if isinstance(i, ir.Collect | ir.NextRule | ir.CallRule | ir.Begin | ir.Cease):
            self.rules_instruction(number, i, env)
            return
        live: Fact | None = None
        match i:
            case ir.Let(_, value):
                live = self.some(value, env)
            case ir.Store():
                self.store(i, env)
            case ir.Unless(test) | ir.Claim(test):
                self.some(test, env)
            case ir.Next(index):
                self.next(number, i, env.get(index))
                return
            case ir.Call(procedure, args):
                self.run(procedure, [self.some(a, env) for a in args])
                live = self.returned[procedure]
            case ir.Return(value):
                fact = NONE if value is None else self.some(value, env)
                if fact is not None:
                    self.grow(self.returned, number, fact)
            case ir.Ask(site):
                live = self.site(self.program.sites[site], env)
            case ir.Draw(source, weights):
                self.some(weights, env)
                drawn = self.some(source, env)
                live = None if drawn is None else drawn.item
            case ir.Fork():
                live = self.fork(i, env)
            case ir.Enter(low, high, values):
                live = self.enter(low, high, values)
            case _:
                self.operands(i, env)
        for k in numbers(set_by(i)):
            self.define(number, k, live)

    def operands(self, i: ir.Instruction, env: Env) -> None:
        """Look at the expressions of an instruction that sets no local, for the functions that they call."""
        for operand in held(i):
            if not isinstance(operand, ir.Text):  # words are only made in Python
                self.some(operand, env)

    def store(self, i: ir.Store, env: Env) -> None:
        """`Store`."""
        self.some(i.index, env)
        value = self.some(i.value, env)
        if value is None:
            return
        if value.what == "int":
            low = value.low if i.low is None else i.low
            high = value.high if i.high is None else i.high
            value = replace(value, low=low, high=high)
        for slot in range(i.base, i.base + i.size):
            if slot not in self.declared:
                self.grow(self.slot, slot, self.collections.get(slot, value) if vague(value) else value)

    def next(self, number: int, i: ir.Next, source: Fact | None) -> None:
        """`Next`."""
        most = source.size if source is not None and source.size is not None else 1 << 20
        self.define(number, i.index + 1, Fact("int", 0, most))
        if source is not None:
            self.define(number, i.index + 2, source.item)

    def fork(self, i: ir.Fork, env: Env) -> Fact | None:
        """`Fork`: what all have answered."""
        self.some(i.seats, env)
        args = [below(self.program.players), *(self.some(a, env) for a in i.args)]
        self.run(i.procedure, args)
        answer = self.returned[i.procedure]
        return None if answer is None else items(replace(answer, none=True), self.program.players)

    def enter(self, low: int, high: int, values: tuple[ir.Value, ...]) -> Fact:
        """`Enter`: what is put aside."""
        for slot, value in zip(range(low, high), values, strict=True):
            if slot not in self.declared:
                self.grow(self.slot, slot, of_value(value))
        parts = tuple(fact or NONE for fact in (self.slot[s] for s in range(low, high)))
        return whole(*parts)

    def site(self, site: ir.Site, env: Env) -> Fact | None:
        """What the answer of a site is."""
        self.some(site.player, env)
        source = self.some(site.items, env)
        if source is None or source.item is None:
            return None
        inner = {**env, site.item: source.item}
        options = site.none.reasons if site.none else ()
        for reason in (*site.reasons, *(r for b in site.branches for r in b.reasons), *options):
            self.some(reason.test, inner)
        arguments = [self.some(a, env) for a in site.arguments]
        if arguments or site.branches:
            self.options(arguments)
        return replace(source.item, none=True) if site.none else source.item

    def options(self, arguments: list[Fact | None]) -> None:
        """Look at the reasons of the options that rules add to a menu."""
        for rule in self.program.rules:
            if rule.option is not None:
                given = [*self.instance(rule), *arguments]
                env = {k: fact for k, fact in enumerate(given) if fact is not None}
                for reason in rule.option.reasons:
                    self.some(reason.test, env)

    # --- rules ---------------------------------------------------------------------------------------------
    def instance(self, rule: ir.Rule) -> list[Fact | None]:
        """The types of an instance's arguments."""
        if rule.source == "pieces":
            return [of_value(rule.pieces).item]
        if rule.source == "lasting" and rule.lasting is not None:
            return list(self.lasting.get(rule.lasting, []))
        return []

    def rules_instruction(
        self, number: int, i: ir.Collect | ir.NextRule | ir.CallRule | ir.Begin | ir.Cease, env: Env
    ) -> None:
        """What the instructions of windows and of lasting rules make."""
        match i:
            case ir.Collect(rules, args, order, live):
                self.some(order, env)
                self.event(rules, [self.some(a, env) for a in args])
                self.define(number, live, items(self.entry, MOST_QUEUED))
            case ir.NextRule(live):
                self.define(number, live, items(self.entry, MOST_QUEUED))
                self.define(number, live + 1, self.entry)
            case ir.CallRule(args, live):
                event = [self.some(a, env) for a in args]
                for other in self.program.procedures[number].code:
                    if isinstance(other, ir.Collect):
                        self.event(other.rules, event)
                self.define(number, live, BOOL)
            case ir.Begin(lasting, args):
                table = self.lasting.setdefault(lasting, [None] * len(args))
                self.give(table, [self.some(a, env) for a in args])
            case ir.Cease():
                for a in i.args or ():
                    self.some(a, env)
                self.define(number, i.live, self.ceased(i))

    def ceased(self, i: ir.Cease) -> Fact | None:
        """The arguments of what ended, or None."""
        ended = [x for n, x in self.lasting.items() if i.lasting in (None, n)]
        if not ended or any(f is None for x in ended for f in x):
            return replace(NONE, none=True)
        packs = [tuple(f for f in x if f is not None) for x in ended]
        return replace(join(*(whole(*x) for x in packs)), none=True)

    def event(self, rules: tuple[int, ...], event: list[Fact | None]) -> None:
        """The parameters of what rules run and test, at an event of such values."""
        for n in rules:
            rule = self.program.rules[n]
            own = self.instance(rule)
            for target, given in ((rule.alive, own), (rule.test, own + event), (rule.player, own + event)):
                if target is not None:
                    self.invoke(target, given)
            self.run(rule.procedure, own + event)

    # --- expressions ---------------------------------------------------------------------------------------
    def fact(self, e: ir.Expr, env: Env) -> Fact:
        """The type of an expression where locals have such types; raises Unreached."""
        match e:
            case ir.Const(value):
                return of_constant(value)
            case ir.Local(index):
                if index not in env:
                    raise Unreached
                return env[index]
            case ir.Load(base, at, size):
                self.some(at, env)
                return self.load(base, size)
            case ir.Column(values, index):
                self.some(index, env)
                return self.column(values)
            case ir.Op(name, args):
                known = self.op(name, args, [self.fact(a, env) for a in args])
                if facts_of(name).result is not Result.TOTAL or not isinstance(loop := args[0], ir.Comp):
                    return known
                total = self.totals.of(loop, lambda source: self.fact(source, env))
                return known if total is None else meet(known, total)
            case ir.Cond(test, then, other):
                self.some(test, env)
                both = [f for f in (self.some(then, env), self.some(other, env)) if f is not None]
                if not both:
                    raise Unreached
                return join(*both)
            case ir.Bind(index, value, body):
                return self.fact(body, {**env, index: self.fact(value, env)})
            case ir.Once(_, value):
                return self.fact(value, env)
            case ir.Known(value):
                return replace(self.fact(value, env), none=False)
            case ir.Comp():
                return self.comp(e, env)
            case ir.Fold():
                return self.fold(e, env)
            case ir.Invoke(function, args):
                self.invoke(function, [self.fact(a, env) for a in args])
                result = self.results[function]
                if result is None:
                    raise Unreached
                return result
            case ir.Completable(chosen, source, low, high, index, whole):
                for x in (source, low, high):
                    self.some(x, env)
                have, more = self.some(chosen, env), self.some(source, env)
                if have is not None and more is not None:
                    self.some(whole, {**env, index: completed(have, more)})
                return BOOL
            case ir.After(procedure, args, value):
                self.run(procedure, [self.some(a, env) for a in args])
                return self.fact(value, env)
        return ANY

    def op(self, name: str, args: tuple[ir.Expr, ...], facts: list[Fact]) -> Fact:
        """What an operation gives; where its kind of result says little, its results are looked at."""
        if name == "lasting_of":
            return self.lasting_of(args)
        known = op_result(name, facts)
        missing = known.what == "any" or (known.what == "items" and known.item is None and known.size != 0)
        if missing or facts_of(name).c.form is CForm.BETWEEN:
            made = self.tables.of(name, args, facts)
            if made is not None and made.fact is not None:
                return made.fact
        if known.what == "items" and known.ordered and known.item is not None and known.item.none:
            return replace(known, item=replace(known.item, none=False))  # what is sorted holds no None
        return known

    def column(self, values: tuple[ir.Value, ...]) -> Fact:
        """What a row of a column holds; of a kind without members there is none."""
        if not values:
            raise Unreached
        if id(values) not in self.columns:
            self.columns[id(values)] = join(*map(of_value, values))
        return self.columns[id(values)]

    def lasting_of(self, args: tuple[ir.Expr, ...]) -> Fact:
        """The arguments of the effects of a lasting rule."""
        lasting = args[1].value if isinstance(args[1], ir.Const) else None
        known = self.lasting.get(lasting, [None]) if lasting is not None else [None]
        if any(f is None for f in known):
            return items(None, 0, True)
        parts = tuple(f for f in known if f is not None)
        return items(whole(*parts), MOST_QUEUED)

    def comp(self, e: ir.Comp, env: Env) -> Fact:
        """A comprehension."""
        source = self.fact(e.source, env)
        if source.what != "items":
            return ANY
        inner = {**env, e.index: NONE if source.item is None else source.item}
        self.some(e.where, inner)
        item = inner[e.index] if e.value is None else self.some(e.value, inner)
        key = None if e.key is None else self.some(e.key, inner)
        if item is None or (e.key is not None and key is None):
            return items(None, 0, True)  # nothing ever comes through it
        if key is not None:
            item = whole(item, key)
        return items(item, source.size, e.value is None and e.key is None and source.ordered)

    def fold(self, e: ir.Fold, env: Env) -> Fact:
        """A fold: the type that the body keeps."""
        source, acc = self.fact(e.source, env), self.fact(e.start, env)
        most = self.lengthened(e, acc, source, env)
        for turn in range(6):
            inner = {**env, e.index: source.item or NONE, e.acc: acc}
            made = self.some(e.body, inner)
            following = acc if made is None else widen(acc, made, turn > 2)
            if following == acc:
                break
            acc = following
        return acc if most is None or acc.what != "items" else replace(acc, size=most, parts=None)

    def lengthened(self, e: ir.Fold, start: Fact, source: Fact, env: Env) -> int | None:
        """How many items a fold's list has at most that gets so many for each item of its source; None where that is not known."""
        more = appended(e)
        if more is None or start.size is None or source.size is None:
            return None
        each = self.some(more, {**env, e.index: source.item or NONE})
        return (
            None if each is None or each.what != "items" or each.size is None else start.size + source.size * each.size
        )


def held_to(fact: Fact, t: ir.Type) -> Fact:
    """A number within the bounds of its declared type, which every store and call keeps."""
    t = t.parts[0] if t.what == "option" else t
    known = meet(fact, between(t.low, t.high, none=True)) if t.what == "int" else fact
    return known if known.what == "int" else fact


def vague(fact: Fact) -> bool:
    """Whether a type says nothing of a value, or of the items of a collection."""
    if fact.what == "items" and fact.size != 0:
        return fact.item is None or vague(fact.item)
    return fact.what == "any"


def holds_any_number(fact: Fact) -> bool:
    """Whether a type is of lists of numbers without bounds: what is stored there tells more."""
    if fact.what != "items" or fact.item is None or fact.parts is not None:
        return False
    return holds_any_number(fact.item) or (fact.item.what == "int" and not fact.item.bounded)

"""The way of a secret that is told: from where it is read, step by step, to where it is told.

    - let: best                               # 1 `hand` is read here
      be: highest(c.value for c in p2.hand)
    - if: best > 4                            # 2 it decides here what is done
      then:
        - log: Beware                         # told here

The way is looked for backwards, when a leak has been found: from the instruction that tells it to what its expressions read, to the
branches that it depends on, into procedures that gave something and out to those that called.  The shortest way is taken.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple, Protocol, cast

from rulespec import ir
from rulespec.ir.flow import edges
from rulespec.ir.reads import numbers, reads
from rulespec.ir.roles import site_of
from rulespec.ir.walk import EXPRESSIONS, parts
from rulespec.lint.flow.contexts import Context, Names, outside, renamed
from rulespec.lint.flow.control import ended, rules_of
from rulespec.lint.flow.labels import Atom, Label, Secret, Val
from rulespec.lint.flow.run import ProcedureRun
from rulespec.text.source import Span

LONGEST = 5_000  # points that are looked at for one leak
Role = Literal["told", "value", "test", "passed", "run", "given"]
Step = tuple[Span, str]

# What an instruction has to do with a secret that goes on from there.
WORDS: Mapping[Role, str] = {
    "told": "it is told here",
    "value": "what is worked out of it is kept here",
    "test": "it decides here what is done",
    "passed": "it is passed on here",
    "run": "it decides whether this is done",
    "given": "it is given back here",
}


class Point(NamedTuple):
    """An instruction of a procedure that is called in some way, and what it has to do with a secret."""

    context: Context
    pc: int
    base: Secret
    role: Role
    local: int = -1  # the parameter that it is passed as


class Looked(Protocol):
    """What the analysis of the whole program has gathered."""

    program: ir.Program
    runs: dict[Context, ProcedureRun]
    callers: dict[Context, dict[tuple[Context, int], Names]]


def way(analysis: Looked, where: Span | None, base: Secret) -> tuple[Step, ...]:
    """The steps of a secret on its way to something that is told, from where it is read on; none if no way is found."""
    before: dict[Point, Point | None] = dict.fromkeys(told(analysis, where, base))
    todo = deque(before)
    while todo and len(before) < LONGEST:
        point = todo.popleft()
        for other in Backwards(analysis, point).points():
            if other is None:
                return steps(analysis, point, before)
            if other not in before:
                before[other] = point
                todo.append(other)
    return ()


def steps(analysis: Looked, source: Point, before: Mapping[Point, Point | None]) -> tuple[Step, ...]:
    """The places on a way, in the order of play, each once; the last is told by the finding itself."""
    told: list[Step] = []
    point: Point | None = source
    text = "it is read here"
    while point is not None:
        where = analysis.runs[point.context].code[point.pc].where
        if where is not None and (not told or told[-1][0] != where):
            told.append((where, text if not told else WORDS[point.role]))
        point = before[point]
    return tuple(told)


def told(analysis: Looked, where: Span | None, base: Secret) -> Iterator[Point]:
    """The instructions that tell something at a place."""
    for context, run in analysis.runs.items():
        for pc in sorted(run.states):
            i = run.code[pc]
            if i.where == where and isinstance(
                i, ir.Say | ir.Ask | ir.Store | ir.Move | ir.MoveCounts | ir.Fork | ir.NextRule | ir.Let
            ):
                yield Point(context, pc, base, "told")


class Backwards:
    """What a point has its secret from."""

    def __init__(self, analysis: Looked, point: Point) -> None:
        self.analysis = analysis
        self.point = point
        self.run = analysis.runs[point.context]
        self.state = self.run.states[point.pc]

    def points(self) -> Iterator[Point | None]:
        """The points before this one; None if the secret is read here."""
        _, pc, _, role, local = self.point
        i = self.run.code[pc]
        match role:
            case "told" | "value" | "given":
                yield from self.of_expressions(expressions(self.analysis.program, i))
                if role == "value" and isinstance(i, ir.Call):
                    yield from self.inside(i)
                yield from self.of_control()
            case "test" if isinstance(i, ir.Call | ir.CallRule | ir.Resume):
                yield from self.of_leaving(i)
            case "test":
                yield from self.of_expressions(expressions(self.analysis.program, i))
            case "passed":
                args = () if not isinstance(i, ir.Call | ir.CallRule | ir.Fork | ir.Begin) else i.args or ()
                yield from self.of_expressions([args[local]] if 0 <= local < len(args) else args)
            case "run":
                if isinstance(i, ir.CallRule):
                    yield from self.of_rules(i)
                yield from self.of_control()

    # --- within a procedure -------------------------------------------------------------------------------------------
    def matching(self, label: Iterable[Atom]) -> Secret | None:
        """The secret in a label that is meant, where not all know it: this one, or else one of the same kind."""
        hidden = self.run.secret(frozenset(label), self.state)
        bases = [atom.base for atom in hidden if alike(atom.base, self.point.base)]
        return self.point.base if self.point.base in bases else min(bases, key=repr, default=None)

    def of_expressions(self, every: Iterable[ir.Expr]) -> Iterator[Point | None]:
        """The points that values come from which expressions read."""
        env = self.state.env
        bare = {k: Val(held.term) for k, held in env.items()}
        for e in every:
            if self.matching(all_of(self.run.values.of(e, bare))) is not None:
                yield None
            for k in numbers(reads(e)):
                held = env.get(k)
                if held is not None and (base := self.matching(all_of(held))) is not None:
                    yield from self.of_local(k, base)

    def of_local(self, local: int, base: Secret) -> Iterator[Point]:
        """The points that put a value into a local."""
        context, run = self.point.context, self.run
        if local < run.procedure.parameters:
            yield from self.called_with(local, base)
        for pc in sorted(run.states):
            if any(written >> local & 1 for _, written in edges(run.procedure, pc)):
                yield Point(context, pc, base, "value")

    def of_control(self) -> Iterator[Point]:
        """The branches that decide whether an instruction runs, and who called the procedure if that decides."""
        context, pc = self.point.context, self.point.pc
        for branch in sorted(self.run.control.branches[pc], reverse=True):
            if branch in self.run.tests and branch not in self.state.told:
                base = self.matching(self.run.tests[branch])
                if base is not None:
                    yield Point(context, branch, base, "test")
        base = self.matching(context.hard | context.soft)
        if base is not None:
            yield from self.called_with(None, base)

    def of_leaving(self, i: ir.Call | ir.CallRule | ir.Resume) -> Iterator[Point]:
        """What decides whether something around an instruction is left from within it."""
        context, pc = self.point.context, self.point.pc
        if isinstance(i, ir.Resume):
            region = ended(self.run.procedure, pc)
            inner = [(context, at) for at, _ in self.run.left if region.start <= at < region.end]
        else:
            within = [other for other, sites in self.analysis.callers.items() if (context, pc) in sites]
            inner = [(other, at) for other in within for at, _ in self.analysis.runs[other].left]
        for other, at in inner:
            leaving = isinstance(self.analysis.runs[other].code[at], ir.Unwind)
            yield Point(other, at, self.point.base._replace(index=None), "run" if leaving else "test")
        if isinstance(i, ir.CallRule):
            yield self.point._replace(role="run")

    # --- across calls ---------------------------------------------------------------------------------------------------
    def called_with(self, local: int | None, base: Secret) -> Iterator[Point]:
        """Where the procedure is called: what is passed as a parameter, or what decides that it is called."""
        for (caller, pc), names in self.analysis.callers.get(self.point.context, {}).items():
            secret = renamed(base, names)
            i = self.analysis.runs[caller].code[pc]
            if local is None:
                yield Point(caller, pc, secret, "run")
            elif isinstance(i, ir.Fork):
                yield Point(caller, pc, secret, "passed", local - 1)
            elif isinstance(i, ir.Call):
                yield Point(caller, pc, secret, "passed", local)
            else:
                yield Point(caller, pc, secret, "passed", -1)
                yield from self.begun(secret)

    def begun(self, base: Secret) -> Iterator[Point]:
        """Where a lasting effect begins whose rule this is."""
        rules = [rule for rule in self.analysis.program.rules if rule.procedure == self.point.context.procedure]
        lasting = {rule.lasting for rule in rules if rule.lasting is not None}
        for context, run in self.analysis.runs.items():
            for pc in sorted(run.states):
                i = run.code[pc]
                if isinstance(i, ir.Begin) and i.lasting in lasting:
                    yield Point(context, pc, base, "passed")
                    yield Point(context, pc, base, "run")

    def of_rules(self, i: ir.CallRule) -> Iterator[Point | None]:
        """The conditions of the rules that run here: the secret is read in one of them, or is an argument of the event."""
        event = tuple(self.run.of(a, self.state) for a in i.args)
        for number in rules_of(self.run.procedure, i.live - 2):
            rule = self.analysis.program.rules[number]
            instance = self.run.analysis.instance(rule, self.run.made(self.point.pc), len(event), self.point.context)
            bare = tuple(Val(arg.term) for arg in (*instance, *event))
            for function, given in ((rule.alive, len(instance)), (rule.test, len(bare))):
                if function is not None:
                    tested = self.run.values.invoke(function, bare[:given])
                    if self.matching(all_of(tested)) is not None:
                        yield None
        yield from self.of_expressions(i.args)

    def inside(self, i: ir.Call) -> Iterator[Point]:
        """Where the procedure that was called gives its result."""
        call = self.run.made(self.point.pc)
        for context, sites in self.analysis.callers.items():
            names = sites.get((self.point.context, self.point.pc))
            if names is not None and context.procedure == i.procedure:
                run = self.analysis.runs[context]
                for pc, (value, _) in sorted(run.results.items()):
                    for atom in sorted(all_of(value), key=repr):
                        if alike(outside(atom.base, names, call), self.point.base):
                            yield Point(context, pc, atom.base, "given")


def all_of(value: Val) -> Label:
    """All secrets that a value or the number of its items depends on."""
    return value.label | value.size | value.ident


def alike(a: Secret, b: Secret) -> bool:
    """Whether two secrets are of the same zone, variable or kind."""
    zone = ("zone", "count", "top")
    return a.number == b.number and (a.what == b.what or (a.what in zone and b.what in zone))


def expressions(program: ir.Program, i: ir.Instruction) -> list[ir.Expr]:
    """The expressions that an instruction reads, those of its question included; locals that a question binds are read by none."""
    site = site_of(i)
    return list(outermost((i,) if site is None else (i, program.sites[site])))


def outermost(node: object) -> Iterator[ir.Expr]:
    """The expressions in a part of a program that stand in no other."""
    if node.__class__ in EXPRESSIONS:
        yield cast(ir.Expr, node)
    elif isinstance(node, tuple):
        for part in node:
            yield from outermost(part)
    else:
        for name in parts(cast(type, node.__class__)):
            yield from outermost(getattr(node, name))

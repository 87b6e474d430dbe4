"""The reference machine: runs a program's instructions until somebody has to answer.

The meaning of each instruction is in `rulespec.ir`; what never waits is in `steps`.  A position is
its slots alone, so that running is a function of them: the control stack is one of the values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from operator import itemgetter
from typing import Any, NoReturn, assert_never

from interpreter.reference.expressions import Compiler
from interpreter.reference.instructions import Step, Steps, make_step
from interpreter.reference.sites import OptionCode, SiteCode
from interpreter.reference.templates import Template
from interpreter.runtime.chance import Lottery
from interpreter.runtime.faults import FAILED, Caller, Fault, Problem, astray, problem_of, running
from interpreter.runtime.limits import MAX_DEPTH, MAX_WAITING
from interpreter.runtime.texts import Printing
from interpreter.runtime.values import CHANCE, Bodies, Frame, Journal, Locals, Slots, depth
from interpreter.runtime.visibility import Sight
from interpreter.runtime.windows import Windows, instance
from rulespec import ir
from rulespec.ir.weight import items_of
from rulespec.language.registry import body as registered
from rulespec.text.diagnostics import Diagnostic
from rulespec.text.quoting import ticked

# What may run while others still choose: nothing that changes the position or asks chance.
SEALED = (ir.Let, ir.Unless, ir.Jump, ir.Next, ir.Call, ir.Return, ir.Ask, ir.Claim)
MOST_REFUSALS = 6  # candidates of a question without a legal one, each told with its reason


class AllLeft(Exception):
    """More is left than what is looked ahead at."""


class Code:
    """A procedure, compiled: `steps` has None where `program` says what the machine does itself."""

    def __init__(self, procedure: ir.Procedure, index: int) -> None:
        self.source = procedure
        self.index = index
        self.name = procedure.name
        self.instructions = procedure.code
        self.regions = procedure.regions[::-1]
        self.steps: list[Step | None] = []
        self.operands: list[Any] = []
        self.size = len(procedure.locals)


class PointCode:
    """Where a frame waits: `frame` makes one of a parent and locals, `locals` makes locals of one."""

    __slots__ = ("code", "frame", "instruction", "live", "locals", "position", "rule")

    def __init__(self, point: ir.Point, number: int, code: Code) -> None:
        self.code = code
        self.position = point.position
        self.live = point.live
        self.instruction = code.instructions[point.position]
        self.rule = isinstance(self.instruction, ir.CallRule)
        self.frame = framing(number, point.kept)
        self.locals = unpacking(point.kept, code)


def framing(number: int, kept: tuple[int, ...]) -> Callable[[Any, Locals], Frame]:
    """A function that makes the frame of a point."""
    size = len(kept)
    if kept == tuple(range(size)):
        return lambda parent, L: (number, parent, *L[:size])
    if size == 1:
        only = kept[0]
        return lambda parent, L: (number, parent, L[only])
    pick = itemgetter(*kept)
    return lambda parent, L: (number, parent, *pick(L))


def unpacking(kept: tuple[int, ...], code: Code) -> Callable[[Frame], Locals]:
    """A function that makes the locals of a procedure from a frame; those that it does not keep are None."""
    size = len(kept)
    if kept == tuple(range(size)):
        return lambda frame: [*frame[2 : 2 + size], *[None] * (code.size - size)]

    def run(frame: Frame) -> Locals:
        L: Locals = [None] * code.size
        for k, value in zip(kept, frame[2:], strict=False):  # the children of a Fork stand behind
            L[k] = value
        return L

    return run


class Machine:
    """A program made ready to run.  Raises ValueError for a program that contradicts itself.

    `bodies` finds the Python body of an `Op`; a test may bring its own.
    """

    def __init__(self, program: ir.Program, bodies: Bodies = registered) -> None:
        self.program = program
        self.compiler = compiler = self.make_compiler(program, bodies)
        compiler.left_by = self.left_by
        self.ahead = 0  # how deep expressions look ahead within what is looked ahead at
        self.ran = 0  # instructions of the last run
        self.sight = Sight(program, compiler)
        self.printing = Printing(program, self.sight)
        self.windows = Windows(program, compiler)
        self.options = tuple(
            None if rule.option is None else OptionCode(rule, compiler, self.printing) for rule in program.rules
        )
        self.sites = tuple(SiteCode(site, compiler, self.printing, self.options) for site in program.sites)
        self.point_of = program.point_of or {
            (point.procedure, point.position): i for i, point in enumerate(program.points)
        }
        self.says: dict[tuple[int, int], Template] = {}
        self.codes = tuple(Code(p, i) for i, p in enumerate(program.procedures))
        self.points = tuple(PointCode(p, i, self.codes[p.procedure]) for i, p in enumerate(program.points))
        for code in self.codes:
            self.compile(code)
        for code in self.codes:
            for instruction in code.instructions:
                if isinstance(instruction, ir.Fork):
                    self.check_sealed(instruction.procedure, set())

    def make_compiler(self, program: ir.Program, bodies: Bodies) -> Compiler:
        """What makes closures of expressions."""
        return Compiler(program.functions, bodies)

    def compile(self, code: Code) -> None:
        compiler = self.compiler
        compiler.top = code.size
        for pc, instruction in enumerate(code.instructions):
            step = make_step(instruction, pc, compiler, self.printing, self.windows)
            code.steps.append(step)
            code.operands.append(self.operands(code, pc, instruction) if step is None else None)
        for region in code.regions:
            compiler.local(region.index)
        code.size = compiler.top + 1

    def operands(self, code: Code, pc: int, i: ir.Instruction) -> Any:
        """What the machine needs, compiled, of an instruction that it runs itself."""
        compiler = self.compiler
        match i:
            case ir.Call():
                return self.point(code, pc, i.live), compiler.exprs(i.args)
            case ir.CallRule():
                return self.point(code, pc, i.live), compiler.exprs(i.args)
            case ir.Return(value):
                return compiler.optional(value)
            case ir.Ask():
                compiler.top = max(compiler.top, self.sites[i.site].width)
                return self.point(code, pc, i.live)
            case ir.Draw():
                point = self.point(code, pc, i.live)
                return point, compiler.expr(i.items), compiler.optional(i.weights)
            case ir.Say():
                text = Template(i.text, compiler, self.printing)
                self.says[code.index, pc] = text
                return text, compiler.optional(i.seats)
            case ir.Fork():
                point = self.point(code, pc, i.live)
                return point, compiler.expr(i.seats), compiler.exprs(i.args)
            case ir.NextRule():
                if i.arrange is not None:
                    compiler.top = max(compiler.top, self.sites[i.arrange].width)
                return self.point(code, pc, i.live + 1), compiler.exprs(i.args)
            case ir.Resume(index):
                compiler.local(index)
            case ir.Finish(returns):
                return compiler.expr(returns)
            case ir.Unwind():
                pass
            case _:
                never_here(i)
        return None

    def point(self, code: Code, pc: int, live: int) -> PointCode:
        """The point of an instruction that waits; ValueError where the program has none that fits."""
        self.compiler.local(live + 1)
        number = self.point_of.get((code.index, pc))
        if number is None or self.program.points[number].live != live:
            raise ValueError(f"{code.name}, position {pc}: the point is missing or its result is not local {live}")
        kept = self.program.points[number].kept
        if any(a >= b for a, b in pairwise((-1, *kept, live))):
            raise ValueError(f"{code.name}, position {pc}: a frame keeps locals below {live} in ascending order")
        if isinstance(code.instructions[pc], ir.CallRule | ir.NextRule) and live - 1 not in kept:
            raise ValueError(f"{code.name}, position {pc}: the frame must keep its rules, local {live - 1}")
        return self.points[number]

    def check_sealed(self, procedure: int, seen: set[int]) -> None:
        if procedure in seen:
            return
        seen.add(procedure)
        code = self.codes[procedure]
        for i in code.instructions:
            if not isinstance(i, SEALED):
                raise ValueError(f"{code.name}: {type(i).__name__} in a sealed choice")
            if isinstance(i, ir.Call):
                self.check_sealed(i.procedure, seen)

    # --- running -----------------------------------------------------------------------------------
    def start(self, slots: Slots, journal: Journal | None, procedure: int) -> Slots:
        """Fresh slots after a procedure has run until it waits or ends; raises Fault."""
        S = slots.copy()
        journal = journal or Journal(None, None)
        self.compiler.refuel()
        code = self.codes[procedure]
        S[ir.CONTROL] = self.run(S, journal, code, 0, [None] * code.size, None)
        return S

    def answer(self, slots: Slots, journal: Journal | None, child: int | None, value: Any) -> Slots:
        """The slots after the answer to what the frame on top asks, or the child of that number does.

        `slots` stays as it is.  Raises Fault.
        """
        S = slots.copy()
        journal = journal or Journal(None, None)
        self.compiler.refuel()
        frame: Frame = S[ir.CONTROL]
        if child is not None:
            children = list(frame[-1])
            seat, waiting, _ = children[child]
            try:
                waiting = self.run(S, journal, *self.back(S, waiting, value))
            except Fault as fault:
                fault.stack += self.stack(frame)
                raise
            children[child] = (seat, waiting, None if waiting else journal.result)
            if any(one[1] is not None for one in children):
                S[ir.CONTROL] = (*frame[:-1], tuple(children))
                return S
            frame, value = frame[:-1], self.joined(children)
        S[ir.CONTROL] = self.run(S, journal, *self.back(S, frame, value))
        return S

    def left_by(self, slots: Slots, procedure: int, args: list[Any]) -> Slots:
        """The slots that a procedure leaves, for an expression that looks ahead; `slots` stay as they are.

        Each instruction counts as an item that is looked at.  Raises Fault, and Problem R014.
        """
        S = slots.copy()
        code = self.codes[procedure]
        self.ahead += 1
        try:
            self.run(S, Journal(None, None), code, 0, [*args, *[None] * (code.size - len(args))], None)
        except AllLeft:
            pass
        finally:
            self.ahead -= 1
        self.compiler.pay(self.ran)
        return S

    def back(self, S: Slots, frame: Frame, value: Any) -> tuple[Code, int, Locals, Any]:
        """Where a frame goes on with the value that it waited for: code, position, locals, parent."""
        point = self.points[frame[0]]
        L = point.locals(frame)
        if point.rule:
            value = bool(value)
            if not value:
                self.windows.give_back(S, L[point.live - 1])
        instruction = point.instruction
        if isinstance(instruction, ir.NextRule):
            live = instruction.live
            queue = L[live]
            L[live + 1] = queue[value]
            L[live] = queue[:value] + queue[value + 1 :]
        else:
            L[point.live] = value
        return point.code, point.position + 1, L, frame[1]

    def joined(self, children: list[Any]) -> tuple[Any, ...]:
        results: list[Any] = [None] * self.program.players
        for seat, _, result in children:
            results[seat] = result
        return tuple(results)

    def run(self, S: Slots, journal: Journal, code: Code, pc: int, L: Locals, parent: Any) -> Frame | None:
        """Run on; the frame that waits, or None when all is done (`journal.result` is the result)."""
        steps = self.program.step_limit
        callers = depth(parent)
        try:
            while True:
                steps -= 1
                if steps < 0:
                    raise Problem("R005", f"more than {self.program.step_limit} steps between two decisions")
                step = code.steps[pc]
                if step is not None:
                    pc = step(S, L)
                    continue
                i = code.instructions[pc]
                match i:
                    case ir.Call() | ir.CallRule():
                        called = self.call(S, i, code, pc, L, parent)
                        if called is None:
                            pc += 1
                            continue
                        callers += 1
                        if callers > MAX_DEPTH:
                            raise too_deep(f"more than {MAX_DEPTH:,} procedures and rules run within each other")
                        code, pc, L, parent = called
                    case ir.Return():
                        give = code.operands[pc]
                        value = None if give is None else give(S, L)
                        if parent is None:
                            journal.result = value
                            return None
                        code, pc, L, parent = self.back(S, parent, value)
                        callers -= 1
                    case ir.Ask() | ir.Draw() | ir.NextRule() | ir.Fork():
                        following = self.wait(S, journal, i, code, pc, L, parent)
                        if not isinstance(following, int):
                            check_depth(parent)
                            return following
                        pc = following
                    case ir.Say():
                        journal.log = ((*self.line(S, code, pc, L), journal.turn), journal.log)
                        pc += 1
                    case ir.Resume(index) if L[index] is None:
                        pc += 1
                    case ir.Unwind() | ir.Resume():
                        target = i.target if isinstance(i, ir.Unwind) else L[i.index]
                        code, pc, L, parent = self.unwind(target, code, pc, L, parent)
                        callers = depth(parent)
                    case ir.Finish():
                        S[ir.RETURNS] = code.operands[pc](S, L)
                        return None
                    case _:
                        never_here(i)
        except Fault as fault:
            fault.stack += self.stack(((code, pc), parent))
            raise
        except FAILED as error:
            problem = problem_of(error)
            raise self.fault(problem, code, pc, parent) from problem.__cause__
        finally:
            self.ran = self.program.step_limit - steps

    def call(
        self, S: Slots, i: ir.Call | ir.CallRule, code: Code, pc: int, L: Locals, parent: Any
    ) -> tuple[Code, int, Locals, Frame] | None:
        """The beginning of what is called: code, position, locals, parent; None for a rule that does not apply."""
        point, args = code.operands[pc]
        values = [a(S, L) for a in args]
        if isinstance(i, ir.Call):
            procedure = i.procedure
        else:
            entry = L[i.live - 1]
            if not self.windows.passes(S, entry, tuple(values)):
                L[i.live] = False
                return None
            self.windows.use(S, entry)
            values = [*instance(entry[1]), *values]
            procedure = self.program.rules[entry[0]].procedure
        called = self.codes[procedure]
        return called, 0, [*values, *[None] * (called.size - len(values))], point.frame(parent, L)

    def wait(
        self,
        S: Slots,
        journal: Journal,
        i: ir.Ask | ir.Draw | ir.NextRule | ir.Fork,
        code: Code,
        pc: int,
        L: Locals,
        parent: Any,
    ) -> Frame | int:
        """The frame of an instruction that has to wait, or the position where the procedure goes on."""
        match i:
            case ir.Ask():
                return code.operands[pc].frame(parent, L)  # type: ignore[no-any-return]
            case ir.Draw():
                return self.draw(S, journal, i, code, pc, L, parent)
            case ir.NextRule():
                return self.next_rule(S, i, code, pc, L, parent)
            case ir.Fork():
                children = self.fork(S, journal, code, pc, L, i)
                if any(child[1] is not None for child in children):
                    return (*code.operands[pc][0].frame(parent, L), tuple(children))
                L[i.live] = self.joined(children)
                return pc + 1
            case _:
                assert_never(i)

    def draw(self, S: Slots, journal: Journal, i: ir.Draw, code: Code, pc: int, L: Locals, parent: Any) -> Frame | int:
        """`Draw`."""
        point, items, weights = code.operands[pc]
        lottery = Lottery(items(S, L), None if weights is None else weights(S, L))
        if len(lottery.values) == 1:
            L[i.live] = lottery.values[0]
        elif S[ir.RANDOM] is None:
            return point.frame(parent, L)  # type: ignore[no-any-return]
        else:
            seed, counter = S[ir.RANDOM]
            action, counter = lottery.draw(seed, counter)
            S[ir.RANDOM] = (seed, counter)
            L[i.live] = lottery.values[action]
            journal.history = ((CHANCE, i.name, action, L[i.live]), journal.history)
        return pc + 1

    def next_rule(self, S: Slots, i: ir.NextRule, code: Code, pc: int, L: Locals, parent: Any) -> Frame | int:
        """`NextRule` where a player may arrange what ties."""
        point, args = code.operands[pc]
        queue = L[i.live]
        if not queue:
            return i.target
        at = 0
        if len(queue) > 1:
            player, passing = self.windows.tied(S, queue, tuple(a(S, L) for a in args))
            if len(passing) > 1 and player is not None:
                return point.frame(parent, L)  # type: ignore[no-any-return]
            at = passing[0] if passing else 0
        L[i.live + 1] = queue[at]
        L[i.live] = queue[:at] + queue[at + 1 :]
        return pc + 1

    def line(self, S: Slots, code: Code, pc: int, L: Locals) -> tuple[Any, ...]:
        """The line of the log that a `Say` writes: where it stands, who reads it, its values, and who sees each of them."""
        text, seats = code.operands[pc]
        values = text.values(S, L)
        if text.long:
            self.compiler.pay(sum(items_of(values[hole]) for hole in text.long))
        readers = None if seats is None else seats(S, L)
        return code.index, pc, readers, values, text.masks(S, values)

    def fork(self, S: Slots, journal: Journal, code: Code, pc: int, L: Locals, i: ir.Fork) -> list[Any]:
        """The children of a Fork, each run up to its first question."""
        _, seats, args = code.operands[pc]
        values = [a(S, L) for a in args]
        child = self.codes[i.procedure]
        children: list[Any] = []
        for seat in sorted(set(seats(S, L))):
            if not 0 <= seat < self.program.players:
                raise Problem("R016", f"there is no player {seat}")
            locals_ = [seat, *values, *[None] * (child.size - len(values) - 1)]
            frame = self.run(S, journal, child, 0, locals_, None)
            children.append((seat, frame, None if frame else journal.result))
        return children

    def unwind(self, target: int, code: Code, pc: int, L: Locals, parent: Any) -> tuple[Code, int, Locals, Any]:
        """Leave what runs, up to the innermost region around it."""
        while True:
            for region in code.regions:
                if region.start <= pc < region.end:
                    L[region.index] = None if region.name == target else target
                    return code, region.handler, L, parent
            if parent is None:
                if self.ahead:
                    raise AllLeft
                name = self.program.targets[target]
                raise Problem("R013", f"{name} is to be left, but it does not run")
            point = self.points[parent[0]]
            L = point.locals(parent)
            code, pc, parent = point.code, point.position, parent[1]

    def playout(self, _seed: int, _most: int) -> tuple[Slots, int] | None:
        """None: this machine plays decision by decision."""
        return None

    # --- questions -----------------------------------------------------------------------------------
    def seat(self, S: Slots, frame: Frame) -> int:
        """Who is asked by a frame; raises Fault."""
        with self.asking(frame) as (point, L):
            i: Any = point.instruction
            if isinstance(i, ir.NextRule) and i.arrange is not None:
                site = self.sites[i.arrange].site
                seat, _ = self.windows.tied(S, L[i.live], self.event(S, point, L))
            elif isinstance(i, ir.Ask):
                site = self.sites[i.site].site
                seat = self.sites[i.site].player(S, L)
            else:
                raise astray("the frame on top does not ask anybody")
            if seat is None or not 0 <= seat < self.program.players:
                raise Problem("R016", f"there is no player {seat} to ask", site.where)
            return seat

    def items(self, S: Slots, frame: Frame) -> tuple[Any, ...]:
        """The candidates of what a frame asks; raises Fault."""
        with self.asking(frame) as (point, L):
            i: Any = point.instruction
            if isinstance(i, ir.NextRule):
                return self.windows.tied(S, L[i.live], self.event(S, point, L))[1]
            candidates: tuple[Any, ...] = self.sites[i.site].items(S, L)
            return candidates

    def legal(self, S: Slots, frame: Frame) -> dict[int, Any]:
        """The legal actions of the seat that a frame asks, ascending, and what each answers; raises Fault."""
        items = self.items(S, frame)
        with self.asking(frame) as (point, L):
            site = self.site(frame[0])
            actions = site.legal(S, L, items)
            if not actions:
                name = self.program.kinds[self.program.player_kind].members[self.seat(S, frame)]
                span = point.instruction.where or site.site.where
                why = self.refusals(S, L, site, items, self.seat(S, frame))
                raise Problem("R008", f"{name} has nothing to choose for `{site.site.name}`", span, why)
            return actions

    def refusals(self, S: Slots, L: Locals, site: SiteCode, items: tuple[Any, ...], seat: int) -> tuple[str, ...]:
        """Why each candidate of a question is refused, as the seat that is asked may read it; of many only the first."""
        candidates = site.candidates(items)
        lines = []
        for _, value in candidates[:MOST_REFUSALS]:
            failing = site.failing(S, L, value)
            why = "" if failing is None else failing[0].render(S, failing[1], seat)
            lines.append(f"{ticked(self.candidate_name(site, value))} is refused{f': {why}' if why else ''}")
        if len(candidates) > MOST_REFUSALS:
            lines.append(f"{len(candidates) - MOST_REFUSALS} more are refused")
        return tuple(lines) or ("there is no candidate at all",)

    def candidate_name(self, site: SiteCode, value: Any) -> str:
        """What a candidate is called in answers."""
        if value is None and site.none is not None:
            return site.none.name
        if site.is_rule(value):
            rule: ir.Rule = self.program.rules[value[0]]
            return rule.name if rule.option is None else rule.option.name
        if site.branches and isinstance(value, int):
            branch: str = site.branches[value][0]
            return branch
        return self.printing.name(site.site.type, value)

    def lottery(self, S: Slots, frame: Frame) -> Lottery:
        """What chance is asked by a frame; raises Fault."""
        with self.asking(frame) as (point, L):
            _, items, weights = point.code.operands[point.position]
            return Lottery(items(S, L), None if weights is None else weights(S, L))

    def event(self, S: Slots, point: PointCode, L: Locals) -> tuple[Any, ...]:
        """The values of the event whose rules are to be arranged."""
        return tuple(a(S, L) for a in point.code.operands[point.position][1])

    def site(self, number: int) -> SiteCode:
        """The site of a point where a player is asked."""
        site = self.program.site_of(number)
        if site is None:
            raise astray("the frame on top does not ask anybody")
        return self.sites[site.index]

    @contextmanager
    def asking(self, frame: Frame) -> Iterator[tuple[PointCode, Locals]]:
        """Work something out of a frame that waits; what goes wrong is a fault at its instruction."""
        point = self.points[frame[0]]
        self.compiler.refuel()
        try:
            yield point, point.locals(frame)
        except Fault as fault:  # of what is looked ahead at
            fault.stack += self.stack(frame)
            raise
        except FAILED as error:
            problem = problem_of(error)
            raise self.fault(problem, point.code, point.position, frame[1]) from problem.__cause__

    # --- faults ------------------------------------------------------------------------------------
    def fault(self, problem: Problem, code: Code, pc: int, parent: Any) -> Fault:
        """The fault of a problem at an instruction."""
        span = problem.span or code.instructions[pc].where or code.source.where
        stack = self.stack(((code, pc), parent))
        related = tuple((caller.span, running(caller)) for caller in stack[1:8] if caller.span is not None)
        return Fault(Diagnostic(problem.code, str(problem), span, help=problem.help, related=related), stack)

    def stack(self, frame: Any) -> tuple[Caller, ...]:
        """What is running, innermost first; the rest is left out beyond 32."""
        out: list[Caller] = []
        while frame is not None and len(out) < 32:
            at = frame[0]
            code, pc = at if isinstance(at, tuple) else (self.points[at].code, self.points[at].position)
            span = code.instructions[pc].where or code.source.where
            out.append(Caller("procedure", code.name, span))
            frame = frame[1]
            if frame is not None and self.points[frame[0]].rule:
                rule = self.program.rules[frame[-1][0]]  # the entry is the highest local that the frame keeps
                out.append(Caller("rule", rule.name, rule.where))
        return tuple(out)


def too_deep(what: str) -> Problem:
    """The fault of calls within calls: without end, or of a chain that is too long."""
    return Problem(
        "R006", what, help=("a chain of events that has an end and is this long is worked off in a loop: `while`",)
    )


def check_depth(frame: Any) -> None:
    """Raise the fault where too many frames wait for each other."""
    if depth(frame) > MAX_WAITING:
        raise too_deep(f"more than {MAX_WAITING} procedures and rules wait for each other where somebody is asked")


def never_here(i: Steps) -> NoReturn:
    """What has a step never comes to the machine."""
    raise AssertionError(f"{type(i).__name__} has a step")

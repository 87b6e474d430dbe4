"""The reference machine: runs a program's instructions until somebody has to answer.

The meaning of each instruction is in `rulespec.ir`; what never waits is in `steps`.  A position is
its slots alone, so that running is a function of them: the control stack is one of the values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interpreter.chance import Lottery
from interpreter.closures import Bodies, Compiler, Locals, Slots
from interpreter.faults import Caller, Fault, Problem
from interpreter.questions import BROKEN, OptionCode, SiteCode
from interpreter.steps import Step, make_step
from interpreter.texts import Printing, Template
from interpreter.visibility import Sight
from interpreter.windows import Windows, instance
from rulespec import ir
from rulespec.diagnostics import Diagnostic
from rulespec.library.errors import DomainError
from rulespec.registry import body as registered

CHANCE = -1
TERMINAL = -4
MAX_DEPTH = 512

Frame = tuple[Any, ...]  # (point, parent, *locals)

# What may run while others still choose: nothing that changes the position or asks chance.
SEALED = (ir.Let, ir.Unless, ir.Jump, ir.Next, ir.Call, ir.Return, ir.Ask, ir.Claim)


@dataclass(slots=True)
class Journal:
    """What a run adds to: the log and the history, as linked entries with the newest first."""

    log: Any
    history: Any
    result: Any = None


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
        self.size = procedure.locals


class PointCode:
    """Where a frame waits."""

    __slots__ = ("code", "instruction", "live", "pad", "position", "rule")

    def __init__(self, point: ir.Point, code: Code) -> None:
        self.code = code
        self.position = point.position
        self.live = point.live
        self.instruction = code.instructions[point.position]
        self.rule = isinstance(self.instruction, ir.CallRule)
        self.pad: tuple[None, ...] = ()


class Machine:
    """A program made ready to run.  Raises ValueError for a program that contradicts itself.

    `bodies` finds the Python body of an `Op`; a test may bring its own.
    """

    def __init__(self, program: ir.Program, bodies: Bodies = registered) -> None:
        self.program = program
        self.compiler = compiler = Compiler(program.functions, bodies)
        self.sight = Sight(program, compiler)
        self.printing = Printing(program, self.sight)
        self.windows = Windows(program, compiler)
        self.options = tuple(
            None if rule.option is None else OptionCode(rule, compiler, self.printing) for rule in program.rules
        )
        self.sites = tuple(SiteCode(site, self) for site in program.sites)
        self.point_of = program.point_of or {
            (point.procedure, point.position): i for i, point in enumerate(program.points)
        }
        self.says: dict[tuple[int, int], Template] = {}
        self.codes = tuple(Code(p, i) for i, p in enumerate(program.procedures))
        self.points = tuple(PointCode(p, self.codes[p.procedure]) for p in program.points)
        for code in self.codes:
            self.compile(code)
        for point in self.points:
            point.pad = (None,) * (point.code.size - point.live)
        for code in self.codes:
            for instruction in code.instructions:
                if isinstance(instruction, ir.Fork):
                    self.check_sealed(instruction.procedure, set())

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
                return self.point(code, pc, i.live + 1), compiler.exprs(i.args)
            case ir.Resume(index):
                compiler.local(index)
            case ir.Finish(returns):
                return compiler.expr(returns)
        return None

    def point(self, code: Code, pc: int, live: int) -> int:
        self.compiler.local(live + 1)
        number = self.point_of.get((code.index, pc))
        if number is None or self.program.points[number].live != live:
            raise ValueError(f"{code.name}, position {pc}: the point is missing or keeps not {live}")
        return number

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
    def start(self, S: Slots, journal: Journal, procedure: int) -> None:
        """Run a procedure from its beginning, on fresh slots, until it waits or ends."""
        code = self.codes[procedure]
        S[ir.CONTROL] = self.run(S, journal, code, 0, [None] * code.size, None)

    def answer(self, S: Slots, journal: Journal, child: int | None, value: Any) -> None:
        """Go on with the answer to what the frame on top asks, or the child of that number does."""
        frame: Frame = S[ir.CONTROL]
        if child is None:
            S[ir.CONTROL] = self.run(S, journal, *self.back(S, frame, value))
            return
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
            return
        joined = self.joined(children)
        S[ir.CONTROL] = self.run(S, journal, *self.back(S, frame[:-1], joined))

    def back(self, S: Slots, frame: Frame, value: Any) -> tuple[Code, int, Locals, Any]:
        """Where a frame goes on with the value that it waited for: code, position, locals, parent."""
        point = self.points[frame[0]]
        L = [*frame[2:], *point.pad]
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
        depth = 0
        try:
            while True:
                steps -= 1
                if steps < 0:
                    limit = self.program.step_limit
                    raise Problem("R005", f"more than {limit} steps between two decisions")
                step = code.steps[pc]
                if step is not None:
                    pc = step(S, L)
                    continue
                i: Any = code.instructions[pc]
                what = i.__class__
                if what is ir.Call:
                    point, args = code.operands[pc]
                    values = [a(S, L) for a in args]
                    parent = (point, parent, *L[: i.live])
                    depth += 1
                    if depth > MAX_DEPTH:
                        raise too_deep()
                    code = self.codes[i.procedure]
                    L = [*values, *[None] * (code.size - len(values))]
                    pc = 0
                elif what is ir.Return:
                    give = code.operands[pc]
                    value = None if give is None else give(S, L)
                    if parent is None:
                        journal.result = value
                        return None
                    code, pc, L, parent = self.back(S, parent, value)
                    depth -= 1
                elif what is ir.Ask:
                    self.check_depth(parent)
                    return (code.operands[pc], parent, *L[: i.live])
                elif what is ir.Draw:
                    point, items, weights = code.operands[pc]
                    lottery = Lottery(items(S, L), None if weights is None else weights(S, L))
                    if len(lottery.values) == 1:
                        L[i.live] = lottery.values[0]
                    elif S[ir.RANDOM] is None:
                        self.check_depth(parent)
                        return (point, parent, *L[: i.live])
                    else:
                        seed, counter = S[ir.RANDOM]
                        action, counter = lottery.draw(seed, counter)
                        S[ir.RANDOM] = (seed, counter)
                        L[i.live] = lottery.values[action]
                        entry = (CHANCE, i.name, action, L[i.live])
                        journal.history = (entry, journal.history)
                    pc += 1
                elif what is ir.CallRule:
                    point, args = code.operands[pc]
                    values = [a(S, L) for a in args]
                    entry = L[i.live - 1]
                    if not self.windows.passes(S, entry, tuple(values)):
                        L[i.live] = False
                        pc += 1
                        continue
                    self.windows.use(S, entry)
                    values = [*instance(entry[1]), *values]
                    parent = (point, parent, *L[: i.live])
                    depth += 1
                    if depth > MAX_DEPTH:
                        raise too_deep()
                    code = self.codes[self.program.rules[entry[0]].procedure]
                    L = [*values, *[None] * (code.size - len(values))]
                    pc = 0
                elif what is ir.NextRule:
                    point, args = code.operands[pc]
                    queue = L[i.live]
                    if not queue:
                        pc = i.target
                        continue
                    at = 0
                    if len(queue) > 1:
                        values = [a(S, L) for a in args]
                        player, passing = self.windows.tied(S, queue, tuple(values))
                        if len(passing) > 1 and player is not None:
                            self.check_depth(parent)
                            return (point, parent, *L[: i.live + 1])
                        at = passing[0] if passing else 0
                    L[i.live + 1] = queue[at]
                    L[i.live] = queue[:at] + queue[at + 1 :]
                    pc += 1
                elif what is ir.Say:
                    text, seats = code.operands[pc]
                    values = text.values(S, L)
                    line = (
                        code.index, pc, None if seats is None else seats(S, L), values,
                        text.masks(S, values),
                    )  # fmt: skip
                    journal.log = (line, journal.log)
                    pc += 1
                elif what is ir.Fork:
                    children = self.fork(S, journal, code, pc, L, i)
                    if any(child[1] is not None for child in children):
                        self.check_depth(parent)
                        return (code.operands[pc][0], parent, *L[: i.live], tuple(children))
                    L[i.live] = self.joined(children)
                    pc += 1
                elif what is ir.Unwind:
                    code, pc, L, parent = self.unwind(i.target, code, pc, L, parent)
                elif what is ir.Resume:
                    if L[i.index] is None:
                        pc += 1
                    else:
                        code, pc, L, parent = self.unwind(L[i.index], code, pc, L, parent)
                else:
                    S[ir.RETURNS] = code.operands[pc](S, L)
                    return None
        except Problem as problem:
            raise self.fault(problem, code, pc, parent) from None
        except DomainError as error:
            raise self.fault(Problem(error.code, str(error)), code, pc, parent) from None
        except Fault as fault:
            fault.stack += self.stack(((code, pc), parent))
            raise
        except BROKEN as error:
            broken = Problem("R020", f"a value has the wrong form: {error}")
            raise self.fault(broken, code, pc, parent) from error

    def fork(self, S: Slots, journal: Journal, code: Code, pc: int, L: Locals, i: ir.Fork) -> list[Any]:
        """The children of a Fork, each run up to its first question."""
        _, seats, args = code.operands[pc]
        values = [a(S, L) for a in args]
        child = self.codes[i.procedure]
        children: list[Any] = []
        for seat in sorted(set(seats(S, L))):
            if not 0 <= seat < self.program.players:
                raise Problem("R016", f"there is no player {seat}")
            own = [seat, *values, *[None] * (child.size - len(values) - 1)]
            frame = self.run(S, journal, child, 0, own, None)
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
                name = self.program.targets[target]
                raise Problem("R013", f"{name} is to be left, but it does not run")
            point = self.points[parent[0]]
            L = [*parent[2:], *point.pad]
            code, pc, parent = point.code, point.position, parent[1]

    # --- faults ------------------------------------------------------------------------------------
    def check_depth(self, frame: Any) -> None:
        depth = 0
        while frame is not None:
            depth += 1
            frame = frame[1]
        if depth > MAX_DEPTH:
            raise too_deep()

    def fault(self, problem: Problem, code: Code, pc: int, parent: Any) -> Fault:
        """The fault of a problem at an instruction."""
        span = problem.span or code.instructions[pc].where or code.source.where
        stack = self.stack(((code, pc), parent))
        related = tuple(
            (caller.span, f"in {caller.what} {caller.name}") for caller in stack[1:8] if caller.span is not None
        )
        return Fault(Diagnostic(problem.code, str(problem), span, related=related), stack)

    def stack(self, frame: Any) -> tuple[Caller, ...]:
        """What is running, innermost first; the rest is left out beyond 32."""
        out: list[Caller] = []
        while frame is not None and len(out) < 32:
            at = frame[0]
            code, pc = at if isinstance(at, tuple) else (
                self.points[at].code, self.points[at].position
            )  # fmt: skip
            span = code.instructions[pc].where or code.source.where
            out.append(Caller("procedure", code.name, span))
            frame = frame[1]
            if frame is not None and self.points[frame[0]].rule:
                point = self.points[frame[0]]
                rule = self.program.rules[frame[2 + point.live - 1][0]]
                out.append(Caller("rule", rule.name, rule.where))
        return tuple(out)


def too_deep() -> Problem:
    """The fault of calls within calls without end."""
    return Problem("R006", f"more than {MAX_DEPTH} procedures and rules are waiting for each other")

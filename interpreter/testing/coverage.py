"""Watches the reference machine: what of a program ran, which way its tests went, and what was offered and taken.

A watched game plays the same game: the same positions, questions and draws.  A game that is not watched has nothing of this
in it.  Programs to be watched are those that no pass has changed (`GameDef.program(optimise=False)`), so that every
instruction that the checker made is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from interpreter.game import Game
from interpreter.reference.expressions import Compiler, Fn, checked
from interpreter.reference.machine import Code, Machine
from interpreter.reference.sites import Test
from interpreter.runtime.values import Bodies, Frame, Locals, Slots
from interpreter.runtime.windows import RuleCode
from interpreter.setup import Setup
from rulespec import ir
from rulespec.language.facts import Result
from rulespec.language.registry import body as registered
from rulespec.language.registry import facts
from rulespec.text.source import Span

Key = tuple[str, Span, str, str]  # what, where, the name of an option or "", the outcome
Cell = list[int]  # one number: how often
Rows = Mapping[int, Mapping[Any, Span]]  # of each table's constant, by identity: where the row of each key stands
WAYS = {"if": ("holds", "fails"), "loop": ("goes on", "ends"), "arm": ("taken", ""), "option": ("", ""), "": ("", "")}
MORE = 20  # so many times the bounds of a run: a program that nothing was folded in has more to do


class Recorder:
    """What has happened so far, as counts; `trace`, where wanted, is told each step as it runs."""

    def __init__(self, rows: Rows | None = None, trace: Callable[[Span], None] | None = None) -> None:
        self.rows = rows or {}
        self.trace = trace
        self.counts: dict[Key, Cell] = {}

    def cell(self, what: str, where: Span | None, outcome: str, name: str = "") -> Cell:
        """Where something is counted; what has no place in a file is counted nowhere."""
        return [0] if where is None else self.counts.setdefault((what, where, name, outcome), [0])

    def total(self) -> dict[Key, int]:
        """All counts that are not 0."""
        return {key: cell[0] for key, cell in self.counts.items() if cell[0]}

    @contextmanager
    def during(self) -> Iterator[dict[Key, int]]:
        """What is counted while the block runs: a mapping that is filled when it ends."""
        before, counts = [cell[0] for cell in self.counts.values()], dict[Key, int]()
        try:
            yield counts
        finally:  # what is counted stays in its order; others come behind it
            before += [0] * (len(self.counts) - len(before))
            cells = zip(self.counts.items(), before, strict=True)
            counts.update({key: cell[0] - was for (key, cell), was in cells if cell[0] != was})


class WatchedSteps(list[Any]):
    """The steps of a procedure; the machine takes each from here when it runs it."""

    def __init__(
        self, steps: Iterable[Any], cells: list[list[Cell]], spans: list[list[Span]], recorder: Recorder
    ) -> None:
        super().__init__(steps)
        self.cells = cells
        self.spans = spans
        self.recorder = recorder

    def __getitem__(self, pc: Any) -> Any:
        for cell in self.cells[pc]:
            cell[0] += 1
        if self.recorder.trace is not None:
            for span in self.spans[pc]:
                self.recorder.trace(span)
        return super().__getitem__(pc)


def either(test: Fn, yes: Cell, no: Cell) -> Fn:
    """A test that counts which way it goes."""

    def run(S: Slots, L: Locals) -> Any:
        value = test(S, L)
        (yes if value else no)[0] += 1
        return value

    return run


class WatchedCompiler(Compiler):
    """Closures that count: functions, conditional expressions, rows of tables."""

    def __init__(self, functions: tuple[ir.Function, ...], bodies: Bodies, recorder: Recorder) -> None:
        super().__init__(functions, bodies)
        self.recorder = recorder
        self.fuel[0] *= MORE

    def refuel(self) -> None:
        super().refuel()
        self.fuel[0] *= MORE

    def function(self, index: int) -> Callable[..., Any]:
        if index not in self.ready:
            inner, cell = super().function(index), self.recorder.cell("function", self.sources[index].where, "called")

            def call(S: Slots, *args: Any) -> Any:
                cell[0] += 1
                return inner(S, *args)

            self.ready[index] = call
        return self.ready[index]

    def expr(self, e: ir.Expr) -> Fn:
        match e:
            case ir.Cond(test=test, then=then, other=other, where=Span() as where):
                yes, no = self.recorder.cell("branch", where, "holds"), self.recorder.cell("branch", where, "fails")
                watched = either(self.expr(test), yes, no)
                one, two = self.expr(then), self.expr(other)
                return lambda S, L: one(S, L) if watched(S, L) else two(S, L)
            case ir.Op(name, (ir.Const() as table, key)) if (
                facts(name).result is Result.ROW and id(table) in self.recorder.rows
            ):
                return self.row(name, table, self.expr(key))
        return super().expr(e)

    def row(self, name: str, table: ir.Const, key: Fn) -> Fn:
        """A look-up that counts the row that it finds."""
        look_up, rows = self.bodies(name), table.value
        cells = {k: self.recorder.cell("row", span, "read") for k, span in self.recorder.rows[id(table)].items()}

        def run(S: Slots, L: Locals) -> Any:
            k = key(S, L)
            value = look_up(rows, k)
            if k in cells:
                cells[k][0] += 1
            return value

        return checked(run)


class WatchedMachine(Machine):
    """The reference machine, watched."""

    def __init__(self, program: ir.Program, bodies: Bodies, recorder: Recorder) -> None:
        self.recorder = recorder
        super().__init__(program, bodies)
        for site in self.sites:
            site.tests = self.reasons(site.tests, site.site.reasons)
            site.checks = tuple(test for test, _ in site.tests)
            site.branches = [
                (name, text, self.reasons(tests, branch.reasons))
                for (name, text, tests), branch in zip(site.branches, site.site.branches, strict=True)
            ]
            if site.none is not None:
                site.none_tests = self.reasons(site.none_tests, site.none.reasons)
        for option in self.options:
            if option is not None and option.rule.option is not None:
                option.tests = self.reasons(option.tests, option.rule.option.reasons)
        for rule in self.windows.codes:
            self.watch_rule(rule)

    def make_compiler(self, program: ir.Program, bodies: Bodies) -> Compiler:
        return WatchedCompiler(program.functions, bodies, self.recorder)

    def reasons(self, tests: list[Test], written: tuple[ir.Reason, ...]) -> list[Test]:
        """The tests of reasons, which count what they allow and refuse."""
        cell = self.recorder.cell
        return [
            (either(test, cell("condition", reason.where, "allows"), cell("condition", reason.where, "refuses")), why)
            for (test, why), reason in zip(tests, written, strict=True)
        ]

    def watch_rule(self, code: RuleCode) -> None:
        """Count which way a rule's own test goes where its event happens."""
        test, where = code.test, code.rule.where
        if test is not None and code.rule.option is None:
            inner = test
            yes, no = self.recorder.cell("rule", where, "applies"), self.recorder.cell("rule", where, "does not apply")

            def watched(S: Slots, *args: Any) -> Any:
                value = inner(S, *args)
                (yes if value else no)[0] += 1
                return value

            code.test = watched
        if code.alive is not None:
            alive, asleep = code.alive, self.recorder.cell("rule", where, "does not apply")

            def watched_life(S: Slots, *args: Any) -> Any:
                value = alive(S, *args)
                if not value:
                    asleep[0] += 1
                return value

            code.alive = watched_life

    def left_by(self, slots: Slots, procedure: int, args: list[Any]) -> Slots:
        """What is looked ahead at counts as done, and is no line of a trace."""
        trace, self.recorder.trace = self.recorder.trace, None
        try:
            return super().left_by(slots, procedure, args)
        finally:
            self.recorder.trace = trace

    # --- steps --------------------------------------------------------------------------------------------------------
    def compile(self, code: Code) -> None:
        super().compile(code)
        recorder, place = self.recorder, code.source.where
        cells: list[list[Cell]] = []
        spans: list[list[Span]] = []
        seen: set[Span | None] = {None, place}
        for pc, (instruction, step) in enumerate(zip(code.instructions, code.steps, strict=True)):
            where = instruction.where
            first = where not in seen
            seen.add(where)
            cells.append([recorder.cell("step", where, "done")] if first else [])
            spans.append([where] if first and where is not None else [])
            if pc == 0 and place is not None:
                cells[0].append(recorder.cell("rule", place, "runs"))
                spans[0].insert(0, place)
            if isinstance(instruction, ir.Unless) and step is not None and WAYS[instruction.what][0]:
                code.steps[pc] = self.test(instruction, step, pc + 1)
        code.steps = WatchedSteps(code.steps, cells, spans, recorder)

    def test(
        self, instruction: ir.Unless, step: Callable[[Slots, Locals], int], after: int
    ) -> Callable[[Slots, Locals], int]:
        """A test of the author's, which counts which way it goes."""
        yes, no = (self.recorder.cell("branch", instruction.where, way) for way in WAYS[instruction.what])

        def run(S: Slots, L: Locals) -> int:
            target = step(S, L)
            (yes if target == after else no)[0] += 1
            return target

        return run

    # --- choices ------------------------------------------------------------------------------------------------------
    def option(self, site: ir.Site, value: Any) -> tuple[Span | None, str] | None:
        """What a named option is counted as; None for a candidate without a name of its own."""
        if value is None and site.none is not None:
            return site.none.where or site.where, site.none.name
        if site.branches and isinstance(value, int):
            branch = site.branches[value]
            return branch.where or site.where, branch.name
        if isinstance(value, tuple) and (site.branches or site.arguments) and self.sites[site.index].is_rule(value):
            rule = self.program.rules[value[0]]
            return rule.where, "" if rule.option is None else rule.option.name
        return None

    def note(self, site: ir.Site, value: Any, outcome: str) -> None:
        """Count an option that is offered or taken."""
        option = self.option(site, value)
        if option is not None:
            self.recorder.cell("choice", option[0], outcome, option[1])[0] += 1

    def legal(self, S: Slots, frame: Frame) -> dict[int, Any]:
        actions = super().legal(S, frame)
        site = self.program.site_of(frame[0])
        if site is not None and not isinstance(self.program.instruction(frame[0]), ir.NextRule):
            for value in actions.values():
                self.note(site, value, "offered")
        return actions

    def back(self, S: Slots, frame: Frame, value: Any) -> tuple[Code, int, Locals, Any]:
        instruction = self.points[frame[0]].instruction
        if isinstance(instruction, ir.Ask):
            self.note(self.program.sites[instruction.site], value, "taken")
        return super().back(S, frame, value)


class WatchedGame(Game):
    """A game on a watched machine."""

    recorder: Recorder

    @classmethod
    def watched(cls, program: ir.Program, recorder: Recorder, bodies: Bodies = registered) -> WatchedGame:
        """The game of a program, whose bounds are raised: there is more to do where nothing was folded."""
        game = cls.__new__(cls)
        game.recorder = recorder
        Setup.__init__(game, replace(program, step_limit=program.step_limit * MORE), "reference", bodies)
        return game

    def make_machine(self) -> Machine:
        return WatchedMachine(self.program, self.bodies, self.recorder)

"""The cases of a game, run as its text stands, and the trace of one of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulespec.text.diagnostics import RulespecError
from rulespec.text.disk import unsaved

from ..at_case import case_named
from ..coverage.trace import Trace
from ..serve import journal
from ..serve.tables import Reply
from .projects import Project

if TYPE_CHECKING:
    from rulespec.cases.data import Suite

SOON = 0.1  # seconds for which results wait for others
LONGEST = 60.0  # seconds that all cases may take together
MOST_STEPS = 4000  # of a trace


class Trials:
    """Runs all cases after each change, in a thread of its own; `tell` is called from there with what comes of it."""

    def __init__(self, project: Project, tell: Callable[[Reply], None]) -> None:
        self.project = project
        self.tell = tell
        self.worker = ThreadPoolExecutor(1, "cases")
        self.stop = threading.Event()
        self.run = 0
        self.suite: Suite | None = None

    def begin(self, main: Path, texts: Mapping[Path, str]) -> None:
        """Run the cases of a game with these texts in place of files, and those that run now no more."""
        self.stop.set()
        self.stop, self.run = threading.Event(), self.run + 1
        self.worker.submit(self.work, main, dict(texts), self.run, self.stop)

    def close(self) -> None:
        """Run nothing more."""
        self.stop.set()
        self.worker.shutdown(wait=False, cancel_futures=True)

    def work(self, main: Path, texts: Mapping[Path, str], run: int, stop: threading.Event) -> None:
        """One run, until it is told to stop."""
        try:
            if not stop.is_set():
                self.tried(main, texts, run, stop)
        except Exception as problem:
            journal.fault("the studio's cases", problem)

    def tried(self, main: Path, texts: Mapping[Path, str], run: int, stop: threading.Event) -> None:
        """See `work`."""
        from interpreter.testing.cases import Games, run_case
        from rulespec.cases.compiler import load_cases

        with unsaved(texts):
            suite, _ = load_cases(main)
        if suite is None or stop.is_set():
            return
        self.suite = suite
        listed = [{"case": case.name, "about": case.about, **self.project.place(case.span)} for case in suite.cases]
        faulty = [{"case": name, "faulty": True, **self.project.place(span)} for name, span in suite.faulty]
        self.tell({"type": "cases", "run": run, "cases": [*listed, *faulty]})
        games: Games = {}
        results: list[Reply] = []
        begun = told = time.monotonic()
        for case in suite.cases:
            if stop.is_set():
                return
            if time.monotonic() - begun > LONGEST:
                break
            result = run_case(suite, case, games=games)
            results.append({"case": case.name, "passed": result.passed, "message": result.message})
            if time.monotonic() - told > SOON:
                self.tell({"type": "ran", "run": run, "results": results})
                results, told = [], time.monotonic()
        self.tell({"type": "ran", "run": run, "results": results, "done": True})

    def traced(self, name: str) -> Reply:
        """What a case does, step by step, as the text stood when cases were run last."""
        from interpreter.testing.cases import run_case
        from interpreter.testing.coverage import Recorder

        suite = self.suite
        case = case_named(suite, name)
        if suite is None or case is None:
            return {"type": "illegal", "why": "There is no such case"}
        steps = Steps(self.project)
        try:
            result = run_case(suite, case, recorder=Recorder(trace=steps.step), told=steps.answer)
        except RulespecError as problem:
            return {"type": "illegal", "why": str(problem)}
        steps.done()
        return {
            "type": "trace", "case": name, "passed": result.passed, "message": result.message, "steps": steps.lines[:MOST_STEPS],
            **self.project.place(case.span),
        }  # fmt: skip


class Steps(Trace):
    """A trace as data: lines that run with their places, and answers."""

    def __init__(self, project: Project) -> None:
        super().__init__()
        self.project = project
        self.lines: list[dict[str, Any]] = []

    def answer(self, who: str, answer: str) -> None:
        """Somebody answers."""
        self.done()
        self.lines.append({"by": who, "text": answer})

    def done(self) -> None:
        """Keep what is left to tell."""
        if self.last is not None and len(self.lines) < MOST_STEPS:
            name, line = self.last
            self.lines.append({"text": self.text, "file": self.project.called(name), "line": line, "times": self.times})
        self.last = None

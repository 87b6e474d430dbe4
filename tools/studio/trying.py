"""The process in which cases are run: it hears and answers data alone."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulespec.text.diagnostics import RulespecError
from rulespec.text.disk import unsaved

from ..at_case import case_named
from ..coverage.trace import Trace
from ..lsp.thorough import apart, end_with_parent
from .projects import Project

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from rulespec.cases.data import Suite

SOON = 0.1  # seconds for which results wait for others
LONGEST = 300.0  # seconds that all cases may take together
MOST_STEPS = 4000  # of a trace


def serve(pipe: Connection, project: Project) -> None:
    """Answer until the other end is closed, or the process behind it has ended."""
    apart()
    threading.Thread(target=end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        Runner(pipe, project).serve()


class Runner:
    """Runs cases, and has the suite that was run last."""

    def __init__(self, pipe: Connection, project: Project) -> None:
        self.pipe = pipe
        self.project = project
        self.suite: Suite | None = None

    def serve(self) -> None:
        """Do what is asked, for good; raises EOFError and OSError."""
        while True:
            self.hear(json.loads(self.pipe.recv_bytes()))

    def hear(self, request: dict[str, Any]) -> None:
        """Do what is asked; raises OSError."""
        if "trace" in request:
            self.tell({"trace": request["trace"], **self.traced(request["case"])})
        else:
            texts = {Path(path): text for path, text in request["texts"].items()}
            for _ in self.tried(Path(request["main"]), texts, request["run"]):
                while self.pipe.poll():
                    self.hear(json.loads(self.pipe.recv_bytes()))

    def tell(self, told: dict[str, Any]) -> None:
        """Say something; raises OSError."""
        self.pipe.send_bytes(json.dumps(told).encode())

    def tried(self, main: Path, texts: dict[Path, str], run: int) -> Iterator[None]:
        """Run all cases, one after the other: what is between them is up to who iterates.  Raises OSError."""
        from interpreter.testing.cases import Games, run_case
        from rulespec.cases.compiler import load_cases

        with unsaved(texts):
            self.suite, _ = load_cases(main)
        suite, place = self.suite, self.project.place
        cases = () if suite is None else suite.cases
        listed = [{"case": case.name, "about": case.about, **place(case.span)} for case in cases]
        faulty = [
            {"case": name, "faulty": True, **place(span)} for name, span in (() if suite is None else suite.faulty)
        ]
        self.tell({"type": "cases", "run": run, "cases": [*listed, *faulty]})
        games: Games = {}
        results: list[dict[str, Any]] = []
        begun = told = time.monotonic()
        for case in cases:
            if suite is None or time.monotonic() - begun > LONGEST:
                break
            yield
            result = run_case(suite, case, games=games)
            results.append({"case": case.name, "passed": result.passed, "message": result.message})
            if time.monotonic() - told > SOON:
                self.tell({"type": "ran", "run": run, "results": results})
                results, told = [], time.monotonic()
        self.tell({"type": "ran", "run": run, "results": results, "done": True})

    def traced(self, name: str) -> dict[str, Any]:
        """What a case does, step by step."""
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

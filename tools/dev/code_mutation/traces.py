"""Which tests run which lines: what is known of the tests when all of them ran once without a mutant."""

from __future__ import annotations

import ast
import functools
import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulespec.system import files
from rulespec.system.records import dataclass

from . import children

if TYPE_CHECKING:
    import pytest

    from .plan import Targets

LINES = ".sqlite"  # coverage's data of a file of tests: which lines ran in which test
TIMES = ".json"  # seconds of processor time, and the files that were read
MUTABLE = ("interpreter/", "rulespec/", "tools/")  # code, which is not what a test asks


class Broken(Exception):
    """Tests fail without any mutant: nothing can be measured."""


@dataclass(frozen=True)
class Test:
    """A test: its seconds of processor time, and a digest of its name and of all that it reads."""

    seconds: float
    digest: str


@dataclass
class Traces:
    """What all tests did, read from a folder."""

    tests: dict[str, Test]
    lines: Callable[[Path], dict[int, list[str]]]  # of a module: the tests that ran a line, `""` for its import
    trees: dict[str, ast.Module] = field(default_factory=dict)

    def of(self, module: Path, text: str, line: int) -> list[str]:
        """The tests to which a change of a line may matter, quickest first.

        They are those that run its statement.  What runs at import matters to all that run any line of the function, class or
        module around it, which come behind the others, or to all tests if there are none such.
        """
        ran = self.lines(module)
        chosen: list[str] = []
        for first, last in spans(self.trees.setdefault(text, ast.parse(text)), line):
            names = {name for number in range(first, last + 1) for name in ran.get(number, ())}
            chosen += self.quickest((names & self.tests.keys()) - set(chosen))
            if "" not in names:
                break
        else:
            chosen = chosen or self.quickest(set(self.tests))
        return chosen

    def quickest(self, names: set[str]) -> list[str]:
        """Some tests, the quickest first."""
        return sorted(names, key=lambda name: (self.tests[name].seconds, name))


def spans(tree: ast.Module, line: int) -> list[tuple[int, int]]:
    """The first and last lines of the statement at a line, of a block its head alone, then of what it is in, up to the module."""
    around: list[tuple[int, int]] = [(1, last_line(tree.body))]
    for node in ast.walk(tree):  # outer nodes come first
        if isinstance(node, ast.stmt) and (begin := first_line(node)) <= line <= last_line([node]):
            around.append((begin, last_line([node])))
            inner = getattr(node, "body", None)
            if isinstance(inner, list) and line < first_line(inner[0]):
                around.append((begin, first_line(inner[0]) - 1))
    return around[::-1]


def first_line(node: ast.stmt) -> int:
    """Of a statement, with its decorators."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(one.lineno for one in decorators)])


def last_line(nodes: Sequence[ast.stmt]) -> int:
    """Of some statements."""
    return max((node.end_lineno or node.lineno for node in nodes), default=1)


class Observer:
    """Notes, while pytest runs, how long each test takes, which lines it runs and which files of the checkout it reads.

    What tests keep for each other is forgotten before each, so that each is seen to do all that it depends on.
    """

    def __init__(self, tree: Path, switch: Callable[[str], object], at: Callable[[str], None]) -> None:
        self.tree = f"{tree}{os.sep}"
        self.switch = switch
        self.at = at
        self.seconds: dict[str, float] = {}
        self.files: dict[str, set[str]] = {"": set()}
        self.current = ""
        sys.addaudithook(self.opened)

    def opened(self, event: str, arguments: tuple[Any, ...]) -> None:
        """A file is opened: the audit hook."""
        if event == "open" and isinstance(arguments[0], str) and arguments[0].startswith(self.tree):
            self.files.setdefault(self.current, set()).add(arguments[0][len(self.tree) :])

    def pytest_collectstart(self, collector: pytest.Collector) -> None:
        """What a module reads when it is imported, all of its tests depend on."""
        self.current = collector.nodeid

    def pytest_collection_finish(self) -> None:
        """What is read between tests belongs to none."""
        self.current = ""

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test begins."""
        for name in [name for name in sys.modules if name.partition(".")[0] == "tests"]:
            for value in vars(sys.modules[name]).values():
                if isinstance(value, functools._lru_cache_wrapper):
                    value.cache_clear()
        self.at(nodeid)
        self.switch(nodeid)
        self.current = nodeid
        self.seconds[nodeid] = -time.process_time()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """It ends."""
        self.seconds[nodeid] += time.process_time()
        self.current = ""
        self.switch("")

    def rows(self) -> dict[str, dict[str, Any]]:
        """What is to be kept: seconds and files by the names of tests."""
        return {
            name: {
                "seconds": round(seconds, 3),
                "files": sorted(self.files.get(name, set()) | self.files.get(name.partition("::")[0], set())),
            }
            for name, seconds in self.seconds.items()
        }


def trace(tree: Path, folder: Path, tests: Targets) -> None:
    """Run all tests once, those of each file in a child of its own, and keep in a folder what they did.  Raises Broken.

    What is there of an earlier run that broke off is not run again: a file is noted last, and whole.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for number, file in enumerate(tests.files):
        kept = folder / str(number)
        if not kept.with_suffix(TIMES).exists():
            trace_file(tree, kept, file, tests.only)


def trace_file(tree: Path, kept: Path, file: str, only: str) -> None:
    """Run the tests of a file once, in a child, and keep what they did.  Raises Broken."""

    def work(at: Callable[[str], None]) -> int:
        from coverage import Coverage

        children.begin(tree)
        include = [str(tree / name / "*") for name in ("interpreter", "rulespec")]
        coverage = Coverage(data_file=str(kept.with_suffix(LINES)), include=include, config_file=False)
        coverage.erase()
        coverage.start()
        observer = Observer(tree, coverage.switch_context, at)
        code = children.run_pytest([file, "-k", only] if only else [file], observer)
        coverage.stop()
        coverage.save()
        if code in (0, children.NO_TESTS):
            files.replace(kept.with_suffix(TIMES), json.dumps(observer.rows()))
        return code

    code, test, _ = children.forked(work)
    if code not in (0, children.NO_TESTS):
        raise Broken(test or f"{file}: tests cannot be collected")


def read(tree: Path, folder: Path) -> Traces:
    """What `trace` kept."""
    from coverage import CoverageData

    rows: dict[str, dict[str, Any]] = {}
    parts: list[CoverageData] = []
    for file in sorted(folder.glob(f"*{TIMES}")):
        rows |= json.loads(file.read_text(encoding="utf-8"))
        part = CoverageData(basename=str(file.with_suffix(LINES)))
        part.read()
        parts.append(part)

    @functools.cache
    def lines(module: Path) -> dict[int, list[str]]:
        by_line: dict[int, list[str]] = {}
        for part in parts:
            for line, names in part.contexts_by_lineno(str(tree / module)).items():
                by_line.setdefault(line, []).extend(names)
        return by_line

    @functools.cache
    def content(file: str) -> bytes:
        path = tree / file
        return hashlib.sha256(path.read_bytes()).digest() if path.is_file() else b""

    helpers = sorted(str(path.relative_to(tree)) for path in (tree / "tests" / "helpers").rglob("*.py"))
    tests = {}
    for name, row in rows.items():
        mark = hashlib.sha256(name.encode())
        for file in [name.partition("::")[0], *helpers, *row["files"]]:
            if not file.startswith(MUTABLE):
                mark.update(content(file))
        tests[name] = Test(row["seconds"], mark.hexdigest()[:12])
    return Traces(tests, lines)

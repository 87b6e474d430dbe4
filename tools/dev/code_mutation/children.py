"""Children of this process: each imports the project anew, with a mutant in it or none, and runs tests.

A child is forked when other people's packages are imported, so that it imports the project alone.  It forgets what this
process knows of the project, and reads it from a copy of the checkout.
"""

from __future__ import annotations

import contextlib
import importlib.abc
import importlib.util
import mmap
import os
import resource
import signal
import sys
from collections.abc import Callable, Mapping
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulespec.system.records import dataclass

if TYPE_CHECKING:
    import pytest

OURS = frozenset({"interpreter", "rulespec", "tests", "tools"})
# Plugins of pytest are left out: none is needed, and each takes time.
OPTIONS = ["-x", "-q", "--tb=no", "--assert=plain", "-p", "no:cacheprovider"]
ENVIRONMENT = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONHASHSEED": "0"}
MEMORY = (
    4 << 30
)  # bytes of address space that a child may add to what it begins with; a mutant that loops may fill memory
LEAST = 5  # seconds of processor time that any test may take, and that importing and collecting may take,
PATIENCE = 6  # beside this many times what the test took without a mutant
WAITS = 60  # by the clock it may take this many times its processor time, so that a busy machine kills nothing
NO_TESTS = 5  # pytest's exit code
NAME = 4096  # bytes of the longest name of a test


@dataclass(frozen=True)
class Mutated:
    """A module of the project, by its path below the checkout, and the text that it has now."""

    path: Path
    text: str

    @property
    def name(self) -> str:
        """Of the module, with dots."""
        parts = self.path.with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@dataclass(frozen=True)
class Outcome:
    """What became of a child: whether a test noticed something, the last test that ran, and the processor time in seconds."""

    noticed: bool
    test: str
    seconds: float


class Loader(SourceFileLoader):
    """Loads one module from a text.  It is compiled each time, since nothing else has this text."""

    def __init__(self, name: str, path: str, text: str) -> None:
        super().__init__(name, path)
        self.text = text.encode()

    def path_stats(self, path: Any) -> Any:  # noqa: ARG002
        """No times, so that no compiled file is read or written."""
        raise OSError

    def get_data(self, path: Any) -> bytes:  # noqa: ARG002
        """The text instead of the file."""
        return self.text


class Finder(importlib.abc.MetaPathFinder):
    """Finds the module that is mutated, and no other."""

    def __init__(self, mutated: Mutated) -> None:
        self.mutated = mutated

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        """Of that module."""
        if fullname != self.mutated.name:
            return None
        file = str(self.mutated.path.resolve())
        return importlib.util.spec_from_file_location(fullname, file, loader=Loader(fullname, file, self.mutated.text))


class Turns:
    """Runs the chosen tests in the order in which they are named, and bounds the time of each."""

    def __init__(self, expected: Mapping[str, float], at: Callable[[str], None]) -> None:
        self.expected = expected
        self.at = at

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """The chosen ones alone."""
        place = {name: number for number, name in enumerate(self.expected)}
        items[:] = sorted((item for item in items if item.nodeid in place), key=lambda item: place[item.nodeid])

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test begins."""
        self.at(nodeid)
        allow(LEAST + PATIENCE * self.expected[nodeid])


def allow(seconds: float) -> None:
    """From now on so much processor time, then this process is ended.  By the clock it is ended much later, by another signal."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, WAITS * seconds)


def warm() -> None:
    """Import what every child needs and nobody mutates."""
    for name in ("coverage", "hypothesis", "jsonschema", "lark", "networkx", "pytest", "yaml"):
        with contextlib.suppress(ImportError):
            __import__(name)


def occupied() -> int:
    """Bytes of address space of this process, 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    except OSError:
        return 0


def begin(tree: Path) -> None:
    """Make this process, just forked, one that knows nothing of the project yet and works in a copy of the checkout."""
    os.setsid()
    for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGPROF, signal.SIGALRM):
        signal.signal(signum, signal.SIG_DFL)
    with open(os.devnull, "r+b") as nothing:
        for stream in (0, 1, 2):
            os.dup2(nothing.fileno(), stream)
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    resource.setrlimit(resource.RLIMIT_AS, (occupied() + MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    # Processes that tests start read the copy, too, though without the mutant.
    os.environ.update(ENVIRONMENT, PYTHONPATH=str(tree))
    os.environ.pop(
        "PYTEST_XDIST_WORKER", None
    )  # or it would share what it compiles, of a mutant, with those that come after it
    os.chdir(tree)
    sys.path.insert(0, str(tree))
    for name in [name for name in sys.modules if name.partition(".")[0] in OURS]:
        del sys.modules[name]


def forked(work: Callable[[Callable[[str], None]], int]) -> tuple[int, str, float]:
    """Do some work in a child: its exit code (negative: a signal), what it said last, and its processor time in seconds.

    The work is given a function that keeps a word, which is there although the child may end at any moment.
    """
    word = mmap.mmap(-1, NAME)

    def at(name: str) -> None:
        word[:] = name.encode()[:NAME].ljust(NAME, b"\0")

    child = os.fork()
    if child == 0:
        code = 70
        try:
            code = int(work(at))
        finally:
            os._exit(code)
    try:
        _, status, usage = os.wait4(child, 0)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # what it started
    return os.waitstatus_to_exitcode(status), word[:].rstrip(b"\0").decode(), usage.ru_utime + usage.ru_stime


def attempt(tree: Path, mutated: Mutated | None, expected: Mapping[str, float]) -> Outcome:
    """Run tests, by their names and in this order, until one fails, with a mutant or none.

    Beside each test stands how many seconds of processor time it takes otherwise.  What only waited, and what the system ended for
    want of memory, has noticed nothing.
    """

    def work(at: Callable[[str], None]) -> int:
        begin(tree)
        allow(4 * LEAST)
        if mutated is not None:
            sys.meta_path.insert(0, Finder(mutated))
        return run_pytest(sorted({name.partition("::")[0] for name in expected}), Turns(expected, at))

    code, test, seconds = forked(work)
    return Outcome(code not in (0, NO_TESTS, -signal.SIGALRM, -signal.SIGKILL), test, seconds)


def run_pytest(arguments: list[str], plugin: object) -> int:
    """Run tests in this process; examples that are drawn are the same each time."""
    import hypothesis
    import pytest

    hypothesis.settings.register_profile("same", derandomize=True, database=None, deadline=None)
    hypothesis.settings.load_profile("same")
    return int(pytest.main([*OPTIONS, *arguments], plugins=[plugin]))

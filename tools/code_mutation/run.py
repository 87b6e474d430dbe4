"""A run: a copy of the checkout, its mutants one after the other, each verdict kept for a run that goes on."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import resource
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from . import plan
from .plan import Part

if TYPE_CHECKING:
    from cosmic_ray.work_item import WorkItem, WorkResult

COPIED = ("docs", "games", "interpreter", "rulespec", "schemas", "tests", "tools")
# Plugins of pytest are left out: none is needed, and each takes time in every one of the processes.
COMMAND = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-p", "no:cacheprovider"]
ENVIRONMENT = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONHASHSEED": "0"}
MEMORY = 4 << 30  # bytes of address space; a mutant that loops may fill memory
PATIENCE = 6  # a mutant gets this many times the processor time of the unbroken code,
LEAST = 20  # and at least so many seconds of it
WAITS = 30  # by the clock it gets this many times its processor time, so that a busy machine kills nothing


class Broken(Exception):
    """The tests fail without any mutant: nothing can be measured."""


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant: where it is (line from 1), what was written there, and whether a test noticed."""

    part: str
    module: str
    line: int
    definition: str
    was: str
    became: str
    operator: str
    killed: bool


class Ledger:
    """What earlier runs found, a line of JSON for each mutant that was tried.  A line that was cut off counts as none."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.rows: dict[str, tuple[str, Verdict]] = {}
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        for line in text.splitlines():
            with contextlib.suppress(ValueError, TypeError, KeyError):
                row = json.loads(line)
                self.rows[row["job"]] = row["tests"], Verdict(**row["verdict"])
        if text and not text.endswith("\n"):
            file.write_text(text + "\n", encoding="utf-8")

    def known(self, job: str, tests: str) -> Verdict | None:
        """What is known of a mutant: a survivor only as long as the tests are those that it survived."""
        asked, verdict = self.rows.get(job, ("", None))
        return verdict if verdict is not None and (verdict.killed or asked == tests) else None

    def last(self, job: str) -> Verdict | None:
        """The same whatever the tests were."""
        return self.rows[job][1] if job in self.rows else None

    def add(self, job: str, tests: str, verdict: Verdict) -> None:
        """Keep a verdict; it is on the disk when this returns."""
        self.rows[job] = tests, verdict
        with self.file.open("a", encoding="utf-8") as out:
            out.write(json.dumps({"job": job, "tests": tests, "verdict": asdict(verdict)}) + "\n")


def copy(root: Path, tree: Path) -> None:
    """Copy the checkout with what is compiled of it."""
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    for name in COPIED:
        shutil.copytree(root / name, tree / name)
    for file in root.iterdir():
        if file.is_file():
            shutil.copy2(file, tree / file.name)


def digest(tree: Path, names: Iterable[str]) -> str:
    """Of all files in some folders, but for what is compiled."""
    mark = hashlib.sha256()
    for path in sorted(path for name in names for path in (tree / name).rglob("*.*")):
        if path.is_file() and path.suffix != ".pyc":
            mark.update(f"{path.relative_to(tree)}\0{path.stat().st_size}\0".encode())
            mark.update(path.read_bytes())
    return mark.hexdigest()[:16]


@contextlib.contextmanager
def inside(tree: Path) -> Iterator[None]:
    """Work in a folder, with the environment and the bounds that tests of mutants have."""
    environment = {**ENVIRONMENT, "PYTHONPATH": str(tree)}  # processes that tests start run the mutant, too
    before = {name: os.environ.get(name) for name in environment}
    limits = resource.getrlimit(resource.RLIMIT_AS)
    os.environ.update(environment)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, limits[1]))
    try:
        with contextlib.chdir(tree):
            yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def run(
    root: Path,
    build: Path,
    chosen: Sequence[tuple[Part, int]],
    seed: int,
    progress: Callable[[int], None] = lambda _: None,
    seconds: float | None = None,
) -> list[Verdict]:
    """Try so many mutants of each part, none any more after so many seconds: what is known of them then.

    Raises Broken where tests of a part fail without any change, when the other parts have been tried.  What `build` knows is not
    tried again while the mutant's module is the same, except survivors where tests have changed since.
    """
    build = build.resolve()
    begun = time.monotonic()
    copy(root, build / "tree")
    ledger, verdicts = Ledger(build / "verdicts.jsonl"), []
    allowances: dict[str, int] = {}
    broken: dict[str, Broken] = {}
    with inside(build / "tree"):
        asked = digest(Path(), ("tests", "games"))
        for part, item in shuffled([(part, plan.sample(part, Path(), count, seed)) for part, count in chosen]):
            tests = f"{asked} {part.tests} {part.only}"
            verdict = ledger.known(item.job_id, tests)
            if verdict is None:
                if part.name in broken or (seconds is not None and time.monotonic() - begun > seconds):
                    left = ledger.last(item.job_id)  # it counts as survived until it is tried again
                    verdicts += [] if left is None else [left]
                    continue
                command = [*COMMAND, *part.tests, *(("-k", part.only) if part.only else ())]
                try:
                    if part.name not in allowances:
                        allowances[part.name] = allowance(command)
                except Broken as error:
                    broken[part.name] = error
                    continue
                verdict = judged(part, item, attempt(item, command, allowances[part.name]))
                ledger.add(item.job_id, tests, verdict)
            verdicts.append(verdict)
            progress(len(verdicts))
    if broken:
        raise next(iter(broken.values()))
    return verdicts


def shuffled(samples: Sequence[tuple[Part, Sequence[WorkItem]]]) -> list[tuple[Part, WorkItem]]:
    """The mutants of all parts, each part spread evenly: a run that breaks off has tried as much of one as of another."""
    spread = [
        ((number + 0.5) / len(items), place, part, item)
        for place, (part, items) in enumerate(samples)
        for number, item in enumerate(items)
    ]
    return [(part, item) for _, _, part, item in sorted(spread, key=lambda row: row[:2])]


def allowance(command: list[str]) -> int:
    """The seconds of processor time that a mutant may take.  Raises Broken."""
    before = spent()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Broken(done.stdout[-2000:] or done.stderr[-2000:])
    return max(LEAST, round(PATIENCE * (spent() - before)))


def spent() -> float:
    """The seconds of processor time of all processes that this one has waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def attempt(item: WorkItem, command: list[str], seconds: int) -> WorkResult:
    """Write a mutant, run the tests, write back what was there, with its time, so that what was compiled stays valid."""
    from cosmic_ray.mutating import mutate_and_test

    path = item.mutations[0].module_path
    was = path.stat()
    bounded = ["sh", "-c", f'ulimit -t {seconds}; exec "$@"', "sh", *command]
    try:
        return mutate_and_test(item.mutations, shlex.join(bounded), WAITS * seconds)
    finally:
        os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))


def killed(result: WorkResult) -> bool:
    """Whether a test noticed.

    What could not be tried, and what used up its time by the clock alone, counts as survived, so that it is looked at.
    """
    return result.test_outcome is not None and result.test_outcome.value == "killed" and result.output != "timeout"


def judged(part: Part, item: WorkItem, result: WorkResult) -> Verdict:
    """What a result says, with what the diff tells."""
    spec = item.mutations[0]
    diff = (result.diff or "").splitlines()
    was = [line[1:].strip() for line in diff if line.startswith("-") and not line.startswith("---")]
    became = [line[1:].strip() for line in diff if line.startswith("+") and not line.startswith("+++")]
    return Verdict(
        part.name,
        spec.module_path.as_posix(),
        spec.start_pos[0],
        spec.definition_name or "",
        " ".join(was),
        " ".join(became),
        spec.operator_name.removeprefix("core/"),
        killed(result),
    )

"""A run: a copy of the checkout, its mutants one after the other, what was found kept for a run that goes on."""

from __future__ import annotations

import contextlib
import hashlib
import os
import resource
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from . import plan
from .plan import Part

if TYPE_CHECKING:
    from cosmic_ray.work_item import MutationSpec, WorkItem, WorkResult

CODE = ("interpreter", "rulespec")
COPIED = ("docs", "games", "interpreter", "rulespec", "schemas", "tests", "tools")
# Plugins of pytest are left out: none is needed, and each takes time in every one of the processes.
COMMAND = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-p", "no:cacheprovider"]
ENVIRONMENT = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONHASHSEED": "0"}
MEMORY = 4 << 30  # bytes of address space; a mutant that loops may fill memory
PATIENCE, LEAST = (
    8,
    60.0,
)  # a mutant gets this many times the seconds of the unbroken code, and at least so many seconds


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
    before = {name: os.environ.get(name) for name in ENVIRONMENT}
    limits = resource.getrlimit(resource.RLIMIT_AS)
    os.environ.update(ENVIRONMENT)
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
) -> list[Verdict]:
    """Try so many mutants of each part. Raises Broken.

    What `build` knows of the same code is not tried again, except survivors where tests have changed since.
    """
    from cosmic_ray.work_db import use_db

    build = build.resolve()
    copy(root, build / "tree")
    code, tests = digest(build / "tree", CODE), digest(build / "tree", ("tests", "games"))
    verdicts = []
    with inside(build / "tree"):
        for part, count in chosen:
            items = plan.sample(part, Path(), count, seed)
            session = build / f"{part.name}-{code}"
            with use_db(f"{session}.sqlite") as work:
                known = {item.job_id for item in work.work_items}
                work.add_work_items(item for item in items if item.job_id not in known)
                tried = dict(work.results)
                stamp = f"{tests} {part.tests} {part.only}"
                with contextlib.suppress(FileNotFoundError):
                    if session.with_suffix(".tests").read_text(encoding="utf-8") != stamp:
                        tried = {job: result for job, result in tried.items() if killed(result)}
                command = [*COMMAND, *part.tests, *(("-k", part.only) if part.only else ())]
                timeout = 0.0
                for item in items:
                    if item.job_id not in tried:
                        timeout = timeout or unbroken(command)
                        tried[item.job_id] = attempt(item, shlex.join(command), timeout)
                        work.set_result(item.job_id, tried[item.job_id])
                    verdicts.append(verdict(part, item.mutations[0], tried[item.job_id]))
                    progress(len(verdicts))
            session.with_suffix(".tests").write_text(stamp, encoding="utf-8")
    return verdicts


def killed(result: WorkResult) -> bool:
    """Whether a test noticed; a mutant that could not be tried counts as survived, so that it is looked at."""
    return result.test_outcome is not None and result.test_outcome.value == "killed"


def unbroken(command: list[str]) -> float:
    """The seconds that a mutant may take. Raises Broken."""
    begun = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Broken(done.stdout[-2000:] or done.stderr[-2000:])
    return max(LEAST, PATIENCE * (time.monotonic() - begun))


def attempt(item: WorkItem, command: str, timeout: float) -> WorkResult:
    """Write a mutant, run the tests, write back what was there, with its time, so that what was compiled stays valid."""
    from cosmic_ray.mutating import mutate_and_test

    path = item.mutations[0].module_path
    was = path.stat()
    try:
        return mutate_and_test(item.mutations, command, timeout)
    finally:
        os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))


def verdict(part: Part, spec: MutationSpec, result: WorkResult) -> Verdict:
    """What a result says, with what the diff tells."""
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

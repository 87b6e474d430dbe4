"""A run: a copy of the checkout, its mutants one after the other, each verdict kept for a run that goes on."""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import json
import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from rulespec.system.records import dataclass

from . import children, plan, traces
from .children import Mutated
from .plan import Part, Targets
from .traces import Broken, Traces

if TYPE_CHECKING:
    from cosmic_ray.work_item import WorkItem

COPIED = ("docs", "games", "interpreter", "rulespec", "schemas", "tests", "tools")
MOST = 15  # seconds that the tests asked of one mutant may take together, as measured while lines were noted


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant: where it is (line from 1), what was written there, and whether a test noticed.

    `test` is the one that did, `seconds` the processor time that the trial took, `at_first` whether the tests that were there
    when it was tried first noticed it.
    """

    part: str
    module: str
    line: int
    definition: str
    was: str
    became: str
    operator: str
    killed: bool
    test: str = ""
    seconds: float = 0
    at_first: bool = True


class Ledger:
    """What earlier runs found, a line of JSON for each mutant that was tried.  A line that was cut off counts as none."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.rows: dict[str, tuple[frozenset[str], Verdict]] = {}
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        for line in text.splitlines():
            with contextlib.suppress(ValueError, TypeError, KeyError):
                row = json.loads(line)
                self.rows[row["job"]] = frozenset(row["survived"]), Verdict(**row["verdict"])
        if text and not text.endswith("\n"):
            file.write_text(text + "\n", encoding="utf-8")

    def get(self, job: str) -> tuple[frozenset[str], Verdict | None]:
        """The digests of the tests that a mutant has survived, and the last verdict."""
        return self.rows.get(job, (frozenset(), None))

    def add(self, job: str, survived: Iterable[str], verdict: Verdict) -> None:
        """Keep a verdict; it is on the disk when this returns."""
        self.rows[job] = frozenset(survived), verdict
        with self.file.open("a", encoding="utf-8") as out:
            row = {"job": job, "survived": sorted(self.rows[job][0]), "verdict": asdict(verdict)}
            out.write(json.dumps(row) + "\n")


def copy(root: Path, tree: Path) -> None:
    """Copy the checkout with what is compiled of it."""
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    for name in COPIED:
        shutil.copytree(root / name, tree / name)
    for file in root.iterdir():
        if file.is_file():
            shutil.copy2(file, tree / file.name)


def digest(tree: Path) -> str:
    """Of all files that were copied, but for what is compiled."""
    mark = hashlib.sha256()
    for path in sorted(path for name in COPIED for path in (tree / name).rglob("*.*")):
        if path.is_file() and path.suffix != ".pyc":
            mark.update(f"{path.relative_to(tree)}\0{path.stat().st_size}\0".encode())
            mark.update(path.read_bytes())
    return mark.hexdigest()[:16]


def traced(tree: Path, folder: Path, tests: Targets) -> Traces:
    """What the tests do without a mutant; it is looked at once for the same files.  Raises Broken."""
    mark = hashlib.sha256(f"{digest(tree)} {tests}".encode()).hexdigest()[:16]
    within, folder = folder, folder / mark
    for other in within.glob("*"):
        if other != folder:
            shutil.rmtree(other)
    traces.trace(tree, folder, tests)
    return traces.read(tree, folder)


def run(
    root: Path,
    build: Path,
    chosen: Sequence[tuple[Part, int]],
    tests: Targets,
    seed: int,
    progress: Callable[[int], None] = lambda _: None,
    seconds: float | None = None,
    again: bool = False,
) -> list[Verdict]:
    """Try so many mutants of each part, none any more after so many seconds: what is known of them then.

    What `build` knows is not tried again while the mutant's module is the same; a survivor is shown to tests that are new or changed.
    With `again` survivors alone are tried, by these tests.  Raises Broken where tests fail without any mutant.
    """
    build = build.resolve()
    begun = time.monotonic()
    tree = build / "tree"
    copy(root, tree)
    children.warm()
    known = traced(tree, build / ("traces_again" if again else "traces"), tests)
    ledger, verdicts, tried = Ledger(build / "verdicts.jsonl"), [], False
    for part, item in shuffled([(part, plan.sample(part, tree, count, seed)) for part, count in chosen]):
        survived, verdict = ledger.get(item.job_id)
        if (verdict is None and not again) or (verdict is not None and not verdict.killed):
            asked = affordable(known, asked_of(part, item, tree, known))
            new = [name for name in asked if known.tests[name].digest not in survived]
            late = seconds is not None and time.monotonic() - begun > seconds
            if not late and (new or verdict is None):
                verdict = judged(part, item, tree, known, new, verdict)
                ledger.add(item.job_id, survived | {known.tests[name].digest for name in new}, verdict)
                tried = True
        if verdict is not None:
            verdicts.append(verdict)
            progress(len(verdicts))
    if tried:
        confirm(tree, known, {v.test for v in verdicts if v.killed})
    return verdicts


def shuffled(samples: Sequence[tuple[Part, Sequence[WorkItem]]]) -> list[tuple[Part, WorkItem]]:
    """The mutants of all parts, each part spread evenly: a run that breaks off has tried as much of one as of another."""
    spread = [
        ((number + 0.5) / len(items), place, part, item)
        for place, (part, items) in enumerate(samples)
        for number, item in enumerate(items)
    ]
    return [(part, item) for _, _, part, item in sorted(spread, key=lambda row: row[:2])]


def asked_of(part: Part, item: WorkItem, tree: Path, known: Traces) -> list[str]:
    """The tests to which a mutant may matter: those written to judge its part, then the others, each quickest first."""
    spec = item.mutations[0]
    names = known.of(spec.module_path, (tree / spec.module_path).read_text(encoding="utf-8"), spec.start_pos[0])
    own = [name for name in names if not part.tests or name.partition("::")[0] in part.tests]
    return sorted(own, key=lambda name: name.partition("::")[0] not in part.oracles)


def affordable(known: Traces, names: Sequence[str]) -> list[str]:
    """As many of them, from the first, as `MOST` allows; always the first."""
    left, within = float(MOST), list[str]()
    for name in names:
        left -= known.tests[name].seconds
        if within and left < 0:
            break
        within.append(name)
    return within


def judged(
    part: Part, item: WorkItem, tree: Path, known: Traces, names: Sequence[str], before: Verdict | None
) -> Verdict:
    """Try a mutant with some tests; `before` is what is known of it, which survived then."""
    spec = item.mutations[0]
    was = (tree / spec.module_path).read_text(encoding="utf-8")
    became = plan.text_of(was, spec)
    diff = [line for line in difflib.ndiff(was.splitlines(), became.splitlines()) if line[:2] in ("- ", "+ ")]
    outcome = children.Outcome(False, "", 0)
    if names:
        expected = {name: known.tests[name].seconds for name in names}
        outcome = children.attempt(tree, Mutated(spec.module_path, became), expected)
    return Verdict(
        part.name,
        spec.module_path.as_posix(),
        spec.start_pos[0],
        spec.definition_name or "",
        " ".join(line[2:].strip() for line in diff if line[0] == "-"),
        " ".join(line[2:].strip() for line in diff if line[0] == "+"),
        spec.operator_name.removeprefix("core/"),
        outcome.noticed,
        outcome.test if outcome.noticed else "",
        round(outcome.seconds + (before.seconds if before else 0), 2),
        before is None and outcome.noticed,
    )


def confirm(tree: Path, known: Traces, names: set[str]) -> None:
    """Raises Broken unless the tests that noticed something pass together without a mutant, in the order in which they are asked."""
    order = known.quickest(names & known.tests.keys())
    if order and (outcome := children.attempt(tree, None, {n: known.tests[n].seconds for n in order})).noticed:
        raise Broken(outcome.test)

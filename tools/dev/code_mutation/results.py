"""What a run found, as data and as a page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import Any

import yaml

from rulespec.system.records import dataclass

from .children import LEAST, PATIENCE
from .plan import Part
from .run import MOST, Verdict

AIM = 85  # of a hundred mutants
NOTES = Path(__file__).with_name("survivors.yaml")
UNJUDGED = "not judged yet"


@dataclass(frozen=True)
class Results:
    """The verdicts of a run, with its day, its seed, the parts tried and the size of the whole sample."""

    day: str  # 2026-01-31
    seed: int
    parts: tuple[Part, ...]
    verdicts: tuple[Verdict, ...]
    sample: int

    def tally(self) -> list[tuple[str, str, int, int]]:
        """Part, module, killed, all: for each module tried."""
        keys = sorted({(v.part, v.module) for v in self.verdicts})
        return [
            (part, module, *count([v for v in self.verdicts if (v.part, v.module) == (part, module)]))
            for part, module in keys
        ]

    def survivors(self) -> list[Verdict]:
        """Those that no test noticed, in the order of the code."""
        left = (v for v in self.verdicts if not v.killed)
        return sorted(left, key=lambda v: (v.part, v.module, v.line, v.became))

    def late(self) -> list[Verdict]:
        """Those that were noticed when tests had been added, in the order of the code."""
        kept = (v for v in self.verdicts if v.killed and not v.at_first)
        return sorted(kept, key=lambda v: (v.part, v.module, v.line, v.became))


def count(verdicts: Sequence[Verdict]) -> tuple[int, int]:
    """How many are killed, and how many there are."""
    return sum(v.killed for v in verdicts), len(verdicts)


@dataclass(frozen=True)
class Note:
    """What is said of a survivor: why, and whether nothing could notice it."""

    why: str
    equivalent: bool = False


Notes = dict[tuple[str, str, str], Note]


def notes() -> Notes:
    """What is said of survivors, by module, the line before and the line after."""
    rows: list[dict[str, Any]] = yaml.safe_load(NOTES.read_text(encoding="utf-8"))
    return {(row["module"], row["was"], row["became"]): Note(row["why"], row.get("equivalent", False)) for row in rows}


def note(verdict: Verdict, said: Notes) -> Note:
    """What is said of one survivor."""
    return said.get((verdict.module, verdict.was, verdict.became), Note(UNJUDGED))


def equivalents(results: Results) -> int:
    """How many of the survivors are known to be the same program as the unbroken one."""
    said = notes()
    return sum(note(v, said).equivalent for v in results.survivors())


def percent(killed: int, tried: int) -> str:
    """A share, rounded down: nothing is claimed that is not there."""
    return f"{1000 * killed // max(tried, 1) / 10:.1f} %"


def document(results: Results) -> dict[str, Any]:
    """The content of docs/reports/code_mutation.json."""
    killed, tried = count(results.verdicts)
    said = notes()
    times = [v.seconds for v in results.verdicts]
    return {
        "day": results.day,
        "seed": results.seed,
        "killed": killed,
        "killed_at_first": killed - len(results.late()),
        "total": tried,
        "sample": results.sample,
        "equivalent": equivalents(results),
        "modules": {
            module: {"part": part, "killed": some, "total": total} for part, module, some, total in results.tally()
        },
        "seconds": {"total": round(sum(times)), "median": round(median(times or [0]), 2)},
        "late": [asdict(v) for v in results.late()],
        "survivors": [{**asdict(v), **asdict(note(v, said))} for v in results.survivors()],
    }


def to_json(results: Results) -> str:
    """docs/reports/code_mutation.json."""
    return json.dumps(document(results), ensure_ascii=False, indent=2) + "\n"


def summary(results: Results) -> str:
    """The figure beside its aim."""
    killed, tried = count(results.verdicts)
    left = "" if tried == results.sample else f"; {results.sample - tried} of the sample of {results.sample} not tried"
    return f"{killed} of {tried} mutants are killed: {percent(killed, tried)} (aim: {AIM} %){left}"


def rows(results: Results) -> list[tuple[str, str, str, str]]:
    """What is counted, mutants, killed, share: each part, its modules below it, and the sum."""
    lines = []
    for part in results.parts:
        of_part = [v for v in results.verdicts if v.part == part.name]
        lines.append((part.name, *figures(*count(of_part))))
        lines += [
            (module, *figures(killed, tried)) for name, module, killed, tried in results.tally() if name == part.name
        ]
    return [*lines, ("all", *figures(*count(results.verdicts)))]


def figures(killed: int, tried: int) -> tuple[str, str, str]:
    """The three cells of a row."""
    return str(tried), str(killed), percent(killed, tried)


INTRO = """\
How much do the tests notice? The Python code of six parts is changed in one small way at a time (`<` to `<=`, `and` to `or`,
`1` to `2`, a loop that never begins). A test that fails kills the *mutant*; one that no test notices survives."""

METHOD = """\
[cosmic-ray](https://cosmic-ray.readthedocs.io) says what can be changed. `tools/dev/code_mutation/parts.yaml` says which modules, how many
mutants of each part, and which tests may notice. **The sample** is drawn before anything is tried: all mutants of a part are
ranked by a SHA-256 digest of the seed (1), the module, the operator and the text of the line, and the first so many are taken, at most one
at each place of the code. So the same code and seed give the same mutants. Left out is what nothing can notice:
annotations, imports for type checkers alone, and `is` for `==`; and what is no program any more, as `/` for the `|` of a pattern.

`make code-mutation` works in a copy of the checkout below `build/`. It runs all tests once, file by file, and notes which lines each
runs, in how much processor time, and what it reads. A mutant is then tried in a process forked from one that has imported pytest
already: it imports the project with the mutant in place of the module, and asks the tests that run the mutated statement, quickest
first, until one fails or they have taken {most} seconds together (as measured while lines were noted). What runs at import is asked of
all tests that run the function, class or module around it, the nearest first. A test may take {patience} times its processor time and
{least} s more, otherwise the mutant counts as killed; what only waited, as on a busy machine, is no kill. In the end the tests that
killed are run without any mutant, and must pass.

A verdict is kept below `build/` as soon as it is there and holds as long as the mutated module is the same; a survivor is shown again
to tests that are new or read something else than before. So a run that broke off goes on, and `MUTATION_ARGS='--minutes 30'` does
some of it at a time; parts take turns. `--again FILE` shows survivors to the tests of a file alone. A survivor here may well be noticed
by a test that is not asked, of the command line for example.

mutmut was tried beside it. It changes only bodies of functions without decorators: tables of modules, properties and the functions of
the language are left out, which is much of what decides here; and each function becomes a trampoline, which slows an interpreter of
expressions."""


def page(results: Results) -> str:
    """docs/reports/code_mutation.md."""
    said = notes()
    table = ["| code | mutants | killed | share |", "|---|--:|--:|--:|"]
    names = {part.name for part in results.parts} | {"all"}
    for name, *cells in rows(results):
        table.append(f"| {f'**{name}**' if name in names else f'`{name}`'} | {' | '.join(cells)} |")
    survivors = ["| place | was | became | why |", "|---|---|---|---|"]
    for v in results.survivors():
        one = note(v, said)
        why = f"equivalent: {one.why}" if one.equivalent else one.why
        survivors.append(f"| {place(v)} | {code(v.was)} | {code(v.became)} | {why} |")
    late = ["| place | was | became | test |", "|---|---|---|---|"]
    late += [f"| {place(v)} | {code(v.was)} | {code(v.became)} | `{v.test}` |" for v in results.late()]
    times = document(results)["seconds"]
    parts = [
        "<!-- Written by `make code-mutation`; do not edit. -->",
        "# Mutation of the code",
        INTRO,
        f"Last run: {results.day}, seed {results.seed}.\n\n"
        f"- {summary(results)}\n"
        f"- {len(results.late())} of them survived at first, and are noticed by tests that were added for them.\n"
        f"- {equivalents(results)} survivors are equivalent: the same program, written otherwise. They count as not killed.",
        "## By module",
        "\n".join(table),
        "## How it is measured",
        METHOD.format(most=MOST, least=LEAST, patience=PATIENCE),
        f"This run took {times['total']} s of processor time, the median of a mutant is {times['median']} s.",
        "## What nobody noticed at first",
        "\n".join(late) if results.late() else "Nothing.",
        "## What nobody noticed",
        "\n".join(survivors) if results.survivors() else "Nothing.",
    ]
    return "\n\n".join(parts) + "\n"


def place(verdict: Verdict) -> str:
    """Where a mutant is, without the number of its line: it would be stale after the next change, and the text of the line finds it."""
    return f"`{verdict.module}` {verdict.definition}".strip()


def code(text: str) -> str:
    """A text between backticks, in a cell of a table."""
    return f"`` {text} ``".replace("|", "\\|") if text else "nothing"

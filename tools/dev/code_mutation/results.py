"""What a run found, as data and as a page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, field
from pathlib import Path
from statistics import median
from typing import Any

import yaml

from rulespec.system.records import dataclass

from .children import LEAST, PATIENCE
from .plan import Part
from .run import MOST, Verdict

NOTES = Path(__file__).with_name("survivors.yaml")
AIM = 85  # of a hundred mutants of all parts together that have no aim of their own
UNJUDGED = "not judged yet"
Document = dict[str, Any]  # the content of docs/reports/code_mutation.json


@dataclass(frozen=True)
class Results:
    """The verdicts of a run, with its day, its seed, the parts tried and by part the size of the whole sample."""

    day: str  # 2026-01-31
    seed: int
    parts: tuple[Part, ...]
    verdicts: tuple[Verdict, ...]
    samples: dict[str, int] = field(default_factory=dict)

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


def percent(killed: int, tried: int) -> str:
    """A share, rounded down: nothing is claimed that is not there."""
    return f"{1000 * killed // max(tried, 1) / 10:.1f} %"


def document(results: Results, earlier: Document | None = None) -> Document:
    """The content of docs/reports/code_mutation.json: each part as it was tried last, those of earlier runs as they are."""
    kept = {} if earlier is None else earlier["parts"]
    tried = {part.name: of_part(results, part) for part in results.parts}
    order = [*tried, *(name for name in kept if name not in tried)]
    return {"parts": {name: tried[name] if name in tried else kept[name] for name in order}}


def of_part(results: Results, part: Part) -> dict[str, Any]:
    """What a run found of one part."""
    own = Results(results.day, results.seed, (part,), tuple(v for v in results.verdicts if v.part == part.name))
    killed, tried = count(own.verdicts)
    times, said = [v.seconds for v in own.verdicts], notes()
    survivors = [{**asdict(v), **asdict(note(v, said))} for v in own.survivors()]
    return {
        "day": own.day,
        "seed": own.seed,
        "aim": part.aim,
        "sample": results.samples.get(part.name, tried),
        "total": tried,
        "killed": killed,
        "killed_at_first": killed - len(own.late()),
        "equivalent": sum(row["equivalent"] for row in survivors),
        "seconds": {"total": round(sum(times)), "median": round(median(times or [0]), 2)},
        "modules": {module: {"killed": some, "total": total} for _, module, some, total in own.tally()},
        "late": [asdict(v) for v in own.late()],
        "survivors": survivors,
    }


def to_json(found: Document) -> str:
    """docs/reports/code_mutation.json."""
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


def summary(name: str, row: dict[str, Any]) -> str:
    """The figure of a part, beside its aim where it has one of its own."""
    aim = f" (aim: {row['aim']} %)" if row["aim"] else ""
    left = row["sample"] - row["total"]
    text = f"{name}: {row['killed']} of {row['total']} mutants are killed: {percent(row['killed'], row['total'])}{aim}"
    return f"{text}; {left} of the sample of {row['sample']} not tried" if left else text


def together(found: Document) -> tuple[int, int]:
    """How many mutants of all parts without an aim of their own are killed, and how many there are."""
    own = [row for row in found["parts"].values() if not row["aim"]]
    return sum(row["killed"] for row in own), sum(row["total"] for row in own)


def enough(found: Document) -> bool:
    """Whether as many mutants are noticed as are to be: of each part with an aim of its own, and of the others together."""
    each = [(row["killed"], row["total"], row["aim"]) for row in found["parts"].values() if row["aim"]]
    return all(100 * killed >= aim * tried for killed, tried, aim in [*each, (*together(found), AIM)])


def overview(found: Document) -> str:
    """The table of parts: what was found of each, and when."""
    lines = [
        "| part | killed | share | aim | of those not equivalent | noticed by tests added since | tried on |",
        "|---|--:|--:|--:|--:|--:|---|",
    ]
    for name, row in found["parts"].items():
        killed, tried, same = row["killed"], row["total"], row["equivalent"]
        late = killed - row["killed_at_first"]
        some = f"{killed} of {tried}" + (f" (sample: {row['sample']})" if tried != row["sample"] else "")
        aim = f"{row['aim']} %" if row["aim"] else ""
        cells = (
            name,
            some,
            percent(killed, tried),
            aim,
            f"{percent(killed, tried - same)} of {tried - same}",
            late,
            row["day"],
        )
        lines.append(f"| {' | '.join(map(str, cells))} |")
    killed, tried = together(found)
    lines.append(
        f"| those without an aim of their own | {killed} of {tried} | {percent(killed, tried)} | {AIM} % | | | |"
    )
    return "\n".join(lines)


def rows(found: Document) -> list[tuple[str, str, str, str]]:
    """What is counted, mutants, killed, share: each part, its modules below it, and the sum."""
    lines = []
    for name, row in found["parts"].items():
        lines.append((name, *figures(row["killed"], row["total"])))
        lines += [(module, *figures(own["killed"], own["total"])) for module, own in row["modules"].items()]
    sums = [sum(row[key] for row in found["parts"].values()) for key in ("killed", "total")]
    return [*lines, ("all", *figures(*sums))]


def figures(killed: int, tried: int) -> tuple[str, str, str]:
    """The three cells of a row."""
    return str(tried), str(killed), percent(killed, tried)


INTRO = """\
How much do the tests notice? The Python code of seven parts is changed in one small way at a time (`<` to `<=`, `and` to `or`,
`1` to `2`, a loop that never begins). A test that fails kills the *mutant*; one that no test notices survives."""

METHOD = """\
[cosmic-ray](https://cosmic-ray.readthedocs.io) says what can be changed. `tools/dev/code_mutation/parts.yaml` says which modules, how
many mutants of each part, and which tests may notice. **The sample** is drawn before anything is tried: all mutants of a part are ranked
by a SHA-256 digest of the seed (1), the module, the operator and the text of the line, and the first so many are taken, at most one at
each place of the code. So the same code and seed give the same mutants. Left out is what nothing can notice: annotations, imports for
type checkers alone, and `is` for `==`; and what is no program any more, as `/` for the `|` of a pattern.

`make code-mutation` works in a copy of the checkout below `build/`. It runs all tests once, file by file, and notes which lines each
runs, in how much processor time, and what it reads. A mutant is then tried in a process forked from one that has imported pytest already:
it imports the project with the mutant in place of the module, and asks the tests that run the mutated statement, those first that were
written to judge that part of the code, each quickest first, until one fails or they have taken {most} seconds together (as measured while
lines were noted). What runs at import is asked of all tests that run the function, class or module around it, the nearest first. A test
may take {patience} times its processor time and {least} s more, otherwise the mutant counts as killed; what only waited, as on a busy
machine, is no kill. In the end the tests that killed are run without any mutant, and must pass.

A verdict is kept below `build/` as soon as it is there and holds as long as the mutated module is the same; a survivor is shown again to
tests that are new or read something else than before. So a run that broke off goes on, and `MUTATION_ARGS='--minutes 30'` does some of it
at a time; parts take turns. A run of some parts (`--only machine`) leaves the others on this page as they were found. `--again FILE`
shows survivors to the tests of a file alone. A survivor here may well be noticed by a test that is not asked, of the command line for
example.

mutmut was tried beside it. It changes only bodies of functions without decorators: tables of modules, properties and the functions of the
language are left out, which is much of what decides here; and each function becomes a trampoline, which slows an interpreter of
expressions."""


def page(found: Document) -> str:
    """docs/reports/code_mutation.md."""
    table = ["| code | mutants | killed | share |", "|---|--:|--:|--:|"]
    names = {*found["parts"], "all"}
    for name, *cells in rows(found):
        table.append(f"| {f'**{name}**' if name in names else f'`{name}`'} | {' | '.join(cells)} |")
    survivors = ["| place | was | became | why |", "|---|---|---|---|"]
    late = ["| place | was | became | test |", "|---|---|---|---|"]
    for row in found["parts"].values():
        for v in row["survivors"]:
            why = f"equivalent: {v['why']}" if v["equivalent"] else v["why"]
            survivors.append(f"| {place(v)} | {code(v['was'])} | {code(v['became'])} | {why} |")
        late += [f"| {place(v)} | {code(v['was'])} | {code(v['became'])} | `{v['test']}` |" for v in row["late"]]
    parts = [
        "<!-- Written by `make code-mutation`; do not edit. -->",
        "# Mutation of the code",
        INTRO,
        overview(found),
        "An equivalent mutant is the same program, written otherwise; it counts as not killed.",
        "## By module",
        "\n".join(table),
        "## How it is measured",
        METHOD.format(most=MOST, least=LEAST, patience=PATIENCE),
        *(
            f"Of **{name}** a mutant took {row['seconds']['median']} s of processor time (median), all {row['seconds']['total']} s."
            for name, row in found["parts"].items()
            if row["seconds"] is not None
        ),
        "## What nobody noticed at first",
        "\n".join(late) if len(late) > 2 else "Nothing.",
        "## What nobody noticed",
        "\n".join(survivors) if len(survivors) > 2 else "Nothing.",
    ]
    return "\n\n".join(parts) + "\n"


def place(verdict: dict[str, Any]) -> str:
    """Where a mutant is, without the number of its line: it would be stale after the next change, and the text of the line finds it."""
    return f"`{verdict['module']}` {verdict['definition']}".strip()


def code(text: str) -> str:
    """A text between backticks, in a cell of a table."""
    return f"`` {text} ``".replace("|", "\\|") if text else "nothing"

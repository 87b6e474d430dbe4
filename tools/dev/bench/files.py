"""The files of a run: docs/reports/benchmarks.json, docs/reports/benchmarks.md, and a part of the README."""

from __future__ import annotations

import re
from pathlib import Path

from ... import replacing
from ...framework import Misuse
from .page import page
from .results import Results, from_json, to_json
from .summary import readme

REPORTS = Path(__file__).resolve().parents[3] / "docs" / "reports"
DATA, PAGE = "benchmarks.json", "benchmarks.md"
README = REPORTS.parent.parent / "README.md"
BLOCK = re.compile(
    r"(?s)(?<=<!-- Written by `make bench`: -->\n\n).*?(?=\n\n<!-- to here -->)"
)  # what of it is of a run
TEXTS = {DATA: to_json, PAGE: page}


def last(folder: Path) -> Results:
    """The run that a folder holds; raises Misuse where there is none."""
    path = folder / DATA
    try:
        return from_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Misuse(f"there is no `{path.name}` yet", "`make bench` writes it") from None
    except (OSError, ValueError) as error:
        raise Misuse(f"`{path.name}` cannot be used: {error}", "`make bench` writes it anew") from None


def write(results: Results, folder: Path, *names: str) -> None:
    """Write files of a run, its numbers as the data file has them: all texts are made before any is touched; raises OSError."""
    results = from_json(to_json(results))  # so that the page made again from the data is the same
    replacing.write(folder, {name: TEXTS[name](results) for name in names})


def opening(results: Results) -> str:
    """The README with the figures of a run."""
    return BLOCK.sub(lambda _: readme(results), README.read_text(encoding="utf-8"), count=1)


def publish(results: Results, *names: str) -> None:
    """Write files of a run in docs, and its part of the README: all texts are made before any is touched; raises OSError."""
    results = from_json(to_json(results))
    text = opening(results)
    write(results, REPORTS, *names)
    replacing.write(README.parent, {README.name: text})

"""Snippets with a mistake each, as `tests/conformance/errors/mistakes` keeps them with what is said of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from rulespec.loading.examples import check_snippet
from rulespec.text.diagnostics import Diagnostic
from tests.helpers.places import ROOT

FILES = sorted((ROOT / "tests/conformance/errors/mistakes").glob("*.txt"))
HEAD, TOLD = "=== ", "=>\n"


def snippets(path: Path) -> Iterator[tuple[str, str, str]]:
    """Name, text and findings of each."""
    for block in path.read_text(encoding="utf-8").split(HEAD)[1:]:
        name, _, rest = block.partition("\n")
        text, _, told = rest.partition(TOLD)
        yield name, text, told


@cache
def checked(text: str) -> tuple[Diagnostic, ...]:
    """The findings in a snippet, which several tests ask for."""
    return check_snippet(text)


ALL = [(path.stem, *own) for path in FILES for own in snippets(path)]  # file, name, text and findings

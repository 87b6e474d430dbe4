"""The snippets of `tests/conformance/flow`: completed to games, with the leaks marked on their lines and those that are found."""

from __future__ import annotations

import re

import rulespec
from rulespec.lint.flow import leaks
from rulespec.loading.reading import read_tree
from rulespec.text.diagnostics import Diagnostic, Diagnostics
from rulespec.text.source import Source
from rulespec.text.yaml_tree import MapNode, ScalarNode, parse
from tests.helpers.places import ROOT

FOLDER = ROOT / "tests/conformance/flow"
MARK = re.compile(r"# error: (F\d{3})$")


def snippets(name: str) -> list[tuple[str, str]]:
    """The snippets of a file by their names."""
    root = parse(Source(name, (FOLDER / name).read_text(encoding="utf-8")), Diagnostics())
    assert isinstance(root, MapNode)
    return [(key.value, value.value) for key, value in root.entries if isinstance(value, ScalarNode)]


def findings_in(text: str) -> list[Diagnostic]:
    """What leaks in a game."""
    diagnostics = Diagnostics()
    root = parse(Source("game", text), diagnostics)
    game = None if root is None else read_tree(root, None, diagnostics)
    assert game is not None, "\n".join(map(rulespec.render, diagnostics))
    return leaks(game)


def found_in(text: str) -> list[tuple[int, str]]:
    """What leaks in a game: lines and codes."""
    return sorted({(d.span.line if d.span else 0, d.code) for d in findings_in(text)})


def completed(steps: str) -> str:
    """The game in which some steps are played; behind a line `===` stand further sections."""
    base = (FOLDER / "base.yaml").read_text(encoding="utf-8")
    played, _, sections = steps.partition("===\n")
    return base + "".join(f"      {line}\n" for line in played.splitlines()) + sections


def marked(text: str) -> list[tuple[int, str]]:
    """The codes that stand behind lines."""
    return [(n, m[1]) for n, line in enumerate(text.splitlines(), 1) if (m := MARK.search(line))]

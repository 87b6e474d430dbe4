"""Lint rules: their examples, the games that must be clean, comments that allow, and fixes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support import GAMES, PLAY, ROOT

from rulespec.cases import load_cases
from rulespec.diagnostics import Diagnostics, render
from rulespec.errors import CATALOGUE
from rulespec.examples import completed
from rulespec.lint import RULES, lint
from rulespec.lint.allow import ALLOWANCES
from rulespec.lint.finding import Finding
from rulespec.reading import read_tree
from rulespec.source import Source
from rulespec.yamltree import parse

CODES = sorted(rule.code for rule in (*(rule for rule, _ in RULES), *ALLOWANCES))
HERE = "# here"
MARK = re.compile(r"# finding: (L\d{3}(?:, L\d{3})*)")
FILES = sorted((ROOT / "tests/conformance/lint").glob("*.yaml"))
TIDY = ("L01", "L02", "L072")  # games that test one thing each declare what nothing uses


def found_in(snippet: str) -> list[Finding]:
    """What lint finds in a snippet that is laid over the example game."""
    diagnostics = Diagnostics()
    source = Source("example", snippet)
    root = parse(source, diagnostics)
    assert root is not None
    game = read_tree(completed(root, snippet, diagnostics), None, diagnostics)
    assert game is not None, "\n".join(map(render, diagnostics))
    return [finding for finding in lint(game) if finding.span.source is source]


def told(findings: list[Finding]) -> str:
    return "\n\n".join(render(finding.diagnostic()) for finding in findings)


def test_every_rule_is_catalogued_once() -> None:
    assert len(set(CODES)) == len(CODES)
    assert {code for code in CATALOGUE if code[0] == "L"} == set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_examples(code: str) -> None:
    """The bad one has just this finding, on its marked line; the good one has none."""
    bad, good = CATALOGUE[code].bad, CATALOGUE[code].good
    lines = [number for number, line in enumerate(bad.splitlines(), 1) if line.endswith(HERE)]
    found = found_in("\n".join(line.removesuffix(HERE).rstrip() for line in bad.splitlines()))
    assert [(f.rule.code, f.span.line) for f in found] == [(code, line) for line in lines], told(found)
    clean = found_in(good)
    assert clean == [], told(clean)


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_conformance(file: Path, tmp_path: Path) -> None:
    """Every finding stands on its marked line, and nothing else is found."""
    lines = file.read_text(encoding="utf-8").splitlines()
    expected = sorted(
        (number, code)
        for number, line in enumerate(lines, 1)
        for match in MARK.findall(line)
        for code in match.split(", ")
    )
    assert expected, "no finding is marked"
    copy = tmp_path / file.name
    copy.write_text("\n".join(MARK.sub("", line).rstrip() for line in lines) + "\n", encoding="utf-8")
    suite, faults = load_cases(copy)
    assert suite is not None, "\n".join(map(render, faults))
    found = lint(suite.game)
    assert sorted((f.span.line, f.rule.code) for f in found) == expected, told(list(found))


@pytest.mark.parametrize("folder", GAMES, ids=lambda f: f.name)
def test_shipped_games_are_clean(folder: Path) -> None:
    suite, faults = load_cases(folder)
    assert suite is not None, "\n".join(map(render, faults))
    found = list(lint(suite.game))
    assert found == [], told(found)


@pytest.mark.parametrize("file", PLAY, ids=lambda f: f.stem)
def test_small_games_give_no_false_alarm(file: Path) -> None:
    suite, faults = load_cases(file)
    assert suite is not None, "\n".join(map(render, faults))
    found = [finding for finding in lint(suite.game) if not finding.rule.code.startswith(TIDY)]
    assert found == [], told(found)

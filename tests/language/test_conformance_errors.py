"""Broken specs, each fault marked with its code on its line: all are found, and nothing else is."""

from __future__ import annotations

import re

import pytest

import rulespec
from tests.helpers.places import ROOT

FILES = sorted((ROOT / "tests/conformance/errors").glob("*.yaml"))
MARK = re.compile(r"# error: ([A-Z]\d{3}(?:, [A-Z]\d{3})*)")


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_every_fault_is_found_on_its_line(file):
    expected = sorted(
        (number, code)
        for number, line in enumerate(file.read_text().splitlines(), 1)
        for match in MARK.findall(line)
        for code in match.split(", ")
    )
    assert expected, "no fault is marked"
    found, diagnostics = rulespec.check(file)
    assert found is None
    places = [(d.span.line if d.span else 0, d.code) for d in diagnostics]
    places += [(span.line, d.code) for d in diagnostics for span in d.also]
    assert sorted(places) == expected, "\n\n".join(map(str, map(rulespec.render, diagnostics)))

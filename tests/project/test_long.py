"""The list of long tests names tests, and each has shorter siblings."""

from __future__ import annotations

import subprocess
import sys
from fnmatch import fnmatchcase

import pytest

from tests.helpers.long import listed, long_ones
from tests.helpers.places import ROOT


@pytest.mark.long
def test_each_line_of_the_list_names_tests_that_have_siblings() -> None:
    files = sorted({f"tests/{test.partition('::')[0]}" for test in listed()})
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "-q",
        "--no-header",
        "-o",
        "addopts=--import-mode=importlib",
    ]
    done = subprocess.run([*command, *files], capture_output=True, text=True, cwd=ROOT, check=True)
    tests = list(long_ones(line for line in done.stdout.splitlines() if "::" in line))
    for test, chosen in listed().items():
        near = "::" if chosen == "whole" else "["  # those of its file, where it has no parameters
        same = [long for name, _, long in tests if f"{name}[".partition(near)[0] == f"{test}[".partition(near)[0]]
        assert set(same) == {True, False}, test
        assert not isinstance(chosen, str) or chosen == "whole", f"{test}: {chosen}"
        for pattern in chosen if isinstance(chosen, list) else ():
            assert [one for name, one, _ in tests if name == test and fnmatchcase(one, pattern)], f"{test}[{pattern}]"

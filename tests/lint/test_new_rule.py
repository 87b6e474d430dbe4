"""`make new-rule`: what it writes is valid, changes nothing yet, and the tests that it leaves red say what to fill in."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.places import ROOT
from tools.dev import codes
from tools.dev.new_rule import scaffold

NAME = "idle_moment"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A copy of the checkout with a new rule in it, and its code."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("rulespec", "interpreter", "tools", "tests", "schemas"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "golden"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    code, paths = scaffold(folder, NAME)
    assert all(path.is_file() for path in paths)
    return folder, code


def test_the_tests_it_leaves_red_say_what_to_fill_in(checkout: tuple[Path, str]) -> None:
    folder, code = checkout
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests/lint/test_lint.py"]
    command += ["-k", f"{code} or {NAME} or fill_in or catalogued or test_examples"]
    told = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300).stdout
    red = re.findall(r"(?m)^FAILED tests/lint/test_lint\.py::(\S+)", told)
    assert sorted(red) == [f"test_conformance[{NAME}]", f"test_examples[{code}]", "test_nothing_is_left_to_fill_in"], (
        told
    )
    for place in (
        f"rulespec/lint/rules/{NAME}.py:1: FILL IN",
        f"rulespec/lint/rules/{NAME}.yaml:2: FILL IN",
        f"lint/{NAME}.yaml:1: FILL IN",
    ):
        assert place in told


def test_what_it_writes_is_clean(checkout: tuple[Path, str]) -> None:
    folder, _ = checkout
    file = f"rulespec/lint/rules/{NAME}.py"
    for command in (["ruff", "check", file], ["ruff", "format", "--check", file]):
        told = subprocess.run([sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, timeout=60)
        assert told.returncode == 0, told.stdout + told.stderr


@pytest.mark.parametrize(
    ("name", "why"), [("Odd-Name", "cannot be the name"), ("", "cannot be"), ("empty_zone", "is there already")]
)
def test_misuse(name: str, why: str) -> None:
    before = (ROOT / codes.MADE).read_bytes()
    with pytest.raises(ValueError, match=why):
        scaffold(ROOT, name)
    assert (ROOT / codes.MADE).read_bytes() == before

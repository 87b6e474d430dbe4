"""Slips of meaning in shared code, planted one at a time: the test that was written for it notices each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.helpers.native import COMPILES
from tests.helpers.places import ROOT
from tools.dev.code_mutation import children
from tools.dev.code_mutation.children import Mutated

SECONDS = 20  # that each test takes at most
SLIPS: list[dict[str, Any]] = yaml.safe_load((ROOT / "tests/project/planted.yaml").read_text(encoding="utf-8"))


NATIVE = "/native/"


@pytest.mark.parametrize("row", SLIPS, ids=[row["slip"] for row in SLIPS])
def test_a_planted_slip_is_noticed(row: dict[str, Any]) -> None:
    if NATIVE in row["test"] and not COMPILES:
        pytest.skip("needs a C compiler, and the extension module")
    text = (ROOT / row["module"]).read_text(encoding="utf-8")
    assert text.count(row["was"]) == 1, f"{row['module']} has `{row['was']}` not once"
    changed = Mutated(Path(row["module"]), text.replace(row["was"], row["became"]))
    compile(changed.text, row["module"], "exec")
    outcome = children.attempt(ROOT, changed, {row["test"]: SECONDS})
    assert outcome.noticed and outcome.test == row["test"]


@pytest.mark.long
def test_where_nothing_is_planted_nothing_is_noticed() -> None:
    """In a process of the same making."""
    asked = {row["test"]: SECONDS for row in SLIPS if COMPILES or NATIVE not in row["test"]}
    assert not children.attempt(ROOT, None, asked).noticed

"""Several things in one text, as rules, tables, lines and the page for browsers put them: what is one item reads as one."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from interpreter import Game
from rulespec.ir.wording import joined, listing
from tests.helpers.games import loaded
from tests.helpers.places import ROOT
from tools.maps.text import folded
from tools.view import describe

LISTS = [
    ([], "", "nothing"),
    (["a, b"], "a, b", "a, b"),
    (["a", "b"], "a, b", "a and b"),
    (["a", "b", "c"], "a, b, c", "a, b and c"),
    (["a, b", "c"], "a, b; c", "a, b; and c"),
    (["a and b", "c", "d"], "a and b; c; d", "a and b; c; and d"),
    (["1,000", "sandy", "c"], "1,000, sandy, c", "1,000, sandy and c"),
]


@pytest.mark.parametrize(("items", "side_by_side", "in_words"), LISTS)
def test_a_semicolon_stands_where_an_item_would_read_as_two(items: list[str], side_by_side: str, in_words: str) -> None:
    assert joined(items) == side_by_side and listing(items) == in_words


@pytest.mark.skipif(shutil.which("node") is None, reason="runs the script of the page in node")
def test_the_page_joins_as_the_rest_does(tmp_path: Path) -> None:
    (tmp_path / "model.mjs").write_bytes((ROOT / "tools/serve/page/model.js").read_bytes())
    (tmp_path / "run.mjs").write_text(
        f'import {{ joined }} from "./model.mjs";\nconsole.log(JSON.stringify({json.dumps([one[0] for one in LISTS])}.map(joined)));\n'
    )
    done = subprocess.run(["node", "run.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=30, check=True)
    assert json.loads(done.stdout) == [one[1] for one in LISTS]


def test_a_legend_tells_members_apart() -> None:
    assert folded("of: ", ["o Oil, pressed cold", "s Salt"], 80) == ["of: o Oil, pressed cold; s Salt"]


def test_tables_and_lines_tell_items_apart() -> None:
    game = Game(loaded(ROOT / "tests/conformance/play/lists_in_words.yaml"))
    state = game.new_state(1)
    told = {"cart": "Salt; Oil, pressed cold", "store": "1 Salt; 3 Cloth, red", "rows": "Salt, Salt; Salt"}
    assert {one["label"]: one["text"] for one in state.table(0)["counters"]} == told
    lines = describe(game, state.observation(0))[1:]
    assert [" ".join(line.split()) for line in lines[:3]] == [f"{label} {text}" for label, text in told.items()]

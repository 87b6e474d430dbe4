"""Tables of cards as they are edited in the studio: a cell changes its own letters of the file, and what is read stays what was written."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess

import pytest

from tests.helpers.places import ROOT

PAGE = ROOT / "tools/studio/page/grid.js"
TEXTS = [
    "id,name\na,One\nb,Two\n",
    '# A comment, with commas\nid,says\na,"two, three"\nb,"she said ""no"""\n',
    "id,name\r\na,One\r\nb,\r\n",
    'id,text\na,"over\ntwo lines"',
    "id\n\none\n",
    "id,name\na,x,too many\nb\n",
    "",
    "id,name",
    'id,name\na,"not closed',
]
VALUES = ["", "plain", "a, b", 'with "quotes"', " blank", "two\nlines", "#7", "Über 文"]
RUN = """
import { added, celled, removed, rowsOf } from "./grid.mjs";
const change = (text, { from, to, insert }) => text.slice(0, from) + insert + text.slice(to);
const [texts, values] = JSON.parse(process.argv[2]);
console.log(JSON.stringify(texts.map((text) => {
  const rows = rowsOf(text);
  const last = rows.at(-1);
  return {
    read: rows.map((row) => row.cells.map((cell) => cell.value)),
    same: rows.every((row) => row.cells.every((cell) => rowsOf(change(text, celled(cell, cell.value))).length === rows.length)),
    set: last ? values.map((value) => change(text, celled(last.cells.at(-1), value))) : [],
    more: rows.length ? change(text, added(text, rows[0].cells.length)) : "",
    less: last ? change(text, removed(text, last)) : "",
  };
})));
"""


def read(text: str) -> list[list[str]]:
    """The rows of a text as Python reads them, which is how games are read."""
    lines = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#"))
    return [row for row in csv.reader(io.StringIO(lines)) if row]


@pytest.mark.skipif(shutil.which("node") is None, reason="runs the script of the page in node")
def test_a_cell_is_changed_and_nothing_else(tmp_path):
    text = PAGE.read_text(encoding="utf-8").replace('import { h } from "../page/dom.js";\n', "")
    (tmp_path / "grid.mjs").write_text(text, encoding="utf-8")
    (tmp_path / "run.mjs").write_text(RUN, encoding="utf-8")
    asked = json.dumps([TEXTS, VALUES])
    done = subprocess.run(
        ["node", "run.mjs", asked], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
    )
    for text, told in zip(TEXTS, json.loads(done.stdout), strict=True):
        rows = read(text)
        assert told["read"] == rows and told["same"]
        for value, after in zip(VALUES, told["set"], strict=False):
            assert read(after) == [*rows[:-1], [*rows[-1][:-1], value]], (text, value)
        if rows and "not closed" not in text:
            assert read(told["more"]) == [*rows, [""] * len(rows[0])]
            assert read(told["less"]) == rows[:-1]

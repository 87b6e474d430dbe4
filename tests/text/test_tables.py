"""Tables of comma-separated values: rows with and without names, columns that belong together, and faults of a column told once."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulespec
from rulespec.loading.reading import read_csv
from rulespec.text.diagnostics import Diagnostic, Diagnostics
from rulespec.text.source import Source
from tests.helpers.games import WAYS, failures

GAME = """
rulespec: 1
id: tables
title: Tables
players: 2
types: {Gem: [ruby, jade]}
map:
  nodes: {Place: {rows: {x: {}, y: {}, z: {}}}}
  links: {Road: {fields: {a: Place, b: Place, length: 1..9}, table: roads.csv}}
pieces:
  Card: {fields: {value: 1..9, cost: bag of Gem}, table: cards.csv}
zones: {deck: {of: Card, starts with: all}}
phases: {game: {do: [skip]}}
cases:
  what_stands_in_them:
    run: [skip]
    expect:
      - size(Road) == 2 and x_y.length == 3 and y_z.b == z
      - count(c1.cost, ruby) == 1 and count(c1.cost, jade) == 0
      - c2.cost == 2 of jade and c3.cost == 1 of ruby + 2 of jade
"""

ROADS = "a,b,length\nx,y,3\ny,z,2\n"
CARDS = "id,value,cost.ruby,cost.jade\nc1,3,1,\nc2,4,,2\nc3,4,1,2\nc4,5,0,0\n"


def checked(folder: Path, roads: str = ROADS, cards: str = CARDS) -> list[Diagnostic]:
    (folder / "game.yaml").write_text(GAME)
    (folder / "roads.csv").write_text(roads)
    (folder / "cards.csv").write_text(cards)
    return list(rulespec.check(folder / "game.yaml")[1])


def test_links_need_no_names_and_columns_may_belong_together(tmp_path: Path) -> None:
    assert [fault for fault in checked(tmp_path) if fault.severity == "error"] == []
    for mode, backend in WAYS:
        assert not failures(tmp_path / "game.yaml", mode, backend)


@pytest.mark.parametrize(
    ("cards", "code", "line", "message"),
    [
        ("id,valu,cost.ruby\nc1,1,\nc2,2,\nc3,3,\nc4,4,\nc5,5,\n", "E104", 1, "there is no field of Card named `valu`"),
        ("id,cost.ruby\nc1,1\nc2,2\nc3,3\nc4,4\n", "E213", 11, "no row of Card has `value`"),
        ("id,value,cost.gold\nc1,1,1\nc2,2,1\n", "E104", 1, "there is no member of Gem named `gold`"),
        ("value,cost.ruby\n3,1\n3,1\n", "", 0, ""),  # a field comes first: these rows have no names
        ("id,value,cost.ruby\nc1,1,\nc1,2,\n", "Y009", 3, "there are two rows named `c1`"),
    ],
)
def test_a_fault_of_a_column_is_told_once(tmp_path: Path, cards: str, code: str, line: int, message: str) -> None:
    faults = [fault for fault in checked(tmp_path, cards=cards) if fault.severity == "error"]
    assert [(f.code, f.span.line, f.message) for f in faults if f.span] == ([(code, line, message)] if code else [])


@pytest.mark.parametrize("roads", ["from,to,length\nx,y,1\ny,z,2\nx,z,3\n", "name,from,to,length\nq,x,y,1\nr,y,z,2\n"])
def test_columns_that_are_called_otherwise_are_told_together(tmp_path: Path, roads: str) -> None:
    """Whatever the number of rows: the columns that nobody knows, and the fields that no column has."""
    faults = [fault for fault in checked(tmp_path, roads=roads) if fault.severity == "error"]
    (lacking,) = [fault for fault in faults if fault.code == "E213"]
    assert lacking.message == "no row of Road has `a` or `b`"
    assert lacking.help == ("columns are called as the fields are: a, b, length",)
    assert len(faults) <= 3 and {fault.code for fault in faults if fault is not lacking} == {"E104"}


def test_each_of_equal_cells_is_found_where_it_stands(tmp_path: Path) -> None:
    faults = checked(tmp_path, cards="id,value,cost.ruby,cost.jade\nc1,3,many,many\nc2,4,,2\nc3,4,1,2\nc4,5,0,0\n")
    assert [(f.span.line, f.span.column, f.span.text) for f in faults if f.span] == [(2, 6, "many"), (2, 11, "many")]


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("id,value,cost.ruby,value\nc1,3,1,4\n", "two columns `value`"),
        ("id,value,cost.ruby,cost.ruby\nc1,3,1,4\n", "two columns `cost.ruby`"),
        ("id,value,cost.ruby,cost\nc1,3,1,4\n", "`cost.ruby` and `cost` give one field"),
        ("id,cost,cost.ruby,value\nc1,3,1,4\n", "`cost` and `cost.ruby` give one field"),
        ("id,value,,cost.ruby\nc1,3,1,4\n", "column 3 of the table has no name"),
        ("id,value,cost.ruby,\nc1,3,1,\n", "column 4 of the table has no name"),
        ("id,value,cost.,\nc1,3,1\n", "column 3 of the table has no name"),
        ("id;value;cost.ruby\nc1;3;1\n", "`;` in place of commas"),
        ("id\tvalue\nc1\t3\n", "tabs in place of commas"),
    ],
)
def test_columns_have_names_of_their_own(cards: str, said: str) -> None:
    diagnostics = Diagnostics()
    assert read_csv(Source("cards.csv", cards), diagnostics, ("value", "cost")) is None
    assert {d.code for d in diagnostics} == {"Y028"} and said in " ".join(d.message for d in diagnostics)

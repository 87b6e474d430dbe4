"""Functions of boards against slow definitions of them, on boards of each shape."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import rulespec
from rulespec.library import boards, parts
from rulespec.library.boards import OFFSETS, Board


def board(shape: str, columns: int, rows: int, round_: tuple[bool, bool] = (False, False), less: int = 0) -> Board:
    """A board; every cell but the last few, which are left out."""
    places = [(x, y) for y in range(1, rows + 1) for x in range(1, columns + 1)]
    return shape, columns, rows, *round_, tuple(places[: len(places) - less]), ()


BOARDS = {
    "square": board("square", 5, 4),
    "torus": board("square", 5, 4, (True, True)),
    "ring": board("square", 6, 3, (True, False)),
    "pipe": board("square", 3, 6, (False, True)),
    "hex": board("hex", 5, 4),
    "broken": board("square", 4, 4, less=3),
}
EACH = pytest.mark.parametrize("one", BOARDS.values(), ids=BOARDS)


@pytest.mark.parametrize(
    ("shape", "ways"), [("square", {"n": (0, 1), "e": (1, 0)}), ("hex", {"ne": (0, 1), "e": (1, 0), "nw": (-1, 1)})]
)
def test_directions_are_what_their_names_say(shape: str, ways: dict[str, tuple[int, int]]) -> None:
    """A direction and its opposite lead back; on squares those between two lead as far as both together."""
    opposite = str.maketrans("nesw", "swne")
    ways = {**ways, **{name.translate(opposite): (-x, -y) for name, (x, y) in ways.items()}}
    if shape == "square":
        ways |= {a + b: (ways[a][0] + ways[b][0], ways[a][1] + ways[b][1]) for a in "ns" for b in "ew"}
    assert OFFSETS[shape] == ways


@EACH
def test_a_direction_is_the_first_in_which_a_ray_meets_the_cell(one: Board) -> None:
    cells, ways = range(len(one[5])), range(len(OFFSETS[one[0]]))
    for a, b in product(cells, cells):
        assert boards.direction(a, b, one) == next((d for d in ways if b in boards.ray(a, d, one)), None)


def moved(one: Board, place: tuple[int, int], by: tuple[int, int]) -> tuple[int, int]:
    """A place so far away, whether there is a cell or not."""
    _, columns, rows, across, up, _, _ = one
    x, y = place[0] + by[0], place[1] + by[1]
    return (x - 1) % columns + 1 if across else x, (y - 1) % rows + 1 if up else y


def walked(one: Board, start: int) -> dict[tuple[int, int], int]:
    """How many steps lead to each place of the whole rectangle."""
    shape, columns, rows, *_ = one
    there = set(product(range(1, columns + 1), range(1, rows + 1)))
    steps = {one[5][start]: 0}
    for place in (queue := [one[5][start]]):
        for by in OFFSETS[shape].values():
            to = moved(one, place, by)
            if to in there and to not in steps:
                steps[to] = steps[place] + 1
                queue.append(to)
    return steps


@EACH
def test_distances_are_those_that_one_walks(one: Board) -> None:
    for start in range(len(one[5])):
        steps = walked(one, start)
        assert [boards.steps_between(start, to, one) for to in range(len(one[5]))] == [steps[place] for place in one[5]]


@EACH
def test_leaps_are_turned_and_mirrored(one: Board) -> None:
    if one[0] == "hex":
        turns = [lambda x, y: (x, y), lambda x, y: (-y, x + y), lambda x, y: (-x - y, x)]
        turns += [lambda x, y, f=turn: tuple(-n for n in f(x, y)) for turn in turns]
    else:
        turns = [lambda x, y, s=s, t=t: (s * x, t * y) for s in (1, -1) for t in (1, -1)]
    for start, (x, y) in product(range(len(one[5])), ((1, 2), (0, 1), (2, 2))):
        ways = {turn(*pair) for turn in turns for pair in ((x, y), (y, x))}
        ends = {moved(one, one[5][start], way) for way in ways} - {one[5][start]}
        expected = sorted(one[5].index(end) for end in ends if end in one[5])
        assert list(boards.leaps(start, x, y, one)) == expected


@EACH
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_lines_are_all_of_one_size_each_once(one: Board, size: int) -> None:
    expected = set()
    for start, by in product(one[5], OFFSETS[one[0]].values()):
        line = [start]
        while len(line) < size:
            line.append(moved(one, line[-1], by))
        if len(set(line)) == size and all(place in one[5] for place in line):
            expected.add(frozenset(one[5].index(place) for place in line))
    lines = boards.lines(size, one)
    assert {frozenset(line) for line in lines} == expected and len(lines) == len(expected)
    for cell in range(len(one[5])):
        through = boards.lines_through(cell, size, one)
        assert {frozenset(line) for line in through} == {line for line in expected if cell in line}


@EACH
def test_edges_and_corners_are_those_of_their_cells(one: Board) -> None:
    """The border of a cell is that of the next one, seen from there; an edge ends at corners of its cells that know it."""
    of, ways = parts.parts(one), boards.every(one)
    for cell, way in product(range(len(one[5])), ways):
        edge, beside = parts.border_in(cell, way, one), boards.step(cell, way, one)
        if edge is not None and beside is not None:
            assert edge == parts.border_in(beside, boards.opposite(way, one), one)
            assert {cell, beside} == set(of.edges.cells[edge])
            assert parts.border_of(cell, beside, one) in of.edges.of_cells[cell]
        elif edge is not None:
            assert of.edges.cells[edge] == (cell,)
    for edge, ends in enumerate(of.ends):
        assert len(ends) == 2 and all(edge in of.meeting[corner] for corner in ends)
        for cell in of.edges.cells[edge]:
            assert set(ends) <= set(of.corners.of_cells[cell])
    near = parts.sharing(of.meeting, of.ends)
    assert all(a in near[b] for a, row in enumerate(near) for b in row)
    assert all(len(row) == len(of.meeting[corner]) for corner, row in enumerate(near))


def test_a_whole_board_has_as_many_parts_as_its_surface_says() -> None:
    """Corners less edges plus cells: 1 of a disc, 0 of a ring and of a torus (Euler)."""
    for name, expected in (("square", 1), ("hex", 1), ("ring", 0), ("pipe", 0), ("torus", 0)):
        of = parts.parts(BOARDS[name])
        assert len(of.corners.first) - len(of.edges.first) + len(of.edges.of_cells) == expected, name


def test_a_corner_named_by_another_cell_is_answered_with_its_name(tmp_path: Path) -> None:
    text = """\
rulespec: 1
id: g
players: 2
boards: {Tile: {hex: 2, corners: Vertex}}
state: {per Vertex: {town: Yes or no}}
phases: {game: {do: [{set: Vertex.b2_n.town, to: yes}]}}
"""
    file = tmp_path / "g.yaml"
    file.write_text(text)
    _, found = rulespec.check(file)
    assert [(one.code, *one.help) for one in found if one.code == "E104"] == [
        ("E104", "it is named `a3_se`, by the first of its cells")
    ]

"""Edges and corners of boards on the table: in the view of a seat, and on the screen of a terminal."""

from __future__ import annotations

from interpreter import Game, State
from tests.helpers.games import loaded
from tests.helpers.places import ROOT
from tools.terminal import boards
from tools.terminal.asked import Asked
from tools.terminal.paint import Paint
from tools.terminal.scene import Scene
from tools.terminal.sheet import Meant

WALLS, ROADS = (ROOT / f"tests/conformance/play/{name}.yaml" for name in ("board_parts", "hex_parts"))
DRAWN = """\
  +     +     +     +
     a3(∙) b3(∙) c3
  + (∙) +--#--+ (∙) +
     a2(∙) b2(∙) c2
  + (∙) + (∙) + (∙) +
     a1(∙) b1(∙) c1
  +     +     +     +"""


def begun(path, *answers: str) -> State:
    state = Game(loaded(path)).new_state(1)
    for answer in answers:
        state.apply_action(state.string_to_action(answer))
    return state


def test_what_stands_on_edges_and_corners_is_in_the_view() -> None:
    (tile, _) = begun(ROADS, "a3_se", "b2_b3").table(1)["boards"]
    parts = {part["thing"]: part for part in tile["parts"]}
    town, road = parts["Vertex/a3_se"], parts["Road/b2_b3"]
    assert town["sign"] == road["sign"] == "W" and town["colour"] == road["colour"]
    assert len(town["at"]) == 1 and len(road["at"]) == 2
    assert len([part for part in parts.values() if "sign" in part]) == 2


def test_the_terminal_draws_them_where_they_are_and_marks_what_may_be_chosen() -> None:
    state = begun(WALLS, "b2_b3", "a2_ne")
    view = state.table(1)
    scene = Scene(view, Asked(view["decision"], state.ahead(1)), Paint(), hints=[])
    sheet = boards.board(scene, view["boards"][0], 80, 24)
    assert "\n".join(line.rstrip() for line in sheet.lines()) == DRAWN
    spots = {spot.meant for spot in sheet.spots}
    assert {Meant("Side/a1_a2"), Meant("Crossing/a1_ne"), Meant("Cell/b2")} <= spots

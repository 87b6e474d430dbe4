"""What is printed on a thing can be read: the facts of a face, what the game says of them, and what says them already."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import rulespec
from interpreter import Game
from interpreter.views.table.plan import plan_of
from tests.helpers.games import loaded

PRINTED = """
rulespec: 1
id: printed
title: Printed
players: {sun: Sun, moon: Moon}
types:
  Folk: [elf, orc]
  Dye: [red, blue]
pieces:
  Ally:
    fields:
      name: Text
      folk: Folk
      side: Player
      dye: Dye
      gems: 0..9
      pace: 0..9
      axes: 0..9 = 0
      code: Text
    rows:
      anna: {name: Anna, folk: orc, side: sun, dye: red, gems: 3, pace: 0, code: A7}
      bert: {name: Bert, folk: elf, side: moon, dye: blue, gems: 0, pace: 2, axes: 1, code: B2}
  Marker:
    fields: {folk: Folk, points: 0..9}
    rows: {one: [elf, 4]}
zones:
  stock: {of: Ally, starts with: all}
  markers: {of: Marker, starts with: all}
phases:
  game: {do: [{choose: card, by: sun, from: stock, say: Which?}]}
end of game: {winners: sun}
"""


Facts = Callable[[str, str], dict[str, str]]


@pytest.fixture(name="facts")
def facts_of(tmp_path: Path) -> Facts:
    """The facts of a thing, with what the game says of its table."""

    def told(hints: str, thing: str) -> dict[str, str]:
        file = tmp_path / "game.yaml"
        file.write_text(PRINTED + hints)
        return dict(plan_of(Game(rulespec.load(file))).faces.face(*thing.split("/")).get("facts", []))

    return told


def test_a_colour_that_stands_for_something_is_told_in_words(facts: Facts) -> None:
    anna = facts("", "Ally/anna")
    assert anna["side"] == "Sun" and "folk" not in anna  # a sign has its word beside it
    assert "dye" not in anna  # the colour is the word itself
    assert facts("", "Marker/one") == {"folk": "elf"}  # points are called so: they stand in the corner


def test_a_number_in_the_corner_has_a_name(facts: Facts) -> None:
    assert facts("", "Ally/bert")["gems"] == "0" and facts("", "Ally/anna")["gems"] == "3"


def test_a_printed_nought_is_told_and_one_that_no_row_says_is_not(facts: Facts) -> None:
    assert facts("", "Ally/anna")["pace"] == "0" and "axes" not in facts("", "Ally/anna")
    assert facts("", "Ally/bert")["axes"] == "1"


@pytest.mark.parametrize(
    ("hints", "name", "text"),
    [("{}", "code", None), ("{code: yes}", "code", "A7"), ("{code: stamp}", "stamp", "A7"), ("{pace: no}", "pace", None),
     ("{pace: steps}", "steps", "0"), ("{dye: yes}", "dye", "red")],
)  # fmt: skip
def test_the_game_says_what_is_read_and_by_which_name(facts: Facts, hints: str, name: str, text: str | None) -> None:
    told = facts(f"table: {{look: {{Ally: {{facts: {hints}}}}}}}", "Ally/anna")
    assert told.get(name) == text
    if hints != "{}" and text is not None:
        assert list(told.values()).count(text) == 1 + (text == "0" and "axes" in told)


@pytest.mark.parametrize("part", ["colour", "corner", "symbol"])
def test_what_a_look_takes_the_place_of_is_a_fact(facts: Facts, part: str) -> None:
    told = facts(f"table: {{look: {{Ally: {{{part}: no}}, Marker: {{{part}: no}}}}}}", "Ally/bert")
    assert {told["side"], told["gems"], told["pace"]} == {"Moon", "0", "2"}
    assert ("dye" in told) == (part == "colour") and ("folk" in told) == (part == "symbol")


def test_places_of_a_shipped_game_are_read_from_near() -> None:
    faces = plan_of(Game(loaded("five_armies"))).faces
    ravenhill = dict(faces.face("Place", "ravenhill")["facts"])
    assert (ravenhill["terrain"], ravenhill["victory points"], ravenhill["fortification"]) == ("mountains", "4", "3")
    assert "x" not in ravenhill and dict(faces.face("Character", "lord_of_the_eagles")["facts"])["movement"] == "0"

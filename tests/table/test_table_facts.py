"""What is printed on a thing can be read: the facts of a face, what the game says of them, and what says them already."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import rulespec
from interpreter import Game, State
from interpreter.bots.basics import Chance
from interpreter.views.table.plan import plan_of
from tests.helpers.places import GAMES

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
    faces = plan_of(Game(rulespec.load("five_armies", cache=True))).faces
    ravenhill = dict(faces.face("Place", "ravenhill")["facts"])
    assert (ravenhill["terrain"], ravenhill["victory points"], ravenhill["fortification"]) == ("mountains", "4", "3")
    assert "x" not in ravenhill and dict(faces.face("Character", "lord_of_the_eagles")["facts"])["movement"] == "0"


def counted(part: Any) -> Iterator[str]:
    """The counters anywhere in a view."""
    if isinstance(part, dict):
        if "id" in part and "text" in part:
            yield part["id"]
        for inner in part.values():
            yield from counted(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from counted(inner)


def untold(state: State, seat: int) -> list[str]:
    """The variables and zones that a seat observes with something in them, are not marked, and stand nowhere in its table."""
    seen, view, plan = state.observation(seat), state.table(seat), plan_of(state.game)
    picture = state.picture(seat)
    drawn = frozenset().union(*(board.told for board in state.boards(seat)), picture.told if picture else ())
    there = {*counted(view), *view["zones"]}
    sheets = {(sheet["label"], row["label"]) for sheet in view["sheets"] for row in sheet["rows"]}
    badges = {label for one in view["seats"] for label in one["badges"]}
    out = []
    for part, declared in ((seen["state"], plan.variables), (seen["zones"], plan.zones)):
        for _, placed in declared:
            for entry in placed.entries:
                value = part.get(entry.name)
                told = entry.name in there or entry.slot in drawn or placed.label in badges
                if value not in (None, False, 0, [], {}) and not told and (placed.label, entry.words) not in sheets:
                    out.append(entry.name)
    return out


@pytest.mark.parametrize("name", [folder.name for folder in GAMES])
def test_what_a_seat_observes_is_on_its_table(name: str) -> None:
    game = Game(rulespec.load(name, cache=True), backend="python")
    state, chance = game.new_state(3), Chance(3)
    for number in range(120):
        if state.is_terminal():
            break
        if number % 24 == 0:
            assert [untold(state, seat) for seat in range(game.num_players)] == [[]] * game.num_players
        state.apply_action(chance.one_of(state.legal_actions()))

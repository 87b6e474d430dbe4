"""Pictures of maps: what each seat sees of one, where things lie, and that what a game says cannot break a file or a terminal.

The golden files show a small map and a large one to each seat; RULESPEC_GOLDEN=write writes them anew.  Then look at them.
"""

from __future__ import annotations

import copy
import io
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

import rulespec
from interpreter import EVERYTHING, Fault, Game, State
from interpreter.files import transcript
from interpreter.runtime.hidden import Hidden, NotSeen, Share
from interpreter.views.glimpse import Glimpse, glimpse
from interpreter.views.layout import spread
from interpreter.views.pictures import Picture
from rulespec.cases import coverage
from rulespec.cases.compiler import load_cases
from rulespec.checker.program import CheckedGame
from rulespec.ir.pictures import letters
from rulespec.lint.linter import lint
from tests.helpers.commands import run
from tests.helpers.goldens import golden
from tests.helpers.places import ROOT
from tools import console
from tools.maps import layout, room, svg, text

GOLDEN = ROOT / "tests/golden/maps"
PLAY = ROOT / "tests/conformance/play"
VIEWERS = {"first": 0, "second": 1, "spectator": None, "everything": EVERYTHING}
SVG = "{http://www.w3.org/2000/svg}"


def begun(name: str, seed: int = 1) -> State:
    return Game(rulespec.load(PLAY / f"{name}.yaml")).new_state(seed)


def seen(state: State, viewer: int | None = None) -> Picture:
    made = state.picture(viewer)
    assert made is not None
    return made


def lines(picture: Picture, name: str) -> tuple[str, ...]:
    return next(place.lines for place in picture.places if place.name == name)


def written(tmp_path: Path, text: str, before: str = "") -> State:
    """A position of a small game with this picture."""
    file = tmp_path / "game.yaml"
    picture = "".join(f"    {line}\n" for line in text.splitlines())
    file.write_text(
        "rulespec: 1\nid: small\nplayers: 2\n"
        "types: {Side: [red, blue]}\n"
        "map:\n  nodes:\n    Place:\n      fields: {x: 0..9, y: 0..9}\n      rows: {ash: [0, 0], birch: [3, 0], cedar: [9, 9]}\n"
        "  links:\n    Road:\n      fields: {a: Place, b: Place}\n      rows: [[ash, birch]]\n"
        f"  picture:\n{picture}"
        "state: {far: Place or none, per Place: {damage: 0..9, owner: Side or none}}\n"
        f"phases: {{game: {{do: [{before or 'skip'}, {{choose: go, by: p1, from: Place}}]}}}}\n",
        encoding="utf-8",
    )
    return Game(rulespec.load(file)).new_state(1)


# --- golden files -------------------------------------------------------------------------------------
def compared(name: str, text: str) -> None:
    assert golden(GOLDEN / name, text) == text


@pytest.mark.parametrize(
    ("name", "viewer"), [("pictures", v) for v in VIEWERS] + [("campaign", "first"), ("maps", "first")]
)
def test_text_is_as_it_was(name: str, viewer: str) -> None:
    made = text.lines_of(seen(begun(name), VIEWERS[viewer]), 100)
    compared(f"{name}_{viewer}.txt", "\n".join([*made, ""]))


@pytest.mark.parametrize(("name", "viewer"), [("pictures", "first"), ("campaign", "second"), ("maps", "first")])
def test_svg_is_as_it_was(name: str, viewer: str) -> None:
    compared(f"{name}_{viewer}.svg", svg.drawing(seen(begun(name), VIEWERS[viewer])))


# --- who sees what ------------------------------------------------------------------------------------
def test_each_seat_sees_what_is_shown_to_it() -> None:
    state = begun("pictures")
    north, south, all_of_it = seen(state, 0), seen(state, 1), seen(state, EVERYTHING)
    assert lines(north, "birch") == ("2 spear and 1 bow", "hawk")
    assert lines(south, "birch") == ("2 spear and 1 bow", "a scout")
    assert lines(north, "elm") == ("a scout ×2",) and lines(south, "elm") == ("owl and fox",)
    assert lines(seen(state, None), "elm") == ("a scout ×2",)  # a spectator sees what all see
    assert (
        lines(north, "dell") == ("plan 4",) and lines(south, "dell") == ()
    )  # a condition that is not known does not hold
    assert lines(north, "ash_ford") == ("camp: 3",)  # a bag that nobody sees has a size
    assert lines(all_of_it, "birch")[1] == "hawk" and lines(all_of_it, "elm") == ("owl and fox",)


def test_what_is_not_seen_makes_no_difference() -> None:
    """Hidden tokens change places, and variables that others see their values: the picture stays the same, byte by byte."""
    state = begun("campaign")
    program = state.game.program
    token = next(kind for kind in program.kinds if kind.name == "Token")
    assert token.location is not None
    swaps = 0
    for viewer in (0, 1, None):
        before = svg.drawing(seen(state, viewer))
        sight = state.game.machine.sight
        bits = sight.bits(viewer)
        dark = [
            n
            for n in range(len(token.members))
            if (mask := sight.piece(state.slots, token.index, n)) & bits != bits or mask == 0
        ]
        for one, other in combinations(dark, 2):
            changed = state.clone()
            changed.slots = swapped(changed.slots, token.location, one, other)
            assert svg.drawing(seen(changed, viewer)) == before
            swaps += 1
    assert swaps >= 10


def swapped(slots: list[object], location: int, one: int, other: int) -> list[object]:
    """The slots with two pieces in each other's place."""
    made = copy.copy(slots)
    homes = {made[location + one], made[location + other]}
    names = {one: other, other: one}
    for slot in homes:
        held = made[slot]  # type: ignore[call-overload]
        made[slot] = tuple(sorted(names.get(piece, piece) for piece in held))  # type: ignore[call-overload]
    made[location + one], made[location + other] = made[location + other], made[location + one]
    return made


def test_hidden_values_tell_nothing() -> None:
    hidden = Hidden()
    for look in (
        lambda: hidden == 1,
        lambda: hidden in {1},
        lambda: [1, 2][hidden],
        lambda: hidden + 1,
        lambda: 1 - hidden,
        lambda: hidden < 2,
        lambda: bool(hidden),
        lambda: len(hidden),
        lambda: list(hidden),
        lambda: sorted([hidden, 1]),
        lambda: str(hidden),
        lambda: -hidden,
        lambda: hidden[0],
        lambda: max(1, hidden),
        lambda: hidden != 1,
    ):
        with pytest.raises(NotSeen):
            look()
    counts = tuple(Share(frozenset({n}), 3, 7) for n in range(3))
    assert sum(counts) == 7
    assert sum((counts[0] + 1, *counts[1:])) == 8, "what is known to have been added is known"
    assert isinstance(counts[0] + counts[2], Share) and counts[1] + (counts[0] + counts[2]) == 7
    with pytest.raises(NotSeen):
        (counts[0] + counts[2]) + counts[2]  # what is counted twice is not all there is
    for look in (
        lambda: counts[0] + counts[0],
        lambda: counts[0] + 1 > 1,
        lambda: sum(counts[:2]) > 1,
        lambda: counts[0] == 7,
    ):
        with pytest.raises(NotSeen):
            look()


def test_a_slot_that_is_not_seen_cannot_be_read() -> None:
    state = begun("pictures")
    names = state.game.program.slot_names
    mine, others = glimpse(state, 0), glimpse(state, 1)
    plan = names.index("plan[3]")
    assert isinstance(mine, Glimpse) and mine[plan] == 4
    for slot in (plan, 0, 1):  # what only others see, the control stack, and where chance stands
        with pytest.raises(NotSeen):
            others[slot]


def test_what_is_told_of_places_is_worked_out_again_only_where_a_slot_has_changed() -> None:
    """A picture from what is kept is the one that is worked out anew, tells of the same slots, and looks at as many items."""
    state = begun("campaign", 5)
    kept, fuel = state.setup.workshop.kept, state.setup.machine.compiler.fuel
    for n in range(4):
        for viewer in VIEWERS.values():
            shown, left = seen(state, viewer), fuel[0]
            held = dict(kept["told"])
            kept["told"].clear()
            anew = seen(state, viewer)
            assert shown == anew and shown.told == anew.told and fuel[0] == left
            assert kept["told"] and all(held[key] == told for key, told in kept["told"].items())
        legal = state.legal_actions()
        state.apply_action(legal[n % len(legal)])


def test_who_copies_a_glimpse_may_look_at_all_of_it() -> None:
    state = begun("pictures")
    mine, names = glimpse(state, 0), state.game.program.slot_names
    assert mine.held() == ()
    plan = names.index("plan[3]")
    assert mine[plan] == 4 and mine[plan] == 4 and mine.held() == ((plan, 4),)
    mine.copy()
    assert mine.held() is None


def test_every_position_of_random_games_has_a_picture_for_everybody() -> None:
    state = begun("campaign", 5)
    for n in range(4):
        for viewer in VIEWERS.values():
            picture = seen(state, viewer)
            assert len(picture.places) == 33 and text.lines_of(picture, 100)
        legal = state.legal_actions()
        state.apply_action(legal[n % len(legal)])


# --- what goes wrong ----------------------------------------------------------------------------------
def test_a_text_that_goes_wrong_is_a_fault_at_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = written(tmp_path, 'x: this.x\ny: this.y\nlines: ["{div(9, this.damage)}"]')
    with pytest.raises(Fault) as found:
        state.picture(0)
    assert found.value.diagnostic.code == "R001" and "game.yaml:" in str(found.value)
    assert run(capsys, "map", str(tmp_path / "game.yaml"))[0] == 1


def test_a_condition_protects_its_text(tmp_path: Path) -> None:
    state = written(
        tmp_path, 'lines: [{say: "{this.owner}", if: this.owner is known}, {say: "{far.damage}", if: far is known}]'
    )
    assert all(place.lines == () for place in seen(state, 0).places)


def test_nothing_that_a_game_says_breaks_the_file_or_the_terminal(tmp_path: Path) -> None:
    state = written(tmp_path, 'title: "</text><script>&{this}"')
    made = svg.drawing(seen(state, 0))
    ET.fromstring(made)
    assert "<script>" not in made and "&lt;script&gt;" in made
    odd = replace(seen(state, 0), places=tuple(replace(one, title="\x1b[31m\x07") for one in seen(state, 0).places))
    shown = "\n".join(text.lines_of(odd, 80)) + svg.drawing(odd)
    assert "\x1b" not in shown and "\x07" not in shown
    with pytest.raises(rulespec.RulespecError, match="Y005"):
        written(tmp_path, r'title: "\u001b[31m{this}\u0007"')


def test_what_a_picture_tells_need_not_be_covered_by_cases(tmp_path: Path) -> None:
    written(
        tmp_path,
        "strong: if this.damage > 0 then yes else no\nlines: [{say: Burnt, if: this.damage > 0 and far is known}]",
    )
    checked, _ = rulespec.check(tmp_path / "game.yaml")
    assert isinstance(checked, CheckedGame)
    assert [item for item in coverage.items(checked) if "strong" in item.where.text or "Burnt" in item.where.text] == []
    assert not any("damage > 0" in item.where.text for item in coverage.items(checked))


def test_what_only_a_picture_reads_is_read(tmp_path: Path) -> None:
    written(tmp_path, 'lines: ["{this.damage}"]', "{set: ash.damage, to: 2}")
    found, _ = load_cases(tmp_path / "game.yaml")
    assert found is not None
    assert not any("`damage`" in finding.message for finding in lint(found.game))
    written(tmp_path, "title: Place", "{set: ash.damage, to: 2}")
    found, _ = load_cases(tmp_path / "game.yaml")
    assert found is not None
    assert any("`damage`" in finding.message for finding in lint(found.game))


# --- where things lie ---------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["pictures", "campaign", "maps"])
@pytest.mark.parametrize("width", [40, 60, 80, 100, 110])
def test_all_places_are_shown_within_the_width(name: str, width: int) -> None:
    picture = seen(begun(name), 0)
    drawing = text.Drawing(picture, width)
    made = text.lines_of(picture, width)
    assert max(map(len, made)) <= width
    cells = set()
    for block in drawing.blocks:
        box = block.box
        own = {(x, y) for y in range(box.y, box.y + box.height) for x in range(box.x, box.x + box.width)}
        assert not own & cells
        cells |= own
        for down, line in enumerate(block.lines):
            assert made[box.y + down][box.x :].startswith(line)
    told = {link.name for link in drawing.left}
    assert len(drawing.listed()) == len(told) < len(picture.links)


def test_a_large_map_fits_a_screen() -> None:
    assert len(text.lines_of(seen(begun("campaign"), 0), 100, large=False)) <= 42


@pytest.mark.parametrize("name", ["pictures", "campaign", "maps"])
def test_no_two_places_of_a_file_overlap(name: str) -> None:
    root = ET.fromstring(svg.drawing(seen(begun(name), 0)))
    width, height = (float(part) for part in root.attrib["viewBox"].split()[2:])
    assert width == 1200 and height == 900
    places = root.find(f"{SVG}g[@id='places']")
    assert places is not None
    boxes = [
        layout.Box(*(int(rect.attrib[part]) for part in ("x", "y", "width", "height")))
        for rect in places.iter(f"{SVG}rect")
    ]
    for one, other in combinations(boxes, 2):
        assert (
            one.x + one.width <= other.x
            or other.x + other.width <= one.x
            or one.y + one.height <= other.y
            or other.y + other.height <= one.y
        )
    assert all(b.x >= 0 and b.x + b.width <= width and b.y >= 0 and b.y + b.height <= height for b in boxes)


def test_a_file_is_read_aloud() -> None:
    root = ET.fromstring(svg.drawing(seen(begun("pictures"), 0)))
    assert root.attrib["role"] == "img" and root.attrib["aria-labelledby"] == "map-title map-about"
    assert root.findtext(f"{SVG}title") == "Hills & <fords>"
    about = root.findtext(f"{SVG}desc") or ""
    assert "As" not in about and about.startswith("The map as north sees it. ash ford: land plain; camp: 3.")
    assert "birch: ruler North; land hill; walled; 2 spear and 1 bow; hawk." in about
    assert "Links: cedar (road, 3)" not in about and "elm (road, 3)" in about


def test_places_without_coordinates_are_spread() -> None:
    ring = [(n, (n + 1) % 6) for n in range(6)]
    at = spread(6, ring)
    assert at == spread(6, ring)
    lengths = [((at[a][0] - at[b][0]) ** 2 + (at[a][1] - at[b][1]) ** 2) ** 0.5 for a, b in ring]
    assert max(lengths) < 1.4 * min(lengths)
    assert len(set(spread(5, []))) == 5  # no links at all
    assert len(set(spread(4, [(0, 1)]))) == 4  # nothing leads to two of them
    assert len(spread(2000, [(0, 1)])) == 2000


def test_signs_are_told_apart() -> None:
    assert letters(["plain", "hill", "plateau", "p"], {1: "^"}) == ("p", "^", "pl", "p")
    assert letters(["", "north west"], {}) == ("?", "n")


FENCES = """\
rulespec: 1
id: fences
players: 2
map:
  nodes: {Post: {fields: {x: 0..9, y: 0..9}, rows: {north: [0, 0], east: [9, 0], south: [0, 5]}}}
  links: {Fence: {fields: {a: Post, b: Post}, rows: [[north, east], [north, south]]}}
  picture: {x: this.x, y: this.y, links: {STYLE}}
state: {built: {is: Player or none, by: Fence}}
phases:
  game:
    do:
      - {set: north_east.built, to: p1}
      - {choose: fence, by: p2, from: f in Fence where f.built is none}
      - {set: fence.built, to: p2}
"""


@pytest.mark.parametrize(
    ("style", "signs", "key"),
    [
        ("style: this.built", ("-", "'"), "built: - Player 1, : Player 2, ' none"),
        ("style: this.built, styles: {p1: thick, p2: wavy}", ("#", "|"), "built: # Player 1, ~ Player 2"),
    ],
)
def test_a_link_without_a_style_is_none_of_a_member(
    tmp_path: Path, style: str, signs: tuple[str, str], key: str
) -> None:
    """Where the first member has the plain line it is faint, in the terminal and in a file."""
    file = tmp_path / "fences.yaml"
    file.write_text(FENCES.replace("STYLE", style), encoding="utf-8")
    picture = seen(Game(rulespec.load(file)).new_state(1))
    drawn = text.lines_of(picture, 80)
    assert drawn[0].count(signs[0]) > 5 and drawn[1].strip() == signs[1] and drawn[-1] == key
    faint = svg.drawing(picture).count('opacity="0.6"')
    assert faint == (2 if "none" in key else 0)  # the link, and its line in the legend


def test_room() -> None:
    assert room.arranged([(0, 0), (0, 0)], [(5, 1), (5, 1)], 12, 1) == [(0, 0), (7, 0)]
    assert room.arranged([(0, 0), (0, 0)], [(5, 1), (5, 1)], 11, 1) is None
    assert room.arranged([(9, 0), (0, 0)], [(3, 1), (3, 1)], 12, 1) == [(9, 0), (0, 0)]


# --- the command --------------------------------------------------------------------------------------
def test_the_command_shows_writes_and_tells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = str(PLAY / "pictures.yaml")
    code, out, err = run(capsys, "map", game, "--as", "south")
    assert (code, err) == (0, "") and "owl and fox" in out and "ruler: /N North, /S South" in out
    assert "owl" not in run(capsys, "map", game)[1]
    file = tmp_path / "map.svg"
    code, out, err = run(capsys, "map", game, "--as", "1", "--svg", str(file), "--json")
    assert code == 0 and err == ""
    told = json.loads(out)
    assert told["viewer"] == "north" and told["places"][1]["lines"] == ["2 spear and 1 bow", "hawk"]
    assert told["links"][2] == {
        "name": "cedar_dell",
        "a": "cedar",
        "b": "dell",
        "one_way": False,
        "style": "river",
        "title": "2",
    }
    assert file.read_text(encoding="utf-8").startswith("<svg ")
    assert run(capsys, "map", game, "--svg", str(file))[0] == 0  # a map may be written over a map
    (tmp_path / "letter.txt").write_text("Dear Ann")
    code, _, err = run(capsys, "map", game, "--svg", str(tmp_path / "letter.txt"))
    assert code == 2 and "is there and is something else" in err
    code, _, err = run(capsys, "map", game, "--as", "west")
    assert code == 2 and "there is no seat `west`" in err
    code, _, err = run(capsys, "map", "kuhn_poker")
    assert code == 2 and "has no map and no board" in err


def test_the_command_reads_saves_and_transcripts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, state = str(PLAY / "pictures.yaml"), begun("pictures")
    state.apply_action(state.string_to_action("dell"))
    state.apply_action(state.string_to_action("dell"))
    save, moves = tmp_path / "a.save.json", tmp_path / "a.jsonl"
    state.save_to(save)
    moves.write_text(transcript.write(state))
    shown = run(capsys, "map", game, "--load", str(save))[1]
    assert "*dell p" in shown and "damage 1" in shown
    assert run(capsys, "map", game, "--transcript", str(moves))[1] == shown
    assert run(capsys, "map", game, "--transcript", str(moves), "--load", str(save))[0] == 2
    assert run(capsys, "map", game, "--transcript", str(moves), "--players", "2")[0] == 2


# --- at the table -------------------------------------------------------------------------------------
def test_the_map_is_in_view_while_playing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("map\ndell\nquit\n"))
    out = run(capsys, "play", str(PLAY / "pictures.yaml"), "--as", "north", "--seed", "1")[1]
    first, large = out.split("Which place is walled?")[:2]
    assert "*birch ^/N" in first and "land: ^ hill" not in first and "land: ^ hill" in large
    table = first[first.index("Table") :]
    # What the map tells is not listed again: who rules, what is damaged, and where the armies and scouts are.
    assert not re.search(r"ruler|damage|walled|army|scouts|plan", table)
    assert "camp" in table and "stock" in table and "box" in table  # a size alone does not tell what a zone holds
    assert "map  " in run_help(monkeypatch, capsys)


def run_help(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO("help\nquit\n"))
    return run(capsys, "play", str(PLAY / "pictures.yaml"), "--as", "north", "--seed", "1")[1]


def test_the_map_is_shown_again_where_it_changed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("dell\ndell\n"))
    out = run(capsys, "play", str(PLAY / "pictures.yaml"), "--all", "--seed", "1")[1]
    assert out.count("*birch ^/N") == 2 and out.count("*dell p") == 1


def test_colours_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = text.lines_of(seen(begun("pictures"), 0), 100)
    monkeypatch.setattr(console, "colours", lambda _: True)
    painted = text.lines_of(seen(begun("pictures"), 0), 100)
    assert any("\x1b[34m*birch ^/N\x1b[0m" in line for line in painted)
    assert [console.bare(line) for line in painted] == plain

"""The table as front ends get it: its form, what it tells, what it never tells, and a golden of each shipped game.

The golden files show a position in the middle of a game; RULESPEC_GOLDEN=write writes them anew.  Then look at them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest

import rulespec
from interpreter import EVERYTHING, Game, State
from interpreter.bots.basics import Chance
from interpreter.testing.properties.trial import LEAKS, LENGTH, Budget, Trial
from interpreter.views import observation
from interpreter.views.table import view as table
from rulespec.language.palette import ICONS
from rulespec.schema import table_schema
from tests.helpers.commands import run
from tests.helpers.games import bench_of
from tests.helpers.goldens import golden
from tests.helpers.places import GAMES, ROOT
from tests.helpers.table_text import as_text

GOLDEN = ROOT / "tests/golden/tables"
SHIPPED = [folder.name for folder in GAMES]
# Of each game: players, seed, answers to the position that is shown.
SHOWN = {
    "breakthrough": (2, 3, 31),
    "chess": (2, 3, 41),
    "connect_four": (2, 3, 13),
    "five_armies": (2, 3, 173),
    "game_of_go": (2, 3, 20),
    "hedges": (2, 3, 16),
    "hex": (2, 3, 21),
    "hobbit_board_game": (3, 3, 52),
    "hobbit_card_game": (4, 5, 43),
    "kuhn_poker": (2, 3, 1),
    "leduc_poker": (2, 3, 2),
    "lotr_tarot": (3, 8, 25),
    "nine_mens_morris": (2, 3, 25),
    "othello": (2, 3, 23),
    "smaugs_treasure": (2, 3, 41),
    "tic_tac_toe": (2, 1, 4),
}
WHOLE = jsonschema.Draft7Validator(table_schema())


@cache
def opened(name: str | Path, players: int | None = None, backend: str = "python") -> Game:
    return Game(rulespec.load(name, cache=True), players=players, backend=backend)


def played(game: Game, seed: int, answers: int) -> Iterator[State]:
    """The positions of a random game, each of them while it lasts."""
    state, chance = game.new_state(seed), Chance(seed)
    yield state
    for _ in range(answers):
        if state.is_terminal():
            return
        state.apply_action(chance.one_of(state.legal_actions()))
        yield state


def last(game: Game, seed: int, answers: int) -> State:
    return list(played(game, seed, answers))[-1]


def named(data: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Each id in a view, with the key that it stands under."""
    if isinstance(data, dict):
        for name, part in data.items():
            yield from named(part, name)
    elif isinstance(data, list):
        for part in data:
            yield from named(part, key)
    elif isinstance(data, str) and key in ("thing", "things", "items", "stands", "a", "b", "index", "spots", "zones"):
        yield key, data


def check(view: dict[str, Any]) -> None:
    """A view has the form of its schema, and whatever it names is there."""
    WHOLE.validate(view)
    counters = {counter["id"] for part in (view, *view["seats"]) for counter in part["counters"]}
    for key, name in named({part: view[part] for part in view if part not in ("things", "zones")}):
        assert name in view["zones"] or name in view["things"] or name in counters, (key, name)
    for zone in view["zones"].values():
        assert all(item is None or item in view["things"] for item in zone.get("items", ()))
        assert set(zone.get("index", ())) <= set(view["things"])
    assert set(view["attached"]) <= set(view["things"]) | {zone["at"] for zone in view["zones"].values()}


@pytest.mark.parametrize("name", SHIPPED)
def test_every_seat_of_every_game_gets_a_table_of_this_form(name: str) -> None:
    players, seed, answers = SHOWN[name]
    game = opened(name, players)
    for number, state in enumerate(played(game, seed, answers)):
        if number % max(1, answers // 3) == 0:
            for seat in (*range(players), None):
                check(state.table(seat))


@pytest.mark.parametrize("name", SHIPPED)
def test_tables_are_as_they_were(name: str) -> None:
    players, seed, answers = SHOWN[name]
    state = last(opened(name, players), seed, answers)
    seat = state.current_player() if not state.is_terminal() else 0
    text = as_text(state.table(seat))
    assert golden(GOLDEN / f"{name}.txt", text) == text


@pytest.mark.parametrize("name", SHIPPED)
def test_a_legal_answer_is_on_the_table_or_a_button(name: str) -> None:
    """Whoever has only the view can give every legal answer, and learns why the others are not legal."""
    players, seed, answers = SHOWN[name]
    for state in played(opened(name, players), seed, min(answers, 25)):
        for seat in state.pending_players():
            decision = state.table(seat)["decision"]
            legal = [option["action"] for option in decision["options"] if option.get("legal", True)]
            assert sorted(legal) == sorted(state.legal_actions(seat))
            assert all("why" in option for option in decision["options"] if "legal" in option)


@pytest.mark.parametrize("name", SHIPPED)
def test_what_a_seat_cannot_tell_apart_looks_the_same(name: str) -> None:
    """Pairs of games that a seat cannot tell apart: its table is the same, byte by byte, and that of a spectator."""
    players, seed, _ = SHOWN[name]
    trial = Trial(bench_of(opened(name, players)), seed, Budget(checked=8, twins=3, life=15, longest=40), LEAKS)
    failure = trial.at_random()
    assert failure is None or failure.property == LENGTH, failure
    assert trial.counts.compared or not trial.bench.pairing.hides


def test_a_table_that_tells_what_is_hidden_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = observation.observe

    def telling(position: Any, viewer: Any) -> dict[str, Any]:
        return {**honest(position, viewer), "zones": observation.zones(position, EVERYTHING)}

    bench = bench_of(opened("leduc_poker", 2))
    monkeypatch.setattr(table, "observation", SimpleNamespace(observe=telling))
    failures = [Trial(bench, seed, Budget(twins=4), LEAKS).at_random() for seed in range(6)]
    assert any(failure is not None and "the table's zones" in failure.message for failure in failures)


def test_hidden_pieces_have_no_names() -> None:
    state = last(opened("hobbit_card_game", 4), 5, 20)
    view = state.table(0)
    theirs = {piece for seat in range(1, 4) for piece in state.observation(seat)["zones"][f"hand.p{seat + 1}"]}
    lines = json.dumps(view["log"])
    assert not [thing for thing in view["things"] if thing.removeprefix("Card/") in theirs and thing not in lines]
    assert view["zones"]["deck"]["items"] == [] and view["zones"]["deck"]["count"] > 0


SCORED = """\
rulespec: 1
id: scored
players: 2
pieces:
  Card: {fields: {value: 1..9}, rows: "each(value in 1..9)"}
zones:
  deck: {of: Card, order: shuffled, seen by: none, starts with: all}
  hand: {of: Card, per: Player, seen by: owner}
phases:
  game:
    do:
      - {deal: 2, from: deck, to: hand}
      - choose: shown
        by: p1
        from: 1..2
      - {win: p1}
end of game:
  score:
    Hand: sum(c.value for c in this.hand)
    Left: sum(c.value for c in deck)
"""


def test_the_score_is_told_in_full_when_the_game_is_over(tmp_path: Path) -> None:
    """In play it tells what the viewer can work out; at the end all, as in lines, and who ends the game cannot take that back."""
    file = tmp_path / "game.yaml"
    file.write_text(SCORED)
    state = opened(file).new_state(3)
    scores = [[text for _, text in seat["score"]] for seat in state.table(1)["seats"]]
    assert scores[0] == ["?", "?"] and scores[1][0] != "?" and scores[1][1] == "?"
    assert state.can_take_back(0) is False
    state.apply_action(0)
    assert state.is_terminal() and not state.can_take_back(0)
    for viewer in (0, 1, None):
        told = [[text for _, text in seat["score"]] for seat in state.table(viewer)["seats"]]
        assert [text for row in told for text in row] == [str(n) for row in totals(state) for n in row]
    for seed in range(4):
        trial = Trial(bench_of(opened(file)), seed, Budget(checked=8, twins=6, life=15, longest=40), LEAKS)
        assert trial.at_random() is None


def totals(state: State) -> list[list[int]]:
    """The points of each hand and of the deck."""
    kind = next(kind for kind in state.game.program.kinds if kind.name == "Card")
    points = {member: n for n, member in enumerate(kind.members, 1)}
    zones = state.observation(EVERYTHING)["zones"]
    deck = sum(points[card] for card in zones["deck"])
    return [[sum(points[card] for card in zones[f"hand.p{seat}"]), deck] for seat in (1, 2)]


WHERE = """
rulespec: 1
id: where
title: Where
players: 2
boards: {Square: {square: 3 x 3}}
types: {Mark: [hit, miss]}
state:
  at: {is: Square, starts: b2}
  per Player: {home: {is: Square, starts: "if this == p1 then a1 else c3"}}
  shot: {is: Mark or none, by: [Player, Square]}
  road: {is: Player or none, by: [Square, Square]}
phases:
  game:
    do:
      - for: p in players
        do:
          - {choose: s, by: p, from: neighbours(at)}
          - {set: "shot(p, b1)", to: hit}
          - {set: "road(b1, s)", to: p}
          - {set: at, to: s}
      - {win: "those(p in players where home(p) == at)"}
"""


def test_variables_say_where_things_are_and_whose(tmp_path: Path) -> None:
    """One that names a cell is a flag there, each player's too; one by two cells is told at the first, as a line to the other.

    Of one by player and cell there is a board for each player."""
    file = tmp_path / "where.yaml"
    file.write_text(WHERE, encoding="utf-8")
    state = opened(file).new_state()
    state.apply_action(state.string_to_action("b1", 0), 0)
    state.apply_action(state.string_to_action("a1", 1), 1)
    board, first, second = state.table(1)["boards"]
    assert "title" not in board and [one["title"] for one in (first, second)] == ["shot, Player 1", "shot, Player 2"]
    for own in (first, second):
        assert {cell["thing"]: cell["label"] for cell in own["cells"] if "sign" in cell} == {"Square/b1": "hit"}
    cells = {cell["thing"].partition("/")[2]: cell for cell in board["cells"]}
    flags = {name: [flag["label"] for flag in cell["flags"]] for name, cell in cells.items() if "flags" in cell}
    assert flags == {"a1": ["at", "home Player 1"], "c3": ["home Player 2"]}
    assert [(one["label"], one["text"], one.get("to")) for one in cells["b1"]["holds"]] == [
        ("road a1", "Player 2", "Square/a1"),
        ("road b1", "Player 1", None),
    ]


def test_what_has_changed_since_the_last_choice() -> None:
    state = opened("tic_tac_toe").new_state(1)
    assert state.table(0)["changes"] is None
    for cell in ("a1", "b2"):
        state.apply_action(state.string_to_action(cell))
    changes = state.table(0)["changes"]
    assert changes["spots"] == ["Cell/a1", "Cell/b2"] and changes["log"] == 2
    assert changes["numbers"]["mark.b2"] == ["–", "O"]


def test_the_log_has_turns_and_things() -> None:
    state = opened("tic_tac_toe").new_state(1)
    for cell in ("a1", "b2"):
        state.apply_action(state.string_to_action(cell))
    assert state.table(None)["log"] == [
        {"by": "x", "lines": [[{"seat": "x", "text": "X"}, " marks ", {"thing": "Cell/a1", "text": "a1"}]]},
        {"by": "o", "lines": [[{"seat": "o", "text": "O"}, " marks ", {"thing": "Cell/b2", "text": "b2"}]]},
    ]


HINTED = """\
rulespec: 1
id: hinted
players: {free: Free, shadow: Shadow}
types:
  Suit: [cups, coins]
  Room: {members: {hall: Hall, tower: Tower, cellar: Cellar}}
pieces:
  Card: {fields: {rank: 1..3, suit: Suit}, rows: "each(rank in 1..3, suit in Suit)"}
zones:
  deck: {of: Card, starts with: those(c in Card where c.rank < 3)}
  played: {of: Card, per: Player}
  stock: {of: Card, per: Suit, starts with: those(c in Card where c.suit == this and c.rank == 3)}
state:
  laps: {is: 0..20, starts: 3}
  helper: {is: 0..9, starts: 1}
  marker: {is: Room, starts: tower}
  per Room: {visits: {is: 0..9, starts: 1}}
phases:
  game:
    do:
      - {move: those(c in deck where c.rank == 1), to: free.played}
      - {choose: level, by: free, from: 1..3, say: How high?}
"""
HINTS = """\
table:
  look:
    Card:
      colour: this.suit
      colours: {cups: teal}
      corner: "{this.rank + 10}"
      symbol: this.suit
      symbols: {cups: K}
      title: no
      lines: [{say: low, if: this.rank == 1}, "of {this.suit}"]
      sort: [this.suit, 0 - this.rank]
  zones:
    played: {at: centre, title: the trick}
    deck: {as: closed}
  state:
    laps: {as: track}
    helper: {shown: no}
  boards:
    Room: {column: 1, row: number(this), up: yes, look: chequered, answers: {level: number(this)}}
  seats: {shadow: purple}
  order: {Suit: down}
"""


def test_hints_say_how_the_table_is_shown(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(HINTED + HINTS)
    view = Game(rulespec.load(file)).new_state(1).table(0)
    check(view)
    one, two = view["things"]["Card/card_1_cups"], view["things"]["Card/card_2_coins"]
    assert (one["colour"], one["corner"], one["symbol"], one["title"]) == ("teal", "11", "K", "")
    assert one["lines"] == ["low", "of cups"] and two["lines"] == ["of coins"]
    assert (two["colour"], two["symbol"]) == ("yellow", "coin")
    assert view["zones"]["deck"]["form"] == "closed"
    assert view["zones"]["deck"]["items"] == [f"Card/{name}" for name in ("card_2_cups", "card_2_coins")]
    assert (view["zones"]["played.free"]["at"], view["zones"]["played.free"]["label"]) == ("centre", "the trick")
    assert view["groups"][0] == {"what": "centre", "zones": ["played.free", "played.shadow"]}
    assert [row["label"] for row in view["groups"][1]["rows"]] == ["coins", "cups"]
    assert [counter["id"] for counter in view["counters"]] == ["laps", "marker"]
    assert view["counters"][0]["track"] == {"low": 0, "high": 20}
    assert [seat["colour"] for seat in view["seats"]] == ["blue", "purple"]
    (board,) = view["boards"]
    assert [(cell["thing"], cell["x"], cell["y"]) for cell in board["cells"]] == [
        ("Room/hall", 0, 2), ("Room/tower", 0, 1), ("Room/cellar", 0, 0)
    ]  # fmt: skip
    assert board["look"] == "chequered" and board["cells"][1]["flags"] == [{"label": "marker", "counter": "marker"}]
    assert [option["things"] for option in view["decision"]["options"]] == [
        ["Room/hall"],
        ["Room/tower"],
        ["Room/cellar"],
    ]


def test_what_a_hint_takes_from_the_face_is_told_as_a_fact(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(HINTED + HINTS)
    plain, hinted = tmp_path / "plain.yaml", file
    plain.write_text(HINTED)
    bare, told = (Game(rulespec.load(f)).new_state(1).table(0)["things"]["Card/card_1_cups"] for f in (plain, hinted))
    facts = {name for name, _ in told["facts"]}
    assert "rank" in facts and "suit" not in facts  # the corner shows ten more; the symbol is the suit itself
    assert not {"suit", "rank"} & {name for name, _ in bare.get("facts", ())}


def test_hints_change_nothing_that_is_played(tmp_path: Path) -> None:
    plain, hinted = tmp_path / "plain.yaml", tmp_path / "hinted.yaml"
    plain.write_text(HINTED)
    hinted.write_text(HINTED + HINTS)
    assert rulespec.load(plain).digest == rulespec.load(hinted).digest


def test_a_variant_may_say_how_it_is_shown(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(HINTED + HINTS)
    (tmp_path / "variants").mkdir()
    (tmp_path / "variants/red.yaml").write_text(
        "extends: hinted\nid: red\nchanges:\n  - {set: table.look.Card.colours.cups, was: teal, to: red}\n"
    )
    view = Game(rulespec.load(file, variant="red")).new_state(1).table(0)
    assert view["things"]["Card/card_1_cups"]["colour"] == "red"


def test_the_stamp_tells_views_apart() -> None:
    state = opened("tic_tac_toe").new_state(1)
    first = state.table(0)["at"]
    assert first == state.clone().table(0)["at"] != state.table(1)["at"]
    state.apply_action(0)
    assert state.table(0)["at"] != first


def test_the_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "table", "tic_tac_toe", "--moves", "4", "--seed", "1", "--as", "1")
    view = json.loads(out)
    check(view)
    assert (code, view["you"], view["log_lines"]) == (0, "x", 4)


def test_the_handbook_names_every_icon() -> None:
    text = (ROOT / "docs/table.md").read_text(encoding="utf-8")
    assert [
        icon for icon in ICONS if f" {icon}," not in text and f" {icon}." not in text and f"\n{icon}," not in text
    ] == []


VERBS = """\
rulespec: 1
id: verbs
players: 2
pieces:
  Card: {fields: {rank: 1..9}, rows: {low: [1], high: [9]}}
zones:
  deck: {of: Card, order: shuffled, seen by: none, starts with: set(high)}
  display: {of: Card, starts with: set(low)}
  hand: {of: Card, per: Player, seen by: owner}
phases:
  game:
    do:
      - offer: action
        by: p1
        options:
          buy: {say: Buy, do: [{choose: card, by: p1, from: display}, {move: card, to: p1.hand}]}
          look:
            say: Draw first
            do: [{draw: 1, from: deck, to: p1.hand}, {choose: card, by: p1, from: display, or none: No}]
          rest: {say: Rest, do: [skip]}
"""


def test_verbs_that_are_meant_by_a_thing(tmp_path: Path) -> None:
    """A verb that cannot be taken back is not tried for anybody."""
    file = tmp_path / "game.yaml"
    file.write_text(VERBS)
    state = Game(rulespec.load(file)).new_state(1)
    before = state.to_json()
    assert state.ahead(0) == {"Card/low": [{"text": "Buy", "actions": [0, 0], "spots": ["display"]}]}
    assert state.ahead(1) == {} and state.to_json() == before
    assert state.ahead(0, 0) == state.ahead(0) and state.ahead(0, 1) == {}  # who looks has learnt what he drew


def test_what_may_follow_an_answer_that_a_thing_stands_for() -> None:
    """Where a man that is lifted may be put down, and why not elsewhere; of what is not legal nothing follows."""
    state = Game(rulespec.load("chess")).new_state(1)
    lifted = {option.name: option.action for option in state.decision(0).options}
    goals = state.ahead(0, lifted["b1"])
    assert [thing for thing, (one,) in goals.items() if "actions" in one] == ["Square/a3", "Square/c3"]
    assert goals["Square/b2"][0]["why"]
    assert state.ahead(0, lifted["a1"]) == {}

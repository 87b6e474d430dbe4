"""What can be read about things on the table: what their rules do in words, and the paragraphs of the rulebook that they rest on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import rulespec
from interpreter import Game
from tests.helpers.goldens import golden
from tests.helpers.places import GAMES, ROOT
from tests.helpers.screens import impatient, settled
from tests.helpers.serving import place
from tools.session import Session
from tools.terminal.app import PlayApp
from tools.terminal.screens import Reading

SPEC = """
rulespec: 1
id: read
title: Axes
players: 2
sources:
  L: {title: The rules, lines: 40}
  R1: >-
    An axe may be
    thrown.
  R3: Whoever has none passes.
  R2: Whoever is asked must answer.
events:
  struck: {takes: {amount: 0..9}}
types:
  Tool: {about: What one holds, cites: L3-5, fields: {name: Text, weight: 1..9}, rows: {axe: [Axe, 4], rope: [Rope, 2]}}
table:
  look: {Card: {about: Cards are thrown., cites: R3}}
pieces:
  Card: {fields: {name: Text, power: 0..9}, rows: {axe_card: [Great Axe, 3], shield_card: [Shield, 1], bow_card: [Bow, 2]}}
zones:
  hand: {of: Card, per: Player, seen by: owner}
  table_row: {of: Card}
  box: {of: Card, starts with: all, seen by: none}
state:
  hits: 0..9
functions:
  reach: {base: "1", gives: 0..9, layers: [{modifiers: add}]}
rules of:
  Card:
    axe_card:
      thrown:
        about: It flies.
        cites: [R1, L12]
        after: struck
        where: amount >= 2 and this in table_row
        may: "Throw {this} for {this.power}?"
        do: [{add: 1, to: hits}]
      worn:
        before: struck
        do:
          - if: hits < 3
            then: [{add: 1, to: hits, log: More}]
            else: [{set: hits, to: 0}]
      far:
        live: this in table_row
        modify: reach
        by: {add: 2}
phases:
  game:
    do:
      - {move: axe_card, to: p1.hand}
      - {move: bow_card, to: p2.hand}
      - {move: shield_card, to: table_row}
      - choose: card
        by: p1
        from: p1.hand
        cites: R2
        or none: Keep it
        say: Which card?
      - announce: struck
        with: {amount: reach}
      - choose: other
        by: p2
        from: table_row
        or none: Nothing
"""
AXE = {
    "thing": "Card/axe_card",
    "about": ["Cards are thrown."],
    "effects": [
        {
            "when": "after struck, if the amount is at least 2 and it is in the table row",
            "does": ["It flies.", "Throw Great Axe for 3?"],
        },
        {"when": "before struck", "does": ["if hits are less than 3: hits go up by 1", "if not: hits become 0"]},
        {"when": "if it is in the table row", "does": ["the reach: 2 more"]},
    ],
    "cites": [
        {"id": "R3", "text": "Whoever has none passes."},
        {"id": "R1", "text": "An axe may be thrown."},
        {"id": "L12", "text": "The rules, line 12"},
    ],
    "rests": [{"id": "R2", "text": "Whoever is asked must answer."}],
}


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "read.yaml"
    path.write_text(SPEC, encoding="utf-8")
    return path


def test_what_is_written_of_a_thing_and_of_a_question(spec: Path) -> None:
    game = Game(rulespec.load(spec))
    state = game.new_state(1)
    view = state.table(0)
    assert game.about(view, "Card/axe_card") == AXE
    bare = {"thing": "Card/shield_card", "about": AXE["about"], "cites": AXE["cites"][:1]}
    assert game.about(view, "Card/shield_card") == bare
    assert game.about(view) == {"rests": AXE["rests"]}
    assert game.about(view, "Card/bow_card") is None, "it is in the other one's hand"
    assert game.about(state.table(1), "Card/axe_card") is None
    assert game.about(state.table(1)) == {}, "somebody else is asked"


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_what_is_written_of_all_that_lies_there(folder: Path) -> None:
    """Each paragraph that is cited has its text, and nothing is left of what is to be filled in."""
    game = Game(rulespec.load(folder.name, cache=True))
    table = game.program.table
    view = game.new_state(3).table(0)
    for kind in game.program.kinds:
        view["things"] |= {f"{kind.name}/{member}": {} for member in kind.members}
    for thing in view["things"]:
        told = game.about(view, thing)
        assert told is not None
        texts = [text for effect in told.get("effects", ()) for text in (effect["when"], *effect["does"])]
        assert not any("{" in text or "_" in text for text in texts), texts
    for site, cites in table.questions:
        view["decision"] = {"site": site, "options": []}
        assert [one["id"] for one in game.about(view)["rests"]] == list(cites)
    view["decision"] = None
    cited = {cite for one in (*table.kinds, *table.effects) for cite in one.cites}
    read = {one["id"] for thing in view["things"] for one in (game.about(view, thing) or {}).get("cites", ())}
    assert read == cited


def test_what_pieces_do_reads_as_before() -> None:
    """All that is told of the pieces of the games whose pieces carry rules."""
    told: dict[str, None] = {}
    for folder in GAMES:
        for effect in Game(rulespec.load(folder.name, cache=True)).program.table.effects:
            told |= dict.fromkeys(f"{effect.when}\n    {text}" for text in effect.does)
    text = "\n".join(told) + "\n"
    assert text == golden(ROOT / "tests/golden/effects.txt", text)


@pytest.mark.parametrize("size", [(120, 40), (80, 24)], ids=str)
def test_on_the_screen(spec: Path, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """`i` on a card tells its effects and the paragraphs, and goes back with Esc."""
    impatient(monkeypatch)
    game = Game(rulespec.load(spec))
    app = PlayApp(Session(game, game.new_state(1), {0}, 1), pace=0, system="truecolor")

    async def go() -> None:
        async with app.run_test(size=size) as pilot:
            await settled(app)
            await pilot.press("i")
            assert isinstance(app.screen, Reading)
            text = " ".join(" ".join(app.screen.sheet.lines()).split())
            for part in (
                "Great Axe",
                "What it does",
                "reach: 2 more",
                "R1 An axe may be thrown.",
                "The rules, line 12",
            ):
                assert part in text
            assert text.endswith("What the question rests on R2 Whoever is asked must answer.")
            await pilot.press("escape")
            assert not isinstance(app.screen, Reading)

    asyncio.run(go())


def test_over_a_websocket(spec: Path, tmp_path: Path) -> None:
    """Whoever is shown a thing may read about it, who watches too; nobody reads about what he is not shown."""

    async def work() -> None:
        async with place(tmp_path) as there:
            room = await there.table(str(spec), players=2)
            async with there.player(room, "p1") as one, there.player(room, "spectator") as watching:
                await one.until(lambda me: me.asked)
                await watching.until(lambda me: me.view)
                told = await one.ask("about", at=one.at, thing="Card/axe_card")
                assert {key: told[key] for key in AXE} == AXE
                assert (await one.ask("about", at=one.at, thing="Card/bow_card"))["type"] == "illegal"
                assert (await one.ask("about", at=one.at, thing="No/such"))["type"] == "illegal"
                assert (await one.ask("about", at="9.9", thing="Card/axe_card"))["type"] == "stale"
                rules = await watching.ask("rules")
                assert rules["about"] == ["Nothing is said about this game."]
                assert rules["rulings"][0] == ["R1", "An axe may be thrown."]
                seen = await watching.ask("about", at=watching.at, thing="Card/shield_card")
                assert seen["thing"] == "Card/shield_card"
                assert (await watching.ask("about", at=watching.at, thing="Card/axe_card"))["type"] == "illegal"

    asyncio.run(asyncio.wait_for(work(), 60))

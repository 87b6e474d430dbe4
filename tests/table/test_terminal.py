"""The table on the screen: whole games played by keys at two sizes, goldens of what is drawn, keys, several people, colours.

The golden files show scenes as text; RULESPEC_GOLDEN=write writes them anew.  Then look at them.
`RULESPEC_ALL_GAMES=1` plays a game of everything that is shipped, at both sizes.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

import pytest
from rich.cells import cell_len

import rulespec
from interpreter import EVERYTHING, Game, State
from interpreter.bots.basics import Chance
from interpreter.files import transcript
from interpreter.testing.cases import run_case
from rulespec.cases.compiler import load_cases
from rulespec.language.palette import COLOURS, ICONS
from tests.helpers.commands import run
from tests.helpers.goldens import golden
from tests.helpers.places import GAMES, ROOT
from tests.helpers.screens import by_keys, impatient, opened, settled
from tools import unfinished
from tools.casebook.recording import Recording
from tools.session import Session
from tools.terminal import glyphs, walking
from tools.terminal.app import PlayApp
from tools.terminal.asked import Asked
from tools.terminal.layout import screen
from tools.terminal.paint import GROUND, SHADE, WRITING, Paint
from tools.terminal.scene import Scene
from tools.terminal.screens import Curtain, Reading
from tools.terminal.sheet import Meant, Run, Sheet, line, paragraph
from tools.terminal.shelf import ShelfApp
from tools.terminal.watch import WatchApp

SIZES = ((120, 40), (80, 24))
SHORT = {"tic_tac_toe": None, "connect_four": None, "kuhn_poker": 3}  # games of a second, with their players
# A position after some random answers: game, players, seed, at least how many.
SCENES = {
    "trick": ("hobbit_card_game", 4, 3, 34),
    "discard": ("hobbit_card_game", 4, 3, 0),
    "army": ("five_armies", None, 1, 60),
    "morris": ("nine_mens_morris", None, 2, 7),
    "chess": ("chess", None, 2, 9),
    "hex": ("hex", None, 2, 9),
    "tarot": ("lotr_tarot", None, 3, 20),
    "treasure": ("smaugs_treasure", None, 3, 30),
    "journey": ("hobbit_board_game", None, 3, 30),
    "seas": (ROOT / "tests/legitimate/z_battleship.yaml", None, 2, 9),
    "boxes": (ROOT / "tests/table/boxes.yaml", None, 2, 8),
}


AHEAD = """
rulespec: 1
id: ahead
players: 1
pieces: {Card: {rows: {a: {}, b: {}}}}
zones: {row: {of: Card, starts with: all}, kept: {of: Card}}
phases:
  game:
    do:
      - offer: act
        by: p1
        options:
          take:
            say: Take a card
            do:
              - choose: card
                by: p1
                from: row
                say: Which one?
              - {move: card, to: kept, log: "{card} is kept"}
          rest: {say: Rest, do: [{log: rest}]}
"""


GEMS = """
rulespec: 1
id: gems
players: 1
types:
  Gem: [ruby, opal, jade]
zones:
  bank: {of: Gem, kept as: counts, starts with: 5 of ruby + 5 of opal + 5 of jade}
phases:
  game:
    do:
      - choose: gems
        by: p1
        from: bank
        count: 3
        say: Take three
      - log: "{p1} takes {gems}"
"""


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    impatient(monkeypatch)


def again(state: State) -> State:
    """The same answers, given to a new state."""
    return state.game.replay(transcript.write(state))


# --- whole games -------------------------------------------------------------------------------------
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("game", SHORT)
def test_whole_games_by_keys(game: str, size: tuple[int, int]) -> None:
    app = by_keys(opened(game, SHORT[game], 5), size)
    assert app.fault is None
    state = app.session.state
    assert state.is_terminal()
    assert again(state).to_json() == state.to_json()
    assert "The game is over" in "\n".join(app.board.sheet.lines())


@pytest.mark.skipif("RULESPEC_ALL_GAMES" not in os.environ, reason="minutes: RULESPEC_ALL_GAMES=1")
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("game", [folder.name for folder in GAMES])
def test_every_game_by_keys(game: str, size: tuple[int, int]) -> None:
    app = by_keys(opened(game, None, 5), size)
    assert app.fault is None
    state = app.session.state
    assert state.is_terminal() and again(state).to_json() == state.to_json()


# --- what is drawn -----------------------------------------------------------------------------------
def scene_of(name: str, paint: Paint | None = None) -> Scene:
    """A scene, as the one who is asked sees it."""
    game, players, seed, moves = SCENES[name]
    session = opened(game, players, seed, (0,))
    chance, state = Chance(seed), session.state
    while moves > 0 or state.current_player() != 0 or len(state.legal_actions()) < 2:
        state.apply_action(chance.one_of(state.legal_actions()))
        moves -= 1
    view = session.table(0)
    asked = Asked(view["decision"], state.ahead(0))
    return Scene(view, asked, paint or Paint(), hints=[("⏎", "take"), ("F1", "keys")])


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", SCENES)
def test_scenes_are_drawn_as_they_were(name: str, size: tuple[int, int]) -> None:
    sheet = screen(scene_of(name), *size)
    text = "\n".join(sheet.lines()) + "\n"
    assert (sheet.width, sheet.height) == size
    assert all(len(row) == size[0] for row in sheet.rows)
    assert text == golden(ROOT / f"tests/golden/terminal/{name}_{size[0]}x{size[1]}.txt", text)


@pytest.mark.parametrize("name", SCENES)
def test_every_legal_answer_can_be_reached(name: str) -> None:
    """Each is a spot of the screen, or a number of the list that is not cut off before the arrows come there."""
    for size in SIZES:
        scene = scene_of(name)
        sheet = screen(scene, *size)
        reached = {choice.action for spot in sheet.spots for choice in scene.asked.meant_by(spot.meant) if choice.legal}
        missing = [choice for choice in scene.asked.legal if choice.action not in reached]
        assert not missing or any(spot.region == "question" for spot in walking.stops(sheet, scene.asked))
        for choice in missing:  # they come into the window when the arrows, or what is typed, get there
            scene.focus = Meant(None, None, choice.action)
            scene.typed = ""
            spots = screen(scene, *size).spots
            assert any(spot.meant == scene.focus for spot in spots), choice


def test_without_colours_each_is_said_in_letters() -> None:
    scene = scene_of("trick", Paint(None))
    sheet = screen(scene, 120, 40)
    for row in sheet.rows:
        assert all(style.color is None and style.bgcolor is None for _, style in row)
    text = "\n".join(sheet.lines())
    for thing in scene.zones["hand.p1"]["items"]:
        face = scene.things[thing]
        assert f"{glyphs.LETTERS[face['colour']]}{face['corner']}" in text
    assert text + "\n" == golden(ROOT / "tests/golden/terminal/trick_no_colour.txt", text + "\n")


def test_every_colour_and_sign_is_there() -> None:
    for table in (GROUND, WRITING, SHADE, glyphs.LETTERS):
        assert set(table) == set(COLOURS)
    assert len(set(glyphs.LETTERS.values())) == len(COLOURS)
    assert set(glyphs.GLYPHS) <= set(ICONS)
    assert all(cell_len(sign) == 1 for sign in glyphs.GLYPHS.values())
    assert all(1 <= cell_len(glyphs.sign(icon)) <= 2 for icon in ICONS)


def test_texts_are_cut_and_broken_where_they_should() -> None:
    assert line([Run("a game of several words")], 10).lines() == ["a game of…"]
    assert paragraph([Run("one two "), Run("three four")], 9).lines() == ["one two", "three", "four"]
    assert paragraph([Run("Donaudampfschiff")], 6).lines() == ["Donaud", "ampfsc", "hiff"]
    assert paragraph([Run("龍龍龍")], 4).lines() == ["龍龍", "龍"]
    sheet = Sheet(4, 1)
    sheet.put(0, 0, "\x1b[31m", Paint().text())
    assert "\x1b" not in sheet.lines()[0]


# --- keys ------------------------------------------------------------------------------------------
def press(session: Session, *keys: str, size: tuple[int, int] = (80, 24)) -> PlayApp:
    """The app after some keys."""
    app = PlayApp(session, pace=0, system="truecolor")

    async def go() -> None:
        async with app.run_test(size=size) as pilot:
            await settled(app)
            for key in keys:
                await pilot.press(key)
                await settled(app)

    asyncio.run(go())
    return app


def shown(app: PlayApp) -> str:
    return "\n".join(app.board.sheet.lines())


def test_numbers_names_and_undo() -> None:
    session = opened("tic_tac_toe", None, 1, (0, 1))
    app = press(session, "5", "a", "1", "enter", "8")
    assert app.session.state.log_lines(None) == ["X marks b2", "O marks a1"], "seven are left"
    app = press(app.session, "u")
    assert app.session.state.log_lines(None) == ["X marks b2"] and app.sitting == 1


def test_the_arrows_go_to_the_cell_beside() -> None:
    app = press(opened("tic_tac_toe", None, 1, (0, 1)), "right", "down", "enter", "down", "enter")
    assert app.session.state.log_lines(None) == ["X marks b2", "O marks a2"]


def test_a_click_is_an_answer_and_the_other_button_looks_closely() -> None:
    app = PlayApp(opened("tic_tac_toe", None, 1, (0, 1)), pace=0, system="truecolor")

    async def go() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await settled(app)
            spot = walking.spot_of(app.board.sheet, Meant("Cell/c1"))
            assert spot is not None
            await pilot.click(offset=(spot.x + 1, spot.y + 1))
            await settled(app)
            await pilot.click(offset=(spot.x + 1, spot.y + 1), button=3)
            assert isinstance(app.screen, Reading)

    asyncio.run(go())
    assert app.session.state.log_lines(None) == ["X marks c1"]


@pytest.mark.parametrize(("key", "outcome"), [("ctrl+c", "interrupted"), ("q", "left"), ("ctrl+q", "left")])
def test_leaving(key: str, outcome: str, tmp_path: Path) -> None:
    game = opened("tic_tac_toe", None, 1)
    kept = Session(game.game, game.state, {0}, 1, tmp_path / "kept.json")
    assert press(kept, "5", key).return_value == outcome
    unsaved = press(opened("tic_tac_toe", None, 1), "5", "ctrl+q", "escape", "q", "3")
    assert unsaved.return_value == "left", "where nothing is kept, it is asked first"


def test_a_case_is_recorded_between_two_keys(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    shutil.copytree(ROOT / "games/tic_tac_toe", folder)
    session = opened("tic_tac_toe", None, 1, (0, 1))
    session.recording = Recording(str(folder))
    press(session, "5", "f7", *"here", "enter", "1", "f7", "ctrl+q", "escape")
    suite, findings = load_cases(folder)
    assert suite is not None and not findings
    (here,) = [case for case in suite.cases if case.name == "here"]
    assert [entry.words for entry in here.script if entry.what == "answer"] == [("a1",)]
    assert run_case(suite, here).passed


def test_the_log_goes_back_to_the_beginning() -> None:
    session = opened("othello", None, 8, ())
    app = PlayApp(session, pace=0, system="truecolor")
    texts: list[str] = []

    async def go() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await settled(app)
            while not isinstance(app.screen, Reading):
                await pilot.pause()
            await pilot.press("escape")
            while isinstance(app.screen, Reading):
                await pilot.pause()
            await pilot.press("l")
            while not isinstance(app.screen, Reading):
                await pilot.pause()
            reading = app.screen
            assert isinstance(reading, Reading)
            texts.extend(reading.sheet.lines())

    asyncio.run(go())
    lines = session.state.log_lines(None)
    assert [text.strip(" ▎") for text in texts] == lines


def test_what_is_refused_says_why() -> None:
    app = press(opened("tic_tac_toe", None, 1, (0, 1)), "5", "b", "2", "enter")
    assert app.session.state.log_lines(None) == ["X marks b2"]
    assert app.scene is not None and app.scene.said.startswith("b2: ")
    assert app.scene.said in shown(app)


def test_a_set_is_collected_in_any_order_and_taken_out_again() -> None:
    session = opened("hobbit_card_game", 4, 3)
    app = press(session, "1", "3", "0", "1", "enter", "8", "7", "1", "enter")
    assert app.scene is not None
    chosen = [item["text"] for item in app.scene.asked.collected["chosen"]]  # type: ignore[index]
    assert len(chosen) == 3, "the first was put in and taken out again, by the same number"
    assert len(app.session.state.log_lines(0)) == len(opened("hobbit_card_game", 4, 3).state.log_lines(0))
    app = press(app.session, "2", "3", "enter")
    assert not app.session.picked


def test_how_many_of_each_is_counted_up_and_down(tmp_path: Path) -> None:
    """`+` and `-` go among the numbers, a digit is its number; what is settled is summed up."""
    path = tmp_path / "gems.yaml"
    path.write_text(GEMS, encoding="utf-8")
    game = Game(rulespec.load(path))
    app = press(Session(game, game.new_state(1), {0}, 1), "plus", "plus", "minus", "plus", "enter")
    assert "so far: 2 ruby; 2 of 3 in all" in shown(app)
    app = press(app.session, "1")
    assert app.session.state.log_lines(None) == ["Player 1 takes 2 ruby and 1 opal"]


@pytest.mark.parametrize(
    ("keys", "said"),
    [(("escape",), []), (("u",), []), (("enter",), ["a is kept"]), ((), ["a is kept"]), (("2",), ["rest"])],
)
def test_what_answers_several_questions_at_once_waits_for_a_moment(keys, said, tmp_path, monkeypatch) -> None:
    """Pointing at a card gives `take` and then the card; until it is given it can be left."""
    monkeypatch.setattr("tools.terminal.answering.HOLD", 0.05 if not keys else 60)
    file = tmp_path / "game.yaml"
    file.write_text(AHEAD, encoding="utf-8")
    game = Game(rulespec.load(file))
    app = PlayApp(Session(game, game.new_state(1), {0}, 1), pace=0, system="truecolor")

    async def go() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await settled(app)
            while not app.shown.asked.ahead:
                await asyncio.sleep(0.001)
            spot = walking.spot_of(app.board.sheet, Meant("Card/a", "row"))
            assert spot is not None
            await pilot.click(offset=(spot.x + 1, spot.y))
            assert (
                app.held is not None and app.shown.said.startswith("Take a card: a") and not app.session.state.decisions
            )
            for key in keys:
                await pilot.press(key)
            while not keys and app.held is not None:
                await asyncio.sleep(0.01)
            await settled(app)

    asyncio.run(go())
    assert app.held is None
    assert app.session.state.log_lines(None) == said


def test_two_people_with_secrets_never_see_the_other_ones_cards() -> None:
    session = opened("kuhn_poker", 2, 4, (0, 1))
    app = PlayApp(session, pace=0, system="truecolor")

    async def go() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await settled(app)
            assert isinstance(app.screen, Curtain)
            assert app.scene is None and not shown(app).strip()
            await pilot.press("enter")
            assert app.scene is not None and app.scene.view["you"] == "p1"
            await pilot.press("1")
            await settled(app)
            assert isinstance(app.screen, Curtain) and not shown(app).strip()

    asyncio.run(go())


def test_bots_alone_are_watched() -> None:
    app = press(opened("tic_tac_toe", None, 1, ()))
    assert app.session.state.is_terminal()
    assert app.scene is not None and "over" in app.scene.status


def test_saved_after_each_answer(tmp_path: Path) -> None:
    game = opened("tic_tac_toe", None, 1)
    save = tmp_path / "kept.json"
    session = Session(game.game, game.state, {0}, 1, save)
    press(session, "5")
    loaded = game.game.state_from_json(save.read_text(encoding="utf-8"))
    assert loaded.log_lines(EVERYTHING)[:1] == ["X marks b2"] and len(loaded.log_lines(EVERYTHING)) == 2


# --- watching, the shelf, what was left -------------------------------------------------------------
def test_a_transcript_is_walked_through_forwards_and_back() -> None:
    session = opened("tic_tac_toe", None, 3, ())
    press(session)
    app = WatchApp(session.state, system="truecolor")
    seen: list[str] = []

    async def go() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            while not app.begun:
                await asyncio.sleep(0)
            for key in ("right", "right", "left", "end", "home"):
                await pilot.press(key)
                seen.append(app.shown.status)

    asyncio.run(go())
    steps = session.state.decisions
    assert [text.split(";")[0] for text in seen] == [f"Step {n} of {steps}" for n in (1, 2, 1, steps, 0)]
    assert "the game is over" in seen[3]


def test_a_game_is_chosen_from_the_shelf() -> None:
    app = ShelfApp(rulespec.list_games(), ["chess"])

    async def go() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press(*"hobbit card", "enter")
            await pilot.pause()
            await pilot.press("1")  # as it is, not a variant
            await pilot.pause()
            await pilot.press("3")
            await pilot.pause()

    asyncio.run(go())
    assert app.return_value == ("hobbit_card_game", 4, None)


def test_a_game_that_was_left_can_be_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(unfinished.VARIABLE, str(tmp_path / "kept"))
    fresh = opened("tic_tac_toe", None, 1)
    place = unfinished.place(fresh.game)
    assert place is not None
    press(Session(fresh.game, fresh.state, {0}, 1, place), "5")  # and killed
    before = unfinished.left(fresh.game, place)
    assert before is not None and before.decisions == 2 and unfinished.ids() == {"tic_tac_toe"}
    session = Session(fresh.game, fresh.game.new_state(9), {0}, 1, place)
    app = PlayApp(session, pace=0, system="truecolor", before=before)

    async def go() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await pilot.press("1")
            await pilot.pause()

    asyncio.run(go())
    assert app.session.state.log_lines(None)[0] == "X marks b2"
    unfinished.forget(place)
    assert unfinished.left(fresh.game, place) is None


def test_the_command_that_watches_a_saved_transcript_can_be_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, said = opened("tic_tac_toe", None, 3, ()), list[str]()
    app = PlayApp(session, system="truecolor")
    monkeypatch.setattr(app, "say", said.append)
    file = tmp_path / "my game.jsonl"
    app.save_transcript(str(file))
    monkeypatch.setattr("tools.terminal.app.shipped_games", list)
    app.save_transcript(str(file))
    assert said == [f"saved; rulespec watch '{file}'", f"saved; rulespec watch '{file}' --game GAME"]


def test_a_transcript_is_told_in_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = opened("tic_tac_toe", None, 3, ())
    press(session)
    file = tmp_path / "game.jsonl"
    file.write_text(transcript.write(session.state), encoding="utf-8")
    code, out, err = run(capsys, "watch", str(file))
    assert (code, err) == (0, "")
    told = [text.split(maxsplit=1)[1] for text in out.partition("\n\n")[0].splitlines()]
    assert told == session.state.log_lines(EVERYTHING)
    assert len(run(capsys, "watch", str(file), "--at", "4")[1].splitlines()) == len(out.splitlines()) - 3

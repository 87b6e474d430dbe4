"""Cases that are written from games that were played: they hold, lint has nothing against them, and they are small."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import rulespec
from interpreter import Game
from interpreter.files import transcript
from interpreter.runtime import rng
from rulespec.cases.compiler import load_cases
from tests.helpers.places import ROOT
from tests.helpers.wells import WELLS
from tools.casebook.book import added, text
from tools.casebook.recording import Recording
from tools.casebook.trials import Draft
from tools.cli import main
from tools.keyboard import EndOfInput, Keyboard
from tools.table import PlayTable

GAMES = ROOT / "games"
SMALL = ["tic_tac_toe", "kuhn_poker", "leduc_poker", "breakthrough"]  # any other takes more seconds


def played(folder: Path, answers: int, seed: int = 5) -> str:
    """The transcript of a random game, or of its first answers."""
    game = Game(rulespec.load(folder))
    state = game.new_state(seed)
    counter = 0
    for _ in range(answers):
        if state.is_terminal():
            break
        legal = state.legal_actions()
        number, counter = rng.below(seed, counter, len(legal))
        state.apply_action(legal[number])
    return transcript.write(state)


@pytest.mark.parametrize("name", SMALL)
def test_a_case_of_a_random_game_holds(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / name
    shutil.copytree(GAMES / name, folder, ignore=shutil.ignore_patterns("cases", "variants", "bots"))
    record = tmp_path / "game.jsonl"
    record.write_text(played(folder, 8), encoding="utf-8")
    answers = [line for line in record.read_text(encoding="utf-8").splitlines()[1:] if '"end"' not in line]
    places = [n for n, line in enumerate(answers) if '"chance"' not in line]
    chosen = {places[len(places) // 2], places[-1]}
    for number in chosen:
        arguments = ["case", f"{record}:{number}", "--name", f"after_{number}", "--game", str(folder)]
        assert main(arguments) == 0, capsys.readouterr().err
    suite, findings = load_cases(folder)
    assert suite is not None and not findings and len(suite.cases) == len(chosen)
    assert main(["test", str(folder)]) == 0
    assert main(["lint", str(folder)]) == 0


def test_a_position_is_laid_as_far_as_the_rules_read_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A procedure that reads some variables needs no other, though all have changed by then."""
    game = tmp_path / "wells.yaml"
    game.write_text(WELLS, encoding="utf-8")
    record = tmp_path / "game.jsonl"
    record.write_text(played(game, 6), encoding="utf-8")
    assert main(["case", f"{record}:4", "--name", "third_turn", "--game", str(game), "--print"]) == 0
    assert capsys.readouterr().out.rstrip("\n") == CASE


CASE = """\
  third_turn:
    given:
      - {set: lamps, to: 5}
      - {set: p1.coins, to: 8}
    run:
      - turn: p1
    play:
      - asks: {p1: well}
      - offers: {p1: [deep, dry]}
      - p1: dry
      - asks: nobody
    expect:
      - lamps == 4
      - p1.coins == 16"""


def test_what_is_counted_and_chosen_in_any_order_comes_to_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A procedure that is run by a player alone; a choice of several that ends without a word; pieces that are counted."""
    game = tmp_path / "market.yaml"
    game.write_text(MARKET, encoding="utf-8")
    record = tmp_path / "game.jsonl"
    state = Game(rulespec.load(game)).new_state(1)
    for answer in ("high", "3", "low", "middle", "2"):
        state.apply_action(state.string_to_action(answer))
    record.write_text(transcript.write(state), encoding="utf-8")
    words = ["--game", str(game), "--print", "--name"]
    assert main(["case", f"{record}:4", *words, "sold"]) == 0
    assert capsys.readouterr().out.rstrip("\n") == SOLD
    assert main(["case", f"{record}:0", "--game", str(game), "--name", "begun", "--answers", "5"]) == 0
    assert main(["test", str(game)]) == 0


MARKET = """\
rulespec: 1
id: market
title: Market
players: 2
types:
  Bid: [low, middle, high]
  Good: [grain, ore]
zones:
  stock: {of: Good, kept as: counts, starts with: 9 of grain + 9 of ore}
  store: {of: Good, per: Player, kept as: counts}
state:
  per Player:
    bids: set of Bid
procedures:
  bid:
    takes: {me: Player, least: 0..2 = 1}
    do:
      - choose: chosen
        by: me
        from: Bid
        count: least..2
      - set: me.bids
        to: chosen
  trade:
    takes: {me: Player}
    do:
      - choose: chosen
        by: me
        from: 1..3
      - move: (if high in me.bids then chosen of ore else chosen of grain)
        from: stock
        to: me.store
phases:
  game:
    do:
      - for: me in players
        do:
          - bid:
            by: me
          - trade:
            by: me
end of game:
  winners: most(p in players by size(p.store))
"""
SOLD = """\
  sold:
    given:
      - {move: 3 of ore, from: stock, to: p1.store}
    run:
      - trade:
        by: p2
    play:
      - asks: {p2: chosen}
      - offers: {p2: [1, 2, 3]}
      - p2: 2
      - asks: nobody
    expect:
      - stock == 7 of grain + 6 of ore
      - p2.store == 2 of grain"""


def test_a_book_of_cases(tmp_path: Path) -> None:
    case = text("a", Draft(play=({"p1": "yes"}, {"p2": "2 of ruby, 1"}), expect=('x == "a b"',)))
    book = tmp_path / "book.yaml"
    assert added(book, case) == f"cases:\n{case}"
    assert case.endswith(
        '    play:\n      - p1: yes\n      - p2: "2 of ruby, 1"\n    expect:\n      - "x == \\"a b\\""\n'
    )
    book.write_text("cases:\n  b:\n    run: [game]", encoding="utf-8")
    assert added(book, case).splitlines()[2:4] == ["    run: [game]", "  a:"]
    book.write_text("cases:\n  b: {run: [game]}\nstate:\n  x: 0..2\n", encoding="utf-8")
    with pytest.raises(ValueError, match="does not end with its cases"):
        added(book, case)


class Typist(Keyboard):
    """Somebody who types these lines."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self.lines = iter(lines)

    def line(self, _prompt: str = "> ") -> str:
        try:
            return next(self.lines)
        except StopIteration:
            raise EndOfInput from None


def test_a_case_is_recorded_while_one_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "wells.yaml"
    file.write_text(WELLS, encoding="utf-8")
    game = Game(rulespec.load(file))
    lines = ["deep", "case a b", "case done", "case here", "dry", "deep", "case done", "case here", "case done"]
    sitting = PlayTable(game, game.new_state(1), {0, 1}, 1, keyboard=Typist(lines))
    sitting.recording = Recording(str(file))
    sitting.play()
    told = capsys.readouterr().out
    assert "`a b` cannot be the name of a case" in told and "no case has begun" in told
    assert f"written: the case `here` in {file}" in told and "nothing was answered since `here` began" in told
    suite, findings = load_cases(file)
    assert suite is not None and not findings and [case.name for case in suite.cases] == ["here"]
    assert main(["test", str(file)]) == 0
    assert "- p2: dry\n      - p1: deep\n" in file.read_text(encoding="utf-8")


def test_what_no_case_is_made_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "wells.yaml"
    file.write_text(WELLS + "cases: {taken: {play: [{p1: dry}], expect: lamps == 8}}\n", encoding="utf-8")
    record = tmp_path / "game.jsonl"
    record.write_text(played(file, 3), encoding="utf-8")
    there = ["--game", str(file), "--name"]
    assert main(["case", f"{record}:3", *there, "late"]) == 2
    assert main(["case", f"{record}:1", *there, "2 words"]) == 1
    assert main(["case", f"{record}:1", *there, "taken"]) == 1
    told = capsys.readouterr().err
    assert "there are 3 answers" in told and "there is a case named `taken` already" in told
    assert main(["case", f"{record}:1", *there, "new"]) == 1
    assert "does not end with its cases" in capsys.readouterr().err


SKELETON = """\
  # takes p: Player; asks for well
  turn_does:
    run:
      - turn: p1
    play:
      - asks: {p1: well}
      - offers: {p1: [deep, dry]}
      - p1: deep
      - asks: nobody
    expect:
      - lamps == 8
      - p1.coins == 4
"""


def test_a_case_to_begin_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "wells.yaml"
    file.write_text(WELLS, encoding="utf-8")
    assert main(["new", "case", str(file), "turn"]) == 0
    assert capsys.readouterr().out == SKELETON
    file.write_text(f"{WELLS}cases:\n{SKELETON}", encoding="utf-8")
    assert main(["test", str(file)]) == main(["lint", str(file)]) == 0
    capsys.readouterr()
    assert main(["new", "case", str(file), "turn"]) == 0
    assert "  turn_does_2:\n" in capsys.readouterr().out
    assert main(["new", "case", str(file), "trun"]) == 2
    assert "did you mean `turn`?" in capsys.readouterr().err
    assert main(["new", "another", str(file), "turn"]) == 2

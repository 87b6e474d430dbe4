"""`play` and `replay`: at a terminal, with answers from a file, and with nobody there."""

from __future__ import annotations

import json
import os
import random
import re
import tempfile
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest

import rulespec
from interpreter import Choice, Game
from interpreter.questions import Collected, Decision
from tests.helpers.commands import run, typed
from tests.helpers.games import ALL, fewest, loaded
from tests.helpers.pseudo_terminal import Terminal, posix
from tools import answers, session, table
from tools.keyboard import Keyboard
from tools.terminal.asked import Asked
from tools.view import EMPTY, Section, describe


# --- nobody there ---------------------------------------------------------------------------------
@pytest.mark.parametrize("game", ["tic_tac_toe", "kuhn_poker", "leduc_poker"])
def test_without_a_terminal_bots_play_to_the_end(
    game: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch)
    code, out, err = run(capsys, "play", game)
    assert (code, err) == (0, "")
    assert re.search(r"^(Winners?: .+|Nobody wins: it is a draw\.)$", out, re.M)
    seed = out.splitlines()[-1].removeprefix("seed ")
    again = run(capsys, "play", game, "--seed", seed)[1]
    assert again == out


def test_a_game_begins_where_a_case_ends(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed(monkeypatch)
    code, out, err = run(capsys, "play", "tic_tac_toe", "--case", "three_in_a_row")
    assert (code, err) == (0, "") and "Winner: X" in out
    code, out, _ = run(capsys, "play", "leduc_poker", "--case", "two_raises_in_a_round", "--seed", "3")
    assert code == 0 and run(capsys, "play", "leduc_poker", "--case", "two_raises_in_a_round", "--seed", "3")[1] == out
    code, _, err = run(capsys, "play", "tic_tac_toe", "--case", "three_in_row")
    assert code == 2 and "did you mean `three_in_a_row`?" in err
    code, _, err = run(capsys, "play", "tic_tac_toe", "--case", "three_in_a_row", "--players", "2")
    assert code == 2 and "`--case` says how it begins" in err


@pytest.mark.parametrize(
    ("returns", "said"),
    [("0 - 1", "Nobody wins: all have lost."), ("0", "Nobody wins: it is a draw."), ("1", "All have won together.")],
)
def test_all_lose_or_all_are_equal(
    returns: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = tmp_path / "game.yaml"
    game.write_text(
        f"rulespec: 1\nid: x\nplayers: 2\nphases: {{game: {{do: [skip]}}}}\nend of game: {{returns: {returns}}}\n"
    )
    typed(monkeypatch)
    code, out, _ = run(capsys, "play", str(game))
    assert code == 0 and said in out


def test_what_was_chosen_in_secret_is_shown_of_all_where_bots_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of the last player too, after whose answer the rules go on and log something."""
    (tmp_path / "game.yaml").write_text(
        "rulespec: 1\nid: x\nplayers: 2\nphases:\n  game:\n    do:\n"
        "      - together: p in players\n        do:\n          - {choose: bid, by: p, from: 1..3, say: Bid}\n"
        '      - {log: "All have bid"}\n      - {win: p1}\n'
    )
    typed(monkeypatch)
    shown = r"Player 1: Bid: \d\n *(?:2 +)?Player 2: Bid: \d\n *(?:2 +)?All have bid\n"
    file = tmp_path / "game.jsonl"
    assert re.search(shown, run(capsys, "play", str(tmp_path), "--bots", "--transcript", str(file))[1])
    assert re.search(shown, run(capsys, "watch", str(file), "--game", str(tmp_path), "--plain")[1])


def test_three_players_and_their_scores(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed(monkeypatch)
    _, out, _ = run(capsys, "play", "kuhn_poker", "--players", "3", "--seed", "4")
    assert out.count("(bot)") == 3
    sheet = out[out.index("result") :].splitlines()
    assert len(sheet) == 5
    assert sum(int(line.split()[-1]) for line in sheet[1:4]) == 0


def test_a_wide_sheet_has_a_column_for_each_player(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch)
    _, out, _ = run(capsys, "play", "lotr_tarot", "--players", "3", "--seed", "4", "--bots")
    names, result, *lines = out[out.index("Player 1  Player 2") :].splitlines()
    assert names.split() == ["Player", "1", "Player", "2", "Player", "3"]
    assert result.split()[0] == "result" and len(lines) == 25
    totals = [[int(n) for n in line.split()[-3:]] for line in lines if "Totals" in line or "Most/Less" in line]
    final = next(line for line in lines if "Final Score" in line)
    assert [sum(column) for column in zip(*totals, strict=True)] == [int(n) for n in final.split()[-3:]]


def test_a_series_and_a_game_agree(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed(monkeypatch)
    _, out, _ = run(capsys, "simulate", "leduc_poker", "--games", "1", "--seed", "9", "--json")
    returns = json.loads(out)["returns"]["sum"]
    _, out, _ = run(capsys, "play", "leduc_poker", "--seed", "9", "--bots")
    sheet = out[out.index("result") :].splitlines()[1:3]
    assert [int(line.split()[-1]) for line in sheet] == returns


# --- answers from a file --------------------------------------------------------------------------
def test_answers_and_commands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    typed(
        monkeypatch,
        "help",
        "",
        "b2",
        "? b2",
        "b2",
        "?",
        "a1",
        "99",
        "c",
        "state",
        "log",
        "undo",
        "save " + str(tmp_path / "kept.json"),
        "1",
        "2",
        "3",
        "quit",
    )
    arguments = ("play", "tic_tac_toe", "--all", "--seed", "1")
    code, out, err = run(capsys, *arguments)
    assert code == 0
    assert "a number or a name" in out
    assert out.count("=== X ===") >= 2 and out.count("=== O ===") >= 2
    refused = [line for line in out.splitlines() if line.startswith("b2: ")]
    assert len(refused) == 2 and "legal" not in refused[0]
    assert any(line.startswith("   –  b2: ") for line in out.splitlines())
    assert "`99` is no option here" in out
    assert "which one: c1, c2, c3?" in out
    assert "nothing of yours to take back" in out
    assert f"saved to {tmp_path / 'kept.json'}" in out
    assert err == "the game was left and not saved\n"


def test_what_was_played_can_be_taken_back(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    faulty: str,
) -> None:
    typed(monkeypatch, "up", "undo", "stay", "up", "undo", "undo", "up", "stay", "stay")
    code, out, err = run(capsys, "play", faulty, "--as", "1")
    assert (code, err) == (0, "")
    assert out.count("taken back") == 3
    assert "after 3 decisions" in out


def test_the_end_of_the_answers_is_not_the_end_of_the_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "b2")
    code, out, err = run(capsys, "play", "tic_tac_toe", "--as", "x", "--seed", "3")
    assert (code, err) == (0, "no more answers: bots play on\n")
    assert "The game is over" in out


def test_a_close_look_in_lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed(monkeypatch, "look EAGLE", "look player 2", "look g", "look xyzzy", "? 1", "quit")
    _, out, _ = run(capsys, "play", "smaugs_treasure", "--as", "1", "--seed", "3")
    eagle = out[out.index("Eagle (Companion)\n") : out.index("Player 2 (Player)\n")]
    assert {"  gems: 2", "  besides: shuffles discards", "  lies in: hand of Player 1"} <= set(eagle.splitlines())
    assert "  L47-57" in eagle and "  Points: 0\n" in out and "  hand: 4 face down\n" in out
    assert "which one: " in out and "nothing on the table is called `xyzzy`\n" in out
    assert ": legal\n" in out and out.count("(Companion)\n") == 2


def test_a_close_look_shows_nobody_what_he_may_not_see(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for seed in range(4):
        typed(monkeypatch, "look jack", "look queen", "look king", "quit")
        _, out, _ = run(capsys, "play", "kuhn_poker", "--as", "1", "--seed", str(seed))
        assert (out.count(" (Card)\n"), out.count("nothing on the table is called")) == (1, 2)


def test_a_seat_sees_only_what_it_may(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in range(6):
        typed(monkeypatch, "state", "log", "?", "quit")
        _, out, _ = run(capsys, "play", "kuhn_poker", "--as", "1", "--seed", str(seed))
        own = re.findall(r"Player 1 \(you\)\n.*?\n\n", out, re.S)
        assert len(own) == 2
        assert len(set(re.findall("jack|queen|king", "".join(own)))) == 1
        for section in own:
            out = out.replace(section, "")
        assert not re.search("jack|queen|king", out)


def test_what_has_not_changed_is_not_told_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "1", "1", "1", "1", "state")
    _, out, _ = run(capsys, "play", "smaugs_treasure", "--as", "1", "--seed", "3")
    rows = [text[2:] for text in out.splitlines() if re.match(r"^(\* |  )(hand|display|gem bag) {2,}", text)]
    for name in ("hand", "display", "gem bag"):
        told = [text for text in rows if text.startswith(f"{name} ")]
        *told, again = told  # `state` shows the whole table
        assert len(told) > 1 and all(one != other for one, other in pairwise(told)), name
        assert again == told[-1]


def test_of_what_is_gone_it_is_said_that_nothing_is_there() -> None:
    before = Section("Table", "Table", {"bag": ["  bag  3"], "pile": ["  pile  1", "    2"], "won": ["  won  no"]})
    now = Section("Table", "Table", {"bag": ["  bag  2"], "pile": ["  pile  1", "    2"]})
    assert now.since(before) == ["Table", "* bag  2", f"* won  {EMPTY}"]
    wider = Section("Table", "Table", {"bag": ["  bag     2"], "pile": ["  pile    1 2"]})
    assert wider.since(now) == [], "it is folded otherwise, and says the same"
    assert now.since(now) == [] and now.since(None) == ["Table", "* bag  2", "* pile  1", "    2"]


def test_rules_are_told_and_long_lines_are_folded(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "rules")
    monkeypatch.setenv("COLUMNS", "60")
    _, out, _ = run(capsys, "play", "smaugs_treasure", "--as", "1", "--seed", "3")
    assert "Counted at the end: Foes, Gems, Points." in " ".join(out.split())
    assert all(len(text) <= 60 for text in out.splitlines()), max(out.splitlines(), key=len)


# --- what somebody typed ------------------------------------------------------------------------------
OPTIONS = (
    Choice(10, "red_1", "Red 1", False, "You must follow blue"),
    Choice(11, "blue_1", "Blue 1", True),
    Choice(12, "blue_12", "Blue 12", True),
    Choice(13, "none", "Play nothing", True),
    Choice(14, "7", "Seven", True),
)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("1", 11), ("2", 12), ("4", 14), ("7", 14), ("blue_1", 11), ("Blue  1", 11), ("BLUE_12", 12),
        ("play", 13), ("no", 13), ("nothing", 13), ("sev", 14),
    ],
)  # fmt: skip
def test_understanding(text: str, action: int) -> None:
    assert answers.understand(text, OPTIONS).action == action


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("blue", "which one: blue_1, blue_12?"),
        ("red", "Red 1: You must follow blue"),
        ("bleu_12", "did you mean `Blue 12`?"),
        ("99999999999999999999", "a number from 1 to 4"),
        ("0", "a number from 1 to 4"),
        ("²", "a number from 1 to 4"),
        ("02", "a number from 1 to 4"),
        ("٢", "a number from 1 to 4"),
        ("+2", "a number from 1 to 4"),
    ],
)
def test_not_understanding(text: str, said: str) -> None:
    with pytest.raises(answers.Unclear, match=re.escape(said)):
        answers.understand(text, OPTIONS)


def test_a_number_among_numbers_is_itself() -> None:
    """`0, 1, 3` are typed as they are read, not by their places."""
    amounts = [Choice(20 + n, str(n), f"{n} gems", n != 2, None if n != 2 else "Not two") for n in range(4)]
    assert answers.keys(answers.numbered(amounts)) == ["0", "1", "3"]
    assert [answers.understand(text, amounts).action for text in ("0", "1", "3", "3 gems")] == [20, 21, 23, 23]
    with pytest.raises(answers.Unclear, match="2 gems: Not two"):
        answers.understand("2", amounts)
    with pytest.raises(answers.Unclear, match="a number from 0 to 3"):
        answers.understand("7", amounts)
    signed = [Choice(30 + n, str(n - 2), f"{n - 2}", True) for n in range(5)]
    assert [answers.understand(text, signed).action for text in ("-2", "0", "1")] == [30, 32, 33]


def test_what_is_typed_in_a_terminal_is_spelt_as_it_is_shown() -> None:
    options = [{"action": n, "name": f"card_{n}", "text": f"Card {n}"} for n in range(1, 13)]
    asked = Asked({"prompt": "", "options": options})
    assert [choice.action for choice in asked.begun("1")] == [1, 10, 11, 12]
    assert [(text, asked.settled(text)) for text in ("1", "01", "٢", "²")] == [
        (text, None) for text in ("1", "01", "٢", "²")
    ]
    assert asked.settled("2") == asked.choice(2) and asked.settled("12") == asked.choice(12)
    assert [asked.begun(text) for text in ("01", "٢", "13")] == [[], [], []]


def test_many_options_stand_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "tools.console.shutil",
        SimpleNamespace(get_terminal_size=lambda _: os.terminal_size((80, 24))),
    )
    few = [f"{i}  short" for i in range(16)]
    assert table.in_columns(few) == few
    many = [f"{i:>2}  short" for i in range(40)]
    lines = table.in_columns(many)
    assert len(lines) < 16 and max(map(len, lines)) <= 80
    assert all(text in "\n".join(lines) for text in many)
    long = ["x" * 90] * 40
    assert table.in_columns(long) == long


# --- whole games at one keyboard ----------------------------------------------------------------------
class Monkey(Keyboard):
    """Somebody who types whatever may be typed."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.random = random.Random(seed)
        self.lines = 0

    def line(self, _prompt: str = "> ") -> str:
        self.lines += 1
        words = ["?", "? 1", "undo", "state", "log", "help", "", "nonsense", "\x1b[2J", "? nonsense"]
        if self.random.random() < 0.3:
            return self.random.choice(words)
        return str(self.random.randint(0, 9))


@pytest.mark.parametrize(("game", "players"), fewest())
def test_any_game_can_be_played_by_anybody(game: str, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    opened = Game(loaded(game), players=players)
    decisions = opened.playout(0).decisions
    for seed in [1] if decisions > (400 if ALL else 60) else range(3):  # of a long game one is enough
        alone = seed == 0 or (decisions > 400 and not ALL)
        people = [players - 1] if alone else range(players)
        keyboard = Monkey(seed)
        sitting = table.PlayTable(opened, opened.new_state(seed), set(people), seed, keyboard=keyboard)
        sitting.play()
        out, err = capsys.readouterr()
        assert err == "" and sitting.state.is_terminal()
        assert "\x1b" not in out and "The game is over after" in out
        answered = sum(1 for actor, *_ in sitting.state.answers() if actor >= 0)
        assert f"after {answered} decisions" in out


def test_several_answers_at_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Where several are chosen they may be named together, in any order."""
    cards = "{a: {}, b: {}, c: {}, d: {}}"
    spec = (
        "rulespec: 1\nid: several\nplayers: 1\npieces: {Card: {rows: " + cards + "}}\n"
        "zones: {row: {of: Card, starts with: all}, kept: {of: Card}}\n"
        "phases:\n  game:\n    do:\n      - choose: best\n        by: p1\n        from: row\n        count: 2\n"
        "        say: Keep two\n      - move: best\n        to: kept\n      - log: '{best} kept'\n"
    )
    file = tmp_spec(spec)
    typed(monkeypatch, "d, d, zz", "c, b, a", "d, 2")
    code, out, _ = run(capsys, "play", str(file), "--as", "1")
    assert code == 0
    assert "Keep two (0 of 2)" in out
    assert "`zz` is no option here" in out
    assert "a: No more may be chosen" in out
    assert "b and d kept" in out or "b, d kept" in out
    typed(monkeypatch, "d", "b")
    _, out, _ = run(capsys, "play", str(file), "--as", "1")
    assert "   ✓  chosen: d\n" in out
    assert "It is chosen already" not in out and "More must be chosen" not in out


def test_several_whose_names_hold_commas(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_spec(
        'rulespec: 1\nid: commas\nplayers: 1\npieces: {Card: {rows: {a: {}, b: {}, c: {}}, title: {a: "A, red", b: "B, red"}}}\n'
        "zones: {row: {of: Card, starts with: all}, kept: {of: Card}}\n"
        "phases:\n  game:\n    do:\n      - choose: best\n        by: p1\n        from: row\n        count: 2\n"
        "      - move: best\n        to: kept\n      - log: '{best} kept'\n"
    )
    typed(monkeypatch, "b, red; a, red")
    assert "A, red; and B, red kept" in run(capsys, "play", str(file), "--as", "1")[1]


SCORED = """\
rulespec: 1
id: scored
players: 2
pieces:
  Card: {fields: {worth: 1..9, found: Text}, rows: {spoils: [7, in a cave], tolls: [2, at a gate]}}
zones:
  row: {of: Card, starts with: all}
  hoard: {of: Card, per: Player}
state:
  per Player: {coins: 0..9}
values:
  Player: {wealth: this.coins + sum(c.worth for c in this.hoard)}
phases:
  game:
    do:
      - {set: p1.coins, to: 1}
      - {set: p2.coins, to: 2}
      - {move: spoils, to: p2.hoard}
      - choose: card
        by: p1
        from: row
        or none: Take none
      - {move: tolls, to: p1.hoard, if: card is known}
end of game:
  rank: "ranking(p in players by p.wealth)"
  score: {Coins: this.coins, Wealth: this.wealth, Handicap: if this == p1 then 3 else none}
table: {look: {Card: {about: Cards are worth something.}}}
"""


def test_lines_tell_scores_and_things_from_near(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What counts stands at each seat, once; a line that is not for a seat is left out; what is no option is told of all the same."""
    file = tmp_spec(SCORED)
    typed(monkeypatch, "? spoils", "? toll", "? 2", "? nothing", "? ", "1")
    _, out, err = run(capsys, "play", str(file), "--as", "1", "--seed", "1")
    assert err == ""
    table_of, rest = out.split("Choose card", 1)
    assert "Player 2: Coins 2; Wealth 9; hoard spoils" in table_of
    assert [line.split() for line in table_of[table_of.rindex("Player 1 (you)") :].splitlines()[1:4]] == [
        ["Coins", "1"],
        ["Wealth", "1"],
        ["Handicap", "3"],
    ]
    told = rest[: rest.index("`nothing` is no option here")]
    assert told.count("spoils (Card)") == 1 and "in a cave" in told and "lies in: hoard of Player 2" in told
    assert told.count("tolls: legal") == 1 and told.count("tolls (Card)") == 1 and "Cards are worth something." in told
    assert "Take none: legal" in told and "is no option" not in told
    assert "╭" not in out and "┌" not in out  # no card is drawn
    sheet = [line.split() for line in out[out.index("result") :].splitlines()[:3]]
    assert sheet == [
        ["result", "Coins", "Wealth", "Handicap"],
        ["Player", "1", "-1", "1", "3", "3"],
        ["Player", "2", "1", "2", "9", EMPTY],
    ]


def test_a_helper_of_the_rules_is_not_on_the_table() -> None:
    """Data has it all the same, for whoever may see it."""
    file = tmp_spec(
        "rulespec: 1\nid: helper\nplayers: 1\nstate: {rounds: {is: 0..9, starts: 4}, busy: {is: 0..9, starts: 5, shown: no}}\n"
        "phases:\n  game:\n    do:\n      - choose: n\n        by: p1\n        from: 1..3\n        only: {if: n < rounds and n < busy}\n"
    )
    game = Game(rulespec.load(file))
    seen = game.new_state(1).observation(0)
    assert seen["state"] == {"rounds": 4, "busy": 5}
    table_of = "\n".join(describe(game, seen))
    assert "rounds  4" in table_of and "busy" not in table_of


def test_lines_follow_the_hints_for_the_table() -> None:
    file = tmp_spec(
        "rulespec: 1\nid: hints\nplayers: 1\nstate: {left: {is: 0..9, starts: 4}, busy: {is: 0..9, starts: 5}}\n"
        "table: {state: {left: {title: rounds to come}, busy: {shown: no}}}\n"
        "phases:\n  game:\n    do:\n      - choose: n\n        by: p1\n        from: 1..3\n        only: {if: n < left and n < busy}\n"
    )
    game = Game(rulespec.load(file))
    assert describe(game, game.new_state(1).observation(0))[1:2] == ["  rounds to come  4"]


def tmp_spec(text: str) -> Path:
    """A game in a file of its own."""
    folder = Path(tempfile.mkdtemp())
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    return folder / "game.yaml"


# --- what a person is told, and when ----------------------------------------------------------------------------------
PEEK = """\
rulespec: 1
id: peek
title: Peek
players: 2
pieces:
  Card: {rows: {ace: {}, king: {}, queen: {}, jack: {}}}
zones:
  deck: {of: Card, order: shuffled, seen by: none, starts with: all}
  hand: {of: Card, per: Player, seen by: owner}
state:
  peeks: {is: 0..9, seen by: all}
phases:
  game:
    do:
      - {deal: 1, from: deck, to: hand}
      - repeat: 2
        do:
          - for: p in players
            do:
              - turn: p
procedures:
  turn:
    takes: {p: Player}
    do:
      - choose: number
        by: p
        from: 1..2
        say: How often do you look?
      - choose: victim
        by: p
        from: players
        only:
          - if: victim != p
            why: You know your own card
        say: At whose card?
      - {look: victim.hand, by: p}
      - {add: number, to: peeks, log: "{p} looks at {victim.hand}"}
"""


@pytest.fixture
def peek(tmp_path: Path) -> str:
    file = tmp_path / "peek.yaml"
    file.write_text(PEEK, encoding="utf-8")
    return str(file)


def test_a_forced_choice_is_told_where_it_was_made(
    peek: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "2", "1")
    _, out, _ = run(capsys, "play", peek, "--as", "p1", "--seed", "1")
    lines = [line.strip() for line in out.splitlines()]
    forced = lines.index("At whose card?: only Player 2")
    assert re.fullmatch("Player 1 looks at (ace|king|queen|jack)", lines[forced + 1])
    assert lines[forced + 2].startswith("Player 2 looks at ")
    assert "Player 2:" not in lines


def test_numbers_are_not_numbered(
    peek: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "2", "1")
    _, out, _ = run(capsys, "play", peek, "--as", "p1", "--seed", "1")
    lines = out.splitlines()
    at = lines.index("How often do you look?")
    assert lines[at + 1 : at + 3] == ["   1", "   2"]


@posix
def test_at_one_keyboard_a_secret_is_read_before_it_is_passed_on(peek: str) -> None:
    terminal = Terminal("play", peek, "--plain", "--all", "--seed", "1", NO_COLOR="1")
    terminal.until("Pass the keyboard to Player 1, who presses Enter ")
    terminal.type("")
    terminal.until("> ")
    terminal.type("2")
    told = terminal.until("Press Enter, then pass the keyboard to Player 2 ")
    card = re.search("Player 1 looks at (ace|king|queen|jack)", told)
    assert card
    terminal.type("")
    assert card[1] not in terminal.until("Pass the keyboard to Player 2, who presses Enter ").rpartition("\x1b[2J")[2]
    terminal.type("")
    assert f"Player 1 looks at {card[1]}" in terminal.until("> ")  # the card is his own
    terminal.type("quit")
    assert terminal.leave() == 0


def test_an_answer_without_a_line_of_the_log_is_told_as_people_would() -> None:
    def said(prompt: str, text: str, collected: Collected | None = None) -> str:
        return session.answered(Decision(0, "may", prompt, (), collected=collected), text)

    assert said("Draw a card?", "No") == "Draw a card? No"
    assert said("Play a card", "red 7") == "Play a card: red 7"
    assert said("On the pile lies a 4; suit Cups. What do you do?", "Pass") == "What do you do? Pass"
    assert said("Which colours? (1 of 3)", "blue", Collected("set", ("red",), (None,), 3, 3)) == "Which colours? blue"

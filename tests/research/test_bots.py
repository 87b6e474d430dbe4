"""Bots that are data, searches, and what simulations of them count."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import rulespec
from interpreter import Game
from interpreter.bots import Crew, Guesses, Judge, PreferenceBot, RandomBot, SearchBot
from interpreter.bots.basics import Chance
from interpreter.testing.properties.position import pieces_are_conserved
from rulespec.bots import compiler
from rulespec.bots.data import Policy
from rulespec.bots.sight import check_bots
from rulespec.codes.catalogue import CATALOGUE
from rulespec.loading.reading import read_tree
from rulespec.text.diagnostics import Diagnostics, RulespecError
from rulespec.text.locate import bots_of
from rulespec.text.source import Source
from rulespec.text.yaml_tree import ScalarNode, as_data, parse
from tests.helpers.commands import run, shell
from tests.helpers.games import BACKENDS, Dice, loaded, random_step
from tests.helpers.places import GAMES, ROOT
from tools import playouts
from tools.bots import seating


def data(name: str) -> Any:
    return as_data(
        parse(Source(name, (ROOT / "tests/bots" / name).read_text(encoding="utf-8")), Diagnostics()), ScalarNode.resolve
    )


LEFT = data("left.yaml")
FAULTS = data("faults.yaml")
NAMES = data("names.yaml")
SHIPPED = [(folder.name, path.stem) for folder in GAMES for path in bots_of(folder / "game.yaml")]


READ_BY_A_BOT = """
rulespec: 1
id: read_by_a_bot
players: 2
state: {active: Player, per Player: {coins: 0..99}}
values: {Player: {worth: this.coins * 2}}
functions:
  ahead: {takes: {p: Player}, is: p.coins - 1}
  nobody: {takes: {p: Player}, is: p.coins + 1}
phases:
  game:
    do:
      - repeat: 4
        do:
          - {choose: n, by: active, from: 1..3, say: Take}
          - {add: n, to: active.coins}
          - {set: active, to: left_of(active)}
end of game: {rank: ranking(p in players by p.coins)}
"""


@pytest.fixture
def bazaar(tmp_path: Path) -> Path:
    file = tmp_path / "bazaar.yaml"
    file.write_text(LEFT["game"], encoding="utf-8")
    (tmp_path / "bots").mkdir()
    return file


def bot_of(checked: Any, text: str, game: Game, name: str = "own") -> PreferenceBot:
    diagnostics = Diagnostics()
    policy = compiler.compile_bot(checked, parse(Source("own.yaml", text), diagnostics), name, diagnostics)  # type: ignore[arg-type]
    assert not diagnostics.errors, list(diagnostics)
    judge = Judge(game, compiler.played_functions(checked, game.num_players, dict(game.program.settings)))
    return PreferenceBot(game, policy, judge, 1)


# --- preferences ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", LEFT["cases"])
@pytest.mark.parametrize("backend", BACKENDS)
def test_what_preferences_leave(name: str, backend: str, tmp_path: Path) -> None:
    case = LEFT["cases"][name]
    file = tmp_path / "bazaar.yaml"
    file.write_text(
        LEFT["game"] + (f"functions: {case['functions']}\n" if "functions" in case else ""), encoding="utf-8"
    )
    checked = rulespec.load(file)
    game = Game(checked, players=2, backend=backend)
    bot = bot_of(checked, f"bot: own\nfunctions: {case.get('own', '{}')}\nprefers: {case['prefers']}", game)
    state = game.new_state(1)
    for word in case.get("play", ()):
        state.apply_action(state.string_to_action(word))
    question = state.asked(None)
    assert sorted(map(state.action_to_string, bot.left(state, question))) == sorted(case["left"])


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_told_of_a_mistake(name: str, bazaar: Path) -> None:
    (bazaar.parent / "bots/wrong.yaml").write_text(FAULTS[name]["bot"], encoding="utf-8")
    checked = rulespec.load(bazaar)
    diagnostics = Diagnostics()
    check_bots(checked, bazaar, diagnostics)  # type: ignore[arg-type]
    found = []
    for own in diagnostics.sorted():
        line, column = own.span.source.position(own.span.start) if own.span else (0, 0)
        found.append("; ".join([f"{own.code} {line}:{column} {own.message}", *own.help]))
    assert len(found) == len(FAULTS[name]["told"]), found
    for told, wanted in zip(found, FAULTS[name]["told"], strict=True):
        assert told.startswith(wanted)


@pytest.mark.parametrize("name", NAMES["left"])
@pytest.mark.parametrize("backend", BACKENDS)
def test_names_of_the_steps_that_ask(name: str, backend: str, tmp_path: Path) -> None:
    case = NAMES["left"][name]
    file = tmp_path / "bids.yaml"
    file.write_text(NAMES["game"], encoding="utf-8")
    checked = rulespec.load(file)
    game = Game(checked, players=2, backend=backend)
    bot = bot_of(checked, f"bot: own\nprefers: {case['prefers']}", game)
    state = game.new_state(1)
    for word in case.get("play", ()):
        state.apply_action(state.string_to_action(word))
    assert sorted(map(state.action_to_string, bot.left(state, state.asked(None)))) == sorted(case["left"])


@pytest.mark.parametrize("name", NAMES["told"])
def test_what_is_told_of_names_of_the_steps_that_ask(name: str, tmp_path: Path) -> None:
    case, file = NAMES["told"][name], tmp_path / "bids.yaml"
    file.write_text(NAMES["game"], encoding="utf-8")
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots/own.yaml").write_text(f"bot: own\nprefers: {case['prefers']}", encoding="utf-8")
    checked = rulespec.load(file)
    diagnostics = Diagnostics()
    check_bots(checked, file, diagnostics)  # type: ignore[arg-type]
    found = [f"{one.code} {one.message}" for one in diagnostics.sorted()]
    assert len(found) == len(case["told"]), found
    for told, wanted in zip(found, case["told"], strict=True):
        assert told.startswith(wanted)


@pytest.mark.parametrize("code", ["B003", "B004", "B005", "B006", "B009"])
def test_examples_of_the_catalogue(code: str, bazaar: Path) -> None:
    checked = rulespec.load(bazaar)
    for text, wanted in ((CATALOGUE[code].bad, {code}), (CATALOGUE[code].good, set())):
        (bazaar.parent / "bots/example.yaml").write_text(f"bot: example\n{text}\n", encoding="utf-8")
        diagnostics = Diagnostics()
        check_bots(checked, bazaar, diagnostics)  # type: ignore[arg-type]
        assert {own.code for own in diagnostics} == wanted


def test_questions_are_counted_in_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    plain_run, watched = (
        json.loads(run(capsys, "simulate", "smaugs_treasure", "-n", "4", *more, "--json")[1])
        for more in ((), ("--asked", "card"))
    )
    assert plain_run["end_states"] == watched["end_states"] and plain_run["asked"] == {}
    found = watched["asked"]["card"]
    assert 20 < found["min"] <= found["mean"] <= found["max"] < watched["length"]["max"]
    code, _, err = run(capsys, "simulate", "smaugs_treasure", "-n", "1", "--asked", "crad")
    assert code != 0 and "did you mean `card`?" in err


def test_ties_are_broken_by_the_bots_own_numbers(bazaar: Path) -> None:
    checked = rulespec.load(bazaar)
    game = Game(checked)
    state = game.new_state(1)
    bot = bot_of(checked, "bot: own\nprefers: [{at: card, if: card.value > 3}]", game)
    seen = Counter(state.action_to_string(bot.choose(state)) for _ in range(200))
    assert set(seen) == {"c4", "c5"} and min(seen.values()) > 60
    again = bot_of(checked, "bot: own\nprefers: [{at: card, if: card.value > 3}]", game)
    assert Counter(state.action_to_string(again.choose(state)) for _ in range(200)) == seen


def test_weights_are_probabilities(bazaar: Path) -> None:
    checked = rulespec.load(bazaar)
    game = Game(checked)
    state = game.new_state(1)
    bot = bot_of(checked, "bot: own\nprefers: [{at: card, weight: card.value - 2}]", game)
    seen = Counter(state.action_to_string(bot.choose(state)) for _ in range(600))
    assert set(seen) == {"c3", "c4", "c5"}
    assert abs(seen["c3"] - 100) < 35 and abs(seen["c4"] - 200) < 45 and abs(seen["c5"] - 300) < 50


def test_an_expression_without_a_value_is_told_at_its_place(bazaar: Path) -> None:
    checked = rulespec.load(bazaar)
    game = Game(checked)
    bot = bot_of(checked, "bot: own\nprefers:\n- {at: card, score: 'div(card.value, me.coins - 3)'}", game)
    with pytest.raises(RulespecError) as raised:
        bot.choose(game.new_state(1))
    [found] = raised.value.diagnostics
    assert found.code == "B007" and found.span is not None and found.span.label() == "own.yaml:3:21"


def test_sealed_choices_of_others_are_not_there_to_be_seen() -> None:
    asked: list[tuple[int, tuple[int, ...]]] = []

    class Spy(RandomBot):
        def choose(self, state: Any, player: int | None = None) -> int:
            if state.is_simultaneous():
                asked.append((player or 0, state.pending_players()))
            return super().choose(state, player)

    file = ROOT / "tests/bots/left.yaml"

    diagnostics = Diagnostics()
    checked = read_tree(parse(Source(str(file), LEFT["game"]), diagnostics), None, diagnostics)  # type: ignore[arg-type]
    assert checked is not None
    game = Game(checked)
    for seed in range(5):
        state, crew = game.new_state(seed), Crew({0: Spy(seed), 1: Spy(seed + 1)})
        while not state.is_terminal():
            crew.watch(state)
            seat = state.pending_players()[-1]
            state.apply_action(crew.choose(state, seat), seat)
    assert {seat for seat, _ in asked} == {0, 1}
    assert {pending for _, pending in asked} == {(0, 1)}


# --- guesses and searches ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", [folder.name for folder in GAMES])
def test_a_guess_looks_the_same_to_who_makes_it(name: str) -> None:
    gamedef = loaded(name)
    game = Game(gamedef, players=gamedef.players[-1])
    guesses, chance, dice = Guesses(game), Chance(1), Dice(1)
    state = game.new_state(3)
    others = 0
    for number in range(400):
        if state.is_terminal():
            break
        if number % 9 < 2:
            for seat in range(game.num_players):
                guess = guesses.position(state, seat, chance)
                others += guess.slots[1:] != state.slots[1:]
                seen, wanted = guess.observation(seat), state.observation(seat)
                assert seen == wanted
                assert guess.legal_actions(seat) == state.legal_actions(seat)
                assert pieces_are_conserved(guess) is None
        action, player = random_step(state, dice)
        state.apply_action(action, player)
    assert others


def test_guesses_deal_hidden_cards_evenly() -> None:
    game = Game(rulespec.load("kuhn_poker"), players=2)
    state = game.new_state(5)
    guesses, chance = Guesses(game), Chance(9)
    held = Counter(str(guesses.position(state, 0, chance).observation(1)["zones"]) for _ in range(400))
    mine = state.observation(0)["zones"]
    assert len(held) == 2 and min(held.values()) > 150, (held, mine)


def test_a_search_finds_the_winning_mark() -> None:
    game = Game(rulespec.load("tic_tac_toe"))
    state = game.new_state(1)
    names = [state.action_to_string(action) for action in state.legal_actions()]
    for word in (names[0], names[3], names[1], names[4]):  # X has two in a row, and so has O
        state.apply_action(state.string_to_action(word))
    for seed in range(5):
        bot = SearchBot(game, Policy("search", "", "", playouts=60), Judge(game, game.program.functions), seed)
        assert state.action_to_string(bot.choose(state)) == names[2]


def test_a_search_plays_better_than_chance() -> None:
    game = Game(rulespec.load("leduc_poker"), players=2)
    series = playouts.run(game, 60, 1, seating=seating(game, None, "leduc_poker", ("search:40", "random")))
    assert series.sums[0] > 30 and not series.faults


# --- the command line -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("game", "name"), SHIPPED)
def test_shipped_bots_play(game: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for players in loaded(game).players:
        code, out, _ = run(capsys, "simulate", game, "-p", str(players), "-n", "1", "--bot", name, "--json")
        found = json.loads(out)
        assert code == 0 and found["finished"] == 1
        assert found["bots"] == [name] * players


def test_bots_by_seat_and_the_same_bytes(bazaar: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (bazaar.parent / "bots/mean.yaml").write_text(
        "bot: mean\nprefers: [{at: deal, choose: wait}]\nsearch: {playouts: 2}\n"
    )
    line = (
        "simulate",
        str(bazaar),
        "-n",
        "5",
        "--bot",
        "mean",
        "--bot",
        "2=search:3",
        "--tally",
        "p1.coins",
        "--tally",
        "p1.coins > p2.coins",
        "--json",
    )
    (code, first, _), (_, second, _) = run(capsys, *line), run(capsys, *line)
    assert code == 0 and first == second
    found = json.loads(first)
    assert found["bots"] == ["mean", "search:3"]
    coins, more = found["tallies"]
    assert coins["expression"] == "p1.coins" and coins["min"] <= coins["mean"] <= coins["max"]
    assert sum(more["counts"].values()) == 5 and set(more["counts"]) <= {"yes", "no"}
    code, out, _ = run(capsys, *line[:-1])
    assert "bots: mean, search:3" in out and "p1.coins: " in out and "p1.coins > p2.coins: " in out


def test_the_same_bytes_whatever_the_order_of_sets() -> None:
    line = ("simulate", "hobbit_card_game", "-p", "3", "-n", "1", "--bot", "search:2", "--json")
    first, second = (shell(*line, PYTHONHASHSEED=seed) for seed in ("0", "12345"))
    assert first.returncode == 0 and first.stdout == second.stdout


def test_all_win_or_lose_together_or_share_a_tie(bazaar: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = bazaar.read_text().replace("coins: {is: 0..9, starts: 3}", "coins: {is: 3..3, stops: yes}")
    for end, shared, everybody, nobody, lost in (
        ("rank: ranking(p in players by p.coins)", [4, 4], 0, 0, 0),
        ("winners: most(p in players by p.coins)", [0, 0], 4, 0, 0),
        ("winners: all", [0, 0], 4, 0, 0),
        ("losers: all", [0, 0], 0, 4, 4),
        ("winners: those(p in players where p.coins > 3)", [0, 0], 0, 4, 0),
        ("returns: 0 - 1", [0, 0], 0, 4, 4),
        ("returns: 1", [0, 0], 4, 0, 0),
    ):
        bazaar.write_text(text.replace("rank: ranking(p in players by p.coins)", end), encoding="utf-8")
        _, out, _ = run(
            capsys, "simulate", str(bazaar), "-n", "4", "--json", "--tally", "size(winners otherwise set(p1))"
        )
        found = json.loads(out)
        assert (found["wins"], found["shared_wins"]) == ([0, 0], shared), end
        assert (found["everybody_won"], found["nobody_won"], found["everybody_lost"]) == (everybody, nobody, lost), end
        assert found["tallies"][0]["mean"] == (2 if shared[0] or everybody else 0)


@pytest.mark.parametrize(("bot", "told"), [
    ("gready", "did you mean `greedy`?"), ("search:0", "`search:0` is no bot"),
    ("search:0200", "`search:0200` is no bot"), ("search:02s", "is no bot"), ("search:٢", "is no bot"), ("alphabeta:04", "is no bot"),
    ("alphabeta:01000p", "is no bot"), ("random:3", "`random:3` is no bot"),
    ("9=random", "there is no seat `9`"), ("1=", "is not of the form SEAT=NAME"), ("nobody.yaml", "has no bot `nobody.yaml`"),
])  # fmt: skip
def test_bots_that_are_not_there(bot: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "simulate", "smaugs_treasure", "-n", "1", "--bot", bot)
    assert code != 0 and told in err and "Traceback" not in err


def test_a_tally_with_a_fault(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "simulate", "smaugs_treasure", "-n", "1", "--tally", "p1.toal")
    assert code == 1 and "--tally:1:4" in err and "did you mean `total`?" in err


def test_bots_at_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    line = ("play", "smaugs_treasure", "--bots", "--seed", "4", "--bot", "greedy", "--bot", "2=search:2")
    code, out, _ = run(capsys, *line)
    assert code == 0 and "(bot greedy)" in out and "(bot search:2)" in out
    assert run(capsys, *line)[1] == out
    played = json.loads(run(capsys, "simulate", "smaugs_treasure", "-n", "1", "-s", "4", *line[5:], "--json")[1])
    assert played["finished"] == 1


def test_what_a_bot_reads_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bots").mkdir()
    (tmp_path / "game.yaml").write_text(READ_BY_A_BOT, encoding="utf-8")
    bot = tmp_path / "bots/rich.yaml"
    told = []
    for score in ("n", "n + me.worth + ahead(me)"):
        bot.write_text(f"bot: rich\nprefers: [{{at: n, score: {score}}}]\n", encoding="utf-8")
        told.append(run(capsys, "lint", str(tmp_path))[1].count("L016"))
    assert told == [3, 1]  # `nobody` is left


def test_lint_and_list_know_bots(bazaar: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (bazaar.parent / "bots/odd.yaml").write_text("bot: odd\ntitle: Odd one\nprefers: [{at: crad, score: 1}]\n")
    code, out, _ = run(capsys, "lint", str(bazaar))
    assert code == 1 and "B003" in out
    assert "--bot odd" in run(capsys, "list", str(bazaar))[1]
    assert json.loads(run(capsys, "list", "smaugs_treasure", "--json")[1])[0]["bots"][0]["id"] == "greedy"

"""What a variant changes in play: the statistics against other libraries, the games against plain play, and the command."""

from __future__ import annotations

import json
import random
from statistics import fmean
from xml.etree import ElementTree

import pytest

import interpreter
import rulespec
from tests.helpers.places import ROOT
from tools import cli
from tools.effect.figures import FIGURES, figures, newcombe, student, welch
from tools.effect.playing import Level, Record, Seat, Side, play_level
from tools.effect.words import sentence, strip
from tools.playouts import game_seed

RANDOM = ("--bot", "random", "--games", 30)


def run(capsys, *words):
    code = cli.main(["compare", *map(str, words)])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize(("here", "there", "low", "high"), [
    ((56, 70), (48, 80), 0.0524, 0.3339), ((9, 10), (3, 10), 0.1705, 0.8090), ((10, 10), (0, 20), 0.6791, 1.0),
])  # fmt: skip
def test_shares_are_those_of_the_paper(here, there, low, high):
    """Newcombe 1998, Statistics in Medicine 17, table II, method 10."""
    one, other = ([1] * hits + [0] * (count - hits) for hits, count in (there, here))
    assert newcombe(one, other, 95) == pytest.approx((low, high), abs=6e-5)


def test_means_are_those_of_another_library():
    stats = pytest.importorskip("scipy.stats")
    chance = random.Random(1)
    for _ in range(20):
        n, m = chance.randint(8, 90), chance.randint(8, 90)
        a, b = [chance.gauss(5, 2) for _ in range(n)], [chance.gauss(6, 4) for _ in range(m)]
        theirs = stats.ttest_ind(b, a, equal_var=False).confidence_interval(0.99)
        assert welch(a, b, 99) == pytest.approx((theirs.low, theirs.high), rel=2e-3)
        assert student(0.975, n) == pytest.approx(stats.t.ppf(0.975, n), rel=1e-4)


def test_games_that_all_came_to_the_same_leave_room_for_others():
    low, high = welch([9.0] * 20, [9.0] * 20, 95)
    assert low < 0 < high and high == pytest.approx(0.143, abs=0.01)


def test_intervals_hold_together():
    """Of 200 comparisons of a game with itself, some 5% may tell of any difference."""
    chance = random.Random(7)

    def side():
        games = [Record(chance.randint(5, 30), 4, 40, (chance.randrange(2),), chance.random() < 0.8) for _ in range(40)]
        return Side(games)

    wrong = sum(any(f.differs for f in figures([Level("random", side(), side())], (2, 2))) for _ in range(200))
    assert wrong <= 18


def test_the_games_are_those_of_plain_play():
    game = interpreter.Game(rulespec.load("tic_tac_toe"))
    level = Level("random")
    play_level(level, (Seat(game, None), Seat(game, None)), 3, 25, 60.0)
    states = [game.playout(game_seed(3, number)) for number in range(25)]
    assert [one.decisions for one in level.base.games] == [state.decisions for state in states]
    assert [list(one.winners) for one in level.base.games] == [list(state.outcome().winners) for state in states]
    found = {figure.name: figure for figure in figures([level], (2, 2))}
    firsts = [(state.returns()[0] > 0) - (state.returns()[1] > 0) for state in states]
    assert found["advantage"].base == pytest.approx(fmean(firsts)) and set(found) == set(FIGURES)


def test_time_settles_the_number_of_pairs():
    ticks = iter(range(10**9))
    game = interpreter.Game(rulespec.load("tic_tac_toe"))
    level = Level("random")
    play_level(level, (Seat(game, None), Seat(game, None)), 1, None, 2_000.0, clock=lambda: float(next(ticks)))
    assert level.played == level.planned and 60 < level.played < 140 and not level.problem
    level = Level("random")
    play_level(level, (Seat(game, None), Seat(game, None)), 1, 500, 300.0, clock=lambda: float(next(ticks)))
    assert "time was up" in level.problem and len(level.base.games) == len(level.other.games) == level.played < 25


def test_a_game_and_its_opposite(capsys, tmp_path):
    code, out, _ = run(capsys, "tic_tac_toe", "misere", *RANDOM, "--svg", tmp_path / "change.svg")
    assert code == 0 and out.startswith("Misère tic-tac-toe, played at random: the first player is")
    assert out == run(capsys, "tic_tac_toe", "misere", *RANDOM)[1]
    picture = ElementTree.parse(tmp_path / "change.svg")
    assert "decisions in a game" in [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    data = json.loads(run(capsys, "tic_tac_toe", "misere", *RANDOM, "--json")[1])
    first = next(one for one in data["figures"] if one["figure"] == "advantage")
    assert first["base"] == -first["other"] and first["differs"] and data["levels"][0]["pairs"] == 30


def test_the_same_game_says_that_nothing_was_found(capsys):
    _, out, _ = run(capsys, "tic_tac_toe", ROOT / "games/tic_tac_toe", *RANDOM)
    text = " ".join(out.split())
    assert text.startswith("No difference found in 30 games of each (first player's advantage smaller than")
    assert sentence([], "x", (2, 2)) == "Too few games came to an end to compare anything."


ASKED = """\
rulespec: 1
id: asked
title: Asked
players: 2
state: {active: Player, per Player: {coins: 0..99}}
phases:
  game:
    do:
      - repeat: 6
        do:
          - offer: action
            by: active
            options:
              work: {say: Work, do: [{add: 1, to: active.coins}]}
              rest: {say: Rest, do: []}
          - {set: active, to: left_of(active)}
end of game: {rank: ranking(p in players by p.coins)}
"""


def test_what_is_never_chosen(capsys, tmp_path):
    (tmp_path / "game.yaml").write_text(ASKED)
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots/busy.yaml").write_text("bot: busy\nprefers:\n  - {at: action, choose: work}\n")
    code, out, err = run(capsys, tmp_path, tmp_path / "game.yaml", "--bot", "busy", "--games", 10)
    assert code == 0, err
    assert out.count("never chosen in") == 2 and "rest of action, though open 60 times" in out


def test_bars_stay_in_their_places():
    game = [Record(decisions, 4, 40, (0,), True) for decisions in (5, 7, 9, 4, 6, 8)]
    for figure in figures([Level("random", Side(game), Side(list(game)))], (2, 2)):
        assert len(strip(figure, figure.within)) == 21 and len(strip(figure, 0.0)) == 21


def test_what_is_not_there(capsys, tmp_path):
    assert run(capsys, "tic_tac_toe", "misree")[0] == 2
    assert run(capsys, "tic_tac_toe", "misere", "--bot", "nosuch")[0] == 2
    assert run(capsys, "tic_tac_toe", "misere", *RANDOM, "--svg", tmp_path / "none/x.svg")[0] == 2

"""Studies: what is wrong with one is told at its place; games are the same whatever plays them, and each is counted once."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rulespec.studies.reading import read_study
from rulespec.text.diagnostics import RulespecError
from tests.helpers.commands import run
from tests.helpers.places import ROOT
from tools import cli
from tools.intervals import interval
from tools.lab.comparisons import matches, pairs_of, welch
from tools.lab.crews import Pool
from tools.lab.figures import spread
from tools.lab.findings import match
from tools.lab.opening import Place, open_study
from tools.lab.playing import FOLLOWED, PLAIN, WATCHED, course, play
from tools.lab.run import Run, without
from tools.lab.store import Store

STUDY = """study: small
games: 60
arms:
  usual: {game: kuhn_poker, players: [2, 3]}
measure:
  tallies: {pot: pot}
  causes: {large: pot > 3}
  lead: me.staked
  followed: 10
  watched: 2
"""
WITH_BOTS = """study: small
games: 60
arms:
  usual: {game: leduc_poker, players: 2, variants: [none, more_ranks], bots: [random, {p1: 'search:2'}]}
measure:
  causes: {drawn: winners is none}
  followed: 10
  watched: 2
"""
CONTENTS = ("games", "followed", "uses")


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return written(tmp_path, STUDY)


def written(folder: Path, text: str) -> Path:
    path = folder / "small.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def opened(path: Path, **changes: Any) -> tuple[Any, list[Place]]:
    study = replace(read_study(path), **changes)
    return study, open_study(study)


class Here:
    """Plays at once, in this process; `order` says which of what was given comes back first."""

    size = 3

    def __init__(self, places: list[Place], last: bool = False) -> None:
        self.places, self.last, self.given = places, last, []

    def give(self, order: Any) -> None:
        self.given.append(order)

    def busy(self) -> int:
        return len(self.given)

    def results(self):
        order = self.given.pop(-1 if self.last else 0)
        yield order, play(self.places[order.place].table, order.tier, order.first, order.count)


def played(path: Path, results: Path, crew: Any = None, **changes: Any) -> int:
    """Play a study; how many games were played."""
    study, places = opened(path, **changes)
    store = Store(results)
    try:
        work = Run(study, places, store)
        work.enter(anew=False)
        return work.play(Here(places) if crew is None else crew(places))
    finally:
        store.close()


def contents(results: Path) -> dict[str, list[Any]]:
    """All figures of a file of results."""
    base = sqlite3.connect(results)
    tables = {name: base.execute(f"SELECT * FROM {name}").fetchall() for name in CONTENTS}
    base.close()
    return tables


def findings(path: Path) -> list[tuple[str, str]]:
    with pytest.raises(RulespecError) as refused:
        open_study(read_study(path))
    return [(d.code, "" if d.span is None else d.span.text) for d in refused.value.diagnostics]


# --- what is wrong ----------------------------------------------------------------------------------------------------
SHAPES = [
    ("[1, 2]", "X001", "[1, 2]"),
    ("study: other\narms: {a: {game: kuhn_poker}}", "X002", "other"),
    ("study: small\narms: {}", "X003", "{}"),
    ("study: small\ngmaes: 3\narms: {a: {game: kuhn_poker}}", "S002", "gmaes"),
    ("study: small\ninterval: 200\narms: {a: {game: kuhn_poker}}", "S005", "200"),
    ("study: small\narms: {a: {game: kuhn_pokr}}", "C004", "kuhn_pokr"),
    ("study: small\narms: {a: {game: kuhn_poker, players: 9}}", "P010", "9"),
    ("study: small\narms: {a: {game: kuhn_poker, variants: leducc}}", "P012", "kuhn_poker"),
    ("study: small\narms: {a: {game: kuhn_poker, options: {pace: slow}}}", "X004", "pace"),
    ("study: small\narms: {a: {game: kuhn_poker, bots: {p9: random}}}", "X004", "p9"),
    ("study: small\narms: {a: {game: kuhn_poker, bots: rnadom}}", "B001", "rnadom"),
    ("study: small\narms: {a: {game: kuhn_poker}, b: {game: kuhn_poker}}", "X003", "b"),
    ("study: small\narms: {a: {game: kuhn_poker}}\nmeasure: {pieces: Crad}", "X004", "Crad"),
    ("study: small\narms: {a: {game: kuhn_poker}}\nmeasure: {tallies: {x: size(plyers)}}", "E100", "plyers"),
    ("study: small\narms: {a: {game: kuhn_poker}}\nmeasure: {causes: {x: pot}}", "E201", "pot"),
]


@pytest.mark.parametrize(("text", "code", "place"), SHAPES, ids=[f"{code}-{place}" for _, code, place in SHAPES])
def test_faults_have_places(tmp_path: Path, text: str, code: str, place: str) -> None:
    assert findings(written(tmp_path, text)) == [(code, place)]


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    text = "study: small\narms: {a: {game: kuhn_poker, players: 2, options: {pace: slow}}, b: {game: nim}}\nmeasure: {rules: nix}"
    assert [code for code, _ in findings(written(tmp_path, text))] == ["X004", "C004"]


# --- the same figures --------------------------------------------------------------------------------------------------
def test_figures_do_not_depend_on_who_plays_or_when(study: Path, tmp_path: Path) -> None:
    """In order, in another order, in two processes, and in three goes that grow."""
    files = [tmp_path / f"{n}.sqlite" for n in range(4)]
    assert played(study, files[0]) == 2 * (60 + 2)
    played(study, files[1], lambda places: Here(places, last=True))
    pool: list[Pool] = []
    played(study, files[2], lambda places: pool.append(Pool([p.table for p in places], 2)) or pool[0])
    pool[0].close()
    for games in (7, 30, 60):
        played(study, files[3], games=games)
    first, *others = map(contents, files)
    assert len(first["games"]) == 120 and len(first["followed"]) == 20 and first["uses"]
    assert all(other == first for other in others)
    assert played(study, files[0]) == 0


def test_another_study_of_the_same_arm_is_played_anew(study: Path) -> None:
    """In a process that has played it before: with its own seed, and with what it measures."""
    _, places = opened(study)
    table = places[0].table
    first = play(table, FOLLOWED, 0, 5)
    other = play(replace(table, seed=table.seed + 1, lead=None, tallies=(), types=()), FOLLOWED, 0, 5)
    assert first.followed and not other.followed
    assert [row[:6] for row in other.games] != [row[:6] for row in first.games]
    assert {row[6] for row in other.games} == {"{}"} != {row[6] for row in first.games}
    assert play(table, FOLLOWED, 0, 5).games == first.games
    short = play(replace(table, most_decisions=1), PLAIN, 0, 5)
    assert {row[1] for row in short.games} == {"fault"}
    assert play(table, FOLLOWED, 0, 5).games == first.games


def test_tiers_play_the_same_games(study: Path) -> None:
    _, places = opened(study)
    plain, followed = (play(places[1].table, tier, 0, 10) for tier in (PLAIN, FOLLOWED))
    assert plain.games == followed.games and not plain.uses and followed.uses
    watched = play(places[1].table, WATCHED, 0, 2)
    assert not watched.games and all(use.games <= 2 for use in watched.uses.values()) and watched.uses


def test_bots_and_variants_play(tmp_path: Path) -> None:
    assert played(written(tmp_path, WITH_BOTS), tmp_path / "r.sqlite", games=4) == 4 * (4 + 2)


def test_an_interval_asks_for_games(study: Path, tmp_path: Path) -> None:
    pytest.importorskip("statsmodels", reason="the extra `lab` is not installed")
    for n, last in enumerate((False, True)):
        played(study, tmp_path / f"{n}.sqlite", lambda places, last=last: Here(places, last), games=50, interval=12.0)
    first, second = (contents(tmp_path / f"{n}.sqlite") for n in range(2))
    numbers = [sum(1 for row in first["games"] if row[0] == arm) for arm in (1, 2)]
    assert first == second and all(240 < number < 400 for number in numbers), numbers
    played(study, tmp_path / "2.sqlite", games=50, interval=12.0, most_games=70)
    assert len(contents(tmp_path / "2.sqlite")["games"]) == 140


def test_arms_are_compared_with_the_first_that_is_otherwise_alike() -> None:
    def arm(name: str, players: int = 2, **levels: str) -> dict[str, Any]:
        options = {"pace": "slow", "walls": "0", **levels}
        return {
            "name": name,
            "game": "g",
            "players": players,
            "variants": [],
            "bots": ["random"],
            "options": options,
            "games": 1,
            "missing": 0,
        }

    arms = [arm("usual"), arm("three", 3), arm("fast", pace="fast"), arm("low", walls="1"), arm("lower", walls="2")]
    arms.append(arm("both", pace="fast", walls="1"))
    pairs = [(base["name"], other["name"], factor) for base, other, factor in pairs_of(arms)]
    assert pairs == [
        ("usual", "fast", "pace"), ("usual", "low", "walls"), ("usual", "lower", "walls"),
        ("low", "both", "pace"), ("fast", "both", "walls"),
    ]  # fmt: skip


def test_means_are_compared_as_welch_did() -> None:
    """Against scipy on the numbers themselves, which the figures no longer have."""
    stats = pytest.importorskip("scipy.stats", reason="the extra `lab` is not installed")
    before, after = [3, 5, 5, 8, 9, 12], [7, 9, 11, 11, 16, 20, 21]
    told = [spread([(value, numbers.count(value)) for value in set(numbers)]) for numbers in (before, after)]
    compared, exact = welch(*told), stats.ttest_ind(after, before, equal_var=False)
    assert compared["p"] == pytest.approx(exact.pvalue)
    assert compared["freedom"] == pytest.approx(exact.df)
    assert compared["means"] == pytest.approx((7, 95 / 7))


def test_bots_in_both_seats_are_taken_together() -> None:
    pytest.importorskip("statsmodels", reason="the extra `lab` is not installed")

    def arm(name: str, bots: list[str], *wins: int) -> dict[str, Any]:
        seats = [{"bot": bot, "wins": won + 1, "shared": 1} for bot, won in zip(bots, wins, strict=True)]
        about = {"game": "g", "players": 2, "variants": [], "options": {}, "games": 100, "missing": 0}
        return {**about, "name": name, "bots": bots, "seats": seats}

    one, other = arm("one", ["long", "short"], 60, 30), arm("other", ["short", "long"], 40, 50)
    (told,) = matches(95.0, [one, other, arm("alone", ["a", "b"], 50, 10)])
    assert (told["better"], told["wins"], told["losses"], told["games"]) == ("long", 110, 70, 200)
    assert (told["low"], told["high"]) == interval(110, 180, 95.0)
    assert match(told).startswith("`long` against `short` in both seats: wins 110 and loses 70 of 200 games")


SHIPPED = pytest.mark.parametrize(
    "file", sorted((ROOT / "games").glob("*/studies/*.yaml")), ids=lambda f: f"{f.parent.parent.name}-{f.stem}"
)


@SHIPPED
def test_shipped_studies_have_no_findings(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each arm can be played as the game is today, and no two are the same."""
    assert cli.main(["lab", str(file), "--check"]) == 0, capsys.readouterr().err


@SHIPPED
def test_shipped_studies_can_be_read(file: Path) -> None:
    study = read_study(file)
    assert study.arms and study.about and not any(arm.game.text for arm in study.arms)


def test_the_course_of_a_game() -> None:
    assert course([0, 0, 1, -1, 1, 1], {1}) == (1, 4)
    assert course([0, 1, 0], {1}) == (2, None)
    assert course([1, 1], {1}) == (0, 0)
    assert list(without(range(10), [range(2, 4), range(8, 20)])) == [range(2), range(4, 8)]


# --- what goes wrong ------------------------------------------------------------------------------------------------------
def test_a_changed_game_is_not_mixed_in(study: Path, tmp_path: Path) -> None:
    results = tmp_path / "r.sqlite"
    played(study, results)
    study.write_text(STUDY.replace("pot: pot", "pot: pot * 2"), encoding="utf-8")
    with pytest.raises(RulespecError) as refused:
        played(study, results)
    assert [d.code for d in refused.value.diagnostics] == ["X005", "X005"] and "60 games" in str(refused.value)
    assert len(contents(results)["games"]) == 120


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    base = sqlite3.connect(other)
    base.execute("CREATE TABLE mine (x)")
    base.commit()
    base.close()
    text = tmp_path / "text.sqlite"
    text.write_text("no database at all, but a text that is long enough\n" * 40)
    for path in (other, text):
        with pytest.raises(RulespecError) as refused:
            Store(path)
        assert refused.value.diagnostics[0].code == "X005"


def test_games_that_are_gone_are_missed(study: Path, tmp_path: Path) -> None:
    """Though the record that they were played is there."""
    results = tmp_path / "r.sqlite"
    played(study, results)
    base = sqlite3.connect(results)
    base.execute("DELETE FROM games WHERE number >= 20")
    base.commit()
    base.close()
    with pytest.raises(RulespecError) as refused:
        played(study, results)
    assert refused.value.diagnostics[0].code == "X005"
    assert "60 games of an arm as played, and holds 20" in str(refused.value)


def test_a_full_disk_loses_nothing(study: Path, tmp_path: Path) -> None:
    results = tmp_path / "r.sqlite"
    small, places = opened(study, games=1000)
    store = Store(results)
    work = Run(small, places, store)
    work.enter(anew=False)
    pages = store.ask("PRAGMA page_count")[0][0]
    store.ask(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(RulespecError) as refused:
        work.play(Here(places))
    assert refused.value.diagnostics[0].code == "C002" and "full" in str(refused.value)
    there = len(store.ask("SELECT * FROM games"))
    noted = store.ask("SELECT coalesce(sum(count), 0) FROM batches WHERE tier <> ?", WATCHED)[0][0]
    assert there == noted < 2000
    store.close()
    played(study, results, games=1000)
    played(study, tmp_path / "whole.sqlite", games=1000)
    assert contents(results) == contents(tmp_path / "whole.sqlite")


class Murderous(Pool):
    """A pool of which a process is killed each time something has come back, for a while."""

    killed = 0

    def results(self):
        yield from super().results()
        if self.killed < 3:
            for process in list(getattr(self.pool, "_processes", {}) or {}):
                with contextlib.suppress(ProcessLookupError):  # one that died before, of which the pool has not heard
                    os.kill(process, signal.SIGKILL)
                    self.killed += 1
                    break


def test_killed_workers_lose_nothing(study: Path, tmp_path: Path) -> None:
    crews: list[Murderous] = []
    played(
        study, tmp_path / "r.sqlite", lambda places: crews.append(Murderous([p.table for p in places], 2)) or crews[0]
    )
    crews[0].close()
    played(study, tmp_path / "whole.sqlite")
    assert crews[0].killed == 3
    assert contents(tmp_path / "r.sqlite") == contents(tmp_path / "whole.sqlite")


def test_a_batch_that_kills_is_refused(study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.lab.crews.play_here", die)
    crews: list[Pool] = []
    with pytest.raises(RulespecError) as refused:
        played(
            study, tmp_path / "r.sqlite", lambda places: crews.append(Pool([p.table for p in places], 1)) or crews[0]
        )
    crews[0].close()
    assert refused.value.diagnostics[0].code == "X006"


def die(*_: Any) -> None:
    """What a process does that the system ends."""
    os.kill(os.getpid(), signal.SIGKILL)


# --- the command -------------------------------------------------------------------------------------------------------
def test_the_command_reports(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for library in ("statsmodels", "matplotlib"):
        pytest.importorskip(library, reason="the extra `lab` is not installed")
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "lab", str(study), "--check")[:2] == (0, "")
    code, out, _ = run(capsys, "lab", str(study), "--jobs", 1, "--json")
    data = json.loads(out)
    assert code == 0 and data["games"] == 120 and [arm["games"] for arm in data["arms"]] == [60, 60]
    arm = data["arms"][0]
    assert (
        sum(seat["wins"] for seat in arm["seats"]) == 60
        and arm["length"]["n"] == 60
        and arm["lead"]["changes"]["n"] == 10
    )
    assert {one["cause"] for one in arm["causes"]} == {"large"} and arm["tallies"]["pot"]["n"] == 60
    assert {one["question"] for one in arm["open"]} == {"action", "answer"} and all(
        one["games"] for one in arm["rules"][-1:]
    )
    code, out, _ = run(capsys, "lab", str(study), "--no-play")
    page = (tmp_path / "small.html").read_text(encoding="utf-8")
    assert code == 0 and "Player 1 wins" in out and out.splitlines()[0] in page
    assert page.count("<svg") >= 6 and "http://www.w3.org" in page and "src=" not in page and "<script" not in page
    seed = arm["seats"][0]["seeds"][0]
    assert f"--bots --seed {seed}" in page
    assert "Winner: Player 1" in run(capsys, "play", "kuhn_poker", "--players", 2, "--bots", "--seed", seed)[1]


def test_an_emptied_file_is_named(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("statsmodels", reason="the extra `lab` is not installed")
    monkeypatch.chdir(tmp_path)
    lines = [run(capsys, "lab", str(study), "--jobs", 1, "--json")[2] for _ in range(2)]
    for file in tmp_path.glob("small.sqlite*"):
        file.write_bytes(b"")
    lines.append(run(capsys, "lab", str(study), "--jobs", 1, "--json")[2])
    said = "small.sqlite was there and holds no game of this study: all of them are played now"
    assert [said in line for line in lines] == [False, False, True]


def test_an_unfinished_arm_is_compared_with_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is anything said of it for certain: its games are those that ended first."""
    for library in ("statsmodels", "matplotlib"):
        pytest.importorskip(library, reason="the extra `lab` is not installed")
    monkeypatch.chdir(tmp_path)
    study = written(tmp_path, WITH_BOTS)
    played(study, tmp_path / "small.sqlite")
    data = json.loads(run(capsys, "lab", str(study), "--no-play", "--json")[1])
    assert {arm["missing"] for arm in data["arms"]} == {0} and data["comparisons"] and data["means"]
    grown = written(tmp_path, WITH_BOTS.replace("games: 60", "games: 600"))
    _, places = opened(grown)
    store = Store(tmp_path / "small.sqlite")
    more = Run(opened(grown)[0], places, store)
    more.enter(anew=False)
    for number, place in enumerate(places[1:], 1):  # all but the first of them to their end
        store.add(more.arms[number], play(place.table, PLAIN, 60, 540))
    store.add(more.arms[0], play(places[0].table, PLAIN, 60, 12))
    store.close()
    data = json.loads(run(capsys, "lab", str(grown), "--no-play", "--json")[1])
    first = data["arms"][0]["name"]
    assert [arm["missing"] for arm in data["arms"]] == [528, *[0] * (len(data["arms"]) - 1)]
    compared = [*data["comparisons"], *data["means"]]
    assert compared and all(first not in (one["base"], one["other"]) for one in compared)
    code, out, _ = run(capsys, "lab", str(grown), "--no-play")
    assert code == 0 and out.splitlines()[0] == f"Unfinished, and compared with nothing: {first} (72 of 600 games)."
    assert not any(line.startswith(f"{first}:") for line in out.splitlines())
    assert "unfinished, 72 of 600 games" in (tmp_path / "small.html").read_text(encoding="utf-8")

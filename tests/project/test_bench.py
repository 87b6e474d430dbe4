"""The benchmark without the clock: what it measures is the same game everywhere, in turns, and written where it is told."""

from __future__ import annotations

import random
import sys
import types
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import interpreter
import rulespec
from tests.helpers.bench import FULL, SMALL, results_of, well_formed
from tools import console
from tools.dev.bench import __main__ as cli
from tools.dev.bench import (
    cold,
    crew,
    drivers,
    files,
    fresh,
    install,
    measure,
    ours,
    plan,
    slices,
    summary,
    targets,
)
from tools.dev.bench import run as running
from tools.dev.bench.page import page
from tools.dev.bench.results import Row, Sample, Series, from_json, to_json

QUICK = replace(measure.QUICK, slice=0.001, games=50)
ONE_ROW = "leduc_poker"  # measured at one number of players, beside one peer


@pytest.fixture(scope="module")
def plans(tmp_path_factory):
    return plan.rows(tmp_path_factory.mktemp("hands"))


# --- what is measured ------------------------------------------------------------------------------
def test_every_shipped_game_is_measured_at_its_fewest_and_most_players(plans):
    measured = {(p.game, p.players) for p in plans if p.kind == "shipped"}
    for info in rulespec.list_games():
        assert {(info.id, info.players[0]), (info.id, info.players[-1])} <= measured
    growing = plan.document()["growth"]
    (info,) = [info for info in rulespec.list_games() if info.id == growing]
    assert len(info.players) > 2
    assert {(growing, players) for players in info.players} <= measured


def test_no_row_is_measured_twice(plans):
    keys = [(p.game, p.players) for p in plans]
    assert len(keys) == len(set(keys))
    for one in plans:
        names = [entry.contender for entry in one.entries]
        assert names[:2] == list(plan.IN_PYTHON) and len(names) == len(set(names))


def test_every_peer_has_a_driver_and_what_it_needs_is_in_the_extra():
    assert {c.driver for c in plan.contenders().values()} == set(drivers.DRIVERS)
    for contender in plan.contenders().values():
        assert contender.peer in plan.peers()
        assert contender.how
    needed = {install.plain(name) for peer in plan.peers().values() for name in peer.needs}
    assert needed == set(install.requirements())
    for peer in plan.peers().values():
        assert len(install.wanted(peer)) == len(peer.needs)


def test_every_target_speaks_of_something_that_is_measured(plans):
    rows = tuple(Row(p.game, p.title, p.players, p.kind, p.note, entered(p), ()) for p in plans)
    found = targets.verdicts(results_of(rows))
    assert len(found) >= 10
    assert {verdict.word for verdict in found} == {"not measured"}
    for target in targets.targets():
        assert target.get("game") in {None, *(row.game for row in rows)}
        if "faster than" in target and (plan.compiles() or not target["faster than"].startswith("native")):
            assert list(targets.ratios(results_of(rows), target.get("game"), target["faster than"]))


def entered(one):
    return tuple(Series(entry.contender, "steps", error="nobody measured it") for entry in one.entries)


@pytest.mark.parametrize("size", [5, 40])
def test_the_synthetic_hands_are_a_game_without_faults(size, tmp_path):
    found, diagnostics = rulespec.check(plan.write_hands(tmp_path, size))
    assert [str(d) for d in diagnostics] == []
    game = interpreter.Game(found)
    state = game.new_state(1)
    assert len(state.legal_actions()) == size
    end = game.playout(1)
    assert sum(end.returns()) == size


# --- that it is the same game everywhere -------------------------------------------------------------
def value(state):
    """(mean number of decisions, mean return of the first seat) of random play, exactly."""
    if state.is_terminal():
        return Fraction(0), Fraction(state.returns()[0])
    if state.is_chance_node():
        parts = [(p, value(state.child(a))) for a, p in state.chance_outcomes()]
    else:
        legal = state.legal_actions()
        parts = [(Fraction(1, len(legal)), value(state.child(a))) for a in legal]
    length, returned = (sum((p * v[i] for p, v in parts), Fraction(0)) for i in (0, 1))
    return length + (not state.is_chance_node()), returned


def test_the_game_that_is_written_for_a_comparison_has_its_peers_numbers():
    """RLCard's Leduc, all deals and all answers enumerated in RLCard 1.2.0: 208/81 decisions, -137/729 for the small blind."""
    game = interpreter.Game(rulespec.load(plan.DATA / "leduc_blinds.yaml"))
    state = game.new_state(chance="explicit")
    assert value(state) == (Fraction(208, 81), 0)
    # The lot for the small blind is drawn when both have their card, and is the only one with two outcomes.
    after = [s for d in deals(state) for s in [d.child(0)]]
    means = [value(s)[1] for s in after]
    assert len(means) == 30
    assert sum(means) / 30 == Fraction(-137, 729)


def deals(state):
    """The positions before the lot, one for each way to deal two cards."""
    if len(state.chance_outcomes()) == 2:
        return [state]
    return [found for a, _ in state.chance_outcomes() for found in deals(state.child(a))]


class Library(types.SimpleNamespace):
    """Stands in for a library that is imported by name."""


@pytest.fixture
def openspiel_of_ours(monkeypatch):
    """OpenSpiel's calls, answered by our own game."""
    game = interpreter.Game(rulespec.load(SMALL), players=2)

    def evaluate(state, bots, seed):
        dice = random.Random(seed)
        while not state.is_terminal():
            state.apply_action(dice.choice([a for a, _ in state.chance_outcomes()] or state.legal_actions()))
        return state.returns()

    def load_game(name):
        assert name == SMALL
        return Library(
            new_initial_state=lambda: game.new_state(chance="explicit"), num_players=lambda: game.num_players
        )

    library = Library(load_game=load_game, make_uniform_random_bot=lambda player, seed: None, evaluate_bots=evaluate)
    monkeypatch.setitem(sys.modules, "pyspiel", library)


def test_the_loop_for_openspiel_plays_what_ours_plays(openspiel_of_ours):
    random.seed(3)
    theirs = drivers.openspiel({"load": SMALL})
    own = ours.works({"load": SMALL, "players": 2, "backend": "python"})
    length, returned = value(interpreter.Game(rulespec.load(SMALL), players=2).new_state(chance="explicit"))
    exact = Sample("exact", "", 10**9, {"length": [float(length), 0.0], "returns": [float(returned), 0.0]})
    for works, quantity in ((theirs, "steps"), (theirs, "playouts"), (own, "steps"), (own, "playouts")):
        told = slices.sample(works[quantity](), 1500, 60.0)
        assert told["games"] == 1500
        assert Sample("", quantity, told["games"], told["features"]).differs(exact) == []
    for works in (theirs, own):
        for quantity in ("clones", "children"):
            work = works[quantity]()
            work.call()
            assert 0 < work.units <= 400
    own["saves"]().call()


def test_the_loops_for_environments_play_to_the_end_and_count(monkeypatch):
    """Three legal actions each time; a game is over when a third action has been taken, and pays the last one's number."""

    class Env:
        possible_agents = ("a", "b")
        num_actions, num_players = 3, 2

        def __init__(self):
            self.game = self
            self.taken: list[int] = []

        def reset(self, seed=None):
            self.taken = []
            return {"legal_actions": {0: None, 1: None, 2: None}}, 0

        def init_game(self):
            self.reset()
            return {"legal_actions": [0, 1, 2]}, 0

        def step(self, action):
            assert action in (0, 1, 2)
            assert not self.is_over()
            self.taken.append(action)
            return {"legal_actions": [0, 1, 2]}, 0

        def is_over(self):
            return len(self.taken) == 3

        def get_payoffs(self):
            return [self.taken[-1] / 2, -self.taken[-1] / 2]

        def set_agents(self, agents):
            assert len(agents) == 2

        def run(self, is_training):
            self.taken = [0, 0, 2]
            return [], self.get_payoffs()

        def last(self):
            mask = Library(tolist=lambda: [1, 0, 1])
            return {"action_mask": mask}, 0, self.is_over(), False, {}

        @property
        def rewards(self):
            return dict(zip(self.possible_agents, self.get_payoffs(), strict=True))

    monkeypatch.setitem(sys.modules, "rlcard", Library(make=lambda name, config: Env()))
    monkeypatch.setitem(sys.modules, "rlcard.agents", Library(RandomAgent=lambda num_actions: None))
    monkeypatch.setitem(sys.modules, "some.env", Library(raw_env=Env))
    for driver, quantity, last in (
        (drivers.rlcard, "steps", {0, 1, 2}),
        (drivers.rlcard, "playouts", {2}),
        (drivers.rlcard_game, "steps", {0, 1, 2}),
        (drivers.pettingzoo, "steps", {0, 2}),
    ):
        work = driver({"load": "x", "module": "some.env", "points": 2})[quantity]()
        played = [work.read(work.call()) for _ in range(60)]
        assert {length for length, _ in played} == ({None} if quantity == "playouts" else {3})
        assert {returns[0] for _, returns in played} == last
        assert all(one == -other for _, (one, other) in played)


def peers_here():
    return {peer.id for peer in plan.peers().values() if install.version(peer) is not None}


@pytest.mark.parametrize(
    "game",
    [
        entry["game"] if "game" in entry else Path(entry["file"]).stem
        for entry in plan.document()["comparisons"]
        if entry["against"] and "apart" not in entry
    ],
)
def test_installed_peers_play_the_same_game(plans, game):
    """Runs where `make bench` has installed the peers."""
    (one,) = [p for p in plans if p.game == game and p.compared]
    here = {entry.peer for entry in one.entries if entry.peer} & peers_here()
    if not here:
        pytest.skip("no peer is installed")
    samples = []
    for entry in one.entries:
        if entry.peer in here or entry.contender == "generated":
            with crew.Process(entry) as process:
                told = process.ask(do="start", driver=entry.driver, settings=entry.settings)
                assert "steps" in told["quantities"]
                samples += measure.prepared(process, "steps", replace(QUICK, games=400, slice=0.1), True)
    assert len(samples) >= 2
    assert all(set(sample.features) == {"returns", "squares", "length"} for sample in samples)
    assert Row(game, "", 2, "", "", (), tuple(samples)).strangers() == []


# --- how it is measured ------------------------------------------------------------------------------
def test_a_slice_counts_what_was_done():
    calls = []
    work = slices.Work(lambda: calls.append(1), units=3)
    units, seconds = slices.timed(work, size=7, seconds=0.0)
    assert units == 3 * len(calls) == 21
    assert seconds >= 0
    assert slices.batch_size(work, 0.0) == 1


def test_a_sample_tells_means_and_variances():
    games = iter([(1, [2.0, 0]), (3, [4.0, 0]), (None, [0.0, 0])])
    work = slices.Work(lambda: next(games), read=lambda game: game)
    told = slices.sample(work, 3, 0.0)
    assert told == {"games": 3, "features": {"returns": [2, 4], "squares": [20 / 3, 208 / 3], "length": [2, 2]}}


def test_rounds_take_turns():
    turns = []

    class Fake:
        def __init__(self, name):
            self.entry = Library(contender=name)

        def ask(self, do, what, seconds):
            turns.append((self.entry.contender, what))
            if self.entry.contender == "bad":
                raise crew.NotMeasured("it broke")
            return {"units": 10, "seconds": 2.0}

    running = [(Fake(name), "steps") for name in ("a", "bad", "b", "reference")]
    series = measure.rounds(running, replace(QUICK, rounds=3), lambda: None)
    assert turns == [(n, "steps") for n in ["a", "bad", "b", "reference", "a", "b", "a", "b"]]
    assert [(s.contender, s.rates, s.error) for s in series] == [
        ("a", (5.0,) * 3, None),
        ("bad", (), "it broke"),
        ("b", (5.0,) * 3, None),
        ("reference", (5.0,), None),
    ]


def test_a_worker_tells_what_failed_and_lives_on():
    entry = plan.Entry("generated", None, "ours", {"load": "no_such_game", "players": 2, "backend": "generated"})
    with crew.Process(entry) as process:
        with pytest.raises(crew.NotMeasured, match="no_such_game"):
            process.ask(do="start", driver="ours", settings=entry.settings)
        with pytest.raises(crew.NotMeasured, match="KeyError"):
            process.ask(do="start", driver="nobody", settings={})
        started = process.ask(do="start", driver="ours", settings={**entry.settings, "load": SMALL})
        assert started["quantities"] == ["playouts", "steps", "clones", "children", "saves"]
        process.child.kill()
        with pytest.raises(crew.NotMeasured, match="its process ended"):
            process.ask(do="run", what="steps", seconds=0.001)
    assert process.child.returncode is not None


def test_each_new_process_has_its_turn_and_the_cache_is_filled_first():
    todo = cold.tasks([("x", 2)])
    order = list(cold.order(todo, 2))
    assert [task.what for task, counts in order if not counts] == ["cached"] * 2
    counted = [task.what for task, counts in order if counts]
    assert counted.count("lint") == 2 and counted.count("load") == 3
    assert counted.count("cached") == 3 and counted.count("memory") == 2
    assert [task.what for task, counts in order if counts and task.backend == "reference"] == [
        "load",
        "cached",
        "memory",
    ]
    assert cold.processes(todo, 2) == len(order)


def test_new_processes_tell_their_stages(tmp_path):
    todo = [task for task in cold.tasks([(SMALL, 2)]) if task.backend in ("", "reference")]
    todo += [cold.Task("no_such_game", 2, what, "reference") for what in ("lint", "load")]
    found = cold.measure(todo, QUICK, tmp_path / "cache", lambda: None)
    by_what = {(one.game, one.what): one for one in found}
    assert ["no_such_game" in one.error for one in found if one.game == "no_such_game"] == [True, True]
    assert set(by_what[SMALL, "lint"].stages) == {"total", "processor"}
    for what in ("load", "cached"):
        stages = {name: value for name, (value,) in by_what[SMALL, what].stages.items()}
        assert stages["total"] == pytest.approx(stages["import"] + stages["load"] + stages["compile"])
    bare, loaded, played = (by_what[SMALL, "memory"].stages[name][0] for name in ("bare", "loaded", "played"))
    assert 0 < bare <= loaded <= played
    assert bare <= fresh.peak()


# --- peers that are missing --------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("messages", "reason"),
    [
        ("WARNING: x\nERROR: Could not find a version\nERROR: No matching y~=2", "No matching y~=2"),
        ("WARNING: Retrying after NewConnectionError('...')\nERROR: No matching distribution", "no package index in reach"),
        ("/usr/bin/python: No module named pip", "there is no pip here"),
        ("", "pip failed and did not say why"),
    ],
)  # fmt: skip
def test_the_reason_why_a_peer_cannot_be_installed(messages, reason):
    assert install.reason(messages) == reason


def test_a_peer_is_installed_whole_or_not_at_all(monkeypatch, tmp_path):
    monkeypatch.setattr(install, "PLACE", tmp_path / "peers")
    peer = plan.peers()["rlcard"]
    calls = []

    def broken(arguments):
        calls.append(arguments)
        Path(arguments[-1]).mkdir(parents=True)
        return "the network is down"

    monkeypatch.setattr(install, "pip", broken)
    assert install.install(peer) == "the network is down"
    assert list((tmp_path / "peers").iterdir()) == []

    def working(arguments):
        broken(arguments)

    monkeypatch.setattr(install, "pip", working)
    assert install.install(peer) is None
    assert (install.folder("rlcard") / install.STAMP).read_text() == "\n".join(install.wanted(peer))
    assert install.install(peer) is None
    assert len(calls) == 2
    assert calls[0][:-2] == install.wanted(peer)


def test_a_missing_peer_is_named(monkeypatch, capsys):
    console.prepare()
    monkeypatch.setattr(install, "version", lambda peer: None)
    monkeypatch.setattr(install, "install", lambda peer: "no wheel for this | machine")
    monkeypatch.setattr(cold, "tasks", lambda games: [])
    results = running.run(QUICK, [ONE_ROW], installing=True)
    assert {peer["problem"] for peer in results.peers.values()} == {"no wheel for this | machine"}
    text = page(results)
    assert "OpenSpiel is **not installed: no wheel for this | machine**" in text
    assert "*not installed: no wheel for this \\| machine*" in text
    well_formed(text)
    assert any("not installed: no wheel" in line for line in summary.ratios(results))
    ours_measured = [s for row in results.rows for s in row.series if s.contender in plan.BACKENDS]
    assert {s.error for s in ours_measured} == {None}
    rounds = {backend: 1 if backend in plan.ONCE else QUICK.rounds for backend in plan.BACKENDS}
    assert [len(s.rates) for s in ours_measured] == [rounds[s.contender] for s in ours_measured]
    assert from_json(to_json(results)).find(ONE_ROW)[0].length == pytest.approx(
        results.find(ONE_ROW)[0].length, rel=1e-4
    )


# --- the command ---------------------------------------------------------------------------------------
def bench(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["bench", *map(str, arguments)])
    return cli.main()


def test_a_quick_run_of_one_game_writes_where_it_is_told(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(measure, "QUICK", QUICK)
    monkeypatch.setattr(cold, "tasks", lambda games: [cold.Task(game, players, "lint", "") for game, players in games])
    assert bench(monkeypatch, "--quick", "--only", ONE_ROW, "--rounds", 1, "--out", tmp_path / "out") == 0
    shown = capsys.readouterr()
    assert "ours, one call" in shown.out and "written" in shown.err
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [files.DATA, files.PAGE]
    found = files.last(tmp_path / "out")
    assert {row.game for row in found.rows} == {one.game for one in found.fresh} == {ONE_ROW}
    assert found.settings["rounds"] == 1
    well_formed((tmp_path / "out" / files.PAGE).read_text(encoding="utf-8"))
    (tmp_path / "out" / files.PAGE).unlink()
    assert bench(monkeypatch, "--page", "--out", tmp_path / "out") == 0
    assert found.date in (tmp_path / "out" / files.PAGE).read_text(encoding="utf-8")


def test_json_alone_is_on_stdout_and_a_part_of_a_run_writes_no_page(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(files, "REPORTS", tmp_path / "docs")
    monkeypatch.setattr(files, "README", tmp_path / "README.md")
    files.README.write_text(
        "# A\n\n<!-- Written by `make bench`: -->\n\nold\n\n<!-- to here -->\n\nB\n", encoding="utf-8"
    )
    monkeypatch.setattr(running, "run", lambda *_: FULL)
    assert bench(monkeypatch, "--json", "--only", SMALL) == 0
    assert from_json(capsys.readouterr().out) == from_json(to_json(FULL))
    assert not (tmp_path / "docs").exists()
    assert bench(monkeypatch, "--json") == 0
    assert (tmp_path / "docs" / files.PAGE).is_file()
    text = files.README.read_text(encoding="utf-8")
    assert FULL.date in text and "old" not in text and text.startswith("# A\n") and text.endswith("\nB\n")


def test_an_interrupted_run_changes_nothing(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(files, "REPORTS", tmp_path)
    files.write(FULL, tmp_path, files.DATA, files.PAGE)
    before = {p.name: p.read_text(encoding="utf-8") for p in tmp_path.iterdir()}

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "run", interrupted)
    assert bench(monkeypatch) == 130
    assert "nothing was written" in capsys.readouterr().err
    assert {p.name: p.read_text(encoding="utf-8") for p in tmp_path.iterdir()} == before


def test_a_text_that_cannot_be_made_leaves_the_files_alone(monkeypatch, tmp_path):
    def broken(results):
        raise RuntimeError("no page")

    monkeypatch.setitem(files.TEXTS, files.PAGE, broken)
    with pytest.raises(RuntimeError):
        files.write(FULL, tmp_path, files.DATA, files.PAGE)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--only", "kuhn_pokre"], "did you mean `kuhn_poker`"),
        (["--rounds", "0"], "--rounds"),
        (["--page", "--out", "{tmp}"], "`make bench` writes it"),
    ],
)
def test_misuse_is_told_in_a_line(arguments, told, monkeypatch, tmp_path, capsys):
    assert bench(monkeypatch, *(a.replace("{tmp}", str(tmp_path)) for a in arguments)) == 2
    shown = capsys.readouterr().err
    assert shown.startswith("error[C001]") and told in shown


def test_a_damaged_run_is_refused(monkeypatch, tmp_path, capsys):
    (tmp_path / files.DATA).write_text("{}", encoding="utf-8")
    assert bench(monkeypatch, "--page", "--out", tmp_path) == 2
    assert "no result of the benchmark" in capsys.readouterr().err


MOST_ANSWERS = 64  # of a game in two styles: a whole one of most


# --- two styles of one game -----------------------------------------------------------------------------
@pytest.mark.parametrize("entry", plan.document()["styles"], ids=lambda entry: entry["natural"])
def test_a_game_in_another_style_is_the_same_game(entry):
    paths = [plan.DATA / name if name.endswith(".yaml") else name for name in (entry["natural"], entry["tuned"])]
    natural, tuned = (interpreter.Game(rulespec.load(path)) for path in paths)
    for seed in (1, 2):
        one, other = (
            natural.new_state(seed, undo=False, record=False),
            tuned.new_state(seed, undo=False, record=False),
        )
        dice = random.Random(seed)
        while not one.is_terminal() and one.decisions < MOST_ANSWERS:
            assert one.legal_actions() == other.legal_actions()
            action = dice.choice(one.legal_actions())
            one.apply_action(action)
            other.apply_action(action)
        assert other.is_terminal() == one.is_terminal() and one.returns() == other.returns()


def test_rows_that_are_measured_apart_are_put_to_the_last_run_with_their_day():
    results = FULL
    first = results.rows[0]
    newer = replace(results, date="2031-02-03", rows=(replace(first, note="anew"), replace(first, game="another")))
    both = results.adding(newer)
    assert [row.game for row in both.rows] == [*(row.game for row in results.rows), "another"]
    assert (both.rows[0].note, both.rows[0].apart, both.date) == ("anew", "2031-02-03", results.date)
    assert all(not row.apart for row in both.rows[1:-1])
    assert from_json(to_json(both)) == from_json(to_json(both.adding(replace(newer, rows=()))))

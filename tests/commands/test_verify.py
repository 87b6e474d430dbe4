"""`rulespec verify`: what it demands is looked at by breaking it, and games that are in order pass."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import interpreter
import rulespec
from interpreter.runtime.hidden import Hidden
from interpreter.runtime.visibility import Sight
from interpreter.testing.cases import run_cases
from interpreter.testing.properties.moment import Moment, back_ends_agree, copies_agree, saves_agree, undo_agrees
from interpreter.testing.properties.position import actions_are_in_order, pieces_are_conserved, returns_fit
from interpreter.testing.properties.run import kinds, play
from interpreter.testing.properties.shrink import shrunk
from interpreter.testing.properties.text import as_case, as_transcript
from interpreter.testing.properties.trial import LEAKS, UNDO, Bench, Budget, Failure
from interpreter.views import learnt
from interpreter.views.knowledge import knowledge_of
from rulespec import ir
from rulespec.cases.compiler import load_cases
from tests.helpers.commands import run
from tests.helpers.games import bench_of, loaded, walk
from tests.helpers.places import ROOT

LEAKING = """\
rulespec: 1
id: vaults
title: Vaults
players: 2
zones:
  vault: {{of: Gem, per: Player, kept as: counts, seen by: owner, starts with: 3 of ruby + 2 of opal}}
  chest: {{of: Gem, per: Player, kept as: counts, seen by: owner}}
types:
  Gem: [ruby, opal]
state:
  per Player:
    code: {{is: 1..6, seen by: owner, starts: 1}}
  note: {{is: 0..6, seen by: all}}
phases:
  game:
    do:
      - {{choose: code_set, by: p1, from: 1..6}}
      - {{set: p1.code, to: code_set}}
      - repeat: 3
        do:
          - {{choose: idle, by: p2, from: 1..3}}
{steps}
end of game:
  rank: ranking(p in players by 0)
"""
# Steps that tell the second player of the code of the first, and what then is said of them.
LEAKS_PLANTED = {
    "a line of the log": ('- {log: "The code is {p1.code}"}', "the log"),
    "a variable": ("- {set: told, to: p1.code}", "variable told"),
    "a prompt": ('- {choose: k, by: p2, from: 1..3, say: "Not {p1.code}?"}', "what is asked"),
    "an option": ("- {choose: k, by: p2, from: 1..6, only: [{if: k != p1.code, why: No}]}", "which options are legal"),
    "a reason": ('- {choose: k, by: p2, from: 1..6, only: [{if: k == 1, why: "It is {p1.code}"}]}', "the reasons"),
    "a label": ('- {choose: k, by: p2, from: 1..3, shown: "{k + p1.code}"}', "the labels of the options"),
    "who is asked": ("- if: p1.code > 3\n  then: [{choose: k, by: p1, from: 1..3}]\n- {choose: l, by: p2, from: 1..3}", "who is asked"),
    "how much there is": ("- if: p1.code > 3\n  then: [{move: 1 of ruby, from: p1.vault, to: p1.chest}]", "vault"),
    "what can be taken back": ("- {choose: k, by: p2, from: 1..3}\n- {set: note, to: p1.code}", "can be taken back"),
}  # fmt: skip


def leaking(steps: str, folder: Path) -> Bench:
    """A game with some steps, ready to be tried."""
    text = LEAKING.format(steps="".join(f"      {line}\n" for line in steps.splitlines()))
    if "told" in steps:
        text = text.replace("  note:", "  told: 0..6\n  note:")
    file = folder / "game.yaml"
    file.write_text(text, encoding="utf-8")
    return bench_of(interpreter.Game(rulespec.load(file)))


def without_barriers(state: interpreter.State, seat: int) -> bool:
    """Whether an answer could be taken back if nothing that it tells stood against it."""
    return state.past is not None and state.history[0][0] == seat and state.history[1] is state.past[0][2]


def first_failure(bench: Bench, games: int = 30) -> Failure:
    """The first failure of some games."""
    for seed in range(games):
        failure = play(bench, seed, Budget()).failure
        if failure is not None:
            return failure
    raise AssertionError("nothing fails")


@pytest.mark.parametrize("name", LEAKS_PLANTED)
def test_a_planted_leak_is_found_with_two_games_that_show_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps, part = LEAKS_PLANTED[name]
    if name == "what can be taken back":
        monkeypatch.setattr(interpreter.State, "can_take_back", without_barriers)
    bench = leaking(steps, tmp_path)
    failure = shrunk(bench, first_failure(bench))
    assert failure.property == (UNDO if name == "what can be taken back" else LEAKS)
    assert failure.message.startswith("p2 cannot tell two games apart") and part in failure.message
    assert failure.other is not None and len(failure.script) <= 8
    one, two = (bench.game.replay(as_transcript(bench.game, script)) for script in (failure.script, failure.other))
    assert one.slots != two.slots


SAME_NUMBER = """\
- {choose: kept, by: p2, from: 1..3}
- {choose: k, by: p1, from: 1..3}
- {set: p1.code, to: k}
- {choose: last, by: p2, from: 1..3}
- {set: note, to: kept}"""

IN_MIND = """\
- {choose: kept, by: p1, from: 1..3}
- {choose: k, by: p2, from: 1..3}
- if: k == kept
  then: [{set: note, to: 1}]"""


def shown_unless_somebody_answered_the_same(position: interpreter.State, seat: int) -> Any:
    """Slots as a seat imagines them if what it answered were hidden from it where another gave an equal answer: a rule that tells."""
    slots = knowledge_of(position.setup).slots(position, seat)
    others = [value for actor, _, _, value in position.answers() if actor not in (seat, -1)]
    number, parent, *values = position.slots[ir.CONTROL]
    slots[ir.CONTROL] = (number, parent, *(Hidden() if value in others else value for value in values))
    return slots


def all_that_the_steps_keep(position: interpreter.State, seat: int) -> Any:
    """Slots as a seat imagines them if it knew what another has in mind."""
    slots = knowledge_of(position.setup).slots(position, seat)
    slots[ir.CONTROL] = position.slots[ir.CONTROL]
    return slots


@pytest.mark.parametrize(
    "steps, imagined",
    [(SAME_NUMBER, shown_unless_somebody_answered_the_same), (IN_MIND, all_that_the_steps_keep)],
    ids=["an equal answer", "a number in mind"],
)
def test_taking_back_that_tells_what_another_answered_is_found(
    steps: str, imagined: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = leaking(steps, tmp_path)
    for seed in range(20):
        assert play(bench, seed, Budget()).failure is None
    monkeypatch.setattr(learnt, "imagined", imagined)
    failure = shrunk(bench, first_failure(bench))
    assert failure.property == UNDO and "can be taken back" in failure.message
    assert failure.other is not None


def test_what_a_spectator_is_shown_beyond_what_is_public_is_his(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if who watches saw what all seats see, each for itself."""
    bits = Sight.bits
    monkeypatch.setattr(Sight, "bits", lambda self, viewer: self.seats if viewer is None else bits(self, viewer))
    bench = bench_of(interpreter.Game(loaded(ROOT / "tests/public/two_looks.yaml"), backend="python"))
    failure = first_failure(bench)
    assert re.search(
        r"^p\d cannot tell two games apart, and a spectator can: something hidden shows: ", failure.message
    )


def test_a_game_that_tells_by_right_passes(tmp_path: Path) -> None:
    """What all see by declaration is no leak; nor is what an ending gives."""
    bench = leaking("- {set: note, to: p1.code}\n- if: note > 3\n  then: [{choose: k, by: p1, from: 1..3}]", tmp_path)
    for seed in range(20):
        assert play(bench, seed, Budget()).failure is None


NAMED = """
rulespec: 1
id: named
title: Named
about: A player names a card that somebody holds, or none. Nobody wins.
players: 3
pieces:
  Card: {fields: {rank: 1..6}, rows: "each(rank in 1..6)"}
zones:
  deck: {of: Card, order: shuffled, seen by: none, starts with: all}
  hand: {of: Card, per: Player, seen by: owner}
  discard: {of: Card}
state:
  called: Card or none
phases:
  game:
    do:
      - {deal: 2, from: deck, to: hand}
      - {choose: named, by: p1, from: "c in Card where c not in p1.hand", say: Name a card, or none: Name nothing}
      - {set: called, to: named}
      - {log: "{p1} names {called}", if: called is known}
      - for: p in players
        do:
          - {choose: card, by: p, from: p.hand, only: [{if: called is none or called not in p.hand or card == called, why: Called}]}
          - {move: card, to: discard, log: "{p} plays {card}"}
"""


def test_that_somebody_names_nothing_is_no_hidden_piece(tmp_path: Path) -> None:
    """Which piece was named is hidden from who does not see it; whether one was named at all is said."""
    file = tmp_path / "named.yaml"
    file.write_text(NAMED, encoding="utf-8")
    bench = bench_of(interpreter.Game(rulespec.load(file)))
    for seed in range(40):
        failure = play(bench, seed, Budget()).failure
        assert failure is None, failure.message


def test_a_script_is_a_case_and_a_transcript(tmp_path: Path) -> None:
    bench = leaking(LEAKS_PLANTED["a reason"][0], tmp_path)
    failure = shrunk(bench, first_failure(bench))
    case = as_case(bench.game, failure.script, "found")
    file = tmp_path / "game.yaml"
    file.write_text(
        file.read_text(encoding="utf-8") + "cases:\n" + "".join(f"  {line}\n" for line in case.splitlines()),
        encoding="utf-8",
    )

    suite, findings = load_cases(file)
    assert suite is not None, findings
    assert [result.message for result in run_cases(suite)] == [""]


def test_failures_of_one_kind_are_told_once(tmp_path: Path) -> None:
    bench = leaking(LEAKS_PLANTED["a variable"][0], tmp_path)
    failures = [one for seed in range(10) if (one := play(bench, seed, Budget()).failure) is not None]
    assert len(failures) > 2
    assert len(kinds(failures)) == 1


# --- each property, broken ------------------------------------------------------------------------------------------
def test_pieces_that_are_lost_are_noticed() -> None:
    state = walk(interpreter.Game(loaded("leduc_poker")), 1)
    assert pieces_are_conserved(state) is None
    kind = next(kind for kind in state.game.program.kinds if kind.location is not None)
    state.slots = list(state.slots)
    state.slots[kind.location or 0] = next(
        slot
        for zone in state.game.program.zones
        for slot in range(zone.base, zone.base + zone.size)
        if slot != state.slots[kind.location or 0]
    )
    assert "does not hold what lies there" in str(pieces_are_conserved(state))


def test_actions_out_of_order_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    state = interpreter.Game(loaded("tic_tac_toe")).new_state()
    assert actions_are_in_order(state) is None
    monkeypatch.setattr(interpreter.State, "legal_actions", lambda *_: [3, 1, 2])
    assert "not ascending" in str(actions_are_in_order(state))
    monkeypatch.setattr(interpreter.State, "legal_actions", lambda *_: [])
    assert "no legal action" in str(actions_are_in_order(state))


def test_returns_before_the_end_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    state = interpreter.Game(loaded("tic_tac_toe")).new_state()
    assert returns_fit(state) is None
    monkeypatch.setattr(interpreter.State, "returns", lambda _: [1, -1])
    assert returns_fit(state) == "there are returns before the end"


@pytest.mark.parametrize("prop", [copies_agree, saves_agree, undo_agrees, back_ends_agree])
def test_answers_that_lead_elsewhere_are_noticed(prop) -> None:
    game = interpreter.Game(loaded("connect_four"))
    other = interpreter.Game(loaded("connect_four"), backend="reference")
    before = game.new_state()
    assert prop(Moment(before, before.child(2), 0, 2, (other,))) is None
    wrong = before.child(3)
    wrong.past = before.child(2).past
    wrong.slots = [*wrong.slots[:-1], before.child(2).slots[0]]
    assert prop(Moment(before, wrong, 0, 2, (other,))) is not None


# --- the command ----------------------------------------------------------------------------------------------------
def test_the_command_shows_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    leaking(LEAKS_PLANTED["a line of the log"][0], tmp_path)
    game, scripts = str(tmp_path / "game.yaml"), str(tmp_path / "out")
    code, out, err = run(capsys, "verify", game, "--games", "10", "--jobs", "1", "--scripts", scripts)
    assert code == 1
    assert "14 hold, not paired_states" in out
    assert "error[paired_states]: p2 cannot tell two games apart" in err and "--seed" in err
    for file in sorted((tmp_path / "out").glob("*.jsonl")):
        assert run(capsys, "replay", str(file), "--game", game)[0] == 0
    assert len(list((tmp_path / "out").iterdir())) == 2


def test_the_command_gives_the_same_in_many_processes(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("verify", str(ROOT / "games/kuhn_poker"), "--games", "8", "--seconds", "0", "--json")
    alone, together = (json.loads(run(capsys, *words, "--jobs", jobs)[1]) for jobs in ("1", "2"))
    assert alone == together
    assert [one["sum"] for one in alone["setups"]] == [[0, 0], [0, 0]]


def test_a_game_that_takes_too_many_decisions(capsys: pytest.CaptureFixture[str]) -> None:
    """It is said which questions are asked again, and the command to see it again says the bound."""
    words = ("verify", str(ROOT / "games/kuhn_poker"), "--games", "2", "--jobs", "1", "--max-decisions")
    code, out, err = run(capsys, *words, "1")
    assert code == 1 and "14 hold, not games_end" in out
    assert "R017: no end after 1 decision" in err and "--max-decisions 1 --players 2" in err
    assert run(capsys, *words, "3")[0] == 0


def test_why_c_is_not_compared_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """A game goes on without C as it did before there was any."""
    words = ("verify", str(ROOT / "games/kuhn_poker"), "--games", "2", "--jobs", "1")
    code, out, _ = run(capsys, *words)
    assert code == 0 and out.endswith(
        "  not compared with C: kuhn_poker cannot be played natively: RULESPEC_NATIVE is off\n"
    )
    setups = json.loads(run(capsys, *words, "--json")[1])["setups"]
    assert [one["in_c"] for one in setups] == [0, 0] and all("is off" in one["no_c"] for one in setups)


def test_the_command_is_misused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "verify", "nosuch")[0] == 2
    assert run(capsys, "verify", "nosuch", "--max-decisions", "0")[0] == 2
    assert run(capsys, "verify", str(ROOT / "games/kuhn_poker"), "--players", "9")[0] == 2

"""Play as a judge of the static check: whoever cannot tell two games apart must be shown the same in both.

Games are played with the same answers and, but for one draw, the same chance.  Where a seat has the same information state in two
of them and reads another log, or is offered or refused something else, there is a leak, and the static check must have found one.
That a variable, a count or being asked tells something is part of an information state, so that this judge is blind to it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter import InformationTracker
from rulespec.lint.flow import leaks
from rulespec.loading.reading import read_tree
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Source
from rulespec.text.yaml_tree import parse
from tests.helpers.flow import completed, found_in, marked, snippets
from tests.helpers.games import loaded
from tests.helpers.places import PLAY

JUDGED = {"F001", "F002", "F004", "F005"}  # what this judge can see
SNIPPETS = [
    (name, steps)
    for name, steps in (*snippets("leaks.yaml"), *snippets("clean.yaml"))
    if not {code for _, code in marked(steps)} - JUDGED
]
HIDING = [path for path in PLAY if "seen by: owner" in path.read_text(encoding="utf-8")]


def game_of(text: str) -> interpreter.Game:
    diagnostics = Diagnostics()
    root = parse(Source("game", text), diagnostics)
    found = None if root is None else read_tree(root, None, diagnostics)
    assert found is not None
    return interpreter.Game(found, backend="reference")


def shown_to(state: interpreter.State, seat: int) -> str:
    """What a seat reads and may answer."""
    shown: list[object] = [state.log_lines(seat)]
    if seat in state.pending_players():
        decision = state.decision(seat)
        shown.append([decision.prompt, *((c.name, c.text, c.legal, c.why) for c in decision.options)])
    return repr(shown)


def tells(game: interpreter.Game, steps: int = 40) -> bool:
    """Whether a seat is shown different things in games that it cannot tell apart."""
    seen: dict[tuple[int, str], str] = {}
    for changed in range(-1, 10):
        state = game.new_state(chance="explicit", undo=False)
        tracker = InformationTracker.start(state)
        draws = 0
        for step in range(steps):
            if not state.is_chance_node():
                for seat in range(game.num_players):
                    shown = shown_to(state, seat)
                    if seen.setdefault((seat, tracker.information_state(seat)), shown) != shown:
                        return True
            if state.is_terminal():
                break
            before = state.clone()
            if state.is_chance_node():
                outcomes = len(state.chance_outcomes())
                state.apply_action((5 * draws + 4 * (draws == changed)) % outcomes)
                draws += 1
            else:
                legal = state.legal_actions()
                state.apply_action(legal[step % len(legal)])
            tracker = tracker.after(before, state)
    return False


@pytest.mark.parametrize("steps", [pytest.param(steps, id=name) for name, steps in SNIPPETS])
def test_what_play_tells_is_found(steps: str) -> None:
    """A leak that is seen in play is found by the check."""
    text = completed(steps)
    try:
        told = tells(game_of(text))
    except interpreter.Fault:  # such as a `none` that is chosen: the planted steps need not be a good game
        told = False
    if told:
        assert {code for _, code in found_in(text)} & JUDGED


def test_the_judge_is_not_blind() -> None:
    """It sees many of the planted leaks by itself."""
    named = dict(snippets("leaks.yaml"))
    sure = ["log_of_a_hidden_number", "log_of_an_implicit_flow", "label_of_a_candidate", "choice_in_a_hidden_hand"]
    assert [name for name in sure if not tells(game_of(completed(named[name])))] == []


@pytest.mark.parametrize("path", HIDING, ids=lambda path: path.stem)
def test_games_of_the_conformance_suite_tell_nothing(path: Path) -> None:
    """Neither in play nor to the check."""
    game = loaded(path)
    assert not leaks(game)
    assert not tells(interpreter.Game(game, backend="reference"))

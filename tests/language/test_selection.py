"""Several chosen in any order: the same answers as by the rules' own questions, each reached in every order of its items."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, permutations

import pytest

import rulespec
from interpreter.counting import Counting
from interpreter.game import Game, State
from interpreter.runtime.faults import IllegalAction
from interpreter.selection import Selection
from tests.helpers.places import ROOT

GAME = """\
rulespec: 1
id: several
players: 1
types: {Gem: {rows: {ruby: {}, jade: {}, onyx: {}}}}
pieces: {Card: {fields: {value: 1..9}, rows: {a: [1], b: [2], c: [3], d: [4], e: [5]}}}
zones:
  row: {of: Card, starts with: all}
  bag: {of: Gem, kept as: counts, starts with: 2 of ruby + 1 of jade + 2 of onyx}
phases:
  game:
    do:
      - choose: chosen
        by: p1
"""
CHOICES = {
    "any": "        from: row\n        count: 0..3\n",
    "all of a number": "        from: row\n        count: 3\n",
    "some are not allowed": "        from: row\n        count: 1..2\n        only: {if: chosen.value != 3, why: Not c}\n",
    "with a whole": "        from: row\n        count: 1..5\n        whole:\n"
    "          - if: sum(x.value for x in chosen) in set(3, 7)\n            why: Three or seven\n",
    "with a whole that few have": "        from: row\n        count: 3\n        whole:\n"
    "          - if: sum(x.value for x in chosen) == 11\n            why: Eleven\n",
    "of numbers": "        from: 3..6\n        count: 2\n        whole: [{if: sum(chosen) > 8, why: More than eight}]\n",
}
VALUES = {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}
ANSWERS: dict[str, Callable[[tuple[int, ...]], bool]] = {  # which sets of values may be chosen
    "any": lambda values: len(values) <= 3,
    "all of a number": lambda values: len(values) == 3,
    "some are not allowed": lambda values: 1 <= len(values) <= 2 and 3 not in values,
    "with a whole": lambda values: sum(values) in (3, 7),
    "with a whole that few have": lambda values: len(values) == 3 and sum(values) == 11,
}
BAGS = {
    "any": "        from: bag\n        count: 0..2\n",
    "all of a number": "        from: bag\n        count: 4\n",
    "with a whole": "        from: bag\n        count: 1..3\n        whole:\n"
    "          - if: count(chosen, ruby) == count(chosen, onyx)\n            why: As many\n",
}


def begun(choice: str, tmp_path, backend: str = "auto") -> State:
    file = tmp_path / "game.yaml"
    file.write_text(GAME + choice, encoding="utf-8")
    state: State = rulespec.Game(rulespec.load(file), backend=backend).new_state(1)
    return state


@pytest.mark.parametrize("backend", ["reference", "python"])
@pytest.mark.parametrize("choice", ANSWERS)
def test_which_sets_may_be_chosen(choice: str, backend: str, tmp_path) -> None:
    """Each of those that the words say, by a way that does not end before."""
    may = ANSWERS[choice]
    wanted = {
        frozenset(names)
        for size in range(6)
        for names in combinations(VALUES, size)
        if may(tuple(map(VALUES.get, names)))
    }
    assert set(by_the_rules(begun(CHOICES[choice], tmp_path, backend))) == wanted


def by_the_rules(state: State) -> dict[frozenset[object], State]:
    """Every answer, with where it leads."""
    answers: dict[frozenset[object], State] = {}

    def go(state: State, items: tuple[object, ...]) -> None:
        if state.is_terminal():
            answers[frozenset(items)] = state
            return
        assert state.legal_actions(), items
        for action in state.legal_actions():
            name = state.action_to_string(action)
            go(state.child(action), items if name == "done" else (*items, name))

    go(state, ())
    return answers


@pytest.mark.parametrize("choice", CHOICES)
def test_sets_in_every_order(choice: str, tmp_path) -> None:
    state = begun(CHOICES[choice], tmp_path)
    answers = by_the_rules(state)
    reached: set[frozenset[object]] = set()

    def go(selection: Selection, items: tuple[str, ...]) -> None:
        if selection.over:
            end = state.clone()
            selection.give(end, end.apply_action)
            assert end == answers[frozenset(items)]
            reached.add(frozenset(items))
            return
        for option in selection.decision.options:
            if option.legal:
                go(selection.adding(option), items if option.name == "done" else (*items, option.name))
            else:
                assert option.why
        named = {option.name for option in selection.decision.options if option.legal} - {"done"}
        wanted = {name for answer in answers if answer > set(items) for name in answer - set(items)}
        assert named == wanted, items

    selection = state.selection()
    assert selection is not None
    go(selection, ())
    assert reached == set(answers)
    for answer in answers:
        for order in permutations(answer):
            picking = selection
            for name in order:
                picking = picking.adding(picking.called(str(name)))


@pytest.mark.parametrize("choice", BAGS)
def test_counts_by_name(choice: str, tmp_path) -> None:
    """Every way to name so many of each is an answer of the rules, or refused with a reason."""
    state = begun(BAGS[choice], tmp_path)
    ends: list[State] = []

    def go(state: State) -> None:
        if state.is_terminal():
            ends.append(state)
        for action in state.legal_actions() if not state.is_terminal() else ():
            go(state.child(action))

    go(state)
    given = 0
    for ruby in range(4):
        for jade in range(3):
            for onyx in range(3):
                counting = Counting.of(state)
                assert counting is not None
                wanted = counting.named(f"{ruby} rubies, {jade} jade + {onyx} of onyx")
                assert wanted == {0: ruby, 1: jade, 2: onyx}
                end = state.clone()
                try:
                    counting.give(wanted, end, end.apply_action)
                except IllegalAction as refusal:
                    assert refusal.diagnostic.code == "P002" and end == state
                else:
                    assert end in ends
                    given += 1
    assert given == len(ends)


def test_what_is_said_of_other_words(tmp_path) -> None:
    state = begun(BAGS["any"], tmp_path)
    counting = Counting.of(state)
    assert counting is not None and state.selection() is None
    assert (
        counting.named("2 pearls") is None and counting.named("ruby and pearl") is None and counting.named("") is None
    )
    assert counting.named("a ruby") is None and counting.named("ruby, ruby") == {0: 2} == counting.named("2x ruby")
    sets = begun(CHOICES["any"], tmp_path)
    assert Counting.of(sets) is None and sets.selection() is not None


def test_a_count_is_asked_in_the_plural() -> None:
    """By the declared plural of the kind that is asked for; where it has none, by its name."""
    game = Game(rulespec.load(ROOT / "tests/conformance/play/plurals.yaml"), players=2, backend="reference")
    assert game.new_state(seed=1).decision(0).prompt == "Choose taken - how many rubies?"

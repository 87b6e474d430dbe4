"""Variables that are not given yet: which of them hold nothing until then, and how that is shown."""

from __future__ import annotations

import pytest

import rulespec
from interpreter.runtime.values import CHANCE
from rulespec.loading.reading import read_tree
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Source
from rulespec.text.yaml_tree import parse
from tests.helpers.games import loaded
from tests.helpers.places import ROOT

GAME = """
rulespec: 1
id: one
title: One
players: 2
types: {{Item: [apple, pear, plum]}}
state: {{x: Item, deep: Item, per Player: {{own: Item}}}}
events: {{heard: {{}}}}
{more}
phases:
  game:
    do:
      - {{choose: a, by: p1, from: Item}}
{steps}
      - {{choose: z, by: p2, from: Item}}
      - {{win: p1, if: z == apple}}
"""
READ = "{check: x != plum, why: No plums}"
OWN = "{check: p2.own != plum, why: No plums}"
RULE = "rules: {sets: {after: heard, do: [{set: x, to: pear}]}}"
READS = "rules: {reads: {after: heard, where: x == pear, do: [{set: deep, to: pear}]}}"
PROCEDURES = f"procedures: {{give_x: {{do: [{{set: x, to: pear}}]}}, read_x: {{do: [{READ}]}}}}"
Z_OF = "functions: {z_of: {takes: {i: Item}, is: i == plum}}"
# What steps come between two choices, what stands before them, and which variables hold nothing at the beginning.
STEPS = {
    "given and read": (["{set: x, to: a}", READ], "", {"x"}),
    "given and only shown": (["{set: x, to: a}"], "", {"x"}),
    "read and never given": ([READ], "", set()),
    "read before it is given": ([READ, "{set: x, to: a}"], "", set()),
    "given in one case": (["{if: a == plum, then: [{set: x, to: a}]}", READ], "", set()),
    "given in both cases": (
        ["{if: a == plum, then: [{set: x, to: a}], else: [{set: x, to: pear}]}", READ], "", {"x"}
    ),
    "given where it is read": ([f"{{if: a == plum, then: [{{set: x, to: a}}, {READ}]}}"], "", {"x"}),
    "given to all": (["{for: p in players, do: [{set: p.own, to: a}]}", OWN], "", {"own"}),
    "given to all in turn order": (["{for: p in seats_from(p2), do: [{set: p.own, to: a}]}", OWN], "", {"own"}),
    "given to each by name": (["{set: p1.own, to: a}", "{set: p2.own, to: a}", OWN], "", {"own"}),
    "given to the one who reads": (["{set: p2.own, to: a}", OWN], "", {"own"}),
    "given to another": (["{set: p1.own, to: a}", OWN], "", set()),
    "given to one of a loop": (["{for: p in players, do: [{if: p == p2, then: [{set: p.own, to: a}]}]}", OWN], "", set()),
    "given to some": (["{for: p in players where a == plum, do: [{set: p.own, to: a}]}", OWN], "", set()),
    "given until the loop is left": (
        ["{for: p in players, do: [{stop when: a == plum}, {set: p.own, to: a}]}", OWN], "", set()
    ),
    "given and read in a loop": (["{for: p in players, do: [{set: p.own, to: a}, {check: p.own == a, why: So}]}"], "", {"own"}),
    "read in the loop before": (["{for: p in players, do: [{check: p.own == a, why: So}, {set: p.own, to: a}]}"], "", set()),
    "given at the second time": ([f"{{repeat: 2, do: [{READ}, {{set: x, to: a}}]}}"], "", set()),
    "perhaps given in a loop": (["{while: a == plum and z_of(x), do: [{set: x, to: a}]}"], Z_OF, set()),
    "given by a procedure": (["give_x", "read_x"], PROCEDURES, {"x"}),
    "read by a procedure": (["read_x", "give_x"], PROCEDURES, set()),
    "given by a rule": (["announce: heard", READ], RULE, set()),
    "read by what a rule waits for": (["announce: heard", "{set: x, to: a}"], READS, {"deep"}),
    "read by it when it is given": (["{set: x, to: a}", "announce: heard"], READS, {"x", "deep"}),
    "read by a function": (["{check: same(), why: So}", "{set: x, to: a}"], "functions: {same: x == plum}", set()),
    "read by looking ahead": (
        ["{check: 'after(read_x, 1) == 1', why: So}", "{set: x, to: a}"], PROCEDURES, set()
    ),
}  # fmt: skip


def opened(steps: list[str], more: str) -> set[str]:
    """The variables that hold nothing at the beginning of a game."""
    text = GAME.format(steps="\n".join(f"      - {step}" for step in steps), more=more)
    diagnostics = Diagnostics()
    root = parse(Source("one.yaml", text), diagnostics)
    game = None if root is None else read_tree(root, None, diagnostics)
    assert game is not None, "\n".join(map(rulespec.render, diagnostics))
    return {v.name for v in game.program().variables if v.open}


@pytest.mark.parametrize("name", STEPS)
def test_what_the_rules_give_before_they_read_it_holds_nothing_until_then(name: str) -> None:
    steps, more, expected = STEPS[name]
    assert opened(steps, more) == expected


@pytest.mark.parametrize("backend", ["reference", "generated"])
def test_vectors_and_the_table_say_that_nothing_is_there(backend: str) -> None:
    game = rulespec.Game(loaded(ROOT / "tests/conformance/play/not_given.yaml"), backend=backend)
    state = game.new_state()
    while state.current_player() == CHANCE:
        state.apply_action(state.chance_outcomes()[0][0])
    layout = game.observation_layout

    def seen(name: str) -> list[str]:
        vector = layout.observation(state, 1, ())
        return [entry for entry, value in zip(layout.names, vector, strict=True) if value and entry.startswith(name)]

    def shown() -> set[str]:
        return {counter["id"] for counter in state.table(1)["counters"]}

    assert (seen("named"), seen("read")) == ([], ["read=apple"])
    assert shown() == {"usual", "read", "at_times"}
    state.apply_action(state.legal_actions(0)[0], 0)
    state.apply_action(state.legal_actions(1)[0], 1)
    state.apply_action(2, 0)
    assert seen("named") == ["named is there", "named=plum"]
    assert shown() == {"named", "usual", "read", "at_times"}

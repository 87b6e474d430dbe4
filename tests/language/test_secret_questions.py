"""Questions whose legal answers depend on what not all see are put even where there is one answer."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulespec

GAME = """\
rulespec: 1
id: asked
title: Asked
players: 2
pieces:
  Card: {{fields: {{value: 1..9}}, rows: {{c1: [1], c2: [2], c3: [3]}}}}
zones:
  deck: {{of: Card, order: shuffled, seen by: none, starts with: all}}
  hand: {{of: Card, per: Player, seen by: owner}}
  table: {{of: Card}}
state:
  open: 0..9
  per Player:
    code: {{is: 0..9, seen by: owner}}
conditions:
  strong: {{takes: {{p: Player}}, if: "any(c in p.hand where c in set(c1))"}}
menus:
  deeds:
    takes: {{p: Player}}
    options:
      rest: {{say: Rest}}
      boast: {{say: Boast, if: strong(p)}}
phases:
  game:
    do:
{steps}
"""
# What is asked, and whether how many answers there are tells something.
QUESTIONS = {
    "an open number": ("- {choose: k, by: p1, from: 1..3, only: [{if: k > open, why: Too few}]}", False),
    "how many cards": ("- {choose: k, by: p1, from: 1..3, only: [{if: k > size(p1.hand), why: Too few}]}", False),
    "whether there are any": ("- {choose: k, by: p1, from: 1..3, only: [{if: k == 1 or p1.hand is empty, why: No}]}", False),
    "hidden cards": ("- {choose: c, by: p1, from: p1.hand, or none: No}", True),
    "several hidden cards": ("- {choose: c, by: p1, from: p1.hand, count: 0..2}", True),
    "several numbers": ("- {choose: c, by: p1, from: 1..3, count: 0..2}", False),
    "open cards": ("- {choose: c, by: p1, from: table, or none: No}", False),
    "several open cards": ("- {choose: c, by: p1, from: table, count: 0..2}", False),
    "a hidden number": ("- {choose: k, by: p1, from: 1..3, only: [{if: k > p1.code, why: Too few}]}", True),
    "a function of a hand": ("- {choose: k, by: p1, from: 1..3, only: [{if: k == 1 or strong(p1), why: No}]}", True),
    "an option": ("- {offer: deed, by: p1, options: {rest: {say: Rest}, boast: {say: Boast, if: strong(p1)}}}", True),
    "an open option": ("- {offer: deed, by: p1, options: {rest: {say: Rest}, boast: {say: Boast, if: open > 3}}}", False),
    "an option of a menu": ("- {offer: deed, by: p1, from: deeds(p1)}", True),
    "a way out": ("- {choose: k, by: p1, from: 1..3, or none: {say: No, if: strong(p1)}}", True),
}  # fmt: skip


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_is_put_where_its_answers_tell_something(name: str, tmp_path: Path) -> None:
    steps, secret = QUESTIONS[name]
    file = tmp_path / "game.yaml"
    file.write_text(GAME.format(steps=f"      {steps}"), encoding="utf-8")
    game, findings = rulespec.check(file)
    assert game is not None, "\n".join(map(rulespec.render, findings))
    assert [site.secret for site in game.program().sites] == [secret]

"""What is said of a case that does not hold, where the reason is not in its facts: a scope is over, somebody else is asked."""

from __future__ import annotations

import pytest

from interpreter.testing.cases import run_cases
from rulespec.cases.compiler import load_cases

GAME = """\
rulespec: 1
id: told
title: Told
players: 2
pieces:
  Card: {rows: {ace: {}, king: {}, queen: {}}}
zones:
  deck: {of: Card, order: shuffled, seen by: none, starts with: all}
  hand: {of: Card, per: Player}
scopes:
  Round:
    state: {tricks: 0..9}
phases:
  game:
    do:
      - scope: Round
        do:
          - turn: p1
procedures:
  turn:
    takes: {p: Player}
    do:
      - {draw: 1, from: deck, to: p.hand}
      - {add: 1, to: tricks}
      - choose: card
        by: p
        from: p.hand
      - {draw: 1, from: deck, to: p.hand}
end of game:
  winners: players
cases:
  one:
"""
IN_ROUND = "    run:\n      - scope: Round\n        do:\n          - turn: p1\n"


def told(tmp_path, case):
    """What is said of a case of the game above, its place left out."""
    file = tmp_path / "told.yaml"
    file.write_text(GAME + case, encoding="utf-8")
    suite, diagnostics = load_cases(file)
    assert suite is not None, "\n".join(map(str, diagnostics))
    (result,) = run_cases(suite)
    return result.message.partition(": ")[2]


@pytest.mark.parametrize("fact", ["tricks == 1", "tricks == 0", "p1.hand is empty or tricks > 5"])
def test_a_fact_about_a_scope_that_is_over(tmp_path, fact):
    """Whether it would hold of what a scope begins with or not: it says nothing."""
    assert told(tmp_path, f"{IN_ROUND}    play:\n      - chance: ace\n      - p1: ace\n    expect: [{fact}]\n") == (
        f"`{fact}` is about the scope `Round`, which is not running here\n"
        "  write `within:` in the case, which lets it go on, or look before it is over: `expect:` among the entries of `play`"
    )


def test_the_same_within_it_or_before_it_is_over(tmp_path):
    within = "    within: Round\n    run:\n      - turn: p1\n    play:\n      - chance: ace\n      - p1: ace\n    expect: [tricks == 1]\n"
    assert told(tmp_path, within) == ""
    assert (
        told(tmp_path, f"{IN_ROUND}    play:\n      - chance: ace\n      - expect: tricks == 1\n      - p1: ace\n")
        == ""
    )


def test_an_invariant_about_a_scope_is_looked_at_while_it_goes_on(tmp_path):
    case = "    play:\n      - chance: ace\n      - p1: ace\n"
    assert told(tmp_path, f"{case}    invariants: [tricks == 1 or deck includes ace]\n") == ""
    assert "`tricks == 0` does not hold" in told(tmp_path, f"{case}    invariants: [tricks == 0]\n")


def test_a_position_that_breaks_an_invariant_is_told_where_it_is_laid(tmp_path):
    """Whether it is the one that a case begins with, or one between two answers."""
    broken = "deck includes ace or p1.hand includes ace"
    laid = "\n    given: [{move: ace, to: p2.hand}]\n    play:\n      - p1: queen\n"
    message = told(tmp_path, f"{laid}    seed: 1\n    invariants: [{broken}]\n")
    assert message.startswith(
        "what must always hold does not at the first decision of the position that is laid here:\n"
    )
    assert f": `{broken}` does not hold" in message
    between = "    play:\n      - chance: ace\n      - given: {move: ace, to: p2.hand}\n      - p1: ace\n"
    message = told(tmp_path, f"{between}    invariants: [{broken}]\n")
    assert message.startswith("what must always hold does not in the position that is laid here:\n")
    assert f": `{broken}` does not hold" in message


@pytest.mark.parametrize(
    "play, said",
    [
        ("- chance: [ace, king]", "chance draws nothing now, so not `king`\n  p1 is asked for `card`"),
        (
            "- asks: p1\n      - chance: king",
            "chance draws nothing now, so not `king`\n  p1 is asked for `card`\n"
            "  ace fell by the seed: `chance` stands before the entry that looks at what follows",
        ),
        (
            "- chance: ace\n      - p1: ace\n      - chance: [king, queen]",
            "chance draws nothing now, so not `queen`\n  what was run is over",
        ),
        ("- chance: jack", "chance cannot give `jack`: `jack` is not one of the options; there are ace, king, queen"),
        ("- chance: kign", "chance cannot give `kign`: `kign` is not one of the options; did you mean `king`?"),
        ("- chance: Rank.king", "chance cannot give `Rank.king`: `Rank.king` is not one of the options; did you mean `king`?"),
        ("- chance: ace\n      - p1: my ace", "p1 cannot answer `my ace`: `my ace` is not one of the options; there are ace"),
    ],
)  # fmt: skip
def test_an_entry_that_does_not_fit(tmp_path, play, said):
    assert told(tmp_path, f"    play:\n      {play}\n") == said


WHOLE = "    play:\n      - chance: ace\n      - p1: ace\n"


@pytest.mark.parametrize(
    "case, said",
    [
        (f"{WHOLE}    winners: [p1, p2]\n", ""),
        (f"{WHOLE}    winners: all\n", ""),
        (f"{WHOLE}    winners: p2\n", "p1, p2 have won, not p2"),
        (f"{WHOLE}    winners: nobody\n", "p1, p2 have won, not nobody"),
        ("    play:\n      - chance: ace\n    winners: all\n", "the game is not over"),
        (
            "    play:\n      - chance: ace\n      - given: {set: tricks, to: 3}\n      - expect: tricks == 3\n", ""),
        (
            f"{WHOLE}      - given: {{set: tricks, to: 3}}\n",
            "this is about the scope `Round`, which is not running here",
        ),
        (
            "    play:\n      - chance: ace\n      - given: {draw: 1, from: deck, to: p2.hand}\n      - asks: p1\n",
            "`given` between two answers asks somebody, or draws by chance",
        ),
        (
            "    play:\n      - chance: ace\n      - refuse: {p2: ace}\n        why: You are blind\n",
            "p2 is not asked now, p1 is",
        ),
        ("    play:\n      - chance: ace\n      - refuse: {p2: ace}\n", "p2 is not asked now, p1 is"),
        ("    play:\n      - chance: ace\n      - offers: {p1: []}\n", "p1 may answer ace; not "),
        ("    play:\n      - chance: ace\n      - offers: {p1: [ace, queen]}\n", "p1 may answer ace; not ace, queen"),
    ],
)  # fmt: skip
def test_who_has_won_what_is_laid_and_another_seat(tmp_path, case, said):
    assert told(tmp_path, case) == said


def test_nobody_is_asked(tmp_path):
    """A case that ends too early says who is asked still."""
    play = "    play:\n      - chance: ace\n"
    assert (
        told(tmp_path, f"{IN_ROUND}{play}      - asks: nobody\n") == "somebody is asked still\n  p1 is asked for `card`"
    )
    assert told(tmp_path, f"{IN_ROUND}{play}      - p1: ace\n      - asks: nobody\n") == ""
    within = "    within: Round\n    run: [{turn: p1}]\n"
    assert (
        told(tmp_path, f"{within}{play}      - asks: nobody\n") == "somebody is asked still\n  p1 is asked for `card`"
    )
    assert told(tmp_path, f"{within}{play}      - p1: ace\n      - asks: nobody\n    expect: [tricks == 1]\n") == ""


def test_a_number_is_of_what_is_only_counted(tmp_path):
    """A card whose name a player sees is not counted: otherwise a case could not notice that a hand lies open."""
    play = f"{IN_ROUND}    play:\n      - chance: ace\n"
    assert (
        told(tmp_path, f"{play}      - sees: {{p2: {{hand.p1: 1}}}}\n") == "p2 sees hand.p1: ['ace'], not only how many"
    )
    assert told(tmp_path, f"{play}      - sees: {{p2: {{deck: 2, hand.p2: 0}}}}\n") == ""


def test_a_line_of_the_log_that_yaml_takes_apart(tmp_path):
    case = f"{IN_ROUND}    play:\n      - chance: ace\n      - sees: {{p1: {{log: [Player 1: an ace]}}}}\n      - p1: ace\n"
    assert "\n  a line that holds `: ` needs quotes" in told(tmp_path, case)

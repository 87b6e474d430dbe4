"""What is said of a leak is the same in every run, whatever the order of sets."""

from __future__ import annotations

from types import SimpleNamespace

from rulespec.lint.flow.labels import Atom, Secret
from rulespec.lint.flow.secrecy import departed
from rulespec.lint.flow.shown import Leak, Shown
from rulespec.lint.flow.terms import EVERYBODY, Departed, Made
from rulespec.text.source import Source, Span

SOURCE = Source("game.yaml", "x" * 100)
PLACES = [Span(SOURCE, start, start + 1) for start in range(40)]


def test_of_several_steps_by_which_pieces_may_have_left_the_first_is_told() -> None:
    token = Made(0, 0)
    marks = {(Departed(token, place), EVERYBODY) for place in (*PLACES, None)}
    found = departed(frozenset(marks), token)
    assert found is not None and found.where == PLACES[0]


def test_of_equal_leaks_the_one_is_kept_that_tells_where_the_zone_changed_first() -> None:
    tokens = [Made(0, number) for number in range(len(PLACES) + 1)]
    label = frozenset(Atom(Secret("zone", 0), token) for token in tokens)
    grants = frozenset((Departed(token, place), EVERYBODY) for token, place in zip(tokens, PLACES, strict=False))
    shown = SimpleNamespace(leaks={}, secrecy=SimpleNamespace(hidden=lambda label, *_: label))
    Shown.report(shown, "F006", None, (), label, EVERYBODY, grants, "dark_points")  # type: ignore[arg-type]
    (leak,) = shown.leaks
    assert isinstance(leak, Leak) and leak.changed == PLACES[0]

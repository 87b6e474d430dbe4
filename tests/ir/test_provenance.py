"""What the locals of a program follow from: the analysis behind taking back, on small programs."""

from __future__ import annotations

from functools import cache

import pytest

from interpreter.views.definitions import ARGUMENT
from interpreter.views.provenance import Provenance
from rulespec import ir
from tests.helpers.assembler import assemble

# Slot 7 is hidden, slot 8 is seen by all; p1 is asked at site 0, p2 at site 1.
PROGRAM = """\
site 0 "mine" value 0 9
  by 0
  from (0, 1, 2) as L5, int
  prompt "?"
site 1 "theirs" value 0 9
  by 1
  from (0, 1, 2) as L5, int
  prompt "?"
procedure 0 "straight" (0 of 4)
   0  L0 := S7
   1  L1 := ask 0
   2  L2 := add(L1, S8)
   3  L0 := S8
   4  return L2
procedure 1 "branches" (0 of 4)
   0  L0 := 1
   1  unless eq(S7, 1) jump 3
   2  L0 := 2
   3  L1 := L0
   4  unless eq(S8, 1) jump 6
   5  L1 := 2
   6  L2 := 3
   7  return L0
procedure 2 "two ways" (0 of 2)
   0  unless eq(S7, 1) jump 2
   1  return 1
   2  return 2
procedure 3 "calls" (1 of 4)
   0  L1 := call 2()
   1  L2 := call 0()
   2  L3 := ask 1
   3  S8 := L3 "told"
   4  return
procedure 4 "loops" (0 of 5)
   0  L0 := (1, 2)
   1  L1 := 0
   2  next L0 else 6
   3  unless eq(S7, 1) jump 2
   4  L3 := ask 1
   5  jump 2
   6  return
procedure 5 "rings" (0 of 8)
   0  L5 := collect (0, 1) with (S8) order S7
   1  next rule L5 with (S8) else 3
   2  L7 := run rule with (S8)
   3  return
procedure 6 "an instance" (2 of 2)
   0  return L0
procedure 7 "rings freely" (0 of 6)
   0  L3 := collect (2) with ()
   1  next rule L3 with () else 3
   2  L5 := run rule with ()
   3  return
procedure 8 "answers" (0 of 1)
   0  return yes
function 0 "hidden" (0 of 0): eq(S7, 1)
rule 0 "an instance" plain runs 6 rank 0
rule 1 "another" plain runs 6 rank 1
rule 2 "by a hidden test" plain test 0 runs 8 rank 0
"""


@cache
def analysed() -> Provenance:
    program = assemble(PROGRAM)
    hidden, seen = ir.Viewers("none"), ir.Viewers("all")
    variables = tuple(
        ir.Variable(i, name, 7 + i, 1, (), ir.types.INT, viewers)
        for i, (name, viewers) in enumerate([("hidden", hidden), ("open", seen)])
    )
    fields = {name: getattr(program, name) for name in program.__slots__}
    return Provenance(ir.Program(**{**fields, "variables": variables, "initial": (None,) * 9}))


def sources(procedure: int, at: int, local: int) -> set[str]:
    """The names of the sources of a local before an instruction."""
    given = analysed()
    found, _ = given.of(procedure, at, local)
    return {"secret" if one < 0 else given.program.sites[one].name for one in found}


@pytest.mark.parametrize(
    "procedure, at, local, expected",
    [
        (0, 1, 0, {"secret"}),
        (0, 4, 0, set()),  # written again
        (0, 4, 2, {"mine"}),
        (1, 3, 0, {"secret"}),  # a constant that a hidden test chose
        (1, 7, 2, set()),  # written behind the test, on all ways
        (1, 5, 1, {"secret"}),
        (3, 1, 1, {"secret"}),  # which of two constants a procedure gives
        (3, 2, 2, {"mine"}),
        (3, 4, 3, set()),  # told at once
        (4, 4, 1, {"secret"}),  # in which round it is
        (4, 4, 0, set()),
        (5, 1, 5, {"secret"}),  # which rule comes first
        (6, 0, 0, {"secret"}),  # what it is about
        (6, 0, 1, set()),  # what was announced
        (7, 1, 3, set()),
        (7, 3, 5, {"secret"}),  # whether it ran
    ],
)
def test_sources(procedure: int, at: int, local: int, expected: set[str]) -> None:
    assert sources(procedure, at, local) == expected


def test_a_test_of_what_all_see_decides_only_between_known_things() -> None:
    branches = analysed().definitions[1]
    assert branches.writers(6, 1) == {3, 5} and branches.merging(6, branches.writers(6, 1)) == {4}
    assert branches.writers(0, 0) == frozenset()
    assert analysed().definitions[3].writers(0, 0) == {ARGUMENT}


def test_where_control_comes_to_while_nobody_is_asked() -> None:
    unasked = analysed().unasked
    assert unasked.passing == {1, 2, 4, 5, 6, 7, 8}
    assert [at for at, known in enumerate(unasked.begun(3)) if known is not None] == [0, 1]
    assert [at for at, known in enumerate(unasked.begun(4)) if known is not None] == [0, 1, 2, 3, 4, 6]

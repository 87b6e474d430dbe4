"""The order of the passes: from the program of one setup to the program that is played."""

from __future__ import annotations

from collections.abc import Callable

from rulespec import ir
from rulespec.passes.calls import empty_calls
from rulespec.passes.constants import constants
from rulespec.passes.fold import fold
from rulespec.passes.invariants import invariants
from rulespec.passes.jumps import jumps
from rulespec.passes.liveness import liveness
from rulespec.passes.members import members
from rulespec.passes.regions import regions
from rulespec.passes.silent import silent_windows
from rulespec.passes.special import special
from rulespec.passes.tables import tables
from rulespec.passes.unread import unread

Pass = Callable[[ir.Program], ir.Program]

ONCE: tuple[Pass, ...] = (fold, special, members, tables, silent_windows)
AGAIN: tuple[Pass, ...] = (constants, regions, jumps, unread, jumps, empty_calls)  # each may find work that others made
ROUNDS = 4


def optimise(program: ir.Program) -> ir.Program:
    """The program that does the same with less: the same decisions, draws, log lines and faults, at the same lines.

    The bounds of a run (steps, items looked at, depth of calls, sizes of collections) count what is left to do, so an optimised
    program may stay within a bound that the original would exceed.  Numbers of functions, procedures, sites and rules stay.
    """
    for single_pass in ONCE:
        program = single_pass(program)
    for _ in range(ROUNDS):
        before = program
        for single_pass in AGAIN:
            program = single_pass(program)
        if program.procedures == before.procedures:
            break
    return liveness(invariants(program))

"""A case played as far as its script goes, and the position there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rulespec import ir
from rulespec.text.diagnostics import RulespecError, nearest
from rulespec.text.quoting import ticked

from .framework import Misuse

if TYPE_CHECKING:
    from interpreter import Game, State
    from interpreter.testing.cases import Run
    from rulespec.cases.data import Case, ScriptEntry, Suite


def case_named(suite: Suite | None, name: str) -> Case | None:
    """The case of a name."""
    return None if suite is None else next((case for case in suite.cases if case.name == name), None)


def played(suite: Suite, case: Case, entries: Sequence[ScriptEntry]) -> Run | None:
    """A case after some of its entries, where chance may be next; None where it does not come so far."""
    from interpreter.game import Game
    from interpreter.runtime.faults import Fault, IllegalAction
    from interpreter.testing.cases import Failure, Run

    try:
        game = Game.from_program(suite.program(case), backend="reference")
        run = Run(game, game, case, "straight")
        run.state = game.new_state(chance="explicit", main=case.procedure)
        for entry in entries:
            run.entry(entry)
    except (Failure, Fault, IllegalAction, RulespecError):
        return None
    return run


def position_after(suite: Suite, case: Case, seed: int | None = None) -> tuple[Game, State] | None:
    """The game of a case, and the position in which its script ends; with a seed, chance draws by it from then on."""
    from interpreter.testing.cases import Failure

    run = played(suite, case, case.script)
    if run is None:
        return None
    try:
        run.settle()
    except Failure:
        return None
    if seed is None:
        return run.game, run.state
    slots = list(run.state.slots)
    slots[ir.RANDOM] = (seed, 0)
    return run.game, run.game.position(slots, case.procedure)


def at_case(game: str, name: str, variants: tuple[str, ...], seed: int) -> tuple[Game, State]:
    """The position in which a case of a game ends.  Raises RulespecError for a game with faults, Misuse for a case that is none."""
    from rulespec.cases.compiler import load_cases

    suite, findings = load_cases(game, variants)
    if suite is None:
        raise RulespecError(findings)
    case = case_named(suite, name)
    if case is None:
        close = nearest(name, [one.name for one in suite.cases])
        raise Misuse(
            f"{ticked(Path(game).name)} has no case {ticked(name)} without faults",
            f"did you mean {ticked(close)}?" if close else "`rulespec test GAME` runs those that there are",
        )
    found = position_after(suite, case, seed)
    if found is None:
        raise Misuse(f"the case {ticked(name)} does not come to its end", f"rulespec test GAME --case {name}")
    return found

"""Evaluates expressions of bots, and others beside the rules, at a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.reference.expressions import Compiler
from interpreter.runtime.faults import FAILED, problem_of
from interpreter.runtime.values import Slots
from rulespec import ir
from rulespec.text.diagnostics import Diagnostic, RulespecError
from rulespec.text.source import Span

if TYPE_CHECKING:
    from interpreter.game import Game


class Judge:
    """Evaluates functions; `functions` are those of the game's program, followed by those of bots."""

    def __init__(self, game: Game, functions: tuple[ir.Function, ...]) -> None:
        self.compiler = Compiler(functions, game.bodies)
        self.compiler.left_by = lambda slots, procedure, args: game.machine.left_by(slots, procedure, args)

    def value(self, function: int, where: Span | None, S: Slots, *args: Any) -> Any:
        """The result of a function; raises RulespecError B007 where it has no value."""
        self.compiler.refuel()
        try:
            return self.compiler.function(function)(S, *args)
        except FAILED as error:
            problem = problem_of(error)
            raise failed(str(problem), where) from problem.__cause__


def failed(why: str, where: Span | None) -> RulespecError:
    return RulespecError([Diagnostic("B007", f"this cannot be worked out: {why}", where)])

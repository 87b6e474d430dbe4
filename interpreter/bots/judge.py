"""What expressions of bots, and other expressions beside the rules, are worth at a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.reference.expressions import Compiler
from interpreter.runtime.faults import BROKEN, Problem
from interpreter.runtime.values import Slots
from rulespec import ir
from rulespec.library.errors import DomainError
from rulespec.text.diagnostics import Diagnostic, RulespecError
from rulespec.text.source import Span

if TYPE_CHECKING:
    from interpreter.game import Game


class Judge:
    """Works expressions out; `functions` are those of the game's program, and others behind them."""

    def __init__(self, game: Game, functions: tuple[ir.Function, ...]) -> None:
        self.compiler = Compiler(functions, game.bodies)

    def value(self, function: int, where: Span | None, S: Slots, *args: Any) -> Any:
        """What a function gives; raises RulespecError B007 where it has no value."""
        self.compiler.refuel()
        try:
            return self.compiler.function(function)(S, *args)
        except (Problem, DomainError) as error:
            raise failed(str(error), where) from None
        except BROKEN as error:
            raise failed(f"a value has the wrong form: {error}", where) from error


def failed(why: str, where: Span | None) -> RulespecError:
    return RulespecError([Diagnostic("B007", f"this cannot be worked out: {why}", where)])

"""What can go wrong in play: a fault of the rules, or an answer that is not one of the options."""

from __future__ import annotations

from typing import Any

from rulespec.library.errors import DomainError
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostic
from rulespec.text.quoting import ticked
from rulespec.text.source import Span

# What a value of the wrong form makes Python raise; a fault, so that nobody sees a traceback.
BROKEN = (TypeError, ValueError, LookupError, ArithmeticError, AttributeError, RecursionError)

# What a user is told of one: the words of Python and of the machine, which mean nothing to him, are the cause of the problem.
OURS = "this cannot be worked out: a value is not of the type that the checker has found for it"
ASTRAY = "this cannot be worked out: what runs here is not what the checker has made of the rules"
REPORT = "this is an error of Rulespec, not of the game; please report it, with the game, its seed and these lines"


class Problem(Exception):
    """A fault that does not yet know where it happened; never leaves this package."""

    def __init__(self, code: str, message: str, span: Span | None = None, help: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.span = span
        self.help = help


FAILED = (Problem, DomainError, *BROKEN)  # what evaluating an expression may raise


def problem_of(error: Exception) -> Problem:
    """The problem that an exception of FAILED stands for; one of BROKEN, a fault of ours, is its cause."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, DomainError):
        return Problem(error.code, str(error))
    return fault_of_ours(OURS, error)


def astray(why: str) -> Problem:
    """The problem of an instruction or a frame that is none of those that can be here; `why`, in our own words, is its cause."""
    return fault_of_ours(ASTRAY, RuntimeError(why))


def fault_of_ours(told: str, cause: Exception) -> Problem:
    """What a user is told of a fault that no rules can have; who looks for it finds its cause."""
    problem = Problem("R020", told, help=(REPORT,))
    problem.__cause__ = cause
    return problem


@dataclass(frozen=True, slots=True)
class Caller:
    """A procedure or rule that was running, innermost first, and where in it."""

    what: str  # "procedure" or "rule"
    name: str
    span: Span | None


def running(caller: Caller) -> str:
    """That it was running, for people: ``in procedure `turn` ``, `in the game`."""
    own = caller.name in {"the game", "set-up"}  # of the machine, not of an author
    return f"in {caller.name}" if own else f"in {caller.what} {ticked(caller.name)}"


class Fault(Exception):
    """The rules did something that has no meaning; the position before it is untouched.

    `diagnostic` has the code and the place, `stack` what was running, `seed` is None where chance is
    a player, `answers` how many decisions were answered before, chance's included if the game is recorded.
    """

    def __init__(self, diagnostic: Diagnostic, stack: tuple[Caller, ...] = ()) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic
        self.stack = stack
        self.seed: int | None = None
        self.answers = 0

    def __reduce__(self) -> tuple[Any, ...]:
        """What another process of one's own makes it of."""
        return type(self), (self.diagnostic, self.stack), {"seed": self.seed, "answers": self.answers}

    def __str__(self) -> str:
        where = f" at {self.diagnostic.span.label()}" if self.diagnostic.span else ""
        running = " < ".join(caller.name for caller in self.stack)
        seed = f" (seed {self.seed}, after {self.answers} answers)" if self.seed is not None else ""
        inside = f" in {running}" if running else ""
        return f"{self.diagnostic.code}: {self.diagnostic.message}{where}{inside}{seed}"


class IllegalAction(Exception):
    """An answer that cannot be given now; the position is untouched.  `diagnostic` says why."""

    def __init__(self, code: str, message: str, help: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic(code, message, help=help)


class UnknownAction(IllegalAction):
    """An answer that is not even one of the candidates."""

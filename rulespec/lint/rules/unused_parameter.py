"""A parameter that is not looked at."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.checker import symbols
from rulespec.ir.walk import within
from rulespec.lint.analysis import functions
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.system.records import dataclass

RULE = LintRule("L028")
IMPLIED = ("me", "this")


def check(game: LintGame) -> Iterator[Finding]:
    """Parameters of functions and procedures in use that nothing in them reads; events and menus have them for others.

    Where several take the same, each need not look at all of it: the effects of cards, say, which are all called alike.
    """
    takers: list[Taker] = []
    for function in functions(game.context):
        if function.what == "function" and function.index in game.used.functions:
            read = {e.index for e in within(game.program.functions[function.index].body) if isinstance(e, ir.Local)}
            takers.append(Taker("function", function.name, function.parameters, read))
    for procedure in game.context.procedures.values():
        if procedure.index in game.used.procedures and procedure.parameters:
            takers.append(Taker("procedure", procedure.name, procedure.parameters, locals_of(game, procedure.index)))
    families: dict[tuple[str, ...], list[Taker]] = {}
    for taker in takers:
        families.setdefault(taker.signature, []).append(taker)
    for taker in takers:
        others = [other for other in families[taker.signature] if other is not taker]
        for position, parameter in enumerate(taker.parameters):
            if position in taker.read or parameter.name in IMPLIED:
                continue
            if len(taker.parameters) > 1 and len(others) > 1 and any(position in other.read for other in others):
                continue
            yield Finding(RULE, f"`{taker.name}` does not look at its parameter `{parameter.name}`", parameter.span)


@dataclass(frozen=True, slots=True)
class Taker:
    """A function or procedure, its parameters, and the locals that it reads."""

    what: str
    name: str
    parameters: list[symbols.Parameter]
    read: set[int]

    @property
    def signature(self) -> tuple[str, ...]:
        """What it is and what it takes, in words."""
        return (self.what, *map(symbols.signed, self.parameters))


def locals_of(game: LintGame, number: int) -> set[int]:
    """The locals that a procedure reads, in its questions too."""
    indices = set()
    for i in game.program.procedures[number].code:
        parts: tuple[object, ...] = (i, game.program.sites[i.site]) if isinstance(i, ir.Ask) else (i,)
        indices |= {e.index for part in parts for e in within(part) if isinstance(e, ir.Local)}
    return indices

"""What the cases of a game may run and begin with, as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from . import console

if TYPE_CHECKING:
    from rulespec.cases.data import Suite
    from rulespec.checker import symbols


def explain_game(game: str) -> None:
    """Print it; raises RulespecError where the game cannot be read."""
    from rulespec.cases.compiler import load_cases
    from rulespec.text.diagnostics import RulespecError

    suite, findings = load_cases(game)
    if suite is None:
        raise RulespecError([one for one in findings if one.severity == "error"])
    console.data(console.paint(console.printable(suite.game.title), "bold"))
    for line in lines(suite):
        console.data(line)


def lines(suite: Suite) -> Iterator[str]:
    """The procedures for `run:`, the scopes for `within:`, the positions, and the options."""
    context = suite.game.context
    asked: dict[str, dict[str, None]] = {}
    for one in context.asked:
        asked.setdefault(one.owner, {})[one.name] = None
    for title, phase in (("Phases", True), ("Procedures", False)):
        named = [one for one in context.procedures.values() if one.phase == phase]
        if named:
            yield f"{title}, which `run:` of a case may name:"
        for procedure in named:
            yield f"  - {console.paint(call(procedure), 'bold')}"
            yield from remarks(procedure, list(asked.get(f"procedure {procedure.name}", ())))
    for title, names in (
        ("Scopes, for `within:`", list(context.scopes)),
        ("Positions, for `position:`", list(suite.positions)),
        ("Options, for `options:`", [f"{o.name}: {' | '.join(o.words)}" for o in context.options.values()]),
    ):
        if names:
            yield f"{title}:"
            yield from (f"  {console.printable(name)}" for name in names)


def call(procedure: symbols.Procedure) -> str:
    """A procedure as a step runs it, with the types of its arguments."""
    if not procedure.parameters:
        return procedure.name
    first = next((one for one in procedure.parameters if one.name != "me"), procedure.parameters[0])
    others = [one for one in procedure.parameters if one is not first]
    rest = [f"{'by' if one.name == 'me' else one.name}: {one.type}" for one in others]
    text = ", ".join([f"{procedure.name}: {first.type}", *rest])
    return f"{{{text}}}" if others else text


def remarks(procedure: symbols.Procedure, asks: list[str]) -> Iterator[str]:
    """What a procedure is about, takes, gives and asks for."""
    from rulespec.checker.symbols import signed
    from rulespec.text.yaml_tree import ScalarNode

    about = procedure.node.get("about")
    if isinstance(about, ScalarNode):
        yield from console.wrapped(console.printable(" ".join(about.value.split())), "      ")
    told = []
    if procedure.parameters:
        told.append(f"takes {', '.join(map(signed, procedure.parameters))}")
    if procedure.gives is not None:
        told.append(f"gives {procedure.gives}")
    if asks:
        told.append(f"asks for {', '.join(asks)}")
    if told:
        yield from (
            console.paint(line, "dim") for line in console.wrapped(console.printable("; ".join(told)), "      ")
        )

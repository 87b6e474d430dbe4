"""A line of the log that tells of another player than its step changes something for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rulespec.checker import symbols
from rulespec.checker.env import LocalVar
from rulespec.expr import syntax
from rulespec.expr.printer import to_text
from rulespec.language.registry import others_of
from rulespec.language.types import PLAYER, IntType
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.stages import Step, names, parsed, spoken, steps
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ScalarNode

RULE = LintRule("L106")
GIVING = re.compile(
    r"\b(gives?|pass(es)?|hands?|returns?|sends?|pays?|back|trades?|swaps?|for|to|from)\b", re.IGNORECASE
)


def check(game: LintGame) -> Iterator[Finding]:
    """Steps that change a number of one player, or put one down, beside a line that names only another."""
    sight = {id(written.scalar): written.locals for written in game.context.written.values()}
    for step in steps(game):
        log = step.scalar("log")
        if log is None:
            continue
        known = sight.get(id(log), {})
        told = {name for part in spoken(log) for name in players(game, parsed(part), known)}
        lines = "".join(spoken(log))
        for place, name, shown in changed(game, step, known):
            if told and name not in told and shown not in lines:
                yield Finding(
                    RULE,
                    f"the step is about {ticked(shown)}, and the text speaks of {ticked(min(told))}",
                    place.span,
                    help=("was the same player meant in both?",),
                    related=((log.span, "what people read"),),
                )


def players(game: LintGame, tree: syntax.Node | None, known: Mapping[str, LocalVar]) -> set[str]:
    """The names of players in an expression: of steps, parameters or variables."""
    return {name for name in names(tree) if is_player(game, name, known)}


def is_player(game: LintGame, name: str, known: Mapping[str, LocalVar]) -> bool:
    """Whether a name is a player that may be any."""
    if name in known:
        return known[name].type == PLAYER
    symbol = game.context.names.get(name)
    return isinstance(symbol, symbols.Variable) and symbol.type == PLAYER and not symbol.per


def changed(game: LintGame, step: Step, known: Mapping[str, LocalVar]) -> Iterator[tuple[ScalarNode, str, str]]:
    """Where a step speaks of a player for whom it changes something: by his name, and as it is written."""
    if step.role("moved") is not None or step.role("deck") is not None:
        yield from receiver(game, step, known)
        return
    target = step.assigned if step.change is None else step.change[1]
    tree = parsed(target.value) if target is not None else None
    if isinstance(tree, syntax.Attr) and target is not None:
        owner = tree.obj
        number = any(v.name == tree.name and isinstance(v.type, IntType) for v in game.context.variables)
        if number and isinstance(owner, syntax.Name) and is_player(game, owner.id, known):
            yield target, owner.id, owner.id
        elif number and (other := other_player(game, owner, known)) is not None:
            yield target, other, other
        value = step.part("value")
        put = parsed(value.value) if value is not None else None
        if value is not None and isinstance(put, syntax.Name) and is_player(game, put.id, known):
            yield value, put.id, put.id
        elif value is not None and (other := other_player(game, put, known)) is not None:
            yield value, other, other


def receiver(game: LintGame, step: Step, known: Mapping[str, LocalVar]) -> Iterator[tuple[ScalarNode, str, str]]:
    """To whom a step brings something, if its line does not tell of a gift."""
    target, log = step.part("goal"), step.scalar("log")
    tree = parsed(target.value) if target is not None else None
    if target is None or log is None or not isinstance(tree, syntax.Attr) or GIVING.search(log.value):
        return
    if isinstance(tree.obj, syntax.Name) and is_player(game, tree.obj.id, known):
        yield target, tree.obj.id, tree.obj.id
    elif (other := other_player(game, tree.obj, known)) is not None:
        yield target, other, other


def other_player(game: LintGame, tree: syntax.Node | None, known: Mapping[str, LocalVar]) -> str | None:
    """An expression for the player beside or against another."""
    match tree:
        case syntax.Call(syntax.Name(word), (syntax.Name(name),)) if is_player(game, name, known):
            return to_text(tree) if others_of(word) else None
    return None

"""The same thing handed over twice where two are wanted."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.checker import symbols
from rulespec.expr import syntax
from rulespec.expr.printer import to_text
from rulespec.language.registry import functions, others_of
from rulespec.language.types import PLAYER, EntityType, IntType
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.stages import Step, below, parsed, steps
from rulespec.lint.trees import told_in_rules
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import MapNode, ScalarNode

RULE = LintRule("L109")


def check(game: LintGame) -> Iterator[Finding]:
    """Functions of two that are given one, what is among its own neighbours, and steps with one player in two parts."""
    for scalar, tree, _ in told_in_rules(game):
        for node in syntax.walk(tree):
            match node:
                case syntax.Call(syntax.Name(word), args) if len(args) == 2 and args[0] == args[1]:
                    if isinstance(args[0], syntax.Name | syntax.Attr) and (of_two(word) or alike(game, word)):
                        yield twice(scalar, args[1], word)
                case syntax.In(item, syntax.Call(syntax.Name(word), (first, *_))) if item == first and others_of(word):
                    yield twice(scalar, first, word)
    for step in steps(game):
        procedure = game.context.procedures.get(step.verb)
        given = players_of(game, step)
        for number, (key, part) in enumerate(given):
            for other, before in given[:number]:
                if part.value == before.value and (procedure is None or meet(procedure, other.value, key.value)):
                    yield Finding(
                        RULE,
                        f"{ticked(part.value)} stands for {ticked(other.value)} and for {ticked(key.value)}, too",
                        part.span,
                        help=("was another player meant in one of them?",),
                        related=((before.span, "the first"),),
                    )


def players_of(game: LintGame, step: Step) -> list[tuple[ScalarNode, ScalarNode]]:
    """The keys under which a scope or a procedure is given players, and who they are."""
    scoped = step.defined is not None and "scopes" in step.defined.value.offers
    parts = step.shaped("map") if scoped else None
    procedure = game.context.procedures.get(step.verb)
    if isinstance(parts, MapNode):
        entries, names = parts.entries, {v.name for v in game.context.variables if v.type == PLAYER}
    elif procedure is not None and sum(p.type == PLAYER for p in procedure.parameters) > 1:
        entries = step.node.entries
        names = {p.name for p in procedure.parameters if p.type == PLAYER} | {step.verb, "by"}
    else:
        return []
    return [(key, part) for key, part in entries if key.value in names and isinstance(part, ScalarNode)]


def meet(procedure: symbols.Procedure, *keys: str) -> bool:
    """Whether a procedure does something between two players: it asks or changes the same of both, or names both in a step.

    One that compares them knows of the case in which they are one; one that looks at other things of each may be given one.
    """
    first = next((p.name for p in procedure.parameters if p.name != "me"), "me")
    one, other = ({procedure.name: first, "by": "me"}.get(key, key) for key in keys)
    asked: dict[str, set[str]] = {one: set(), other: set()}
    together = False
    for step in below(procedure.node, ()):
        for _, value in step.node.entries:
            tree = parsed(value.value) if isinstance(value, ScalarNode) else None
            for node in syntax.walk(tree) if tree is not None else ():
                match node:
                    case syntax.Compare(_, syntax.Name(left), syntax.Name(right)) if {left, right} == {one, other}:
                        return False
                    case syntax.Attr(syntax.Name(name), part) if name in asked:
                        asked[name].add(part)
        bare = {value.value for _, value in step.node.entries if isinstance(value, ScalarNode) and value.value in asked}
        together |= len(bare) > 1
    return together or not asked[one].isdisjoint(asked[other])


def of_two(word: str) -> bool:
    """Whether a function of the language is about two numbers, cells or places."""
    function = functions().get(word)
    return function is not None and any(
        isinstance(first.type, EntityType | IntType) and (first.rest or [p.type for p in rest[:1]] == [first.type])
        for first, *rest in (way.parameters for way in function.signatures if way.parameters)
    )


def alike(game: LintGame, word: str) -> bool:
    """Whether a function of the game takes two of one type."""
    symbol = game.context.names.get(word)
    if not isinstance(symbol, symbols.Function) or len(symbol.parameters) != 2:
        return False
    return symbol.parameters[0].type == symbol.parameters[1].type


def twice(scalar: ScalarNode, node: syntax.Expr, word: str) -> Finding:
    """The finding at the second of two."""
    place = scalar.at(node.start, node.end)
    return Finding(
        RULE,
        f"{ticked(word)} is given {ticked(to_text(node))} twice",
        place,
        help=("was another name meant in one of them?",),
    )

"""A condition of a choice that does not look at what is chosen, or a reason that speaks of something else than its condition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulespec.checker import symbols
from rulespec.checker.env import LocalVar
from rulespec.expr import syntax
from rulespec.language.types import EntityType, IntType, Type
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.stages import Step, names, names_of, parsed, spoken, steps
from rulespec.lint.trees import written
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode, ScalarNode

RULE = LintRule("L103")


def check(game: LintGame) -> Iterator[Finding]:
    """Conditions under `only` of a choice without the name of the answer, and reasons that name what their condition does not."""
    seen = set()
    sight = {id(written.scalar): written.locals for written in game.context.written.values()}
    for step in steps(game):
        if step.role("candidates") is not None:
            for test in tests(step):
                name = step.operand
                assert isinstance(name, ScalarNode)
                if name.value not in names_of(test) and not general(game, test, name.value, sight):
                    seen.add(test.span)
                    yield Finding(
                        RULE,
                        f"this does not look at {ticked(name.value)}, so that either all or none can be chosen",
                        test.span,
                        help=(f"was {ticked(name.value)} meant in place of another name?",),
                        related=((name.span, "what is chosen"),),
                    )
    for node in written(game):
        if isinstance(node, MapNode):
            asked, why = node.get("if"), node.get("why")
            if isinstance(asked, ScalarNode) and isinstance(why, ScalarNode) and asked.span not in seen:
                yield from other_reason(game, asked, why)


def tests(step: Step) -> Iterator[ScalarNode]:
    """The conditions under `only` of a choice; with `or none`, one that has a reason may well leave nothing else."""
    only = step.node.get("only")
    for item in only.items if isinstance(only, ListNode) else ():
        if isinstance(item, MapNode) and "why" in item and "or none" in step.node:
            continue
        test = item.get("if") if isinstance(item, MapNode) else item
        if isinstance(test, ScalarNode) and isinstance(step.operand, ScalarNode):
            yield test


def general(game: LintGame, test: ScalarNode, name: str, sight: Mapping[int, Mapping[str, LocalVar]]) -> bool:
    """Whether a condition is about the answer where a parameter is left out, or about all, and nothing in it could be the answer."""
    tree, known = parsed(test.value), sight.get(id(test), {})
    word = tree.func if isinstance(tree, syntax.Call) else tree
    symbol = game.context.names.get(word.id) if isinstance(word, syntax.Name) else None
    given = len(tree.args) if isinstance(tree, syntax.Call) else 0
    if isinstance(symbol, symbols.Function) and (len(symbol.parameters) > given or given == 0):
        return True
    if tree is None or name not in known:
        return False
    return not any(fits(game, node, known[name].type, known) for node in syntax.walk(tree))


def fits(game: LintGame, node: syntax.Node, answer: Type, known: Mapping[str, LocalVar]) -> bool:
    """Whether the answer could stand where another thing is looked at: that is of its type, or has what is asked of it."""
    if isinstance(node, syntax.Name):
        symbol = game.context.names.get(node.id)
        types = [known[node.id].type] if node.id in known else [getattr(symbol, "type", None)]
    elif isinstance(node, syntax.Attr):
        if isinstance(answer, EntityType) and has(game.context.kinds[answer.kind], node.name):
            return True
        parts = (of.get(node.name) for kind in game.context.kinds.values() for of in (kind.fields, kind.attributes))
        types = [getattr(part, "type", None) for part in parts]
    else:
        return False
    return any(type(one) is type(answer) if isinstance(answer, IntType) else one == answer for one in types)


def has(kind: symbols.Kind, part: str) -> bool:
    """Whether members of a kind have such a field, variable, zone or value."""
    return part in kind.fields or part in kind.attributes


def other_reason(game: LintGame, test: ScalarNode, why: ScalarNode) -> Iterator[Finding]:
    """A reason with a name of steps or parameters in it that its condition does not speak of."""
    _, known = game.context.texts.get(id(why), (why, {}))
    asked = names_of(test)
    for part in spoken(why):
        for name in sorted((names(parsed(part)) & known.keys()) - {"this"}):
            if name not in asked:
                place = why.value.index("{" + part + "}")
                yield Finding(
                    RULE,
                    f"the reason speaks of {ticked(name)}, and the condition does not look at it",
                    test.span,
                    help=(f"was {ticked(name)} meant in place of another name?",),
                    related=((why.at(place, place + len(part) + 2), ticked(name)),),
                )
                return

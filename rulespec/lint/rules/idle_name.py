"""A name that is given and not used: an answer, a throw, what a step keeps, what a loop or an expression is at."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rulespec.checker import symbols
from rulespec.expr import syntax
from rulespec.language.registry import Role, functions
from rulespec.lint.comprehensions import Binder, Comprehension, comprehensions
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.stages import Step, alone, below, names, parsed, read, steps, untold
from rulespec.lint.trees import told_in_rules
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

RULE = LintRule("L101")
LITERAL = {"none", "empty", "yes", "no"}
WRITTEN: tuple[Role, ...] = ("target", "goal", "source", "result")
ASKED = "another name is read where this one was meant, or a step that uses it is missing"


def check(game: LintGame) -> Iterator[Finding]:
    """Names of steps and of expressions that nothing reads within their sight."""
    for step in steps(game):
        if step.role("candidates") is not None:
            yield from answer(game, step)
        elif names_value(step):
            yield from kept(step)
        elif step.role("amount") is not None and step.traits.binds and step.role("deck") is None:
            yield from thrown(step)
        elif step.traits.loops == "items":
            yield from loop(step)
    for scalar, tree, known in told_in_rules(game):
        for node in comprehensions(game, tree, known):
            if (found := blind(game, node, known)) is not None:
                binder, part = found
                yield Finding(
                    RULE,
                    f"this does not depend on {ticked(binder.name)}, so that it is the same for all of them",
                    scalar.at(part.start, part.end),
                    help=(f"was {ticked(binder.name)} meant in place of another name?",),
                    related=((scalar.at(binder.start, binder.start + len(binder.name)), ticked(binder.name)),),
                )


def blind(game: LintGame, node: Comprehension, known: Collection[str]) -> tuple[Binder, syntax.Expr] | None:
    """A name of a comprehension, and what is asked or worked out of each item and speaks of another thing instead.

    A name that leads to a later collection is looked at there: `those(c for s in Square, c in s.stack where c.size > 2)`.
    """
    last, where, value = node.binders[-1], node.last.where, node.value
    for part in node.parts:
        if node.speaks(part):
            continue
        if part is where:
            if of_another(part, known):
                return last, part
        elif part is not value or (where is node.last.key is None and varies(game, value, last, known)):
            return last, part
    apart = range(len(node.binders)) if len(node.binders) > 1 and node.parts else ()
    places = [*(binder.coll for binder in node.binders[1:]), *node.parts[:1]]  # where each may have been meant
    return next(((node.binders[number], places[number]) for number in apart if node.idle(number)), None)


def varies(game: LintGame, value: syntax.Expr, at: Binder, known: Collection[str]) -> bool:
    """Whether a value is that of another thing, and neither a constant nor a name said over, `each(me for k in 1..3)`."""
    if isinstance(value, syntax.Name) and isinstance(at.coll, syntax.Interval):
        return False
    if of_another(value, known):
        return True
    return any(name in known or changing(game, name) for name in names(value))


def changing(game: LintGame, name: str) -> bool:
    """Whether a name by itself says something that changes in play or from item to item, and is no type, member, setting or function."""
    context, symbol = game.context, game.context.names.get(name)
    if symbol is None:
        constants = (context.kinds, context.views, context.members, functions(), LITERAL, ("players",))
        return not any(name in words for words in constants)
    if isinstance(symbol, symbols.Function):
        return not symbol.parameters
    return isinstance(symbol, symbols.Variable | symbols.Zone)


def of_another(test: syntax.Expr, known: Collection[str]) -> bool:
    """Whether a condition speaks of a part of something, or hands a name of steps to a function; settings are the same for all."""
    return any(
        isinstance(node, syntax.Attr)
        or (
            isinstance(node, syntax.Call) and any(isinstance(arg, syntax.Name) and arg.id in known for arg in node.args)
        )
        for node in syntax.walk(test)
    )


def names_value(step: Step) -> bool:
    """Whether a step gives a name to what an expression says."""
    return step.defined is not None and step.defined.value.shape == "new name" and step.role("value") is not None


def answer(game: LintGame, step: Step) -> Iterator[Finding]:
    """A choice whose answer nothing reads."""
    name = step.operand
    if not isinstance(name, ScalarNode) or step.node.get("into") is not None:
        return
    if any(inside.traits.seals for inside in map(alone, step.around) if inside is not None):
        if any(f".{name.value}" in scalar.value for scalar in untold(game.context.root)):
            return
    elif any(name.value in read(node, texts=False, parts=False) for node in step.following):
        return
    told = any(name.value in read(node, parts=False) for node in step.following)
    what = "is only shown" if told else "is not used"
    yield Finding(RULE, f"the answer {ticked(name.value)} {what}: the choice changes nothing", name.span, help=(ASKED,))


def kept(step: Step) -> Iterator[Finding]:
    """A name by `let` that nothing reads, nobody being told it either, or one that waits to be set and is not."""
    name = step.operand
    if not isinstance(name, ScalarNode):
        return
    if "seen by" not in step.node and not any(name.value in read(node, parts=False) for node in step.following):
        yield Finding(RULE, f"nothing reads {ticked(name.value)}", name.span, help=(ASKED,))
    value = step.part("value")
    if value is not None and value.value in LITERAL and not any(sets(node, name.value) for node in step.following):
        yield Finding(
            RULE,
            f"{ticked(name.value)} is {ticked(value.value)} and stays so: no step behind it sets it",
            name.span,
            help=(f"is a step missing, such as `set: {name.value}`?",),
        )


def sets(node: Node, name: str) -> bool:
    """Whether a step in a node writes a name."""
    return any(
        target is not None and target.value.split(".")[0] == name
        for step in below(ListNode((node,), node.span) if isinstance(node, MapNode) else node, ())
        for target in map(step.part, WRITTEN)
    )


def thrown(step: Step) -> Iterator[Finding]:
    """A throw that nothing reads."""
    name = step.part("result")
    if name is None or named_before(step, name.value):  # what waited for a value is read behind the steps around, too
        return
    if not any(name.value in read(node, texts=False, parts=False) for node in step.following):
        yield Finding(
            RULE, f"the result {ticked(name.value)} is not used: it changes nothing", name.span, help=(ASKED,)
        )


def named_before(step: Step, name: str) -> bool:
    """Whether a step of the same body has given a name to a value."""
    every = below(step.around[0], ()) if step.around else ()
    return any(names_value(one) and isinstance(one.operand, ScalarNode) and one.operand.value == name for one in every)


def loop(step: Step) -> Iterator[Finding]:
    """A loop over things in which no step speaks of the one that it is at."""
    over = step.operand
    tree = parsed(over.value) if isinstance(over, ScalarNode) else None
    if not isinstance(tree, syntax.Comp) or isinstance(tree.coll, syntax.Interval):
        return
    assert isinstance(over, ScalarNode)
    body = step.node.get("do")
    names_read = read(body, parts=False)
    if tree.var in names_read and (tree.var in read(body, texts=False, parts=False) or not changes(body)):
        return
    if tree.var in names_read:
        yield Finding(
            RULE,
            f"{ticked(tree.var)} is only shown: the steps of this loop do the same each time",
            over.at(tree.var_start, tree.var_start + len(tree.var)),
            help=(f"was {ticked(tree.var)} meant in place of another name?",),
        )
    else:
        yield Finding(
            RULE,
            f"no step of this loop speaks of {ticked(tree.var)}: each time the same happens",
            over.at(tree.var_start, tree.var_start + len(tree.var)),
            help=(f"was {ticked(tree.var)} meant in place of another name?",),
        )


def changes(body: Node | None) -> bool:
    """Whether some steps set or move something."""
    return body is not None and any(changing_step(step) for step in below(body, ()))


def changing_step(step: Step) -> bool:
    """Whether a step sets or moves something that does not come as it lies."""
    return step.role("deck") is None and any(step.role(role) is not None for role in ("target", "goal", "source"))

"""A name that is given and not used: an answer, a throw, what a step keeps, what a loop or an expression is at."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.expr import syntax
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.stages import Step, below, names, parsed, read, steps, untold
from rulespec.lint.trees import typed_in_rules
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

RULE = LintRule("L101")
LITERAL = {"none", "empty", "yes", "no"}
CHANGING = {"set", "add", "lose", "move", "transfer"}
ASKED = "another name is read where this one was meant, or a step that uses it is missing"


def check(game: LintGame) -> Iterator[Finding]:
    """Names of steps and of expressions that nothing reads within their sight."""
    for step in steps(game):
        match step.verb:
            case "choose":
                yield from answer(game, step)
            case "let":
                yield from kept(step)
            case "roll" | "pick":
                yield from thrown(step)
            case "for":
                yield from loop(step)
    for scalar, tree, known in typed_in_rules(game):
        for node in syntax.walk(tree):
            if isinstance(node, syntax.Comp) and (part := blind(node, set(known))) is not None:
                yield Finding(
                    RULE,
                    f"this does not depend on {ticked(node.var)}, so that it is the same for all of them",
                    scalar.at(part.start, part.end),
                    help=(f"was {ticked(node.var)} meant in place of another name?",),
                    related=((scalar.at(node.var_start, node.var_start + len(node.var)), ticked(node.var)),),
                )


def blind(node: syntax.Comp, known: set[str]) -> syntax.Expr | None:
    """What is asked or worked out of each item of a comprehension, and speaks of another thing and not of the item."""
    if node.where is not None and node.var not in names(node.where) and of_another(node.where, known):
        return node.where
    for key in node.key.items if isinstance(node.key, syntax.Tuple) else (node.key,):
        if key is not None and node.var not in names(key):
            return key
    if node.value is not None and node.where is None and node.key is None and node.var not in names(node.value):
        return node.value if names(node.value) else None
    return None


def of_another(test: syntax.Expr, known: set[str]) -> bool:
    """Whether a condition speaks of a part of something, or hands a name of steps to a function; settings are the same for all."""
    return any(
        isinstance(node, syntax.Attr)
        or (
            isinstance(node, syntax.Call) and any(isinstance(arg, syntax.Name) and arg.id in known for arg in node.args)
        )
        for node in syntax.walk(test)
    )


def answer(game: LintGame, step: Step) -> Iterator[Finding]:
    """A choice whose answer nothing reads."""
    name = step.operand
    if not isinstance(name, ScalarNode) or step.node.get("into") is not None:
        return
    if any(around.get("together") is not None for around in step.around):
        if any(f".{name.value}" in scalar.value for scalar in untold(game.context.root)):
            return
    elif any(name.value in read(node, texts=False, parts=False) for node in step.following):
        return
    told = any(name.value in read(node, parts=False) for node in step.following)
    what = "is only told" if told else "is not used"
    yield Finding(RULE, f"the answer {ticked(name.value)} {what}: the choice changes nothing", name.span, help=(ASKED,))


def kept(step: Step) -> Iterator[Finding]:
    """A name by `let` that nothing reads, or one that waits to be set and is not."""
    name = step.operand
    if not isinstance(name, ScalarNode):
        return
    if not any(name.value in read(node, parts=False) for node in step.following):
        yield Finding(RULE, f"nothing reads {ticked(name.value)}", name.span, help=(ASKED,))
    value = step.scalar("be")
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
        isinstance(target, ScalarNode) and target.value.split(".")[0] == name
        for step in below(ListNode((node,), node.span) if isinstance(node, MapNode) else node, ())
        for key in ("set", "to", "from", "into")
        for target in (step.node.get(key),)
    )


def thrown(step: Step) -> Iterator[Finding]:
    """A throw that nothing reads."""
    name = step.scalar("as")
    if name is not None and not any(name.value in read(node, texts=False, parts=False) for node in step.following):
        yield Finding(
            RULE, f"the result {ticked(name.value)} is not used: it changes nothing", name.span, help=(ASKED,)
        )


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
            f"{ticked(tree.var)} is only told: the steps of this loop do the same each time",
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
    return body is not None and any(step.verb in CHANGING for step in below(body, ()))

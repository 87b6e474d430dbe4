"""Values written in data: a cell of a table, a field of a row."""

from __future__ import annotations

from rulespec import ir
from rulespec.checker.context import CheckContext
from rulespec.checker.inference import article
from rulespec.expr.parser import ExprSyntaxError, parse_expr
from rulespec.expr.syntax import Binary, Expr, Name, Num
from rulespec.language.types import (
    BagType,
    BoolType,
    EntityType,
    IntType,
    ListType,
    OptionType,
    SetType,
    TextType,
    Type,
    UnknownType,
    item_of,
)  # fmt: skip
from rulespec.text.numbers import spelling
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

MOST = 10**9  # of a kind, in a bag that is written in data


def constant(context: CheckContext, node: Node, t: Type) -> ir.Value:
    """The value that a node of plain data writes, as one of type `t`; reported if it is not."""
    match t, node:
        case UnknownType(), _:
            return None
        case OptionType(item=item), _:
            if isinstance(node, ScalarNode) and node.value in ("none", "", "~"):
                return None
            return constant(context, node, item)
        case BagType(kind=kind), MapNode():
            counts = [0] * len(context.kinds[kind].members)
            for key, value in node.entries:
                member = member_number(context, key, kind)
                number = constant(context, value, IntType(0, None))
                if member is not None:
                    counts[member] = number
            return tuple(counts)
        case BagType(kind=kind), (ListNode() | ScalarNode()):
            counts = [0] * len(context.kinds[kind].members)
            for word, number in amounts(context, node):
                if word.value in ("none", "empty", ""):
                    continue
                member = member_number(context, word, kind)
                if member is not None:
                    counts[member] += number
            return tuple(counts)
        case ((SetType() | ListType()), ScalarNode(value=value)) if "," in value:
            words = ", ".join(part.strip() for part in value.split(","))
            cell = node.span.source.name.endswith(".csv")
            cure = (
                f"the words of a cell are parted by spaces: {ticked(words.replace(',', ''))}"
                if cell
                else f"a list is written in brackets: {ticked(f'[{words}]')}"
            )
            context.error(
                "E201", f"{ticked(value)} is one text, but {article(t)} is needed here", node.span, help=[cure]
            )
            return context.default_of(t)
        case ((SetType() | ListType()), (ListNode() | ScalarNode())):
            items = node.items if isinstance(node, ListNode) else split(node)
            values = [constant(context, item, item_of(t)) for item in items]
            return tuple(sorted(set(values))) if isinstance(t, SetType) else tuple(values)
        case EntityType(kind=kind), ScalarNode():
            return member_number(context, node, kind) or 0
        case BoolType(), ScalarNode():
            if node.value in ("yes", "no"):
                return node.value == "yes"
        case IntType(low=low, high=high), ScalarNode():
            number = node.resolve()
            if isinstance(number, int) and not isinstance(number, bool):
                if (low is not None and number < low) or (high is not None and number > high):
                    context.error("E211", f"{number} is not in {t}", node.span, expected=str(t), found=str(number))
                return number
        case TextType(), ScalarNode():
            return node.value
    shown = (
        ticked(node.value) if isinstance(node, ScalarNode) else "a list" if isinstance(node, ListNode) else "a mapping"
    )
    help = spelling(node.value) if isinstance(t, IntType) and isinstance(node, ScalarNode) else ()
    message = f"this is {shown}, but {article(t)} is needed here"
    context.error("E201", message, node.span, expected=str(t), found=shown, help=help)
    return context.default_of(t)


def amounts(context: CheckContext, node: ListNode | ScalarNode) -> list[tuple[ScalarNode, int]]:
    """The words of a bag and how many of each: `2 of ruby + 1 of jade`, or a list of words with one of each."""
    if isinstance(node, ScalarNode) and "of" in node.value.split():
        try:
            summands = bag_of(parse_expr(node.value))
        except ExprSyntaxError as error:
            error.report(node, context.diagnostics)
            return []
        if summands is not None:
            return [(ScalarNode(name.id, "plain", node.at(name.start, name.end)), n) for n, name in summands]
    return [(word, 1) for word in context.words(node)]


def bag_of(tree: Expr) -> list[tuple[int, Name]] | None:
    """How many of what an expression adds up; None where it is more than a sum of numbers of members."""
    match tree:
        case Binary("+", left, right):
            first, second = bag_of(left), bag_of(right)
            return None if first is None or second is None else [*first, *second]
        case Binary("of", Num(number), Name() as name) if number < MOST:
            return [(number, name)]
    return None


def split(node: ScalarNode) -> list[Node]:
    """Words of one scalar: `red blue` in a cell of a table that has no lists."""
    if node.value in ("none", "empty", ""):
        return []
    words: list[Node] = []
    at = 0
    for word in node.value.split():
        start = node.value.index(word, at)
        at = start + len(word)
        words.append(ScalarNode(word, "plain", node.at(start, at)))
    return words


def member_number(context: CheckContext, word: ScalarNode, kind: str) -> int | None:
    """The number of a member by its name."""
    for holder, number in context.members.get(word.value, []):
        if holder.name == kind:
            context.refs.add(("datum", f"{kind}.{word.value}"))
            context.mention(f"member of {kind}", word.value, word.span, holder.spans[number])
            return number
    members, parts = context.kinds[kind].members, word.value.split()
    hint = f"a comma is missing: {ticked(', '.join(parts))}" if len(parts) > 1 and set(parts) <= set(members) else ""
    candidates = [] if hint else members
    context.unknown("E104", f"member of {kind}", word.value, word.span, candidates, owner=kind, hint=hint)
    return None

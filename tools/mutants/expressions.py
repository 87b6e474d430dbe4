"""Other expressions of the same type: each rewriting is (start, end, new text, what is said), offsets in the scalar's value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from rulespec.checker import symbols
from rulespec.checker.program import CheckedGame
from rulespec.expr import syntax
from rulespec.language.types import PLAYER
from rulespec.text.quoting import ticked
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ScalarNode

from .places import end

Edit: TypeAlias = tuple[int, int, str, str | None]

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
OPERATORS = {"and": "or", "or": "and", "+": "-", "-": "+"}
TWINS = {"all": "any", "any": "all", "most": "least", "least": "most", "left_of": "right_of", "right_of": "left_of"}


class Rewriting:
    """The rewritings of the expressions of a game, by what its names stand for."""

    def __init__(self, game: CheckedGame) -> None:
        self.context = game.context
        self.twins = dict(TWINS)
        by_type: dict[tuple[object, ...], list[str]] = {}
        for name, symbol in self.context.names.items():
            by_type.setdefault(form(symbol), []).append(name)
        self.groups = {name: names for names in by_type.values() if len(names) > 1 for name in names}
        self.owners = [
            (symbol.span.source, symbol.span.start, end(symbol.node), symbol.parameters)
            for symbol in (*self.context.procedures.values(), *self.context.names.values())
            if isinstance(symbol, symbols.Procedure | symbols.Function)
            and symbol.node is not None
            and symbol.parameters
        ]

    def of(self, scalar: ScalarNode, tree: syntax.Node) -> Iterator[Edit]:
        """The rewritings of an expression and of all below it."""
        bound = {node.var for node in syntax.walk(tree) if isinstance(node, syntax.Comp)}
        called = {id(node.func) for node in syntax.walk(tree) if isinstance(node, syntax.Call)}
        for node in syntax.walk(tree):
            match node:
                case syntax.Num(value=value):
                    yield node.start, node.end, str(value + 1), None
                    if value > 1:
                        yield node.start, node.end, str(value - 1), None
                case syntax.Compare(op=op, left=left, right=right):
                    yield from self.operator(scalar, left, right, op, COMPARISONS)
                case syntax.Binary(op=op, left=left, right=right):
                    yield from self.operator(scalar, left, right, op, OPERATORS)
                    if op in ("and", "or"):
                        yield left.end, node_end(node, right), "", self.left_out(scalar, right)
                        yield node_start(node, left), right.start, "", self.left_out(scalar, left)
                case syntax.Unary(op="not", x=x):
                    yield node.start, x.start, "", "`not` left out"
                case syntax.Comp(coll=coll, where=syntax.Node() as where):
                    yield coll.end, where.end, "", self.left_out(scalar, where)
                case syntax.Name(id=name):
                    others = self.functions(name) if id(node) in called else self.others(scalar, name, bound)
                    yield from ((node.start, node.end, other, None) for other in others)
                case syntax.Attr(name=name):
                    start = node.name_start
                    yield from ((start, start + len(name), other, None) for other in self.attributes(name))

    def operator(
        self, scalar: ScalarNode, left: syntax.Node, right: syntax.Node, op: str, others: dict[str, str]
    ) -> Iterator[Edit]:
        """Another operator between two operands."""
        at = scalar.value.find(op, left.end, right.start)
        if at >= 0 and op in others:
            yield (
                at,
                at + len(op),
                others[op],
                f"{ticked(others[op])} for {ticked(op)} in {ticked(scalar.value[left.start : right.end])}",
            )

    def left_out(self, scalar: ScalarNode, part: syntax.Node) -> str:
        """That a part of a condition is left out."""
        return f"{ticked(scalar.value[part.start : part.end])} left out"

    # --- names of the same type ---------------------------------------------------------------------------------------
    def others(self, scalar: ScalarNode, name: str, bound: set[str]) -> Iterator[str]:
        """What may stand in place of a name: a member of the same type, a parameter beside it, a variable or zone like it."""
        if name in bound:
            return
        for beside in self.parameters(scalar.span):
            own = next((one for one in beside if one.name == name), None)
            if own is not None:
                like = [one.name for one in beside if one.type == own.type and one is not own]
                yield from like[:1]
                if own.type == PLAYER:
                    yield f"left_of({name})"
                return
        if name in self.context.members:
            kind, number = self.context.members[name][0]
            if len(kind.members) > 1:
                yield kind.members[(number + 1) % len(kind.members)]
            return
        yield from after(self.groups.get(name, []), name)

    def parameters(self, span: Span) -> Iterator[list[symbols.Parameter]]:
        """The parameters of what a place lies in."""
        for source, start, stop, parameters in self.owners:
            if span.source is source and start <= span.start < stop:
                yield parameters

    def functions(self, name: str) -> Iterator[str]:
        """A function that takes and gives the same."""
        if name in self.twins:
            yield self.twins[name]
        yield from after(self.groups.get(name, []), name)

    def attributes(self, name: str) -> Iterator[str]:
        """An attribute of the same type, of some kind that has this one."""
        seen: set[str] = set()
        for kind in self.context.kinds.values():
            symbol = kind.attributes.get(name)
            if symbol is None:
                continue
            like = [other for other, one in kind.attributes.items() if form(one) == form(symbol)]
            for other in after(like, name):
                if other not in seen:
                    seen.add(other)
                    yield other


def form(symbol: symbols.Symbol) -> tuple[object, ...]:
    """What a name must have in common with another to be taken for it."""
    match symbol:
        case symbols.Variable(type=t, per=per):
            return "variable", kind_of(str(t)), tuple(map(str, map(symbols.index_type, per)))
        case symbols.Zone(type=t, per=per):
            return "zone", str(t), tuple(map(str, map(symbols.index_type, per)))
        case symbols.Function(what=what, parameters=parameters, result=result):
            return "function", what, str(result), tuple(str(one.type) for one in parameters)
        case symbols.Field(type=t):
            return "field", kind_of(str(t))
        case symbols.Option(type=t):
            return "option", str(t)
    return ("other", id(symbol))


def kind_of(t: str) -> str:
    """Numbers of different ranges are taken for each other."""
    return "a number" if t[:1].isdigit() or t[:1] == "-" or t == "Number" else t


def after(names: list[str], name: str) -> Iterator[str]:
    """The name behind this one, the first behind the last; nothing where it is alone."""
    if len(names) > 1 and name in names:
        yield names[(names.index(name) + 1) % len(names)]


def node_end(node: syntax.Node, right: syntax.Node) -> int:
    """Where the right operand ends, without a parenthesis around the whole."""
    return min(node.end, right.end)


def node_start(node: syntax.Node, left: syntax.Node) -> int:
    """Where the left operand begins, without a parenthesis around the whole."""
    return max(node.start, left.start)

"""What declarations of all sections share: indices, parameters, who sees, citations."""

from __future__ import annotations

from collections.abc import Sized

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.context import CheckContext
from rulespec.checker.expressions import Expressions
from rulespec.checker.kinds import Kinds, check_name, declare_name, typed_default
from rulespec.language.types import (
    PLAYERS,
)  # fmt: skip
from rulespec.text.diagnostics import nearest
from rulespec.text.numbers import spelling, whole, whole_range
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode

VIEWERS = ("all", "none", "owner")


class Declarer:
    """Makes the symbols of some sections of a game."""

    def __init__(self, context: CheckContext, expressions: Expressions, kinds: Kinds) -> None:
        self.context = context
        self.expressions = expressions
        self.kinds = kinds
        self.later: list[symbols.Function] = []  # who sees something: functions that are checked once all is declared

    def index(self, node: Node | None) -> tuple[symbols.Index, ...]:
        """`per: Player`, `per: [Player, Track]`, `per: 1..4`."""
        indices: list[symbols.Index] = []
        for word in self.context.words(node):
            if (ends := whole_range(word.value)) is not None:
                indices.append(symbols.Numbers(*ends))
            elif word.value in self.context.kinds:
                kind = self.context.kinds[word.value]
                self.context.refer("type", kind.name, word.span, kind.span)
                self.context.wholes.add(word.value)
                indices.append(kind)
            else:
                hint = "".join(spelling(word.value))
                self.context.unknown("E101", "type", word.value, word.span, self.context.kinds, hint=hint)
        return tuple(indices)

    def indexed(self, key: ScalarNode, node: Node | None, per: Sized) -> bool:
        """Whether all that something is declared by is there; its name is given up where it is not."""
        there = len(self.context.words(node)) == len(per)
        if not there:
            self.context.lost.add(key.value)
        return there

    def parameters(self, node: Node | None) -> list[symbols.Parameter]:
        """`takes:` a name and a type each, with a default after ` = `."""
        parameters: list[symbols.Parameter] = []
        for key, written in node.entries if isinstance(node, MapNode) else ():
            if not isinstance(written, ScalarNode) or (
                key.value not in ("me", "this") and not check_name(self.context, key, "a parameter")
            ):
                continue
            t, default = typed_default(self.expressions, written)
            parameters.append(symbols.Parameter(key.value, t, key.span, default))
        return parameters

    def place(self, symbol: symbols.Variable | symbols.Zone, key: ScalarNode) -> None:
        """A name in sight: global, and a part of its first index."""
        declare_name(self.context, key, symbol)
        if symbol.per and isinstance(symbol.per[0], symbols.Kind):
            kind = symbol.per[0]
            if symbol.name in kind.attributes:
                self.context.error(
                    "E108",
                    f"{kind.name} has two parts named `{symbol.name}`",
                    key.span,
                    related=[(kind.attributes[symbol.name].span, "the first")],
                )
            kind.attributes[symbol.name] = symbol

    def viewers(self, node: Node | None, per: tuple[symbols.Index, ...], default: ir.Viewers) -> ir.Viewers:
        """Who sees: all, none, owner, or a set of players by an expression about `this`."""
        if not isinstance(node, ScalarNode):
            return default
        if node.value in ("all", "none"):
            return ir.Viewers(node.value)  # type: ignore[arg-type]
        if node.value == "owner":
            if not per or not isinstance(per[0], symbols.Kind) or per[0].what != "player":
                self.context.error(
                    "E401",
                    "only what is `per: Player` has an owner",
                    node.span,
                    help=["add `per: Player`, or write `seen by: all` or `seen by: none`"],
                )
                return ir.Viewers("none")
            return ir.Viewers("owner")
        if (close := nearest(node.value, VIEWERS)) is not None and node.value not in self.context.names:
            message = f"there is nothing named {ticked(node.value)} here"
            self.context.error("E100", message, node.span, help=[f"did you mean {ticked(close)}?"])
            return ir.Viewers("none")
        names = ["this", "that"]
        parameters = [symbols.Parameter(names[i], symbols.index_type(x), node.span) for i, x in enumerate(per[:2])]
        function = symbols.Function("seen by", "hidden", parameters, node, node.span, result=PLAYERS)
        self.later.append(function)
        return ir.Viewers("function", len(self.later) - 1)

    def cites(self, node: MapNode) -> None:
        check_citations(self.context, node)


def check_citations(context: CheckContext, node: MapNode) -> None:
    """Each citation names a ruling or lines of a source that the game lists."""
    for word in context.words(node.get("cites")):
        if word.value in context.citations:
            continue
        letters = word.value.rstrip("0123456789-")
        lines = word.value[len(letters) :].split("-")
        limit = context.citations.get(f"{letters}*")
        numbers = [number for line in lines if (number := whole(line)) is not None]
        if limit and len(numbers) == len(lines) and 1 <= numbers[0] <= numbers[-1] <= limit:
            continue
        listed = [c for c in context.citations if not c.endswith("*")]
        hint = f"{ticked(letters)} has {limit} lines, cited as {letters}1 to {letters}{limit}" if limit else ""
        if "," in word.value:
            limit, hint = 1, f"a list is written in brackets: {ticked(f'[{word.value}]')}"
        context.unknown("E112", "source", word.value, word.span, [] if limit else listed, hint=hint)

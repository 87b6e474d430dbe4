"""What the rules state of the returns under `utility`: known before play, and checked at the end of each game."""

from __future__ import annotations

from rulespec import ir
from rulespec.checker.body import Body
from rulespec.checker.context import CheckContext, flag
from rulespec.checker.env import Env, call_frame
from rulespec.checker.expressions import Expressions
from rulespec.language.types import INT, ListType, UnknownType
from rulespec.passes.fold import folded, settled
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode

FIELDS = (
    ("sum", "together"),
    ("min", "least"),
    ("max", "most"),
)  # the keys that state numbers, and their fields of `ir.Utility`


class Stated:
    """The statements of one game."""

    def __init__(self, context: CheckContext, expressions: Expressions, node: MapNode) -> None:
        self.context = context
        self.expressions = expressions
        self.node = node

    def held(self, body: Body, returns: ir.Expr, env: Env) -> ir.Expr:
        """The returns, after steps that hold them to what is stated."""
        numbers = {name: self.number(node) for name, _ in FIELDS if (node := self.node.get(name)) is not None}
        alike = flag(self.node, "identical", False)
        parts = {field: number for name, field in FIELDS if (number := numbers.get(name)) is not None}
        if not parts and not alike:
            return returns
        self.context.utility = ir.Utility(identical=alike, **parts)
        env, index = env.fresh(ListType(INT))
        given = ir.Local(index)
        body.emit(ir.Let(index, returns, self.node.span))
        least, most = ir.Op("lowest", (given,)), ir.Op("highest", (given,))
        for name, number in numbers.items():
            if number is None:
                continue
            match name:
                case "sum":
                    total = ir.Op("total", (given,))
                    self.claim(body, name, ir.Op("eq", (total, number)), "all get ", total, " together", number)
                case "min":
                    self.claim(body, name, ir.Op("le", (number, least)), "somebody gets ", least, "", number)
                case _:
                    self.claim(body, name, ir.Op("le", (most, number)), "somebody gets ", most, "", number)
        if alike:
            self.claim(body, "identical", ir.Op("eq", (least, most)), "one gets ", least, ", another ", most, "yes")
        return given

    def claim(self, body: Body, name: str, test: ir.Expr, *said: ir.Expr | str) -> None:
        """A fault at the end of a game unless a test holds: what was found, and what is stated."""
        *found, stated = said
        key = next(key for key, _ in self.node.entries if key.value == name)
        parts = [*found, f"; `utility` states `{name}: ", stated, "`"]
        text = [self.shown(part) if isinstance(part, ir.Expr) else (part,) for part in parts]
        body.emit(ir.Claim(test, ir.Text(tuple(piece for part in text for piece in part)), key.span, "R021"))

    def shown(self, number: ir.Expr) -> tuple[str | tuple[ir.Expr, ir.Type], ...]:
        """A number of returns in a text."""
        printed = number, self.context.type_of(INT)
        return (printed,) if self.context.unit == 1 else (printed, f"/{self.context.unit}")

    def number(self, node: Node) -> ir.Expr | None:
        """What is stated, in the parts in which returns are counted; None where it is wrong, which is reported."""
        if not isinstance(node, ScalarNode):
            return None
        expr, found = self.expressions.of(node, call_frame([]), INT)
        if isinstance(found, UnknownType):
            return None
        usual = {
            option.name: option.values[option.words.index(option.default)] for option in self.context.options.values()
        }
        if not isinstance(folded(settled(expr, {"players": self.context.counts[0], **usual})), ir.Const):
            self.context.error(
                "E614",
                "what `utility` states is not known before play",
                node.span,
                expected="a number, or what follows from the number of players and options: 10 * size(players)",
            )
            return None
        return ir.Op("mul", (expr, ir.Const(self.context.unit)))

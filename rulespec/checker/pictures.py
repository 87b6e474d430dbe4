"""The picture of a map: where places lie, and what is shown at them and at their links."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.constants import member_number
from rulespec.checker.context import CheckContext
from rulespec.checker.env import call_frame
from rulespec.checker.expressions import Expressions
from rulespec.checker.inference import article
from rulespec.checker.kinds import pretty, snake
from rulespec.checker.maps import ends_of
from rulespec.ir.pictures import letters
from rulespec.language.sections import COLOURS, LINE_STYLES
from rulespec.language.types import BOOL, INT, EntityType, OptionType, Type, UnknownType
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

PART = re.compile(r"\s*this\.(\w+)\s*\Z")


def picture(context: CheckContext, expressions: Expressions) -> ir.Picture | None:
    """How the map of the game is drawn; None without a map."""
    places = next((k for k in context.kinds.values() if k.what == "node"), None)
    board = context.root.get("map")
    if places is None or not isinstance(board, MapNode):
        return None
    node = board.get("picture")
    return PictureCompiler(context, expressions, places).picture(
        node if isinstance(node, MapNode) else MapNode((), places.span)
    )


class PictureCompiler:
    """Reads the picture of one kind of places and its links."""

    def __init__(self, context: CheckContext, expressions: Expressions, places: symbols.Kind) -> None:
        self.context = context
        self.expressions = expressions
        self.places = places
        self.locals = 1  # of the texts

    def picture(self, node: MapNode) -> ir.Picture:
        places, links = self.places, self.places.links
        lines = node.get("lines")
        remarks = [self.remark(places, own) for own in lines.items] if isinstance(lines, ListNode) else []
        own = node.get("links")
        joins = own if isinstance(own, MapNode) else MapNode((), node.span)
        if links is None and (key := node.key("links")) is not None:
            self.context.error(
                "E605",
                "the picture speaks of links, and the map has none",
                key.span,
                help=["declare `links` of the map, or leave this out"],
            )
        x, y = self.place(node, "x"), self.place(node, "y")
        title = self.remark(places, node.get("title"))
        colour, symbol = self.scale(places, node, "colour", COLOURS), self.scale(places, node, "symbol", None)
        strong = self.function(places, "strong", node.get("strong"), BOOL)
        style, link_title = None, None
        if links is not None:
            style, link_title = self.scale(links, joins, "style", LINE_STYLES), self.remark(links, joins.get("title"))
        return ir.Picture(
            nodes=places.index,
            links=None if links is None else links.index,
            ends=() if links is None else ends_of(links),
            locals=self.locals,
            x=x,
            y=y,
            title=title,
            lines=tuple(remark for remark in remarks if remark is not None),
            colour=colour,
            symbol=symbol,
            strong=strong,
            strong_label=label_of(node.get("strong"), "strong"),
            style=style,
            link_title=link_title,
        )

    def function(self, kind: symbols.Kind, name: str, node: Node | None, want: Type | None) -> int | None:
        """The number of a function of `this` place or link."""
        made = self.compiled(kind, name, node, want)
        return None if made is None else made.index

    def compiled(self, kind: symbols.Kind, name: str, node: Node | None, want: Type | None) -> symbols.Function | None:
        if not isinstance(node, ScalarNode):
            return None
        this = symbols.Parameter("this", kind.type, node.span)
        made = symbols.Function(f"{name} of the picture", "hidden", [this], node, node.span, want)
        self.expressions.compile_function(made)
        return made

    def place(self, node: MapNode, name: str) -> int | None:
        """Where a place lies: a number that nothing in play changes."""
        own = node.get(name)
        made = self.compiled(self.places, name, own, INT)
        if made is not None and own is not None and made.reads:
            self.context.error(
                "E604",
                f"`{name}` of a picture changes in play",
                own.span,
                expected="a number from fields of `this`",
                help=["a place stays where it is: give it a field for it"],
            )
        return None if made is None else made.index

    def remark(self, kind: symbols.Kind, node: Node | None) -> ir.Remark | None:
        """A text about `this`, with when it is shown."""
        said = node.get("say") if isinstance(node, MapNode) else node
        if not isinstance(said, ScalarNode):
            return None
        test = node.get("if") if isinstance(node, MapNode) else None
        env = call_frame([("this", kind.type)])
        if isinstance(test, ScalarNode):
            env = env.knowing(self.expressions.learned(test, True))
        text = self.expressions.text(said, env)
        self.locals = max(self.locals, env.frame.locals)
        return ir.Remark(text, self.function(kind, "if", test, BOOL), said.span)

    def scale(self, kind: symbols.Kind, node: MapNode, name: str, signs: Sequence[str] | None) -> ir.Scale | None:
        """What a colour, sign or style tells, and which each member has."""
        own = node.get(name)
        made = self.compiled(kind, name, own, None)
        if made is None or own is None or made.result is None:
            return None
        t = made.result.item if isinstance(made.result, OptionType) else made.result
        if isinstance(t, UnknownType):
            return None
        if not isinstance(t, EntityType):
            self.context.error(
                "E201",
                f"this is {article(made.result)}, and a member of a type is expected",
                own.span,
                expected="a member of a type, or none",
                found=str(made.result),
                help=["a type is a closed list of words, declared under `types`"],
            )
            return None
        of = self.context.kinds[t.kind]
        said: dict[int, str] = {}
        table = node.get(f"{name}s")
        for key, value in table.entries if isinstance(table, MapNode) else ():
            number = member_number(self.context, key, of.name)
            if number is not None and isinstance(value, ScalarNode):
                said[number] = value.value
        chosen = letters(of.labels, said) if signs is None else given(len(of.members), said, signs)
        return ir.Scale(made.index or 0, of.index, chosen, label_of(own, snake(of.name)))


def label_of(node: Node | None, otherwise: str) -> str:
    """What an expression tells, in words: `control` of `this.control`."""
    found = PART.match(node.value) if isinstance(node, ScalarNode) else None
    return pretty(found[1]) if found else otherwise


def given(size: int, said: dict[int, str], signs: Sequence[str]) -> tuple[str, ...]:
    """A sign for each of so many members: what was said, else the next that nobody has, and round again."""
    left = [sign for sign in signs if sign not in said.values()] or list(signs)
    made: list[str] = []
    nameless = 0
    for number in range(size):
        if number not in said:
            nameless += 1
        made.append(said.get(number) or left[(nameless - 1) % len(left)])
    return tuple(made)

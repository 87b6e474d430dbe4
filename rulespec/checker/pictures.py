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
from rulespec.checker.kinds import pretty, snake
from rulespec.checker.maps import ends_of
from rulespec.checker.sentences import unlike
from rulespec.ir.pictures import letters
from rulespec.language.palette import COLOURS, LINE_STYLES
from rulespec.language.types import BOOL, INT, PLAYER, EntityType, OptionType, Type, UnknownType
from rulespec.library.errors import DomainError
from rulespec.passes.evaluation import NO_VALUE, Evaluation
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

Known = tuple[str, symbols.Kind, ir.Expr]  # something of a cell, which is the first local: its name, type and value
THERE = "#"  # the sign of what only stands somewhere or not
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


def boards(context: CheckContext, expressions: Expressions) -> None:
    """What is shown of the cells of each board: what their author says, or else what stands there, by its name and its player."""
    for key, node in context.section("boards"):
        board = context.boards.get(key.value)
        if board is None:
            continue
        for part in board.parts.values():
            part.symbol, part.colour = usual(context, part.kind)
        written = node.get("picture") if isinstance(node, MapNode) else None
        if not isinstance(written, MapNode):
            board.symbol, board.colour = usual(context, board.kind)
            continue
        compiler = PictureCompiler(context, expressions, board.kind)
        board.symbol = compiler.scale(board.kind, written, "symbol", None)
        board.colour = compiler.scale(board.kind, written, "colour", COLOURS)
        board.drawn_by = [scale.function for scale in (board.symbol, board.colour) if scale is not None]


def usual(context: CheckContext, cells: symbols.Kind) -> tuple[ir.Scale | None, ir.Scale | None]:
    """What is shown of cells if nobody says it: the first thing that stands there, and the first player that it has."""
    things: list[Known] = []
    owners: list[Known] = []
    parts: list[symbols.Variable | symbols.Zone] = [*context.variables, *context.zones]
    for part in parts:
        if part.per != (cells,) or part.scope is not None:
            continue
        held = ir.Load(part.base, ir.Local(0), part.size)
        if isinstance(part, symbols.Zone):
            if part.counts:
                continue
            piece = ir.Op("top" if part.order == "pile" else "first", (held,))
            bare = ir.Op("eq", (ir.Op("size", (held,)), ir.Const(0)))
            things.append((part.name, part.kind, ir.Cond(bare, ir.Const(None), piece)))
            for field in part.kind.fields.values():
                if field.type == PLAYER:
                    side = ir.Column(tuple(field.values), piece)
                    owners.append((field.name, context.kinds["Player"], ir.Cond(bare, ir.Const(None), side)))
            continue
        t = part.type.item if isinstance(part.type, OptionType) else part.type
        if t == BOOL and cells.what == "part" and part.shown:  # a wall stands there, or none: a sign of its own
            things.append((part.name, cells, ir.Cond(held, ir.Local(0), ir.Const(None))))
        if isinstance(t, EntityType) and part.shown:
            (owners if t == PLAYER else things).append((part.name, context.kinds[t.kind], held))
    shown, owner = (things or owners)[:1], owners[:1]
    return first_scale(context, cells, shown, None), first_scale(context, cells, owner, COLOURS)


def first_scale(
    context: CheckContext, cells: symbols.Kind, known: list[Known], signs: Sequence[str] | None
) -> ir.Scale | None:
    """A scale of the first of what is known of a cell, if anything is."""
    for name, kind, body in known:
        if kind is cells:
            env = call_frame([("this", cells.type)])
            number = context.add_function(f"{name} of the picture", 1, env, body, OptionType(kind.type), cells.span)
            return ir.Scale(number, kind.index, (THERE,) * len(kind.members), pretty(name))
        names = tuple(dict.fromkeys(kind.labels))
        ends = [name.rpartition(" ")[2] for name in names]
        numbered = len(names) > 1 and all(end.isdecimal() and len(end) < 3 for end in ends)  # Player 1, Player 2
        chosen = dict(zip(names, ends if numbered else letters(names, {}), strict=True))
        named = {number: name for number, name in enumerate(kind.members) if name in COLOURS}  # Black is black
        each = [chosen[label] for label in kind.labels] if signs is None else given(len(kind.labels), named, signs)
        env = call_frame([("this", cells.type)])
        number = context.add_function(f"{name} of the picture", 1, env, body, OptionType(kind.type), cells.span)
        return ir.Scale(number, kind.index, tuple(each), pretty(name))
    return None


class PictureCompiler:
    """Reads the picture of one kind of places and its links."""

    def __init__(self, context: CheckContext, expressions: Expressions, places: symbols.Kind) -> None:
        self.context = context
        self.expressions = expressions
        self.places = places
        self.locals = 1  # of the texts, at most

    def picture(self, node: MapNode) -> ir.Picture:
        places, links = self.places, self.places.links
        lines = node.get("lines")
        remarks = [self.remark(places, written) for written in lines.items] if isinstance(lines, ListNode) else []
        written = node.get("links")
        joins = written if isinstance(written, MapNode) else MapNode((), node.span)
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
        compiled = self.compiled(kind, name, node, want)
        return None if compiled is None else compiled.index

    def compiled(self, kind: symbols.Kind, name: str, node: Node | None, want: Type | None) -> symbols.Function | None:
        if not isinstance(node, ScalarNode):
            return None
        this = symbols.Parameter("this", kind.type, node.span)
        function = symbols.Function(f"{name} of the picture", "hidden", [this], node, node.span, want)
        self.expressions.compile_function(function)
        return function

    def place(self, node: MapNode, name: str) -> int | None:
        """Where a place lies: a number that nothing in play changes."""
        written = node.get(name)
        compiled = self.compiled(self.places, name, written, INT)
        if compiled is not None and written is not None and compiled.reads:
            self.context.error(
                "E604",
                f"{ticked(name)} of a picture must stay the same during play",
                written.span,
                expected="a number from fields of `this`",
                help=["a place stays where it is: give it a field for it"],
            )
        elif compiled is not None and written is not None and compiled.index is not None:
            self.everywhere(compiled.index, name, written)
        return None if compiled is None else compiled.index

    def everywhere(self, function: int, name: str, written: Node) -> None:
        """Report the first place for which there is no such number, `first` of nothing, say: the map could not be drawn."""
        body = self.context.out_functions[function]
        for number, member in enumerate(self.places.members if body is not None else ()):
            assert body is not None
            try:
                Evaluation().value(body.body, {0: number})
            except (DomainError, ArithmeticError) as fault:
                self.context.error(
                    "E604",
                    f"{ticked(name)} of a picture has no value for {member}: {fault}",
                    written.span,
                    expected="a number from fields of `this`",
                )
                return
            except NO_VALUE:
                return  # more than can be worked out here

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
        self.locals = max(self.locals, len(env.frame.types))
        return ir.Remark(text, self.function(kind, "if", test, BOOL), said.span)

    def scale(self, kind: symbols.Kind, node: MapNode, name: str, signs: Sequence[str] | None) -> ir.Scale | None:
        """What a colour, sign or style tells, and which each member has."""
        written = node.get(name)
        compiled = self.compiled(kind, name, written, None)
        if compiled is None or written is None or compiled.result is None:
            return None
        t = compiled.result.item if isinstance(compiled.result, OptionType) else compiled.result
        if isinstance(t, UnknownType):
            return None
        if not isinstance(t, EntityType):
            self.context.error(
                "E201",
                unlike(written.span.text, compiled.result, "one of the names of a type"),
                written.span,
                expected="a member of a type, or none",
                found=str(compiled.result),
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
        return ir.Scale(compiled.index or 0, of.index, chosen, label_of(written, snake(of.name)))


def label_of(node: Node | None, otherwise: str) -> str:
    """What an expression tells, in words: `control` of `this.control`."""
    match = PART.match(node.value) if isinstance(node, ScalarNode) else None
    return pretty(match[1]) if match else otherwise


def given(size: int, said: dict[int, str], signs: Sequence[str]) -> tuple[str, ...]:
    """A sign for each of so many members: what was said, else the next that nobody has, and round again."""
    left = [sign for sign in signs if sign not in said.values()] or list(signs)
    parts: list[str] = []
    nameless = 0
    for number in range(size):
        if number not in said:
            nameless += 1
        parts.append(said.get(number) or left[(nameless - 1) % len(left)])
    return tuple(parts)

"""The section `table`: what a game says of how its table is shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.constants import member_number
from rulespec.checker.context import CheckContext, flag
from rulespec.checker.expressions import Expressions
from rulespec.checker.inference import article
from rulespec.checker.kinds import pretty
from rulespec.checker.pictures import PictureCompiler, label_of
from rulespec.checker.sentences import unlike
from rulespec.ir.walk import reachable_from, within
from rulespec.language.palette import ICONS
from rulespec.language.types import (
    BOOL,
    INT,
    PLAYER,
    BagType,
    BoolType,
    EntityType,
    IntType,
    OptionType,
    Type,
    UnknownType,
)
from rulespec.library.boards import OFFSETS, SETS
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

NO, YES = "no", "yes"  # written where nothing is to stand, and where it is what it would be called anyway


def shown_table(context: CheckContext, expressions: Expressions) -> ir.Table:
    """All that the game says of how its table is shown."""
    node = context.root.get("table")
    if not isinstance(node, MapNode):
        return ir.Table()
    compiler = TableCompiler(context, expressions)
    return ir.Table(
        looks=tuple(compiler.looks(node.get("look"))),
        zones=tuple(compiler.spots(node.get("zones"), "zone", {zone.name: None for zone in context.zones})),
        state=tuple(
            compiler.spots(
                node.get("state"),
                "variable",
                {f.name: None for f in context.shown} | {v.name: v for v in context.variables if not v.told},
            )
        ),
        boards=tuple(compiler.boards(node.get("boards"))),
        seats=tuple(compiler.seats(node.get("seats"))),
        down=tuple(compiler.down(node.get("order"))),
    )


def entries(node: Node | None) -> Iterator[tuple[ScalarNode, MapNode]]:
    """The entries of a mapping that are mappings."""
    for key, value in node.entries if isinstance(node, MapNode) else ():
        if isinstance(value, MapNode):
            yield key, value


def word(node: MapNode, name: str) -> Any:
    """A word of a closed list, empty if it is left out."""
    written = node.get(name)
    return written.value if isinstance(written, ScalarNode) else ""


def said(node: MapNode, name: str) -> bool:
    """Whether something is said, and not that there is nothing."""
    written = node.get(name)
    return written is not None and not (isinstance(written, ScalarNode) and written.value == NO)


class TableCompiler:
    """Reads the section `table` of a game."""

    def __init__(self, context: CheckContext, expressions: Expressions) -> None:
        self.context = context
        self.expressions = expressions

    def kind(self, key: ScalarNode) -> symbols.Kind | None:
        """The type that a key names; reports a name that is none."""
        kind = self.context.kinds.get(key.value)
        if kind is None:
            self.context.unknown("E101", "type", key.value, key.span, self.context.kinds)
        return kind

    # --- looks ------------------------------------------------------------------------------------------------------
    def looks(self, node: Node | None) -> Iterator[ir.Look]:
        """What stands on components, kind by kind."""
        for key, written in entries(node):
            kind = self.kind(key)
            if kind is not None:
                self.context.used.add(kind.name)
                yield self.look(kind, written)

    def look(self, kind: symbols.Kind, node: MapNode) -> ir.Look:
        compiler = PictureCompiler(self.context, self.expressions, kind)
        cost = self.cost(compiler, kind, node)
        look = ir.Look(
            kind=kind.index,
            colour=self.scales(compiler, kind, node, "colour"),
            corner=self.remarks(compiler, kind, node, "corner"),
            symbol=self.scales(compiler, kind, node, "symbol"),
            cost=None if "cost" not in node else () if cost is None else (cost[0],),
            coins=0 if cost is None else cost[1],
            title=self.remarks(compiler, kind, node, "title"),
            lines=self.remarks(compiler, kind, node, "lines"),
            sort=self.sorting(compiler, kind, node),
            facts=tuple(self.facts(kind, node)),
            locals=compiler.locals,
        )
        for name in ("colour", "symbol", "cost", "corner", "title", "lines", "sort"):
            self.each_stays(node.get(name), name, look)
        return look

    def facts(self, kind: symbols.Kind, node: MapNode) -> Iterator[tuple[str, str]]:
        """Fields with what they are called; `yes` is their name in words, `no` that nobody reads them, or any of them."""
        if "facts" in node and not said(node, "facts"):
            yield from ((name, "") for name in kind.fields)
        for key, value in self.table(node, "facts"):
            if key.value not in kind.fields:
                self.context.unknown("E104", f"field of {kind.name}", key.value, key.span, kind.fields)
            else:
                yield key.value, {NO: "", YES: pretty(key.value)}.get(value.value, value.value)

    def each_stays(self, node: Node | None, name: str, look: ir.Look) -> None:
        """What is said of a component is printed there."""
        parts = getattr(look, name) or ()
        items: Sequence[Node | None] = node.items if isinstance(node, ListNode) else [node] * len(parts)
        if len(items) != len(parts):
            return  # one of them was reported
        for item, part in zip(items, parts, strict=True):
            functions = [part] if isinstance(part, int) else [part.function] if isinstance(part, ir.Scale) else []
            functions += [part.test] if isinstance(part, ir.Remark) and part.test is not None else []
            self.stays(item, part, functions)

    def scales(
        self, compiler: PictureCompiler, kind: symbols.Kind, node: MapNode, name: str
    ) -> tuple[ir.Scale, ...] | None:
        """A colour or sign: which each member of its type has, empty where it was not said."""
        written = node.get(name)
        if written is None or not said(node, name):
            return None if written is None else ()
        compiled = compiler.compiled(kind, name, written, None)
        t = None if compiled is None else self.entity(compiled.result, written)
        if compiled is None or t is None:
            return ()
        of = self.context.kinds[t.kind]
        signs = [""] * len(of.members)
        for key, value in self.table(node, f"{name}s"):
            number = member_number(self.context, key, of.name)
            if number is not None and (name == "colour" or self.is_icon(value)):
                signs[number] = value.value
        return (ir.Scale(compiled.index or 0, of.index, tuple(signs), label_of(written, of.name)),)

    def table(self, node: MapNode, name: str) -> Iterator[tuple[ScalarNode, ScalarNode]]:
        """The words of a mapping."""
        written = node.get(name)
        for key, value in written.entries if isinstance(written, MapNode) else ():
            if isinstance(value, ScalarNode):
                yield key, value

    def is_icon(self, node: ScalarNode) -> bool:
        """Whether a word is an icon or a sign of one or two letters; reports one that is neither."""
        if node.value in ICONS or (0 < len(node.value) < 3 and " " not in node.value):
            return True
        self.context.unknown("E104", "icon", node.value, node.span, ICONS, owner="the table")
        return False

    def entity(self, t: Type | None, node: Node) -> EntityType | None:
        """The type whose member an expression gives; reports any other."""
        bare = t.item if isinstance(t, OptionType) else t
        if isinstance(bare, EntityType):
            return bare
        if t is not None and not isinstance(bare, UnknownType):
            self.context.error(
                "E201",
                unlike(node.span.text, t, "one of the names of a type"),
                node.span,
                expected="a member of a type, or none",
                found=str(t),
            )
        return None

    def remarks(
        self, compiler: PictureCompiler, kind: symbols.Kind, node: MapNode, name: str
    ) -> tuple[ir.Remark, ...] | None:
        """Texts about a member; None where nothing is said, none where it is said that there is nothing."""
        written = node.get(name)
        if written is None or not said(node, name):
            return None if written is None else ()
        items: Iterable[Node] = written.items if isinstance(written, ListNode) else (written,)
        return tuple(remark for item in items if (remark := compiler.remark(kind, item)) is not None)

    def cost(self, compiler: PictureCompiler, kind: symbols.Kind, node: MapNode) -> tuple[int, int] | None:
        """The function that gives a bag, and the kind of what is in it."""
        written = node.get("cost")
        if written is None or not said(node, "cost"):
            return None
        compiled = compiler.compiled(kind, "cost", written, None)
        if compiled is None or isinstance(compiled.result, UnknownType) or compiled.result is None:
            return None
        if not isinstance(compiled.result, BagType):
            t = compiled.result
            self.context.error(
                "E201", unlike(written.span.text, t, "an amount of things (a bag)"), written.span, found=str(t)
            )
            return None
        return compiled.index or 0, self.context.kinds[compiled.result.kind].index

    def sorting(self, compiler: PictureCompiler, kind: symbols.Kind, node: MapNode) -> tuple[int, ...] | None:
        """The functions by which members are sorted."""
        written = node.get("sort")
        if written is None:
            return None
        items: Iterable[Node] = written.items if isinstance(written, ListNode) else (written,)
        out = []
        for item in items:
            compiled = compiler.compiled(kind, "sort", item, None)
            t = None if compiled is None else compiled.result
            bare = t.item if isinstance(t, OptionType) else t
            if compiled is None or isinstance(bare, UnknownType):
                continue
            if isinstance(bare, EntityType | IntType | BoolType):
                out.append(compiled.index or 0)
            elif t is not None:
                message = f"this is {article(t)}, and pieces are sorted by numbers and members of types"
                self.context.error("E201", message, item.span, found=str(t))
        return tuple(out)

    def stays(self, node: Node | None, parts: Any, functions: Iterable[int]) -> None:
        """Report what follows from something that changes in play."""
        known = self.context.out_functions
        first = [*functions, *(e.function for e in within(parts) if isinstance(e, ir.Invoke))]

        def called(number: int) -> list[int]:
            return [e.function for e in within(known[number]) if isinstance(e, ir.Invoke)]

        bodies = [*within(parts), *(e for number in reachable_from(first, called) for e in within(known[number]))]
        if node is not None and any(isinstance(e, ir.Load) for e in bodies):
            self.context.error(
                "E610",
                "what is said of a component changes in play",
                node.span,
                expected="what follows from the fields of `this`",
                help=["what changes is shown by variables and zones, on the table and at the component"],
            )

    # --- zones and variables ------------------------------------------------------------------------------------------
    def spots(self, node: Node | None, what: str, known: dict[str, symbols.Variable | None]) -> Iterator[ir.Spot]:
        """Where zones or variables go."""
        for key, written in entries(node):
            if key.value not in known:
                self.context.unknown("E104", what, key.value, key.span, known, owner="the game")
                continue
            form, low, high = word(written, "as"), self.number(written, "from"), self.number(written, "to")
            variable = known[key.value]
            if form == "track" and variable is not None and high is None:
                bare = variable.type.item if isinstance(variable.type, OptionType) else variable.type
                if not isinstance(bare, IntType) or bare.high is None:
                    self.context.error(
                        "E611",
                        f"it is not said how far the track of {ticked(key.value)} goes",
                        written.span,
                        expected="to: 20",
                        help=["or give the variable a range: `0..20`"],
                    )
            yield ir.Spot(
                name=key.value,
                shown=flag(written, "shown", True),
                at=word(written, "at"),
                form=form,
                title=word(written, "title"),
                low=low or 0,
                high=high,
            )

    def number(self, node: MapNode, name: str) -> int | None:
        """A number that is written."""
        written = node.get(name)
        value = written.resolve() if isinstance(written, ScalarNode) else None
        return value if isinstance(value, int) else None

    # --- boards, seats, order -----------------------------------------------------------------------------------------
    def boards(self, node: Node | None) -> Iterator[ir.Grid]:
        """How boards are drawn, and which types are boards."""
        for key, written in entries(node):
            kind = self.kind(key)
            if kind is None:
                continue
            self.context.used.add(kind.name)
            compiler = PictureCompiler(self.context, self.expressions, kind)
            grid = ir.Grid(
                kind=kind.index,
                look=word(written, "look"),
                column=compiler.function(kind, "column", written.get("column"), INT),
                row=compiler.function(kind, "row", written.get("row"), INT),
                up=flag(written, "up", False),
                test=compiler.function(kind, "if", written.get("if"), BOOL),
                answers=tuple(self.answers(compiler, kind, written.get("answers"))),
                edges=tuple(self.edges(kind, written)),
            )
            for name, number in (("column", grid.column), ("row", grid.row), ("if", grid.test)):
                self.stays(written.get(name), (), [] if number is None else [number])
            yield grid

    def edges(self, kind: symbols.Kind, node: MapNode) -> Iterator[tuple[str, int]]:
        """Directions with the players whose edge of the board lies there; reports what is no direction of an edge, and no player."""
        board = self.context.boards.get(kind.name)
        allowed = SETS["orthogonal"] if board is None or board.shape == "square" else tuple(OFFSETS[board.shape])
        for key, value in self.table(node, "edges"):
            player = member_number(self.context, value, PLAYER.kind)
            if key.value not in allowed:
                self.context.unknown("E104", "edge", key.value, key.span, allowed, owner=kind.name)
            elif player is not None:
                yield key.value, player

    def answers(self, compiler: PictureCompiler, kind: symbols.Kind, node: Node | None) -> Iterator[tuple[str, int]]:
        """Questions whose answers stand for cells."""
        asked = dict.fromkeys(asked.name for asked in self.context.asked)
        for key, written in node.entries if isinstance(node, MapNode) else ():
            compiled = compiler.compiled(kind, key.value, written, None)
            if key.value not in asked:
                self.context.unknown("E104", "question", key.value, key.span, asked, owner="the game")
            elif compiled is not None:
                self.stays(written, (), [compiled.index or 0])
                yield key.value, compiled.index or 0

    def seats(self, node: Node | None) -> Iterator[tuple[str, str]]:
        """The colours of players."""
        for key, value in node.entries if isinstance(node, MapNode) else ():
            if member_number(self.context, key, "Player") is not None and isinstance(value, ScalarNode):
                yield key.value, value.value

    def down(self, node: Node | None) -> Iterator[int]:
        """The types whose members stand from the last to the first."""
        for key, value in node.entries if isinstance(node, MapNode) else ():
            kind = self.kind(key)
            if kind is not None and isinstance(value, ScalarNode) and value.value == "down":
                yield kind.index

"""Titles: what people call members of types, other than by their ids.

A title is a text about `this` member, or one for each member that is named.  It is worked out before play.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.context import CheckContext
from rulespec.checker.env import call_frame
from rulespec.checker.expressions import Expressions
from rulespec.ir.wording import joined
from rulespec.passes.evaluation import NO_VALUE, Evaluation, Run
from rulespec.passes.fold import folded
from rulespec.text.yaml_tree import MapNode, ScalarNode

LONGEST = 200  # letters of a title
MOST_WORK = 200_000  # items that the titles of one type look at, and values that are filled in
UNREADY = ir.Function("not ready", 0, (), ir.Load(0))  # what has no value before play
NAMED = ("types", "pieces", "boards", "pools")


def declared(context: CheckContext) -> Iterator[tuple[symbols.Kind, MapNode]]:
    """The types of a game that have members of their own, with what is declared of each."""
    sections = [context.section(name) for name in NAMED]
    board = context.root.get("map")
    for name in ("nodes", "links"):
        part = board.get(name) if isinstance(board, MapNode) else None
        sections.append(part.entries if isinstance(part, MapNode) else ())
    for section in sections:
        for key, node in section:
            if isinstance(node, MapNode) and key.value in context.kinds:
                yield context.kinds[key.value], node


def name_words(context: CheckContext) -> None:
    """Give words their titles that are said one by one: rows by rule are named after them."""
    for kind, node in declared(context):
        if kind.what == "enum":
            name_by_name(context, kind, node)


def name_others(context: CheckContext) -> None:
    """Give all other members their titles that are said one by one."""
    for kind, node in declared(context):
        if kind.what != "enum":
            name_by_name(context, kind, node)


def name_by_name(context: CheckContext, kind: symbols.Kind, node: MapNode) -> None:
    """Give members of a type the titles that are said one by one."""
    title = node.get("title")
    for number, text in named(context, kind, title) if isinstance(title, MapNode) else ():
        kind.labels[number] = worth(context, text.value, text)


def worth(context: CheckContext, title: str, node: ScalarNode) -> str:
    """A title without blanks around it; reports one that is empty or too long."""
    title = title.strip()
    if not 0 < len(title) <= LONGEST:
        said = f"has more than {LONGEST} letters" if title else "is empty"
        context.error("E612", f"the title of a member {said}", node.span, expected="a few words")
        return title[:LONGEST]
    return title


def named(context: CheckContext, kind: symbols.Kind, node: MapNode) -> Iterator[tuple[int, ScalarNode]]:
    """The members that a mapping names, all copies of a row by its name, with their texts."""
    for key, text in node.entries:
        members = kind.copies.get(key.value, [key.value] if key.value in kind.members else [])
        if not members:
            context.unknown(
                "E104", f"member of {kind.name}", key.value, key.span, [*kind.members, *kind.copies], owner=kind.name
            )
        if isinstance(text, ScalarNode):
            for member in members:
                yield kind.members.index(member), text


class Titles:
    """Works out the titles that are texts about `this` member."""

    def __init__(self, context: CheckContext, expressions: Expressions) -> None:
        self.context = context
        self.expressions = expressions
        self.texts: dict[str, tuple[ir.Text, ScalarNode]] = {}  # by the name of the type: those not yet worked out

    def declare(self) -> None:
        """The titles of all types: of those that a title speaks of, before it."""
        for kind, node in declared(self.context):
            title = node.get("title")
            if isinstance(title, ScalarNode) and kind.members:
                env = call_frame([("this", kind.type)])
                text = self.expressions.text(title, env)
                self.texts[kind.name] = text, title
                self.context.titles.append(text)
        if not self.context.diagnostics.has_errors:
            for kind in self.context.kinds.values():
                self.settle(kind)

    def settle(self, kind: symbols.Kind) -> None:
        """The titles of one type; of types whose titles speak of each other, the first speaks of ids."""
        if kind.name not in self.texts:
            return
        text, node = self.texts.pop(kind.name)
        kinds = list(self.context.kinds.values())
        for part in text.parts:
            for t in () if isinstance(part, str) else mentioned(part[1]):
                self.settle(kinds[t])
        functions = tuple(function or UNREADY for function in self.context.out_functions)
        work = Evaluation(MOST_WORK, functions, texts=True)
        holes = [part if isinstance(part, str) else (work.compiled(folded(part[0])), part[1]) for part in text.parts]
        labels = []
        for number in range(len(kind.members)):
            label = self.title(holes, number, work, node)
            if label is None or self.context.diagnostics.has_errors:
                return
            labels.append(label)
        kind.labels[:] = labels

    def title(
        self,
        holes: list[str | tuple[Run, ir.Type]],
        member: int,
        work: Evaluation,
        node: ScalarNode,
    ) -> str | None:
        """The title of one member; None where it has none, which is reported."""
        out = []
        for part in holes:
            if isinstance(part, str):
                out.append(part)
                continue
            try:
                work.looked_at(())
                value = part[0](work.frame({0: member}))
            except NO_VALUE:
                self.context.error(
                    "E610",
                    "a title does not change in play" if work.left >= 0 else "these titles take too long to work out",
                    node.span,
                    expected="what follows from the fields of `this`",
                    help=["what changes is shown by variables and zones, and next to an option by `shown`"],
                )
                return None
            out.append(self.worded(part[1], value))
        return worth(self.context, "".join(out), node)

    def worded(self, t: ir.Type, value: Any) -> str:
        """A value as people read it."""
        match t.what:
            case "bool":
                return "yes" if value else "no"
            case "entity":
                return str(list(self.context.kinds.values())[t.kind or 0].labels[value])
            case "option":
                return "none" if value is None else self.worded(t.parts[0], value)
            case "set" | "list":
                return joined([self.worded(t.parts[0], item) for item in value])
            case "bag":
                kind = list(self.context.kinds.values())[t.kind or 0]
                return joined([f"{n} {kind.labels[i]}" for i, n in enumerate(value) if n])
            case "record":
                return joined([self.worded(part, item) for part, item in zip(t.parts, value, strict=True)])
            case "text" if not isinstance(value, str):
                printers = list(self.context.printers)
                return "".join(p if isinstance(p, str) else self.worded(printers[p[0]], p[1]) for p in value)
        return str(value)


def mentioned(t: ir.Type) -> Iterator[int]:
    """The kinds whose members a value of a type names."""
    if t.kind is not None:
        yield t.kind
    for part in t.parts:
        yield from mentioned(part)

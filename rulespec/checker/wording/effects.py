"""What pieces do and what it rests on, in words for players: the rules that pieces carry, the sources that the game cites."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulespec import ir
from rulespec.checker.context import CheckContext
from rulespec.checker.titles import declared
from rulespec.checker.wording.expressions import Speech
from rulespec.checker.wording.ink import bare
from rulespec.checker.wording.names import NOTHING, Names, Scope, section, text_of
from rulespec.checker.wording.rules import changes, occasion
from rulespec.checker.wording.steps import Step, Telling, items_of
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

PIECE = NOTHING.having("this", "it")  # what a rule of a piece speaks of


def with_effects(context: CheckContext) -> ir.Table:
    """What the game says of how its table is shown, with what can be read about pieces and questions."""
    teller = Teller(context)
    return replace(
        context.table,
        sources=tuple(sources(context)),
        kinds=tuple(teller.kinds()),
        effects=tuple(teller.effects()),
        questions=tuple(questions(context)),
    )


def words_of(context: CheckContext, node: MapNode, key: str) -> tuple[str, ...]:
    """The words under a key."""
    return tuple(word.value for word in context.words(node.get(key)))


def sources(context: CheckContext) -> Iterator[ir.Source]:
    """The texts that may be cited: those with lines, and rulings."""
    node = context.root.get("sources")
    for key, value in node.entries if isinstance(node, MapNode) else ():
        if isinstance(value, MapNode):
            title = value.get("title")
            lines = context.citations.get(f"{key.value}*", 0)
            yield ir.Source(key.value, title.value if isinstance(title, ScalarNode) else key.value, lines)
        elif isinstance(value, ScalarNode):
            yield ir.Source(key.value, " ".join(value.value.split()))


def citations(context: CheckContext) -> dict[Span, tuple[str, ...]]:
    """What each part of the rules rests on: what is cited there, or else around it."""
    found: dict[Span, tuple[str, ...]] = {}

    def walk(node: Node, around: tuple[str, ...]) -> None:
        if isinstance(node, MapNode):
            around = words_of(context, node, "cites") or around
            found[node.span] = around
            for key, value in node.entries:
                found[key.span] = around
                walk(value, around)
        elif isinstance(node, ListNode):
            for item in node.items:
                walk(item, around)
        else:
            found.setdefault(node.span, around)

    for key, part in context.root.entries:
        if key.value not in ("cases", "positions", "sources", "table"):
            walk(part, ())
    return found


def questions(context: CheckContext) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What each question rests on: what is cited at its step, or else around it."""
    cited = citations(context)
    rests: dict[str, dict[str, None]] = {}
    for site in context.out_sites:
        if site is not None and site.where is not None:
            rests.setdefault(site.name, {}).update(dict.fromkeys(cited.get(site.where, ())))
    for site_name, ids in rests.items():
        if ids:
            yield site_name, tuple(ids)


class Teller:
    """Says in words what the rules of pieces do."""

    def __init__(self, context: CheckContext) -> None:
        self.context = context
        self.speech = Speech(Names.of(context), each=True)
        self.telling = Telling(self.speech)

    def kinds(self) -> Iterator[ir.Said]:
        """What is said of the types themselves, where they are declared and where it is said how they look."""
        table = self.context.root.get("table")
        look = table.get("look") if isinstance(table, MapNode) else None
        looks = look.entries if isinstance(look, MapNode) else ()
        known = self.context.kinds
        shown = [(known[key.value], part) for key, part in looks if key.value in known and isinstance(part, MapNode)]
        for kind, node in [*declared(self.context), *shown]:
            about, cites = node.get("about"), words_of(self.context, node, "cites")
            if isinstance(about, ScalarNode) or cites:
                yield ir.Said(kind.index, " ".join(about.value.split()) if isinstance(about, ScalarNode) else "", cites)

    def effects(self) -> Iterator[ir.Effect]:
        """What each rule that pieces carry does."""
        for rule in self.context.rules:
            if rule.kind is not None:
                when, scope = occasion(self.telling, rule.node, PIECE)
                does = tuple(map(bare, self.does(rule.node, scope)))
                cites = words_of(self.context, rule.node, "cites")
                yield ir.Effect(rule.kind.index, rule.pieces, bare(", ".join(when)), does, cites)

    def does(self, node: MapNode, scope: Scope) -> Iterator[str]:
        """What it does, in the words of its author, or where there are none step by step; and what forbids it."""
        said = [text for key in ("about", "say", "may") if (text := text_of(node.get(key)))]
        yield from (self.speech.said(text, scope) for text in said)
        yield from map(on_one_line, changes(self.telling, node, scope))
        for item in (*items_of(node.get("only")), node):
            if why := text_of(section(item, "why")):
                yield f"not if: {self.speech.said(why, scope)}"
        if not said:
            yield from map(on_one_line, self.telling.steps(node.get("do"), scope))


def on_one_line(step: Step) -> str:
    """A step with those below it in one line; several of them in brackets, so that it is clear how far it goes."""
    below = "; ".join(map(on_one_line, step.steps))
    if not below:
        return step.text
    return f"{step.text} {below}" if len(step.steps) == 1 and step.text.endswith(":") else f"{step.text} ({below})"

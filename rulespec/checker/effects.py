"""What pieces do and what it rests on, in words for players: the rules that pieces carry, the sources that the game cites."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.context import CheckContext
from rulespec.checker.titles import declared
from rulespec.expr.wording import LINKS, Wording
from rulespec.language.registry import VerbDef, verbs
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

UNSAID = frozenset(
    {"log", "cites", "shown", "only", "whole", "else", "or none", "with", "about", "as"}
)  # beside a verb
BY = {"add": "{} more", "subtract": "{} less", "raise": "at least {}", "cap": "at most {}"}  # what changes a value


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


def questions(context: CheckContext) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What each question rests on: what is cited at its step, or else around it."""
    cited: dict[Span, tuple[str, ...]] = {}

    def walk(node: Node, around: tuple[str, ...]) -> None:
        if isinstance(node, MapNode):
            around = words_of(context, node, "cites") or around
            cited[node.span] = around
            for _, value in node.entries:
                walk(value, around)
        elif isinstance(node, ListNode):
            for item in node.items:
                walk(item, around)

    for key, section in context.root.entries:
        if key.value not in ("cases", "positions", "sources", "table"):
            walk(section, ())
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
        labels: dict[str, str] = {}
        for kind in context.kinds.values():
            labels.update(zip(kind.members, kind.labels, strict=True))
        self.wording = Wording(labels)

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
                yield ir.Effect(
                    rule.kind.index,
                    rule.pieces,
                    self.when(rule),
                    tuple(self.does(rule.node)),
                    words_of(self.context, rule.node, "cites"),
                )

    # --- when ---------------------------------------------------------------------------------------------------------
    def when(self, rule: symbols.Rule) -> str:
        """When it acts, or where it can be chosen."""
        node, wording = rule.node, self.wording
        parts = []
        for timing in ("before", "instead of", "after"):
            if isinstance(event := node.get(timing), ScalarNode):
                name = wording.name(event.value)
                parts.append(name if name.startswith(("before ", "after ")) else f"{timing} {name}")
        if isinstance(menu := node.get("adds to"), ScalarNode):
            parts.append(f"to choose among {wording.name(menu.value)}")
        if isinstance(always := node.get("always"), ScalarNode):
            parts.append(f"whenever {wording.condition(always.value)}")
        if isinstance(scope := node.get("during"), ScalarNode):
            parts.append(f"during {wording.name(scope.value)}")
        for key in ("live", "where"):
            if isinstance(test := node.get(key), ScalarNode):
                parts.append(f"if {wording.condition(test.value)}")
        if isinstance(limit := node.get("limit"), ScalarNode):
            parts.append(limit.value.replace("_", " "))
        return ", ".join(parts)

    # --- what ---------------------------------------------------------------------------------------------------------
    def does(self, node: MapNode) -> Iterator[str]:
        """What it does, in the words of its author, or where there are none step by step; and what forbids it."""
        said = [part.value for key in ("about", "say", "may") if isinstance(part := node.get(key), ScalarNode)]
        yield from map(self.wording.sentence, said)
        yield from self.changes(node)
        yield from self.reasons(node.get("only"))
        if isinstance(why := node.get("why"), ScalarNode):
            yield f"not if: {self.wording.sentence(why.value)}"
        if not said:
            yield from self.steps(node.get("do"))

    def changes(self, node: MapNode) -> Iterator[str]:
        """The values that it changes."""
        modify = node.get("modify")
        parts: list[tuple[Node | None, Node | None]] = [(modify, node.get("by"))]
        if isinstance(modify, ListNode):
            parts = [(item.get("of"), item.get("by")) for item in modify.items if isinstance(item, MapNode)]
        for of, by in parts:
            if isinstance(of, ScalarNode) and isinstance(by, MapNode):
                yield f"{self.wording.expression(of.value)}: {', '.join(self.change(by))}"

    def change(self, by: MapNode) -> Iterator[str]:
        """What a value is changed by."""
        for key, value in by.entries:
            if isinstance(value, ScalarNode):
                yield BY.get(key.value, f"{key.value} {{}}").format(self.wording.expression(value.value))

    def reasons(self, node: Node | None) -> Iterator[str]:
        """What forbids it."""
        for item in node.items if isinstance(node, ListNode) else () if node is None else (node,):
            why = item.get("why") if isinstance(item, MapNode) else None
            if isinstance(why, ScalarNode):
                yield f"not if: {self.wording.sentence(why.value)}"

    def steps(self, node: Node | None) -> Iterator[str]:
        """Steps in words."""
        for item in node.items if isinstance(node, ListNode) else () if node is None else (node,):
            if isinstance(item, ScalarNode):
                if item.value != "skip":
                    yield self.wording.name(item.value)
            elif isinstance(item, MapNode) and (text := self.step(item)):
                yield text

    def step(self, node: MapNode) -> str:
        """One step in words; nothing if there is only a line of the log."""
        known, wording = verbs(), self.wording
        verb = next((key.value for key, _ in node.entries if key.value in known and key.value != "if"), None)
        if verb is None and "if" in node and "then" in node:
            return self.branching(node)
        definition = known.get(verb or "")
        if verb == "log":
            return ""
        test = node.get("if")
        before = f"if {wording.condition(test.value)}: " if isinstance(test, ScalarNode) and verb != "if" else ""
        if definition is not None and definition.traits.asks:
            return before + self.question(node, definition)
        parts: list[str] = []
        for key, value in node.entries:
            if key.value in UNSAID or key.value == "if":
                continue
            if isinstance(value, ScalarNode) and (key.value, value.value) != ("by", "me"):
                said = f"{wording.name(key.value)} {wording.expression(value.value)}".rstrip()
                beside = parts and definition is None and key.value not in LINKS
                parts.append(said if not beside else f", {wording.name(key.value)}: {wording.expression(value.value)}")
            elif key.value in ("do", "then"):
                parts.append(f"({'; '.join(self.steps(value))})")
        return (before + " ".join(parts)).replace(" , ", ", ")

    def branching(self, node: MapNode) -> str:
        """`if ...: ...; otherwise: ...`."""
        test = node.get("if")
        said = self.wording.condition(test.value) if isinstance(test, ScalarNode) else ""
        text = f"if {said}: {'; '.join(self.steps(node.get('then')))}"
        other = "; ".join(self.steps(node.get("else")))
        return f"{text}; otherwise: {other}" if other else text

    def question(self, node: MapNode, definition: VerbDef) -> str:
        """What somebody is asked, and among which named options."""
        by, say, value = node.get("by"), node.get("say"), node.get(definition.name)
        who = self.wording.expression(by.value) if isinstance(by, ScalarNode) else "you"
        asked = say if isinstance(say, ScalarNode) else value
        what = self.wording.sentence(asked.value) if isinstance(asked, ScalarNode) else ""
        text = f"{who} {'choose' if who == 'you' else 'chooses'}: {what.replace('_', ' ')}"
        options = node.get("options")
        named = [self.option(key, part) for key, part in (options.entries if isinstance(options, MapNode) else ())]
        return f"{text} ({'; or '.join(named)})" if named else text

    def option(self, key: ScalarNode, node: Node) -> str:
        """A named option, and what it does."""
        say = node.get("say") if isinstance(node, MapNode) else node
        said = self.wording.sentence(say.value) if isinstance(say, ScalarNode) else self.wording.name(key.value)
        steps = "; ".join(self.steps(node.get("do"))) if isinstance(node, MapNode) else ""
        return f"{said}: {steps}" if steps else said

"""The chapters on how it is played: phases and procedures, rules that react, what words mean, tables, and the end."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from rulespec.checker import symbols
from rulespec.checker.wording.ink import capital, emphasis, plain, quoted, sentence, strong
from rulespec.checker.wording.names import NOTHING, Scope, anchor, article, section, text_of, words
from rulespec.checker.wording.rules import changes, occasion, parameters
from rulespec.checker.wording.steps import Step
from rulespec.language.registry import verbs
from rulespec.language.types import BoolType
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

from .blocks import Block, Chapter, Heading, Paragraph, Steps, Table
from .values import shown

if TYPE_CHECKING:
    from rulespec.checker.wording.steps import Telling

FIRST = "game"  # the phase with which play begins
LAYERS = {
    "raise to": "at least {}", "lower to": "at most {}", "set to": "{} instead", "add": "{} more", "subtract": "{} less",
    "clamp": "kept within {}",
}  # fmt: skip
ENDS = (
    ("winners", "The winners are {}; the others have lost."),
    ("losers", "The losers are {}."),
    ("rank", "The players are ranked: {}."),
    ("returns", "Each player gets {}."),
)


class Play:
    """What a game says of how it is played."""

    def __init__(self, telling: Telling) -> None:
        self.telling = telling
        self.names = telling.names
        self.speech = telling.speech
        self.root = telling.names.context.root

    def entries(self, *path: str) -> tuple[tuple[ScalarNode, Node], ...]:
        """What a section declares."""
        group = section(self.root, *path)
        return group.entries if isinstance(group, MapNode) else ()

    def heading(self, what: str, key: ScalarNode, node: Node, given: list[str]) -> Heading:
        """The heading of something that has a name."""
        more = f" ({', '.join(given)})" if given else ""
        return Heading(f"{capital(words(key.value))}{more}", anchor(what, key.value), self.telling.origin(node))

    # --- order of play --------------------------------------------------------------------------------------------------
    @cached_property
    def known(self) -> dict[str, tuple[ScalarNode, Node]]:
        """The phases and procedures, by name."""
        return {key.value: (key, node) for part in ("phases", "procedures") for key, node in self.entries(part)}

    @cached_property
    def order(self) -> dict[str, tuple[str, ...]]:
        """The phases and procedures in the order in which play comes to them, each with those that it runs; what nothing runs is last."""
        found: dict[str, tuple[str, ...]] = {}
        todo = [name for name in (FIRST, *self.known) if name in self.known]
        while todo:
            name = todo.pop(0)
            if name not in found:
                found[name] = tuple(dict.fromkeys(self.run_by(self.known[name][1])))
                todo = [*(other for other in found[name] if other not in found), *todo]
        return found

    def run_by(self, node: Node) -> Iterator[str]:
        """The phases and procedures that steps run, each once for each step."""
        if isinstance(node, MapNode):
            for key, value in node.entries:
                if key.value in self.known and key.value not in verbs():
                    yield key.value
                yield from self.run_by(value)
        elif isinstance(node, ListNode):
            for item in node.items:
                if isinstance(item, ScalarNode) and item.value in self.known:
                    yield item.value
                yield from self.run_by(item)
        elif isinstance(node, ScalarNode) and node.value in self.known:
            yield node.value

    def how(self) -> Chapter:
        """Everything that happens, beginning with the game as a whole."""
        chapter = Chapter("How it is played", "play")
        for name in self.order:
            key, node = self.known[name]
            scope, given = parameters(self.telling, node)
            chapter.blocks.append(self.heading("procedure", key, node, given))
            if about := text_of(section(node, "about")):
                chapter.blocks.append(Paragraph(sentence(about)))
            steps = tuple(self.telling.steps(section(node, "do"), scope))
            if steps:
                chapter.blocks.append(Steps(steps))
        return chapter

    # --- rules that react -----------------------------------------------------------------------------------------------
    def reacting(self) -> Chapter | None:
        """Rules by themselves, lasting effects and menus; those that pieces carry stand with the pieces."""
        chapter = Chapter("Rules that come in by themselves", "rules")
        for key, node in self.entries("events"):
            _, given = parameters(self.telling, node)
            chapter.blocks.append(self.heading("event", key, node, given))
            chapter.blocks.append(
                Paragraph(sentence(text_of(section(node, "about")) or "rules may come in when this happens"))
            )
        for what, part in (("rule", "rules"), ("lasting", "lasting")):
            for key, node in self.entries(part):
                chapter.blocks += self.rule(what, key, node)
        for key, node in self.entries("menus"):
            scope, given = parameters(self.telling, node)
            chapter.blocks.append(self.heading("procedure", key, node, given))
            chapter.blocks.append(Paragraph(sentence(text_of(section(node, "about")) or "one of these is chosen")))
            chapter.blocks.append(Steps(tuple(self.telling.branches(section(node, "options"), scope)), ordered=False))
        for key, node in self.entries("scopes"):
            chapter.blocks.append(self.heading("scope", key, node, []))
            about = text_of(section(node, "about")) or "a part of the game with a memory of its own"
            around = text_of(section(node, "within"))
            inside = f" It is a part of {self.telling.named(around)}." if around else ""
            chapter.blocks.append(Paragraph(sentence(about) + inside))
        return chapter if chapter.blocks else None

    def rule(self, what: str, key: ScalarNode, node: Node) -> Iterator[Block]:
        """A rule: when it comes in, and what it does."""
        if not isinstance(node, MapNode):
            return
        scope, given = parameters(self.telling, node)
        yield self.heading(what, key, node, given)
        when, scope = occasion(self.telling, node, scope)
        parts = [text_of(node.get("about")), *when]
        for question, lead in (("may", "whose rule it is may say no to it: "), ("say", "")):
            if text := text_of(node.get(question)):
                parts.append(f"{lead}{quoted(self.speech.said(text, scope))}")
        yield Paragraph(sentence("; ".join(filter(None, parts))))
        steps = (*changes(self.telling, node, scope), *self.telling.reasons(node.get("only"), scope))
        steps = (*steps, *self.telling.steps(node.get("do"), scope))
        ending = tuple(self.telling.steps(node.get("at end"), scope))
        if ending:
            steps = (*steps, Step("When it ends:", ending))
        if steps:
            yield Steps(steps)

    # --- what words mean ------------------------------------------------------------------------------------------------
    def meanings(self) -> Chapter | None:
        """Functions, values and conditions: what the words of the other chapters mean."""
        chapter = Chapter("What the words mean", "words")
        for key, node in self.entries("functions"):
            chapter.blocks += self.meaning(key, node, NOTHING)
        for kind, group in self.entries("values"):
            noun = self.names.of_collection(kind.value) or words(kind.value).lower()
            scope = NOTHING.having("this", f"the {noun}", noun)
            for key, node in group.entries if isinstance(group, MapNode) else ():
                chapter.blocks += self.meaning(key, node, scope, noun)
        for key, node in self.entries("conditions"):
            scope, given = parameters(self.telling, node)
            chapter.blocks.append(self.heading("meaning", key, node, given))
            if about := text_of(section(node, "about")):
                chapter.blocks.append(Paragraph(sentence(about)))
            chapter.blocks.append(Steps(tuple(self.condition(node, scope)), ordered=False))
        for key, node in self.entries("views"):
            noun = self.names.of_collection(text_of(section(node, "of")))
            said = self.speech.condition(text_of(section(node, "where")), NOTHING.having("this", "it", noun))
            chapter.blocks.append(self.heading("meaning", key, node, []))
            chapter.blocks.append(Paragraph(sentence(f"every {noun} for which {said}")))
        return chapter if chapter.blocks else None

    def meaning(self, key: ScalarNode, node: Node, scope: Scope, of: str = "") -> Iterator[Block]:
        """A function or value: what it is."""
        inner, given = parameters(self.telling, node)
        inner = Scope({**scope.phrases, **inner.phrases}, {**scope.nouns, **inner.nouns})
        yield self.heading("meaning", key, node, [*([f"of {article(of)}"] if of else []), *given])
        if about := text_of(section(node, "about")):
            yield Paragraph(sentence(about))
        let = section(node, "let")
        for name, value in let.entries if isinstance(let, MapNode) else ():
            yield Paragraph(sentence(f"let {emphasis(words(name.value))} be {self.telling.value(value, inner)}"))
            inner = self.telling.chosen(name.value, inner)
        body = section(node, "is") if isinstance(node, MapNode) else node
        if isinstance(body, ScalarNode):
            truth = self.truth(key.value)
            said = self.speech.condition(body.value, inner) if truth else self.speech.value(body.value, inner)
            yield Paragraph(sentence(f"{'it holds if' if truth else 'it is'} {said}"))
        elif isinstance(node, MapNode) and "base" in node:
            yield Paragraph(sentence(f"at first it is {self.telling.value(node.get('base'), inner)}"))
            layers = section(node, "layers")
            items = layers.items if isinstance(layers, ListNode) else ()
            yield Steps(tuple(self.layer(item, inner) for item in items if isinstance(item, MapNode)))

    def truth(self, name: str) -> bool:
        """Whether a function or value is a yes or no."""
        symbol = self.names.context.names.get(name) or self.names.attribute(name)
        return isinstance(symbol, symbols.Function) and isinstance(symbol.result, BoolType)

    def layer(self, node: MapNode, scope: Scope) -> Step:
        """A layer of a value."""
        said = ""
        for key, value in node.entries:
            if key.value in LAYERS:
                said = LAYERS[key.value].format(self.telling.value(value, scope))
        if how := text_of(node.get("modifiers")):
            said = f"here rules and pieces change it ({how})"
        test = node.get("if")
        when = f" if {self.speech.condition(test.value, scope)}" if isinstance(test, ScalarNode) else ""
        return Step(sentence(f"then {said}{when}"), (), self.telling.origin(node))

    def condition(self, node: Node, scope: Scope) -> Iterator[Step]:
        """A condition: what must hold, each with its reason."""
        if not isinstance(node, MapNode):
            return
        enough = node.get("enough")
        if isinstance(enough, ScalarNode):
            yield Step(
                sentence(f"it is enough that {self.speech.condition(enough.value, scope)}"),
                (),
                self.telling.origin(enough),
            )
        yield from self.telling.reasons(node.get("all"), scope, "it is needed that")
        if "if" in node:
            yield from self.telling.reasons(node, scope, "it is needed that")

    # --- tables and the end ---------------------------------------------------------------------------------------------
    def tables(self) -> Chapter | None:
        """The tables of the game."""
        chapter = Chapter("Tables", "tables")
        for key, node in self.entries("tables"):
            table = self.names.context.names.get(key.value)
            if not isinstance(table, symbols.Table):
                continue
            chapter.blocks.append(self.heading("table", key, node, []))
            if about := text_of(section(node, "about")):
                chapter.blocks.append(Paragraph(sentence(about)))
            chapter.blocks.append(self.table(table))
        return chapter if chapter.blocks else None

    def table(self, table: symbols.Table) -> Table:
        """A table: a row for each key; of two keys, a row for each of the first and a column for each of the second."""
        keys = [self.key_name(key) for key in table.keys]
        cells = {key: shown(value, table.type, self.names) for key, value in table.rows.items()}
        if len(keys) == 2 and len({key[1] for key in cells}) <= 12:
            rows, columns = (sorted({key[n] for key in cells}) for n in (0, 1))
            head = (f"{keys[0]} / {keys[1]}", *(self.key_text(table.keys[1], column) for column in columns))
            return Table(
                head,
                tuple(
                    (self.key_text(table.keys[0], row), *(cells.get((row, column), "") for column in columns))
                    for row in rows
                ),
            )
        return Table(
            (*keys, "value"),
            tuple(
                (*(self.key_text(index, part) for index, part in zip(table.keys, key, strict=True)), cells[key])
                for key in sorted(cells)
            ),
        )

    def key_name(self, key: symbols.Index | str) -> str:
        """What a table is looked up by."""
        if isinstance(key, symbols.Kind):
            return self.names.noun(key)
        return "players" if isinstance(key, str) else "number"

    def key_text(self, key: symbols.Index | str, value: int) -> str:
        """A key of a table."""
        return plain(key.labels[value]) if isinstance(key, symbols.Kind) else str(value)

    def end(self) -> Chapter:
        """The end of the game: who wins, and what counts."""
        chapter = Chapter("The end of the game", "end")
        node = self.root.get("end of game")
        if not isinstance(node, MapNode):
            chapter.blocks.append(
                Paragraph(
                    "The game ends when a step says so, or when there is nothing more to do: then nobody has won."
                )
            )
            return chapter
        origin = self.telling.origin(node)
        if about := text_of(node.get("about")):
            chapter.blocks.append(Paragraph(sentence(about), origin))
        before = tuple(self.telling.steps(node.get("before"), NOTHING))
        if before:
            chapter.blocks += [Paragraph("When the game is over, first:"), Steps(before)]
        scope = NOTHING.having("this", "that player", "player")
        for key, said in ENDS:
            value = node.get(key)
            if isinstance(value, ScalarNode):
                text = "all players" if value.value == "all" else self.speech.value(value.value, scope)
                chapter.blocks.append(Paragraph(sentence(said.format(text)), self.telling.origin(value)))
        score = node.get("score")
        if isinstance(score, MapNode):
            rows = tuple((strong(plain(key.value)), self.telling.value(value, scope)) for key, value in score.entries)
            chapter.blocks.append(Table(("what counts", "for each player"), rows))
        return chapter

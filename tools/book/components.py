"""The chapters on what lies on the table: players, types and pieces with all that is on them, boards, places, and who sees what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.wording.ink import capital, emphasis, place, plain, sentence, strong
from rulespec.checker.wording.names import NOTHING as NOWHERE
from rulespec.checker.wording.names import anchor, section, text_of, words
from rulespec.ir.wording import listing
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode

from .blocks import Block, Chapter, Heading, Paragraph, Table
from .values import shown, typed

if TYPE_CHECKING:
    from rulespec.checker.wording.steps import Telling

FIELD = re.compile(r"\{this(?:\.([A-Za-z_]\w*))?\}")
ORDERS = {"shuffled": "in no order until something is drawn", "pile": "as a pile", "set": ""}
SECTIONS = (("pieces",), ("types",), ("map", "nodes"), ("map", "links"))


class Components:
    """What a game declares to lie on the table."""

    def __init__(self, telling: Telling, table: ir.Table) -> None:
        self.telling = telling
        self.names = telling.names
        self.speech = telling.speech
        self.context = telling.names.context
        self.table = table

    def declared(self) -> Iterator[tuple[str, ScalarNode, Node, symbols.Kind]]:
        """Each type that the game declares: its section, name and declaration."""
        for path in SECTIONS:
            group = section(self.context.root, *path)
            for key, node in group.entries if isinstance(group, MapNode) else ():
                kind = self.context.kinds.get(key.value)
                if kind is not None:
                    yield path[-1], key, node, kind

    # --- what lies in the box -------------------------------------------------------------------------------------------
    def box(self) -> Chapter:
        """What is needed to play: pieces and types, with what is on each of them."""
        chapter = Chapter("What is in the box", "box")
        players = self.context.kinds["Player"]
        if isinstance(self.context.root.get("players"), MapNode):
            chapter.blocks.append(Paragraph(f"The players are {listing([plain(label) for label in players.labels])}."))
        for part, key, node, kind in self.declared():
            if part != "links":
                chapter.blocks += self.kind(part, key, node, kind)
        for board in self.context.boards.values():
            chapter.blocks += self.board(board)
        return chapter

    def kind(self, part: str, key: ScalarNode, node: Node, kind: symbols.Kind) -> Iterator[Block]:
        """A type: how many there are of it, and a table of them."""
        yield Heading(words(key.value), anchor("type", key.value), self.telling.origin(node))
        about = [text_of(node.get("about"))] if isinstance(node, MapNode) else []
        about += [plain(said.about) for said in self.table.kinds if said.kind == kind.index]
        if text := " ".join(dict.fromkeys(filter(None, about))):
            yield Paragraph(sentence(text))
        fields = [field for field in kind.fields.values() if self.shown_field(kind, field)]
        effects = self.effects_of(kind)
        if not fields and not effects:
            labels = listing([plain(label) for label in dict.fromkeys(kind.labels)])
            yield Paragraph(
                f"There are {len(kind.members)}: {labels}." if part == "pieces" else sentence(f"One of {labels}")
            )
            return
        rows: dict[tuple[str, ...], int] = {}
        for n, label in enumerate(kind.labels):
            row = (
                plain(label),
                *(shown(field.values[n], field.type, self.names) for field in fields),
                effects.get(n, ""),
            )
            rows[row] = rows.get(row, 0) + 1
        several = any(count > 1 for count in rows.values())
        filled = [n for n in range(len(fields) + 2) if n == 0 or any(row[n] not in ("", "–") for row in rows)]
        head = ["name", *(self.called(kind, field.name) for field in fields), "what it does"]
        yield Paragraph(f"There are {len(kind.members)}." if part == "pieces" else "They are:")
        yield Table(
            (*(["how many"] if several else []), *(head[n] for n in filled)),
            tuple((*([str(count)] if several else []), *(row[n] for n in filled)) for row, count in rows.items()),
        )

    def shown_field(self, kind: symbols.Kind, field: symbols.Field) -> bool:
        """Whether people are shown a field: the rules or a text of the game ask for it, and nothing says that nobody reads it."""
        facts = section(self.context.root, "table", "look", kind.name, "facts")
        said = text_of(facts) or text_of(section(facts, field.name))
        name = f"{kind.name}.{field.name}"
        asked = (
            name in self.context.reads or name in self.context.tells or (said not in ("", "no") and facts is not None)
        )
        values = (shown(value, field.type, self.names) for value in field.values)
        repeats = all(value == plain(label) for value, label in zip(values, kind.labels, strict=True))
        return said != "no" and asked and not repeats

    def called(self, kind: symbols.Kind, field: str) -> str:
        """What a field is called for people."""
        said = text_of(section(self.context.root, "table", "look", kind.name, "facts", field))
        return words(field) if said in ("", "yes", "no") else said

    def effects_of(self, kind: symbols.Kind) -> dict[int, str]:
        """What the rules do that the pieces of a kind carry, by piece."""
        found: dict[int, list[str]] = {}
        for effect in self.table.effects:
            if effect.kind == kind.index:
                for piece in effect.pieces:
                    lead = f"{capital(effect.when)}: " if effect.when else ""
                    found.setdefault(piece, []).append(sentence(self.fill(lead + "; ".join(effect.does), kind, piece)))
        return {piece: " ".join(texts) for piece, texts in found.items()}

    def fill(self, text: str, kind: symbols.Kind, piece: int) -> str:
        """An effect with what is on the piece filled in."""

        def value(found: re.Match[str]) -> str:
            field = kind.fields.get(found[1] or "")
            if found[1] is None:
                return plain(kind.labels[piece])
            return (
                shown(field.values[piece], field.type, self.names) if field is not None else emphasis(words(found[1]))
            )

        return FIELD.sub(value, plain(text))

    def board(self, board: symbols.Board) -> Iterator[Block]:
        """A board: its shape, and what its cells are called."""
        name = board.kind.name
        node = section(self.context.root, "boards", name)
        assert isinstance(node, MapNode)
        yield Heading(
            f"The board of {self.names.plural(words(name).lower())}", anchor("type", name), self.telling.origin(node)
        )
        shape = "hex" if "hex" in node else "square"
        size = " x ".join(self.speech.value(part.strip()) for part in text_of(node.get(shape)).split(" x "))
        cells = {"hex": "hexagons", "square": "squares"}[shape]
        left_out = node.get("without")
        more = (
            f", without {', '.join(word.value for word in self.context.words(left_out))}"
            if left_out is not None
            else ""
        )
        wraps = text_of(node.get("wraps"))
        round_ = f" It goes round: {wraps} have no end." if wraps else ""
        yield Paragraph(
            f"{size} {cells}, {len(board.kind.members)} in all{more}: columns have letters, from the left, and rows numbers, from "
            f"below.{round_}"
        )
        if text := text_of(node.get("about")):
            yield Paragraph(sentence(text))

    # --- the map --------------------------------------------------------------------------------------------------------
    def places(self) -> Chapter | None:
        """The links between places, where there is a map."""
        chapter = Chapter("The map", "map")
        for part, key, node, kind in self.declared():
            if part != "links":
                continue
            about = section(node, "about")
            chapter.blocks.append(Heading(words(key.value), anchor("type", key.value), self.telling.origin(node)))
            if about is not None:
                chapter.blocks.append(Paragraph(sentence(text_of(about))))
            fields = list(kind.fields.values())
            rows = tuple(
                tuple(shown(field.values[n], field.type, self.names) for field in fields)
                for n in range(len(kind.members))
            )
            if len(fields) == 2:
                chapter.blocks.append(Paragraph(sentence("; ".join(f"{a} to {b}" for a, b in rows))))
                continue
            head = ("from", "to", *(words(field.name) for field in fields[2:]))
            chapter.blocks.append(Table(head, rows))
        graphs = section(self.context.root, "map", "graphs")
        for key, node in graphs.entries if isinstance(graphs, MapNode) else ():
            test = node.get("links") if isinstance(node, MapNode) else node
            said = self.speech.value(text_of(test))
            chapter.blocks.append(Heading(words(key.value), anchor("table", key.value), self.telling.origin(key)))
            chapter.blocks.append(Paragraph(sentence(f"the way named {strong(words(key.value))} has {said}")))
        return chapter if chapter.blocks else None

    # --- the table ------------------------------------------------------------------------------------------------------
    def laid(self) -> Chapter:
        """Where pieces lie and what is kept, how it begins, and who sees it."""
        chapter = Chapter("The table at the beginning, and who sees it", "kept")
        zones = [self.zone(zone) for zone in self.context.zones if not zone.name.startswith("#")]
        if zones:
            chapter.blocks += [
                Heading("Where pieces lie", "zones"),
                Table(("where", "what lies there", "at the beginning", "who sees it"), tuple(zones)),
            ]
        kept = [
            self.variable(variable)
            for variable in self.context.variables
            if not variable.told and not variable.remembers
        ]
        if kept:
            chapter.blocks += [
                Heading("What is kept", "variables"),
                Table(("what", "what it can be", "at the beginning", "who sees it"), tuple(kept)),
            ]
        memory = self.context.root.get("repetition")
        if isinstance(memory, MapNode):
            parts = self.telling.value(memory.get("position"), NOWHERE)
            forgets = memory.get("forgets")
            more = (
                f" Those before are forgotten when {self.speech.condition(forgets.value)}."
                if isinstance(forgets, ScalarNode)
                else ""
            )
            chapter.blocks += [
                Heading("Positions that come again", anchor("meaning", symbols.TIMES), self.telling.origin(memory)),
                Paragraph(sentence(f"two positions are the same if these are: {parts}") + more),
            ]
        return chapter

    def indexed(self, name: str, per: tuple[symbols.Index, ...]) -> str:
        """A name with what there is one of it for."""
        each = [
            self.names.noun(index) if isinstance(index, symbols.Kind) else f"number from {index.low} to {index.high}"
            for index in per
        ]
        return f"{name}, of each {listing(each)}" if each else name

    def declaration(self, group: str, name: str, scope: symbols.Scope | None) -> Node | None:
        """Where a zone or variable is declared, as far as something is said of it."""
        root = section(self.context.root, "scopes", scope.name) if scope is not None else self.context.root
        inside = section(root, group)
        found = section(inside, name)
        if found is None and isinstance(inside, MapNode):
            found = next((part for _, node in inside.entries if (part := section(node, name)) is not None), None)
        return found

    def zone(self, zone: symbols.Zone) -> tuple[str, ...]:
        """A zone as a row."""
        title = self.names.title("zones", zone.name)
        node = self.declaration("zones", zone.name, zone.scope)
        many = self.names.plural(self.names.noun(zone.kind))
        order = ORDERS[zone.order]
        start = f"all {many}" if text_of(zone.start) == "all" else self.telling.value(zone.start, NOWHERE)
        more = f"; when it is empty, filled from {self.telling.value(zone.refill, NOWHERE)}" if zone.refill else ""
        more += f"; what is left there goes to {self.telling.value(zone.back, NOWHERE)}" if zone.back else ""
        about = text_of(section(node, "about"))
        what = f"{many}{f', {order}' if order else ''}{more}{f'. {about}' if about else ''}"
        return self.indexed(strong(title), zone.per), what, start or "empty", self.sight(zone, node)

    def sight(self, zone: symbols.Zone, node: Node | None) -> str:
        """Who sees what lies in a zone, how many, and the top."""
        parts = [self.viewers(zone.seen, section(node, "seen by"))]
        if zone.counted.who != "all":
            parts.append(f"how many: {self.viewers(zone.counted, section(node, 'count seen by'))}")
        if zone.top.who != "none":
            parts.append(f"the top one: {self.viewers(zone.top, section(node, 'top seen by'))}")
        return "; ".join(parts)

    def viewers(self, viewers: ir.Viewers, node: Node | None) -> str:
        """Who sees something."""
        fixed = {"all": "all", "none": "nobody", "owner": "its owner"}
        return fixed.get(viewers.who) or self.telling.value(node, NOWHERE) or "some"

    def variable(self, variable: symbols.Variable) -> tuple[str, ...]:
        """A variable as a row."""
        node = self.declaration("state", variable.name, variable.scope)
        about = text_of(section(node, "about"))
        title = self.names.title("state", variable.name)
        start = self.telling.value(variable.initial, NOWHERE) if variable.initial is not None else self.first(variable)
        stops = ", and stays at its ends" if variable.stops else ""
        what = f"{typed(variable.type, self.names)}{stops}{f'. {about}' if about else ''}"
        named = place(anchor("kept", variable.name)) + strong(title)
        return self.indexed(named, variable.per), what, start, self.viewers(variable.seen, section(node, "seen by"))

    def first(self, variable: symbols.Variable) -> str:
        """What a variable is before anything is said of it."""
        value = self.context.initial[variable.base] if variable.base < len(self.context.initial) else None
        return shown(value, variable.type, self.names)


def options(components: Components) -> Chapter | None:
    """What players agree on before the game."""
    chapter = Chapter("What may be agreed on", "options")
    context = components.context
    rows = []
    for option in context.options.values():
        node = section(context.root, "options", option.name)
        about = text_of(section(node, "about"))
        values = [words(word) for word in option.words]
        said = values if len(values) <= 8 else [values[0], "...", values[-1]]
        rows.append(
            (
                place(anchor("option", option.name)) + strong(words(option.name)),
                sentence(about),
                ", ".join(said),
                words(option.default),
            )
        )
    if rows:
        chapter.blocks.append(Table(("what", "what it says", "it can be", "if nobody says"), tuple(rows)))
    return chapter if rows else None

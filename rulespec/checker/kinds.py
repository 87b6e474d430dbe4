"""The finite types of a game: players, enums, rows, pieces, places and links, pools, and the words of options."""

from __future__ import annotations

import re

from rulespec.checker import symbols
from rulespec.checker.constants import constant
from rulespec.checker.context import COMPARISON, RESERVED, CheckContext
from rulespec.checker.expressions import Expressions
from rulespec.language.types import TEXT, Type
from rulespec.schema import wrong_form
from rulespec.schema.validate import words_in
from rulespec.text.diagnostics import nearest
from rulespec.text.numbers import whole_range
from rulespec.text.quoting import ticked
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode, as_data

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
MAX_MEMBERS = 2000
MAX_ALL = 20_000  # members of all types together
FEW_ROWS = 3  # that are without a field are reported one by one
MADE_BY = ("members", "fields", "rows", "where", "copies", "table", "count")  # what says of a type which members it has
JOINED = re.compile(r"[\w.]+(?: [\w.]+)+")  # words without a comma between
EACH = re.compile(r"\s*each\s*\((.*)\)\s*\Z", re.DOTALL)


def pretty(name: str) -> str:
    """A name as a person would write it."""
    return name.replace("_", " ")


def snake(name: str) -> str:
    """A kind's name as a word: DwarfCard -> dwarf card."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).lower()


def check_name(context: CheckContext, key: ScalarNode, what: str, listed: bool = False) -> bool:
    """Whether a name can be used in expressions; numbers that are `listed` are told already, as one."""
    if not NAME.match(key.value):
        if not (key.value.isdecimal() and listed):
            message = f"{ticked(key.value)} cannot be a name: letters, digits and _ only, no digit first"
            context.error("E106", message, key.span, help=wrong_form.of_name(key.value))
            context.diagnostics.refused |= words_in(key)
        return False
    if key.value in RESERVED:
        context.diagnostics.refused.add(key.value)
        message = f"{ticked(key.value)} is a word of the language and cannot name {what}"
        context.error("E107", message, key.span, help=[f"give it another name, such as {ticked(f'my_{key.value}')}"])
        return False
    return True


def declare_name(context: CheckContext, key: ScalarNode, symbol: symbols.Symbol) -> None:
    """A global name, which nothing else has."""
    if key.value in context.names:
        first = context.names[key.value].span
        context.error(
            "E108", f"there are two things named {ticked(key.value)}", key.span, related=[(first, "the first")]
        )
        return
    context.names[key.value] = symbol


def new_kind(context: CheckContext, name: str, what: str, span: Span) -> symbols.Kind:
    """A kind with no members yet."""
    if name in context.kinds:
        context.error(
            "E108", f"there are two types named {ticked(name)}", span, related=[(context.kinds[name].span, "the first")]
        )
    kind = symbols.Kind(len(context.kinds), name, what, span, noun=snake(name))  # type: ignore[arg-type]
    context.kinds[name] = kind
    return kind


def room(context: CheckContext, kind: symbols.Kind) -> int:
    """How many more members a kind may have."""
    return min(MAX_MEMBERS - len(kind.members), MAX_ALL - context.made)


def add_member(context: CheckContext, kind: symbols.Kind, name: str, label: str, span: Span, row: str = "") -> None:
    """One more member of a kind; `row` is the name of its row."""
    if room(context, kind) <= 0:
        context.error(
            "E216", f"{kind.name} has more than {MAX_MEMBERS:,} members, or all types more than {MAX_ALL:,}", kind.span
        )
        return
    if name in kind.members:
        first = kind.spans[kind.members.index(name)]
        copied = next(
            (row_name for row_name, names in kind.copies.items() if name in names), row if row != name else ""
        )
        help_ = (
            (f"the copies of the row {ticked(copied)} are named {copied}_1, {copied}_2 and so on",)
            if copied
            else ("delete one of the two, or give it another name",)
        )
        context.error(
            "E108",
            f"{kind.name} has two members named {ticked(name)}",
            span,
            related=[(first, "the first")],
            help=help_,
        )
        return
    context.members.setdefault(name, []).append((kind, len(kind.members)))
    context.made += 1
    kind.members.append(name)
    kind.labels.append(label)
    kind.spans.append(span)


class Kinds:
    """Declares all finite types: first every member, then the fields, which may name each other's members."""

    def __init__(self, context: CheckContext, expressions: Expressions) -> None:
        self.context = context
        self.expressions = expressions
        self.rows: list[tuple[symbols.Kind, MapNode, list[tuple[str, Node | None]]]] = []
        self.faces: list[tuple[symbols.Kind, ScalarNode]] = []  # with the name of the pieces: see `checker.faces`
        self.by_rule: list[tuple[symbols.Kind, MapNode, ScalarNode, str]] = []  # see `checker.rows`

    def declare(self) -> None:
        context = self.context
        self.players()
        comparison = new_kind(context, "Comparison", "enum", context.root.span)
        for name in COMPARISON:
            add_member(context, comparison, name, name, context.root.span)
        for key, node in context.section("types"):
            if check_name(context, key, "a type"):
                self.type(key, node)
        for key, node in context.section("pieces"):
            if check_name(context, key, "a kind of piece") and isinstance(node, MapNode):
                self.table(new_kind(context, key.value, "piece", key.span), node)
        self.map()
        for key, node in context.section("pools"):
            if check_name(context, key, "a pool") and isinstance(node, MapNode):
                kind = new_kind(context, key.value, "pool", key.span)
                size = self.integer(node.get("size"), 1)
                for n in range(1, min(size, room(context, kind) + 1) + 1):
                    add_member(
                        context, kind, f"{snake(key.value).replace(' ', '_')}_{n}", f"{snake(key.value)} {n}", key.span
                    )

    def declare_fields(self) -> None:
        """The fields of all kinds, once every member is known."""
        context = self.context
        for kind, node, rows in self.rows:
            self.fields(kind, node, rows)
        for kind in context.kinds.values():
            if kind.what == "piece":
                kind.location = context.allot(f"{kind.name}.location", len(kind.members), -1)

    def integer(self, node: Node | None, default: int) -> int:
        value = node.resolve() if isinstance(node, ScalarNode) else None
        return value if isinstance(value, int) and not isinstance(value, bool) else default

    def players(self) -> None:
        """`players: 2..5`, `players: 2`, or names with labels."""
        context, node = self.context, self.context.root.get("players")
        kind = new_kind(context, "Player", "player", node.span if node else context.root.span)
        kind.noun = "player"
        if isinstance(node, MapNode) and not wrong_form.ends(node.keys()):
            for key, label in node.entries:
                if check_name(context, key, "a player"):
                    add_member(
                        context, kind, key.value, label.value if isinstance(label, ScalarNode) else key.value, key.span
                    )
            context.counts = tuple(range(self.fewest(kind), len(kind.members) + 1))
            return
        if (fewest := context.root.key("fewest players")) is not None:
            expected = "players: {white: White, black: Black, red: Red}"
            message = "`fewest players` needs players with names"
            context.error(
                "S010", message, fewest.span, expected=expected, help=["without names it is a range: `players: 2..4`"]
            )
        bounds = whole_range(node.value) if isinstance(node, ScalarNode) else None
        if bounds is None and node is not None:
            bounds, cure = wrong_form.players(as_data(node, ScalarNode.resolve))
            context.error(
                "S010",
                "players are a number, a range, or names with labels",
                node.span,
                expected="2, 2..5 or {white: White, black: Black}",
                help=cure,
            )
            if names := wrong_form.player_names(as_data(node, ScalarNode.resolve)):
                for name in names:
                    add_member(context, kind, name, name, node.span)
                context.counts = (len(names),)
                return
        low, high = bounds or (2, 2)
        if not 1 <= low <= high <= 32:
            context.error("S010", "there are 1 to 32 players, the smaller number first", node.span if node else None)
            low = high = 2
        context.counts = tuple(range(low, high + 1))
        span = node.span if node else context.root.span
        for n in range(1, high + 1):
            add_member(context, kind, f"p{n}", f"Player {n}", span)

    def fewest(self, kind: symbols.Kind) -> int:
        """How few of the players with names may play."""
        node, most = self.context.root.get("fewest players"), len(kind.members)
        number = self.integer(node, most)
        if node is not None and not 1 <= number <= most:
            self.context.error("S010", f"{number} of {most} players cannot play", node.span, expected=f"1 to {most}")
            return most
        return number

    def type(self, key: ScalarNode, node: Node) -> None:
        """An enum (a list of words) or a kind with rows (interchangeable pieces)."""
        context = self.context
        if isinstance(node, ListNode):
            kind = new_kind(context, key.value, "enum", key.span)
            for word in context.words(node):
                if check_name(context, word, "a member", listed=True):
                    add_member(context, kind, word.value, pretty(word.value), word.span)
        elif isinstance(node, MapNode) and isinstance(of := node.get("faces of"), ScalarNode):
            self.faces.append((new_kind(context, key.value, "enum", key.span), of))
            for other, _ in node.entries:
                if other.value in MADE_BY:
                    rows = ticked(of.value)
                    message = f"{ticked(other.value)} cannot be written with `faces of`, which makes members of the rows of {rows}"
                    context.error("E609", message, other.span, expected=f"{key.value}: {{faces of: {of.value}}}")
        elif isinstance(node, MapNode) and "members" in node:
            kind = new_kind(context, key.value, "enum", key.span)
            members = node.get("members")
            for word in context.words(members):
                known = isinstance(members, ListNode)  # else the form has been told, and no name beside it
                if check_name(context, word, "a member", listed=True) if known else NAME.match(word.value):
                    add_member(context, kind, word.value, pretty(word.value), word.span)
            for word, label in members.entries if isinstance(members, MapNode) else ():
                if check_name(context, word, "a member"):
                    add_member(
                        context, kind, word.value, label.value if isinstance(label, ScalarNode) else "", word.span
                    )
        elif isinstance(node, MapNode):
            self.table(new_kind(context, key.value, "rows", key.span), node)

    def table(self, kind: symbols.Kind, node: MapNode) -> None:
        """The members of a kind with rows; their fields are read later."""
        context = self.context
        noun = node.get("noun")
        if isinstance(noun, ScalarNode):
            kind.noun = noun.value
        rows = node.get("rows")
        table = node.get("table")
        if rows is None and isinstance(table, ScalarNode):
            rows = context.files.get(table.value)
        if isinstance(rows, ScalarNode) and (ruled := EACH.match(rows.value)):
            self.by_rule.append((kind, node, rows, ruled[1]))
            return
        for name in ("where", "copies"):
            if (key := node.key(name)) is not None:
                expected = "rows: each(FIELD in TYPE)"
                context.error("E609", f"{ticked(name)} needs rows that are made by a rule", key.span, expected=expected)
        pairs: list[tuple[str, Node | None]] = []
        if isinstance(rows, MapNode):
            for key, row in rows.entries:
                if not check_name(context, key, "a row"):
                    continue
                if not room(context, kind):
                    add_member(context, kind, key.value, "", key.span)  # says so
                    break
                copies = self.integer(row.get("copies"), 1) if isinstance(row, MapNode) and "copies" in row else 1
                label = pretty(key.value)
                # one too many is reported, the rest need not be made
                for n in range(1, min(copies, room(context, kind) + 1) + 1):
                    name = key.value if copies == 1 else f"{key.value}_{n}"
                    add_member(context, kind, name, label, key.span, key.value)
                    if copies > 1:
                        kind.copies.setdefault(key.value, []).append(name)
                    pairs.append((name, row))
        elif isinstance(rows, ScalarNode) and (bounds := whole_range(rows.value)) is not None:
            low, high = bounds
            for n in range(low, min(high, low + room(context, kind)) + 1):
                name = f"{kind.noun.replace(' ', '_')}_{n}"
                add_member(context, kind, name, f"{kind.noun} {n}", rows.span)
                pairs.append((name, ListNode((ScalarNode(str(n), "plain", rows.span),), rows.span)))
        elif isinstance(rows, ScalarNode) and rows.value:
            words = [word.strip() for word in rows.value.split(",")]
            named = ", ".join(f"{word}: {{}}" for word in words)
            cures = [f"rows have names, each with a colon: {ticked(f'rows: {{{named}}}')}"]
            context.error(
                "E609",
                f"{ticked(rows.value)} makes no rows",
                rows.span,
                help=cures if all(map(NAME.match, words)) else [],
            )
        elif isinstance(rows, ListNode):  # links: named by their two ends
            for row in rows:
                cells = list(row.items) if isinstance(row, ListNode) else []
                if isinstance(row, MapNode):
                    cells = [cell for cell in (row.get("a"), row.get("b")) if cell is not None]
                ends = [cell.value for cell in cells[:2] if isinstance(cell, ScalarNode)]
                name = "_".join(ends) if len(ends) == 2 else f"{kind.noun}_{len(kind.members) + 1}"
                add_member(context, kind, name, " - ".join(pretty(e) for e in ends), row.span)
                pairs.append((name, row))
        self.rows.append((kind, node, pairs))

    def map(self) -> None:
        """Places and the links between them."""
        context = self.context
        node = context.root.get("map")
        if not isinstance(node, MapNode):
            return
        places: symbols.Kind | None = None
        nodes, links = node.get("nodes"), node.get("links")
        for key, body in nodes.entries if isinstance(nodes, MapNode) else ():
            if check_name(context, key, "a kind of place") and isinstance(body, MapNode):
                places = new_kind(context, key.value, "node", key.span)
                self.table(places, body)
        for key, body in links.entries if isinstance(links, MapNode) else ():
            if check_name(context, key, "a kind of link") and isinstance(body, MapNode):
                kind = new_kind(context, key.value, "link", key.span)
                self.table(kind, body)
                if places is not None:
                    places.links = kind

    # --- fields -------------------------------------------------------------------------------------------------------
    def fields(self, kind: symbols.Kind, node: MapNode, rows: list[tuple[str, Node | None]]) -> None:
        """Types and values of the fixed columns of a kind."""
        context = self.context
        declared = node.get("fields")
        defaults: dict[str, ScalarNode | None] = {}
        for key, written in declared.entries if isinstance(declared, MapNode) else ():
            if not check_name(context, key, "a field") or not isinstance(written, ScalarNode):
                continue
            t, default = typed_default(self.expressions, written)
            defaults[key.value] = unquoted(default) if default is not None and t == TEXT else default
            sparse = default is not None and default.value == "0"
            kind.fields[key.value] = symbols.Field(key.value, t, [], key.span, sparse)
        missing: dict[str, list[tuple[str, Span]]] = {}  # rows without a field
        for name, row in rows:
            where = row.span if row is not None else node.span
            cells = self.cells(kind, name, row, node)
            for field in kind.fields.values():
                value = cells[field.name] if field.name in cells else defaults.get(field.name)
                if value is None:
                    if field.name not in cells:
                        missing.setdefault(field.name, []).append((name, where))
                    field.values.append(context.default_of(field.type))
                else:
                    field.values.append(constant(context, value, field.type))
        keys = {key.value for _, row in rows if isinstance(row, MapNode) for key, _ in row.entries}
        if len(rows) > 1:
            self.nowhere(kind, missing, keys, len(rows), node.get("table"))
        self.without(kind, missing, keys)
        label = kind.fields.get("name")
        if label is not None and label.type == TEXT and len(label.values) == len(kind.labels):
            kind.labels[:] = [str(value) for value in label.values]
        for field in kind.fields.values():
            kind.attributes[field.name] = field

    def cells(self, kind: symbols.Kind, name: str, row: Node | None, node: MapNode) -> dict[str, Node | None]:
        """What a row says of each field that it speaks of; None where what it says is reported."""
        context, names = self.context, list(kind.fields)
        if isinstance(row, MapNode):
            for key, _ in row.entries:
                if key.value not in kind.fields and key.value != "copies":
                    context.unknown(
                        "E104",
                        f"field of {kind.name}",
                        key.value,
                        key.span,
                        names,
                        hint=f"{kind.name} has {', '.join(names)}",
                    )
                elif key.value in kind.fields:
                    context.mention("field", key.value, key.span, kind.fields[key.value].span)
            return {key.value: cell for key, cell in row.entries if key.value in kind.fields}
        fields = node.get("fields")
        if not kind.fields and (fields is not None or any(nearest(key.value, ["fields"]) for key, _ in node.entries)):
            return {}  # they have the wrong form, or another name
        if isinstance(row, ScalarNode) and row.style != "plain" and row.value[:1] + row.value[-1:] == "[]":
            context.error(
                "E212", f"{ticked(name)} is one text", row.span, expected="a list", help=["take the quotes away"]
            )
            return dict.fromkeys(names, None)
        if isinstance(row, ListNode):
            if (joined := without_comma(row, len(names))) is not None:
                said = joined.value.replace(" ", ", ")
                context.error(
                    "E212",
                    f"a comma is missing in {ticked(joined.value)}",
                    joined.span,
                    expected=f"{len(names)} values: {', '.join(names)}",
                    help=[f"write {ticked(said)}"],
                )
                return dict.fromkeys(names, None)
            written = [key.value for key, _ in fields.entries] if isinstance(fields, MapNode) else names
            if len(row.items) > len(written):
                context.error("E212", f"{ticked(name)} has {len(row.items)} values for {len(names)} fields", row.span)
            # a field that was refused has its place all the same
            return {key: cell for key, cell in zip(written, row.items, strict=False) if key in kind.fields}
        if isinstance(row, ScalarNode) and row.value and not names:
            context.error(
                "E212",
                f"{ticked(row.value)} is a value, and {kind.name} has no fields",
                row.span,
                help=[
                    f"rows have names, each with a colon: {ticked(f'rows: {{{row.value}: {{}}}}')}; or declare a field for it"
                ],
                subject=f"values of {kind.name}",
            )
        return {names[0]: row} if isinstance(row, ScalarNode) and row.value and names else {}

    def nowhere(
        self,
        kind: symbols.Kind,
        missing: dict[str, list[tuple[str, Span]]],
        keys: set[str],
        rows: int,
        table: Node | None,
    ) -> None:
        """Report the fields that not one of all rows has, together, and take them out: with a table, its columns are called otherwise."""
        odd = keys - {*kind.fields, "copies"}
        misspelt = {nearest(key, kind.fields) for key in odd}
        names = [name for name, lacking in missing.items() if len(lacking) == rows and name not in misspelt]
        if not names or not (table is not None or odd):
            return
        where = missing[names[0]][0][1] if table is None else table.span
        self.context.error(
            "E213",
            f"no row of {kind.name} has {' or '.join(ticked(name) for name in names)}",
            where,
            expected="\n".join(f"{name}: {kind.fields[name].type}" for name in names),
            help=[
                f"{'columns' if table is not None else 'keys'} are called as the fields are: {', '.join(kind.fields)}"
            ],
        )
        for name in names:
            del missing[name]

    def without(self, kind: symbols.Kind, missing: dict[str, list[tuple[str, Span]]], keys: set[str]) -> None:
        """Report the fields that rows are without: several rows together, and none that stands there misspelt."""
        misspelt = {nearest(key, kind.fields) for key in keys if key not in kind.fields and key != "copies"}
        for name, rows in missing.items():
            if name in misspelt:
                continue
            expected = f"{name}: {kind.fields[name].type}"
            if len(rows) <= FEW_ROWS:
                for row, where in rows:
                    self.context.error("E213", f"{ticked(row)} has no {name}", where, expected=expected)
                continue
            row, where = rows[0]
            cure = f"give the column {ticked(name)} to the table, or a default to the field: `{name}: {kind.fields[name].type} = ...`"
            message = f"{ticked(row)} and {len(rows) - 1} more rows have no {name}"
            self.context.error("E213", message, where, expected=expected, help=(cure,))


def without_comma(row: ListNode, wanted: int) -> ScalarNode | None:
    """The value of a row that is two values, where one is missing and a comma makes it."""
    joined = [
        item
        for item in row
        if isinstance(item, ScalarNode) and item.style == "plain" and JOINED.fullmatch(item.value) is not None
    ]
    values = len(row.items) + sum(item.value.count(" ") for item in joined)
    return joined[0] if joined and values == wanted and len(row.items) < wanted else None


def unquoted(default: ScalarNode) -> ScalarNode:
    """The default of a text as a row would say it: YAML has not taken the quotes away, which stand inside a longer text."""
    text = default.value
    if len(text) < 2 or text[0] not in "'\"" or text[-1] != text[0]:
        return default
    return ScalarNode(text[1:-1], "plain", default.span)


def typed_default(expressions: Expressions, written: ScalarNode) -> tuple[Type, ScalarNode | None]:
    """`0..9 = 0`: a type and its default."""
    text, equals, default = written.value.partition(" = ")
    if not equals:
        return expressions.type(written), None
    start = len(text) + len(equals)
    inner = ScalarNode(text, "plain", written.at(0, len(text)))
    return expressions.type(inner), ScalarNode(default, "plain", written.at(start, len(written.value)))

"""Tables: values by key, in rows that leave out none."""

from __future__ import annotations

from typing import Literal

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.constants import constant, member_number
from rulespec.checker.declare.base import Declarer
from rulespec.checker.kinds import check_name, declare_name
from rulespec.language.types import (
    IntType,
    Type,
)  # fmt: skip
from rulespec.text.numbers import spelling
from rulespec.text.quoting import ticked
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode


class TableSections(Declarer):
    """Declares `tables`."""

    def tables(self) -> None:
        """`by` a kind, a range or `players`; `gives` a type; rows by key."""
        context = self.context
        for key, node in context.section("tables"):
            if not check_name(context, key, "a table") or not isinstance(node, MapNode):
                continue
            keys: list[symbols.Index | Literal["players"]] = []
            for word in context.words(node.get("by")):
                keys.append("players") if word.value == "players" else keys.extend(self.index(word))
            if not self.indexed(key, node.get("by"), keys):
                continue
            t = self.expressions.type(node.get("gives")) if "gives" in node else IntType()
            rows: dict[tuple[int, ...], ir.Value] = {}
            spans: dict[tuple[int, ...], Span] = {}
            body = node.get("rows")
            if body is not None and "by" in node:
                self.table_rows(body, tuple(keys), t, (), rows, spans)
            table = symbols.Table(key.value, tuple(keys), t, rows, key.span, spans)
            known = {number for number, *_ in rows}
            if not isinstance(body, MapNode) or len(body.entries) <= len(
                known
            ):  # of a key that was refused all is told
                self.missing_rows(table)
            declare_name(self.context, key, table)

    def table_rows(
        self,
        node: Node,
        keys: tuple[symbols.Index | Literal["players"], ...],
        t: Type,
        prefix: tuple[int, ...],
        rows: dict[tuple[int, ...], ir.Value],
        spans: dict[tuple[int, ...], Span],
    ) -> None:
        if not keys:
            rows[prefix] = constant(self.context, node, t)
            spans[prefix] = node.span
            return
        entries: list[tuple[ScalarNode | None, int, Node]] = []
        if isinstance(node, ListNode):
            index = keys[0]
            first = (
                self.context.counts[0] if index == "players" else index.low if isinstance(index, symbols.Numbers) else 0
            )
            entries = [(None, first + i, item) for i, item in enumerate(node.items)]
            pairs = [item.items for item in node if isinstance(item, ListNode) and len(item) == len(keys) + 1 == 2]
            if entries and len(pairs) == len(entries):
                said = ", ".join(": ".join(part.span.text for part in pair) for pair in pairs)
                cure = f"write each key with its value: {ticked(f'{{{said}}}')}"
                self.context.error("S001", "these rows are lists of a key and a value", node.span, help=[cure])
                rows.update(((number,), self.context.default_of(t)) for _, number, _ in entries)
                return
        elif isinstance(node, MapNode):
            for key, value in node.entries:
                number = self.key(key, keys[0])
                if number is not None:
                    entries.append((key, number, value))
        else:
            self.context.error("S001", "a table has rows by key", node.span, expected="a list or a mapping")
        for _, number, value in entries:
            self.table_rows(value, keys[1:], t, (*prefix, number), rows, spans)

    def key(self, key: ScalarNode, index: symbols.Index | Literal["players"]) -> int | None:
        if isinstance(index, symbols.Kind):
            return member_number(self.context, key, index.name)
        value = key.resolve()
        low, high = (1, 32) if index == "players" else (index.low, index.high)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            self.context.error(
                "E211",
                f"{ticked(key.value)} is not a key of this table",
                key.span,
                expected=f"{low}..{high}",
                help=spelling(key.value),
            )
            return None
        return value

    def missing_rows(self, table: symbols.Table) -> None:
        """A table has a row for every key that can occur."""
        wanted: list[tuple[int, ...]] = [()]
        for index in table.keys:
            if index == "players":
                values = self.context.counts
            elif isinstance(index, symbols.Kind):
                values = tuple(range(len(index.members)))
            else:
                values = tuple(range(index.low, index.high + 1))
            wanted = [(*w, v) for w in wanted for v in values]
            if len(wanted) > 10_000:
                return
        missing = [key for key in wanted if key not in table.rows]
        if missing and table.keys:
            first = missing[0]
            shown = [
                index.members[n] if isinstance(index, symbols.Kind) else str(n)
                for index, n in zip(table.keys, first, strict=True)
            ]
            more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
            cure = [f"add it under `rows`: {ticked(f'{shown[0]}: ...')}"] if len(shown) == 1 else []
            message = f"the table {ticked(table.name)} has no row for {', '.join(shown)}{more}"
            self.context.error("E215", message, table.span, help=cure)

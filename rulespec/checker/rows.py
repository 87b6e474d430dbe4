"""Rows by rule: a member for each combination of some values, `rows: each(suit in Suit, rank in 2..14)`.

They are made once all other types have their members, so that they may speak of any of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice, product
from math import prod

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.env import call_frame
from rulespec.checker.kinds import Kinds, add_member, pretty, room, snake
from rulespec.language.types import BOOL, IntType, Type
from rulespec.passes.evaluation import NO_VALUE, Evaluation
from rulespec.passes.fold import folded
from rulespec.text.numbers import spelling, whole_range
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import MapNode, ScalarNode

NAMED = re.compile(r"\s*([A-Za-z_]\w*)\s+in\s+(\S.*?)\s*\Z", re.DOTALL)
COMMA = re.compile(r",(?![^()]*\))")  # not one between arguments
MOST_COMBINATIONS = 100_000  # that are looked at for one type
FEW_COMBINATIONS = (
    1_000  # that are where there are more, so that most of what speaks of its members is no further fault
)

Values = tuple[tuple[str, str], ...]  # a value as it is written and as it is shown


def declare(kinds: Kinds) -> None:
    """The members of all types whose rows are made by a rule."""
    for kind, node, rows, inside in kinds.by_rule:
        RowsByRule(kinds, kind, node, rows).declare(inside)


class RowsByRule:
    """The rows of one kind."""

    def __init__(self, kinds: Kinds, kind: symbols.Kind, node: MapNode, rows: ScalarNode) -> None:
        self.kinds = kinds
        self.context = kinds.context
        self.kind = kind
        self.node = node
        self.rows = rows

    def declare(self, inside: str) -> None:
        """The members, and their rows for when the fields are read."""
        binders = self.binders(inside)
        where, copies = self.node.get("where"), self.node.get("copies")
        if self.kind.name not in self.context.kinds:
            return
        if binders is None:  # its fields are known all the same, so that what speaks of them is no fault
            self.kinds.rows.append((self.kind, self.node, []))
            return
        self.kind.by_rule = tuple(name for name, *_ in binders)
        faults = len(self.context.diagnostics.errors)
        if where is not None or copies is not None:
            self.fields_of_binders(binders)
        env = call_frame([(name, t) for name, t, _, _ in binders])
        test = self.kinds.expressions.of(where, env, BOOL)[0] if isinstance(where, ScalarNode) else ir.Const(True)
        many = (
            self.kinds.expressions.of(copies, env, IntType(0, None))[0]
            if isinstance(copies, ScalarNode)
            else ir.Const(1)
        )
        if len(self.context.diagnostics.errors) > faults:
            test, many = ir.Const(True), ir.Const(1)
        holds, number = (Evaluation().of_many(folded(e)) for e in (test, many))
        pairs: list[tuple[str, MapNode]] = []
        for values in self.combinations(binders):
            known = {number: value for number, (value, _, _) in enumerate(values)}
            if not self.worked_out(holds, known, where):
                continue
            count = self.worked_out(number, known, copies)
            if not isinstance(count, int) or isinstance(count, bool):
                return
            self.add(
                [(name, word, label) for (name, *_), (_, word, label) in zip(binders, values, strict=True)],
                count,
                pairs,
            )
        self.kinds.rows.append((self.kind, self.node, list(pairs)))

    def binders(self, inside: str) -> list[tuple[str, Type, tuple[object, ...], Values]] | None:
        """Each name with its type, its values, and how they are written; None where something is wrong, which is reported."""
        fields = self.node.get("fields")
        named = [key.value for key, _ in fields.entries] if isinstance(fields, MapNode) else []
        binders: list[tuple[str, Type, tuple[object, ...], Values]] = []
        for part in COMMA.split(inside):
            match = NAMED.match(part)
            if match is None or match[1] in (name for name, *_ in binders):
                expected = "each(FIELD in TYPE, FIELD in 1..9): fields of the rows, each named once"
                self.context.error(
                    "E609", f"{ticked(part.strip())} is no field with its values", self.rows.span, expected=expected
                )
                return None
            if match[1] not in named:
                hint = (
                    f"each name is that of the field it fills: {', '.join(named)}"
                    if named
                    else "`fields` says what there is"
                )
                self.context.unknown("E104", f"field of {self.kind.name}", match[1], self.rows.span, named, hint=hint)
                return None
            if (ends := whole_range(match[2])) is not None:
                low, high = ends
                whole = tuple(range(low, min(high, low + room(self.context, self.kind)) + 1))
                binders.append((match[1], IntType(low, high), whole, tuple((str(n), str(n)) for n in whole)))
                continue
            of = self.context.kinds.get(match[2])
            if of is None and not match[2].isidentifier():
                respelt = spelling(match[2])
                condition = f"{match[1]} in TYPE, and under `where` what must hold: `where: {match[1]} in {match[2]}`"
                self.context.error(
                    "E609",
                    f"{ticked(match[2])} is no type, and no range of numbers",
                    self.rows.span,
                    expected=None if respelt else condition,
                    help=respelt,
                )
                return None
            if of is None:
                self.context.unknown("E101", "type", match[2], self.rows.span, self.context.kinds)
                return None
            self.context.used.add(of.name)
            self.context.wholes.add(of.name)
            binders.append(
                (match[1], of.type, tuple(range(len(of.members))), tuple(zip(of.members, of.labels, strict=True)))
            )
        return binders

    def fields_of_binders(self, binders: list[tuple[str, Type, tuple[object, ...], Values]]) -> None:
        """Read the fields of the types that rows are made of, so that conditions may speak of them."""
        names = {str(t) for _, t, _, _ in binders}
        for entry in [entry for entry in self.kinds.rows if entry[0].name in names]:
            self.kinds.rows.remove(entry)
            self.kinds.fields(*entry)

    def combinations(
        self, binders: list[tuple[str, Type, tuple[object, ...], Values]]
    ) -> Iterator[list[tuple[object, str, str]]]:
        """Each combination of values, as they are worked with, written and shown; of links that lead both ways each pair once."""
        pairs = self.kind.what == "link" and len(binders) > 1 and binders[0][1] == binders[1][1]
        fields = self.node.get("fields")
        pairs = pairs and not (isinstance(fields, MapNode) and "one_way" in fields)
        columns = [[(v, *w) for v, w in zip(values, words, strict=True)] for _, _, values, words in binders]
        most = prod(map(len, columns))
        if most > MOST_COMBINATIONS:
            self.context.error(
                "E216", f"{self.kind.name} has more than {MOST_COMBINATIONS:,} combinations", self.rows.span
            )
            most = FEW_COMBINATIONS
        if self.context.few_rows:
            most = min(most, FEW_COMBINATIONS)
        for values in islice(product(*columns), most):
            first, second = (values[0][0], values[1][0]) if pairs else (0, 1)
            if isinstance(first, int) and isinstance(second, int) and first < second:
                yield list(values)

    def worked_out(
        self, of: Callable[[Mapping[int, object]], ir.Value], known: dict[int, object], node: object
    ) -> ir.Value:
        """The value of an expression for one combination; None where it depends on what is not fixed, which is reported."""
        try:
            return of(known)
        except NO_VALUE:
            span = node.span if isinstance(node, ScalarNode) else self.rows.span
            self.context.error(
                "E609",
                "this is not known before a game is set up",
                span,
                expected="an expression of the fields, of numbers and members",
            )
            return None

    def add(self, cells: list[tuple[str, str, str]], copies: int, pairs: list[tuple[str, MapNode]]) -> None:
        """So many members with one combination of values."""
        span = self.rows.span
        name = "_".join(word.replace("-", "minus_") for _, word, _ in cells)
        if len(cells) == 1 or not name[:1].isalpha():  # a name of its copy, beside that of the value
            name = f"{snake(self.kind.noun).replace(' ', '_')}_{name}"
        joined = " - " if self.kind.what == "link" else " "
        label = joined.join(pretty(shown) for _, _, shown in cells)
        row = MapNode(
            tuple((ScalarNode(key, "plain", span), ScalarNode(word, "plain", span)) for key, word, _ in cells), span
        )
        for n in range(1, min(copies, room(self.context, self.kind) + 1) + 1):
            copy = name if copies == 1 else f"{name}_{n}"
            add_member(self.context, self.kind, copy, label, span, name)
            if copies > 1:
                self.kind.copies.setdefault(name, []).append(copy)
            pairs.append((copy, row))

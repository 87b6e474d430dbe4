"""The options of a game: settings that are chosen before it begins."""

from __future__ import annotations

import re

from rulespec.checker import symbols
from rulespec.checker.context import CheckContext
from rulespec.checker.kinds import add_member, check_name, declare_name, new_kind, pretty
from rulespec.ir import Value
from rulespec.ir.gamedef import in_words
from rulespec.language.sections import NAME
from rulespec.language.types import BOOL, IntType, Type
from rulespec.text.numbers import spelling, whole, whole_range
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

MAX_VALUES = 10_000  # of an option that is a number
MOST_NUMBER = 10**18 - 1
Settings = tuple[Type, tuple[str, ...], tuple[Value, ...]]  # a type, how its values are written, and the values


class Options:
    """Declares options: their types, and what they may be set to."""

    def __init__(self, context: CheckContext) -> None:
        self.context = context

    def declare(self) -> None:
        """Settings of the game: words, numbers, or yes and no."""
        context = self.context
        for key, node in context.section("options"):
            if not check_name(context, key, "an option") or not isinstance(node, MapNode):
                continue
            default, about = node.get("default"), node.get("about")
            faults = len(context.diagnostics)
            written = node.get("values")
            t, words, values = self.settings(key, written)
            if not words:
                if isinstance(written, ListNode) and not written.items:  # else its items are reported
                    context.error("S011", f"the option {ticked(key.value)} has no values", key.span)
                context.lost.add(key.value)
                continue
            chosen = default.value if isinstance(default, ScalarNode) else (words[0] if words else "")
            if chosen not in words and default is not None:
                if len(context.diagnostics) == faults:  # what it may be set to is known
                    what = f"value of the option {key.value}"
                    context.unknown(
                        "E104", what, chosen, default.span, words, owner=key.value, hint="".join(spelling(chosen))
                    )
                chosen = words[0] if words else ""
            option = symbols.Option(
                name=key.value,
                type=t,
                words=words,
                values=values,
                default=chosen,
                about=about.value if isinstance(about, ScalarNode) else "",
                counts=self.counts_of(node.get("players")),
                span=key.span,
            )
            context.options[key.value] = option
            declare_name(context, key, option)

    def settings(self, key: ScalarNode, values: Node | None) -> Settings:
        """What an option may be set to: a list of numbers, an enum of words, a range, or yes and no."""
        context = self.context
        if isinstance(values, ListNode):
            items = [item for item in values.items if isinstance(item, ScalarNode)]
            return (
                self.numbers(items) if any(whole(item.value) is not None for item in items) else self.words(key, values)
            )
        if isinstance(values, ScalarNode) and (ends := whole_range(values.value)) is not None:
            low, high = ends
            if not low <= high < low + MAX_VALUES:
                context.error(
                    "S011", f"a range has the smaller number first, and at most {MAX_VALUES:,} numbers", values.span
                )
                high = low
            numbers = tuple(range(low, high + 1))
            return IntType(low, high), tuple(map(str, numbers)), numbers
        if values is not None and not (isinstance(values, ScalarNode) and values.value == "Yes or no"):
            context.error(
                "S011",
                "an option has a list of words or of numbers, a range of numbers, or is `Yes or no`",
                values.span,
                help=spelling(values.value) if isinstance(values, ScalarNode) else (),
            )
        return BOOL, ("no", "yes"), (False, True)

    def words(self, key: ScalarNode, values: ListNode) -> Settings:
        """The words of an option, which are an enum."""
        context = self.context
        name = "".join(part.capitalize() for part in key.value.split("_")) + "Option"
        kind = new_kind(context, name, "enum", key.span)
        for word in context.words(values):
            if check_name(context, word, "a value of an option"):
                add_member(context, kind, word.value, pretty(word.value), word.span)
        return kind.type, tuple(kind.members), tuple(range(len(kind.members)))

    def numbers(self, items: list[ScalarNode]) -> Settings:
        """The numbers of an option, each named once and all of them numbers."""
        context = self.context
        numbers: dict[int, ScalarNode] = {}
        for item in items:
            number = whole(item.value)
            if number is None:
                if re.match(NAME, item.value):  # anything else is no value of any option, which is reported already
                    context.error("S011", "the values of an option are all words or all numbers", item.span)
                continue
            if abs(number) > MOST_NUMBER:
                context.error("S011", "a number of an option has at most 18 digits", item.span)
                continue
            if number in numbers:
                first = numbers[number].span
                context.error(
                    "E108",
                    f"there are two values {ticked(number)}",
                    item.span,
                    related=[(first, "the first")],
                    help=["delete one of the two"],
                )
            else:
                numbers[number] = item
        known = tuple(numbers) or (0,)
        return IntType(min(known), max(known)), tuple(map(str, known)), known

    def counts_of(self, node: Node | None) -> tuple[int, ...]:
        """For how many players something is: some of the numbers that may play, or all of them."""
        counts = self.context.counts
        if node is None:
            return counts
        low, high = (whole_range(node.value) if isinstance(node, ScalarNode) else None) or (0, 0)
        if counts[0] <= low <= high <= counts[-1]:
            return tuple(range(low, high + 1))
        self.context.error(
            "S010",
            "an option is for a number of players that may play, or for a range of them",
            node.span,
            expected=in_words(tuple(map(str, counts))),
            help=spelling(node.value) if isinstance(node, ScalarNode) else (),
        )
        return counts

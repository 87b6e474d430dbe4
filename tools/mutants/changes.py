"""What may be changed in the rules of a game: numbers, comparisons, names of the same type, conditions, steps.

    - if: p.coins >= price      `p.coins > price`, `not (p.coins >= price)`, `left_of(p).coins >= price`
      then:
        - lose: price           the step left out, or after the next one
          from: p.coins         `from: p.points`, which is of the same type

A change that the checker then refuses is none; what is written for people, cases and how a table looks are left alone.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import replace

from rulespec.checker.program import CheckedGame
from rulespec.system.records import dataclass
from rulespec.text.numbers import natural
from rulespec.text.quoting import ticked
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

from .expressions import Rewriting
from .places import GUARDS, TEXTS, TreePath, end, gap, is_log, is_steps, parts, walk

# Sections without rules: what is written for people, what is drawn, and what tests the rules.
LEFT_ALONE = frozenset({"cases", "positions", "invariants", "table", "plurals", "options", "players", "parts"})
NAMED = frozenset({"procedures", "functions", "rules", "phases", "events", "menus", "state", "zones", "scopes"})
DECLARED = frozenset({"types", "pieces", "boards", "pools", "tables"})
CHECKS = frozenset({"only", "where", "limit", "stops", "whole", "else", "up to", "at most"})
SHORT = 60  # characters of a step that are told


@dataclass(frozen=True, slots=True)
class Change:
    """A text in place of another, with the rule that it is part of and what is said of it."""

    file: str
    line: int
    start: int
    end: int
    old: str
    new: str
    rule: str
    said: str

    def applied(self, text: str) -> str:
        """The file with the change."""
        return text[: self.start] + self.new + text[self.end :]

    def mark(self, seed: int) -> bytes:
        """A number by which changes are shuffled: it depends on nothing but the change and the seed."""
        return hashlib.sha256(repr((seed, self.file, self.start, self.end, self.new)).encode()).digest()


def changes(game: CheckedGame) -> list[Change]:
    """All changes of a game's rules, by file and place, each once."""
    places = list(rules_of(game))
    unique: dict[tuple[str, int, int, str], Change] = {}
    for one in (*in_expressions(game, places), *in_steps(places), *in_tables(places)):
        if one.new != one.old:
            unique.setdefault((one.file, one.start, one.end, one.new), one)
    return [unique[key] for key in sorted(unique)]


def rules_of(game: CheckedGame) -> Iterator[TreePath]:
    """Every node of the rules, tables in files of their own included."""
    for key, value in game.context.root.entries:
        if key.value not in LEFT_ALONE:
            yield from walk(value, (key.value,))
    for name, table in game.context.files.items():
        yield from walk(table, (name, "rows"))


def rule_of(path: tuple[str | int, ...]) -> str:
    """What the rule around a place is called."""
    if len(path) > 1 and path[0] in NAMED:
        return str(path[1])
    rows = [n for n, step in enumerate(path[:-1]) if step == "rows"]
    if rows:
        return str(path[rows[0] + 1])
    return str(path[1] if len(path) > 1 and path[0] in DECLARED and isinstance(path[1], str) else path[0])


def change(at: Span | tuple[Node, int, int], new: str, path: tuple[str | int, ...], said: str | None = None) -> Change:
    """A change of what stands at a place; unless it is said otherwise, the new text is told with the old one."""
    source, start, stop = (at.source, at.start, at.end) if isinstance(at, Span) else (at[0].span.source, at[1], at[2])
    old = source.text[start:stop]
    told = f"{ticked(new)} for {ticked(old)}" if said is None else said
    return Change(source.name, source.position(start)[0], start, stop, old, new, rule_of(path), told)


def short(node: Node) -> str:
    """The first line of a node, cut where it is long."""
    line = node.span.source.text[node.span.start : end(node)].partition("\n")[0].strip()
    return line if len(line) <= SHORT else f"{line[: SHORT - 3]}..."


# --- expressions ------------------------------------------------------------------------------------------------------
def in_expressions(game: CheckedGame, places: list[TreePath]) -> Iterator[Change]:
    """Other numbers, comparisons, names and conditions in what the checker has read as expressions."""
    where = Scalars(places)
    rewriting = Rewriting(game)
    for scalar, tree, _ in game.context.written.values():
        place = where.of(scalar.span)
        if place is None or place.key in TEXTS:
            continue
        for start, stop, new, said in rewriting.of(scalar, tree):
            if start < stop:
                yield change(scalar.at(start, stop), new, place.path, said)


class Scalars:
    """The scalars of the rules by where they stand."""

    def __init__(self, places: list[TreePath]) -> None:
        self.by_file: dict[str, list[tuple[int, int, TreePath]]] = {}
        for place in places:
            if isinstance(place.node, ScalarNode):
                span = place.node.span
                self.by_file.setdefault(span.source.name, []).append((span.start, span.end, place))
        for spans in self.by_file.values():
            spans.sort(key=lambda span: span[:2])

    def of(self, span: Span) -> TreePath | None:
        """The scalar that holds a place."""
        spans = self.by_file.get(span.source.name, [])
        at = bisect_right(spans, span.start, key=lambda one: one[0]) - 1
        return spans[at][2] if at >= 0 and span.end <= spans[at][1] else None


# --- steps and conditions ---------------------------------------------------------------------------------------------
def in_steps(places: list[TreePath]) -> Iterator[Change]:
    """Steps left out or in another order, conditions turned round, checks left out."""
    for place in places:
        node = place.node
        if isinstance(node, ListNode) and is_steps(node) and place.key != "rows":
            yield from of_list(node, place)
        elif isinstance(node, MapNode):
            yield from of_mapping(node, place)
        elif is_guard(place):
            yield change(node.span, f"not ({node.span.source.text[node.span.start : node.span.end]})", place.path)


def is_guard(place: TreePath) -> bool:
    """Whether a node is a condition that stands on one line."""
    node = place.node
    plain = isinstance(node, ScalarNode) and node.style == "plain" and not isinstance(node.resolve(), bool)
    return plain and place.key in GUARDS


def of_list(node: ListNode, place: TreePath) -> Iterator[Change]:
    """Each step left out; two neighbours swapped."""
    neighbours, text = parts(node), node.span.source.text
    for index, item in enumerate(node):
        if is_log(item):
            continue
        cut = gap(neighbours, index)
        if cut is not None:
            yield named(change((item, *cut), "", place.path, f"{ticked(short(item))} left out"), item)
        elif text[node.span.start] == "[":
            yield change((item, *neighbours[0]), "", place.path, f"{ticked(short(item))} left out")
    for first, second in zip(node.items, node.items[1:], strict=False):
        if is_log(first) or is_log(second):
            continue
        between = text[end(first) : second.span.start]
        new = text[second.span.start : end(second)] + between + text[first.span.start : end(first)]
        said = f"{ticked(short(second))} before {ticked(short(first))}"
        yield change((node, first.span.start, end(second)), new, place.path, said)


def named(one: Change, item: Node) -> Change:
    """A cut told at the line of what is cut, not of what stands before it."""
    return replace(one, line=item.span.source.position(item.span.start)[0])


def of_mapping(node: MapNode, place: TreePath) -> Iterator[Change]:
    """Each check, limit or `else` left out."""
    neighbours = parts(node)
    for index, (key, value) in enumerate(node.entries):
        bare = key.value == "if" and "then" not in node
        cut = gap(neighbours, index) if key.value in CHECKS or bare else None
        if cut is not None:
            said = f"{ticked(f'{key.value}: {short(value)}')} left out"
            yield named(change((key, *cut), "", place.path, said), key)


# --- tables -----------------------------------------------------------------------------------------------------------
def in_tables(places: list[TreePath]) -> Iterator[Change]:
    """Numbers of rows, one more."""
    for place in places:
        node = place.node
        if (
            isinstance(node, ScalarNode)
            and "rows" in place.path
            and node.style == "plain"
            and (number := natural(node.value)) is not None
        ):
            yield change(node.span, str(number + 1), place.path)


# --- which are tried --------------------------------------------------------------------------------------------------
def in_turn(every: list[Change], seed: int, wanted: Callable[[Change], bool]) -> Iterator[Change]:
    """The wanted changes in the order in which they are tried: one of each rule, then the next of each, shuffled by the seed."""
    waiting: dict[str, list[Change]] = {}
    for one in sorted(every, key=lambda one: one.mark(seed)):
        waiting.setdefault(one.rule, []).append(one)
    while waiting:
        for rule in list(waiting):
            while waiting[rule]:
                one = waiting[rule].pop(0)
                if wanted(one):
                    yield one
                    break
            if not waiting[rule]:
                del waiting[rule]

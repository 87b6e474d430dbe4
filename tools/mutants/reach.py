"""Which cases come to a place of the rules, from what coverage counts."""

from __future__ import annotations

from collections.abc import Iterable

from rulespec.cases.coverage import Item, items
from rulespec.checker.program import CheckedGame
from rulespec.system.records import dataclass
from rulespec.text.source import Source, Span
from rulespec.text.yaml_tree import MapNode

from ..coverage.lines import WHOLE
from .places import end, walk

Where = tuple[str, int, int]  # a place that is counted: its file, from where to where


@dataclass(frozen=True, slots=True)
class CaseReach:
    """What one case came to; `work` is how much it counted, by which cases are tried in turn, the shortest first."""

    name: str
    passed: bool
    work: int
    hits: frozenset[Where]


def where(span: Span) -> Where:
    """A place, the same in each process that has read the file."""
    return span.source.name, span.start, span.end


class Reach:
    """The cases by the places that they come to."""

    def __init__(self, game: CheckedGame, cases: Iterable[CaseReach]) -> None:
        self.cases = sorted(cases, key=lambda case: (case.work, case.name))
        blocks = blocks_of(game)
        self.by_file: dict[str, list[tuple[int, int, Where]]] = {}
        for item in items(game):
            start, stop = extent(item, blocks)
            self.by_file.setdefault(item.where.source.name, []).append((start, stop, where(item.where)))
        self.names: dict[Where, tuple[str, ...]] = {}

    def of(self, file: str, start: int) -> tuple[str, ...]:
        """The cases that come to the innermost counted thing around a place; all of them, where nothing there is counted."""
        around = [one for one in self.by_file.get(file, ()) if one[0] <= start < one[1]]
        if not around:
            return tuple(case.name for case in self.cases)
        inner = min(around, key=lambda one: one[1] - one[0])[2]
        if inner not in self.names:
            self.names[inner] = tuple(case.name for case in self.cases if inner in case.hits)
        return self.names[inner]


def blocks_of(game: CheckedGame) -> dict[tuple[Source, int], int]:
    """Where the block behind each key ends, by where the key begins."""
    trees = [game.context.root, *game.context.files.values()]
    return {
        (key.span.source, key.span.start): end(value)
        for tree in trees
        for place in walk(tree, ())
        if isinstance(place.node, MapNode)
        for key, value in place.node.entries
    }


def extent(item: Item, blocks: dict[tuple[Source, int], int]) -> tuple[int, int]:
    """From where to where an item reaches: what is known by its name reaches as far as its block."""
    span = item.where
    if item.group in WHOLE:
        return span.start, max(span.end, blocks.get((span.source, span.start), span.end))
    return span.start, span.end

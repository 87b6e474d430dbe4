"""One of several entries that are written alike, in which a name was left as it was copied.

match: colour
with:
  red: [{add: 1, to: red_won}]
  blue: [{add: 1, to: blue_won}]
  green: [{add: 1, to: blue_won}]     # the others name themselves
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, groupby
from typing import NamedTuple

from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.trees import scalars, written
from rulespec.text.quoting import ticked
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

RULE = LintRule("L093")
WORD = re.compile(r"[A-Za-z0-9]+|[^A-Za-z0-9\s]")
FEWEST = 3  # entries of which one may be the odd one
LARGEST = 200  # words of an entry that is compared with others
Entry = tuple[Node, ...]  # a key with its value, or an item


class Word(NamedTuple):
    """A word of an entry, with its place."""

    text: str
    scalar: ScalarNode
    start: int

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.scalar.at(self.start, self.start + len(self.text))


def check(game: LintGame) -> Iterator[Finding]:
    """Entries of mappings and lists that are the same but for one name, which all but one of them repeat wherever it belongs."""
    lengths: dict[int, int] = {}
    for node in written(game):
        match node:
            case MapNode() if len(node.entries) >= FEWEST:
                entries: Sequence[Entry] = node.entries
            case ListNode() if len(node.items) >= FEWEST:
                entries = [(item,) for item in node.items]
            case _:
                continue
        for run in runs(entries, lengths):
            yield from odd(game, [[*chain.from_iterable(map(words, entry))] for entry in run])


def words(node: Node) -> Iterator[Word]:
    """The words of a node, and all that stands between them; parts of names such as `red_won` are words."""
    for scalar in scalars(node):
        for match in WORD.finditer(scalar.value):
            yield Word(match[0], scalar, match.start())


def length(node: Node, known: dict[int, int]) -> int:
    """How many words a node has; `known` are those of nodes of the same game, by identity."""
    if id(node) not in known:
        match node:
            case ScalarNode():
                known[id(node)] = words_in(node.value)
            case MapNode():
                known[id(node)] = sum(length(part, known) for entry in node.entries for part in entry)
            case ListNode():
                known[id(node)] = sum(length(item, known) for item in node.items)
    return known[id(node)]


@lru_cache(maxsize=20_000)
def words_in(text: str) -> int:
    """How many words a text has."""
    return len(WORD.findall(text))


def runs(entries: Sequence[Entry], lengths: dict[int, int]) -> Iterator[list[Entry]]:
    """Three and more neighbours of as many words: no more than `LARGEST`, or they are not looked at."""
    for size, run in groupby(entries, lambda entry: sum(length(part, lengths) for part in entry)):
        several = list(run)
        if len(several) >= FEWEST and 2 <= size <= LARGEST:
            yield several


def odd(game: LintGame, run: list[list[Word]]) -> Iterator[Finding]:
    """The entry that names another where the others name themselves, if there is just one."""
    places = [n for n, column in enumerate(zip(*run, strict=True)) if len({word.text for word in column}) > 1]
    if len(places) < 2:
        return
    named = [[entry[n].text for n in places] for entry in run]
    strays = [number for number, names in enumerate(named) if len(set(names)) > 1]
    if len(strays) != 1:
        return
    (stray,) = strays
    others = {names[0] for number, names in enumerate(named) if number != stray}
    if len(others) != len(run) - 1 or named[stray][0] in others:
        return
    if any(name not in others or name.isdigit() for name in named[stray][1:] if name != named[stray][0]):
        return
    if not alike(game, named[stray][0], others):
        return
    for place, name in zip(places, named[stray], strict=True):
        if name in others:
            yield Finding(
                RULE,
                f"{ticked(name)} is written here, where the entries next to this one repeat their own name",
                run[stray][place].span,
                help=(f"was {ticked(named[stray][0])} meant?",),
            )


def alike(game: LintGame, name: str, others: set[str]) -> bool:
    """Whether a name is a member of every type of which all others are."""
    return all(
        name in kind.members or not others <= set(kind.members) for kind in game.context.kinds.values() if kind.members
    )

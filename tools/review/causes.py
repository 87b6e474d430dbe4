"""What follows from what: of things that play never reaches, those that alone lead to others, and the others told with them.

A step behind one that never runs, a procedure that only such steps run, what stands in an option that is never possible: the author is
asked about the first, and the rest is counted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, lru_cache

from rulespec.text.source import Source

from .finding import Finding

WORD = re.compile(r"[A-Za-z_]\w*")
ELSE = re.compile(r"\s*else:")
COMMENT = re.compile(r"(^|\s)#.*")
TOGETHER = 4  # of one kind, that are asked about in one question
NAMED = 5  # of them, that are named in it
A_LINE = 4  # of the others
STOPS = ("steps never run", "questions never asked")
Line = tuple[Source, int]


def told_together(findings: Sequence[Finding], sources: Sequence[Source]) -> list[Finding]:
    """The same questions, the most telling first: each with what follows from it, and those of one kind as one.

    `sources` are the files of the rules.
    """
    roots = Causes(findings, sources).roots()
    following: dict[str, list[Finding]] = {}
    for one in findings:
        if roots[one.id] != one.id:
            following.setdefault(roots[one.id], []).append(one)
    groups: dict[str, list[Finding]] = {}
    for one in findings:
        if roots[one.id] == one.id:
            whole = with_others(one, following.get(one.id, []))
            key = whole.id if whole.unreached is None else whole.unreached.all_of_them
            groups.setdefault(key, []).append(whole)
    told = []
    for group in groups.values():
        told += [in_one(group)] if len(group) >= TOGETHER else group
    return sorted(told, key=lambda one: (-one.weight, one.id))


def with_others(one: Finding, others: Sequence[Finding]) -> Finding:
    """A question with what follows from it."""
    if not others:
        return one
    plural = "s" if len(others) > 1 else ""
    return replace(
        one,
        message=f"{one.message} ({len(others)} other thing{plural} with it)",
        members=(*one.members, *(other.id for other in others)),
    )


def in_one(group: Sequence[Finding]) -> Finding:
    """Several questions of one kind as one; those that are not named in it stand below."""
    first = group[0]
    assert first.unreached is not None
    names = [one.unreached.short for one in group if one.unreached is not None]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    rest = sum(len(one.members) for one in group)
    message = f"{len(group)} {first.unreached.all_of_them}, {', '.join(names[:NAMED])}{more}: {first.unreached.ask}"
    if rest:
        message += f" ({rest} other thing{'s' if rest > 1 else ''} with them)"
    members = tuple(member for one in group for member in (one.id, *one.members))[1:]
    below = tuple(", ".join(names[n : n + A_LINE]) for n in range(NAMED, len(names), A_LINE))
    return replace(first, message=message, members=members, details=below, weight=max(one.weight for one in group))


class Causes:
    """What of some findings follows from others, by where they stand."""

    def __init__(self, findings: Sequence[Finding], sources: Sequence[Source]) -> None:
        self.sources = sources
        self.findings = [one for one in findings if one.weight and one.where is not None and one.unreached is not None]
        self.ids = [one.id for one in findings]
        self.at: dict[Line, list[Finding]] = {}
        self.blocks: list[tuple[Finding, Source, int, int]] = []
        for one in self.findings:
            assert one.where is not None
            self.at.setdefault((one.where.source, one.where.line), []).append(one)
            self.blocks.append((one, *extent(one)))

    def roots(self) -> dict[str, str]:
        """For each finding the id of the one from which it follows, its own where it is the first."""
        cause = {one.id: other.id for one in self.findings if (other := self.cause(one)) is not None}
        roots = {}
        for start in self.ids:
            way = [start]
            while (above := cause.get(way[-1])) is not None and above not in way:
                way.append(above)
            roots[start] = way[-1] if above is None else min(way[way.index(above) :])
        return roots

    def cause(self, one: Finding) -> Finding | None:
        """Another finding from which one follows: what it stands in, what stands before it, or what alone leads to it."""
        assert one.where is not None
        source, first = one.where.source, one.where.line
        around = [block for block in self.blocks if block[1] is source and block[2] < first <= block[3]]
        if around:
            return max(around, key=lambda block: block[2])[0]
        beside = [other for other in self.at[source, first] if (-other.weight, other.id) < (-one.weight, one.id)]
        if beside:
            return min(beside, key=lambda other: (-other.weight, other.id))
        called = "" if one.unreached is None else one.unreached.called
        before = self.at.get((source, sibling_before(source, first)), []) if not called else []
        return next(filter(stops, before), None) if before else self.only_caller(one, called)

    def only_caller(self, one: Finding, called: str) -> Finding | None:
        """The finding in which all that speaks of a procedure or function stands, or the first of several."""
        source, first, last = extent(one)
        callers = []
        for line in self.words.get(called, ()):
            if line[0] is source and first <= line[1] <= last:
                continue
            holder = next(
                (block[0] for block in self.blocks if block[1] is line[0] and block[2] <= line[1] <= block[3]), None
            )
            if holder is None:
                return None
            callers.append(holder)
        return callers[0] if callers else None

    @cached_property
    def words(self) -> dict[str, list[Line]]:
        """On which lines each word stands, comments left out."""
        words: dict[str, list[Line]] = {}
        for source in self.sources:
            for number, text in enumerate(lines(source), 1):
                for word in set(WORD.findall(COMMENT.sub("", text))):
                    words.setdefault(word, []).append((source, number))
        return words


def stops(one: Finding) -> bool:
    """Whether what stands behind something in its list is not reached where it is not: a step that is the whole item of the list."""
    if one.where is None or one.unreached is None or one.unreached.all_of_them not in STOPS:
        return False
    line, column = one.where.source.position(one.where.start)
    return column <= indent(lines(one.where.source)[line - 1]) + len("- ") + 1


@lru_cache(maxsize=64)
def lines(source: Source) -> list[str]:
    """The lines of a file, for all questions about it."""
    return source.text.removeprefix("\ufeff").splitlines()


def indent(text: str) -> int:
    """How far a line is indented."""
    return len(text) - len(text.lstrip())


def extent(one: Finding) -> tuple[Source, int, int]:
    """Behind which line and up to which another is what a finding leads to; where a test always holds, that is its `else`."""
    assert one.where is not None and one.unreached is not None
    source, line = one.where.source, one.where.line
    if one.unreached.leads:
        return block(source, line)
    _, _, last = block(source, line)
    texts = lines(source)
    inner = indent(texts[line - 1]) + len("- ")
    other = [
        number
        for number in range(line + 1, last + 1)
        if indent(texts[number - 1]) == inner and ELSE.match(texts[number - 1])
    ]
    return (source, other[0], last) if other and one.unreached.otherwise else (source, line, line)


def block(source: Source, first: int) -> tuple[Source, int, int]:
    """A line and those behind it that are indented more."""
    texts = lines(source)
    last = first
    for text in texts[first:]:
        if text.strip() and indent(text) <= indent(texts[first - 1]):
            break
        last += 1
    return source, first, last


def sibling_before(source: Source, line: int) -> int:
    """The line of the item before one in its list, 0 for the first."""
    texts = lines(source)
    column = indent(texts[line - 1])
    if not texts[line - 1].lstrip().startswith("- "):
        return 0
    for number in range(line - 1, 0, -1):
        text = texts[number - 1]
        if text.strip() and indent(text) <= column:
            return number if indent(text) == column and text.lstrip().startswith("- ") else 0
    return 0

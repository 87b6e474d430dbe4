"""Findings as data, so that what was found in files that have not changed is shown again without a look at the game.

The texts that findings speak of are kept with them: a text need not be that of a file.  What is no such data raises Malformed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rulespec.lint.finding import Edit, Finding, LintRule
from rulespec.text.diagnostics import Diagnostic
from rulespec.text.source import Source, Span


class Malformed(ValueError):
    """Data from which no finding can be made."""


def written(faults: Iterable[Diagnostic], findings: Iterable[Finding]) -> dict[str, Any]:
    """Diagnostics and findings as JSON data."""
    texts = Texts()
    return {
        "faults": [texts.fault(fault) for fault in faults],
        "findings": [texts.finding(finding) for finding in findings],
        "texts": [[source.name, source.text] for source in texts.sources],
    }


def written_by_name(faults: Iterable[Diagnostic]) -> dict[str, Any]:
    """Diagnostics as JSON data, with the names of the texts that they speak of alone."""
    texts = Texts()
    return {"faults": [texts.fault(fault) for fault in faults], "names": [source.name for source in texts.sources]}


def read_by_name(data: Any, sources: Mapping[str, Source]) -> list[Diagnostic]:
    """The diagnostics of such data, in texts with these names.  Raises Malformed."""
    match data:
        case {"faults": [*faults], "names": [*names]} if all(isinstance(n, str) and n in sources for n in names):
            return list(map(Reader([sources[name] for name in names]).fault, faults))
    raise Malformed("findings")


class Texts:
    """The texts that are spoken of, each kept once."""

    def __init__(self) -> None:
        self.sources: list[Source] = []
        self.numbers: dict[int, int] = {}

    def span(self, span: Span | None) -> list[int] | None:
        """A place in one of the texts."""
        if span is None:
            return None
        number = self.numbers.setdefault(id(span.source), len(self.sources))
        if number == len(self.sources):
            self.sources.append(span.source)
        return [number, span.start, span.end]

    def fault(self, one: Diagnostic) -> list[Any]:
        """A diagnostic."""
        related = [[self.span(span), text] for span, text in one.related]
        place = self.span(one.span)
        return [
            one.code,
            one.message,
            place,
            one.severity,
            one.expected,
            one.found,
            list(one.help),
            related,
            one.origin,
            [self.span(span) for span in one.also],
        ]

    def finding(self, one: Finding) -> list[Any]:
        """A finding of a rule."""
        rule = one.rule
        return [
            [rule.code, rule.severity, rule.suppressible, rule.single, rule.lengthy],
            one.message,
            self.span(one.span),
            list(one.help),
            [[self.span(span), text] for span, text in one.related],
            one.expected,
            one.found,
            [[self.span(edit.span), edit.text] for edit in one.fix],
            self.span(one.cause),
        ]


def read(data: Any) -> tuple[tuple[Diagnostic, ...], tuple[Finding, ...]]:
    """The diagnostics and findings of `written` data.  Raises Malformed."""
    match data:
        case {"faults": [*faults], "findings": [*findings], "texts": [*texts]}:
            reader = Reader([source_of(text) for text in texts])
            return tuple(map(reader.fault, faults)), tuple(map(reader.finding, findings))
    raise Malformed("findings")


def source_of(data: Any) -> Source:
    """A text.  Raises Malformed."""
    match data:
        case [str(name), str(text)]:
            return Source(name, text)
    raise Malformed("a text")


class Reader:
    """Makes findings in texts.  All methods raise Malformed."""

    def __init__(self, sources: list[Source]) -> None:
        self.sources = sources

    def span(self, data: Any) -> Span:
        """A place."""
        match data:
            case [int(number), int(start), int(end)] if 0 <= number < len(self.sources):
                return Span(self.sources[number], start, end)
        raise Malformed("a place")

    def pairs(self, data: Any) -> tuple[tuple[Span, str], ...]:
        """Places with a text for each."""
        pairs = []
        for one in data if isinstance(data, list) else ():
            match one:
                case [place, str(text)]:
                    pairs.append((self.span(place), text))
                case _:
                    raise Malformed("a place with a text")
        return tuple(pairs)

    def fault(self, data: Any) -> Diagnostic:
        """A diagnostic."""
        match data:
            case [str(code), str(message), place, ("error" | "warning" | "note") as severity, *rest]:
                expected, found, help, related, origin, also = texts(rest, 6)
                where = None if place is None else self.span(place)
                return Diagnostic(
                    code,
                    message,
                    where,
                    severity,
                    expected,
                    found,
                    tuple(help),
                    self.pairs(related),
                    origin,
                    tuple(map(self.span, also)),
                )
        raise Malformed("a fault")

    def finding(self, data: Any) -> Finding:
        """A finding."""
        match data:
            case [
                [
                    str(code),
                    ("error" | "warning" | "note") as severity,
                    bool(suppressible),
                    bool(single),
                    bool(lengthy),
                ],
                str(message),
                place,
                *rest,
            ]:
                help, related, expected, found, fix, cause = texts(rest, 6)
                return Finding(
                    LintRule(code, severity, suppressible, single, lengthy),
                    message,
                    self.span(place),
                    tuple(help),
                    self.pairs(related),
                    expected,
                    found,
                    tuple(Edit(span, text) for span, text in self.pairs(fix)),
                    None if cause is None else self.span(cause),
                )
        raise Malformed("a finding")


def texts(data: list[Any], count: int) -> list[Any]:
    """So many values: texts, nothing, or lists.  Raises Malformed."""
    if len(data) != count or not all(one is None or isinstance(one, str | list) for one in data):
        raise Malformed("a finding")
    return data

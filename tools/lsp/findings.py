"""Findings as an editor shows them, and the changes that it offers for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from rulespec.text.quoting import ticked
from rulespec.text.source import Span

from .places import range_of, uri_of

if TYPE_CHECKING:
    from rulespec.lint.finding import Finding
    from rulespec.text.diagnostics import Diagnostic

    from ..linting import Found

SEVERITY = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
MEANT = re.compile(
    r"(?:did you mean `(?P<near>\w+)`\?|it is written `(?P<word>\w+)`)"
)  # the help that a misspelt name gets
STEP = re.compile(
    r"(?:write the (?:whole )?step|a step is a verb and what it is about):? `(?P<step>\{[^`]*\}|\w+: [^`]+)`(?:; a variable .*)?"
)  # of a sentence in place of a step
UNQUOTED = "take the quotes away"
GAP = "..."  # in a step that the author has to fill in


def shown(finding: Diagnostic) -> types.Diagnostic:
    """A finding as an editor shows it; at the beginning of its file if it has no place."""
    start = types.Position(0, 0)
    more = [f"expected: {finding.expected}"] if finding.expected else []
    more += [f"help: {text}" for text in finding.help]
    related = [
        types.DiagnosticRelatedInformation(location(span), text)
        for span, text in finding.related
        if location(span) is not None
    ]
    return types.Diagnostic(
        range=types.Range(start, start) if finding.span is None else range_of(finding.span),
        message="\n".join([finding.message, *more]),
        severity=SEVERITY[finding.severity],
        code=finding.code,
        source="rulespec",
        related_information=related or None,
    )


def location(span: Span) -> types.Location:
    """Where a span is."""
    return types.Location(uri_of(Path(span.source.name).resolve()), range_of(span))


def by_file(findings: Iterable[Diagnostic], main: Path) -> dict[Path, list[types.Diagnostic]]:
    """Findings by the file that they are in; those that are in no file are at the head of the main one."""
    found: dict[Path, list[types.Diagnostic]] = {}
    for finding in each_place(findings):
        file = main if finding.file is None else Path(finding.file).resolve()
        found.setdefault(file, []).append(shown(finding))
    return found


def each_place(findings: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Findings, once for each place at which the same is wrong."""
    for finding in findings:
        yield replace(finding, also=()) if finding.also else finding
        for span in finding.also:
            yield replace(finding, span=span, also=())


# --- changes ----------------------------------------------------------------------------------------------------------
def offered(found: Found, file: Path, asked: types.Range) -> Iterator[types.CodeAction]:
    """The changes that mend what is found in a range of a file."""
    for finding in each_place(found.all()):
        if finding.span is None or Path(finding.span.source.name).resolve() != file or not meets(finding.span, asked):
            continue
        for text in finding.help:
            if (better := in_place(text, finding.span.text)) is not None:
                yield action(f"Write {ticked(better)}", finding, [(finding.span, better)], preferred=True)
    for one in found.findings:
        if Path(one.span.source.name).resolve() == file and meets(one.span, asked):
            if one.fix:
                yield action(f"Mend {one.rule.code}", one.diagnostic(), [(e.span, e.text) for e in one.fix])
            if one.rule.suppressible:
                yield allowing(one)


def in_place(help: str, written: str) -> str | None:
    """What a help says to write in place of what is written; None where it is no whole text."""
    if (meant := MEANT.fullmatch(help)) is not None:
        return (meant["near"] or meant["word"]) if re.fullmatch(r"\w+", written) else None
    if (step := STEP.fullmatch(help)) is not None:
        return step["step"] if re.search(r"\W", written) and GAP not in step["step"] else None
    quote = written[:1]
    if help == UNQUOTED and len(written) > 1 and quote in ("'", '"') and written.endswith(quote):
        return written[1:-1]
    return None


def allowing(finding: Finding) -> types.CodeAction:
    """A comment above the line that allows what is found there; why, is left to the author."""
    source, line = finding.span.source, finding.span.line
    start = source.line_start(line)
    blanks = re.match(r"[ ]*", source.line(line))
    indent = blanks[0] if blanks else ""
    text = f"{indent}# lint: allow {finding.rule.code} because \n"
    return action(f"Allow {finding.rule.code} here", finding.diagnostic(), [(Span(source, start, start), text)])


def action(
    title: str, finding: Diagnostic, edits: Iterable[tuple[Span, str]], preferred: bool = False
) -> types.CodeAction:
    """A quick fix."""
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[shown(finding)],
        edit=change(edits),
        is_preferred=preferred,
    )


def change(edits: Iterable[tuple[Span, str]]) -> types.WorkspaceEdit:
    """Texts that take the place of spans."""
    changes: dict[str, list[types.TextEdit]] = {}
    for span, text in edits:
        where = location(span)
        changes.setdefault(where.uri, []).append(types.TextEdit(where.range, text))
    return types.WorkspaceEdit(changes=changes)


def meets(span: Span, asked: types.Range) -> bool:
    """Whether a span touches a range."""
    own = range_of(span)
    first, last = (own.start.line, own.start.character), (own.end.line, own.end.character)
    return first <= (asked.end.line, asked.end.character) and (asked.start.line, asked.start.character) <= last

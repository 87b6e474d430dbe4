"""Applies the fixes of findings to the text of files: only the characters that an edit names change."""

from __future__ import annotations

from collections.abc import Iterable

from rulespec.lint.finding import Edit, Finding
from rulespec.text.source import Source


def fixed(findings: Iterable[Finding]) -> list[tuple[Source, str]]:
    """Each file that a fix changes, with its new text; where edits overlap, only the first is applied."""
    edits: dict[int, list[Edit]] = {}
    for finding in findings:
        for edit in finding.fix:
            edits.setdefault(id(edit.span.source), []).append(edit)
    return [(group[0].span.source, rewritten(group[0].span.source.text, group)) for group in edits.values()]


def rewritten(text: str, edits: Iterable[Edit]) -> str:
    """A text with edits made in it."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda item: (item.span.start, item.span.end)):
        if edit.span.start >= at:
            parts += [text[at : edit.span.start], edit.text]
            at = edit.span.end
    return "".join([*parts, text[at:]])

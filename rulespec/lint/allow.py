"""Comments that allow findings in their place: `# lint: allow L012 because people see it`.

One behind something allows what is found on its line; one on a line of its own, on the next line that is not a comment.  One beside a
change of a variant also allows what the change brings about in lines of the game.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from rulespec.lint.finding import Edit, Finding, LintRule
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import nearest
from rulespec.text.quoting import ticked
from rulespec.text.source import Source, Span

NO_REASON = LintRule("L001", suppressible=False)
UNUSED = LintRule("L002", suppressible=False)
REFUSED = LintRule("L003", suppressible=False)
ALLOWANCES = (NO_REASON, UNUSED, REFUSED)
COMMENT = re.compile(
    r"(?:^|(?<=[ \t]))#[ \t]*lint:[ \t]*allow\b(?P<codes>[^\r\n]*?)(?:[ \t]because\b[ \t]*(?P<why>[^\r\n]*))?(?=\r|\n|\Z)",
    re.MULTILINE,
)
CODE = re.compile(r"[^\s,]+")


@dataclass(frozen=True, slots=True)
class Allowance:
    """One code that a comment allows, for which line, and why."""

    code: str
    line: int
    span: Span  # of the code
    comment: Span
    why: str
    last: bool  # the only code of its comment


def allowances(source: Source) -> Iterator[Allowance]:
    """The allowances of a file."""
    for match in COMMENT.finditer(source.text):
        comment = Span(source, match.start(), match.end())
        words = list(CODE.finditer(match["codes"]))
        line = target(source, comment)
        if not words:
            yield Allowance("", line, comment, comment, (match["why"] or "").strip(), True)
        for word in words:
            start = match.start("codes") + word.start()
            span = Span(source, start, start + len(word[0]))
            yield Allowance(word[0], line, span, comment, (match["why"] or "").strip(), len(words) == 1)


def target(source: Source, comment: Span) -> int:
    """The line that a comment speaks of."""
    line = comment.line
    if source.line(line)[: comment.column - 1].strip():
        return line
    lines = source.text.count("\n") + 1
    line += 1
    while line < lines and (not source.line(line).strip() or source.line(line).lstrip().startswith("#")):
        line += 1
    return line


def allowed(
    findings: Iterable[Finding],
    sources: Iterable[Source],
    rules: Mapping[str, LintRule],
    texts: Iterable[Span] = (),
    below: Collection[Source] = (),
) -> Iterator[Finding]:
    """The findings that nothing allows, and what is wrong with the comments themselves; `texts` hold no comments.

    A comment in a file `below` may allow nothing: the game over which variants are laid has it for itself.
    """
    permitted = [
        allowance
        for source in sources
        for allowance in allowances(source)
        if not any(t.source is source and t.start <= allowance.comment.start < t.end for t in texts)
    ]
    by_place: dict[tuple[int, int, str], list[Allowance]] = {}
    for allowance in permitted:
        by_place.setdefault((id(allowance.span.source), allowance.line, allowance.code), []).append(allowance)
    used: set[Span] = set()
    for finding in findings:
        fitting = [
            allowance
            for source, line in lines_of(finding)
            for allowance in by_place.get((id(source), line, finding.rule.code), [])
        ]
        used.update(allowance.span for allowance in fitting)
        if not fitting or not finding.rule.suppressible:
            yield finding
    for allowance in permitted:
        yield from faults(allowance, allowance.span in used or allowance.span.source in below, rules)


def lines_of(finding: Finding) -> Iterator[tuple[Source, int]]:
    """The lines on which a finding can be allowed: its own, and those of the change of a variant that brings it about."""
    yield finding.span.source, finding.span.line
    cause = finding.cause
    if cause is not None:
        last = cause.source.position(cause.start + max(0, len(cause.text.rstrip()) - 1))[0]
        for line in range(cause.line, last + 1):
            yield cause.source, line


def faults(allowance: Allowance, used: bool, rules: Mapping[str, LintRule]) -> Iterator[Finding]:
    """What is wrong with an allowance."""
    code = allowance.code
    rule = rules.get(code)
    if rule is None:
        close = nearest(code, rules) if code else None
        yield Finding(
            REFUSED,
            f"there is no rule {ticked(code)} to allow" if code else "this comment allows no code",
            allowance.span,
            help=(f"did you mean {ticked(close)}?",) if close else (),
            expected="# lint: allow L012 because ...",
        )
    elif not rule.suppressible:
        yield Finding(REFUSED, f"{code} cannot be allowed by a comment", allowance.span)
    elif not used:
        edit = (Edit(removed(allowance), ""),) if allowance.last else ()
        yield Finding(UNUSED, f"{code} is not found here, so there is nothing to allow", allowance.span, fix=edit)
    elif not allowance.why:
        yield Finding(
            NO_REASON,
            f"why {code} is allowed here is not said",
            allowance.comment,
            expected=f"# lint: allow {code} because ...",
        )


def removed(allowance: Allowance) -> Span:
    """What goes with a comment: the blanks before it, or its whole line."""
    source, start, end = allowance.comment.source, allowance.comment.start, allowance.comment.end
    text = source.text
    while start and text[start - 1] in " \t":
        start -= 1
    if start == 0 or text[start - 1] in "\r\n":
        end += 2 if text.startswith("\r\n", end) else 1 if end < len(text) else 0
    return Span(source, start, end)

"""What a lint rule is, and what it finds."""

from __future__ import annotations

from dataclasses import replace

from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostic, Severity
from rulespec.text.source import Span

CAUSE = "this change brings it about"


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of a file: what stands at the place becomes another text."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class LintRule:
    """One code: how severe it is, and whether a comment in the file may allow what it finds.

    What the code means, with examples, stands in the catalogue (`rulespec.codes`).  `single`: it is enough that a finding holds for
    one setup, so that the rule is asked for each size of the boards, too.  `lengthy`: a note that takes longer than others, so that it
    is looked for only where notes are shown, or a comment speaks of it.
    """

    code: str
    severity: Severity = "warning"
    suppressible: bool = True
    single: bool = False
    lengthy: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding of a rule; `fix` changes files without changing what the game means."""

    rule: LintRule
    message: str
    span: Span
    help: tuple[str, ...] = ()
    related: tuple[tuple[Span, str], ...] = ()
    expected: str | None = None
    found: str | None = None
    fix: tuple[Edit, ...] = ()
    cause: Span | None = None  # the change of a variant that brings it about in a line of the game

    def cured(self) -> Finding:
        """The finding; without help of its own, with the cure of its code."""
        if self.help:
            return self
        from rulespec.codes.catalogue import cure  # hundreds of entries, which a game without findings does not need

        return replace(self, help=cure(self.rule.code))

    def diagnostic(self) -> Diagnostic:
        """The finding as it is shown."""
        return Diagnostic(
            self.rule.code,
            self.message,
            self.span,
            self.rule.severity,
            self.expected,
            self.found,
            self.help,
            self.related if self.cause is None else (*self.related, (self.cause, CAUSE)),
        )

"""From what lies on the table to the line of the rules that made it, and from a line to what it made."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter import State
from rulespec.text.source import Span

if TYPE_CHECKING:
    from interpreter.questions import Question
    from rulespec import ir
    from rulespec.checker.context import CheckContext

MOST_LIT = 500  # things of one line


def place_of(context: CheckContext, state: State, seat: int | None, what: str, name: str) -> Span | None:
    """Where a `thing`, a `zone`, the `question` of a seat or a reason (`why`) comes from; None where nobody knows."""
    if what == "thing":
        kind = context.kinds.get(name.partition("/")[0])
        member = name.partition("/")[2]
        if kind is None:
            return None
        return kind.spans[kind.members.index(member)] if member in kind.members[: len(kind.spans)] else kind.span
    if what == "zone":
        symbol = context.names.get(name.partition(".")[0])
        return None if symbol is None else symbol.span
    question = state.question(seat) if seat is not None and not state.is_terminal() else None
    if question is None or seat is None:
        return None
    return question.site.where if what == "question" else reason(state, question, seat, name)


def reason(state: State, question: Question, seat: int, text: str) -> Span | None:
    """Where a text comes from that says why something may not be chosen; where it is asked, if that is not known."""
    values = dict(question.candidates())
    for option in state.decision(seat).options:
        why = option.why
        if why and (why in text or why.replace(option.text, "…") in text) and option.action in values:
            found = failing(question, values[option.action])
            if found is not None and found.where is not None:
                return found.where
    return question.site.where


def failing(question: Question, value: Any) -> ir.Reason | None:
    """The reason that does not hold for a candidate."""
    code, site = question.code, question.site
    with question.machine.asking(question.frame):
        failure = code.failing(question.slots, question.locals(), value)
    if failure is None:
        return None
    told = [
        (code.tests, site.reasons),
        *((branch[2], site.branches[n].reasons) for n, branch in enumerate(code.branches)),
    ]
    if site.none is not None:
        told.append((code.none_tests, site.none.reasons))
    for rule, option in zip(question.machine.program.rules, code.options, strict=False):
        if option is not None and rule.option is not None:
            told.append((option.tests, rule.option.reasons))
    for tests, reasons in told:
        for (_, template), one in zip(tests, reasons, strict=True):
            if template is failure[0]:
                return one
    return None


def lit(context: CheckContext, file: Path, line: int) -> tuple[list[str], list[str]]:
    """The things and the zones that a line of a file declares."""
    here = Lines(file, line)
    return list(things(context, here))[:MOST_LIT], [one.name for one in context.names.values() if here.has(one.span)]


def asks(state: State, seat: int | None, file: Path, line: int) -> bool:
    """Whether a seat is asked by a line now."""
    question = None if seat is None or state.is_terminal() else state.question(seat)
    return question is not None and question.site.where is not None and Lines(file, line).has(question.site.where)


class Lines:
    """A line of a file, which many places are compared with."""

    def __init__(self, file: Path, line: int) -> None:
        self.file, self.line = file, line
        self.same: dict[str, bool] = {}

    def has(self, span: Span) -> bool:
        """Whether a place begins there."""
        name = span.source.name
        if name not in self.same:
            self.same[name] = Path(name).resolve() == self.file
        return self.same[name] and span.line == self.line


def things(context: CheckContext, here: Lines) -> Iterator[str]:
    """The members of types that a line declares; of a line that declares a type, all of them."""
    for kind in context.kinds.values():
        whole = here.has(kind.span)
        for member, span in zip(kind.members, kind.spans, strict=False):
            if whole or here.has(span):
                yield f"{kind.name}/{member}"

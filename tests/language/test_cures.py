"""Cures followed: what a message says to write in place of what is wrong puts it right, and breaks nothing else."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

import pytest

from rulespec.codes.catalogue import CATALOGUE
from rulespec.lint.flow import leaks
from rulespec.lint.linter import lint
from rulespec.loading.examples import check_snippet, completed
from rulespec.loading.reading import read_csv, read_tree
from rulespec.text.diagnostics import Diagnostic, Diagnostics
from rulespec.text.source import Source
from rulespec.text.yaml_tree import parse
from tests.helpers.mistakes import ALL, checked

# A help that is nothing but what is to be written.
WRITTEN = re.compile(
    r"(?:did you mean|it is written|write|unequal is written|leave the brackets out:|a list is written in brackets:"
    r"|(?:write the whole step|a colon follows [\w ]+|write the step|a range has two dots|more is added by a step"
    r"|some is taken by a step|a variable is changed by a step|columns and rows|without brackets|one dash is enough):?)"
    r" `(?P<text>[^`]+)`\??"
)
RUN = re.compile(r"[^\s\"',{}]+|\Z")  # what is written without a space
GAPS = ("...", "key: value")  # in what the author has to fill in
TABLES = ("Y008", "Y009", "Y028")
OUTSIDE = ("Y006", "Y026", "Y011", "Y012", "Y024")  # of other files, or of all of a file
HERE = "  # here"
# What the message points at cannot be all that changes: another way of asking, or another procedure.
ELSEWHERE = ("E514", "E515", "F005")
# What the message points at is not all that changes there: another way of asking, another procedure or function.
ELSEWHERE = ("E514", "E515", "E613", "F005")
NOTES = True

# Cures that are the first of several steps, by the name of their snippet: then another message says the next one.
FIRST_OF_SEVERAL = {
    "is for equal", "letters between numbers", "a verb that is not there", "a misspelt preposition", "a switch",
    "increase for add", "a section of another tool", "not as a sign", "a colon without a key",
}  # fmt: skip

TEXTS = [
    *((name, text) for _, name, text, _ in ALL),
    *((code, own.bad) for code, own in CATALOGUE.items() if own.bad and code[0] in "SE"),
]


def replaced(text: str, found: Diagnostic, better: str) -> Iterator[str]:
    """The text with a cure in place of what is marked, of the run of letters around it, of its line, or of the value there."""
    assert found.span is not None
    places = sorted([found.span, *found.also], key=lambda span: -span.start)
    changed = text
    for span in places:
        changed = changed[: span.start] + better + changed[span.end :]
    yield changed
    run = next(run for run in RUN.finditer(text) if run.end() > found.span.start)
    yield text[: run.start()] + better + text[run.end() :]
    start = text.rfind("\n", 0, found.span.start) + 1
    end = text.find("\n", found.span.start)
    end = len(text) if end < 0 else end
    head = re.match(r" *(?:- )?", text[start:end])
    key = re.match(r" *(?:- )?[\w ]+: ", text[start:end])
    assert head is not None
    yield text[:start] + (head[0].removesuffix("- ") if better.startswith("- ") else head[0]) + better + text[end:]
    if key is not None:
        yield text[:start] + key[0] + better + text[end:]


def cured(text: str, found: Diagnostic, better: str, before: int) -> bool:
    """Whether a cure takes a finding away, and brings no other."""
    for changed in replaced(text, found, better):
        now = check_snippet(changed)
        if len(now) < before and not any((d.code, d.message) == (found.code, found.message) for d in now):
            return True
    return False


def test_what_a_message_says_to_write_puts_it_right() -> None:
    followed, wrong = 0, []
    for name, text in TEXTS:
        all_found = checked(text)
        for found in all_found:
            if found.span is None or found.span.source.name != "example":
                continue
            for help in found.help:
                said = WRITTEN.fullmatch(help)
                if said is None or any(gap in said["text"] for gap in GAPS):
                    continue
                if cured(text, found, said["text"], len(all_found)):
                    followed += 1
                elif name.partition(" [")[0] not in FIRST_OF_SEVERAL:
                    wrong.append(f"{name}: {found.message}: {help}")
    assert not wrong, "\n".join(wrong)
    assert followed >= 110, followed


# --- the examples of the catalogue ------------------------------------------------------------------------------------
def findings(code: str) -> list[Diagnostic]:
    """What is found in the wrong example of a code."""
    bad = "\n".join(line.removesuffix(HERE.strip()).rstrip() for line in CATALOGUE[code].bad.splitlines())
    if code in TABLES:
        diagnostics = Diagnostics()
        read_csv(Source("example", bad), diagnostics)
        return list(diagnostics)
    if code[0] in "YSE":
        return list(check_snippet(bad))
    diagnostics = Diagnostics()
    root = parse(Source("example", bad), diagnostics)
    game = None if root is None else read_tree(completed(root, bad, diagnostics), None, diagnostics)
    assert game is not None
    if code[0] == "F":
        return list(leaks(game))
    return [found.diagnostic() for found in lint(game, NOTES) if found.rule.code == code]


def depth(line: str) -> int:
    """How far a line is indented."""
    return len(line) - len(line.lstrip(" "))


def pointed_at(text: str, found: list[Diagnostic]) -> set[int]:
    """The lines of a text that findings mark, what stands below them, and what they stand below; from 0."""
    lines = text.split("\n")
    spans = [span for one in found for span in (one.span, *one.also, *(span for span, _ in one.related)) if span]
    marked = {
        line - 1
        for span in spans
        if span.source.name == "example"
        for line in range(span.line, span.source.position(span.end)[0] + 1)
    }
    for line in sorted(marked):
        for below in range(line + 1, len(lines)):
            if depth(lines[below]) <= depth(lines[line]):
                break
            marked.add(below)
        step = depth(lines[line])
        for above in range(line, -1, -1):
            if depth(lines[above]) < step:
                step = depth(lines[above])
                marked.add(above)
    return marked


@pytest.mark.parametrize(
    "code", sorted(c for c in CATALOGUE if c[0] in "YSEF" and CATALOGUE[c].bad and c not in OUTSIDE + ELSEWHERE)
)
def test_the_right_example_differs_where_the_message_points(code: str) -> None:
    own = CATALOGUE[code]
    marked = pointed_at(own.bad, findings(code))
    bad, good = own.bad.split("\n"), own.good.split("\n")
    steps = difflib.SequenceMatcher(None, bad, good, autojunk=False).get_opcodes()
    changed = {line for what, start, end, _, _ in steps if what in ("replace", "delete") for line in range(start, end)}
    assert changed <= marked, [bad[line] for line in sorted(changed - marked)]

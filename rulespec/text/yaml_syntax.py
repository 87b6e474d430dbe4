"""Syntax errors of YAML in words for people who do not know YAML: what libyaml says, where it says so, and what was meant.

Example: for `name: Ann: the first`, libyaml says "mapping values are not allowed in this context"; the finding is "a text that holds `: `
wants quotes", at the second colon.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import yaml

from rulespec.text import yaml_lines
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.quoting import ticked
from rulespec.text.source import Source, Span
from rulespec.text.yaml_places import BLANKS, BREAK

# libyaml is ten times faster than the Python parser; both give the same events.
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

MISSING = "a `,` or the closing `}` is missing"
# The parser's words -> ours, and help. {char} is the character at the mark.
WORDING: tuple[tuple[str, str, str], ...] = (
    (
        "mapping values are not allowed",
        "a `:` is not allowed here",
        "quote a text that holds `: `, or check the indentation",
    ),
    (
        "block sequence entries are not allowed",
        "a `-` is not allowed here",
        "begin a list on a line of its own, or quote a text that begins with `- `",
    ),
    (
        "block mapping keys are not allowed",
        "a `?` is not allowed here",
        "quote a text that begins with `?`",
    ),
    ("did not find expected hex", "this escape is not finished", "write `\\\\` for a backslash"),
    (
        "found unknown escape character",
        "this escape does not exist",
        "write `\\\\` for a backslash, or use single quotes",
    ),
    ("expected escape sequence", "this escape is not finished", "write `\\\\` for a backslash"),
    (
        "found a tab character",
        "a tab may not be used here",
        "indent with spaces",
    ),
    (
        "could not find expected ':'",
        "this key has no `:`",
        "write `key: value`, or check the indentation",
    ),
    ("did not find expected key", "this does not line up with the keys before it",
     "begin the keys of one group in the same column, and put a text that has quotes inside in quotes of the other kind"),
    ("expected <block end>", "this does not line up with what is before it",
     "check the indentation, and quote text that has quotes inside"),
    ("did not find expected '-' indicator", "this does not line up with the list before it",
     "begin each item with `- ` in the same column; begin a key in the column of the other keys of its step"),
    ("did not find expected ',' or ']'", "a `,` or the closing `]` is missing", "separate items by commas, and close the bracket"),
    ("did not find expected ',' or '}'", MISSING,
     "separate keys by commas, and close the brace"),
    ("did not find expected node content", "a value is missing here", "write one"),
    ("did not find expected <document start>", "nothing may follow here: the document has ended",
     "check the indentation and the brackets"),
    ("did not find expected comment or line break", "nothing may follow here",
     "begin the text on the next line, indented"),
    ("found undefined tag handle", "this tag is not allowed", "quote a text that begins with `!`"),
    ("did not find URI escape", "this tag is not allowed", "quote a text that begins with `!`"),
)  # fmt: skip


EXPLAINED = ("Y014", "Y015", "Y018", "Y019")
PROSE = re.compile(r"[\s-]*(say|log|why|why not|shown|about|title|noun): ")
BELOW = re.compile(r"\b(then|else|do|to|from|by|only|say|log|why)$")  # keys of a step, each on a line of its own
STEPS = re.compile(r"[\s-]*(then|else|do): ")
HEADED = re.compile(r"[\s-]*(?:(if)|while|until|repeat|for): ")  # a step that has steps below it
ENTRY = re.compile(r"[\r\n][ \t]*(- |[A-Za-z_][\w ]*:[ \r\n])")  # a line that is no part of a text


def misplaced_colon(text: str, at: int) -> tuple[str, int, str]:
    """For a `:` that is not allowed: the reason, the place to show, and the help."""
    begin = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    head = text[begin:at]
    if (opened := re.match(r"[\s-]*([A-Za-z_]\w*) +([\[{].*)", head)) is not None:
        place = begin + opened.end(1)
        return f"a colon is missing after {ticked(opened[1])}", place, f"write {ticked(f'{opened[1]}: {opened[2]}...')}"
    if ": " in head and not PROSE.match(head):
        if (key := BELOW.search(head)) is not None:
            advice = f"begin a new line with `{key[0]}:`, under the key that this line begins with"
            return f"`{key[0]}:` needs a line of its own", begin + key.start(), advice
        if (steps := STEPS.match(head)) is not None:
            advice = f"begin a new line with {ticked(f'- {head[steps.end() :]}:')}, under `{steps[1]}:`"
            return f"the steps of `{steps[1]}:` begin on the next line", begin + steps.end(), advice
    if (headed := HEADED.match(head)) is not None and re.match(r":[ \t]*(#.*)?[\r\n]", text[at:]) is not None:
        below = "then" if headed[1] else "do"
        return "no colon stands at the end of this line", at, f"leave it out; the steps follow under a line `{below}:`"
    if ": " in head or head.lstrip().startswith(("- - ", '"', "'")):
        return "a text that holds `: ` needs quotes", at, "put the whole text in quotes"
    above = begin
    line = ""
    while above > 0 and not line.strip():
        end = above - 1
        above = max(text.rfind("\n", 0, end), text.rfind("\r", 0, end)) + 1
        line = text[above:end].rstrip()
    body = line.lstrip(" -")
    column = len(line) - len(body)
    if re.match(r"-\w", line.lstrip()):
        return (
            "a space is missing after this `-`",
            len(line) - len(line.lstrip()) + above,
            f"write {ticked(f'- {body}')}",
        )
    if body and ": " not in body and not body.endswith(":"):
        if (glued := re.match(r"[\w ]+:(?=\S)", body)) is not None:
            said = f"{glued[0]} {body[glued.end() :]}"
            return "a space is missing after this `:`", above + column + glued.end() - 1, f"write {ticked(said)}"
        if ":" not in body and len(head) - len(head.lstrip()) <= column:
            return (
                "this line has no `:`",
                above + column,
                f"{with_colon(body)}, or indent what belongs to the line above",
            )
        if re.fullmatch(r"\w+", body) is not None and line.lstrip() == body:
            return "this line has no `:`", above + column, f"write {ticked(f'{body}:')}"
    elif len(head) - len(head.lstrip()) > column:
        low = begin + len(head) - len(head.lstrip())
        return (
            "this is indented deeper than the line above, which has a value already",
            low,
            under.advice
            if (under := yaml_lines.cure(text, low)) is not None and under.note.startswith("is this")
            else MISSING_KEY.format("`then:` or `do:`")
            if head.lstrip().startswith("- ")
            else MISSING_KEY.format("`with:` or `options:`")
            if line.lstrip().startswith("- ")
            else f"if the line above begins a step, it begins with a dash: {ticked(f'- {body}')}; else indent this like its neighbours",
        )
    return "a `:` is not allowed here", at, "quote a text that holds `: `, or check the indentation"


def with_colon(line: str) -> str:
    """How a line is written whose first word lacks its colon."""
    words = re.split(" *[ =] *", line, maxsplit=1)
    return f"a colon follows the first word: {ticked(': '.join(words))}" if len(words) == 2 else "write `key: value`"


MISSING_KEY = "if it belongs to a key that is missing, such as {}, write that first; else indent it like its neighbours"
UNALIGNED = ("this does not line up",)
OPENED = ("while parsing a flow", "while parsing a block")


class Quoted(NamedTuple):
    """Where a text in quotes begins and ends."""

    start: int
    end: int


def open_quote(text: str, error: yaml.YAMLError) -> Quoted | None:
    """The last text in quotes before a syntax error, where it goes over lines that are no part of a text: its own quote is missing."""
    mark, last = getattr(error, "problem_mark", None), None
    if mark is None:
        return None
    try:
        for token in yaml.scan(text, Loader=LOADER):
            if token.start_mark.index >= mark.index:
                break
            if isinstance(token, yaml.ScalarToken):
                last = token
    except yaml.YAMLError:
        pass
    if last is None or last.style not in ("'", '"'):
        return None
    start, end = last.start_mark.index, last.end_mark.index
    near = "\n" not in text[end : mark.index]
    return Quoted(start, end) if near and ENTRY.search(text, start, end) else None


def report_open_quote(source: Source, opens: int, ends: int, diagnostics: Diagnostics) -> None:
    """Report Y010 at a quote that is not closed on its line, unless the line has a better explanation."""
    line = source.position(opens)[0]
    if any(d.code in EXPLAINED and d.span and d.span.line == line for d in diagnostics):
        return
    related = ((Span(source, ends, ends + 1), "the text ends at this quote"),)
    help = ("add the closing quote on its line",)
    diagnostics.add("Y010", "this quote is not closed", Span(source, opens, opens + 1), help=help, related=related)


def line_end(source: Source, at: int) -> int:
    """The offset of the line break that ends the line of a place, or of the end of the text."""
    match = BREAK.search(source.text, at)
    return match.start() if match else len(source.text)


def report_syntax(source: Source, shift: int, error: yaml.YAMLError, diagnostics: Diagnostics) -> None:
    """Report Y010, a syntax error, in this project's words, at the smallest place that explains it.

    `shift` is what the parser's indices lack: 1 after a byte order mark.
    """
    problem = str(getattr(error, "problem", None) or error)
    context = str(getattr(error, "context", None) or "")
    mark, opened = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    text = source.text
    size = len(text)
    at = min(mark.index + shift, size) if mark is not None else 0
    began = min(opened.index + shift, size) if opened is not None else None
    message, advice = problem.split("\n")[0], "check the line against its neighbours"
    for words, ours, hint in WORDING:
        if problem.startswith(words):
            message, advice = ours, hint
            break
    if (quote := open_quote(text[shift:], error)) is not None:
        report_open_quote(source, quote.start + shift, quote.end + shift - 1, diagnostics)
        return
    char = text[at : at + 1]
    before = text[:at].rstrip(" \t")[-1:]
    if "cannot start any token" in problem and char == "\t":
        message, advice = "a tab may not be used for indentation", "indent with spaces"
    elif "cannot start any token" in problem or "alphabetic or numeric" in problem:
        message, advice = f"a text may not begin with {ticked(char)}", "put it in quotes"
        if char in (" ", "\t") and text[:at].rpartition("\n")[2].strip() == "*":
            message, advice, at = (
                "a step or item begins with `- `, not with `* `",
                "write a dash in place of the star",
                at - 1,
            )
    elif "end of stream" in problem and "quoted" in context and began is not None:
        message, advice = "this quote is not closed", "add the closing quote"
        at, began = began, None
    elif message == "this key has no `:`" and began is not None:
        at, began = began, None
    elif message.startswith("this does not line up") and char == ":" and before in ("", "\n", "\r"):
        message, advice, began = "there is no key before this `:`", "write `key: value`", None
    elif message.startswith("this does not line up") and before and before in "\"']}":
        message, began = f"nothing may follow after this {ticked(before)}", None
        advice = "to have quotes inside a text, put it in quotes of the other kind"
        if char == ",":
            advice = "a text is one: write what follows into it, in braces"
        if char in "]})":
            message, advice = f"this {ticked(char)} closes nothing", "take it away"
        if before == "}":
            advice = "put a text that begins with a brace in quotes"
    elif message == "a `:` is not allowed here":
        message, at, advice = misplaced_colon(text, at)
        began = None
    elif message == MISSING and char == "{" and before not in "\"'}]":
        message, began = "within `{ }` a text without quotes ends before a brace", None
        advice = "put the text in quotes, or write each key on a line of its own"
    place = yaml_lines.cure(text, at) if message.startswith(UNALIGNED) else None
    if place is not None:
        advice, began = place.advice, None
    line = source.position(at)[0]
    if any(d.code in EXPLAINED and d.span and d.span.line == line for d in diagnostics):
        return  # this line has a better explanation already
    end = at + 1
    if message == "this line has no `:`":
        end = at + len(text[at : line_end(source, at)].rstrip())
        advice = "a remark begins with `#`" if text.startswith(("/*", "//", "--"), at) else advice
    if message == "this key has no `:`":
        end = max(end, at + len(text[at : line_end(source, at)].rstrip()))
    if at >= len(text.rstrip(BLANKS)):
        # At the end of the file: the last thing written.
        end = len(text.rstrip(BLANKS))
        at = max(end - 1, 0)
    related: tuple[tuple[Span, str], ...] = ()
    if began is not None and began != at and context.startswith(OPENED):
        related = ((Span(source, began, began + 1), "it began here"),)
    if place is not None and place.line is not None:
        related = ((Span(source, place.line.at, place.line.at + len(place.line.key)), place.note),)
    diagnostics.add("Y010", message, Span(source, at, end), help=(advice,), related=related)

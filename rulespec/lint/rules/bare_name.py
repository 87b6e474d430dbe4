"""A text that names a value without braces."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from rulespec.checker import symbols
from rulespec.checker.context import CheckContext
from rulespec.ir.wording import listing
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.rules.foreign_text import foreign
from rulespec.text.quoting import ticked

RULE = LintRule("L094")
PATH = re.compile(
    r"(?<![\w.])(?<!\w['’-])(?P<head>[A-Za-z_]\w*)(?P<rest>(?:\.[A-Za-z_]\w*)*)(?P<call>\([^()]*\))?(?![\w(]|-\w)"
)  # no part of a word, as in `the other's` or `x-ray`
PLUS = re.compile(r"""["'] *\+|\+ *["']""")
JOINED = re.compile(
    r"""["'] *\+ *|(?<=\}) *\+ *["']|(?<=\w)["']\Z"""
)  # what a programmer joins texts by: `p + " bets"`
LETTERS = {"a", "A", "I", "O", "x"}  # words of one letter


def check(game: LintGame) -> Iterator[Finding]:
    """Texts with `p.coins`, `size(deck)`, `cards_left` or the name `p` of a step outside of braces: people would read just that."""
    context = game.context
    parts = {part for kind in context.kinds.values() for part in (*kind.fields, *kind.attributes)}
    for node, names in context.texts.values():
        found = list(meant(outside(node.value), names, context, parts))
        if not found or foreign(node.value, names, context.names):
            continue
        said = listing([ticked(name) for name in dict.fromkeys(match[0] for match in found)])
        what = "what it is" if len(found) == 1 else "what they are"
        text = node.value
        for match in reversed(found):
            text = f"{text[: match.start()]}{{{match[0]}}}{text[match.end() :]}"
        if PLUS.search(text) is not None:  # one text, without the signs that join two
            text = JOINED.sub("", text).replace('"', "'")
        yield Finding(
            RULE,
            f"this text says {said}, and not {what}",
            node.at(found[0].start(), found[0].end()),
            help=(f'in braces, {"its value stands" if len(found) == 1 else "their values stand"} there: "{text}"',),
        )


def meant(text: str, names: Collection[str], context: CheckContext, parts: Collection[str]) -> Iterator[re.Match[str]]:
    """The names in a text that are most likely meant as what they stand for, also in the brackets of a call that is none."""
    at = 0
    while (match := PATH.search(text, at)) is not None:
        at = match.end()
        if is_meant(match, names, context, parts):
            yield match
        elif match["call"] is not None:
            at = match.start("call")


def is_meant(match: re.Match[str], names: Collection[str], context: CheckContext, parts: Collection[str]) -> bool:
    """Whether words of a text are most likely meant as what they name."""
    head, rest, call = match["head"], match["rest"], match["call"]
    known = head in names or head in context.names
    if rest:
        return known and all(part in parts for part in rest.split(".")[1:])
    if call is not None:
        return isinstance(context.names.get(head), symbols.Function) or head == "size"
    return ("_" in head and known) or (len(head) == 1 and head not in LETTERS and head in names)


def outside(text: str) -> str:
    """A text with blanks in place of what stands in braces, and of the braces."""
    depth, letters = 0, []
    for letter in text:
        depth += letter == "{"
        letters.append(" " if depth else letter)
        depth -= letter == "}" and depth > 0
    return "".join(letters)

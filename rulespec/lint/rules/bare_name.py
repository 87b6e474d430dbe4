"""A text that names a value without braces."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.checker import symbols
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.text.quoting import ticked

RULE = LintRule("L094")
PATH = re.compile(
    r"(?<![\w.])(?<!\w['’-])(?P<head>[A-Za-z_]\w*)(?P<rest>(?:\.[A-Za-z_]\w*)*)(?P<call>\([^()]*\))?(?![\w(]|-\w)"
)  # no part of a word, as in `the other's` or `x-ray`
LETTERS = {"a", "A", "I", "O", "x"}  # words of one letter


def check(game: LintGame) -> Iterator[Finding]:
    """Texts with `p.coins`, `size(deck)`, `cards_left` or the name `p` of a step outside of braces: people would read just that."""
    context = game.context
    parts = {part for kind in context.kinds.values() for part in (*kind.fields, *kind.attributes)}
    for node, names in context.texts.values():
        plain = outside(node.value)
        for match in PATH.finditer(plain):
            head, rest, call = match["head"], match["rest"], match["call"]
            known = head in names or head in context.names
            if rest:
                meant = known and all(part in parts for part in rest.split(".")[1:])
            elif call is not None:
                meant = isinstance(context.names.get(head), symbols.Function) or head == "size"
            else:
                meant = ("_" in head and known) or (len(head) == 1 and head not in LETTERS and head in names)
            if meant:
                yield Finding(
                    RULE,
                    f"this text says {ticked(match[0])}, and not what it is",
                    node.at(match.start(), match.end()),
                    help=(f"in braces its value stands there: {{{match[0]}}}",),
                )


def outside(text: str) -> str:
    """A text with blanks in place of what stands in braces, and of the braces."""
    depth, letters = 0, []
    for letter in text:
        depth += letter == "{"
        letters.append(" " if depth else letter)
        depth -= letter == "}" and depth > 0
    return "".join(letters)

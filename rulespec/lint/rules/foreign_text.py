"""A text that is written as programming languages write one: `f"..."`, `${p}`, `%p`, `<p>`, `{{p}}`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from rulespec.checker.env import LocalVar
from rulespec.language.types import IntType
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.text.quoting import ticked

RULE = LintRule("L135")
PREFIX = re.compile(r"""[fFrR](?P<quote>["'])(?P<inner>.*)(?P=quote)\Z""", re.DOTALL)
PATH = r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*"
SIGNS = (
    re.compile(rf"[$#]\{{(?P<path>{PATH})\}}"),
    re.compile(rf"\{{\{{ ?(?P<path>{PATH}) ?\}}\}}"),
    re.compile(rf"<(?P<path>{PATH})>"),
    re.compile(rf"[$%](?P<path>{PATH})"),
)
MONEY = "$"  # before a number it may be meant


def check(game: LintGame) -> Iterator[Finding]:
    """Texts in which the signs would be read, around a name that is known there."""
    for node, names in game.context.texts.values():
        text = node.value
        if node.style == "plain" and (match := PREFIX.match(text)) is not None:
            shown, quote = ticked(text[:2]), match["quote"]
            help = f"write the text in quotes alone: {quote}{match['inner']}{quote}"
            yield Finding(RULE, f"people would read the {shown} of this text", node.at(0, 2), help=(help,))
        elif found := foreign(text, names, game.context.names):
            sign = found[0]
            for other in reversed(found):
                text = f"{text[: other.start()]}{{{other['path']}}}{text[other.end() :]}"
            message = f"people would read {ticked(sign[0])}, and not what {ticked(sign['path'])} is"
            help = f'single braces alone stand around it: "{text}"'
            yield Finding(RULE, message, node.at(sign.start(), sign.end()), help=(help,))


def foreign(text: str, locals: Mapping[str, LocalVar], names: Collection[str]) -> list[re.Match[str]]:
    """Signs of another language around names that are known, in the order of the text; none where only money may be meant."""
    found: list[re.Match[str]] = []
    sure = False
    for sign in SIGNS:
        for match in sign.finditer(text):
            head, _, rest = match["path"].partition(".")
            local = locals.get(head)
            if (local is not None or head in names) and not any(one.start() == match.start() for one in found):
                found.append(match)
                sure |= match[0][0] != MONEY or (local is not None and not rest and not isinstance(local.type, IntType))
    return sorted(found, key=re.Match.start) if sure else []

"""Texts with expressions in braces: `You hold {led} and must follow it`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from rulespec.expr.parser import ExprSyntaxError, check_length, checked, parse_expr
from rulespec.expr.printer import to_text
from rulespec.expr.syntax import Expr, shift
from rulespec.text.quoting import ticked

if TYPE_CHECKING:
    from rulespec.text.diagnostics import Diagnostics
    from rulespec.text.yaml_tree import ScalarNode

Template: TypeAlias = tuple[str | Expr, ...]

PLAIN = re.compile(r"(?:[^{}]|\{\{|\}\})+")
HOLE = re.compile(r'\{((?:[^{}"]|"[^"\n]*")*+)\}')


@lru_cache(maxsize=4096)
def parse_template(text: str) -> Template:
    """The plain texts and expressions of a template, in turn.

    Plain texts have their braces undoubled; the expressions' offsets are those of the template.
    """
    check_length(text)
    parts: list[str | Expr] = []
    at = 0
    while at < len(text):
        if plain := PLAIN.match(text, at):
            parts.append(plain[0].replace("{{", "{").replace("}}", "}"))
            at = plain.end()
        elif hole := HOLE.match(text, at):
            if not hole[1].strip():
                raise _brace(text, at, hole.end(), "there is no expression in these braces")
            try:
                parts.append(shift(parse_expr(hole[1]), at + 1))
            except ExprSyntaxError as error:
                raise error.shifted(at + 1) from None
            at = hole.end()
        else:
            fault = "is not closed" if text[at] == "{" else "closes nothing"
            raise _brace(text, at, at + 1, f"this brace {fault}")
    return tuple(parts)


def _brace(text: str, at: int, end: int, message: str) -> ExprSyntaxError:
    help = f"write {ticked(text[at] * 2)} for a brace in the text"
    return ExprSyntaxError(message, at, end, help=(help,))


def template(scalar: ScalarNode, diagnostics: Diagnostics) -> Template | None:
    """The template in a scalar, or None with a diagnostic."""
    return checked(parse_template, scalar, diagnostics)


def template_to_text(parts: Template) -> str:
    """The text of a template; parsing it gives the same parts."""
    return "".join(_doubled(part) if isinstance(part, str) else f"{{{to_text(part)}}}" for part in parts)


def _doubled(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")

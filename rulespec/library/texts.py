"""Texts with values filled in, as values of the rules.

A text is a str, or a tuple of its words and of the values between them, each a pair (how it is shown, the value):
`"to rob {p2}!"` is `("to rob ", (3, 1), "!")`, where 3 is the number of a printer in `Program.printers`.  It holds the values and
not their names, so that each reader is told the name of a hidden piece only if he sees it, as in a line of the log.
"""

from __future__ import annotations

from typing import Any

from rulespec.language.facts import Facts, Origin, Result, Tells
from rulespec.language.registry import intrinsic
from rulespec.library.errors import TEXT_LIMIT, DomainError

NESTED = 16  # tuples within tuples of a text
TEXT = -1  # in a form: what is filled in is a text itself

Form = tuple[str | int, ...]


@intrinsic(Facts(instant=True, result=Result.TEXT, origin=Origin.OTHER_SHAPE, tells=Tells.TEXT, work=192))
def text(form: Form, *values: Any) -> Any:
    """A text: the words of its form and, for each number there, a value; texts that are filled in become parts of it."""
    parts: list[Any] = []
    rest = iter(values)
    for part in form:
        if part.__class__ is str:
            parts.append(part)
            continue
        value = next(rest)
        if part != TEXT:
            parts.append((part, value))
        elif value.__class__ is str:
            parts.append(value)
        else:
            parts += value
    size(parts, 0, 0)
    return joined(parts)


def joined(parts: list[Any]) -> Any:
    """The parts as a value: no words are empty or stand beside others, so that texts that say the same are equal."""
    out: list[Any] = []
    for part in parts:
        if part.__class__ is not str:
            out.append(part)
        elif out and out[-1].__class__ is str:
            out[-1] += part
        elif part:
            out.append(part)
    if not out:
        return ""
    return out[0] if len(out) == 1 and out[0].__class__ is str else tuple(out)


def size(value: Any, so_far: int, depth: int) -> int:
    """The characters and values of a text, those so far included; raises DomainError above the limit."""
    if value.__class__ is str:
        so_far += len(value)
    elif value.__class__ is tuple or value.__class__ is list:
        so_far += 1
        if depth > NESTED:
            raise DomainError(f"texts are filled into texts more than {NESTED} deep", "R002")
        if so_far + len(value) <= TEXT_LIMIT:
            for part in value:
                so_far = size(part, so_far, depth + 1)
        else:
            so_far += len(value)
    else:
        so_far += 1
    if so_far > TEXT_LIMIT:
        raise DomainError(f"a text that is filled in has more than {TEXT_LIMIT} characters and values", "R002")
    return so_far

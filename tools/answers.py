"""What somebody typed, as one of the options in front of him."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter import Choice


class Unclear(Exception):
    """What was typed is no option that can be taken; the text says why."""


def numbered(options: Sequence[Choice]) -> list[Choice]:
    """The legal options, in the order of their numbers."""
    return [option for option in options if option.legal]


def understand(text: str, options: Sequence[Choice]) -> Choice:
    """The legal option meant by a number, a name, or the unique beginning of one."""
    found = find(text, options)
    if not found.legal:
        raise Unclear(why_not(found))
    return found


def find(text: str, options: Sequence[Choice]) -> Choice:
    """The option, legal or not, that is meant; `Unclear` if it is none, or one of several."""
    wanted = folded(text)
    legal = numbered(options)
    if wanted.isdecimal() and 1 <= int(wanted[:9]) <= len(legal):
        return legal[int(wanted[:9]) - 1]
    exact = [o for o in options if wanted in words(o)]
    near = exact or [o for o in options if any(w.startswith(wanted) for w in words(o))]
    if not near:
        near = [o for o in options if any(wanted in w for w in words(o))]
    if len(near) > 1:
        near = [o for o in near if o.legal] or near[:1]
    if len(near) == 1:
        return near[0]
    if near:
        raise Unclear(f"which one: {', '.join(o.name for o in near[:8])}?")
    raise Unclear(unknown(text, options))


def words(option: Choice) -> tuple[str, str]:
    """Both ways to name an option."""
    return folded(option.name), folded(option.text)


def folded(text: str) -> str:
    return " ".join(text.casefold().split())


def why_not(option: Choice) -> str:
    """Why an option cannot be taken."""
    return f"{option.text}: {option.why or 'not legal now'}"


def unknown(text: str, options: Sequence[Choice]) -> str:
    from rulespec.diagnostics import nearest

    names = {name: o for o in options for name in (o.text, o.name)}
    near = nearest(text, names)
    if near is not None:
        return f"`{text}` is no option here; did you mean `{near}`?"
    legal = len(numbered(options))
    return f"`{text}` is no option here: type a number from 1 to {legal}, a name, or `help`"

"""Matches what a player typed with the options of a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulespec.text.numbers import whole
from rulespec.text.quoting import ticked

if TYPE_CHECKING:
    from interpreter import Choice


class Unclear(Exception):
    """Raised for a text that is no legal option; its message says why."""


def numbered(options: Sequence[Choice]) -> list[Choice]:
    """The legal options, in the order of their numbers."""
    return [option for option in options if option.legal]


def keys(legal: Sequence[Choice]) -> list[str]:
    """The number to type for each legal option: its place in the list, or the option itself where all options are numbers."""
    if all(whole(option.name) is not None for option in legal):
        return [option.name for option in legal]
    return [str(place) for place in range(1, len(legal) + 1)]


def understand(text: str, options: Sequence[Choice]) -> Choice:
    """The legal option meant by a number, a name, or the unique beginning of one."""
    choice = find(text, options)
    if not choice.legal:
        raise Unclear(why_not(choice))
    return choice


def find(text: str, options: Sequence[Choice]) -> Choice:
    """The option, legal or not, that is meant; raises `Unclear` for none and for several."""
    wanted = folded(text)
    legal = numbered(options)
    typed = dict(zip(keys(legal), legal, strict=True))
    if wanted in typed:
        return typed[wanted]
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
    """The texts by which an option can be named."""
    return folded(option.name), folded(option.text)


def folded(text: str) -> str:
    return " ".join(text.casefold().split())


def why_not(option: Choice) -> str:
    """Why an option is not legal."""
    return f"{option.text}: {option.why or 'not legal now'}"


def unknown(text: str, options: Sequence[Choice]) -> str:
    from rulespec.text.diagnostics import nearest

    names = {name: o for o in options for name in (o.text, o.name)}
    near = nearest(text, names)
    if near is not None:
        return f"{ticked(text)} is no option here; did you mean {ticked(near)}?"
    first, *more = keys(numbered(options))
    return f"{ticked(text)} is no option here: type a number from {first} to {more[-1] if more else first}, a name, or `help`"

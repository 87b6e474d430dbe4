"""How the map of a game is drawn."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.ir.questions import Text


@dataclass(frozen=True, slots=True)
class Scale:
    """What is told of a place or link by a colour, a sign or a style: a function of it gives a member of `kind`, or None."""

    function: int
    kind: int
    signs: tuple[str, ...]  # one for each member


@dataclass(frozen=True, slots=True)
class Remark:
    """A text about a place or link, which is its first local; `test`, a function of it, says whether it is shown."""

    text: Text
    test: int | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """A map: places of one kind and the links between them; what is None was not said.  Numbers without a word are functions."""

    nodes: int  # a kind
    links: int | None = None  # a kind
    ends: tuple[tuple[int, int, bool], ...] = ()  # of each link: from, to, whether it leads one way only
    locals: int = 1  # of the texts
    x: int | None = None
    y: int | None = None
    title: Remark | None = None
    lines: tuple[Remark, ...] = ()
    colour: Scale | None = None
    symbol: Scale | None = None
    strong: int | None = None
    style: Scale | None = None  # of links
    link_title: Remark | None = None

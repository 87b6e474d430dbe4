"""How the map of a game is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from rulespec.ir.questions import Text
from rulespec.system.records import dataclass
from rulespec.text.source import Span


@dataclass(frozen=True, slots=True)
class Scale:
    """What is told of a place or link by a colour, a sign or a style: a function of it gives a member of `kind`, or None."""

    function: int
    kind: int
    signs: tuple[str, ...]  # one for each member
    label: str  # what is told, for people


@dataclass(frozen=True, slots=True)
class Remark:
    """A text about a place or link, which is its first local; `test`, a function of it, says whether it is shown."""

    text: Text
    test: int | None = None
    where: Span | None = field(default=None, compare=False)


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
    strong_label: str = ""
    style: Scale | None = None  # of links
    link_title: Remark | None = None

    def functions(self) -> list[int]:
        """The functions that it needs."""
        remarks = [self.title, *self.lines, self.link_title]
        scales = [self.colour, self.symbol, self.style]
        functions = [self.x, self.y, self.strong, *(r.test for r in remarks if r), *(s.function for s in scales if s)]
        return [number for number in functions if number is not None]


def letters(labels: Sequence[str], said: Mapping[int, str]) -> tuple[str, ...]:
    """A sign of one or two letters of each label that no other has, as far as there is one."""
    chosen: list[str] = []
    taken = set(said.values())
    for number, label in enumerate(labels):
        word = "".join(c for c in label if not c.isspace()) or "?"
        choices = [word[0], *(word[0] + c for c in word[1:])]
        sign = said.get(number) or next((c for c in choices if c not in taken), choices[0])
        taken.add(sign)
        chosen.append(sign)
    return tuple(chosen)

"""A view with how it is to be drawn: what every drawing is given."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from typing import Any

from rulespec.system.records import dataclass

from .asked import Asked
from .paint import Paint
from .sheet import Meant

Data = dict[str, Any]


@dataclass
class Scene:
    """What is drawn: a view, its question, styles, what the arrows stand on, what is typed, and what is told beside it."""

    view: Data
    asked: Asked
    paint: Paint
    focus: Meant | None = None
    hover: Meant | None = None
    typed: str = ""
    notes: list[str] = field(default_factory=list)  # told above the question
    said: str = ""  # a word on the last key, until the next
    status: str = ""  # what goes on while nobody is asked
    hints: list[tuple[str, str]] = field(default_factory=list)  # keys and what they do

    @property
    def things(self) -> dict[str, Data]:
        """The faces."""
        faces: dict[str, Data] = self.view["things"]
        return faces

    @property
    def zones(self) -> dict[str, Data]:
        """The zones."""
        zones: dict[str, Data] = self.view["zones"]
        return zones

    @cached_property
    def seats(self) -> dict[str, Data]:
        """The seats by id."""
        return {seat["id"]: seat for seat in self.view["seats"]}

    @cached_property
    def me(self) -> Data | None:
        """The seat that looks."""
        return next((seat for seat in self.view["seats"] if seat.get("you")), None)

    @cached_property
    def others(self) -> list[Data]:
        """The other seats, from the one after the one that looks."""
        seats: list[Data] = self.view["seats"]
        at = next((n for n, seat in enumerate(seats) if seat.get("you")), -1)
        return [*seats[at + 1 :], *seats[:at]] if at >= 0 else seats

    @cached_property
    def changes(self) -> Data:
        """What is otherwise than when the seat chose last."""
        return self.view["changes"] or {}

    def came(self, zone: str, thing: str) -> bool:
        """Whether a thing has come to a zone since."""
        return thing in self.changes.get("came", {}).get(zone, ())

    def count_change(self, zone: str) -> str:
        """`+2` where a zone has more since."""
        change = self.changes.get("counts", {}).get(zone, 0)
        return f"{change:+d}" if change else ""

    def was(self, counter: str) -> str | None:
        """What a counter was before."""
        numbers = self.changes.get("numbers", {}).get(counter)
        return None if numbers is None else str(numbers[0])

    @cached_property
    def hands(self) -> list[str]:
        """The zones that the one who looks holds in hand."""
        return [] if self.me is None else [n for n in self.me["zones"] if self.zones[n]["form"] == "hand"]

    @cached_property
    def hand_is_asked(self) -> bool:
        """Whether the question is about cards in hand."""
        return any(
            self.asked.verbs(Meant(thing, zone))
            for zone in self.hands
            for thing in self.zones[zone].get("items", ())
            if thing
        )

"""What a review tells: a question to the author, or a difference from what was measured before."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from rulespec.system.records import dataclass
from rulespec.text.source import Span


@dataclass(frozen=True, slots=True)
class Unreached:
    """What a question about something that is never reached says where several are asked about together."""

    all_of_them: str  # "rules never run"
    ask: str
    short: str  # its name and place
    called: str = ""  # the name by which other rules run or ask it
    leads: bool = True  # whether what stands in it is not reached either
    otherwise: bool = False  # whether what stands in its `else` is not


def place(where: Span) -> str:
    """A place as `rules.yaml:12`."""
    return f"{where.source.name.rpartition('/')[2]}:{where.line}"


@dataclass(frozen=True, slots=True)
class Finding:
    """A question or a difference.

    `kind` and `subject` identify it, whatever its figures are: answered once, it is not asked again.  `seed` is of a game of
    `setup` that shows it.  `weight` orders findings, the most telling first.
    """

    kind: str
    subject: str
    message: str
    setup: str = ""
    seed: int | None = None
    weight: float = 0.0
    where: Span | None = None
    details: tuple[str, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)
    figure: tuple[str, str] | None = None  # where a baseline has it, it says what was otherwise, and nothing is asked
    unreached: Unreached | None = None
    members: tuple[str, ...] = ()  # the ids of others that are told with it

    @property
    def id(self) -> str:
        """The same from review to review."""
        return f"{self.kind}: {self.subject}"

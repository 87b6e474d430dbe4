"""What the tables of sections are made of: scalars, blocks with keys, and unions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from rulespec.system.records import dataclass

PLAIN = ("string", "number", "boolean")


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text or number: what it is called in a message, and its JSON types."""

    phrase: str
    types: tuple[str, ...] = PLAIN
    words: tuple[str | int, ...] = ()
    pattern: str = ""
    pattern_says: str = ""  # what an editor says where the pattern does not fit
    low: int | None = None
    high: int | None = None
    code: str = "S001"
    checked: bool = False  # an empty one is reported by the checker


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a block: what stands under it, what it says, and an example of what stands there."""

    shape: str
    about: str
    example: str
    required: bool = False
    words: tuple[str, ...] = ()  # shape `word`: those that may stand there


@dataclass(frozen=True, slots=True)
class Block:
    """A mapping with keys; `others` is the shape of keys of any other name.

    `needs` are keys that want others beside them, `texts_need` those that do where a text stands under them.
    """

    title: str
    about: str
    keys: Mapping[str, Key]
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    texts_need: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    others: str = ""
    unless: str = ""  # a key beside which nothing is required


@dataclass(frozen=True, slots=True)
class Union:
    """A shape with a name."""

    phrase: str
    shape: str
    about: str

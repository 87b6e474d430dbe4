"""Texts, and the places in the rules where somebody is asked."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from rulespec.ir.expressions import (
    Expr,
)
from rulespec.ir.types import Type
from rulespec.system.records import dataclass
from rulespec.text.source import Span


@dataclass(frozen=True, slots=True)
class Text:
    """A template: literal strings and expressions in turn; each with the type that says how its value is shown."""

    parts: tuple[str | tuple[Expr, Type], ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """What an item must satisfy to be legal, and what is said where it does not."""

    test: Expr
    why: Text
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class NoneOption:
    """The willing "no" of a choice: its name and text, and what must hold for it to be legal."""

    name: str
    text: Text
    reasons: tuple[Reason, ...] = ()
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Branch:
    """One named option of an offer or a menu."""

    name: str
    text: Text
    reasons: tuple[Reason, ...] = ()
    where: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Tray:
    """What a choice of several has so far, and how many it wants: `set` of items, `order` of them, or `counts`, kind by kind.

    `low` is None where an order needs all.  Of counts, `kind` is the one that is asked for.
    """

    what: Literal["set", "order", "counts"]
    chosen: Expr
    type: Type
    low: Expr | None
    high: Expr
    kind: Expr | None = None


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the rules where somebody is asked.

    `items` gives the candidates; with `item` bound to a candidate, `reasons` say whether it is legal.  An answer is the
    candidate itself, or None for the `none` option.  With `branches`, a candidate is the number of a branch, or for a menu
    a pair (rule, piece or None) of a rule that adds to it; the rule's `option` then has its text and reasons.  As actions
    are integers: `code` "value" makes an entity or number v the action v - `low`; "index" makes the candidate its position
    among the items.  The none option is the action `size` ("value") or the number of items ("index").
    """

    index: int
    name: str
    player: Expr
    items: Expr
    item: int  # the local that a candidate is bound to while reasons and texts are evaluated
    type: Type
    prompt: Text
    reasons: tuple[Reason, ...] = ()
    none: NoneOption | None = None
    branches: tuple[Branch, ...] = ()
    shown: Text | None = None  # how a candidate is shown, where its type is not enough
    code: Literal["value", "index"] = "value"
    low: int = 0
    size: int = 0
    secret: bool = False  # asked even with one legal answer, since being asked tells something
    move: int | None = None  # a stage of a move of several stages: which, so that it can be taken back as one
    tray: Tray | None = None  # a choice of several, of which this asks for one more
    arguments: tuple[Expr, ...] = ()  # of a menu: what the options that rules add get after their instance's arguments
    where: Span | None = field(default=None, compare=False)

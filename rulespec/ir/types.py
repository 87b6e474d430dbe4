"""Types: what the values of locals, slots, parameters, results, answers and draws are.

A type says how a value is made up, as `rulespec.ir` describes: an entity is a number below the size of its kind, a set a
sorted tuple without repeats, a bag a tuple of counts, a record or pack a tuple of its parts.
"""

from __future__ import annotations

from typing import Literal

from rulespec.system.records import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """The type of a value; `what` with what it needs beside it:

    - `bool`; `none`: None alone.
    - `text`: words, or a tuple of words and of what is filled in between them (see `Program.printers`).
    - `int`: a whole number of `low..high`, each None where no bound is known; then it has at most 64 bits.
    - `entity`: a member of `kind`.
    - `set`, `list`: of `parts[0]`, at most `capacity` items (None: only as many as a collection may have at all).
    - `bag`: how many of each member of `kind`, each from 0.
    - `option`: `parts[0]`, or None.
    - `record`: `parts` under `names`; `pack`: `parts` without names.
    - `target`: None, or the number of a target that is being left (see `Unwind`).
    - `aside`: the slots `low..high-1` as `Enter` put them aside: a tuple of their values.
    - `entry`: `(rule, arguments)` with one of `rules` and the arguments of its instance.
    - `choice`: the answer to a menu: the number of one of its own `high` options, or `(rule, case)` with one of `rules`; the case
      is None, the piece that carries the rule, or the tuple of the arguments of what lasts.
    - `effect`: `(number, arguments, end tag)` of what lasts, the arguments of the types in `Program.lastings`.
    - `frames`: the control stack.
    - `any`: not known; only in programs that no checker made, and of locals of passes.
    """

    what: Literal[
        "bool", "int", "entity", "set", "list", "bag", "option", "record", "text",
        "pack", "none", "target", "aside", "entry", "choice", "effect", "frames", "any",
    ]  # fmt: skip
    kind: int | None = None  # index into Program.kinds
    parts: tuple[Type, ...] = ()
    names: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None
    capacity: int | None = None
    rules: tuple[int, ...] = ()


BOOL, INT, TEXT, NONE, ANY = Type("bool"), Type("int"), Type("text"), Type("none"), Type("any")
TARGET, EFFECT, FRAMES = Type("target"), Type("effect"), Type("frames")
NATURAL = Type("int", low=0)


def number(low: int | None, high: int | None) -> Type:
    """A whole number within bounds."""
    return Type("int", low=low, high=high)


def entity(kind: int) -> Type:
    """A member of a kind."""
    return Type("entity", kind)


def option(item: Type) -> Type:
    """A value that may be None."""
    return item if item.what in ("option", "none", "target", "any") else Type("option", parts=(item,))


def set_of(item: Type, capacity: int | None = None) -> Type:
    """Distinct items that ascend."""
    return Type("set", parts=(item,), capacity=capacity)


def list_of(item: Type, capacity: int | None = None) -> Type:
    """Items in any order."""
    return Type("list", parts=(item,), capacity=capacity)


def bag(kind: int) -> Type:
    """How many of each member of a kind."""
    return Type("bag", kind)


def aside(low: int, high: int) -> Type:
    """Slots that were put aside."""
    return Type("aside", low=low, high=high)


def entry(rules: tuple[int, ...]) -> Type:
    """An entry of the queue of a window of these rules."""
    return Type("entry", rules=rules)


def choice(options: int, rules: tuple[int, ...]) -> Type:
    """An answer to a menu with so many options of its own, and rules that add to it."""
    return Type("choice", high=options, rules=rules)


def pack(*parts: Type) -> Type:
    """A tuple of fixed length."""
    return Type("pack", parts=parts)

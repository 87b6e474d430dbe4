"""What the fields of an instruction or an expression are for: declared there, read wherever something is asked of all of them.

@roles(gives=[("index", 1), ("index", 2)], takes=[("index", 0), ("index", 1)], target="target")
class Next: ...      # it writes two locals and reads two, and may go on elsewhere

@scope("index", inside=("where", "value", "key"))
class Comp: ...      # it binds a local, which these parts read as its own

Which fields hold expressions is not said here: their types say it, see `walk.parts`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

C = TypeVar("C", bound=type)
Near = tuple[str, int]  # a local: the field that holds a number, and how far from that number it is


@dataclass(frozen=True)
class Roles:
    """What one class of instructions does, by the names of its fields."""

    gives: tuple[Near, ...]  # locals that are written before control goes on behind it
    takes: tuple[Near, ...]  # locals that are read, besides those in its expressions
    waiting: tuple[str, ...]  # fields that are read, too, while a frame waits there
    site: str | None  # the question that it asks
    target: str | None  # where control may go within the procedure
    falls: bool  # control may go on behind it
    runs: str | None  # the procedure that it runs
    source: str | None  # the zone that pieces leave
    goal: str | None  # the zone that pieces enter
    anywhere: bool  # the pieces leave the zones in which they are, whichever these are
    system: tuple[int, ...]  # slots of the machine that change
    depth: str | None  # a slot that is read


ROLES: dict[type, Roles] = {}


def roles(
    *,
    gives: Sequence[Near] = (),
    takes: Sequence[Near] = (),
    waiting: Sequence[str] = (),
    site: str | None = None,
    target: str | None = None,
    falls: bool = True,
    runs: str | None = None,
    source: str | None = None,
    goal: str | None = None,
    anywhere: bool = False,
    system: Sequence[int] = (),
    depth: str | None = None,
) -> Callable[[C], C]:
    """Declare a class of instructions."""
    places = tuple(gives), tuple(takes), tuple(waiting)
    declared = Roles(*places, site, target, falls, runs, source, goal, anywhere, tuple(system), depth)

    def declare(cls: C) -> C:
        ROLES[cls] = declared
        return cls

    return declare


@dataclass(frozen=True)
class Scope:
    """What one class of expressions binds: fields with the numbers of locals, and the fields whose expressions read these."""

    binds: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()


SCOPES: dict[type, Scope] = {}
NOTHING_BOUND = Scope()


def scope(*binds: str, inside: Sequence[str] = ()) -> Callable[[C], C]:
    """Declare a class of expressions that binds locals; others bind none."""

    def declare(cls: C) -> C:
        SCOPES[cls] = Scope(binds, tuple(inside))
        return cls

    return declare


def binds(e: Any) -> int:
    """The locals (bits) that an expression binds for parts of itself."""
    mask = 0
    for name in SCOPES.get(e.__class__, NOTHING_BOUND).binds:
        mask |= 1 << getattr(e, name)
    return mask


def set_by(i: Any) -> int:
    """The locals (bits) that an instruction writes before control goes on behind it."""
    mask = 0
    for name, far in ROLES[i.__class__].gives:
        mask |= 1 << getattr(i, name) + far
    return mask


def named(i: Any, name: str | None) -> int | None:
    """The number in a field; None where there is no such field, or nothing in it."""
    number: int | None = None if name is None else getattr(i, name)
    return number


def site_of(i: Any) -> int | None:
    """The site where an instruction asks, None if it asks nothing."""
    return named(i, ROLES[i.__class__].site)


def target_of(i: Any) -> int | None:
    """Where an instruction may jump to within its procedure."""
    return named(i, ROLES[i.__class__].target)


def run_by(i: Any) -> int | None:
    """The procedure that an instruction runs; rules that it sets off are not meant."""
    return named(i, ROLES[i.__class__].runs)


def goal_of(i: Any) -> int | None:
    """The zone that an instruction puts pieces into; None where it is no zone of the game."""
    return named(i, ROLES[i.__class__].goal)


def zones_of(i: Any) -> list[int]:
    """The zones that an instruction names, out of which or into which pieces go."""
    return [zone for zone in (named(i, ROLES[i.__class__].source), goal_of(i)) if zone is not None]

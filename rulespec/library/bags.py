"""Functions of bags: so many of each kind, as a tuple of counts."""

from __future__ import annotations

from rulespec.language import bounds
from rulespec.language.facts import C, CForm, Facts, Form, Origin, Python, Result, Tells
from rulespec.language.registry import function
from rulespec.library.errors import DomainError, bounded

Counts = tuple[int, ...]


@function(
    "size(bag: bag of K) -> 0..",
    examples={"size(3 of ruby + 1 of jade)": "4"},
    facts=Facts(
        result=bounds.natural,
        total=True,
        memo=True,
        python=Python("sum($a)"),
        tells=Tells.NUMBER,
        c=C(form=CForm.BAG_SIZE),
    ),
)
def bag_size(bag: Counts) -> int:
    """How many pieces are in the bag."""
    return sum(bag)


@function(
    "count(bag: bag of K, kind: K) -> 0..",
    examples={"count(3 of ruby + 1 of jade, ruby)": "3"},
    facts=Facts(
        instant=True,
        result=bounds.natural,
        memo=True,
        held=True,
        python=Python("$a[$b]", Form.INDEX),
        c=C(form=CForm.BAG_COUNT),
    ),
)
def bag_count(bag: Counts, kind: int) -> int:
    """How many pieces of the kind are in the bag."""
    return bag[kind]


@function(
    "kinds(bag: bag of K) -> set of K",
    examples={"kinds(3 of ruby + 1 of jade)": "set(ruby, jade)"},
    facts=Facts(result=Result.KINDS, total=True, memo=True, origin=Origin.OTHER_SHAPE, c=C(form=CForm.BAG_KINDS)),
)
def bag_kinds(bag: Counts) -> tuple[int, ...]:
    """The kinds of which the bag holds at least one."""
    return tuple(kind for kind, number in enumerate(bag) if number > 0)


@function(
    "any_of(bag: bag of K) -> K",
    examples={"any_of(2 of pearl + 1 of jade)": "pearl"},
    facts=Facts(result=Result.KIND, memo=True, origin=Origin.OTHER_SHAPE, c=C(form=CForm.BAG_ANY)),
)
def bag_any(bag: Counts) -> int:
    """A kind of which the bag holds at least one, the first in the order of the rows; an error in play if it is empty."""
    for kind, number in enumerate(bag):
        if number > 0:
            return kind
    raise DomainError("`any_of` an empty bag")


@function(
    "each(bag: bag of K) -> list of K",
    examples={"each(2 of ruby + 1 of jade)": "list(ruby, ruby, jade)"},
    facts=Facts(result=Result.UNITS, memo=True, origin=Origin.OTHER_SHAPE, c=C(form=CForm.BAG_ITEMS)),
)
def bag_items(bag: Counts) -> tuple[int, ...]:
    """The pieces one by one: a kind stands as often as the bag holds it."""
    bounded(sum(bag))
    return tuple(kind for kind, number in enumerate(bag) for _ in range(number))


@function(
    "bag(items: many K) -> bag of K",
    hidden=("members of K",),
    binds="where",
    examples={"bag(list(ruby, jade, ruby))": "2 of ruby + 1 of jade"},
    facts=Facts(result=Result.BAG_OF, memo=True, held=True, origin=Origin.OTHER_SHAPE, c=C(form=CForm.BAG_FROM)),
)
def bag_from(items: tuple[int, ...], members: int) -> Counts:
    """A bag of the kinds given, one piece for each time one stands there."""
    return tuple(items.count(kind) for kind in range(members))

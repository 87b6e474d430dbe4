"""`rulespec.system.records.dataclass` makes what the standard library's would."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from dataclasses import FrozenInstanceError, InitVar, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from rulespec.system import records
from rulespec.text.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Callable

ours: Any = records.record  # what type checkers take for the standard library's

WAYS = [
    {"frozen": frozen, "slots": slots, "eq": eq}
    for frozen in (False, True)
    for slots in (False, True)
    for eq in (False, True)
]
words = [" ".join(name for name, on in way.items() if on) or "plain" for way in WAYS]


def family(make: Callable[..., Any]) -> list[type]:
    """A class with every kind of field, and one that inherits from it."""

    class Base:
        first: int
        label: str = field(default="none", compare=False, kw_only=True)
        shared: ClassVar[int] = 7

    base = make(Base)

    class Child(base):  # type: ignore[misc]
        second: tuple[int, ...] = ()
        found: list[int] = field(default_factory=list, repr=False)
        made: int = field(default=3, init=False)
        drawn: list[int] = field(default_factory=list, init=False, hash=False)
        bonus: InitVar[int] = 0

        def __post_init__(self, bonus: int) -> None:
            object.__setattr__(self, "made", self.first + bonus)

    return [base, make(Child)]


def pairs(way: dict[str, bool]) -> list[tuple[type, type]]:
    """Our classes, each with the standard library's."""
    return list(
        zip(family(lambda cls: ours(cls, **way)), family(lambda cls: dataclasses.dataclass(**way)(cls)), strict=True)
    )


@pytest.mark.parametrize("way", WAYS, ids=words)
def test_objects_are_made_alike(way: dict[str, bool]) -> None:
    (mine, theirs), (child, their_child) = pairs(way)
    for one, other in ((mine, theirs), (child, their_child)):
        assert one.__match_args__ == other.__match_args__  # type: ignore[attr-defined]
        assert [f.name for f in dataclasses.fields(one)] == [f.name for f in dataclasses.fields(other)]
        assert getattr(one, "__slots__", None) == getattr(other, "__slots__", None)
        made, known = one(4, label="x"), other(4, label="x")
        assert dataclasses.asdict(made) == dataclasses.asdict(known)
        assert repr(made) == repr(known)
        names = [str(p.replace(default=p.empty)) for p in inspect.signature(one).parameters.values()]
        assert names == [
            str(p.replace(default=p.empty, annotation=p.empty)) for p in inspect.signature(other).parameters.values()
        ]
    made = child(4, (1,), [2], 10, label="x")
    assert (made.first, made.second, made.found, made.made, made.drawn, made.label) == (4, (1,), [2], 14, [], "x")
    for wrong in ((), (1, 2, 3, 4, 5, 6)):
        with pytest.raises(TypeError, match="argument"):
            child(*wrong)


@pytest.mark.parametrize("way", WAYS, ids=words)
def test_objects_are_compared_and_kept_alike(way: dict[str, bool]) -> None:
    for one, other in pairs(way):
        for cls in (one, other):
            a, b, c = cls(1), cls(1, label="other"), cls(2)
            assert (a == b) is way["eq"]
            assert a != c
            assert a != 1
            if way["eq"] and not way["frozen"]:
                with pytest.raises(TypeError, match="unhashable"):
                    hash(a)
            elif way["eq"] and len(dataclasses.fields(cls)) == 2:
                assert hash(a) == hash(b) == hash((1,))
            if way["frozen"]:
                for change in (lambda a=a: setattr(a, "first", 2), lambda a=a: delattr(a, "first")):
                    with pytest.raises(FrozenInstanceError):
                        change()
            else:
                a.first = 5
                assert a.first == 5
            assert copy.copy(b).label == "other"
            assert copy.deepcopy(b).first == 1


def test_changed_copies_and_pickles() -> None:
    span = Span(Source("a", "text"), 0, 2)
    assert replace(span, end=4).text == "text"
    assert hash(span) == hash((span.source, 0, 2))
    assert pickle.loads(pickle.dumps(span)).text == "te"
    assert repr(span) == "Span(source=Source(name='a'), start=0, end=2)"
    match span:
        case Span(source, 0, end):
            assert (source.name, end) == ("a", 2)


def test_methods_are_compiled_when_they_are_called() -> None:
    (made, _), _ = pairs({"frozen": True, "slots": True, "eq": True})
    before = made.__dict__["__init__"]
    made(1)
    assert made.__dict__["__init__"] is not before
    assert "__eq__" in made.__dict__
    unused = made.__dict__["__hash__"]
    assert hash(made(1)) == hash((1,))
    assert made.__dict__["__hash__"] is not unused


def test_what_a_class_writes_itself_stays() -> None:
    class Own:
        value: int

        def __init__(self, value: int) -> None:
            self.value = value + 1

        def __eq__(self, other: object) -> bool:
            return True

        def __repr__(self) -> str:
            return "own"

    made = ours(Own, frozen=False, slots=False, eq=True)(1)
    assert (made.value, made == 3, repr(made)) == (2, True, "own")

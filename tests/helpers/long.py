"""Tests that take seconds and have shorter siblings: `make long-test` runs them, `make test` does not."""

from __future__ import annotations

from collections import Counter
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import pytest
import yaml

from tests.helpers.places import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

FILE = ROOT / "tests/long.yaml"


def listed() -> Mapping[str, int | str | Sequence[str]]:
    """By the test, `room/file.py::test`: patterns of the parameters that are long, a number n: all but each nth are, or `whole`."""
    found: dict[str, int | str | list[str]] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return found


def long_ones(names: Iterable[str]) -> Iterator[tuple[str, str, bool]]:
    """The test, the parameters, and whether these are long, of tests in the order in which they are collected."""
    long, seen = listed(), Counter[str]()
    for name in names:
        test, _, parameter = name.removeprefix("tests/").partition("[")
        parameter = parameter.removesuffix("]")
        match long.get(test, ()):
            case int(step):
                yield test, parameter, seen[test] % step != 0
            case str():
                yield test, parameter, True
            case patterns:
                yield test, parameter, any(fnmatchcase(parameter, pattern) for pattern in patterns)
        seen[test] += 1


def mark(items: Sequence[pytest.Item]) -> None:
    """Give those that are listed the mark `long`."""
    for item, (*_, long) in zip(items, long_ones(item.nodeid for item in items), strict=True):
        if long:
            item.add_marker(pytest.mark.long)

"""Every verb is played by a game of `tests/conformance/play/`, and a mistake with it is marked in one of `tests/conformance/errors/`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from rulespec.checker.steps import verb_of
from rulespec.language.registry import verbs
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Source
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode, parse
from tests.helpers.places import ROOT

GAMES = ROOT / "tests/conformance"


def steps(node: Node) -> Iterator[tuple[str, Node]]:
    """The verbs of all steps in a node, each with its step; those within others come after them."""
    if isinstance(node, MapNode):
        for _, value in node.entries:
            yield from steps(value)
    if isinstance(node, ListNode):
        for item in node.items:
            verb = None if isinstance(item, ListNode) else verb_of(item)
            if verb is not None:
                yield verb.name, item
            if not isinstance(item, ScalarNode):
                yield from steps(item)


def steps_of(file: Path) -> list[tuple[str, Node]]:
    """Those of a file; none of what is no YAML."""
    root = parse(Source(str(file), file.read_text(encoding="utf-8")), Diagnostics())
    return [] if root is None else list(steps(root))


def last_line(step: Node) -> int:
    """The number of the last line of a step."""
    return step.span.source.position(max(step.span.start, step.span.end - 1))[0]


@cache
def played() -> frozenset[str]:
    """The verbs that games of the folder have in their steps."""
    return frozenset(name for file in (GAMES / "play").glob("*.yaml") for name, _ in steps_of(file))


@cache
def mistaken() -> frozenset[str]:
    """The verbs of the innermost steps at whose lines a fault is marked."""
    found = set()
    for file in (GAMES / "errors").glob("*.yaml"):
        inner: dict[int, str] = {}
        for name, step in steps_of(file):
            inner.update(dict.fromkeys(range(step.span.line, last_line(step) + 1), name))
        lines = enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        found |= {inner[number] for number, line in lines if "# error: " in line and number in inner}
    return frozenset(found)


@pytest.mark.parametrize("name", verbs())
def test_every_verb_is_played_and_misused(name: str) -> None:
    assert name in played(), f"no game in tests/conformance/play/ has a step `{name}`: see CONTRIBUTING.md, A verb"
    assert name in mistaken(), (
        f"no game in tests/conformance/errors/ marks a mistake of `{name}`: see CONTRIBUTING.md, A verb"
    )


def test_a_mistake_belongs_to_the_innermost_step() -> None:
    text = "do:\n  - if: yes\n    then:\n      - win: p9\n  - stop\n"
    root = parse(Source("game.yaml", text), Diagnostics())
    assert root is not None
    assert [(name, step.span.line) for name, step in steps(root)] == [("if", 2), ("win", 4), ("stop", 5)]

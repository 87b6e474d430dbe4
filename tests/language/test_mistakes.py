"""What authors get wrong, and what they are told: every word of it.

Each file of tests/conformance/errors/mistakes has snippets of the example game, each with its findings as they are shown.
In `form` each name is followed by a score: 3 for what is wrong, where, what is expected and how it is cured, one less for each that
is missing or wrong, 0 for a message that misleads.
RULESPEC_GOLDEN=write writes the findings anew; then read what has changed as one who does not know the language.
"""

from __future__ import annotations

import re
from functools import cache

import pytest

from rulespec.checker.context import listed
from rulespec.lint.linter import lint
from rulespec.loading.examples import completed
from rulespec.loading.reading import read_tree
from rulespec.text.diagnostics import Diagnostics, render
from rulespec.text.source import Source
from rulespec.text.yaml_tree import parse
from tests.helpers.goldens import golden
from tests.helpers.mistakes import ALL, FILES, HEAD, TOLD, checked, snippets
from tests.helpers.places import ROOT

SCORE = re.compile(r".+ \[([0-3])\]")
TEXTS = ("L094", "L135")  # of lint, about what people read
STYLE = re.compile(r"\x1b\[[0-9;]*m")
COLOURED = ROOT / "tests/golden/colours.txt"


@cache
def found_in(text):
    """What is found in a snippet: errors, and what lint says of its texts where there are none."""
    if found := checked(text):
        return found
    quiet = Diagnostics()
    game = read_tree(completed(parse(Source("example", text), quiet), text, quiet), None, quiet)
    return tuple(own.diagnostic() for own in lint(game) if own.rule.code in TEXTS)


def told_now(text):
    return "\n".join(f"{render(d)}\n" for d in found_in(text))


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_what_is_told(path):
    found = "\n".join(f"{HEAD}{name}\n{text}{TOLD}{told_now(text)}" for name, text, _ in snippets(path))
    assert found == golden(path, found)


def test_there_are_many_and_none_is_here_twice():
    names = [name for _, name, _, _ in ALL]
    assert len(names) > 200 and len(set(names)) == len(names)


@pytest.mark.parametrize("text", [pytest.param(text, id=f"{file}: {name}") for file, name, text, _ in ALL])
def test_each_is_told_at_its_place(text):
    """There is a finding, in the snippet itself, on a span of it; a single mistake has few findings."""
    found = found_in(text)
    assert 1 <= len(found) <= max(2, text.count("\n- "))
    for own in found:
        assert own.span is not None and own.span.end <= len(own.span.source.text)
        where = [own.span, *(span for span, _ in own.related)]
        assert any(span.source.name == "example" for span in where)
        assert own.message.split()[0] not in ("The", "A", "An", "There", "This") and not own.message.endswith(".")
        assert own.expected != "" and all(own.help)
        assert STYLE.sub("", render(own, colour=True)) == render(own)


def test_a_slip_of_the_first_lessons_brings_one_message_with_a_cure():
    slips = [(name, checked(text)) for file, name, text, _ in ALL if file == "lessons"]
    assert len(slips) >= 60
    assert [name for name, found in slips if len(found) != 1] == []
    silent = [name for name, found in slips if not found[0].help]
    assert silent == []


def test_mistakes_of_form_have_one_message_each_that_says_what_where_and_how_it_is_cured():
    """At least a hundred; scores are given by who reads them, and only a message with a cure has the highest."""
    scores = {}
    for file, name, text, _ in ALL:
        if file == "form":
            found = found_in(text)
            score = SCORE.fullmatch(name)
            assert score is not None and len(found) == 1, name
            scores[name] = int(score[1])
            assert scores[name] < 3 or found[0].help, name
    assert len(scores) >= 100 and min(scores.values()) > 0
    assert sum(scores.values()) / len(scores) >= 2.8


def test_with_colours():
    """Errors with notes, a text in another script and one of several lines, as a terminal gets them; ESC is shown as `\\e`."""
    wanted = ("a key twice", "other scripts", "a condition over several lines", "a bracket that is not closed")
    parts = [
        f"{HEAD}{name}\n" + "".join(render(d, colour=True).replace("\x1b", "\\e") + "\n" for d in checked(text))
        for _, name, text, _ in ALL
        if name in wanted
    ]
    found = "\n".join(parts)
    assert len(parts) == len(wanted) and found == golden(COLOURED, found)


def test_names_are_listed_as_far_as_there_is_room():
    """Dots stand for names that are left out, and for nothing else."""
    assert listed("abcdefgh") == "a, b, c, d, e, f, g, h"
    assert listed("abcdefghi") == "a, b, c, d, e, f, g, h ..."
    assert listed("abab", 1) == "a ..."

"""The changelog: releases, what breaks first, areas by reader, one short line an entry."""

from __future__ import annotations

import re
from datetime import date

from tests.helpers.places import ROOT

AREAS = (
    "Breaking",
    "Language",
    "Checks and messages",
    "Play and server",
    "Testing and balance",
    "Python and environments",
    "Speed",
    "Fixed",
    "Documentation",
)
TEXT = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
RELEASES = re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:]
WORDS = 20  # of an entry, the targets of links left out


def areas(release: str) -> list[tuple[str, str]]:
    """The headings of a release with what stands under each."""
    parts = re.split(r"^### (.+)$", release, flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def test_releases_have_dates_newest_first():
    heads = [release.partition("\n")[0] for release in RELEASES]
    assert heads[0] == "[Unreleased]"
    days = [date.fromisoformat(head.partition(" - ")[2]) for head in heads[1:]]
    assert days == sorted(days, reverse=True)
    assert all(re.match(r"\[\d+\.\d+\.\d+\] - ", head) for head in heads[1:])
    assert all("**Highlights.**" in release for release in RELEASES[1:])


def test_every_entry_stands_in_an_area():
    for release in RELEASES:
        assert [name for name, _ in areas(release)] == list(AREAS), release.partition("\n")[0]
        head = release.partition("### ")[0]
        assert not re.search(r"^- ", head, re.MULTILINE)


def test_an_entry_is_one_line_of_few_words():
    entries = [line for release in RELEASES for line in release.splitlines() if line.startswith(("- ", " "))]
    assert entries and not [line for line in entries if line.startswith(" ")], "an entry is one line"
    long = [line for line in entries if len(re.sub(r"\]\([^)]*\)", "]", line[2:]).split()) > WORDS]
    assert long == []


def test_what_breaks_says_before_and_now():
    for release in RELEASES[1:]:
        [breaking] = [text for name, text in areas(release) if name == "Breaking"]
        assert "| before | now |" in breaking

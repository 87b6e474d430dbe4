"""The pages for people who write games: one term for an idea, and short sentences in lessons, as tests/words.yaml says."""

from __future__ import annotations

import re

import pytest
import yaml

from tests.helpers.places import ROOT

DOCS = ROOT / "docs"
DATA = yaml.safe_load((ROOT / "tests/words.yaml").read_text(encoding="utf-8"))
RECIPES = sorted(f"howto/{file.stem}" for file in (DOCS / "howto").glob("*.md"))
AVOIDED = re.compile(rf"\b({'|'.join(DATA['avoid'])})\b", re.IGNORECASE)


def prose(page: str) -> str:
    """A page without blocks of code, what is quoted, targets of links and anchors; every line where it was."""
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    text = re.sub(r"(?ms)^```.*?^```$", lambda block: "\n" * block[0].count("\n"), text)
    return re.sub(r"`[^`\n]*`|\]\([^)]*\)|<[^>]*>", "x", text)


GAMES = sorted(f"../games/{file.parent.name}/README" for file in (ROOT / "games").glob("*/README.md"))
MAY = dict.fromkeys(DATA["engineers"], DATA["engineers may say"]) | dict.fromkeys(GAMES, DATA["games may say"])


@pytest.mark.parametrize("page", [*DATA["pages"], *RECIPES, "../README", *MAY])
def test_one_term_for_an_idea(page):
    found = [
        f"docs/{page}.md:{number}: {match[0]}"
        for number, line in enumerate(prose(page).splitlines(), 1)
        for match in AVOIDED.finditer(line)
        if match[0].lower() not in MAY.get(page, ())
    ]
    assert not found, "\n".join([*found, f"instead: {DATA['avoid']}"])


WRITTEN = [(DOCS / f"{page}.md").resolve() for page in [*DATA["pages"], *RECIPES, "../README"]]
TEMPLATES = sorted(file for file in (ROOT / "tools/templates").rglob("*") if file.is_file())  # of `rulespec new`


@pytest.mark.parametrize("file", [*WRITTEN, *TEMPLATES], ids=lambda file: str(file.relative_to(ROOT)))
def test_what_authors_copy_is_in_the_same_words(file):
    """Names, texts and remarks in games of the pages, and in the games that `rulespec new` writes."""
    text = file.read_text(encoding="utf-8")
    games = re.findall(r"(?ms)^```yaml\n(.*?)^```$", text) if file in WRITTEN else [text]
    found = [
        f"{line.strip()}: {match[0]}"
        for line in "".join(games).splitlines()
        for match in AVOIDED.finditer(line.replace("_", " "))
    ]
    assert not found, "\n".join([*found, f"instead: {DATA['avoid']}"])


def sentences(page: str) -> list[str]:
    """The sentences of paragraphs and lists, without headings and tables."""
    lines = [
        "" if line.startswith(("#", "|", "![")) else re.sub(r"^(- |\d\. |> )+", "\n\n", line)
        for line in prose(page).splitlines()
    ]
    paragraphs = re.split(r"\n\s*\n", "\n".join(lines))
    return [one for text in paragraphs for one in re.split(r"(?<=[.?!:;])\s+", " ".join(text.split())) if one]


@pytest.mark.parametrize("page", DATA["lessons"])
def test_sentences_of_lessons_are_short(page):
    long = [one for one in sentences(page) if len(one.split()) > DATA["words"]]
    assert len(long) <= DATA["longer"], "\n".join(long)


# A list of names is no sentence that is read from its beginning to its end.
NAMES = re.compile(r"(?:[\w`*' ]+[,;] ){8,}")


@pytest.mark.parametrize("page", [*DATA["pages"], *RECIPES, "../README"])
def test_no_sentence_is_very_long(page):
    long = [one for one in sentences(page) if len(one.split()) > DATA["most"] and not NAMES.search(one)]
    assert not long, "\n".join(long)

"""The files of the page for browsers, read without one: what its policy forbids is not in them, they name each other rightly, colours can
be read on each other, and each key of a view is drawn.  `make browser-test` plays in a real browser.
"""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from rulespec.language.palette import COLOURS, ICONS
from tests.helpers.places import ROOT

PAGE = ROOT / "tools/serve/page"
HTML = sorted(PAGE.glob("*.html"))
SCRIPTS = sorted(PAGE.glob("*.js"))
STYLES = sorted(PAGE.glob("*.css"))
# What runs text as a program or reads it as HTML, which trusted types forbid, and what would ask another machine for something.
FORBIDDEN = re.compile(
    r"\binnerHTML\b|\bouterHTML\b|insertAdjacentHTML|document\.write|\beval\(|new Function|setAttribute\(\"style|javascript:|@import"
    r"|https?://(?!www\.w3\.org/2000/svg)"
)
# Keys of a view that the page does not draw, with the reason.
NOT_DRAWN = {
    "format": "the server says which version it speaks",
    "kind": "the rows of a matrix are drawn by their labels",
    "secret": "a question that is put with one answer looks like any other",
}
READABLE = 4.5  # the least contrast of text


class Tags(HTMLParser):
    """The tags of a page with their attributes, and all text inside scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside = ""
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.inside = tag

    def handle_endtag(self, _tag):
        self.inside = ""

    def handle_data(self, data):
        if self.inside in ("script", "style") and data.strip():
            self.inline.append(data)


def test_nothing_stands_in_the_html_that_the_policy_forbids():
    for path in HTML:
        page = Tags(path.read_text(encoding="utf-8"))
        assert page.inline == [], path.name
        for tag, attributes in page.tags:
            assert not any(name.startswith("on") or name == "style" for name in attributes), (path.name, tag)
            for name in ("src", "href"):
                if (address := attributes.get(name)) is not None:
                    below = "page/" if path.name == "lobby.html" else "../page/"  # of `/` and `/t/TABLE`
                    assert address.startswith(below), (path.name, address)
                    assert (PAGE / address.removeprefix(below)).is_file(), (path.name, address)


def test_no_script_makes_programs_or_html_of_texts_or_asks_others():
    found = {path.name: FORBIDDEN.findall(path.read_text(encoding="utf-8")) for path in [*SCRIPTS, *STYLES, *HTML]}
    assert {name: words for name, words in found.items() if words} == {}


def test_what_a_module_imports_is_exported_there_and_every_module_is_used():
    names = {path.name: path.read_text(encoding="utf-8") for path in SCRIPTS}
    used = {
        Path(address).name
        for path in HTML
        for _, a in Tags(path.read_text(encoding="utf-8")).tags
        if (address := a.get("src"))
    }
    for name, text in names.items():
        for wanted, source in re.findall(r'^import (\{[^}]*\}|\* as \w+) from "\./([\w.]+)";$', text, re.M):
            assert source in names, f"{name} imports {source}"
            used.add(source)
            if wanted.startswith("{"):
                for word in wanted.strip("{} ").split(","):
                    exported = rf"export (?:async )?(?:function|const|class|let) {word.split()[0]}\b"
                    assert re.search(exported, names[source]), f"{name} imports {word.strip()} from {source}"
    assert set(names) <= used


def test_each_sign_and_colour_that_a_game_may_name_can_be_drawn():
    signs = set(re.findall(r'^  (\w+): "M', (PAGE / "icons.js").read_text(encoding="utf-8"), re.M))
    assert set(ICONS) <= signs
    palette = (PAGE / "palette.css").read_text(encoding="utf-8")
    for colour in COLOURS:
        for wanted in (
            f".c-{colour} {{",
            f".k-{colour} {{",
            f'[data-colour="{colour}"] {{',
            f"--{colour}-soft:",
            f"--{colour}-ink:",
        ):
            assert wanted in palette, wanted


# --- contrast -----------------------------------------------------------------------------------------------------------
def palette() -> dict[str, tuple[str, str]]:
    """Each colour in light and in dark."""
    text = (PAGE / "palette.css").read_text(encoding="utf-8").partition("@media")[0]
    both = {name: (light, dark) for name, light, dark in re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\)", text)}
    same = {name: (one, one) for name, one in re.findall(r"--([\w-]+): (#\w{6});", text)}
    return {**same, **both}


def luminance(colour: str) -> float:
    """How light a colour is, as WCAG 2 measures it."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


GROUNDS = ("bg", "felt", "panel", "card")
PAIRS = [
    *(("ink", ground) for ground in GROUNDS),
    *(("dim", ground) for ground in ("felt", "panel", "card", "bg")),
    *(("accent", ground) for ground in ("panel", "felt")),
    ("on-accent", "accent"),
    *((f"{colour}-ink", f"{colour}-soft") for colour in COLOURS),
    *((f"{colour}-ink", "panel") for colour in COLOURS),
]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_can_be_read_on_what_they_stand_on(theme):
    colours = palette()
    number = ["light", "dark"].index(theme)
    poor = {(a, b): round(c, 2) for a, b in PAIRS if (c := contrast(colours[a][number], colours[b][number])) < READABLE}
    assert poor == {}


def test_numbers_on_coins_and_units_can_be_read():
    text = (PAGE / "palette.css").read_text(encoding="utf-8")
    colours = palette()
    coins = {
        name: contrast(colours[name][0], on) for name, on in re.findall(r"^\.c-(\w+) \{.*--on: (#\w{6});", text, re.M)
    }
    units = {name: contrast(colour, "#ffffff") for name, colour in re.findall(r"\.k-(\w+) \{ --kc: (#\w{6})", text)}
    assert set(coins) == set(units) == set(COLOURS)
    assert {name: round(c, 2) for name, c in (coins | units).items() if c < 3.0} == {}  # large and bold
    assert {name: round(c, 2) for name, c in units.items() if c < READABLE} == {}


# --- the view -----------------------------------------------------------------------------------------------------------
def keys(schema) -> set[str]:
    """All keys that a schema says."""
    if isinstance(schema, list):
        return set().union(*map(keys, schema)) if schema else set()
    if not isinstance(schema, dict):
        return set()
    own = set(schema.get("properties", ()))
    return own | set().union(*(keys(part) for part in schema.values())) if schema else own


def test_every_key_of_a_view_is_drawn_or_said_not_to_be():
    schema = json.loads((ROOT / "schemas/table.schema.json").read_text(encoding="utf-8"))
    scripts = "\n".join(path.read_text(encoding="utf-8") for path in SCRIPTS)
    told = keys(schema)
    unread = {key for key in told if not re.search(rf"\b{key}\b", scripts)}
    assert unread <= set(NOT_DRAWN)
    assert set(NOT_DRAWN) <= told


def test_the_page_names_no_game():
    texts = "\n".join(path.read_text(encoding="utf-8").lower() for path in [*SCRIPTS, *STYLES, *HTML])
    games = [folder.parent for folder in (ROOT / "games").glob("*/game.yaml")]
    words = {word for folder in games for word in [folder.name, folder.name.replace("_", " ")]} - {"hex", "chess"}
    assert {word for word in words if re.search(rf"\b{word}\b", texts)} == set()

"""What axe-core says of the page: nothing, in light and dark, wide and narrow; and that the focus is where it should be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.helpers.browsing import EYES, Person, by_turns
from tests.helpers.places import GAMES
from tests.helpers.writing import GAME, Author

AXE = os.environ.get("RULESPEC_AXE", "")
ANSWERS = 4  # given before it is looked at
WIDE, NARROW = (1400, 900), (390, 844)
LOOKS = ([("light", WIDE), ("dark", NARROW)], [("dark", WIDE), ("light", NARROW)])


def faults(page) -> list[str]:
    """What axe-core finds."""
    page.evaluate(Path(AXE).read_text(encoding="utf-8") + "; 0")
    return page.evaluate("() => eyes.faults()")


def at_table(browser, server, **look) -> Person:
    """Somebody at a table that is being played."""
    person = Person(browser, server.seats[0], **look)
    person.begin()
    for _ in range(ANSWERS):
        if person.asked():
            person.answer("keys")
    return person


@pytest.mark.skipif(not AXE, reason="needs axe-core: `make browser-test` installs it")
@pytest.mark.parametrize(
    ("game", "looks"),
    by_turns([folder.name for folder in GAMES], *LOOKS),
    ids=lambda it: it if isinstance(it, str) else it[0][0],
)
def test_axe(game, looks, browser, serve):
    server = serve(game, "--seed", "3")
    person = at_table(browser, server, open_policy=True)
    page = person.page
    found = {}
    for theme, size in looks:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.wait_for_timeout(50)
        if said := faults(page):
            found[theme, size] = said
    assert found == {}
    person.close()


@pytest.mark.skipif(not AXE, reason="needs axe-core: `make browser-test` installs it")
def test_axe_of_dialogs_and_the_lobby(browser, serve):
    server = serve("hobbit_card_game", "--seed", "3")
    person = at_table(browser, server, open_policy=True)
    page = person.page
    found = {}
    for name, open_it in {
        "settings": lambda: page.click("[aria-label=Settings]"),
        "keys": lambda: page.keyboard.press("F1"),
        "card": lambda: page.click(".hand .card", button="right", force=True),
    }.items():
        open_it()
        page.wait_for_selector("dialog[open]")
        found[name] = faults(page)
        page.keyboard.press("Escape")
        page.wait_for_function("() => !document.querySelector('dialog[open]')")
    page.goto(server.links["the lobby"])
    page.wait_for_selector(".shelf li")
    found["lobby"] = faults(page)
    page.goto(server.seats[0].replace("#", "?plain=1#"))
    page.wait_for_selector(".plain h2")
    found["plain"] = faults(page)
    assert {name: said for name, said in found.items() if said} == {}
    person.close()


def test_the_focus_is_kept(browser, serve):
    """After an answer by keys the focus is in the page still, and the arrows go on from there; a dialog gives it back."""
    server = serve("othello", "--seed", "3")
    person = Person(browser, server.seats[0])
    person.begin()
    for _ in range(3):
        person.asked()
        person.answer("keys")
        person.asked()
        assert person.page.evaluate("() => document.activeElement !== document.body")
    person.page.keyboard.press("ArrowRight")
    before = person.page.evaluate("() => document.activeElement.dataset.thing")
    person.page.keyboard.press("F1")
    person.page.wait_for_selector("dialog[open]")
    person.page.keyboard.press("Escape")
    assert person.page.evaluate("() => document.activeElement.dataset.thing") == before
    person.close()


def test_what_is_not_legal_says_why(browser, serve):
    server = serve("othello", "--seed", "3")
    person = Person(browser, server.seats[0])
    person.begin()
    person.asked()
    page = person.page
    node = page.locator("[data-thing][aria-disabled=true]").first
    why = page.text_content(f"#{node.get_attribute('aria-describedby')}")
    assert why
    node.click(force=True)
    assert page.text_content(".note") == why
    person.close()


@pytest.mark.skipif(not AXE, reason="needs axe-core: `make browser-test` installs it")
@pytest.mark.parametrize(("theme", "size"), [("light", WIDE), ("dark", NARROW)])
def test_axe_of_the_studio(theme, size, browser, studio, tmp_path):
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    author = Author(browser, studio().link, size, theme, open_policy=True)
    author.page.wait_for_selector(".cm-line")
    author.page.add_script_tag(path=EYES)
    assert faults(author.page) == []
    author.page.get_by_role("button", name="New …").click()
    behind = "cm-scroller"  # nothing that lies behind a window of its own is reached
    assert [fault for fault in faults(author.page) if behind not in fault] == []
    author.context.close()

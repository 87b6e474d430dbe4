"""Pictures of tables for the README and the handbook, in light and dark: taken here, and compared with those that are kept.

RULESPEC_GOLDEN=write takes them anew.  They are compared where the letters are those that they were taken with.
"""

from __future__ import annotations

import base64
import os
from pathlib import Path

import pytest

from tests.helpers.browsing import Person
from tests.helpers.places import ROOT

PICTURES = ROOT / "docs/pictures"
COMPARE = (Path(__file__).parent / "compare.js").read_text(encoding="utf-8")
MOST = 0.02  # of all points may differ
# The picture, the game, what is said to the server, light or dark, the size of the window, and how many answers are given before.
TABLES = [
    ("table", "hobbit_card_game", ("--players", "4", "--seed", "11"), "light", (1280, 800), 9),
    ("table_dark", "hobbit_card_game", ("--players", "4", "--seed", "11"), "dark", (1280, 800), 9),
    ("table_map", "five_armies", ("--seed", "3"), "light", (1400, 900), 12),
    ("table_chess", "chess", ("--seed", "3"), "light", (1100, 800), 8),
    ("table_narrow", "smaugs_treasure", ("--seed", "3"), "dark", (390, 844), 4),
]


def differing(page, one: bytes, other: bytes) -> float:
    """Which part of the points of two pictures differs to the eye; 1 where their sizes do."""
    pictures = [base64.b64encode(data).decode() for data in (one, other)]
    return page.evaluate(f"async ([a, b]) => ({COMPARE})(a, b)", pictures)


@pytest.mark.parametrize(("name", "game", "said", "theme", "size", "answers"), TABLES, ids=[row[0] for row in TABLES])
def test_picture(name, game, said, theme, size, answers, browser, serve):
    server = serve(game, *said)
    person = Person(browser, server.seats[0], size, theme, open_policy=True)
    person.begin()
    for _ in range(answers):
        if person.asked():
            person.answer("clicks")
    person.asked()
    page = person.page
    page.mouse.move(0, 0)
    page.evaluate("() => document.activeElement?.blur()")
    page.wait_for_timeout(400)  # what can be pointed at first comes when there is time
    taken = page.screenshot(type="png")
    path = PICTURES / f"{name}.png"
    if os.environ.get("RULESPEC_GOLDEN") == "write" or not path.exists():
        PICTURES.mkdir(exist_ok=True)
        path.write_bytes(taken)
    assert differing(page, taken, path.read_bytes()) <= MOST
    assert person.complaints == []
    person.close()

"""Pictures of tables for the README and the handbook, in light and dark: drawn of fixed positions, and compared with those that are kept.

RULESPEC_GOLDEN=write takes them anew.  Where the letters of this machine are others than those in the pictures, all but the points is
looked at, and the tests say that they left those out.
"""

from __future__ import annotations

import base64
import html
import json
import os
import random
import re
from pathlib import Path

import pytest

import rulespec
from tests.helpers.browsing import EYES
from tests.helpers.places import ROOT
from tests.helpers.writing import Author
from tools.serve.web import Page

HERE = Path(__file__).parent
PICTURES = ROOT / "docs/pictures"
COMPARE = (HERE / "compare.js").read_text(encoding="utf-8")
MOST = 0.02  # of all points may differ
LETTERS = ROOT / "tests/golden/letters.json"  # how wide a text is in each of the fonts that are in the pictures
FONTS = {"ui": "var(--ui)", "book": "var(--book)", "code": "monospace"}
# The picture, the game with its players, the seed, how many answers are given before, the size of the window, light or dark.
TABLES = [
    ("table", "hobbit_card_game", 4, 48, 57, (1200, 760), "light"),
    ("table_dark", "hobbit_card_game", 4, 48, 57, (1200, 760), "dark"),
    ("table_map", "five_armies", 2, 3, 60, (1400, 860), "light"),
    ("table_chess", "chess", 2, 3, 24, (1000, 720), "light"),
    ("table_narrow", "smaugs_treasure", 2, 3, 40, (390, 780), "dark"),
]


SPECIMEN = (3, 3, (680, 700))  # the players and the seed of the README's game, and the size of its table
# What each line of that game makes on the table, by the beginning of the line.
MADE = {
    "deck:": ".f-deck .items",
    "hand:": ".f-backs .items",
    "- together:": ".turn",
    "- {choose:": ".opts .answer:last-of-type",
}


def still(game: str, players: int, seed: int, answers: int) -> str:
    """The view of who is asked after so many random answers, with what can be pointed at first."""
    state = rulespec.Game(rulespec.load(game), players=players).new_state(seed=seed)
    chance = random.Random(seed)
    for _ in range(answers):
        player = state.pending_players()[0]
        state.apply_action(chance.choice(list(state.legal_actions(player))), player)
    seat = state.pending_players()[0]
    return json.dumps({"view": state.table(seat), "ahead": state.ahead(seat)})


def drawn(browser, shown: str, size: tuple[int, int], theme: str):
    """A page that shows a view, served as the server serves it."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme=theme, reduced_motion="reduce", bypass_csp=True
    )
    page, files = context.new_page(), Page()
    page.add_init_script(path=EYES)
    page.add_init_script(script=f"window.still = {shown};")
    page.add_init_script(path=HERE / "still.js")

    def serve(route) -> None:
        answer = files.answer("/" + route.request.url.split("/", 3)[3].partition("#")[0], {}, "table.test")
        route.fulfill(status=answer.status, headers=answer.headers, body=answer.body)

    page.route("**/*", serve)
    page.goto("http://table.test/t/still#00")
    page.wait_for_selector(".question")
    page.wait_for_timeout(300)  # what can be pointed at first comes when there is time
    return page


@pytest.fixture(scope="session")
def letters(browser) -> dict[str, int]:
    """How wide a text is in each font of the page, in pixels."""
    page = browser.new_page()
    spans = "".join(
        f'<span id={name} style="font: 100px {font}">The quick brown Fox, 0123456789</span><br>'
        for name, font in FONTS.items()
    )
    page.set_content(
        f"<style>{(ROOT / 'tools/serve/page/palette.css').read_text(encoding='utf-8')}</style><nobr>{spans}</nobr>"
    )
    widths = {name: round(page.locator(f"#{name}").bounding_box()["width"]) for name in FONTS}
    page.close()
    return widths


def kept(page, name: str, letters: dict[str, int]) -> None:
    """Compare what a page shows with the picture of that name, or take that."""
    taken = page.screenshot(type="png")
    path = PICTURES / f"{name}.png"
    if os.environ.get("RULESPEC_GOLDEN") == "write" or not path.exists():
        PICTURES.mkdir(exist_ok=True)
        path.write_bytes(taken)
        LETTERS.write_text(json.dumps(letters, indent=1) + "\n", encoding="utf-8")
    if letters != json.loads(LETTERS.read_text(encoding="utf-8")):
        pytest.skip(
            "the fonts here are not those of the pictures that are kept: install `fonts-liberation`, `fonts-dejavu-core`"
        )
    assert differing(page, taken, path.read_bytes()) <= MOST


def differing(page, one: bytes, other: bytes) -> float:
    """Which part of the points of two pictures differs to the eye; 1 where their sizes do."""
    pictures = [base64.b64encode(data).decode() for data in (one, other)]
    return page.evaluate(f"async ([a, b]) => ({COMPARE})(a, b)", pictures)


@pytest.mark.parametrize(
    ("name", "game", "players", "seed", "answers", "size", "theme"), TABLES, ids=[row[0] for row in TABLES]
)
def test_picture(name, game, players, seed, answers, size, theme, browser, letters):
    page = drawn(browser, still(game, players, seed, answers), size, theme)
    assert page.evaluate("() => eyes.overflow()") == []
    kept(page, name, letters)
    page.context.close()


def test_rules_and_their_table(browser, letters, tmp_path):
    """The README's game beside its table: some lines have the letters of what they make there."""
    text = re.search(r"(?ms)^```yaml\n(rulespec: 1\n.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"))[1]
    file = tmp_path / "higher.yaml"
    file.write_text(text, encoding="utf-8")
    players, seed, size = SPECIMEN
    page = drawn(browser, still(str(file), players, seed, 0), size, "light")
    boxes = [page.locator(made).first.bounding_box() for made in MADE.values()]
    table = base64.b64encode(page.screenshot(type="png")).decode()
    page.context.close()
    lines = []
    for line in text.splitlines():
        number = next((n for n, start in zip("ABCD", MADE, strict=True) if line.strip().startswith(start)), None)
        words = re.sub(r"(^ *-? ?\{?|, |\{)([a-z ]+):", r"\1<b>\2</b>:", html.escape(line))
        lines.append(f"<p>{words or '&nbsp;'}{'' if number is None else f' <i>{number}</i>'}</p>")
    marks = "".join(
        f'<i style="left:{box["x"] + box["width"] + 6}px;top:{box["y"] + box["height"] / 2 - 12}px">{number}</i>'
        for number, box in zip("ABCD", boxes, strict=True)
    )
    page = browser.new_context(viewport={"width": 1382, "height": size[1] + 40}).new_page()
    page.set_content(
        (HERE / "rules_and_table.html")
        .read_text(encoding="utf-8")
        .replace("LINES", "".join(lines))
        .replace("TABLE", table)
        .replace("MARKS", marks)
    )
    kept(page, "rules_and_table", letters)
    page.context.close()


@pytest.mark.parametrize("size", [(1400, 900), (1024, 700), (390, 844)])
def test_many_reasons_make_the_page_no_longer(size, browser):
    """What is only there to be read aloud is cut off with the question that it belongs to."""
    shown = json.loads(still("chess", 2, 3, 24))
    for number in range(80):
        option = {"action": 1000 + number, "name": f"no_{number}", "text": f"an answer that is not allowed {number}"}
        why = f"for a reason of its own, {number}, that is told at length"
        shown["view"]["decision"]["options"].append({**option, "legal": number % 2 == 0, "why": why, "button": True})
    page = drawn(browser, json.dumps(shown), size, "light")
    assert page.evaluate("() => eyes.overflow()") == []
    page.context.close()


def test_the_picture_of_the_studio(browser, studio, letters, tmp_path):
    folder = tmp_path / "games"
    folder.mkdir()
    author = Author(browser, studio(folder).link, (1400, 860))
    author.press("Begin a game")
    author.make("template", "stones", of="board", title="Stones")
    author.table.locator("#prompt").wait_for()
    author.panel("Cases")
    author.page.wait_for_selector(".cases .green:nth-child(1)")
    author.page.locator(".cm-line", has_text="square").click()
    author.table.locator("[data-thing='Cell/a1'][style*=dashed]").first.wait_for()
    kept(author.page, "studio", letters)
    author.close()

"""Two people at one table, each with a browser: what is lost and comes again, what is taken back, and who must not see what."""

from __future__ import annotations

import json
import shutil

import pytest

import rulespec
from tests.helpers.browsing import Person, until
from tests.helpers.places import ROOT


def play(people: list[Person], most: int = 10_000) -> None:
    """Answers of whoever is asked, until it is over or so many are given."""
    given = 0
    while given < most:
        until(lambda: any(person.over or person.look("ready") for person in people), lambda: people[0].look("shown"))
        if all(person.over for person in people):
            return
        for person in people:
            if person.look("ready"):
                person.answer("clicks")
                given += 1
                break


def test_two_browsers_go_on_where_the_server_was_killed(browser, serve):
    server = serve("leduc_poker", "--seed", "5", "--all")
    people = [Person(browser, link, seed=n) for n, link in enumerate(server.seats)]
    people[0].begin()
    play(people, 2)
    before = [person.look("state") for person in people]
    server.process.kill()
    server.process.wait()
    for person in people:
        person.page.wait_for_selector(".banner")
        assert "connection is lost" in person.page.inner_text(".banner")
    again = serve("leduc_poker", "--all", port=server.port)
    for person in people:
        person.page.wait_for_selector(".banner", state="detached")
    until(lambda: [person.look("state") for person in people] == before, lambda: str(before))  # it is drawn anew
    play(people)
    record = again.ask("the host", type="record")
    state = rulespec.Game(rulespec.load("leduc_poker"), players=2).replay(record["transcript"])
    winners = {state.table(0)["seats"][n]["label"] for n, gain in enumerate(state.returns()) if gain > 0}
    for person in people:
        assert all(winner in person.page.inner_text(".over h2") for winner in winners)
        assert [said for said in person.complaints if "WebSocket" not in said and "net::" not in said] == []
        person.close()


def test_an_answer_that_was_given_while_nobody_listened_is_given_again(browser, serve):
    server = serve("tic_tac_toe", "--all", "--seed", "1")
    people = [Person(browser, link) for link in server.seats]
    people[0].begin()
    until(lambda: people[0].look("ready"))
    server.process.kill()
    server.process.wait()
    people[0].page.wait_for_selector(".banner")
    people[0].click()
    serve("tic_tac_toe", "--all", port=server.port)
    until(lambda: people[1].look("ready"), lambda: people[1].look("shown"))
    assert people[1].page.locator(".mark").count() == 1
    for person in people:
        person.close()


def test_who_has_not_seen_it_is_asked_before_it_is_taken_back(browser, serve):
    server = serve("tic_tac_toe", "--all", "--seed", "1")
    people = [Person(browser, link) for link in server.seats]
    people[0].begin()
    until(lambda: people[0].look("ready"))
    people[0].answer("clicks")
    until(lambda: people[1].look("ready"))
    people[0].page.click("text=Undo")
    people[1].page.wait_for_selector("[role=alertdialog]")
    people[1].page.click("[role=alertdialog] .primary")
    until(lambda: people[0].look("ready"))
    assert people[0].page.locator(".mark").count() == 0
    for person in people:
        person.close()


def test_the_curtain_holds_nothing_of_either(browser, serve):
    server = serve("leduc_poker", "--seed", "5", "--all", "--together")
    person = Person(browser, server.links["all at one machine"])
    page = person.page
    cards = set()
    for _ in range(3):
        page.wait_for_selector(".curtain")
        words = page.evaluate("() => document.documentElement.outerHTML")
        assert "Card/" not in words and "jack" not in words and "queen" not in words and "king" not in words
        assert page.evaluate("() => document.activeElement.id") == "here"
        page.keyboard.press("Enter")
        page.wait_for_selector(".hand [data-thing]")
        if page.query_selector(".begin"):
            person.begin()
        cards.add(page.get_attribute(".hand [data-thing]", "data-thing"))
        person.asked()
        person.answer("clicks")
        if page.wait_for_selector(".banner .primary, .over").evaluate("node => node.matches('.over')"):
            break
        page.click(".banner .primary")
    assert len(cards) == 2
    person.close()


def test_a_game_that_is_over_is_walked_through(browser, serve):
    server = serve("leduc_poker", "--seed", "5")
    person = Person(browser, server.seats[0])
    person.begin()
    while person.asked():
        person.answer("clicks")
    page, result = person.page, person.page.inner_text(".over h2")
    lines = page.locator(".log p").count()
    page.click("text=Walk through it")
    shown = page.locator(".walking h2")
    steps = int(shown.inner_text().rpartition(" ")[2])
    assert shown.inner_text() == f"Step 0 of {steps}" and page.locator(".log p").count() < lines
    for number in range(1, steps + 1):
        page.keyboard.press("ArrowRight")
        page.wait_for_function(
            "text => document.querySelector('.walking h2').textContent === text", arg=f"Step {number} of {steps}"
        )
        assert not page.query_selector("main [data-action]"), "what was asked then is not asked again"
    assert page.locator(".log p").count() == lines
    page.click("[aria-label^='One step back']")
    page.wait_for_function(
        "text => document.querySelector('.walking h2').textContent === text", arg=f"Step {steps - 1} of {steps}"
    )
    assert person.look("overflow") == []
    page.keyboard.press("Escape")
    assert page.inner_text(".over h2") == result
    assert person.complaints == []
    person.close()


@pytest.mark.parametrize("game", ["leduc_poker", "othello"])
def test_the_plain_page_plays_a_whole_game(game, browser, serve):
    """The table as headings, lists and buttons."""
    server = serve(game, "--seed", "4")
    person = Person(browser, server.seats[0].replace("#", "?plain=1#"))
    page = person.page
    page.click("text=Begin the game")
    given = 0
    while not page.query_selector(".over"):
        until(lambda: page.query_selector(".over, main.plain ol button[data-action]"))
        if page.query_selector(".over"):
            break
        before = page.text_content("main")
        page.locator("main.plain ol button[data-action]").first.click()
        until(lambda before=before: page.text_content("main") != before)
        given += 1
    assert given > 0
    assert person.complaints == []
    person.close()


def test_it_is_begun_from_the_table_and_not_from_what_stands_there_before(browser, serve):
    """A button that is replaced by another while it is pressed is not pressed."""
    page = browser.new_page()
    page.set_default_timeout(20_000)
    held = []

    def between(socket) -> None:
        server = socket.connect_to_server()

        def arrived(text: str) -> None:
            if json.loads(text)["type"] == "view":
                held.append((socket, text))
            else:
                socket.send(text)

        server.on_message(arrived)

    page.route_web_socket("**/ws", between)
    page.goto(serve("kuhn_poker", "--seed", "1").seats[0])
    while not held:
        page.wait_for_timeout(20)
    page.wait_for_timeout(300)  # who sits where has come by then
    page.wait_for_selector("text=Coming to the table")
    assert not page.query_selector(".begin")
    for socket, text in held:
        socket.send(text)
    page.click(".table .begin .primary")
    page.wait_for_selector(".table .question:not(.begin)")
    page.close()


SIGNS = """
rulespec: 1
id: signs
players: 1
types:
  Sign: [shield, axe, food]
state:
  shown: {is: bag of Sign, starts: 1 of shield + 1 of axe + 2 of food, seen by: all}
phases:
  game:
    do:
      - choose: sign
        by: p1
        from: Sign
        say: Which side shall it show?
      - log: "{p1} turns to {sign}"
"""


def test_answers_that_stand_in_a_bar_that_scrolls_stand_in_the_question_too(browser, serve, tmp_path):
    """On a phone, where a repeated answer is otherwise left out."""
    (tmp_path / "signs.yaml").write_text(SIGNS, encoding="utf-8")
    person = Person(browser, serve(str(tmp_path / "signs.yaml")).seats[0], size=(390, 844))
    person.begin()
    person.asked()
    bar, question = (person.page.locator(f"{where} [data-action][data-walk=yes]") for where in (".bar", ".question"))
    assert bar.count() == 3
    assert [one.is_visible() for one in question.all()] == [True] * 3
    question.first.click()
    assert not person.asked()
    person.close()


GEMS = """
rulespec: 1
id: gems
players: 1
types:
  Gem: [ruby, opal, jade]
zones:
  bank: {of: Gem, kept as: counts, starts with: 5 of ruby + 5 of opal + 5 of jade}
phases:
  game:
    do:
      - choose: gems
        by: p1
        from: bank
        count: 3
        say: Take three
      - log: "{p1} takes {gems}"
"""


@pytest.mark.parametrize("by", ["clicks", "keys"])
def test_how_many_of_each_is_counted_up_and_down(by, browser, serve, tmp_path):
    (tmp_path / "gems.yaml").write_text(GEMS, encoding="utf-8")
    person = Person(browser, serve(str(tmp_path / "gems.yaml")).seats[0])
    person.begin()
    person.asked()
    page = person.page
    assert page.locator(".stepper b").inner_text() == "ruby"
    for key, button in (("+", ".more"), ("+", ".more"), ("+", ".more"), ("-", ".less")):
        page.keyboard.press(key) if by == "keys" else page.click(f".stepper {button}")
    assert page.locator(".stepper output").inner_text() == "2"
    page.keyboard.press("Enter") if by == "keys" else page.click(".stepper .primary")
    page.wait_for_selector(".settled")
    assert page.inner_text(".settled").split() == ["2", "ruby"] and page.inner_text(".tally") == "2 of 3"
    page.keyboard.press("1") if by == "keys" else (page.click(".stepper .more"), page.click(".stepper .primary"))
    page.wait_for_selector(".question.over")
    assert "takes 2 ruby and 1 opal" in page.text_content(".log")
    assert person.complaints == []
    person.close()


def test_looking_closely_tells_what_it_does_and_the_paragraphs(browser, serve):
    server = serve("five_armies", "--seed", "2")
    person = Person(browser, server.seats[0])
    person.begin()
    person.asked()
    page = person.page
    page.locator("main [data-thing^='Character/']").first.click(button="right", force=True)
    page.wait_for_selector("dialog .written .effect li")
    assert "rulebook (2014), line" in page.text_content("dialog .cites")
    assert person.look("overflow") == []
    page.keyboard.press("Escape")
    assert person.complaints == []
    person.close()


def test_the_rules_can_be_read(browser, serve):
    person = Person(browser, serve("hobbit_card_game", "--seed", "2").seats[0])
    person.begin()
    page = person.page
    page.click("text=Rules")
    page.wait_for_selector("dialog .written .cites dd")
    assert "trick-taking game" in page.inner_text("dialog") and "If purple is led" in page.inner_text("dialog")
    assert person.complaints == []
    person.close()


def test_the_host_has_a_case_written(browser, serve, tmp_path):
    folder = tmp_path / "kuhn_poker"
    shutil.copytree(ROOT / "games/kuhn_poker", folder, ignore=shutil.ignore_patterns("cases"))
    server = serve(str(folder), "--all", "--seed", "5")
    people = [Person(browser, link, seed=n) for n, link in enumerate(server.seats)]
    people[0].begin()
    assert people[0].page.locator("text=Case").count() == 0
    host = Person(browser, server.links["the host"])
    host.page.click(".bar >> text=Case")
    host.page.fill("dialog.case input", "first_bets")
    host.page.keyboard.press("Enter")
    host.page.wait_for_selector("dialog.case >> text=begins here")
    host.page.keyboard.press("Escape")
    play(people, 2)
    host.page.click(".bar >> text=Case")
    host.page.click("dialog.case >> text=End the case first_bets here")
    host.page.wait_for_selector(f"dialog.case >> text=written: the case `first_bets` in {folder}")
    assert host.look("overflow") == [] and host.complaints == []
    assert "  first_bets:\n" in (folder / "cases/recorded.yaml").read_text(encoding="utf-8")
    for person in (*people, host):
        person.close()


def test_what_is_told_of_two_cells_is_a_line_between_them(browser, serve):
    """From middle to middle; with a screen reader it is said of the cell at which it lies."""
    person = Person(browser, serve(str(ROOT / "tests/table/boxes.yaml"), "--seed", "2").seats[0])
    person.begin()
    for _ in range(2):
        assert person.asked()
        person.answer("clicks")
    assert person.asked()
    page = person.page
    lines = page.eval_on_selector_all(
        ".ties line",
        "all => all.map((one) => one.getBoundingClientRect()).map(({x, y, right, bottom}) => [x, y, right, bottom])",
    )
    said = page.eval_on_selector_all(
        ".cell .spot", "all => all.map((one) => one.ariaLabel).filter((one) => one.includes('drawn'))"
    )
    assert len(lines) == 4 == sum(text.count("drawn ") for text in said)  # two of each player
    middles = page.eval_on_selector_all(
        ".cell",
        "all => all.map((one) => one.getBoundingClientRect()).map((box) => [box.x + box.width / 2, box.y + box.height / 2])",
    )
    for x, y, right, bottom in lines:
        assert all(any(abs(a - c) + abs(b - d) < 20 for c, d in middles) for a, b in ((x, y), (right, bottom)))
    assert page.eval_on_selector_all(".holds", "all => all.length") == 0
    assert person.look("overflow") == [] and person.complaints == []
    person.close()

"""What hands do at a table: pieces are carried, boards turned, a second click gives nothing away, moves are shown again."""

from __future__ import annotations

from tests.helpers.browsing import Person, until

TAKES = """
rulespec: 1
id: takes
players: 1
state:
  taken: 0..9
phases:
  game:
    do:
      - repeat: 3
        do:
          - offer: action
            by: p1
            options:
              take: {say: Take one, do: [{set: taken, to: taken + 1}]}
              leave: {say: Leave it, do: [skip]}
"""


def middle(person: Person, thing: str) -> tuple[float, float]:
    box = person.page.locator(f"main [data-thing='{thing}']").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def carry(person: Person, piece: str, goal: tuple[float, float]) -> None:
    """Take a piece by the mouse and put it down somewhere."""
    mouse, (x, y) = person.page.mouse, middle(person, piece)
    mouse.move(x, y)
    mouse.down()
    mouse.move((x + goal[0]) / 2, (y + goal[1]) / 2)
    mouse.move(*goal)
    assert person.page.locator(".carried").count() == 1
    mouse.up()
    assert person.page.locator(".carried").count() == 0


def test_a_man_is_carried_to_its_square_and_nowhere_else(browser, serve):
    person = Person(browser, serve("chess", "--seed", "1").seats[0])
    person.begin()
    person.asked()
    page = person.page
    mouse, log = page.mouse, page.locator(".log")
    mouse.move(*middle(person, "Square/b1"))
    mouse.down()
    mouse.move(*middle(person, "Square/b3"))
    until(lambda: page.locator(".goal").count() == 2)  # a3 and c3
    mouse.up()
    until(lambda: page.locator(".note").count() == 1)
    assert page.locator(".goal, .lifted").count() == 0 and "b1" not in log.inner_text()
    carry(person, "Square/b1", middle(person, "Square/c3"))
    until(lambda: "b1" in log.inner_text() and "c3" in log.inner_text(), log.inner_text)
    assert person.complaints == []
    person.close()


def test_a_card_is_carried_to_the_middle(browser, serve):
    person = Person(browser, serve("hobbit_card_game", "--seed", "2").seats[0])
    person.begin()
    person.asked()
    page = person.page
    card = page.locator(".hand [data-walk=yes]").first.get_attribute("data-thing")
    box = page.locator(".centre").bounding_box()
    carry(person, card, (box["x"] + 40, box["y"] + box["height"] / 2))
    until(lambda: page.locator(f".hand [data-thing='{card}']").count() == 0, lambda: page.inner_text(".question"))
    person.close()


def test_the_second_of_two_clicks_is_none_on_what_comes_next(browser, serve, tmp_path):
    (tmp_path / "takes.yaml").write_text(TAKES, encoding="utf-8")
    person = Person(browser, serve(str(tmp_path / "takes.yaml")).seats[0])
    person.begin()
    person.asked()
    page = person.page
    taken = page.locator(".bar .counter b")
    box = page.locator(".answer", has_text="Take one").bounding_box()
    page.mouse.move(box["x"] + 8, box["y"] + 8)
    page.mouse.down()
    page.mouse.up()
    until(lambda: taken.inner_text() == "1")
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    page.wait_for_selector(".note span")
    assert "only the first" in page.inner_text(".note") and taken.inner_text() == "1"
    page.mouse.down()
    page.mouse.up()
    until(lambda: taken.inner_text() == "2")
    person.close()


def test_black_has_his_men_near_and_the_board_is_turned(browser, serve):
    server = serve("chess", "--seed", "1", "--all")
    people = [Person(browser, link) for link in server.seats]
    people[0].begin()
    for person in people:
        until(lambda person=person: person.page.locator(".question:not(.begin)").count() == 1)
    white, black = (middle(person, "Square/e1")[1] > middle(person, "Square/e8")[1] for person in people)
    assert (white, black) == (True, False)
    page = people[1].page
    assert page.inner_text(".lines").split() == [str(n) for n in range(1, 9)]
    dark = page.locator(".cell.dark [data-thing]").evaluate_all("all => all.map((one) => one.dataset.thing)")
    assert "Square/a1" in dark and len(dark) == 32
    page.click("[aria-label='Turn the board']")
    until(lambda: middle(people[1], "Square/e1")[1] > middle(people[1], "Square/e8")[1])
    page.reload()
    page.wait_for_selector(".board")
    assert middle(people[1], "Square/e1")[1] > middle(people[1], "Square/e8")[1]
    for person in people:
        person.close()


def test_what_has_happened_is_shown_again(browser, serve):
    person = Person(browser, serve("hobbit_card_game", "--seed", "2").seats[0])
    person.begin()
    page = person.page
    for _ in range(2):
        person.asked()
        person.answer("clicks")
    person.asked()
    now = page.inner_text(".log")
    page.click("[aria-label='Once more']")
    page.wait_for_selector(".walking")
    until(lambda: "Step 1" in page.inner_text(".walking h2"))
    assert page.inner_text(".log") != now and not page.query_selector("main [data-action]")
    page.click("text=Back to the game")
    assert page.inner_text(".log") == now and person.asked()
    assert person.complaints == []
    person.close()

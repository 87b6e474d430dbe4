"""What stays on the table stays where it is, to the pixel, while questions, reasons and pieces come and go; and all of it can be seen."""

from __future__ import annotations

import pytest

from tests.helpers.browsing import Person

# The game, how many answers are watched, and how often what lies around the table may take more room, which it then keeps.
GAMES = [("chess", 14, 0), ("tic_tac_toe", 4, 0), ("hex", 6, 0), ("five_armies", 14, 4)]
SIZES = [(1400, 900), (1024, 720)]

WHERE = """() => Object.fromEntries([...document.querySelectorAll('.board .cell, .map .place')].map((one) => {
  const map = one.closest('.map'), box = one.getBoundingClientRect();
  const [left, top] = map ? [map.scrollLeft, map.scrollTop] : [0, 0];
  const wide = map ? [] : [box.width, box.height];
  const name = one.dataset.place ?? one.querySelector('.spot').dataset.thing;
  return [name, [box.x + left, box.y + top, ...wide].map(Math.round)];
}))"""
# Places of a map that cover each other.
COVERED = """() => {
  const box = (one) => [one.dataset.place, one.getBoundingClientRect()];
  const all = [...document.querySelectorAll('.map .place')].map(box);
  const across = (a, b) => Math.min(a.right, b.right) - Math.max(a.x, b.x) > 2;
  const down = (a, b) => Math.min(a.bottom, b.bottom) - Math.max(a.y, b.y) > 2;
  const under = (name, a, others) => others.filter(([, b]) => across(a, b) && down(a, b)).map(([other]) => [name, other]);
  return all.flatMap(([name, a], n) => under(name, a, all.slice(n + 1)));
}"""


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize(("game", "answers", "grows"), GAMES, ids=[row[0] for row in GAMES])
def test_what_stays_does_not_move(game, answers, grows, size, browser, serve):
    person = Person(browser, serve(game, "--seed", "5").seats[0], size=size)
    person.begin()
    moved: list[str] = []
    before: dict[str, list[int]] = {}
    for number in range(answers):
        if not person.asked():
            break
        for refused in (False, True):
            if refused and (other := person.page.query_selector("main [data-thing][aria-disabled=true]")):
                other.evaluate("node => node.click()")  # a reason is read
            person.look("settled")
            now = person.page.evaluate(WHERE)
            far = [(name, before[name], where) for name, where in now.items() if before and before[name] != where]
            if far:
                moved.append(f"answer {number}: {len(far)}, {far[:2]}")
            before = now
            assert person.page.evaluate(COVERED) == []
        person.answer("clicks")
    assert before
    assert len(moved) <= grows, moved
    person.close()

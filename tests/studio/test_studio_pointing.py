"""From the table to the line that made something there, and from a line to the table."""

from __future__ import annotations

from pathlib import Path

import rulespec
from interpreter import Game
from rulespec.text.source import Span
from tests.helpers.studying import Page, studied
from tools.studio.pointing import asks, lit, place_of
from tools.studio.projects import MAIN
from tools.studio.studio import Studio

GAME = """\
rulespec: 1
id: shops
title: Shops
players: 2
pieces:
  Ware:
    fields: {price: 0..9}
    rows:
      rope: {price: 2}
      tent: {price: 3}
      lamp: {price: 7}
zones:
  shop: {of: Ware, starts with: all}
  bag: {of: Ware, per: Player}
state:
  coins: {is: 0..9, starts: 5}
phases:
  game:
    do:
      - for: p in players
        do:
          - choose: ware
            by: p
            from: shop
            only:
              - if: ware.price <= coins
                why: "{ware} is too dear"
          - move: ware
            to: p.bag
end of game:
  winners: all
"""


def at(span: Span | None) -> str:
    return "" if span is None else span.source.line(span.line).strip()


def number(text: str) -> int:
    """The line of the game that has a text."""
    return next(n for n, line in enumerate(GAME.splitlines(), 1) if text in line)


def test_each_thing_leads_to_the_line_that_made_it(tmp_path: Path) -> None:
    file = tmp_path / MAIN
    file.write_text(GAME, encoding="utf-8")
    checked, findings = rulespec.check(file)
    assert checked is not None, findings
    state = Game(checked, backend="python").new_state(1)
    seat = state.current_player()

    def line(what: str, name: str = "", who: int | None = seat) -> str:
        return at(place_of(checked.context, state, who, what, name))

    assert line("thing", "Ware/lamp") == "lamp: {price: 7}"
    assert line("thing", "Player/p1") == "players: 2"
    assert line("zone", "bag.p1") == "bag: {of: Ware, per: Player}"
    assert line("zone", "shop") == "shop: {of: Ware, starts with: all}"
    assert line("question").startswith("- choose: ware")
    assert line("why", "lamp: lamp is too dear") == "- if: ware.price <= coins"
    assert line("why", "nothing of the kind").startswith("- choose: ware")
    for what, name in (("thing", "Nosuch/x"), ("zone", "nosuch"), ("thing", ""), ("zone", "")):
        assert line(what, name) == ""
    assert line("question", who=None) == ""

    def lights(text: str) -> tuple[list[str], list[str]]:
        return lit(checked.context, file.resolve(), number(text))

    assert lights("  rope:") == (["Ware/rope"], [])
    assert lights("  Ware:") == (["Ware/rope", "Ware/tent", "Ware/lamp"], [])
    assert lights("  bag:") == ([], ["bag"])
    assert lights("winners") == ([], [])
    assert asks(state, seat, file.resolve(), number("- choose")) and not asks(
        state, None, file.resolve(), number("- choose")
    )


def test_a_page_asks_in_both_directions(tmp_path: Path) -> None:
    (tmp_path / MAIN).write_text(GAME, encoding="utf-8")

    async def work(made: Studio, port: int) -> None:
        async with Page(made, port) as page:
            await page.ask(type="open", game=tmp_path.name)
            await page.table(good=True)
            assert await page.ask(type="where", what="thing", name="Ware/rope") == {
                "id": "n2", "type": "where", "file": MAIN, "line": 9, "column": 7,
            }  # fmt: skip
            assert (await page.ask(type="where", what="zone", name="x"))["type"] == "illegal"
            assert (await page.ask(type="lit", file=MAIN, line=number("tent")))["things"] == ["Ware/tent"]
            assert (await page.ask(type="lit", file=MAIN, line=number("- choose")))["asks"] is True

    studied(tmp_path / MAIN, work)

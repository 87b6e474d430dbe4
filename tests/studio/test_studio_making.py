"""New games, copies and variants, made in the studio."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.helpers.studying import Page, studied
from tools.studio.projects import MAIN
from tools.studio.studio import Studio

REFUSED = (
    ("template", "my_card", "card"), ("copy", "crosses", "my_card"), ("variant", "wild_ones", "crosses"), ("template", "Ä", "card"),
    ("template", "../x", "card"), ("template", "x", "../card"), ("copy", "x", "nosuch"), ("variant", "x", "nosuch"),
    ("nosuch", "x", "card"),
)  # fmt: skip


def test_games_copies_and_variants_are_made_and_nothing_is_written_over(tmp_path: Path) -> None:
    async def work(made: Studio, port: int) -> None:
        async with Page(made, port) as page:

            async def make(what: str, name: str, of: str) -> Any:
                return await page.ask(type="make", what=what, name=name, title="Of ours", of=of)

            for kind in ("blank", "card", "board", "map"):
                reply = await make("template", f"my_{kind}", kind)
                assert (reply["type"], reply["game"], reply["file"]) == ("made", f"my_{kind}", MAIN)
            assert (await make("copy", "crosses", "shipped/tic_tac_toe"))["game"] == "crosses"
            assert (await make("variant", "wild_ones", "shipped/tic_tac_toe"))["file"] == "wild_ones.yaml"
            assert (await make("variant", "wild_ones", "crosses"))["file"] == "variants/wild_ones.yaml"
            for what, name, of in REFUSED:
                assert (await make(what, name, of))["type"] == "illegal", (what, name, of)
            for game, file in (
                ("my_map", MAIN),
                ("crosses", "variants/wild_ones.yaml"),
                ("wild_ones", "wild_ones.yaml"),
            ):
                start = len(page.said)
                assert (await page.ask(type="open", game=game))["title"].endswith("Of ours")
                await page.ask(type="look", file=file)
                await page.table(good=True, start=start)

    studied(tmp_path, work)
    assert {path.name for path in tmp_path.iterdir()} >= {
        "my_blank",
        "my_card",
        "my_board",
        "my_map",
        "crosses",
        "wild_ones",
    }

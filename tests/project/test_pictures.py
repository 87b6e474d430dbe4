"""The pictures of tables in a terminal show what a terminal shows today, and each stands on a page."""

from __future__ import annotations

import pytest

from tests.helpers.places import ROOT
from tools.terminal.pictures import FOLDER, picture, wanted, words


@pytest.mark.parametrize("name", sorted(wanted()))
def test_a_picture_is_the_table_of_today(name: str) -> None:
    kept = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert words(picture(**wanted()[name])) == words(kept), "`make pictures` draws it again"


def test_every_picture_stands_on_a_page() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "games").glob("*/README.md")]
    shown = "".join(page.read_text(encoding="utf-8") for page in pages)
    assert [file.name for file in FOLDER.iterdir() if file.suffix != ".yaml" and f"/{file.name})" not in shown] == []

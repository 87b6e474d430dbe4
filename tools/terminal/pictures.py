"""Pictures of the table in a terminal for the handbook: `python -m tools.terminal.pictures` writes them, `make pictures` does so."""

from __future__ import annotations

import asyncio
import html
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

import rulespec
from interpreter import Game
from interpreter.bots.basics import Chance

from ..session import Session
from .app import PlayApp

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)  # a picture asks no other machine for letters


def session_at(game: str, players: int, seed: int, moves: int, choices: int = 3) -> Session:
    """A game after some random answers, where the first seat may choose among so many."""
    opened = Game(rulespec.load(game, cache=True), players=players)
    state, chance = opened.new_state(seed), Chance(seed)
    while moves > 0 or state.current_player() != 0 or len(state.legal_actions()) < choices:
        state.apply_action(chance.one_of(state.legal_actions()))
        moves -= 1
    return Session(opened, state, {0}, seed)


def drawn(session: Session, size: tuple[int, int], typed: Sequence[str] = ()) -> str:
    """The screen as SVG, after answers were typed by their names."""
    app = PlayApp(session, pace=0, system="truecolor")

    async def shot() -> str:
        async with app.run_test(size=size) as pilot:
            while app.busy or not app.begun:
                await pilot.pause()
            await pilot.pause()
            for word in typed:
                await pilot.press(*word, "enter")
                await pilot.pause()
                while app.busy:
                    await pilot.pause()
            await pilot.pause()
            return app.export_screenshot(title=f"rulespec play {session.game.id}")

    return FONT.sub("", asyncio.run(shot())).replace("Fira Code", "DejaVu Sans Mono")


def words(picture: str) -> str:
    """What can be read on a picture of the screen, without how it is drawn; the title in its frame is left out."""
    rows: dict[float, str] = {}
    for place, text in re.findall(r'<text [^>]*y="([\d.]+)"[^>]*clip-path[^>]*>(.*?)</text>', picture):
        rows[float(place)] = rows.get(float(place), "") + html.unescape(text).replace("\xa0", " ")
    return "\n".join(rows[place].rstrip() for place in sorted(rows))


def wanted() -> dict[str, dict[str, Any]]:
    """What `docs/pictures/terminal.yaml` says of each picture, by its name."""
    named: dict[str, dict[str, Any]] = yaml.safe_load((FOLDER / "terminal.yaml").read_text(encoding="utf-8"))
    return named


def picture(game: str, players: int, seed: int, moves: int, columns: int, rows: int, choices: int = 3) -> str:
    """The picture that an entry of that file asks for."""
    return drawn(session_at(game, players, seed, moves, choices), (columns, rows))


def main() -> int:
    """Write those that `docs/pictures/terminal.yaml` names."""
    for name, entry in wanted().items():
        (FOLDER / f"{name}.svg").write_text(picture(**entry), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

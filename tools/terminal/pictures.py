"""Pictures of the table in a terminal for the handbook: `python -m tools.terminal.pictures` writes them, `make pictures` does so."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

import rulespec
from interpreter import Game
from interpreter.bots.basics import Chance

from ..session import Session
from .app import PlayApp

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
# Name: game, players, seed, at least so many random answers, columns and rows.
PICTURES = {
    "terminal_cards": ("hobbit_card_game", 4, 3, 34, (120, 40)),
    "terminal_map": ("five_armies", 2, 1, 62, (120, 40)),
    "terminal_board": ("chess", 2, 4, 20, (80, 24)),
}
FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)  # a picture asks no other machine for letters


def session_at(game: str, players: int, seed: int, moves: int) -> Session:
    """A game after some random answers, where the first seat has a choice."""
    opened = Game(rulespec.load(game, cache=True), players=players)
    state, chance = opened.new_state(seed), Chance(seed)
    while moves > 0 or state.current_player() != 0 or len(state.legal_actions()) < 3:
        state.apply_action(chance.one_of(state.legal_actions()))
        moves -= 1
    return Session(opened, state, [0], seed)


def drawn(session: Session, size: tuple[int, int]) -> str:
    """The screen as SVG."""
    app = PlayApp(session, pace=0, system="truecolor")

    async def shot() -> str:
        async with app.run_test(size=size) as pilot:
            while app.busy or not app.begun:
                await pilot.pause()
            await pilot.pause()
            return app.export_screenshot(title=f"rulespec play {session.game.id}")

    return FONT.sub("", asyncio.run(shot())).replace("Fira Code", "DejaVu Sans Mono")


def main() -> int:
    """Write them all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, (game, players, seed, moves, size) in PICTURES.items():
        (FOLDER / f"{name}.svg").write_text(drawn(session_at(game, players, seed, moves), size), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

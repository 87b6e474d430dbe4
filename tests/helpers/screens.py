"""Games played on the screen by keys alone, as Textual's pilot does, without its waits for an idle processor."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from typing import Any

import pytest

from interpreter import Game
from tests.helpers.games import loaded
from tools.session import Session
from tools.terminal.app import PlayApp

MOVES = ("left", "right", "up", "down", "tab", "shift+tab", "shift+right")
MOST_KEYS = 20_000


def impatient(patch: pytest.MonkeyPatch) -> None:
    """Keys are pressed as soon as the one before has been taken."""

    async def soon(*_: Any) -> None:
        for _ in range(3):
            await asyncio.sleep(0)

    patch.setattr("textual.app.wait_for_idle", soon)
    patch.setattr("textual.pilot.wait_for_idle", soon)


def opened(name: str, players: int | None, seed: int, people: Sequence[int] = (0,), **options: Any) -> Session:
    """A game at its beginning."""
    game = Game(loaded(name), players=players, options=options)
    return Session(game, game.new_state(seed), set(people), seed)


async def settled(app: PlayApp) -> None:
    """Wait until a person is asked, or the game is over."""
    while (app.busy or not app.begun) and app.is_running:
        await asyncio.sleep(0.001)


async def played(app: PlayApp, size: tuple[int, int], seed: int, keys: int = MOST_KEYS, digits: bool = False) -> int:
    """Play with random keys until the game is over, or so many are pressed; how many were."""
    dice = random.Random(seed)
    pressed = 0
    async with app.run_test(size=size) as pilot:
        await settled(app)
        while pressed < keys and app.is_running and app.fault is None:
            over = app.session.state.is_terminal()
            if over and len(app.screen_stack) == 1:
                break
            if len(app.screen_stack) > 1:
                several = ["escape"] if over else [dice.choice(("enter", "1", "escape", "down"))]
            elif digits:
                several = [dice.choice("123456789"), "enter"]
            else:
                several = [
                    *(dice.choice(MOVES) for _ in range(dice.randrange(3))),
                    dice.choice(("enter", "enter", "space")),
                ]
                if dice.random() < 0.1:
                    several.append(dice.choice(("i", "u", "question_mark", "l", "m", "f1", "escape")))
            for key in several:
                await pilot.press(key)
                await settled(app)
            pressed += len(several)
    return pressed


def by_keys(session: Session, size: tuple[int, int], seed: int = 1, system: str = "truecolor", **how: Any) -> PlayApp:
    """A session played to its end by random keys."""
    app = PlayApp(session, pace=0, system=system)
    asyncio.run(played(app, size, seed, **how))
    return app

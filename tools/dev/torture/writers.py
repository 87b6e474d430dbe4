"""Two writers of one file, and one who reads it meanwhile: every reading is a whole save of one of them."""

from __future__ import annotations

import os
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from interpreter import Game

from .writer import WrittenFiles, forked, numbers, write


def two_writers(game: Game, folder: Path, answers: int) -> tuple[int, list[str]]:
    """How many readings there were while two processes saved so many answers each, and what was wrong."""
    faults: list[str] = []
    folder.mkdir()
    save = folder / "game.save.json"
    readings = 0
    with ExitStack() as stack:
        children = [
            stack.enter_context(
                forked(partial(write, game, WrittenFiles(save, folder / f"{number}.jsonl"), number, answers=answers))
            )
            for number in (1, 2)
        ]
        alive = {child for child, _ in children}
        while alive:
            for child in list(alive):
                gone, status = os.waitpid(child, os.WNOHANG)
                if gone:
                    alive.discard(child)
                    if os.waitstatus_to_exitcode(status) != 0:
                        faults.append("a writer failed")
            readings += whole(game, save, faults)
            time.sleep(0.002)
        for _, reading in children:
            if len(numbers(reading)) != answers:
                faults.append("an answer was not saved")
    left = [name for name in os.listdir(folder) if name.startswith(".")]
    if left:
        faults.append(f"left over: {', '.join(left[:5])}")
    return readings, faults


def whole(game: Game, save: Path, faults: list[str]) -> bool:
    """Whether there is a save; a fault if it is not whole."""
    try:
        game.state_from_json(save.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return False
    except Exception as error:
        faults.append(f"a save is not whole: {error}")
    return True

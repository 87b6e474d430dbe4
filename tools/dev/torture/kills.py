"""Writers that are killed in the middle: no acknowledged answer is lost, and no half file is believed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import field
from functools import partial
from pathlib import Path

from interpreter import Game, State
from interpreter.bots.basics import Chance
from interpreter.files import transcript
from rulespec.system import files
from rulespec.system.records import dataclass

from .writer import WrittenFiles, forked, how_far, numbers, write, write_on

LONGEST = 20_000  # microseconds that a writer lives on after it has told of what it was to tell of
MOST_TOLD = 2


@dataclass
class Killed:
    """What became of writers that were killed."""

    kills: int = 0
    acknowledged: int = 0  # answers, in all
    amid: int = 0  # kills that left a file that was being written
    faults: list[str] = field(default_factory=list)


def kill_writers(game: Game, folder: Path, times: int, progress: Callable[[int], None] = lambda _: None) -> Killed:
    """Kill a writer so often, each going on from where the one before was killed."""
    where = WrittenFiles(folder / "game.save.json", folder / "game.jsonl")
    done, chance = Killed(), Chance(1)
    last = 0  # what the file is known to hold
    state = game.new_state(1, undo=False)
    for number in range(times):
        with forked(partial(write_on, state, where, number)) as (child, reading):
            told = numbers(reading, chance.below(MOST_TOLD + 1))
            time.sleep(chance.below(LONGEST) / 1e6)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            told += numbers(reading)
        done.kills += 1
        done.acknowledged += len(told)
        done.amid += any(files.TEMPORARY.fullmatch(name) for name in os.listdir(folder))
        last = told[-1] if told else last
        state = look(state, where, last, done.faults)
        last = how_far(state) if where.save.exists() else 0
        progress(number + 1)
    settle(game, where, folder, done)
    return done


def look(begun: State, where: WrittenFiles, last: int, faults: list[str]) -> State:
    """The position that a killed writer has left, or where it began if it left none."""
    try:
        state = begun.game.state_from_json(where.save.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if last:
            faults.append("a save that was acknowledged is gone")
        return begun
    except Exception as error:
        faults.append(f"a save is not whole: {error}")
        return begun
    saved = how_far(state)
    # A writer may have saved one more answer than it could tell of, or begun a new game with it.
    if saved >> 20 == last >> 20:
        if saved < last:
            faults.append(f"{last - saved} acknowledged answers are lost")
    elif last and state.decisions:
        faults.append("the save is of another game than was acknowledged")
    if where.script.exists():
        try:
            transcript.read(where.script.read_text(encoding="utf-8"))
        except Exception as error:
            faults.append(f"a transcript is not whole: {error}")
    return state


def settle(game: Game, where: WrittenFiles, folder: Path, done: Killed) -> None:
    """After all kills a writer that lives leaves nothing but its two files."""
    write(game, where, 7, lambda _: None, answers=1)
    left = sorted(set(os.listdir(folder)) - {where.save.name, where.script.name})
    if left:
        done.faults.append(f"left over: {', '.join(left[:5])}")

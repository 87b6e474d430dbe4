"""A process that plays and saves, and tells what it has saved."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from interpreter import Game, State
from interpreter.bots.basics import Chance
from interpreter.files import transcript
from rulespec.system import files
from rulespec.system.records import dataclass

Told = Callable[[int], None]
SIZE = 8  # bytes of a number that is told


@dataclass(frozen=True, slots=True)
class WrittenFiles:
    """What a writer writes: a save after each answer, and a transcript beside it."""

    save: Path
    script: Path


def play_on(game: Game, state: State, chance: Chance) -> State:
    """One more answer by chance; a new game where one is over."""
    if state.is_terminal():
        return game.new_state(chance.below(1 << 32), undo=False)
    state.apply_action(chance.one_of(state.legal_actions()))
    return state


def write(game: Game, where: WrittenFiles, seed: int, told: Told, *, answers: int | None = None) -> None:
    """Play on from the save that is there, or a new game: see `write_on`."""
    saved = where.save.read_text(encoding="utf-8") if where.save.exists() else None
    state = game.new_state(seed) if saved is None else game.state_from_json(saved)
    write_on(state, where, seed, told, answers=answers)


def write_on(state: State, where: WrittenFiles, seed: int, told: Told, *, answers: int | None = None) -> None:
    """Play on by chance, save each answer, and tell of each how much has been kept in all."""
    game, chance = state.game, Chance(seed)
    while answers is None or answers > 0:
        state = play_on(game, state, chance)
        state.save_to(where.save)
        told(how_far(state))
        files.replace(where.script, transcript.write(state), durable=True)
        if answers is not None:
            answers -= 1


def how_far(state: State) -> int:
    """How much of a game is in a position: its seed and its answers, as one number that grows within a game."""
    return ((state.seed or 0) << 20) | sum(1 for _ in state.answers())


@contextmanager
def forked(work: Callable[[Told], None]) -> Iterator[tuple[int, int]]:
    """Run something in a child process; gives its id and where to read the numbers that it tells, eight bytes each."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        run_and_leave(work, writing)
    os.close(writing)
    try:
        yield child, reading
    finally:
        os.close(reading)


def run_and_leave(work: Callable[[Told], None], writing: int) -> NoReturn:
    """What the child does; nothing of the parent runs on in it."""
    code = 1
    try:
        work(lambda number: void(os.write(writing, number.to_bytes(SIZE, "big"))))
        code = 0
    except BaseException as error:
        os.write(2, f"a writer failed: {type(error).__name__}: {error}\n".encode())
    finally:
        os._exit(code)


def void(_: object) -> None:
    """Nothing."""


def numbers(reading: int, most: int | None = None) -> list[int]:
    """What a child tells: so many numbers, or all until it is gone."""
    told: list[int] = []
    data = b""
    while (most is None or len(told) < most) and (part := os.read(reading, SIZE - len(data))):
        data += part
        if len(data) == SIZE:
            told.append(int.from_bytes(data, "big"))
            data = b""
    return told

"""Games as C beside the same games in Python, for the tests of native play."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter.native import building, compiler
from interpreter.native.emitter.program import source
from tests.helpers.games import GAMES_PLAYED, loaded
from tools.dev import extension

COMPILES = building.core is not None and compiler.find_compiler() is not None
NEEDS_C = pytest.mark.skipif(not COMPILES, reason="needs a C compiler, and the extension module")
# The extension module is not there, though all is that builds it: `RULESPEC_NATIVE=off` says that none is wanted.
NOT_BUILT = building.core is None and extension.command(Path("core.so")) is not None


def warning() -> str:
    """What a run of tests says of native play that it could not try; "" where it could."""
    if COMPILES:
        return ""
    why = "there is no C compiler"
    if building.core is None:
        why = "the extension module is not built" + (": `python -m tools.dev.extension` builds it" if NOT_BUILT else "")
    return f"NATIVE PLAY WAS NOT TESTED: {why}"


@pytest.fixture(scope="module", autouse=True)
def native_on(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Native play, with a folder of its own for objects."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(building.VARIABLE, "on")
        if GAMES_PLAYED < 1000:
            base = tmp_path_factory.getbasetemp()  # of one of several processes: a folder in that of all of them
            folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "objects"
            folder.mkdir(mode=0o700, exist_ok=True)
            patch.setenv("RULESPEC_CACHE", str(folder))  # what one process has compiled no other compiles again
            patch.setattr(compiler, "LARGE", "-O0")
        yield


def pair(folder: Any, players: int, **options: Any) -> tuple[interpreter.Game, interpreter.Game]:
    """One game as C and in Python."""
    found = loaded(folder)
    with (
        open(Path(os.environ["RULESPEC_CACHE"], f"{found.id}.lock"), "w")
        if GAMES_PLAYED < 1000
        else nullcontext() as lock
    ):
        if lock is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)  # of several processes one compiles
        native = interpreter.Game(found, players=players, options=options, backend="native")
    return native, interpreter.Game(found, players=players, options=options, backend="python")


def same_games(folder: Any, games: int) -> str:
    """Plays games of one seat as C and in Python, which must end alike, all of them as C; the text of the C."""
    native, python = pair(folder, 1)
    for seed in range(games):
        one, two = native.playout(seed), python.playout(seed)
        assert one.slots == two.slots and one.decisions == two.decisions, seed
    assert native.handed_over == 0
    return source(native.program).text

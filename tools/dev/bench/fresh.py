"""What a new process does with a game, as told by itself: `python -m tools.dev.bench.fresh WHAT GAME PLAYERS BACKEND`.

`load` prints the seconds of each stage as JSON, with those that the processor worked since the start of Python; `memory` prints
the most bytes held until the end of each; `build` the seconds of writing a game as C and of compiling it, and `threads` the random games a
second on one thread and on two at once, by the clock.
"""

from __future__ import annotations

import json
import sys
from time import perf_counter, process_time

GAMES = 200  # played for `memory`, at most
SECONDS = 2.0
SLICE, TURNS = 0.2, 8  # seconds of the clock that a thread plays at a time, at least; how often


def load(name: str, players: int, backend: str) -> dict[str, float]:
    """Seconds from the first import to a game that can be played."""
    start = perf_counter()
    import interpreter
    import rulespec

    imported = perf_counter()
    gamedef = rulespec.load(name, cache=True)
    loaded = perf_counter()
    interpreter.Game(gamedef, players=players, backend=backend)
    ready = perf_counter()
    return {
        "import": imported - start,
        "load": loaded - imported,
        "compile": ready - loaded,
        "total": ready - start,
        "processor": process_time(),
    }


def memory(name: str, players: int, backend: str) -> dict[str, float]:
    """Bytes held at most: by Python alone, when the game is ready, and when games have been played."""
    peaks = {"bare": peak()}
    import interpreter
    import rulespec

    game = interpreter.Game(rulespec.load(name, cache=True), players=players, backend=backend)
    peaks["loaded"] = peak()
    start = perf_counter()
    for seed in range(GAMES):
        game.playout(seed)
        if perf_counter() - start > SECONDS:
            break
    peaks["played"] = peak()
    return peaks


def build(name: str, players: int, backend: str) -> dict[str, float]:
    """Seconds of the processor for writing C and for compiling it, all its processes together, and by the clock."""
    import interpreter
    import rulespec

    gamedef = rulespec.load(name)
    start = perf_counter()
    game = interpreter.Game(gamedef, players=players, backend=backend)
    total = perf_counter() - start
    loaded = game.native()
    assert loaded is not None
    return {"written": loaded.built.emitting, "compiled": loaded.built.compiling, "total": total}


def threads(name: str, players: int, backend: str) -> dict[str, float]:
    """Games a second on one thread, and on two together; of several turns the best, since others use the machine."""
    from array import array
    from concurrent.futures import ThreadPoolExecutor

    import interpreter
    import rulespec

    game = interpreter.Game(rulespec.load(name), players=players, backend=backend)
    loaded = game.native()
    assert loaded is not None
    rates = {"one": 0.0, "two": 0.0}

    def seconds(workers: int, games: int) -> float:
        rooms = [[array("q", bytes(8 * games * each)) for each in (1, players)] for _ in range(workers)]
        start = perf_counter()
        list(pool.map(lambda number: loaded.program.playouts(number * games, games, *rooms[number]), range(workers)))
        return perf_counter() - start

    with ThreadPoolExecutor(2) as pool:
        games = 64
        while seconds(1, games) < SLICE:
            games *= 2
        for _ in range(TURNS):
            for stage, workers in (("one", 1), ("two", 2)):
                rates[stage] = max(rates[stage], workers * games / seconds(workers, games))
    return rates


def peak() -> float:
    """The most bytes that this process has held; raises OSError where the system does not tell."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as file:
            # `ru_maxrss` is at least what the process held that started us.
            return next(1024.0 * int(line.split()[1]) for line in file if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        pass
    if sys.platform == "win32":
        raise OSError("this system does not tell the peak of memory")
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1.0 if sys.platform == "darwin" else 1024.0)


def main() -> None:
    """Print what was asked for; an error in one line, and code 1, where it fails."""
    quantity, name, players, backend = sys.argv[1:]
    try:
        print(
            json.dumps(
                {"load": load, "memory": memory, "build": build, "threads": threads}[quantity](
                    name, int(players), backend
                )
            )
        )
    except Exception as error:
        print(f"{type(error).__name__}: {' '.join(str(error).split())}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()

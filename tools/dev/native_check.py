"""Looks for mistakes in the C of games and in the extension module: both built with sanitizers, many random games played by them.

`make native-check`, or `python -m tools.dev.native_check [GAME...]`. The address and undefined-behaviour sanitizers end the process at the
first thing they find, and say where; the code is then 1. Games are shipped ones by id, or files; without any, all shipped ones and those
of the tests. It works on a checkout.
"""

from __future__ import annotations

import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import extension

if TYPE_CHECKING:
    from interpreter import Game

SANITIZERS = ("-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
MODULE = "interpreter.native._core"
LIBRARIES = ("libasan.so", "libclang_rt.asan-x86_64.so", "libclang_rt.asan-aarch64.so")
SAMPLED = 10  # games of a hundred playouts that are compared with Python's
MANY = 64  # games of a batch
NO_C = "the game cannot begin in C"  # such as one that begins with a text that values are filled into
UNBUILT = "the extension module of this checkout is not built: `python -m tools.dev.extension` builds it"
FOUND = re.compile(r"^.*(?:runtime error:|ERROR: \w+Sanitizer).*$", re.M)
MOST_SAID = 4000  # characters of a finding
LONGEST = 3600  # seconds that compiling a game may take


@click.command()
@click.argument("games", nargs=-1)
@click.option(
    "--playouts", type=click.IntRange(0), default=1000, show_default=True, help="Of each game and number of players."
)
@click.option(
    "--walks", type=click.IntRange(0), default=100, show_default=True, help="With copies, undo, and what is refused."
)
@click.option("--inside", type=click.Path(path_type=Path), hidden=True)
def command(games: tuple[str, ...], playouts: int, walks: int, inside: Path | None) -> None:
    """Build everything with sanitizers, and play."""
    if inside is not None:
        load_module(inside)
        sys.exit(play(games, playouts, walks))
    import rulespec
    from interpreter.native import building

    if building.core is None:
        print(UNBUILT, file=sys.stderr)
        sys.exit(2)
    names = games or (*(info.id for info in rulespec.list_games()), *map(str, constructs()))
    compiler = shlex.split(os.environ.get("CC", "cc"))
    library = runtime_of(compiler)
    if library is None:
        print("there is no compiler with an address sanitizer", file=sys.stderr)
        sys.exit(2)
    with tempfile.TemporaryDirectory(prefix="rulespec-check-") as folder:
        module = Path(folder) / extension.NAME
        problem = extension.build(module, sanitized=True)
        if problem is not None:
            print(problem, file=sys.stderr)
            sys.exit(2)
        os.environ |= {
            "CC": shlex.join([*compiler, *SANITIZERS]),
            "RULESPEC_CACHE": str(Path(folder) / "cache"),
            "RULESPEC_NATIVE": "on",
        }
        failed = sum(not check(name, module, library, playouts, walks) for name in names)
    print(f"{len(names)} game{'' if len(names) == 1 else 's'}, {failed} with findings")
    sys.exit(1 if failed else 0)


def constructs() -> list[Path]:
    """The games of the tests: each construct of the language, and what goes wrong in every way."""
    tests = Path(extension.ROOT, "tests")
    own = (tests / f"native/{name}.yaml" for name in ("mischief", "words", "reaching", "turns"))
    return [*sorted(tests.glob("conformance/play/*.yaml")), *own]


def runtime_of(compiler: list[str]) -> str | None:
    """The library that has to be loaded before Python itself is; None where there is none."""
    for name in LIBRARIES:
        try:
            told = subprocess.run(
                [*compiler, f"-print-file-name={name}"], capture_output=True, text=True, timeout=60
            ).stdout
        except (OSError, subprocess.SubprocessError):
            return None
        if os.path.isabs(told.strip()) and Path(told.strip()).exists():
            return told.strip()
    return None


def check(name: str, module: Path, library: str, playouts: int, walks: int) -> bool:
    """Make the objects of a game, play it in a process of its own, and say what came of it."""
    start = time.perf_counter()
    make(name)
    words = [sys.executable, "-m", "tools.dev.native_check", "--inside", str(module)]
    words += ["--playouts", str(playouts), "--walks", str(walks), name]
    options = {
        "ASAN_OPTIONS": "detect_leaks=0:halt_on_error=1",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONMALLOC": "malloc",
    }
    done = subprocess.run(
        words, env={**os.environ, **options, "LD_PRELOAD": library}, cwd=extension.ROOT, capture_output=True, text=True
    )
    said = done.stdout.strip() if done.returncode == 0 else f"{name}: {found_in(done.stderr or done.stdout)}"
    print(f"{said} ({time.perf_counter() - start:.0f} s)", flush=True)
    return done.returncode == 0


def found_in(said: str) -> str:
    """What a sanitizer said from the line on that says what it found; the end of it where there is no such line."""
    found = FOUND.search(said)
    return said[found.start() :][:MOST_SAID] if found else said[-MOST_SAID:]


def make(name: str) -> None:
    """The objects of a game, which cannot be loaded in this process."""
    import rulespec
    from interpreter import Game
    from interpreter.native import building, compiling
    from interpreter.native.objects import key_of

    compiling.BOUNDED = f'ulimit -t {LONGEST}; exec "$@"'  # what sanitizers add takes more than a game may otherwise
    compiling.SECONDS = LONGEST
    there = building.tools()
    assert isinstance(there, building.Tools)
    loaded = rulespec.load(name)
    for players in loaded.players:
        game = Game(loaded, players=players, backend="python")
        built = building.build(game.program, key_of(game.packed.anywhere, there.compiler), there)
        if built.path is None:
            print(f"{name}, {players} players: {built.problem}", file=sys.stderr)


def load_module(path: Path) -> None:
    """Take this build of the extension module for the one beside its sources; it has to be there before the package, which binds it."""
    spec = spec_from_loader(MODULE, ExtensionFileLoader(MODULE, str(path)))
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[MODULE] = module
    spec.loader.exec_module(module)
    import interpreter.native.building

    interpreter.native._core = module
    if interpreter.native.building.core is not module:
        raise ImportError("another build of the extension module is in use")


# --- with the sanitizers ----------------------------------------------------------------------------------------------
def play(names: tuple[str, ...], playouts: int, walks: int) -> int:
    """Play games natively in every way; 1 where one differs from Python's."""
    import rulespec
    from interpreter import Fault, Game, IllegalAction

    failed = 0
    for name in names:
        loaded = rulespec.load(name)
        for players in loaded.players:
            try:
                native = Game(loaded, players=players, backend="native")
            except IllegalAction as error:
                print(f"{name}, {players} players: {error}")
                failed |= not str(error).endswith(NO_C)
                continue
            python = Game(loaded, players=players, backend="python")
            for seed in range(playouts):
                try:
                    end = native.playout(seed)
                except Fault:
                    continue
                if seed % 100 < SAMPLED and end.slots != python.playout(seed).slots:
                    print(f"{name}, {players} players, seed {seed}: ends otherwise than in Python")
                    return 1
            for seed in range(walks):
                walk(native, seed)
            batch(native, walks)
            print(
                f"{name}, {players} players: {playouts} playouts, {walks} walks, {native.handed_over} answers left to Python"
            )
    return failed


def walk(game: Game, seed: int) -> None:
    """A random game with copies, undo, positions handed in, refused answers, and all that is asked of a state."""
    from interpreter import Fault, IllegalAction

    dice = random.Random(seed)
    undo, record = bool(seed & 1), bool(seed & 2)
    chance: dict[str, Any] = {"chance": "explicit"} if seed & 4 else {"seed": seed}
    try:
        state = game.new_state(undo=undo, record=record, **chance)
        for _ in range(400):
            if state.is_terminal():
                break
            what = dice.random()
            seat = dice.choice(state.pending_players() or (None,))
            if what < 0.1:
                state = state.clone()
            elif what < 0.2 and undo:
                state.child(dice.choice(state.legal_actions(seat)), seat).undo()
            elif what < 0.23 and not record:
                state = game.position(state.slots, state.main, undo=undo, record=False)
            elif what < 0.3:
                with suppress(IllegalAction):
                    state.clone().apply_action(dice.choice((-1, 1 << 20, -(1 << 31), dice.randrange(500))), seat)
            state.apply_action(dice.choice(state.legal_actions(seat)), seat)
        state.returns(), state.is_simultaneous(), state.is_chance_node(), state.slots
    except Fault:
        return


def batch(game: Game, steps: int) -> None:
    """Many games at once, for so many steps."""
    from interpreter import Batch, Fault, IllegalAction

    dice = random.Random(steps)
    try:
        games = Batch(game, MANY, seed=1, legal="lists", threads=2, observations=True)
    except (Fault, IllegalAction):  # such as a game that is over before anybody is asked
        return
    try:
        for _ in range(steps):
            rows: Any = games.legal.tolist()
            games.step([dice.choice(rows[place][: games.counts[place]]) for place in range(MANY)])
    except Fault:
        return


if __name__ == "__main__":
    command()

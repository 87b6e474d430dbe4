"""All the ways to play the same games, and whether they come to the same."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import field
from pathlib import Path

import rulespec
from interpreter import Game
from interpreter.runtime.faults import IllegalAction
from rulespec.system.records import dataclass

from .digests import Digests
from .pythons import ROOT, InstalledPython

NATIVE = "native"
BACKENDS = ("python", "reference", NATIVE)


@dataclass(frozen=True)
class Way:
    """One process: which Python, hash seed and back end, which games, and whether every answer is kept."""

    python: InstalledPython
    hash_seed: int
    backend: str
    games: int
    names: tuple[str, ...]
    record: bool = True

    def __str__(self) -> str:
        games = "all games in one process" if len(self.names) > 1 else f"{self.names[0]} alone"
        kept = "every answer" if self.record else "ends only"
        return f"Python {self.python.version}, hash seed {self.hash_seed}, {self.backend}, {kept}, {games}"


@dataclass
class Agreement:
    """What each way came to, and where two differ."""

    digests: dict[bool, Digests] = field(default_factory=lambda: {True: {}, False: {}})
    of: dict[tuple[bool, str], Way] = field(default_factory=dict)
    ways: int = 0
    differences: list[str] = field(default_factory=list)

    def add(self, way: Way, digests: Digests | str) -> None:
        """Compare what a way came to; a text is why it came to nothing."""
        self.ways += 1
        if isinstance(digests, str):
            self.differences.append(f"{way}: {digests}")
            return
        for name, digest in digests.items():
            first = self.digests[way.record].setdefault(name, digest)
            other = self.of.setdefault((way.record, name), way)
            if first != digest:
                self.differences.append(f"{name} is played otherwise by {way} than by {other}")


def ways(
    pythons: list[InstalledPython],
    names: tuple[str, ...],
    games: int,
    hash_seeds: int,
    natively: tuple[str, ...] = (),
) -> Iterator[Way]:
    """Every hash seed with each back end in turn, on the first Python; on each of them each back end; each game alone.

    `natively` are the names of the games that can be played as C.
    """
    first = pythons[0]
    names_of = {NATIVE: natively}
    backends = [backend for backend in BACKENDS if names_of.get(backend, names)]
    for number in range(hash_seeds):
        backend = backends[number % len(backends)]
        record = number < 2 * len(backends)
        yield Way(first, number, backend, games, names_of.get(backend, names), record)
    for python in pythons[1:]:
        for number, backend in enumerate(backends):
            yield Way(python, 100 + number, backend, games, names_of.get(backend, names))
        if natively:  # C's own values are only looked at where it keeps nothing else
            yield Way(python, 100 + len(backends), NATIVE, games, natively, record=False)
    for number, name in enumerate(names):
        able = [backend for backend in backends if name in names_of.get(backend, names)]
        yield Way(first, 200 + number, able[number % len(able)], games, (name,))


def not_native(name: str) -> str | None:
    """Why a game cannot be played as C with one of its numbers of players; None where it can be, and it is compiled then."""
    loaded = rulespec.load(name)
    for players in loaded.players:
        try:
            Game(loaded, players=players, backend=NATIVE)
        except IllegalAction as refusal:
            return str(refusal)
    return None


def run(todo: list[Way], jobs: int, progress: Callable[[int], None] = lambda _: None) -> Agreement:
    """Play all the ways, some at once."""
    comparison = Agreement()
    with ThreadPoolExecutor(jobs) as pool:
        futures = {pool.submit(played, way): way for way in todo}
        for number, future in enumerate(as_completed(futures), 1):
            comparison.add(futures[future], future.result())
            progress(number)
    return comparison


def played(way: Way) -> Digests | str:
    """The digests that a way comes to, or why it does not."""
    words = [way.backend, str(way.games), "record" if way.record else "fast", *way.names]
    done = subprocess.run(
        [str(way.python.program), "-m", "tools.dev.sameness.digests", *words],
        cwd=ROOT,
        env=environment(way),
        capture_output=True,
        text=True,
    )
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["it ended in an error"])[-1]
    digests: Digests = json.loads(done.stdout)
    return digests


def environment(way: Way) -> dict[str, str]:
    """What a process starts with: nothing is kept from earlier ones but objects, which go by what they are made of."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    more = {"PYTHONHASHSEED": str(way.hash_seed), "PYTHONPATH": str(ROOT)}
    if way.backend != NATIVE:
        more["RULESPEC_CACHE"] = "off"
    return kept | more | {"PYTHONPYCACHEPREFIX": str(Path(way.python.program).parent.parent / "pycache")}

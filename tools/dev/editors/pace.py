"""How long an edit takes until what is wrong in names and types is known again: `python -m tools.dev.editors.pace GAME...`.

Words of the rules are typed anew, letter by letter, so that the text is broken in between as it is while somebody writes.  The edits are
the same each time.  Measured is the time of the processor, in this process; the first reading of a game does not count.  With `--served`
it is how long an editor waits for a server, by the clock (`served.py`).
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rulespec.text.diagnostics import Diagnostics
from rulespec.text.locate import find

from ...lsp.cycles import Cycles
from ...lsp.reading import Desk
from ..load.measure import percentile

EDITS, SEED = 300, 1
WORD = re.compile(r"(?<![\w#])[A-Za-z_]\w{2,7}(?!\w)")


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of a text: what stands from one character to another becomes something else."""

    start: int
    end: int
    text: str

    def of(self, text: str) -> str:
        """The text after it."""
        return text[: self.start] + self.text + text[self.end :]


def edits(text: str, number: int = EDITS, seed: int = SEED) -> Iterator[Edit]:
    """At least so many edits after which a text is as it was: words are deleted from their end on, and typed again."""
    dice, done = random.Random(seed), 0
    words = [
        match
        for match in WORD.finditer(text)
        if "#" not in text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
    ]
    while words and done < number:
        match = dice.choice(words)
        start, word = match.start(), match[0]
        for left in range(len(word) - 1, -1, -1):
            yield Edit(start + left, start + left + 1, "")
        for there, letter in enumerate(word):
            yield Edit(start + there, start + there, letter)
        done += 2 * len(word)


def texts(text: str, number: int) -> Iterator[str]:
    """A text after each of some edits."""
    for edit in edits(text, number):
        text = edit.of(text)
        yield text


def measured(main: Path, number: int = EDITS) -> list[float]:
    """Seconds of the processor for each of some edits of a game's main file, until its names and types are checked."""
    text = main.read_text(encoding="utf-8")
    cycles, found = Cycles(), list[float]()
    Desk({main: text}).plain(main)
    cycles.answered(1)
    for changed in texts(text, number):
        begun = time.process_time()
        Desk({main: changed}).plain(main)
        found.append(time.process_time() - begun)
        cycles.answered(1)
    cycles.over()
    return found


def waited(main: Path, number: int = EDITS) -> list[float]:
    """Seconds by the clock that an editor waits after each of some edits of a game's main file."""
    from .served import waits

    return asyncio.run(waits(main, texts(main.read_text(encoding="utf-8"), number)))


def main(words: list[str]) -> int:
    """Measure the games that are named, and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m tools.dev.editors.pace", description=__doc__)
    parser.add_argument("games", nargs="+", metavar="GAME")
    parser.add_argument("--edits", type=int, default=EDITS, help="how many, 300 if not said")
    parser.add_argument("--served", action="store_true", help="how long an editor waits, by the clock")
    given = parser.parse_args(words)
    for name in given.games:
        file = find(name, Diagnostics())
        if file is None:
            print(f"there is no game {name}", file=sys.stderr)
            return 2
        times = waited(file.resolve(), given.edits) if given.served else measured(file.resolve(), given.edits)
        half, most = (1000 * percentile(times, part) for part in (0.5, 0.95))
        print(f"{name}: {len(times)} edits, half of them within {half:.0f} ms, 95 of 100 within {most:.0f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

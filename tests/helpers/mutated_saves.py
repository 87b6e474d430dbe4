"""`python -m tests.helpers.mutated_saves [HOW MANY] [SEED]`: saves with one value changed and a right checksum.

Each is refused with a code, or it is a position that plays on: it is shown to every seat and some random answers are given.
A fault of the rules may come of that, since the position may be one that play does not reach; anything else is a crash.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import interpreter
from interpreter.files.saves import checksum
from interpreter.runtime.faults import Fault
from rulespec.text.diagnostics import RulespecError
from tests.helpers.games import BACKENDS, Dice, loaded, random_step, setups

ANSWERS = 6  # given in a position that was not refused
POSITIONS = 12  # of a game's setup
PARTS = ("slots", "control")  # of a save that are changed
BROKEN = "R020"  # a value has the wrong form: it should have been refused
OTHERS: list[Any] = [
    0,
    1,
    -1,
    2,
    7,
    63,
    1 << 20,
    1 << 62,
    -(1 << 62),
    None,
    True,
    False,
    "a",
    "",
    [],
    [0],
    [[]],
    [0, 0],
    [1, 0],
]


def positions(game: interpreter.Game, seed: int) -> Iterator[str]:
    """Saves of a random game, evenly spread over its beginning."""
    state, dice = game.new_state(seed=seed, record=False), Dice(seed)
    for number in range(POSITIONS * 9):
        if state.is_terminal():
            return
        if number % 9 == 0:
            yield state.to_json()
        state.apply_action(*random_step(state, dice))


def places(data: Any) -> Iterator[tuple[list[Any], int]]:
    """Every item of a list, and of the lists in it."""
    for k, item in enumerate(data if isinstance(data, list) else ()):
        yield data, k
        yield from places(item)


def change(data: dict[str, Any], chance: random.Random) -> None:
    """Change one value of a save."""
    every = [place for part in PARTS for place in places(data[part])]
    inner = list(places(data["control"]))
    items, k = chance.choice(inner if inner and chance.random() < 0.5 else every)
    old = items[k]
    kind = chance.randrange(6)
    if kind == 0 and isinstance(old, int) and not isinstance(old, bool):
        items[k] = old + chance.choice((-1, 1, 2, 10))
    elif kind == 1 and isinstance(old, list) and old:
        old.pop(chance.randrange(len(old)))
    elif kind == 2 and isinstance(old, list):
        old.append(chance.choice([*OTHERS, *old]))
    elif kind == 3 and isinstance(old, list) and len(old) > 1:
        chance.shuffle(old)
    elif kind == 4:
        there, at = chance.choice(every)
        items[k] = json.loads(json.dumps(there[at]))
    else:
        items[k] = chance.choice(OTHERS)


def outcome(game: interpreter.Game, text: str, dice: Dice) -> str:
    """What comes of a save."""
    try:
        state = game.state_from_json(text)
    except RulespecError as error:
        return f"refused {error.diagnostics[0].code}"
    try:
        for _ in range(ANSWERS):
            if state.is_terminal():
                break
            for seat in range(game.num_players):
                state.observation(seat)
            state.apply_action(*random_step(state, dice))
    except Fault as fault:
        code = str(fault).partition(":")[0]
        return f"late {fault}" if code == BROKEN else f"plays on to a fault {code}"
    except Exception as error:
        return f"crash {type(error).__name__}: {error}"
    return "plays on"


def run(wanted: int, seed: int, names: tuple[str, ...] = ()) -> tuple[Counter[str], list[str]]:
    """How often each outcome was met, and the saves that crashed or were refused too late."""
    chance = random.Random(seed)
    kinds = [(name, n, backend) for name, n in setups() if not names or name in names for backend in BACKENDS]
    games = [interpreter.Game(loaded(name), players=n, backend=backend) for name, n, backend in kinds]
    saves = [(game, text) for game in games for text in positions(game, seed)]
    counts: Counter[str] = Counter()
    bad: list[str] = []
    while counts.total() < wanted:
        game, text = chance.choice(saves)
        data = json.loads(text)
        change(data, chance)
        data["checksum"] = checksum(data)
        changed = json.dumps(data)
        if changed == text:
            continue
        came = outcome(game, changed, Dice(counts.total()))
        counts[came] += 1
        if came.startswith(("crash", "late")):
            bad.append(f"{game.id}, {game.num_players} players: {came}\n{changed}")
    return counts, bad


def main() -> int:
    """Print what came of so many."""
    wanted, seed = (int(word) for word in (*sys.argv[1:3], *("300", "1")[len(sys.argv) - 1 :]))
    counts, bad = run(wanted, seed)
    for came, times in counts.most_common():
        print(f"{times:7,}  {came}")
    for text in bad[:5]:
        print(text[:2000])
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

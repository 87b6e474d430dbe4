"""Which mutants are tried: the same for the same games and seed, spread over families by weight and over games evenly."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from .families import FAMILIES, Mutant, mutants
from .texts import GameText, read_game

SEED = 1
TOTAL = 320
# A game whose cases take seconds gets this share of what a small one gets.
BIG, SHARE = 12_000, 0.4


def plan(folders: Sequence[Path], total: int = TOTAL, seed: int = SEED) -> list[Mutant]:
    """About `total` mutants, in the order of families and games; ValueError if a game cannot be read."""
    games = [read_game(folder) for folder in folders]
    weights = sum(family.weight for family in FAMILIES.values())
    chosen: list[Mutant] = []
    seen: set[tuple[str, str, str]] = set()
    debts = dict.fromkeys((game.id for game in games), 0.0)
    for family in FAMILIES.values():
        waiting = {game.id: shuffled(mutants(game, family.name), seed) for game in games}
        texts = {(game.id, file.name): file.text for game in games for file in game.files}
        for _ in range(round(total * family.weight / weights)):
            candidates = None
            while candidates is None and (ready := [game for game in games if waiting[game.id]]):
                game = min(ready, key=lambda game: (debts[game.id], game.id))
                mutant = waiting[game.id].pop(0)
                key = (mutant.game, mutant.file, mutant.text(texts[mutant.game, mutant.file]))
                if key not in seen:
                    seen.add(key)
                    debts[game.id] += 1 / share(game)
                    candidates = mutant
            if candidates is None:
                break
            chosen.append(candidates)
    return chosen


def share(game: GameText) -> float:
    """How many mutants a game gets, beside a small one."""
    return SHARE if sum(len(file.text) for file in game.files) > BIG else 1.0


def shuffled(mutants: list[Mutant], seed: int) -> list[Mutant]:
    """In an order that depends on nothing but the mutants and the seed."""

    def mark(mutant: Mutant) -> bytes:
        return hashlib.sha256(
            repr((seed, mutant.game, mutant.family, mutant.file, mutant.start, mutant.old, mutant.new)).encode()
        ).digest()

    return sorted(mutants, key=mark)

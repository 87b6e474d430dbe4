"""The game tests/native/race.yaml as C that is written by hand (race.c): stands where programs are written as C by the package."""

from __future__ import annotations

import struct
from typing import Any

import pytest

import interpreter
from interpreter.native import kit
from interpreter.native.kit import Written
from rulespec import ir
from tests.helpers.places import ROOT

FOLDER = ROOT / "tests" / "native"
GAME = FOLDER / "race.yaml"
ASK, ROLL, OVER = range(3)
LEFT = (("race.yaml:9 (Ask of game)", "written by hand"),)
NUMBERS = struct.Struct("=9q")


class Race:
    """What `interpreter.native.kit` asks for; `defines` are put before the text, and `spoilt` behind it."""

    def __init__(self, spoilt: str = "", **defines: int) -> None:
        self.defines = defines
        self.spoilt = spoilt
        self.written = 0

    def write(self, _program: ir.Program) -> Written:
        self.written += 1
        head = "".join(f"#define {name} {value}\n" for name, value in self.defines.items())
        text = (FOLDER / "race.c").read_text("utf-8").replace('"abi.h"', '"head.h"', 1)
        abi = (ROOT / "interpreter" / "native" / "abi.h").read_text("utf-8")
        return Written({"race.c": text + self.spoilt, "head.h": head + abi}, LEFT, {"numbers": 9})

    def exchange(self, program: ir.Program, layout: Any) -> RaceExchange:
        assert layout == {"numbers": 9}
        return RaceExchange(program)


class RaceExchange:
    """Slots and numbers of it."""

    layout = None

    def __init__(self, program: ir.Program) -> None:
        self.initial = program.initial

    def decode(self, numbers: bytes) -> list[Any]:
        at, pace, runner, one, two, winner, seeded, seed, counter = NUMBERS.unpack(numbers)
        S = list(self.initial)
        S[ir.CONTROL] = {ASK: (0, (2, None)), ROLL: (1, (2, None), pace, (), 1), OVER: None}[at]
        S[ir.RANDOM] = (seed % 2**64, counter) if seeded else None
        if at == OVER:
            S[ir.WINNERS], S[ir.RETURNS] = (winner,), (1, -1) if winner == 0 else (-1, 1)
        S[7:10] = runner, one, two
        return S

    def encode(self, S: list[Any]) -> bytes | None:
        frame, random = S[ir.CONTROL], S[ir.RANDOM]
        at = OVER if frame is None else ROLL if frame[0] == 1 else ASK
        pace = frame[2] if at == ROLL else 0
        winner = S[ir.WINNERS][0] if at == OVER else -1
        seed, counter = random or (0, 0)
        signed = seed - 2**64 if seed >= 2**63 else seed
        return NUMBERS.pack(at, pace, *S[7:10], winner, random is not None, signed, counter)


def game_of(gamedef: Any, written: Race, folder: Any) -> interpreter.Game:
    """The game, by this C."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULESPEC_CACHE", str(folder))
        patch.setattr(kit, "KIT", written)
        return interpreter.Game(gamedef, backend="native")

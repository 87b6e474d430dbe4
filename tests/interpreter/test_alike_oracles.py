"""Which pieces are copies that nobody can tell apart, and whose name each has for a viewer, compared with a plain account of both."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from interpreter import EVERYTHING, Game
from interpreter.views.alike import alike, names
from rulespec import ir
from tests.helpers import plain
from tests.helpers.programs import ALL, BODIES, NONE, OWNER, Build, c, finish

SEATS = 2
MEMBERS = tuple("abcdefgh")


def printed(chooser: random.Random, of: str, sure: float) -> tuple[Any, ...]:
    """Something for each member, mostly the same."""
    return tuple(of[0] if chooser.random() < sure else chooser.choice(of) for _ in MEMBERS)


def laid_out(chooser: random.Random) -> tuple[Game, list[Any]]:
    """Pieces of three kinds that differ in little, anywhere: all of one lie openly, something is kept for each of another."""
    b = Build(SEATS)
    card, coin, pawn = (b.pieces(name, MEMBERS) for name in ("Card", "Coin", "Pawn"))
    zones = [
        b.zone("hand", card, (0,), "set", OWNER),
        b.zone("row", card, (0,), "pile", ALL),
        b.zone("deck", card, (), "pile", NONE, NONE, ALL),
        b.zone("purse", coin, (0,), "set", ALL),
        b.zone("stack", pawn, (0,), "pile", NONE),
    ]
    one = ir.types.entity(card)
    b.variable("last", None, printer=ir.types.option(one))
    b.variable("all", (), printer=ir.types.list_of(one))
    b.variable("own", *[None] * SEATS, per=(0,), seen=OWNER, printer=ir.types.option(one))
    b.variable("number", 0)
    b.variable("moved", *[0] * len(MEMBERS), per=(pawn,))
    for kind in (card, coin, pawn):
        b.kinds[kind] = replace(
            b.kinds[kind],
            labels=printed(chooser, "XY", 0.8),
            fields=(ir.Field("value", ir.types.INT, printed(chooser, "12", 0.8)),),
            named=tuple(chooser.sample(range(len(MEMBERS)), chooser.randrange(3))),
        )
    doing = b.procedure("doing", 1, ir.Return(c(True)))
    for number, kind in enumerate((card, coin)):
        carried = tuple(chooser.sample(range(len(MEMBERS)), chooser.randrange(3)))
        b.rules.append(
            ir.Rule(number, f"rule{number}", "pieces", carried, None, None, None, None, doing, 0, None, None, kind)
        )
    b.procedure("main", 0, finish(*range(SEATS)))
    slots = list(b.slots)
    for zone in zones:
        kind = b.kinds[b.zones[zone].kind]
        assert kind.location is not None
        places = [*range(b.zones[zone].base, b.zones[zone].base + b.zones[zone].size), -1]
        for piece in chooser.sample(range(len(MEMBERS)), len(MEMBERS)):
            if slots[kind.location + piece] < 0 and (at := chooser.choice(places)) >= 0:
                slots[at] = (*slots[at], piece)
                slots[kind.location + piece] = at
                if b.zones[zone].order == "set":
                    slots[at] = tuple(sorted(slots[at]))
    for variable in b.variables[:3]:
        for slot in range(variable.base, variable.base + variable.size):
            some = tuple(chooser.choices(range(len(MEMBERS)), k=3))
            slots[slot] = some if variable.name == "all" else chooser.choice((None, some[0]))
    looks = [(b.kinds[card].location + piece, seat) for piece in range(len(MEMBERS)) for seat in range(SEATS)]  # type: ignore[operator]
    slots[ir.KNOWN] = tuple(sorted(chooser.sample(looks, chooser.randrange(4))))
    return Game.from_program(b.program(), BODIES.__getitem__), slots


def test_copies_and_their_names() -> None:
    """Copies: hidden somewhere, nothing kept for each, alike in all that is printed and in the rules, and named by none."""
    found = stood = 0
    for seed in range(60):
        game, slots = laid_out(random.Random(seed))
        program, own = game.program, alike(game)
        groups = plain.copies(program)
        assert {kind: [[*group] for group in of_kind] for kind, of_kind in own.groups.items()} == groups, seed
        firsts = {kind: {piece: group[0] for group in of_kind for piece in group} for kind, of_kind in groups.items()}
        assert own.first == firsts
        assert own.names == {
            kind: {MEMBERS[piece]: MEMBERS[first] for piece, first in of_kind.items()}
            for kind, of_kind in firsts.items()
        }
        position = game.position(slots, program.main)
        for viewer in (0, 1, None):
            named = names(position, viewer)
            wanted = {
                kind: plain.named_by_places(program, slots, kind, of_kind, viewer) for kind, of_kind in groups.items()
            }
            assert named == wanted, (seed, viewer)
            stood += sum(piece != stands for of_kind in named.values() for piece, stands in of_kind.items())
        assert names(position, EVERYTHING) == {}
        found += len(groups)
    assert found > 30 and stood > 100

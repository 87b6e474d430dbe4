"""Who sees what on the table, as all back ends are told, compared with a plain account of it."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from typing import Any

import pytest

from interpreter import EVERYTHING, Game
from interpreter.runtime import effects
from interpreter.runtime.hidden import Hidden, NotSeen
from interpreter.runtime.renaming import renamed
from interpreter.runtime.visibility import mask_of, sees
from interpreter.views.glimpse import Glimpse, dimmed, glimpse, mask_of_hidden
from interpreter.views.observation import observe
from rulespec import ir
from tests.helpers import plain
from tests.helpers.games import Dice, loaded, random_step
from tests.helpers.programs import ALL, BODIES, NONE, OWNER, Build, c, finish, op, x

SEATS = 3
TRIES = 25


def places() -> tuple[Build, int]:
    """A zone for each order and for each of those who see all of it, and its top; one of each player, one of a card and a player."""
    b = Build(SEATS)
    coin, card = b.pieces("Coin", ("x", "y")), b.pieces("Card", tuple("abcdefg"))
    others = ir.Viewers("function", b.function("others", 1, op("without", c((0, 1, 2)), x(0))))
    for order, seen in itertools.product(("set", "shuffled", "pile"), (ALL, NONE, OWNER, others)):
        for top in (NONE, ALL, OWNER, others) if order == "pile" else (NONE,):
            counted = (ALL, others, NONE)[len(b.zones) % 3]
            b.zone(f"{order}{len(b.zones)}", card, (0,), order, seen, counted, top)
    b.zone("under", coin, (card,))
    b.zone("purse", coin, (0,), "pile", NONE)
    b.zone("beneath", card, (card,), "pile", NONE)
    b.variable("mark", *[0] * 7, per=(card,))
    b.variable("link", *[0] * 21, per=(card, 0), seen=others)
    b.variable("pair", *[0] * 49, per=(card, card))
    b.procedure("main", 0, ir.Ask(b.site("wait", c((1, 2))), 0), finish(*range(SEATS)))
    return b, card


def scattered(b: Build, card: int, chooser: random.Random) -> list[Any]:
    """Slots in which each card lies anywhere, or is out of the game, and some have been looked at."""
    slots, location = list(b.slots), b.kinds[card].location
    assert location is not None
    few = chooser.sample(
        [slot for zone in b.zones if zone.kind == card for slot in range(zone.base, zone.base + zone.size)], 3
    )
    pieces = range(len(b.kinds[card].members))
    for piece in chooser.sample(pieces, len(pieces)):
        slot = chooser.choice([*few, -1])
        slots[location + piece] = slot
        if slot >= 0:
            slots[slot] = (*slots[slot], piece)
    for zone in b.zones:
        for slot in range(zone.base, zone.base + zone.size):
            if zone.order != "pile":
                slots[slot] = tuple(sorted(slots[slot]))
    looks = [(location + piece, seat) for piece in pieces for seat in range(SEATS)]
    slots[ir.KNOWN] = tuple(sorted(chooser.sample(looks, chooser.randrange(5))))
    return slots


def told_apart(game: Game, slots: list[Any]) -> int:
    """How many pieces are hidden from somebody; each is seen by those who see it by the plain account, and shown to no others."""
    sight, program, hidden = game.machine.sight, game.program, 0

    def call(function: int, *members: int) -> Any:
        return game.machine.compiler.function(function)(slots, *members)

    seers = plain.all_seers(program, slots, call)
    for (kind, piece), own in seers.items():
        assert sight.piece(slots, kind, piece) == sum(1 << seat for seat in own), (kind, piece)
    for viewer in (*range(program.players), None, EVERYTHING):
        wanted = {plain.public(program)} if viewer is None else {viewer} if viewer != EVERYTHING else set()
        for zone, _, slot in plain.places(program):
            if not zone.counts:
                unseen = {piece for piece in slots[slot] if not wanted <= seers[zone.kind, piece]}
                assert sight.unseen(slots, slot, sight.bits(viewer)) == unseen, (zone.name, viewer)
                hidden += len(unseen)
        for what in (*program.zones, *program.variables):
            read = [(slot, name) for slot, _, name in sight.told(slots, what, sight.bits(viewer))]
            assert read == plain.names(program, slots, what, wanted, seers, call), (what.name, viewer)
    for zone, members, slot in plain.places(program):
        own = {*range(program.players), plain.public(program)}.intersection(
            *(seers[k, m] for k, m in zip(zone.per, members, strict=True) if (k, m) in seers)
        )
        assert sight.known(slots, slot) == sum(1 << seat for seat in own)
        own &= plain.seats(program, zone.seen, members, call)
        assert sight.of(slots, zone, members) == sum(1 << seat for seat in own)
    return hidden


def test_who_sees_a_piece() -> None:
    """In every kind of place, wherever pieces lie and whoever has looked; an observation shows as many."""
    b, card = places()
    game, chooser, hidden = b.game(), random.Random(1), 0
    for _ in range(TRIES):
        slots = scattered(b, card, chooser)
        hidden += told_apart(game, slots)
        slots[ir.CONTROL] = game.new_state(1).slots[ir.CONTROL]
        position = game.position(slots, game.program.main)
        for seat in range(SEATS):
            glimpsed(game, slots, seat, glimpse(position, seat))
            shown = observe(position, seat)["zones"]
            for zone, (owner, *_), slot in plain.places(game.program):
                if zone.per != (0,) or not 1 << seat & game.machine.sight.mask(slots, zone.counted, (owner,)):
                    continue
                unseen = game.machine.sight.unseen(slots, slot, 1 << seat)
                names = [None if p in unseen else b.kinds[card].members[p] for p in slots[slot]]
                told = [None if name == "?" else name for name in shown[f"{zone.name}.p{owner + 1}"]]
                assert told == (names if zone.order == "pile" else [*filter(None, names), *[None] * len(unseen)])
    assert hidden > 5 * TRIES


def test_what_is_shown_of_a_pile_that_nobody_has_looked_at() -> None:
    """And where somebody has: his author sees all of it at once, and is not said to know a piece by a look."""
    b, card = places()
    b.zones = [replace(zone, counted=ALL) for zone in b.zones]
    game, location, tops = b.game(), b.kinds[card].location, 0
    assert location is not None
    names = b.kinds[card].members
    for zone, looks in itertools.product(
        [zone for zone in b.zones if zone.per == (0,)],
        ((), ((location + 4, 1),), tuple((location + 4, seat) for seat in range(SEATS + 1))),
    ):
        if zone.kind != card:
            continue
        slots = list(b.slots)
        slots[zone.base + 1] = tuple(range(len(names)))
        slots[location : location + len(names)] = [zone.base + 1] * len(names)
        slots[ir.KNOWN], slots[ir.CONTROL] = looks, game.new_state(1).slots[ir.CONTROL]
        position = game.position(slots, game.program.main)

        def call(function: int, *members: int, S: list[Any] = slots) -> Any:
            return game.machine.compiler.function(function)(S, *members)

        who = plain.all_seers(game.program, slots, call)
        for seat in range(SEATS):
            own = [name if seat in who[card, piece] else "?" for piece, name in enumerate(names)]
            told = observe(position, seat)["zones"][f"{zone.name}.p2"]
            assert told == (own if zone.order == "pile" else sorted(own, key=lambda name: (name == "?", name)))
            tops += own.count("?") == len(names) - 1
        seen = observe(position, EVERYTHING)
        assert "?" not in seen["zones"][f"{zone.name}.p2"] and not {"known", "shown"} & {*seen}
    assert tops > 10


def test_where_nothing_lies_openly_nothing_is_seen() -> None:
    b = Build(SEATS)
    card = b.pieces("Card", tuple("abc"))
    b.put(card, b.zone("deck", card, order="pile", seen=NONE))
    b.procedure("main", 0, finish(*range(SEATS)))
    assert told_apart(b.game(), list(b.slots)) == 3 * (SEATS + 1)


def test_what_may_be_called_by_a_place() -> None:
    """All names that a viewer can come to read are known before play, with the place and as which one a piece lies there."""
    b, card = places()
    game, chooser, met = b.game(), random.Random(4), 0
    sight = game.machine.sight
    placed = {what.base: {entry[2]: (at, k) for entry, at, k in sight.by_place(what)} for what in b.variables}
    for what in b.variables:
        assert len([*sight.by_place(what)]) == len(placed[what.base]) == plain.called_by_places(game.program, what)
    for _ in range(TRIES):
        slots = scattered(b, card, chooser)
        for what in b.variables:
            for _, indices, name in sight.told(slots, what, 1):
                if name not in {own for _, _, own in sight.entries(what)}:
                    at, k = placed[what.base][name]
                    assert slots[at][k - 1] in indices
                    met += 1
    assert met > TRIES


def glimpsed(game: Game, slots: list[Any], seat: int, seen: Glimpse) -> None:
    """What a seat sees of each slot, and nothing else of it, is in its glimpse."""
    program = game.program

    def call(function: int, *members: int) -> Any:
        return game.machine.compiler.function(function)(slots, *members)

    seers = plain.all_seers(program, slots, call)

    def sees_piece(kind: int, piece: int) -> bool:
        return seat in seers[kind, piece]

    def told(what: ir.Zone | ir.Variable, row: tuple[int, ...]) -> bool:
        return all(kind == 0 or sees_piece(kind, piece) for kind, piece in zip(what.per, row, strict=True))

    for zone, row, slot in plain.places(program):
        value, own = seen.peek(slot), [piece for piece in slots[slot] if sees_piece(zone.kind, piece)]
        if told(zone, row) and seat in plain.seats(program, zone.seen, row, call):
            assert value == slots[slot]
        elif told(zone, row) and seat in plain.seats(program, zone.counted, row, call):
            shown = [piece if piece.__class__ is int else None for piece in value]
            wanted = [piece if piece in own else None for piece in slots[slot]]
            assert shown == (wanted if zone.order == "pile" else [*own, *[None] * (len(shown) - len(own))])
            assert len(value) == len(slots[slot])
        else:
            assert value.__class__ is Hidden
        for piece in slots[slot]:
            location = program.kinds[zone.kind].location
            assert location is not None
            where = seen.peek(location + piece)
            assert where == slot if piece in own and told(zone, row) else where.__class__ is Hidden
    for variable in program.variables:
        for row, slot in plain.rows(program, variable):
            open_ = told(variable, row) and seat in plain.seats(program, variable.seen, row, call)
            assert seen.peek(slot) == 0 if open_ else seen.peek(slot).__class__ is Hidden


def test_who_is_told_which_parts_of_a_value() -> None:
    """Pieces in lists, sets, records and texts, some of which stand for others; which pieces are named, and how."""
    b, card = places()
    one, chooser = ir.types.entity(card), random.Random(3)
    pieces = ir.types.list_of(one)
    record = ir.Type("record", parts=(one, ir.types.INT, pieces), names=("top", "number", "rest"))
    values: list[tuple[ir.Type, Any, tuple[int, ...], str]] = [
        (one, 3, (3,), "d"),
        (pieces, (4, 0, 4, 1), (4, 0, 1), "e+a+e+b"),
        (ir.types.set_of(one), (0, 2, 5), (0, 2, 5), "a+c+f"),
        (ir.types.option(one), None, (), "none"),
        (ir.types.option(one), 1, (1,), "b"),
        (record, (2, 7, (3, 1)), (2, 3, 1), "top: c, number: 7, rest: (d+b)"),
        (ir.types.INT, 4, (), "4"),
        (ir.types.TEXT, ("First ", (0, 5), ", then ", (0, 1)), (5, 1), "First f, then b"),
    ]
    program = replace(b.program(), printers=(one,))
    game, whole = Game.from_program(program, BODIES.__getitem__), 0
    for _ in range(TRIES):
        slots = scattered(b, card, chooser)

        def call(function: int, *members: int, S: list[Any] = slots) -> Any:
            return game.machine.compiler.function(function)(S, *members)

        for seat in range(SEATS):
            own = {piece: seat in plain.seers(program, slots, card, piece, call) for piece in range(7)}
            for t, value, named, name in values:
                printing = game.machine.printing
                assert printing.name(t, value) == name
                told = {("Card", "abcdef"[piece]) for piece in named if own[piece]}
                assert {*printing.things(slots, t, value, seat)} == told
                masks = game.machine.sight.masks(slots, t, value)
                seen = [piece for piece in named if own[piece]]
                assert plain.pieces_in(program, t, dimmed(program, t, value, masks, 1 << seat)) == seen
                whole += masks is None
                for stands in {}, {0: 5, 5: 0}:
                    shown = printing.data(t, value, masks, 1 << seat, {card: stands} if stands else {})
                    wanted = plain.told(
                        program, t, value, lambda _, piece, own=own: own[piece], stands if t.what != "text" else {}
                    )
                    assert shown == wanted, (t.what, value)
                for part in value if t.what == "text" else ():
                    assert isinstance(part, str) or renamed(program, t, value, {card: {5: 2}})[1] == (0, 2)
    assert whole > 2 * SEATS * TRIES


def test_what_people_read_of_a_value() -> None:
    """Pieces that the first seat does not see are counted behind the others; alike things that are no pieces too."""
    b, card = places()
    one, number = ir.types.entity(card), ir.types.INT
    pieces, pair = ir.types.list_of(one), ir.Type("record", parts=(one, number), names=("top", "number"))
    printing = Game.from_program(replace(b.program(), printers=(one,)), BODIES.__getitem__).machine.printing
    for t, value, masks, text in (
        (pieces, (0, 1, 2, 3), (None, 0, 1, 2), "A, C and a card ×2"),
        (pieces, (0,), (0,), "a card"),
        (pieces, (), None, "nothing"),
        (ir.types.list_of(pair), ((1, 5), (2, 5), (1, 6)), ((0, None), (0, None), None), "B, 6; and a card, 5 ×2"),
        (ir.types.list_of(pair), ((1, 5), (1, 6)), ((0, None), None), "B, 6; and a card, 5"),
        (ir.types.option(one), None, None, "none"),
        (ir.types.bag(card), (2, 0, 0, 0, 0, 1, 0), None, "2 A and 1 F"),
        (ir.types.list_of(number), (7,) * 500, None, f"{'7, ' * 498}7 and 7"),
        (ir.types.list_of(number), (7,) * 501, None, f"{'7, ' * 499}7 and 1 more"),
        (ir.types.TEXT, ("Take ", (0, 1), " or ", (0, 2)), (None, 0, None, 1), "Take a card or C"),
        (ir.types.TEXT, ("Take ", (0, 1)), None, "Take B"),
        (ir.types.TEXT, "Take it", None, "Take it"),
    ):
        assert printing.label(t, value, masks, 1) == text
    assert printing.data(ir.types.bag(card), (2, 0, 0, 0, 0, 1, 0), None, 1) == {"a": 2, "f": 1}
    assert [*printing.named(pair, (1, 5), (0, None), 1)] == []
    assert [*printing.named(ir.types.bag(card), (2, 0, 0, 0, 0, 1, 0), None, 1)] == [("Card", "a"), ("Card", "f")]


def test_what_is_not_seen_of_a_value_that_is_made_of_a_glimpse() -> None:
    """Pieces that nobody sees have a noun in their place; a number, a text or a bag that is not seen has nothing to stand there."""
    b, card = places()
    one, number, hidden = ir.types.entity(card), ir.types.INT, Hidden()
    pair, bag = ir.Type("record", parts=(one, number), names=("top", "number")), ir.types.bag(card)
    program = replace(b.program(), printers=(one,))
    for t, value, mask in (
        (one, hidden, 0),
        (one, 3, None),
        (number, 3, None),
        (ir.types.list_of(one), (3, hidden, 1), (None, 0, None)),
        (ir.types.set_of(one), (3, 1), None),
        (ir.types.option(one), hidden, 0),
        (ir.types.option(one), None, None),
        (ir.types.option(one), 2, None),
        (pair, (hidden, 3), (0, None)),
        (pair, (1, 3), None),
        (ir.types.list_of(pair), ((hidden, 3), (1, 2)), ((0, None), None)),
        (ir.types.TEXT, ("Take ", (0, hidden), " or ", (0, 1)), (None, 0, None, None)),
        (ir.types.TEXT, "Take it", None),
        (bag, (1, 0, 2), None),
    ):
        assert mask_of_hidden(program, t, value) == mask, (t, value)
    for t, value in (
        (number, hidden),
        (ir.types.BOOL, hidden),
        (ir.types.TEXT, hidden),
        (ir.types.list_of(one), hidden),
        (ir.types.list_of(number), (1, hidden)),
        (ir.types.option(number), hidden),
        (pair, (1, hidden)),
        (bag, hidden),
        (bag, (1, hidden, 0)),
    ):
        with pytest.raises(NotSeen):
            mask_of_hidden(program, t, value)


@pytest.mark.parametrize("scoped", ["zone", "variable", "both"])
def test_whether_what_is_there_for_a_while_is_there_now(scoped: str) -> None:
    """All see that; who does not see the thing itself sees no more of it than before, and nothing of it while it is not there."""
    b = Build(SEATS)
    coin = b.pieces("Coin", ("x", "y"))
    zone, variable = b.zone("bid", coin, (0,), "set", OWNER), b.variable("number", 4, seen=NONE)
    scope = b.slot("running", 0)
    if scoped != "variable":
        b.zones[zone] = replace(b.zones[zone], scope=scope)
    if scoped != "zone":
        b.variables[0] = replace(b.variables[0], scope=scope)
    b.procedure("main", 0, ir.Ask(b.site("wait", c((1, 2))), 0), finish(*range(SEATS)))
    game = b.game()
    for running in (0, 1):
        slots = list(b.slots)
        slots[scope], slots[ir.CONTROL] = running, game.new_state(1).slots[ir.CONTROL]
        for seat in (*range(SEATS), None):
            seen = glimpse(game.position(slots, game.program.main), seat)
            assert seen.peek(scope) == running
            assert seen.peek(variable).__class__ is Hidden
            there = running or scoped == "variable"
            for owner in range(SEATS):
                held = seen.peek(b.zones[zone].base + owner)
                assert held == () if there else held.__class__ is Hidden


def test_what_all_learn_at_once_is_what_is_public() -> None:
    for players in (1, 2, 4):
        b = Build(players)
        b.procedure("main", 0, finish(*range(players)))
        game = b.game()
        learnt = effects.everybody(game.program)
        assert len({*learnt}) == players + 1 and sees(mask_of(learnt), game.machine.sight.full)
        assert players == 1 or mask_of(learnt) == game.machine.sight.full


@pytest.mark.parametrize("name", ["hobbit_card_game", "lotr_tarot", "hobbit_board_game"])
def test_who_sees_a_piece_in_play(name: str) -> None:
    """In every place after each answer, for each seat, a spectator and the rules' author."""
    game, dice, hidden = Game(loaded(name), backend="python"), Dice(5), 0
    state = game.new_state(5, undo=False, record=False)
    for _ in range(20):
        hidden += told_apart(game, state.slots)
        if state.is_terminal():
            break
        state.apply_action(*random_step(state, dice))
    assert hidden > 250

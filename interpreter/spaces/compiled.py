"""Vectors that C fills: what `Layout.observation` gives, worked out of the numbers of a position instead of its JSON data.

Who sees a slot is settled before the game begins in most games, and then the slot's numbers say what its entries are.  `plans` makes of
this a row of nodes for each seat, which `native/vectors.c` follows; where anything else has to be looked at in play, such as copies that
nobody can tell apart, there are none, and vectors are made in Python.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Any

from interpreter.native.emitter.exchange import Code
from interpreter.native.emitter.exchange import Layout as Numbers
from interpreter.runtime.visibility import Entry, mask_of
from interpreter.setup import Setup
from interpreter.spaces.entries import Filled, listing, of_type
from interpreter.spaces.tensors import NOTHING as NOTHING_SEEN
from interpreter.spaces.tensors import Layout, filler, layout
from interpreter.views.alike import alike
from interpreter.views.looks import Look
from rulespec import ir

# Of the nodes in `native/vectors.c`.
NUMBER, LIST, EACH, SOME, PICK, EVENT, ONLY_IF, PASS, HIDDEN, PLACE, SHOWN = range(11)
UNTOLD, VALUE, TRUTH, MEMBER = range(4)
UNCOUNTED, ITEMS, SUM = range(3)
NOTHING, THERE, HEIGHT, TALLY, AMOUNT = range(5)
NO = -1

Node = list[int]
Plans = tuple[int, int, int, int, bool, "array[int]", tuple["array[int]", ...]]


class Unsettled(Exception):
    """What a seat sees cannot be told from the numbers alone."""


def plans(setup: Setup, numbers: Numbers) -> Plans | None:
    """What `Games.observe` takes: the width, two first entries, how many notes, whether looks tell anything, of each point the entry of its
    question, and the plan of each seat.

    None where a vector needs more than the numbers of a position.
    """
    try:
        return Planner(setup, numbers).plans()
    except Unsettled:
        return None


class Planner:
    """Makes the plans of one setup."""

    def __init__(self, setup: Setup, numbers: Numbers) -> None:
        self.setup, self.program, self.numbers = setup, setup.program, numbers
        self.layout: Layout = layout(setup)
        self.sight = self.layout.sight
        self.notes: dict[int, int] = {}  # of slots that say whether others are there, or seen
        self.watched: dict[int, ir.Kind] = {}  # those of them that say where a piece lies, with its kind
        self.looked = False  # whether who knows a piece by a look tells anything
        self.first_known = {name: first for (_, name), first in reversed(self.layout.known.items())}

    def plans(self) -> Plans:
        """See `plans`.  Raises Unsettled."""
        own = self.layout
        if alike(self.setup).groups:
            raise Unsettled
        self.watch()
        for look in own.looks[0]:
            if look.what.scope is not None:
                self.notes.setdefault(look.what.scope, len(self.notes))
        blocks = own.space.block_of
        asked = [NO if site is None else own.asked + blocks[site.index] for site in self.setup.sites]
        made = tuple(array("i", self.plan(seat)) for seat in range(self.setup.num_players))
        return len(own), own.you, own.acting, len(self.notes), self.looked, array("i", asked), made

    def plan(self, seat: int) -> Node:
        """One node for each slot, in the order of the numbers."""
        looks = {look.entry[0]: look for look in (*self.layout.looks[seat], *self.looks_of_pieces(seat))}
        nodes: list[Node] = []
        passed: set[int] = set()
        for base, size, code in self.numbers.groups:
            for slot in range(base, base + size):
                look = looks.pop(slot, None)
                if slot in self.watched:
                    one = self.place(self.watched[slot], self.notes[slot], code, seat)
                elif look is None:
                    one = skipped(code, self.notes.get(slot, NO))
                else:
                    one = self.filled(look, code, seat)
                for piece in () if look is None else self.pieces_of(look.what, look.entry[1]):
                    one = node(ONLY_IF, self.notes[piece], parts=[one])
                    if piece not in passed:
                        raise Unsettled
                scope = None if look is None else look.what.scope
                if scope is not None:
                    one = node(ONLY_IF, self.notes[scope], parts=[one])
                    if scope not in passed:
                        raise Unsettled
                passed.add(slot)
                if one == ONE_PASSED and nodes and nodes[-1][0] == PASS:
                    nodes[-1] = node(PASS, nodes[-1][2] + 1)
                else:
                    nodes.append(one)
        if looks:
            raise Unsettled
        return node(EACH, 0, len(nodes), parts=nodes)

    # --- of pieces that may lie hidden -----------------------------------------------------------------------------
    def watch(self) -> None:
        """Note where pieces lie for which there is something.  Raises Unsettled where it would be told of their places."""
        for what in self.sight.for_pieces:
            if any(True for _ in self.sight.by_place(what)):
                raise Unsettled
            for n in self.sight.of_pieces[what.base]:
                kind = self.program.kinds[what.per[n]]
                assert kind.location is not None
                for slot in range(kind.location, kind.location + len(kind.members)):
                    self.watched[slot] = kind
                    self.notes.setdefault(slot, len(self.notes))

    def pieces_of(self, what: ir.Zone | ir.Variable, indices: tuple[int, ...]) -> list[int]:
        """The slots of the places of the pieces, which may lie hidden, for which something is."""
        locations = [(self.program.kinds[what.per[n]].location, n) for n in self.sight.of_pieces.get(what.base, ())]
        return [location + indices[n] for location, n in locations if location is not None]

    def looks_of_pieces(self, seat: int) -> Iterator[Look[Filled]]:
        """What fills the entries of what there is for each of such pieces."""
        for what in self.sight.for_pieces:
            for entry in self.sight.entries(what):
                if blocks := self.layout.blocks(what, entry, seat):
                    yield Look(self.setup, what, entry, seat, filler(blocks), NOTHING_SEEN)

    def place(self, kind: ir.Kind, note: int, code: Code, seat: int) -> Node:
        """The node of where a piece lies: whether the seat sees it there.  Raises Unsettled."""
        seen: list[int] = []
        for zone in self.program.zones:
            if zone.kind == kind.index:
                if (
                    code != "n"
                    or zone.base in self.sight.of_pieces
                    or zone.top.who != "none"
                    or kind.index in self.layout.learnt
                ):
                    raise Unsettled
                entries = self.sight.entries(zone)
                seen += [entry[0] for entry in entries if self.is_among(zone.seen, entry, seat)]
        return node(PLACE, note, len(seen), *seen)

    # --- who sees it -------------------------------------------------------------------------------------------
    def sees(self, viewers: ir.Viewers, look: Look[Filled], seat: int) -> bool:
        """Whether a seat is among the viewers of an entry, whatever happens.  Raises Unsettled."""
        return self.is_among(viewers, look.entry, seat)

    def is_among(self, viewers: ir.Viewers, entry: Entry, seat: int) -> bool:
        """See `sees`."""
        if viewers.function is None:
            mask = self.sight.mask([], viewers, entry[1])
        else:
            body = self.program.functions[viewers.function].body
            if not isinstance(body, ir.Const) or not isinstance(body.value, tuple):
                raise Unsettled
            mask = mask_of(body.value)
        bits = self.sight.bits(seat)
        return mask & bits == bits

    # --- what it is ----------------------------------------------------------------------------------------------
    def filled(self, look: Look[Filled], code: Code, seat: int) -> Node:
        """The node of a slot that has entries.  Raises Unsettled."""
        what = look.what
        seen = self.sees(what.seen, look, seat)
        if isinstance(what, ir.Zone):
            return self.zone(what, look, code, seen, seat)
        if not seen:
            return skipped(code, NO)
        if self.program.names_pieces(what.type):
            raise Unsettled
        return self.value(what.type, code, self.first(self.layout.content_key(what, look.entry, seat)))

    def zone(self, zone: ir.Zone, look: Look[Filled], code: Code, seen: bool, seat: int) -> Node:
        """Which pieces lie there, and how many."""
        if code == "e":
            return skipped(code, NO)
        if code not in ("b", ["l", "n"]):
            raise Unsettled
        content = self.first(self.layout.content_key(zone, look.entry, seat))
        size = self.first((look.entry[0], "size"))
        members = len(self.program.kinds[zone.kind].members)
        count = UNCOUNTED if size == NO else SUM if zone.counts else ITEMS
        if seen:
            how = NOTHING if content == NO else AMOUNT if zone.counts else HEIGHT if zone.order == "pile" else THERE
            there = listed(size, count, how, content, members)
            if (known := self.known_in(zone, look)) == NO:
                return there
            return node(SHOWN, known, self.offset(zone.kind), parts=[there])
        counted = self.sees(zone.counted, look, seat)
        if zone.top.who != "none" or (zone.kind in self.layout.learnt and not zone.counts):
            known = self.known_in(zone, look)
            part = members if zone.order == "pile" else 0
            top = zone.order == "pile" and zone.top.who != "none" and self.sees(zone.top, look, seat)
            shown = (size, content) if counted else (NO, NO)
            return node(HIDDEN, *shown, part, known, self.offset(zone.kind), int(top))
        if not counted:
            return skipped(code, NO)
        if zone.counts and content != NO:  # how many of unknown ones: two entries have the sum
            raise Unsettled
        return listed(size, count, NOTHING, NO, members)

    def known_in(self, zone: ir.Zone, look: Look[Filled]) -> int:
        """The first entry of what was shown of pieces where they lie."""
        if zone.seen.who == "all" or zone.counts or zone.kind not in self.layout.learnt:
            return NO
        self.looked = True
        return self.first_known.get(look.entry[2], NO)

    def offset(self, kind: int) -> int:
        """Where the numbers begin that say who knows the pieces of a kind, among those of all kinds.  Raises Unsettled."""
        at = 0
        for base, size in self.numbers.pieces:
            if base == self.program.kinds[kind].location:
                return at
            at += size
        raise Unsettled

    def first(self, key: Any) -> int:
        """The first entry of a block of the layout."""
        return self.layout.places[key][1] if key in self.layout.places else NO

    def value(self, t: ir.Type, code: Code, at: int, flag: int = NO) -> Node:
        """The node of a value that is seen, and the entry that says that there is one.  Raises Unsettled."""
        match t.what, code:
            case "option", _:
                return self.value(t.parts[0], code, at + 1, at)
            case _, ["m", inner]:
                return node(SOME, flag, parts=[self.value(t, inner, at)])
            case "text", "n":
                return number(UNTOLD, NO, flag)
            case "bool", "n" | "t":
                return number(TRUTH, at, flag)
            case "int", "n":
                return number(VALUE, at, flag)
            case "entity", "n":
                return number(MEMBER, at, flag)
            case "bag", ["l", "n"] if flag == NO:
                return listed(NO, UNCOUNTED, AMOUNT, at, 0)
            case "set" | "list", "b" | ["l", _] if flag == NO:
                return self.several(t, "n" if code == "b" else code[1], at)
            case "record", ["r", codes] if flag == NO:
                parts = []
                for part, one in zip(t.parts, codes, strict=True):
                    parts.append(self.value(part, one, at))
                    at += len(of_type(self.program, part, "").entries)
                return node(EACH, 0, len(parts), parts=parts)
        raise Unsettled

    def several(self, t: ir.Type, item: Code, at: int) -> Node:
        """The node of a set or list: as `entries.several` lays it out."""
        width = len(of_type(self.program, t.parts[0], "").entries)
        first, most = listing(t, width)
        how = (TALLY, at + 1) if t.parts[0].what == "entity" else (NOTHING, NO)
        inside = self.value(t.parts[0], item, 0) if most else skipped(item, NO)
        return node(LIST, at, ITEMS, *how, 0, most, at + first, width, parts=[inside])


def node(kind: int, *numbers: int, parts: list[Node] | None = None) -> Node:
    """A node with those inside it."""
    inside = [number for part in parts or () for number in part]
    return [kind, 2 + len(numbers) + len(inside), *numbers, *inside]


def number(how: int, at: int, flag: int = NO, note: int = NO) -> Node:
    """The node of a number."""
    return node(NUMBER, how, at, flag, note)


def listed(size: int, count: int, how: int, at: int, part: int) -> Node:
    """The node of a list of numbers."""
    return node(LIST, size, count, how, at, part, 0, 0, 0, parts=[node(PASS, 1)])


ONE_PASSED = node(PASS, 1)


def skipped(code: Code, note: int) -> Node:
    """The node of a value that fills nothing; `note` is kept where it is a number.  Raises Unsettled."""
    match code:
        case "n" | "t" | "e" if note == NO:
            return node(PASS, 1)
        case "n" | "t":
            return number(UNTOLD, NO, NO, note)
        case "b":
            return listed(NO, UNCOUNTED, NOTHING, NO, 0)
        case "p":
            return node(PICK)
        case "q":
            return node(EVENT)
        case ["l", item]:
            return node(LIST, NO, UNCOUNTED, NOTHING, NO, 0, 0, 0, 0, parts=[skipped(item, NO)])
        case ["c", codes]:
            return node(EACH, 1, len(codes), parts=[skipped(one, NO) for one in codes])
        case ["r", codes]:
            return node(EACH, 0, len(codes), parts=[skipped(one, NO) for one in codes])
        case ["m", inner]:
            return node(SOME, NO, parts=[skipped(inner, NO)])
    raise Unsettled
